/* kernels/matmul/by_dots.h - products by dot products, for few columns if A's rows are contiguous, and for few rows if
 * B's columns are contiguous. The lanes of a register sum different inner indices. */
#ifndef HEED_KERNELS_MATMUL_BY_DOTS_H
#define HEED_KERNELS_MATMUL_BY_DOTS_H

#include "kernels/kernels.h"
#include "kernels/matmul/epilogue.h"
#include "kernels/matmul/pack.h"
#include "kernels/simd/vec.h"

/* The maximal number of vectors of the shorter side that are copied to scratch. */
enum { DOTS_COPIED = 13 };

/* The maximal number of vectors of the shorter side: DOTS_FEW if the longer side lies in a cache, since packing it for
 * tiles is then cheap, and DOTS_FEW_FAR if it probably comes from memory. On CPUs with pairs of bf16, tiles are faster
 * for more vectors. */
#if defined(HAVE_PAIRS)
enum { DOTS_FEW = DOTS_COPIED, DOTS_FEW_FAR = DOTS_COPIED };
#else
enum { DOTS_FEW = 31, DOTS_FEW_FAR = 64 };
#endif

enum {
    /* A vector is a row of A or a column of B. */
    DOTS_TERMS = 8, /* minimal k, divided by the number of vectors of the shorter side */
    DOTS_USES = 12, /* minimal vectors of the longer side, if the shorter side must be copied */
    DOTS_STRETCH = (1 << 12) / (int)sizeof(T), /* vectors are multiplied in ranges of at most this length */
    DOTS_LONG = 4,                             /* vectors of the longer side that are multiplied at once */
    DOTS_SHORT = VECTOR_BYTES == 64 ? 4 : 2,   /* vectors of the shorter side that they are multiplied by */
    DOTS_SUMS = DOTS_LONG * DOTS_SHORT,        /* sums of these products; they fit the registers */
    DOTS_OF_ONE = 8,                           /* instead of DOTS_LONG, if the shorter side has one vector */
    /* A longer side of at least DOTS_FAR elements is hardly in a near cache. DOTS_FAR_STREAMS applies if the shorter
     * side has fewer than DOTS_LONG vectors: the longer side is then read as streams, which the CPU predicts. */
    DOTS_FAR = (1 << 19) / (int)sizeof(T),
    DOTS_FAR_STREAMS = (1 << 22) / (int)sizeof(T),
    DOTS_MANY = 512, /* a longer side of at most this number of vectors is assumed to lie in a cache */
};

typedef struct vector_set {
    const T *x;
    int64_t row, count;
} vector_set;

static vector_set without(vector_set v, int64_t first)
{
    return (vector_set){v.x + first * v.row, v.row, v.count - first};
}

/* Adds the products of the elements at .. at + WIDTH - 1 of every y and every x to the sums; of fewer elements if
 * `count` is less than WIDTH. For the first `fetched` vectors y, prefetches the elements that are `ahead` elements
 * further into the second-level cache, because the CPU does not predict the short ranges in which y is read from
 * memory. */
