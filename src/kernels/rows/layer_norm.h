/* kernels/rows/layer_norm.h - layer norm along contiguous rows of n. */
#ifndef HEED_KERNELS_ROWS_LAYER_NORM_H
#define HEED_KERNELS_ROWS_LAYER_NORM_H

#include <math.h>
#include <string.h>

#include "kernels/kernels.h"
#include "kernels/rows/reduce.h"
#include "kernels/simd/total.h"
#include "kernels/simd/vec.h"

/* Of a row: h = ((x - mean) - rest) factor. */
typedef struct row_moments {
    T mean, rest, factor;
} row_moments;

/* Sums over n <= SUM_BLOCK numbers of c = x - mean and of c^2. */
static ALWAYS_INLINE void central_moments(int64_t n, const T *x, T mean, T *first, T *second)
{
    vec sum[2] = {{0}}, squares[2] = {{0}};
    int64_t i = 0;
    for (; i + 2 * WIDTH <= n; i += 2 * WIDTH) {
        UNROLL
        for (int k = 0; k < 2; k++) {
            vec c = load(x + i + k * WIDTH) - mean;
            sum[k] += c;
            squares[k] += c * c;
        }
    }
    for (; i < n; i += WIDTH) {
        const bool whole = n - i >= WIDTH;
        vec c = (whole ? load(x + i) : load_partial(x + i, n - i, splat(mean))) - mean;
        sum[0] += c;
        squares[0] += c * c;
    }
    *first = add_lanes(sum[0] + sum[1]);
    *second = add_lanes(squares[0] + squares[1]);
}

/* `rest` is what the rounding of the mean has left of it, so that a mean far above the spread costs no digits. The
 * variance, divided by n, is that of x - mean - rest. */
static row_moments row_moments_of(int64_t n, const T *x, double eps)
{
    row_moments norm = {.mean = (T)(sum_of(n, x) / (double)n)};
    double sum = 0, lost = 0, squares = 0, lost_squares = 0;
    for (int64_t i = 0; i < n; i += SUM_BLOCK) {
        T first, second;
        central_moments(n - i < SUM_BLOCK ? n - i : SUM_BLOCK, x + i, norm.mean, &first, &second);
        total_add(&sum, &lost, (double)first);
        total_add(&squares, &lost_squares, (double)second);
    }
    const double rest = total_value(sum, lost) / (double)n;
    const double variance = total_value(squares, lost_squares) / (double)n - rest * rest;
    norm.rest = (T)rest;
    norm.factor = (T)(1 / sqrt(variance + eps));
    return norm;
}

/* h of the row's numbers x. */
static ALWAYS_INLINE vec normalized(const row_moments *norm, vec x)
{
    return ((x - norm->mean) - norm->rest) * norm->factor;
}

static void layer_norm_kernel(const heed__layer_norm_args *args, int64_t rows, const void *x_, void *y_)
{
    const int64_t n = args->n;
    const T *x = x_, *weight = args->weight, *bias = args->bias;
    T *y = y_;
    for (int64_t row = 0; row < rows; row++, x += n, y += n) {
        const row_moments norm = row_moments_of(n, x, args->eps);
        for (int64_t i = 0; i < n; i += WIDTH) {
            vec v = normalized(&norm, load_at(x, i, n));
            if (weight)
                v *= load_at(weight, i, n);
            if (bias)
                v += load_at(bias, i, n);
            store_at(y, i, n, v);
        }
    }
}

/* Where a row's gradient comes from and goes to; all of them are arrays of n but for weight, dweight, dbias, which may
 * be NULL. */
typedef struct layer_norm_row {
    int64_t n;
    row_moments norm;
    const T *x, *g, *weight;
    T *dx, *dweight, *dbias;
} layer_norm_row;

/* g w. */
static ALWAYS_INLINE vec times_weight(const layer_norm_row *row, int64_t i, vec g)
{
    return row->weight ? g * load_at(row->weight, i, row->n) : g;
}

/* Sums of g w and of g w h over the elements begin .. end - 1, at most SUM_BLOCK; adds to dweight and dbias. */
static ALWAYS_INLINE void layer_norm_row_sums(const layer_norm_row *row, int64_t begin, int64_t end, T *first,
                                              T *second)
{
    vec sum = {0}, slope = {0};
    for (int64_t i = begin; i < end; i += WIDTH) {
        vec h = normalized(&row->norm, load_at(row->x, i, row->n)), g = load_at(row->g, i, row->n);
        vec part = times_weight(row, i, g);
        sum += part;
        slope += part * h;
        if (row->dweight)
            store_at(row->dweight, i, row->n, load_at(row->dweight, i, row->n) + g * h);
        if (row->dbias)
            store_at(row->dbias, i, row->n, load_at(row->dbias, i, row->n) + g);
    }
    *first = add_lanes(sum);
    *second = add_lanes(slope);
}

/* dx = f (g w - mean(g w) - h mean(g w h)), f being h's factor. */
static ALWAYS_INLINE void layer_norm_grad_row(const layer_norm_row *row)
{
    const int64_t n = row->n;
    double sum = 0, lost = 0, slope = 0, lost_slope = 0;
    for (int64_t i = 0; i < n; i += SUM_BLOCK) {
        T first, second;
        layer_norm_row_sums(row, i, n - i < SUM_BLOCK ? n : i + SUM_BLOCK, &first, &second);
        total_add(&sum, &lost, (double)first);
        total_add(&slope, &lost_slope, (double)second);
    }
    const T a = (T)(total_value(sum, lost) / (double)n), b = (T)(total_value(slope, lost_slope) / (double)n);
    for (int64_t i = 0; i < n; i += WIDTH) {
        vec h = normalized(&row->norm, load_at(row->x, i, n)), g = load_at(row->g, i, n);
        store_at(row->dx, i, n, row->norm.factor * ((times_weight(row, i, g) - a) - h * b));
    }
}

static void layer_norm_grad_kernel(const heed__layer_norm_args *args, int64_t rows, const void *x_, const void *g_,
                                   void *dx_, void *dweight_, void *dbias_)
{
    const int64_t n = args->n;
    const T *x = x_, *g = g_;
    T *dx = dx_;
    if (dweight_)
        memset(dweight_, 0, (size_t)n * sizeof(T));
    if (dbias_)
        memset(dbias_, 0, (size_t)n * sizeof(T));
    for (int64_t row = 0; row < rows; row++, x += n, g += n, dx += n)
        layer_norm_grad_row(&(layer_norm_row){.n = n,
                                              .norm = row_moments_of(n, x, args->eps),
                                              .x = x,
                                              .g = g,
                                              .weight = args->weight,
                                              .dx = dx,
                                              .dweight = dweight_,
                                              .dbias = dbias_});
}

#endif
