/* kernels/regression/moments.h - kernel-weighted sums of powers of keys around a query, from which the caller
 * computes local polynomials. Processes a register of keys at a time; sums stay in lanes until the end.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_REGRESSION_MOMENTS_H
#define HEED_KERNELS_REGRESSION_MOMENTS_H

#include "kernels/kernels.h"
#include "kernels/simd/arena.h"
#include "kernels/simd/exp.h"
#include "kernels/simd/wide.h"

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

/* A query whose numbers of columns and powers are known when the sums are compiled, if `columns` and `powers` are
 * constants. */
typedef struct moment_run {
    const heed__moments_args *args;
    const T *q, *w;
    int columns, powers;
    T *lanes; /* the sums, in the lanes of a wide register each; the pointer is to the part that the keys belong to */
} moment_run;

static ALWAYS_INLINE void weigh_keys(const moment_run *run, int64_t at, int64_t end, moment_keys *keys)
{
    const heed__moments_args *args = run->args;
    vec exponent = {0};
    keys->weight = load_at(args->factors, at, end);
    keys->y = load_at(args->y, at, end);
    for (int c = 0; c < run->columns; c++) {
        const vec u = (load_at(args->x[c], at, end) - run->q[c]) * run->w[c];
        keys->u[c] = at_most_vec(at_least_vec(u, -FARTHEST), FARTHEST);
        if (args->power > 0) {
            weigh_compact(args, c, keys);
        } else {
            keys->slopes[c] = keys->u[c] * keys->u[c];
            exponent += keys->slopes[c];
        }
    }
    if (args->power == 0)
        keys->weight *= exp_below_vec(exponent * K(-0.5));
    for (int g = run->columns; g < args->slopes; g++)
        keys->slopes[g] = load_at(args->given[g - run->columns], at, end);
}

/* Adds n registers of keys to a family of sums, which are S and then T for the given weights. Returns the lanes of the
 * next family. */
static ALWAYS_INLINE T *add_family(const int powers, const int n, const moment_keys *keys, const vec *weights, T *lanes)
{
    T *values = lanes + powers * (powers + 1) / 2 * LANES;
    for (int j = 0; j < powers; j++, values += LANES) {
        vec weighted[2], sum = load(values);
        for (int r = 0; r < n; r++) {
            weighted[r] = weights[r] * keys[r].powers[j];
            sum = muladd_vec(weighted[r], keys[r].y, sum);
        }
        store(values, sum);
        for (int k = 0; k <= j; k++, lanes += LANES) {
            sum = load(lanes);
            for (int r = 0; r < n; r++)
                sum = muladd_vec(weighted[r], keys[r].powers[k], sum);
            store(lanes, sum);
        }
    }
    return values;
}

static ALWAYS_INLINE void sum_keys(const moment_run *run, const int n, int64_t at, int64_t end)
{
    const heed__moments_args *args = run->args;
    moment_keys keys[2];
    vec weights[2];
    for (int r = 0; r < n; r++) {
        weigh_keys(run, at + r * LANES, end, &keys[r]);
        weights[r] = keys[r].weight;
        keys[r].powers[0] = splat(1);
        for (int k = 1; k < run->powers; k++)
            keys[r].powers[k] =
                k <= run->columns ? keys[r].u[k - 1] : keys[r].powers[args->parents[k]] * keys[r].u[args->column[k]];
    }
    T *next = add_family(run->powers, n, keys, weights, run->lanes);
    for (int g = 0; g < args->slopes; g++) {
        for (int r = 0; r < n; r++)
            weights[r] = keys[r].weight * keys[r].slopes[g];
        next = add_family(run->powers, n, keys, weights, next);
    }
}

/* The keys whose parts are processed one after the other: they stay in the first-level cache. */
enum { KEYS_AT_ONCE = 1024 };

/* Adds the keys of the query's ranges to all sums. If `pairs`, the same part of two wide registers is processed at a
 * time, so that neither register waits for its own results. */
static ALWAYS_INLINE void sum_ranges(const heed__moments_args *args, const heed__moments_query *query, T *lanes,
                                     const int columns, const int powers, const bool pairs)
{
    for (int64_t i = 0; i < query->n; i++)
        for (int64_t begin = query->ranges[2 * i]; begin < query->ranges[2 * i + 1]; begin += KEYS_AT_ONCE) {
            const int64_t rest = query->ranges[2 * i + 1] - begin,
                          end = begin + (rest < KEYS_AT_ONCE ? rest : KEYS_AT_ONCE);
            for (int part = 0; part < PARTS; part++) {
                const moment_run run = {args, query->q, query->w, columns, powers, lanes + part * WIDTH};
                int64_t at = begin + part * WIDTH;
                for (; pairs && at + LANES < end; at += 2 * LANES)
                    sum_keys(&run, 2, at, end);
                for (; at < end; at += LANES)
                    sum_keys(&run, 1, at, end);
            }
        }
}

/* Separate functions, with separate stack frames, for the most common numbers of columns and powers. */
#define DEFINE_SUM(name, of_columns, of_powers, known)                                                                 \
    static NOINLINE void name(const heed__moments_args *args, const heed__moments_query *query, T *lanes)              \
    {                                                                                                                  \
        sum_ranges(args, query, lanes, of_columns, of_powers, known);                                                  \
    }
DEFINE_SUM(sum_constant_of_one, 1, 1, true)
DEFINE_SUM(sum_linear_of_one, 1, 2, true)
DEFINE_SUM(sum_constant_of_two, 2, 1, true)
DEFINE_SUM(sum_linear_of_two, 2, 3, true)
DEFINE_SUM(sum_any, args->columns, args->powers, false)

static int64_t moments_kernel(const heed__moments_args *args, const heed__moments_query *query, void *sums_,
                              void *scratch)
{
    const int count = heed__moments_count(args);
    arena a = {.base = scratch};
    T *sums = sums_, *lanes = take_array(&a, count * LANES, sizeof(T));
    if (!scratch)
        return a.bytes;
    memset(lanes, 0, (size_t)(count * LANES) * sizeof(T));
    if (args->columns == 1 && args->powers == 1)
        sum_constant_of_one(args, query, lanes);
    else if (args->columns == 1 && args->powers == 2)
        sum_linear_of_one(args, query, lanes);
    else if (args->columns == 2 && args->powers == 1)
        sum_constant_of_two(args, query, lanes);
    else if (args->columns == 2 && args->powers == 3)
        sum_linear_of_two(args, query, lanes);
    else
        sum_any(args, query, lanes);
    for (int i = 0; i < count; i++)
        sums[i] = add_wide_lanes(load_wide(lanes + i * LANES));
    return a.bytes;
}

#endif
