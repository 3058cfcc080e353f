/* kernels/simd/vec.h - a register full of T and its operations, for code that compilers do not vectorise by themselves.
 * name_vec takes registers, name_of one number.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_SIMD_VEC_H
#define HEED_KERNELS_SIMD_VEC_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "kernels/isa/isa.h"

/* -- Selection and bounds ------------------------------------------------------------------------------------------ */

/* x in every element. */
static ALWAYS_INLINE vec splat(T x)
{
    return x - (vec){0};
}

/* a if mask is set, else b. */
static ALWAYS_INLINE vec select_vec(vec_mask mask, vec a, vec b)
{
    return (vec)((mask & (vec_mask)a) | (~mask & (vec_mask)b));
}

/* max_vec returns the larger of two elements, min_vec the smaller; b if either is NaN. */
#if !defined(HAVE_MIN_MAX)
static ALWAYS_INLINE vec max_vec(vec a, vec b)
{
    return select_vec(a > b, a, b);
}

static ALWAYS_INLINE vec min_vec(vec a, vec b)
{
    return select_vec(a < b, a, b);
}
#endif

/* x, but at least low; NaN stays NaN. */
static ALWAYS_INLINE vec at_least_vec(vec x, T low)
{
    return max_vec(splat(low), x);
}

static ALWAYS_INLINE vec at_most_vec(vec x, T high)
{
    return min_vec(splat(high), x);
}

static ALWAYS_INLINE T at_most_of(T x, T high)
{
    return x > high ? high : x;
}

#if !defined(HAVE_SQRT)
static ALWAYS_INLINE vec sqrt_vec(vec x)
{
    for (int i = 0; i < WIDTH; i++)
        x[i] = LIBM(sqrt)(x[i]);
    return x;
}
#endif

/* -- Memory -------------------------------------------------------------------------------------------------------- */

static ALWAYS_INLINE vec load(const T *x)
{
    return *(const vec_unaligned *)x;
}

static ALWAYS_INLINE void store(T *y, vec v)
{
    *(vec_unaligned *)y = v;
}

/* x[0 .. n - 1], then elements of `fill`, for n < WIDTH. Memory after the n elements is neither read nor written. */
#if defined(HAVE_PARTIAL_MEMORY)
static ALWAYS_INLINE vec load_partial(const T *x, int64_t n, vec fill)
{
    return select_vec(first_lanes(n), load_partial_zero(x, n), fill);
}
#else
static ALWAYS_INLINE vec load_partial(const T *x, int64_t n, vec fill)
{
    for (int64_t i = 0; i < n; i++)
        fill[i] = x[i];
    return fill;
}

static ALWAYS_INLINE vec load_partial_zero(const T *x, int64_t n)
{
    return load_partial(x, n, (vec){0});
}

static ALWAYS_INLINE void store_partial(T *y, vec v, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = v[i];
}
#endif

/* Like load_partial and store_partial, for any n above 0; at most WIDTH elements are used. */
static ALWAYS_INLINE vec load_up_to(const T *x, int64_t n, vec fill)
{
    return n >= WIDTH ? load(x) : load_partial(x, n, fill);
}

static ALWAYS_INLINE void store_up_to(T *y, vec v, int64_t n)
{
    if (n >= WIDTH)
        store(y, v);
    else
        store_partial(y, v, n);
}

/* Elements of an array of n from index i on: load_at fills with zeros from n on, store_at writes nothing from n on. */
static ALWAYS_INLINE vec load_at(const T *x, int64_t i, int64_t n)
{
    return n - i >= WIDTH ? load(x + i) : load_partial_zero(x + i, n - i);
}

static ALWAYS_INLINE void store_at(T *y, int64_t i, int64_t n, vec v)
{
    if (n - i >= WIDTH)
        store(y + i, v);
    else
        store_partial(y + i, v, n - i);
}

