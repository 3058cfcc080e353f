/* kernels/rows/layer_norm.h - layer norm and RMS norm along contiguous rows of n.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ROWS_LAYER_NORM_H
#define HEED_KERNELS_ROWS_LAYER_NORM_H

#include <math.h>
#include <string.h>

#include "kernels/kernels.h"
#include "kernels/rows/reduce.h"
#include "kernels/rows/scale.h"
#include "kernels/simd/total.h"
#include "kernels/simd/vec.h"

/* NORM_ROWS rows are processed side by side, because a row alone is a sequence of dependent additions. Rows of more
 * than NORM_SIDE_BY_SIDE elements are processed one by one, so that they stay in the first-level cache. */
enum { NORM_ROWS = 4, NORM_SIDE_BY_SIDE = 4096 / sizeof(T) };

static int64_t rows_at_once(int64_t n, int64_t rows)
{
    return n <= NORM_SIDE_BY_SIDE && rows >= NORM_ROWS ? NORM_ROWS : 1;
}

/* Per row: h = ((x - mean) - rest) factor. */
typedef struct row_moments {
    T mean, rest, factor;
} row_moments;

static ALWAYS_INLINE void add_central(vec c, vec *sum, vec *squares)
{
    *sum += c;
    *squares += c * c;
}

/* The sum of the lanes of two wide registers. */
static ALWAYS_INLINE T add_two_wide(const vec *v)
{
    wide_vec both;
    UNROLL
    for (int p = 0; p < PARTS; p++)
        both.part[p] = v[p] + v[PARTS + p];
    return add_wide_lanes(both);
}

/* With c = x - mean, *first = the sum of c and *second = the sum of c^2, over n <= SUM_BLOCK numbers. */
static ALWAYS_INLINE void central_moments(int64_t n, const T *x, T mean, T *first, T *second)
{
    vec sum[2 * PARTS] = {{0}}, squares[2 * PARTS] = {{0}}; /* two wide registers each */
    int64_t i = 0;
    for (; i + 2 * LANES <= n; i += 2 * LANES) {
        UNROLL
        for (int k = 0; k < 2 * PARTS; k++)
            add_central(load(x + i + k * WIDTH) - mean, &sum[k], &squares[k]);
    }
    for (; i < n; i += LANES) {
        UNROLL
        for (int k = 0; k < PARTS; k++) {
            const int64_t left = n - i - k * WIDTH;
            if (left > 0)
                add_central(load_up_to(x + i + k * WIDTH, left, splat(mean)) - mean, &sum[k], &squares[k]);
        }
    }
    *first = add_two_wide(sum);
    *second = add_two_wide(squares);
}

/* Like central_moments, for any n. */
static ALWAYS_INLINE void central_sums(int64_t n, const T *x, T mean, double *first, double *second)
{
    double sum = 0, lost = 0, squares = 0, lost_squares = 0;
    T c, square;
    if (n <= SUM_BLOCK) {
        central_moments(n, x, mean, &c, &square);
        *first = (double)c;
        *second = (double)square;
        return;
    }
    for (int64_t i = 0; i < n; i += SUM_BLOCK) {
        central_moments(n - i < SUM_BLOCK ? n - i : SUM_BLOCK, x + i, mean, &c, &square);
        total_add(&sum, &lost, (double)c);
        total_add(&squares, &lost_squares, (double)square);
    }
    *first = total_value(sum, lost);
    *second = total_value(squares, lost_squares);
}

/* Computes the moments of `rows` rows. `rest` is the rounding error of the mean, so that a mean far above the spread
 * costs no digits. The variance is the mean of (x - mean - rest)^2. Mean and rest are 0 if rows are uncentred. Returns
 * false if the squares of a row leave the range of T. */