static ALWAYS_INLINE void add_dots(vec sum[DOTS_SUMS], vector_set y, vector_set x, int fetched, int64_t ahead,
                                   int64_t at, int64_t count, int ys, int xs)
{
    vec x_at[DOTS_SHORT];
    UNROLL
    for (int j = 0; j < xs; j++)
        x_at[j] = load_at(x.x + j * x.row + at, 0, count);
    UNROLL
    for (int i = 0; i < ys; i++) {
        const vec y_at = load_at(y.x + i * y.row + at, 0, count);
        if (i < fetched && ahead > 0)
            __builtin_prefetch(y.x + i * y.row + at + ahead, 0, 2);
        UNROLL
        for (int j = 0; j < xs; j++)
            sum[i * xs + j] = muladd_vec(x_at[j], y_at, sum[i * xs + j]);
    }
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

/* out[i * i_step + j * j_step] = y_i . x_j, or += if `adds`, for the first `ys` vectors y and the first `xs` vectors x,
 * and k of their elements. */
static ALWAYS_INLINE void dot_block(int64_t k, vector_set y, vector_set x, int fetched, int64_t ahead, bool adds,
                                    T *out, int64_t i_step, int64_t j_step, int ys, int xs)
{
    vec sum[DOTS_SUMS] = {{0}};
    T dot[DOTS_SUMS];
    int64_t at = 0;
    for (; at + WIDTH <= k; at += WIDTH)
        add_dots(sum, y, x, fetched, ahead, at, WIDTH, ys, xs);
    if (at < k)
        add_dots(sum, y, x, fetched, ahead, at, k - at, ys, xs);
    add_all_lanes(sum, ys * xs, dot);
    UNROLL
    for (int i = 0; i < ys; i++) {
        UNROLL
        for (int j = 0; j < xs; j++) {
            T *to = out + i * i_step + j * j_step;
            *to = dot[i * xs + j] + (adds ? *to : 0);
        }
    }
}

/* Like dot_block, for the first `ys` vectors y and all x. If there are many x, the calls of dot_block prefetch the two
 * halves of the next `ys` vectors y in turn, repeatedly, because the CPU drops prefetches that it cannot issue at
 * once. */
static ALWAYS_INLINE void dot_with_all(int64_t k, vector_set y, vector_set x, int64_t ahead, bool adds, T *out,
                                       int64_t i_step, int64_t j_step, const int ys)
{
    const bool halves = ys == DOTS_LONG && ahead > 0 && x.count >= 4 * DOTS_SHORT;
    for (int64_t half = 0; x.count >= DOTS_SHORT; x = without(x, DOTS_SHORT), out += DOTS_SHORT * j_step) {
        if (halves)
            dot_block(k, y, x, ys / 2, ahead + half, adds, out, i_step, j_step, ys, DOTS_SHORT);
        else
            dot_block(k, y, x, ys, ahead, adds, out, i_step, j_step, ys, DOTS_SHORT);
        half = ys / 2 * y.row - half;
    }
    if (DOTS_SHORT > 3 && x.count == 3)
        dot_block(k, y, x, ys, ahead, adds, out, i_step, j_step, ys, 3);
    else if (DOTS_SHORT > 2 && x.count == 2)
        dot_block(k, y, x, ys, ahead, adds, out, i_step, j_step, ys, 2);
    else if (x.count == 1)
        dot_block(k, y, x, ys, ahead, adds, out, i_step, j_step, ys, 1);
}

/* Like dot_block, for all y and the first `xs` vectors x, or all x if xs is 0. Multiplies `ys` vectors y at a time, so
 * that the k elements of every x stay in a near cache. If `fetches`, prefetches the next y. */
static ALWAYS_INLINE void dot_groups(int64_t k, vector_set y, vector_set x, const bool fetches, bool adds, T *out,
                                     int64_t i_step, int64_t j_step, const int ys, const int xs)
{
    for (; y.count >= ys; y = without(y, ys), out += ys * i_step) {
        const int64_t ahead = fetches && y.count >= 2 * ys ? ys * y.row : 0;
        if (xs > 0)
            dot_block(k, y, x, ys, ahead, adds, out, i_step, j_step, ys, xs);
        else
            dot_with_all(k, y, x, ahead, adds, out, i_step, j_step, ys);
    }
    for (; y.count > 0; y = without(y, 1), out += i_step)
        dot_with_all(k, y, x, fetches ? y.row : 0, adds, out, i_step, j_step, 1);
}

typedef void dots_fn(int64_t k, vector_set y, vector_set x, bool adds, T *out, int64_t i_step, int64_t j_step);

#define DEFINE_DOTS(name, fetches, ys, xs)                                                                             \
    static __attribute__((noinline)) void name(int64_t k, vector_set y, vector_set x, bool adds, T *out,               \
                                               int64_t i_step, int64_t j_step)                                         \
    {                                                                                                                  \
        dot_groups(k, y, x, fetches, adds, out, i_step, j_step, ys, xs);                                               \
    }
DEFINE_DOTS(dots_of_one, false, DOTS_OF_ONE, 1)
DEFINE_DOTS(dots_of_two, false, DOTS_SUMS / 2, 2)
DEFINE_DOTS(dots_of_three, false, DOTS_SHORT > 2 ? DOTS_SUMS / 3 : DOTS_LONG, DOTS_SHORT > 2 ? 3 : 0)
DEFINE_DOTS(dots_of_many, false, DOTS_LONG, 0)
DEFINE_DOTS(far_dots_of_two, true, DOTS_SUMS / 2, 2)
DEFINE_DOTS(far_dots_of_three, true, DOTS_SHORT > 2 ? DOTS_SUMS / 3 : DOTS_LONG, DOTS_SHORT > 2 ? 3 : 0)
DEFINE_DOTS(far_dots_of_many, true, DOTS_LONG, 0)

/* The function for `count` vectors x. With two or three x it multiplies more y at a time, so that there are enough sums
 * to add up their lanes together. */
static dots_fn *dots_for(int64_t count, bool far)
{
    return count == 2   ? (far ? far_dots_of_two : dots_of_two)
           : count == 3 ? (far ? far_dots_of_three : dots_of_three)
                        : (far ? far_dots_of_many : dots_of_many);
}

/* out[i * i_step + j * j_step] = y_i . x_j. y is the longer side, which has `all` vectors in all ranges together.
 * `one`: the shorter side has one vector in all ranges together. */
static void all_dot_products(int64_t k, bool one, int64_t all, vector_set y, vector_set x, T *out, int64_t i_step,
                             int64_t j_step)
{
    if (one) {
        dots_of_one(k, y, x, false, out, i_step, j_step);
        return;
    }
    const int64_t stretches = (k - 1) / DOTS_STRETCH + 1,
                  stretch = (k + stretches * WIDTH - 1) / (stretches * WIDTH) * WIDTH;
    const bool far = all * k >= (x.count < DOTS_LONG ? DOTS_FAR_STREAMS : DOTS_FAR);
    for (int64_t at = 0; at < k; at += stretch, y.x += stretch, x.x += stretch)
        dots_for(x.count, far)(min_i64(k - at, stretch), y, x, at > 0, out, i_step, j_step);
}

/* True if a side of `count` vectors, whose elements are `step` apart, is short enough for dot products. If step is not
 * 1, the vectors must be copied, which pays only for few of them and for enough vectors (`uses`) of the longer side. */
static bool is_short(int64_t count, int64_t k, int64_t step, int64_t uses)
{
    const int64_t few = uses > DOTS_MANY ? DOTS_FEW_FAR : DOTS_FEW;
    return k >= DOTS_TERMS * count && (step == 1 ? count <= few : count <= DOTS_COPIED && uses >= DOTS_USES);
}

static bool few_columns(const heed__matmul_args *s)
{
    return s->a_col == 1 && is_short(s->n, s->k, s->b_row, s->m);
}

static bool few_rows(const heed__matmul_args *s)
{
    return s->b_row == 1 && is_short(s->m, s->k, s->a_col, s->n);
}

static bool by_dots(const heed__matmul_args *s)
{
    return few_columns(s) || few_rows(s);
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

static void multiply_dots(const heed__matmul_args *s, const heed__matmul_range *p, T *scratch)
{
    const T *a = (const T *)s->a + p->i0 * s->a_row, *b = (const T *)s->b + p->j0 * s->b_col;
    const int64_t rows = p->i1 - p->i0, columns = p->j1 - p->j0;
    T *c = (T *)s->c + p->i0 * s->n + p->j0;
    if (few_columns(s))
        all_dot_products(s->k, s->n == 1, s->m, (vector_set){a, s->a_row, rows},
                         contiguous(s->k, b, s->b_col, s->b_row, columns, scratch), c, s->n, 1);
    else
        all_dot_products(s->k, s->m == 1, s->n, (vector_set){b, s->b_col, columns},
                         contiguous(s->k, a, s->a_row, s->a_col, rows, scratch), c, 1, s->n);
    epilogue(s, p, p->i0, rows);
}

#endif
