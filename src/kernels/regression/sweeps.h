/* kernels/regression/sweeps.h - Nadaraya-Watson kernel regression with Gaussian weights, for one query at a time. A
 * sweep reads one component of all keys that the query sees, because the elements of a component are contiguous.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_REGRESSION_SWEEPS_H
#define HEED_KERNELS_REGRESSION_SWEEPS_H

#include <math.h>
#include <string.h>

#include "kernels/kernels.h"
#include "kernels/rows/reduce.h"
#include "kernels/simd/arena.h"
#include "kernels/simd/exp.h"
#include "kernels/simd/total.h"

/* -- The keys that a query sees ------------------------------------------------------------------------------------ */

/* The keys begin .. end - 1: one span of adjacent keys, or, if leave_one_out skips the query's own key, the two spans
 * before and after it. Arrays of intermediate results have heed__regression_capacity elements. In these arrays a span
 * begins at `at`, chosen such that no register contains keys of both spans. */
typedef struct visible_keys {
    int64_t m;
    int spans;
    struct {
        int64_t from, n, at; /* its first key, its number of keys, and its index in arrays */
    } span[2];
    const T *keys, *values; /* (d, m) and (v, m) of args */
} visible_keys;

/* With space for a whole register after every span. */
static int64_t capacity_for_keys(const heed__regression_args *args)
{
    return args->m + 2 * WIDTH;
}

static visible_keys visible_keys_of(const heed__regression_args *args, int64_t row, int64_t begin, int64_t end)
{
    const int64_t own = args->shared ? 0 : row;
    visible_keys keys = {.m = end - begin,
                         .spans = 1,
                         .span = {{begin, end - begin, 0}},
                         .keys = (const T *)args->keys + own * args->d * args->m,
                         .values = (const T *)args->values + own * args->v * args->m};
    if (args->leave_one_out && row >= begin && row < end) {
        keys.m--;
        keys.spans = 2;
        keys.span[0].n = row - begin;
        keys.span[1].from = row + 1;
        keys.span[1].n = end - row - 1;
        keys.span[1].at = (row - begin + WIDTH - 1) / WIDTH * WIDTH;
    }
    return keys;
}

/* -- Sweeps -------------------------------------------------------------------------------------------------------- */

/* The smallest |q - k| of the visible keys, where k points to a component of the keys. */
static ALWAYS_INLINE T nearest_key_distance(const visible_keys *keys, T q, const T *k)
{
    vec near = splat(K(INFINITY));
    for (int r = 0; r < keys->spans; r++) {
        const T *x = k + keys->span[r].from;
        const int64_t n = keys->span[r].n;
        for (int64_t j = 0; j < n; j += WIDTH)
            near = min_vec(abs_vec(q - load_up_to(x + j, n - j, splat(K(INFINITY)))), near);
    }
    return min_lanes(near);
}

/* A component of a query. Its contribution u = w^2 ((q - k)^2 - near^2) / 2 is computed without cancellation, as w^2
 * (|q - k| - near) (|q - k| + near) / 2, which is 0 for the nearest key at any distance. w is plain if it is 0 or if
 * its square is far from the limits of T; w^2 is then the last factor. Otherwise one w multiplies |q - k| - near, and
 * the second w multiplies |q - k| + near if w <= 1, and is the last factor if w > 1. So no intermediate product is
 * infinite or 0 unless u is. A query infinitely far from all keys gives NaN. */
typedef struct component {
    T q, near, w, half, half_near, last;
    bool plain;
} component;

static ALWAYS_INLINE component component_of(T q, T near, T w)
{
    const bool plain = w == 0 || (w >= K(0x1p-20) && w <= K(0x1p20));
    const T first = plain || w > 1 ? 1 : w;
    near += near - near;
    return (component){q, near, w, K(0.5) * first, K(0.5) * near * first, plain ? w * w : w > 1 ? w : 1, plain};
}

/* Returns u / c->last for the register k of a component of the keys. `plain` is c->plain, as a constant. */
static ALWAYS_INLINE vec scaled_distances(const component *c, vec k, const bool plain)
{
    const vec most = splat(LARGEST), d = abs_vec(c->q - k);
    if (plain)
        return min_vec(most, (d - c->near) * muladd_vec(d, splat(c->half), splat(c->half_near)));
    const vec finite = min_vec(most, d);
    return (finite - c->near) * c->w * muladd_vec(finite, splat(c->half), splat(c->half_near));
}

/* u = the contribution of component c, or += if `add`, for all visible keys; k points to the component of the keys. */
static ALWAYS_INLINE void add_component_scaled(const visible_keys *keys, const component *c, const T *k, bool add, T *u,
                                               const bool plain)
{
    for (int r = 0; r < keys->spans; r++) {
        const T *x = k + keys->span[r].from;
        T *y = u + keys->span[r].at;
        const int64_t n = keys->span[r].n;
        for (int64_t j = 0; j < n; j += WIDTH) {
            vec distance = scaled_distances(c, load_up_to(x + j, n - j, (vec){0}), plain);
            distance = muladd_vec(distance, splat(c->last), add ? load(y + j) : (vec){0});
            store(y + j, distance);
        }
    }
}

static ALWAYS_INLINE void add_component_distances(const visible_keys *keys, const component *c, const T *k, bool add,
                                                  T *u)
{
    if (c->plain)
        add_component_scaled(keys, c, k, add, u, true);
    else
        add_component_scaled(keys, c, k, add, u, false);
}

static T smallest_of(const visible_keys *keys, const T *u)
{
    T least = K(INFINITY);
    for (int r = 0; r < keys->spans; r++)
        least = smaller(least, min_of(keys->span[r].n, u + keys->span[r].at));
    return least;
}