static ALWAYS_INLINE bool find_moments(int64_t n, const T *x, double eps, bool uncentred, row_moments *norm,
                                       const int rows)
{
    double first[NORM_ROWS], second[NORM_ROWS];
    bool fit = true;
    for (int r = 0; r < rows; r++)
        norm[r].mean = uncentred ? 0 : (T)(sum_of(n, x + r * n) / (double)n);
    for (int r = 0; r < rows; r++)
        central_sums(n, x + r * n, norm[r].mean, &first[r], &second[r]);
    for (int r = 0; r < rows; r++) {
        const double rest = uncentred ? 0 : first[r] / (double)n, variance = second[r] / (double)n - rest * rest;
        norm[r].rest = (T)rest;
        norm[r].factor = (T)(1 / sqrt(variance + eps));
        fit = fit && spread_fits(variance + eps);
    }
    return fit;
}

/* h for the elements x of a row. */
static ALWAYS_INLINE vec normalized(const row_moments *norm, vec x)
{
    return ((x - norm->mean) - norm->rest) * norm->factor;
}

/* A register of columns, from column i on, of rows of n. `whole`: the register ends within the row. load_columns_or
 * fills the register with `otherwise` after the row's end, load_columns with zeros. */
typedef struct column_register {
    int64_t i, n;
    bool whole;
} column_register;

static ALWAYS_INLINE vec load_columns_or(const T *row, column_register at, T otherwise)
{
    return at.whole ? load(row + at.i) : load_partial(row + at.i, at.n - at.i, splat(otherwise));
}

static ALWAYS_INLINE vec load_columns(const T *row, column_register at)
{
    return load_columns_or(row, at, 0);
}

static ALWAYS_INLINE void store_columns(T *row, column_register at, vec v)
{
    if (at.whole)
        store(row + at.i, v);
    else
        store_partial(row + at.i, v, at.n - at.i);
}

/* -- Forward ------------------------------------------------------------------------------------------------------- */

static ALWAYS_INLINE void write_normalized(const heed__layer_norm_args *args, const row_moments *norm, const T *x, T *y,
                                           column_register at, const int rows)
{
    const T *weight = args->weight, *bias = args->bias;
    const vec w = weight ? load_columns(weight, at) : splat(1);
    const vec b = bias ? load_columns(bias, at) : (vec){0};
    UNROLL
    for (int r = 0; r < rows; r++) {
        vec v = normalized(&norm[r], load_columns(x + r * at.n, at)) * w;
        store_columns(y + r * at.n, at, bias ? v + b : v);
    }
}

static ALWAYS_INLINE void write_rows(const heed__layer_norm_args *args, const row_moments *norm, const T *x, T *y,
                                     const int rows)
{
    const int64_t n = args->n, whole = n / WIDTH * WIDTH;
    for (int64_t i = 0; i < whole; i += WIDTH)
        write_normalized(args, norm, x, y, (column_register){i, n, true}, rows);
    if (whole < n)
        write_normalized(args, norm, x, y, (column_register){whole, n, false}, rows);
}

/* Normalises a single row. If the squares of the row leave the range of T, the row is scaled in y and normalised
 * there. */
static NOINLINE void normalize_row(const heed__layer_norm_args *args, const T *x, T *y)
{
    const int64_t n = args->n;
    row_moments norm;
    if (!find_moments(n, x, args->eps, args->uncentred, &norm, 1)) {
        const double scale = power_of_two_for(largest_magnitude(n, x, 0));
        multiply_by(n, x, (T)scale, y);
        x = y;
        (void)find_moments(n, x, args->eps * scale * scale, args->uncentred, &norm, 1);
    }
    write_rows(args, &norm, x, y, 1);
}

static ALWAYS_INLINE void normalize_rows(const heed__layer_norm_args *args, const T *x, T *y, const int rows)
{
    row_moments norm[NORM_ROWS];
    if (find_moments(args->n, x, args->eps, args->uncentred, norm, rows))
        write_rows(args, norm, x, y, rows);
    else
        for (int r = 0; r < rows; r++)
            normalize_row(args, x + r * args->n, y + r * args->n);
}