/* x[0], x[2], x[4] ...: n elements, at most WIDTH, then zeros. */
static ALWAYS_INLINE vec load_every_second(const T *x, int64_t n)
{
#if defined(HAVE_SHUFFLE)
    const vec low = load_at(x, 0, 2 * n - 1),
              high = n > WIDTH / 2 ? load_at(x + WIDTH - 1, 0, 2 * n - WIDTH) : (vec){0};
    vec_mask second;
    UNROLL16
    for (int l = 0; l < WIDTH; l++)
        second[l] = l < WIDTH / 2 ? 2 * l : 2 * l + 1;
    return __builtin_shuffle(low, high, second);
#else
    vec y = {0};
    for (int64_t l = 0; l < n; l++)
        y[l] = x[2 * l];
    return y;
#endif
}

/* a[0], b[0], a[1], b[1] ... = x: n elements, at most 2 WIDTH, then zeros. */
static ALWAYS_INLINE void load_alternating(const T *x, int64_t n, vec *a, vec *b)
{
#if defined(HAVE_SHUFFLE)
    const vec low = load_at(x, 0, n), high = n > WIDTH ? load_at(x, WIDTH, n) : (vec){0};
    vec_mask even;
    UNROLL16
    for (int l = 0; l < WIDTH; l++)
        even[l] = 2 * l;
    *a = __builtin_shuffle(low, high, even);
    *b = __builtin_shuffle(low, high, even + 1);
#else
    *a = *b = (vec){0};
    for (int64_t l = 0; l < n; l++)
        (l % 2 == 0 ? a : b)[0][l / 2] = x[l];
#endif
}

/* y[0], y[2], y[4] ... = v: n elements, at most WIDTH. Rewrites the elements between them unchanged. */
static ALWAYS_INLINE void store_every_second(T *y, vec v, int64_t n)
{
#if defined(HAVE_SHUFFLE)
    const int64_t whole = 2 * n - 1;
    vec_mask low, high;
    UNROLL16
    for (int l = 0; l < WIDTH; l++) {
        low[l] = l % 2 == 0 ? l / 2 : WIDTH + l;
        high[l] = l % 2 == 0 ? (WIDTH + l) / 2 : WIDTH + l;
    }
    store_at(y, 0, whole, __builtin_shuffle(v, load_at(y, 0, whole), low));
    if (whole > WIDTH)
        store_at(y, WIDTH, whole, __builtin_shuffle(v, load_at(y, WIDTH, whole), high));
#else
    for (int64_t l = 0; l < n && l < WIDTH; l++)
        y[2 * l] = v[l];
#endif
}

/* y = a[0], b[0], a[1], b[1] ...: n elements, at most 2 WIDTH. */
static ALWAYS_INLINE void store_alternating(T *y, vec a, vec b, int64_t n)
{
#if defined(HAVE_SHUFFLE)
    vec_mask low, high;
    UNROLL16
    for (int l = 0; l < WIDTH; l++) {
        low[l] = l / 2 + l % 2 * WIDTH;
        high[l] = low[l] + WIDTH / 2;
    }
    store_at(y, 0, n, __builtin_shuffle(a, b, low));
    if (n > WIDTH)
        store_at(y, WIDTH, n, __builtin_shuffle(a, b, high));
#else
    for (int64_t l = 0; l < n && l < 2 * WIDTH; l++)
        y[l] = l % 2 == 0 ? a[l / 2] : b[l / 2];
#endif
}

/* x[0], x[stride], ...: at most n elements, for n > 0; the other elements are 1. If stride is 0, all elements are
 * x[0]. */
static ALWAYS_INLINE vec load_strided(const T *x, int64_t stride, int64_t n)
{
    vec v = splat(stride == 0 ? x[0] : 1);
    if (stride == 1)
        return load_up_to(x, n, v);
    for (int64_t i = 0; stride != 0 && i < n && i < WIDTH; i++)
        v[i] = x[i * stride];
    return v;
}

static ALWAYS_INLINE void fill_zeros(T *y, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++)
        y[i] = 0;
}

/* -- Reductions ---------------------------------------------------------------------------------------------------- */

#if !defined(HAVE_REDUCTIONS)
#if defined(HAVE_SHUFFLE)
/* In the lower lanes, v[0 .. half - 1] + v[half .. 2 half - 1]. */
static ALWAYS_INLINE vec add_halves(vec v, const int half)
{
    vec_mask upper;
    UNROLL16
    for (int l = 0; l < WIDTH; l++)
        upper[l] = l < half ? l + half : l;
    return v + __builtin_shuffle(v, upper);
}
#endif

