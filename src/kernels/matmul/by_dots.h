/* kernels/matmul/by_dots.h - products by dot products, for few columns if A's rows are contiguous, and for few rows if
 * B's columns are contiguous. The lanes of a wide register sum different inner indices.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_MATMUL_BY_DOTS_H
#define HEED_KERNELS_MATMUL_BY_DOTS_H

#include "kernels/kernels.h"
#include "kernels/matmul/epilogue.h"
#include "kernels/matmul/pack.h"
#include "kernels/matmul/path.h"
#include "kernels/simd/wide.h"

/* DOTS_FAR_STREAMS was measured as the constants of path.h: half and twice the value change the time by 4 % at most. */
enum {
    DOTS_STRETCH = (1 << 12) / (int)sizeof(T),             /* vectors are multiplied in ranges of at most this length */
    DOTS_LONG = PARTS == 1 ? 4 : 3,                        /* vectors of the longer side that are multiplied at once */
    DOTS_SHORT = PARTS == 1 ? 4 : 2,                       /* vectors of the shorter side that they are multiplied by */
    DOTS_SUMS = DOTS_LONG * DOTS_SHORT,                    /* sums of these products; they fit the registers */
    DOTS_PADDED = (DOTS_SUMS + WIDTH - 1) / WIDTH * WIDTH, /* add_all_lanes adds up WIDTH sums at a time */
    DOTS_OF_ONE = PARTS == 1 ? 8 : 6, /* instead of DOTS_LONG, if the shorter side has one vector */
    /* A longer side of so many elements is hardly in a near cache. Applies if the shorter side has fewer than DOTS_LONG
     * vectors: the longer side is then read as streams, which the CPU predicts. */
    DOTS_FAR_STREAMS = (1 << 22) / (int)sizeof(T),
};

/* Vectors of the same length, `row` elements apart. */
typedef struct vector_set {
    const T *x;
    int64_t row, count;
} vector_set;

static vector_set without(vector_set v, int64_t first)
{
    return (vector_set){v.x + first * v.row, v.row, v.count - first};
}

/* The dot products of every y and every x, of k elements: out[i * i_step + j * j_step] = y_i . x_j, or += if `adds`. */
typedef struct dot_products {
    vector_set y, x;
    int64_t k;
    bool adds;
    T *out;
    int64_t i_step, j_step;
    /* For the first `fetched` vectors y, elements that are `ahead` elements further are prefetched into the
     * second-level cache, because the CPU does not predict the short ranges in which y is read from memory. 0: not. */
    int fetched;
    int64_t ahead;
} dot_products;

/* Adds the products of the elements at .. at + WIDTH - 1 of the first ys vectors y and xs vectors x to part `part` of
 * the sums; of fewer elements if `count` is less than WIDTH. */
static ALWAYS_INLINE void add_dots(wide_vec sum[DOTS_SUMS], const dot_products *d, int64_t at, int64_t count,
                                   const int part, int ys, int xs)
{
    vec x_at[DOTS_SHORT];
    UNROLL
    for (int j = 0; j < xs; j++)
        x_at[j] = load_at(d->x.x + j * d->x.row + at, 0, count);
    UNROLL
    for (int i = 0; i < ys; i++) {
        const T *y = d->y.x + i * d->y.row + at;
        const vec y_at = load_at(y, 0, count);
        if (part == 0 && i < d->fetched && d->ahead > 0)
            __builtin_prefetch(y + d->ahead, 0, 2);
        UNROLL
        for (int j = 0; j < xs; j++)
            sum[i * xs + j].part[part] = muladd_vec(x_at[j], y_at, sum[i * xs + j].part[part]);
    }
}

/* Adds the products of all elements. The last wide register is incomplete unless LANES divides their number. */
static ALWAYS_INLINE void add_all_dots(wide_vec sum[DOTS_SUMS], const dot_products *d, int ys, int xs)
{
    int64_t at = 0;
    for (; at + LANES <= d->k; at += LANES) {
        UNROLL
        for (int part = 0; part < PARTS; part++)
            add_dots(sum, d, at + part * WIDTH, WIDTH, part, ys, xs);
    }
    UNROLL
    for (int part = 0; part < PARTS; part++, at += WIDTH)
        if (at < d->k)
            add_dots(sum, d, at, min_i64(d->k - at, WIDTH), part, ys, xs);
}