static void layer_norm_kernel(const heed__layer_norm_args *args, int64_t rows, const void *x_, void *y_)
{
    const T *x = x_;
    T *y = y_;
    for (int64_t row = 0, some; row < rows; row += some) {
        some = rows_at_once(args->n, rows - row);
        if (some == NORM_ROWS)
            normalize_rows(args, x + row * args->n, y + row * args->n, NORM_ROWS);
        else
            normalize_rows(args, x + row * args->n, y + row * args->n, 1);
    }
}

/* -- Gradients ----------------------------------------------------------------------------------------------------- */

/* Inputs and outputs of the gradient of some rows of n; weight, dweight and dbias may be NULL. */
typedef struct layer_norm_rows {
    int64_t n;
    double eps;
    bool uncentred;
    const T *x, *g, *weight;
    T *dx, *dweight, *dbias;
} layer_norm_rows;

/* Adds g w of every row to sum[row] and g w h to slope[row], and adds g h and g of all rows to dweight and dbias. */
static ALWAYS_INLINE void add_columns(const layer_norm_rows *l, const row_moments *norm, column_register at, vec *sum,
                                      vec *slope, const int rows)
{
    const int64_t n = l->n;
    const vec zero = {0}, w = l->weight ? load_columns(l->weight, at) : splat(1);
    vec dweight = l->dweight ? load_columns(l->dweight, at) : zero;
    vec dbias = l->dbias ? load_columns(l->dbias, at) : zero;
    UNROLL
    for (int r = 0; r < rows; r++) {
        /* The mean after the row's end gives a finite h there, however large the mean and the factor are. */
        vec h = normalized(&norm[r], load_columns_or(l->x + r * n, at, norm[r].mean));
        vec g = load_columns(l->g + r * n, at), weighted = g * w;
        sum[r] += weighted;
        slope[r] += weighted * h;
        dweight += g * h;
        dbias += g;
    }
    if (l->dweight)
        store_columns(l->dweight, at, dweight);
    if (l->dbias)
        store_columns(l->dbias, at, dbias);
}

/* add_columns for part `part` of every wide register of the columns begin .. end - 1. Writes this part of the sums and
 * slopes. A part at a time needs no more registers than `sum` and `slope` have rows. */
static ALWAYS_INLINE void add_part_of_columns(const layer_norm_rows *l, const row_moments *norm, int64_t begin,
                                              int64_t end, wide_vec *sum, wide_vec *slope, const int part,
                                              const int rows)
{
    vec sums[NORM_ROWS] = {{0}}, slopes[NORM_ROWS] = {{0}};
    int64_t i = begin + part * WIDTH;
    for (; i + WIDTH <= end; i += LANES)
        add_columns(l, norm, (column_register){i, l->n, true}, sums, slopes, rows);
    if (i < end)
        add_columns(l, norm, (column_register){i, l->n, false}, sums, slopes, rows);
    UNROLL
    for (int r = 0; r < rows; r++) {
        sum[r].part[part] = sums[r];
        slope[r].part[part] = slopes[r];
    }
}

/* For every row, a = the mean of g w, or 0 if rows are uncentred, and b = the mean of g w h. */
static ALWAYS_INLINE void find_means(const layer_norm_rows *l, const row_moments *norm, T *a, T *b, const int rows)
{
    const int64_t n = l->n;
    double first[NORM_ROWS] = {0}, lost[NORM_ROWS] = {0}, second[NORM_ROWS] = {0}, lost_second[NORM_ROWS] = {0};
    for (int64_t begin = 0; begin < n; begin += SUM_BLOCK) {
        const int64_t end = n - begin < SUM_BLOCK ? n : begin + SUM_BLOCK;
        wide_vec sum[NORM_ROWS], slope[NORM_ROWS];
        UNROLL
        for (int p = 0; p < PARTS; p++)
            add_part_of_columns(l, norm, begin, end, sum, slope, p, rows);
        for (int r = 0; r < rows; r++) {
            total_add(&first[r], &lost[r], (double)add_wide_lanes(sum[r]));
            total_add(&second[r], &lost_second[r], (double)add_wide_lanes(slope[r]));
        }
    }
    for (int r = 0; r < rows; r++) {
        a[r] = l->uncentred ? 0 : (T)(total_value(first[r], lost[r]) / (double)n);
        b[r] = (T)(total_value(second[r], lost_second[r]) / (double)n);
    }
}