/* The sum of v's elements. */
static ALWAYS_INLINE T add_lanes(vec v)
{
#if defined(HAVE_SHUFFLE) /* stays in registers */
    if (WIDTH > 8)
        v = add_halves(v, 8);
    if (WIDTH > 4)
        v = add_halves(v, 4);
    if (WIDTH > 2)
        v = add_halves(v, 2);
    return add_halves(v, 1)[0];
#else
    T lane[WIDTH];
    memcpy(lane, &v, sizeof lane);
    for (int half = WIDTH / 2; half > 0; half /= 2)
        for (int l = 0; l < half; l++)
            lane[l] += lane[l + half];
    return lane[0];
#endif
}

/* The largest of v's elements (max_lanes), and the smallest (min_lanes). No element may be NaN. */
static ALWAYS_INLINE T max_lanes(vec v)
{
    T lane[WIDTH];
    memcpy(lane, &v, sizeof lane);
    for (int half = WIDTH / 2; half > 0; half /= 2)
        for (int l = 0; l < half; l++)
            lane[l] = lane[l] > lane[l + half] ? lane[l] : lane[l + half];
    return lane[0];
}

static ALWAYS_INLINE T min_lanes(vec v)
{
    T lane[WIDTH];
    memcpy(lane, &v, sizeof lane);
    for (int half = WIDTH / 2; half > 0; half /= 2)
        for (int l = 0; l < half; l++)
            lane[l] = lane[l] < lane[l + half] ? lane[l] : lane[l + half];
    return lane[0];
}
#endif

/* v[i] = the fold of v[2 i] and v[2 i + 1], for i < count / 2. A fold divides both registers into parts of 2 * half
 * elements and adds the lower and the upper half of every part. The sums of v[2 i] come first, then those of v[2 i +
 * 1]. */
static ALWAYS_INLINE void fold_pairs(vec *v, const int count, const int half)
{
    vec_mask lower, upper;
    UNROLL16
    for (int l = 0; l < WIDTH; l++) {
        lower[l] = l / half * 2 * half + l % half;
        upper[l] = lower[l] + half;
    }
    UNROLL
    for (int i = 0; i < count / 2; i++) {
#if defined(HAVE_SHUFFLE)
        v[i] = __builtin_shuffle(v[2 * i], v[2 * i + 1], lower) + __builtin_shuffle(v[2 * i], v[2 * i + 1], upper);
#else
        const vec two[2] = {v[2 * i], v[2 * i + 1]};
        for (int l = 0; l < WIDTH; l++)
            v[i][l] = two[lower[l] / WIDTH][lower[l] % WIDTH] + two[upper[l] / WIDTH][upper[l] % WIDTH];
#endif
    }
}

/* Returns (add_lanes(v[0]), add_lanes(v[1]), ...) for WIDTH registers, which are overwritten. */
static ALWAYS_INLINE vec add_lanes_of_each(vec *v)
{
    if (WIDTH > 8)
        fold_pairs(v, WIDTH, 8);
    if (WIDTH > 4)
        fold_pairs(v, WIDTH > 8 ? 8 : WIDTH, 4);
    if (WIDTH > 2)
        fold_pairs(v, 4, 2);
    fold_pairs(v, 2, 1);
    return v[0];
}

/* -- Bits ---------------------------------------------------------------------------------------------------------- */

static ALWAYS_INLINE vec_bits bits_vec(vec x)
{
    return (vec_bits)x;
}

static ALWAYS_INLINE BITS bits_of(T x)
{
    BITS bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static ALWAYS_INLINE vec number_vec(vec_bits bits)
{
    return (vec)bits;
}

static ALWAYS_INLINE T number_of(BITS bits)
{
    T x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static ALWAYS_INLINE vec abs_vec(vec x)
{
    return number_vec(bits_vec(x) & ~SIGN_BIT);
}

/* y, which must not be negative, with the sign of x. */
static ALWAYS_INLINE vec signed_like_vec(vec y, vec x)
{
    return number_vec(bits_vec(y) | (bits_vec(x) & SIGN_BIT));
}

#endif
