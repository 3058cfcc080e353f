/* kernels/matmul/by_dots.h - products by dot products: for few rows or few columns, where A's rows and B's columns are
 * contiguous. k is dealt to the lanes of a register. */
#ifndef HEED_KERNELS_MATMUL_BY_DOTS_H
#define HEED_KERNELS_MATMUL_BY_DOTS_H

#include "kernels/kernels.h"
#include "kernels/matmul/epilogue.h"
#include "kernels/simd/vec.h"

enum {
    DOTS_SIDE = 8,   /* rows or columns must be fewer, */
    DOTS_TERMS = 64, /* and so many terms to each sum, at least */
};

/* out[i] = x . y_i for `count` vectors y_i, contiguous and y_row apart. */
static ALWAYS_INLINE void dot_products(int64_t k, const T *x, const T *y, int64_t y_row, T *out, int64_t out_step,
                                       int count)
{
    vec sum[4] = {{0}};
    int64_t i = 0;
    for (; i + WIDTH <= k; i += WIDTH) {
        vec x_i = load(x + i);
        UNROLL
        for (int c = 0; c < count; c++)
            sum[c] = muladd_vec(x_i, load(y + c * y_row + i), sum[c]);
    }
    UNROLL
    for (int c = 0; c < count; c++) {
        T sum_c = add_lanes(sum[c]);
        for (int64_t rest = i; rest < k; rest++)
            sum_c = muladd_of(x[rest], y[c * y_row + rest], sum_c);
        out[c * out_step] = sum_c;
    }
}

typedef struct vector_set {
    const T *x;
    int64_t row, count;
} vector_set;

/* out[i * out_step + j * out_other] = x_j . y_i. y is the longer side, whose vectors are read once, four at a time. */
static void all_dot_products(int64_t k, vector_set x, vector_set y, T *out, int64_t out_step, int64_t out_other)
{
    for (; y.count >= 4; y.count -= 4, y.x += 4 * y.row, out += 4 * out_step)
        for (int64_t j = 0; j < x.count; j++)
            dot_products(k, x.x + j * x.row, y.x, y.row, out + j * out_other, out_step, 4);
    for (; y.count > 0; y.count--, y.x += y.row, out += out_step)
        for (int64_t j = 0; j < x.count; j++)
            dot_products(k, x.x + j * x.row, y.x, y.row, out + j * out_other, out_step, 1);
}

static bool by_dots(const heed__matmul_args *s)
{
    return s->a_col == 1 && s->b_row == 1 && (s->m < DOTS_SIDE || s->n < DOTS_SIDE) && s->k >= DOTS_TERMS;
}

static void multiply_dots(const heed__matmul_args *s, const heed__matmul_part *p)
{
    vector_set a = {(const T *)s->a + p->i0 * s->a_row, s->a_row, p->i1 - p->i0};
    vector_set b = {(const T *)s->b + p->j0 * s->b_col, s->b_col, p->j1 - p->j0};
    T *c = (T *)s->c + p->i0 * s->n + p->j0;
    if (s->n < 4)
        all_dot_products(s->k, b, a, c, s->n, 1);
    else
        all_dot_products(s->k, a, b, c, 1, s->n);
    epilogue(s, p, p->i0, p->i1 - p->i0);
}

#endif