/* 1 / r^2, limited to the largest finite number. */
static ALWAYS_INLINE T inverse_square(T r)
{
    return at_most_of(1 / r * (1 / r), LARGEST);
}

/* Writes the weights e^((top - u) widen) to e, with zeros up to the end of the last register, and returns their sum. */
static ALWAYS_INLINE double weights_scaled_by(const visible_keys *keys, T top, const T widen, const T *u, T *e)
{
    lane_sums total = lane_sums_for(keys->m);
    for (int r = 0; r < keys->spans; r++) {
        for (int64_t begin = 0; begin < keys->span[r].n; begin += CHAIN_TERMS) {
            const int64_t rest = keys->span[r].n - begin, n = rest < CHAIN_TERMS ? rest : CHAIN_TERMS;
            const T *x = u + keys->span[r].at + begin;
            T *y = e + keys->span[r].at + begin;
            wide_vec sum = {{{0}}};
            for (int64_t j = 0; j < n; j += LANES) {
                UNROLL
                for (int p = 0; p < PARTS; p++) {
                    const int64_t at = j + p * WIDTH;
                    if (at >= n)
                        break;
                    vec weight = exp_below_vec((top - load_up_to(x + at, n - at, splat(K(INFINITY)))) * widen);
                    store(y + at, weight);
                    sum.part[p] += weight;
                }
            }
            lane_sums_add(&total, sum);
        }
    }
    return (double)lane_sums_value(total);
}

/* Writes the weights e^((top - u) / r^2) to e, where r is `shrink`, and returns their sum. */
static ALWAYS_INLINE double regression_weights(const visible_keys *keys, T top, T shrink, const T *u, T *e)
{
    return shrink == 1 ? weights_scaled_by(keys, top, 1, u, e)
                       : weights_scaled_by(keys, top, inverse_square(shrink), u, e);
}

/* The sum of e v, where v is a component of the values. */
static ALWAYS_INLINE double pooled_value(const visible_keys *keys, const T *e, const T *v)
{
    lane_sums total = lane_sums_for(keys->m);
    for (int r = 0; r < keys->spans; r++)
        total = add_products(keys->span[r].n, e + keys->span[r].at, v + keys->span[r].from, total);
    return (double)lane_sums_value(total);
}

/* Returns total plus the sum of e u (v - f), lane by lane. u may be infinite if e is 0. */
static ALWAYS_INLINE lane_sums add_slopes(int64_t n, const T *e, const T *u, const T *v, T f, lane_sums total)
{
    for (int64_t begin = 0; begin < n; begin += CHAIN_TERMS) {
        const int64_t end = n - begin < CHAIN_TERMS ? n : begin + CHAIN_TERMS;
        wide_vec sum = {{{0}}};
        for (int64_t j = begin; j < end; j += LANES) {
            UNROLL
            for (int p = 0; p < PARTS; p++) {
                const int64_t at = j + p * WIDTH;
                if (at >= end)
                    break;
                vec away = load_up_to(v + at, end - at, (vec){0}) - splat(f);
                if (end - at < WIDTH) /* f may be infinite */
                    away = select_vec(first_lanes(end - at), away, (vec){0});
                vec finite = min_vec(splat(LARGEST), load_up_to(u + at, end - at, (vec){0}));
                sum.part[p] = muladd_vec(load_up_to(e + at, end - at, (vec){0}) * finite, away, sum.part[p]);
            }
        }
        lane_sums_add(&total, sum);
    }
    return total;
}

static ALWAYS_INLINE double pooled_slope(const visible_keys *keys, const T *e, const T *u, const T *v, T f)
{
    lane_sums total = lane_sums_for(keys->m);
    for (int r = 0; r < keys->spans; r++)
        total =
            add_slopes(keys->span[r].n, e + keys->span[r].at, u + keys->span[r].at, v + keys->span[r].from, f, total);
    return (double)lane_sums_value(total);
}

/* -- Distances of a row ------------------------------------------------------------------------------------------- */

/* Computes u for all visible keys of a row, with the given `near` and with r = shrink. */
static ALWAYS_INLINE void row_distances(const heed__regression_args *args, const visible_keys *keys, const T *q,
                                        const T *near, T shrink, T *u)
{
    const T *widths = args->widths;
    if (args->d == 0)
        memset(u, 0, (size_t)capacity_for_keys(args) * sizeof(T));
    for (int64_t c = 0; c < args->d; c++) {
        const component of_c = component_of(q[c], near[c], widths[c] * shrink);
        add_component_distances(keys, &of_c, keys->keys + c * args->m, c > 0, u);
    }
}

/* Computes u for all visible keys of a row, and sets *top to the smallest u. Returns r, which is small enough for a
 * finite top. */
static ALWAYS_INLINE T find_distances(const heed__regression_args *args, const visible_keys *keys, const T *q,
                                      const T *near, T *top, T *u)
{
    const T less = IS_F32 ? K(0x1p-32) : K(0x1p-256);
    T shrink = 1;
    row_distances(args, keys, q, near, shrink, u);
    *top = args->d == 1 ? 0 : smallest_of(keys, u);
    while (*top == K(INFINITY)) {
        shrink *= less;
        row_distances(args, keys, q, near, shrink, u);
        *top = smallest_of(keys, u);
    }
    return shrink;
}

/* The addresses in `rows` of the values that forward saves for a row; `shrink` is r. */
typedef struct saved_row {
    T *near, *top, *shrink, *factor;
} saved_row;

static ALWAYS_INLINE saved_row saved_row_of(const heed__regression_args *args, void *rows, int64_t row)
{
    T *at = (T *)rows + row * (args->d + HEED_REGRESSION_SAVED);
    return (saved_row){at, at + args->d, at + args->d + 1, at + args->d + 2};
}

#endif