/* dx = f (g w - a - h b), where f is the factor of h, a the mean of g w and b the mean of g w h. */
static ALWAYS_INLINE void write_dx(const layer_norm_rows *l, const row_moments *norm, const T *a, const T *b,
                                   column_register at, const int rows)
{
    const int64_t n = l->n;
    const vec w = l->weight ? load_columns(l->weight, at) : splat(1);
    UNROLL
    for (int r = 0; r < rows; r++) {
        vec h = normalized(&norm[r], load_columns(l->x + r * n, at)), g = load_columns(l->g + r * n, at);
        store_columns(l->dx + r * n, at, norm[r].factor * ((g * w - a[r]) - h * b[r]));
    }
}

static ALWAYS_INLINE void write_gradients(const layer_norm_rows *l, const row_moments *norm, const int rows)
{
    const int64_t n = l->n, whole = n / WIDTH * WIDTH;
    T a[NORM_ROWS], b[NORM_ROWS];
    find_means(l, norm, a, b, rows);
    for (int64_t i = 0; i < whole; i += WIDTH)
        write_dx(l, norm, a, b, (column_register){i, n, true}, rows);
    if (whole < n)
        write_dx(l, norm, a, b, (column_register){whole, n, false}, rows);
}

/* Computes the gradient of row `row` of `of`. If the squares of the row leave the range of T, the row is scaled in dx
 * first. */
static NOINLINE void layer_norm_grad_row(const layer_norm_rows *of, int64_t row)
{
    const int64_t n = of->n;
    layer_norm_rows l = *of;
    row_moments norm;
    double scale = 1;
    l.x += row * n;
    l.g += row * n;
    l.dx += row * n;
    if (!find_moments(n, l.x, l.eps, l.uncentred, &norm, 1)) {
        scale = power_of_two_for(largest_magnitude(n, l.x, 0));
        multiply_by(n, l.x, (T)scale, l.dx);
        l.x = l.dx;
        (void)find_moments(n, l.x, l.eps * scale * scale, l.uncentred, &norm, 1);
    }
    write_gradients(&l, &norm, 1);
    multiply_by(n, l.dx, (T)scale, l.dx);
}

static ALWAYS_INLINE void layer_norm_grad_rows(const layer_norm_rows *l, const int rows)
{
    row_moments norm[NORM_ROWS];
    if (find_moments(l->n, l->x, l->eps, l->uncentred, norm, rows))
        write_gradients(l, norm, rows);
    else
        for (int r = 0; r < rows; r++)
            layer_norm_grad_row(l, r);
}

static void layer_norm_grad_kernel(const heed__layer_norm_args *args, int64_t rows, const heed__norm_grads *grads)
{
    const int64_t n = args->n;
    layer_norm_rows l = {n,         args->eps,      args->uncentred, grads->x, grads->g, args->weight,
                         grads->dx, grads->dweight, grads->dbias};
    if (l.dweight)
        memset(l.dweight, 0, (size_t)n * sizeof(T));
    if (l.dbias)
        memset(l.dbias, 0, (size_t)n * sizeof(T));
    for (int64_t row = 0, some; row < rows; row += some) {
        some = rows_at_once(n, rows - row);
        if (some == NORM_ROWS)
            layer_norm_grad_rows(&l, NORM_ROWS);
        else
            layer_norm_grad_rows(&l, 1);
        l.x += some * n;
        l.g += some * n;
        l.dx += some * n;
    }
}

#endif
