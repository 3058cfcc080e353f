/* kernels/matmul/by_dots.h - products by dot products: for few columns where A's rows are contiguous, and for few rows where
 * B's columns are. k is dealt to the lanes of a register. */
#ifndef HEED_KERNELS_MATMUL_BY_DOTS_H
#define HEED_KERNELS_MATMUL_BY_DOTS_H

#include "kernels/kernels.h"
#include "kernels/matmul/epilogue.h"
#include "kernels/matmul/pack.h"
#include "kernels/simd/vec.h"

/* Vectors of the shorter side, at most: DOTS_FEW where the longer side lies in a cache, since packing it for tiles is then cheap,
 * and DOTS_FEW_FAR where it is taken to come from memory. Of pairs of bf16, more are faster by tiles. */
#if defined(HAVE_PAIRS)
enum { DOTS_FEW = HEED_MATMUL_FEW, DOTS_FEW_FAR = HEED_MATMUL_FEW };
#else
enum { DOTS_FEW = 31, DOTS_FEW_FAR = 64 };
#endif

enum {
    DOTS_TERMS = 8,     /* at least so many to each sum, for each vector of the shorter side */
    DOTS_USES = 12,     /* of each vector, if those of the shorter side are copied, at most HEED_MATMUL_FEW */
    DOTS_STRETCH = 512, /* elements of a vector at a time, at most */
    DOTS_LONG = 4,      /* vectors of the longer side at a time, */
    DOTS_SHORT = VECTOR_BYTES == 64 ? 4 : 2, /* and of the shorter side: registers for all sums of these */
    DOTS_AHEAD = (1 << 12) / (int)sizeof(T), /* elements that are fetched ahead where there is one x, about */
    DOTS_FAR = (1 << 18) / (int)sizeof(T),   /* elements of the longer side, which then is hardly in a near cache */
    DOTS_MANY = 512,                         /* vectors of the longer side, at most, that are taken to lie in a cache */
};

typedef struct vector_set {
    const T *x;
    int64_t row, count;
} vector_set;

static vector_set without(vector_set v, int64_t first)
{
    return (vector_set){v.x + first * v.row, v.row, v.count - first};
}

/* A register's width of each vector, or the `count` elements that are left of it. Of the first `fetched` y what is read
 * `ahead` elements further on is fetched, into the second-level cache: the longer side comes from far, and as short stretches
 * of memory that the CPU does not foresee. */
static ALWAYS_INLINE void add_dots(vec sum[DOTS_LONG * DOTS_SHORT], vector_set y, vector_set x, int fetched,
                                   int64_t ahead, int64_t at, int64_t count, int ys, int xs)
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

static ALWAYS_INLINE void add_all_lanes(vec *sum, const int count, T *dot)
{
    UNROLL
    for (int i = 0; i < count / WIDTH; i++)
        store(dot + i * WIDTH, add_lanes_of_each(sum + i * WIDTH));
    UNROLL
    for (int i = count / WIDTH * WIDTH; i < count; i++)
        dot[i] = add_lanes(sum[i]);
}