/* dot[i] = add_lanes(sum[i]) for i < count. Overwrites the sums, up to the next multiple of WIDTH. */
static ALWAYS_INLINE void add_all_lanes(vec *sum, const int count, T *dot)
{
    const int together = count % WIDTH > WIDTH / 2 ? (count + WIDTH - 1) / WIDTH : count / WIDTH;
    UNROLL
    for (int i = 0; i < together; i++)
        store(dot + i * WIDTH, add_lanes_of_each(sum + i * WIDTH));
    UNROLL
    for (int i = together * WIDTH; i < count; i++)
        dot[i] = add_lanes(sum[i]);
}

/* Computes the products of the first ys vectors y and xs vectors x. */
static ALWAYS_INLINE void dot_block(dot_products d, int ys, int xs)
{
    wide_vec wide[DOTS_SUMS] = {{{{0}}}};
    vec sum[DOTS_PADDED] = {{0}};
    T dot[DOTS_PADDED];
    add_all_dots(wide, &d, ys, xs);
    UNROLL16
    for (int i = 0; i < ys * xs; i++)
        sum[i] = add_parts(wide[i]);
    add_all_lanes(sum, ys * xs, dot);
    UNROLL
    for (int i = 0; i < ys; i++) {
        UNROLL
        for (int j = 0; j < xs; j++) {
            T *to = d.out + i * d.i_step + j * d.j_step;
            *to = dot[i * xs + j] + (d.adds ? *to : 0);
        }
    }
}

/* Computes the products of the first ys vectors y and all x. If there are many x, the calls of dot_block prefetch the
 * two halves of the next ys vectors y in turn, repeatedly, because the CPU drops prefetches that it cannot issue at
 * once. */
static ALWAYS_INLINE void dot_with_all(dot_products d, const int ys)
{
    const bool halves = ys == DOTS_LONG && d.ahead > 0 && d.x.count >= 4 * DOTS_SHORT;
    const int64_t ahead = d.ahead;
    for (int64_t half = 0; d.x.count >= DOTS_SHORT; d.x = without(d.x, DOTS_SHORT), d.out += DOTS_SHORT * d.j_step) {
        d.fetched = halves ? ys / 2 : ys;
        d.ahead = halves ? ahead + half : ahead;
        dot_block(d, ys, DOTS_SHORT);
        half = ys / 2 * d.y.row - half;
    }
    d.fetched = ys;
    d.ahead = ahead;
    if (DOTS_SHORT > 3 && d.x.count == 3)
        dot_block(d, ys, 3);
    else if (DOTS_SHORT > 2 && d.x.count == 2)
        dot_block(d, ys, 2);
    else if (d.x.count == 1)
        dot_block(d, ys, 1);
}

/* Computes the products of all y and the first `xs` vectors x, or all x if xs is 0. Multiplies `ys` vectors y at a
 * time, so that the k elements of every x stay in a near cache. If `fetches`, prefetches the next y. */
static ALWAYS_INLINE void dot_groups(dot_products d, const bool fetches, const int ys, const int xs)
{
    for (; d.y.count >= ys; d.y = without(d.y, ys), d.out += ys * d.i_step) {
        d.fetched = ys;
        d.ahead = fetches && d.y.count >= 2 * ys ? ys * d.y.row : 0;
        if (xs > 0)
            dot_block(d, ys, xs);
        else
            dot_with_all(d, ys);
    }
    d.ahead = fetches ? d.y.row : 0;
    for (; d.y.count > 0; d.y = without(d.y, 1), d.out += d.i_step)
        dot_with_all(d, 1);
}

#define DEFINE_DOTS(name, fetches, ys, xs)                                                                             \
    static __attribute__((noinline)) void name(const dot_products *d)                                                  \
    {                                                                                                                  \
        dot_groups(*d, fetches, ys, xs);                                                                               \
    }
