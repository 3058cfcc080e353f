/* kernels/regression/moments.h - kernel-weighted sums of powers of keys around a query, from which the caller
 * computes local polynomials. Processes a register of keys at a time; sums stay in lanes until the end. */
#ifndef HEED_KERNELS_REGRESSION_MOMENTS_H
#define HEED_KERNELS_REGRESSION_MOMENTS_H

#include "kernels/kernels.h"
#include "kernels/simd/exp.h"

/* |u| is limited to this number. Weights are 0 at much smaller |u|, and the product of three such numbers is finite, so
 * that 0 times it is 0. */
#define FARTHEST (IS_F32 ? K(1e12) : K(1e100))

/* The numbers of a register of keys. */
typedef struct moment_keys {
    vec weight, y;
    vec u[HEED_MOMENTS_COLUMNS], slopes[HEED_MOMENTS_COLUMNS];
    vec powers[HEED_MOMENTS_POWERS];
} moment_keys;

/* For column c, multiplies the weight by (1 - |u|^power)^times and sets the slope to power * times * |u|^power / (1 -
 * |u|^power). */
static ALWAYS_INLINE void weigh_compact(const heed__moments_args *args, int c, moment_keys *keys)
{
    const vec size = abs_vec(keys->u[c]), one = splat(1), zero = {0};
    vec power = size;
    for (int i = 1; i < args->power; i++)
        power *= size;
    const vec rest = one - power;
    /* If times is 0 (the uniform kernel), |u| = 1 is inside. */
    const vec_mask inside = size < splat(args->times > 0 ? 1 : (IS_F32 ? K(0x1.000002p0) : K(0x1.0000000000001p0)));
    for (int i = 0; i < args->times; i++)
        keys->weight *= rest;
    keys->weight = select_vec(inside, keys->weight, zero);
    keys->slopes[c] = select_vec(rest > zero, splat((T)(args->power * args->times)) * power / rest, zero);
}

static ALWAYS_INLINE void weigh_keys(const heed__moments_args *args, const int columns, const T *q, const T *w,
                                     int64_t at, int64_t end, moment_keys *keys)
{
    vec exponent = {0};
    keys->weight = load_at(args->factors, at, end);
    keys->y = load_at(args->y, at, end);
    for (int c = 0; c < columns; c++) {
        keys->u[c] = at_most_vec(at_least_vec((load_at(args->x[c], at, end) - q[c]) * w[c], -FARTHEST), FARTHEST);
        if (args->power > 0) {
            weigh_compact(args, c, keys);
        } else {
            keys->slopes[c] = keys->u[c] * keys->u[c];
            exponent += keys->slopes[c];
        }
    }
    if (args->power == 0)
        keys->weight *= exp_below_vec(exponent * K(-0.5));
    for (int g = columns; g < args->slopes; g++)
        keys->slopes[g] = load_at(args->given[g - columns], at, end);
}

/* Adds n registers of keys to a family of sums, which are S and then T for the given weights. Returns the lanes of the
 * next family. */
static ALWAYS_INLINE T *add_family(const int powers, const int n, const moment_keys *keys, const vec *weights, T *lanes)
{
    T *values = lanes + powers * (powers + 1) / 2 * WIDTH;
    for (int j = 0; j < powers; j++, values += WIDTH) {
        vec weighted[2], sum = load(values);
        for (int r = 0; r < n; r++) {
            weighted[r] = weights[r] * keys[r].powers[j];
            sum = muladd_vec(weighted[r], keys[r].y, sum);
        }
        store(values, sum);
        for (int k = 0; k <= j; k++, lanes += WIDTH) {
            sum = load(lanes);
            for (int r = 0; r < n; r++)
                sum = muladd_vec(weighted[r], keys[r].powers[k], sum);
            store(lanes, sum);
        }
    }
    return values;
}

static ALWAYS_INLINE void sum_keys(const heed__moments_args *args, const int columns, const int powers, const int n,
                                   const T *q, const T *w, int64_t at, int64_t end, T *lanes)
{
    moment_keys keys[2];
    vec weights[2];
    for (int r = 0; r < n; r++) {
        weigh_keys(args, columns, q, w, at + r * WIDTH, end, &keys[r]);
        weights[r] = keys[r].weight;
        keys[r].powers[0] = splat(1);
        for (int k = 1; k < powers; k++)
            keys[r].powers[k] =
                k <= columns ? keys[r].u[k - 1] : keys[r].powers[args->parents[k]] * keys[r].u[args->column[k]];
    }
    T *next = add_family(powers, n, keys, weights, lanes);
    for (int g = 0; g < args->slopes; g++) {
        for (int r = 0; r < n; r++)
            weights[r] = keys[r].weight * keys[r].slopes[g];
        next = add_family(powers, n, keys, weights, next);
    }
}

/* Adds the keys of n ranges to all sums. `columns` and `powers` are those of args, as constants if possible. If
 * `pairs`, two registers are processed at a time, so that neither waits for its own results. */
static ALWAYS_INLINE void sum_ranges(const heed__moments_args *args, const int columns, const int powers,
                                     const bool pairs, const T *q, const T *w, int64_t n, const int64_t *ranges,
                                     T *lanes)
{
    for (int64_t i = 0; i < n; i++) {
        const int64_t end = ranges[2 * i + 1];
        int64_t at = ranges[2 * i];
        for (; pairs && at + WIDTH < end; at += 2 * WIDTH)
            sum_keys(args, columns, powers, 2, q, w, at, end, lanes);
        for (; at < end; at += WIDTH)
            sum_keys(args, columns, powers, 1, q, w, at, end, lanes);
    }
}

/* Separate functions, with separate stack frames, for the most common numbers of columns and powers. */
#define SUM_RANGES(name, columns, powers, pairs)                                                                       \
    static __attribute__((noinline)) void name(const heed__moments_args *args, const T *q, const T *w, int64_t n,      \
                                               const int64_t *ranges, T *lanes)                                        \
    {                                                                                                                  \
        sum_ranges(args, columns, powers, pairs, q, w, n, ranges, lanes);                                              \
    }

SUM_RANGES(sum_constant_of_one, 1, 1, true)
SUM_RANGES(sum_linear_of_one, 1, 2, true)
SUM_RANGES(sum_constant_of_two, 2, 1, true)
SUM_RANGES(sum_linear_of_two, 2, 3, true)
SUM_RANGES(sum_any, args->columns, args->powers, false)

static void moments_kernel(const heed__moments_args *args, const void *q, const void *w, int64_t n,
                           const int64_t *ranges, void *sums_, void *scratch)
{
    T *sums = sums_, *lanes = scratch;
    const int count = heed__moments_count(args);
    memset(lanes, 0, (size_t)(count * WIDTH) * sizeof(T));
    if (args->columns == 1 && args->powers == 1)
        sum_constant_of_one(args, q, w, n, ranges, lanes);
    else if (args->columns == 1 && args->powers == 2)
        sum_linear_of_one(args, q, w, n, ranges, lanes);
    else if (args->columns == 2 && args->powers == 1)
        sum_constant_of_two(args, q, w, n, ranges, lanes);
    else if (args->columns == 2 && args->powers == 3)
        sum_linear_of_two(args, q, w, n, ranges, lanes);
    else
        sum_any(args, q, w, n, ranges, lanes);
    for (int i = 0; i < count; i++)
        sums[i] = add_lanes(load(lanes + i * WIDTH));
}

#endif