/* Of the first `ys` and `xs` vectors, k elements of each: out[i * i_step + j * j_step] = y_i . x_j, or that is added. */
static ALWAYS_INLINE void dot_block(int64_t k, vector_set y, vector_set x, int fetched, int64_t ahead, bool adds,
                                    T *out, int64_t i_step, int64_t j_step, int ys, int xs)
{
    vec sum[DOTS_LONG * DOTS_SHORT] = {{0}};
    T dot[DOTS_LONG * DOTS_SHORT];
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

/* The same with all x. Where many of these use y, they fetch one half of what follows and the other in turn, again and again:
 * what the CPU has no room to ask for at once is forgotten. */
static ALWAYS_INLINE void dot_with_all(int64_t k, vector_set y, vector_set x, int64_t ahead, bool adds, T *out,
                                       int64_t i_step, int64_t j_step, int ys)
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

/* The same of all y, for which a stretch of x stays close by. The next y are fetched. */
static void dot_stretch(int64_t k, vector_set y, vector_set x, bool adds, T *out, int64_t i_step, int64_t j_step)
{
    for (; y.count >= DOTS_LONG; y = without(y, DOTS_LONG), out += DOTS_LONG * i_step) {
        const int64_t ahead = y.count >= 2 * DOTS_LONG ? DOTS_LONG * y.row : 0;
        dot_with_all(k, y, x, ahead, adds, out, i_step, j_step, DOTS_LONG);
    }
    for (; y.count > 0; y = without(y, 1), out += i_step)
        dot_with_all(k, y, x, y.row, adds, out, i_step, j_step, 1);
}

/* y . x, summed as it is among others, so that a stretch has the same bits. What is read `ahead` elements further on is fetched. */
static ALWAYS_INLINE T dot_of_one(int64_t k, const T *y, const T *x, bool fetches, int64_t ahead)
{
    vec sum = {0};
    int64_t at = 0;
    for (; at + WIDTH <= k; at += WIDTH) {
        if (fetches)
            __builtin_prefetch(y + at + ahead, 0, 2);
        sum = muladd_vec(load(x + at), load(y + at), sum);
    }
    if (at < k)
        sum = muladd_vec(load_at(x, at, k), load_at(y, at, k), sum);
    return add_lanes(sum);
}

/* Of one x, whatever the part: y passes by once, in the order in which it lies. Fetching a small one, which may be close by, would
 * take longer than it saves. */
static void dots_of_one(int64_t k, vector_set y, const T *x, T *out, int64_t i_step)
{
    const bool far = y.count * k >= DOTS_FAR;
    const int64_t ahead = (k < DOTS_AHEAD ? DOTS_AHEAD / k : 1) * y.row;
    for (int64_t i = 0; i < y.count; i++, y.x += y.row, out += i_step)
        *out = far ? dot_of_one(k, y.x, x, true, ahead) : dot_of_one(k, y.x, x, false, 0);
}

/* out[i * i_step + j * j_step] = y_i . x_j. y is the longer side. */
static void all_dot_products(int64_t k, bool one, vector_set y, vector_set x, T *out, int64_t i_step, int64_t j_step)
{
    if (one) {
        dots_of_one(k, y, x.x, out, i_step);
        return;
    }
    const int64_t parts = (k - 1) / DOTS_STRETCH + 1, stretch = (k + parts * WIDTH - 1) / (parts * WIDTH) * WIDTH;
    for (int64_t at = 0; at < k; at += stretch, y.x += stretch, x.x += stretch)
        dot_stretch(min_i64(k - at, stretch), y, x, at > 0, out, i_step, j_step);
}

/* Whether a side of `count` vectors is short: they are read where they lie, or copied for `uses` vectors of the other. */
static bool is_short(int64_t count, int64_t k, int64_t step, int64_t uses)
{
    const int64_t few = uses > DOTS_MANY ? DOTS_FEW_FAR : DOTS_FEW;
    return k >= DOTS_TERMS * count && (step == 1 ? count <= few : count <= HEED_MATMUL_FEW && uses >= DOTS_USES);
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

/* `count` vectors, whose elements are `step` apart: where they lie, or contiguous in scratch. */
static vector_set contiguous(int64_t k, const T *x, int64_t row, int64_t step, int64_t count, T *scratch)
{
    if (step == 1)
        return (vector_set){x, row, count};
    const int64_t padded = (k + WIDTH - 1) / WIDTH * WIDTH;
    for (int64_t at = 0; at < k; at += WIDTH)
        pack(x + at * step, step, row, (int)min_i64(k - at, WIDTH), count, scratch + at, padded);
    return (vector_set){scratch, padded, count};
}

static void multiply_dots(const heed__matmul_args *s, const heed__matmul_part *p, T *scratch)
{
    const T *a = (const T *)s->a + p->i0 * s->a_row, *b = (const T *)s->b + p->j0 * s->b_col;
    const int64_t rows = p->i1 - p->i0, columns = p->j1 - p->j0;
    T *c = (T *)s->c + p->i0 * s->n + p->j0;
    if (few_columns(s))
        all_dot_products(s->k, s->n == 1, (vector_set){a, s->a_row, rows},
                         contiguous(s->k, b, s->b_col, s->b_row, columns, scratch), c, s->n, 1);
    else
        all_dot_products(s->k, s->m == 1, (vector_set){b, s->b_col, columns},
                         contiguous(s->k, a, s->a_row, s->a_col, rows, scratch), c, 1, s->n);
    epilogue(s, p, p->i0, rows);
}

#endif