DEFINE_DOTS(dots_of_one, false, DOTS_OF_ONE, 1)
DEFINE_DOTS(dots_of_two, false, DOTS_SUMS / 2, 2)
DEFINE_DOTS(dots_of_three, false, DOTS_SHORT > 2 ? DOTS_SUMS / 3 : DOTS_LONG, DOTS_SHORT > 2 ? 3 : 0)
DEFINE_DOTS(dots_of_many, false, DOTS_LONG, 0)
DEFINE_DOTS(far_dots_of_two, true, DOTS_SUMS / 2, 2)
DEFINE_DOTS(far_dots_of_three, true, DOTS_SHORT > 2 ? DOTS_SUMS / 3 : DOTS_LONG, DOTS_SHORT > 2 ? 3 : 0)
DEFINE_DOTS(far_dots_of_many, true, DOTS_LONG, 0)

typedef void dots_fn(const dot_products *d);

/* The function for `count` vectors x. With two or three x it multiplies more y at a time, so that there are enough sums
 * to add up their lanes together. */
static dots_fn *dots_for(int64_t count, bool far)
{
    return count == 2   ? (far ? far_dots_of_two : dots_of_two)
           : count == 3 ? (far ? far_dots_of_three : dots_of_three)
                        : (far ? far_dots_of_many : dots_of_many);
}

/* Returns true if the longer side, of `all` vectors of k elements, is hardly in a near cache. Half the size of the
 * second-level cache is the best limit: twice the limit takes 1.14 times as long for "llama d272 h8 kv1 L4 B5" on a
 * Zen 4, which has 1 MiB, and half of it 1.18 times as long for "mlp 784-256-10 batch16" on an Emerald Rapids, which
 * has 2 MiB. */
static bool is_far(const dot_products *d, int64_t all)
{
    const int64_t half = heed__second_level_cache() / 2 / (int)sizeof(T);
    return all * d->k >= (d->x.count < DOTS_LONG ? DOTS_FAR_STREAMS : half);
}

/* Computes all products of d, in ranges of elements. y is the longer side, which has `all` vectors in all ranges of C
 * together. `one`: the shorter side has one vector in all ranges together. */
static void all_dot_products(dot_products d, bool one, int64_t all)
{
    if (one) {
        dots_of_one(&d);
        return;
    }
    const int64_t k = d.k, stretches = (k - 1) / DOTS_STRETCH + 1,
                  stretch = (k + stretches * LANES - 1) / (stretches * LANES) * LANES;
    const bool far = is_far(&d, all);
    for (int64_t at = 0; at < k; at += stretch, d.y.x += stretch, d.x.x += stretch) {
        d.k = min_i64(k - at, stretch);
        d.adds = at > 0;
        dots_for(d.x.count, far)(&d);
    }
}

/* The step between copied vectors of k elements. */
static int64_t copied_row(int64_t k)
{
    return (k + WIDTH - 1) / WIDTH * WIDTH;
}

/* `count` vectors whose elements are `step` apart: in place if contiguous, else copied to scratch. */
static vector_set contiguous(int64_t k, const T *x, int64_t row, int64_t step, int64_t count, T *scratch)
{
    if (step == 1)
        return (vector_set){x, row, count};
    const int64_t padded = copied_row(k);
    for (int64_t at = 0; at < k; at += WIDTH)
        pack(x + at * step, step, row, (int)min_i64(k - at, WIDTH), count, scratch + at, padded);
    return (vector_set){scratch, padded, count};
}

/* `of_rows`: the rows of A are the longer side, otherwise the columns of B. */
static void multiply_dots(const heed__matmul_args *s, const heed__matmul_range *p, bool of_rows, T *scratch)
{
    const T *a = (const T *)s->a + p->i0 * s->a_row, *b = (const T *)s->b + p->j0 * s->b_col;
    const int64_t rows = p->i1 - p->i0, columns = p->j1 - p->j0;
    T *c = (T *)s->c + p->i0 * s->n + p->j0;
    if (of_rows)
        all_dot_products((dot_products){.y = {a, s->a_row, rows},
                                        .x = contiguous(s->k, b, s->b_col, s->b_row, columns, scratch),
                                        .k = s->k,
                                        .out = c,
                                        .i_step = s->n,
                                        .j_step = 1},
                         s->n == 1, s->m);
    else
        all_dot_products((dot_products){.y = {b, s->b_col, columns},
                                        .x = contiguous(s->k, a, s->a_row, s->a_col, rows, scratch),
                                        .k = s->k,
                                        .out = c,
                                        .i_step = 1,
                                        .j_step = s->n},
                         s->m == 1, s->n);
    epilogue(s, p, p->i0, rows);
}

#endif
