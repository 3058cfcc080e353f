/* kernels/rows/layer_norm.h - layer norm and RMS norm along contiguous rows of n. */
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

/* With c = x - mean, *first = the sum of c and *second = the sum of c^2, over n <= SUM_BLOCK numbers. */
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

/* Loads and stores elements from i on of an array of n. `whole`: the register ends within the array. */
static ALWAYS_INLINE vec load_lanes(const T *x, int64_t i, int64_t n, bool whole)
{
    return whole ? load(x + i) : load_partial(x + i, n - i, (vec){0});
}

static ALWAYS_INLINE void store_lanes(T *x, int64_t i, int64_t n, bool whole, vec v)
{
    if (whole)
        store(x + i, v);
    else
        store_partial(x + i, v, n - i);
}

/* -- Forward ------------------------------------------------------------------------------------------------------- */

static ALWAYS_INLINE void write_normalized(const heed__layer_norm_args *args, const row_moments *norm, const T *x, T *y,
                                           int64_t i, bool whole, const int rows)
{
    const int64_t n = args->n;
    const T *weight = args->weight, *bias = args->bias;
    const vec w = weight ? load_lanes(weight, i, n, whole) : splat(1);
    const vec b = bias ? load_lanes(bias, i, n, whole) : (vec){0};
    UNROLL
    for (int r = 0; r < rows; r++) {
        vec v = normalized(&norm[r], load_lanes(x + r * n, i, n, whole)) * w;
        store_lanes(y + r * n, i, n, whole, bias ? v + b : v);
    }
}

static ALWAYS_INLINE void write_rows(const heed__layer_norm_args *args, const row_moments *norm, const T *x, T *y,
                                     const int rows)
{
    const int64_t n = args->n, whole = n / WIDTH * WIDTH;
    for (int64_t i = 0; i < whole; i += WIDTH)
        write_normalized(args, norm, x, y, i, true, rows);
    if (whole < n)
        write_normalized(args, norm, x, y, whole, false, rows);
}

/* Normalises a single row. If the squares of the row leave the range of T, the row is scaled in y and normalised
 * there. */
__attribute__((noinline)) static void normalize_row(const heed__layer_norm_args *args, const T *x, T *y)
{
    const int64_t n = args->n;
    row_moments norm;
    if (!find_moments(n, x, args->eps, args->uncentred, &norm, 1)) {
        const double scale = scale_for(largest_magnitude(n, x, 0));
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

/* For a register of columns from i on, adds g w of every row to sum[row] and g w h to slope[row], and adds g h and g of
 * all rows to dweight and dbias. */
static ALWAYS_INLINE void add_columns(const layer_norm_rows *l, const row_moments *norm, int64_t i, bool whole,
                                      vec *sum, vec *slope, const int rows)
{
    const int64_t n = l->n;
    const vec zero = {0}, w = l->weight ? load_lanes(l->weight, i, n, whole) : splat(1);
    vec dweight = l->dweight ? load_lanes(l->dweight, i, n, whole) : zero;
    vec dbias = l->dbias ? load_lanes(l->dbias, i, n, whole) : zero;
    UNROLL
    for (int r = 0; r < rows; r++) {
        vec h = normalized(&norm[r], load_lanes(l->x + r * n, i, n, whole)), g = load_lanes(l->g + r * n, i, n, whole);
        vec weighted = g * w;
        sum[r] += weighted;
        slope[r] += weighted * h;
        dweight += g * h;
        dbias += g;
    }
    if (l->dweight)
        store_lanes(l->dweight, i, n, whole, dweight);
    if (l->dbias)
        store_lanes(l->dbias, i, n, whole, dbias);
}

/* For every row, a = the mean of g w, or 0 if rows are uncentred, and b = the mean of g w h. */
static ALWAYS_INLINE void find_means(const layer_norm_rows *l, const row_moments *norm, T *a, T *b, const int rows)
{
    const int64_t n = l->n;
    double first[NORM_ROWS] = {0}, lost[NORM_ROWS] = {0}, second[NORM_ROWS] = {0}, lost_second[NORM_ROWS] = {0};
    for (int64_t begin = 0; begin < n; begin += SUM_BLOCK) {
        const int64_t end = n - begin < SUM_BLOCK ? n : begin + SUM_BLOCK;
        vec sum[NORM_ROWS] = {{0}}, slope[NORM_ROWS] = {{0}};
        int64_t i = begin;
        for (; i + WIDTH <= end; i += WIDTH)
            add_columns(l, norm, i, true, sum, slope, rows);
        if (i < end)
            add_columns(l, norm, i, false, sum, slope, rows);
        for (int r = 0; r < rows; r++) {
            total_add(&first[r], &lost[r], (double)add_lanes(sum[r]));
            total_add(&second[r], &lost_second[r], (double)add_lanes(slope[r]));
        }
    }
    for (int r = 0; r < rows; r++) {
        a[r] = l->uncentred ? 0 : (T)(total_value(first[r], lost[r]) / (double)n);
        b[r] = (T)(total_value(second[r], lost_second[r]) / (double)n);
    }
}

/* dx = f (g w - a - h b), where f is the factor of h, a the mean of g w and b the mean of g w h. */
static ALWAYS_INLINE void write_dx(const layer_norm_rows *l, const row_moments *norm, const T *a, const T *b, int64_t i,
                                   bool whole, const int rows)
{
    const int64_t n = l->n;
    const vec w = l->weight ? load_lanes(l->weight, i, n, whole) : splat(1);
    UNROLL
    for (int r = 0; r < rows; r++) {
        vec h = normalized(&norm[r], load_lanes(l->x + r * n, i, n, whole)), g = load_lanes(l->g + r * n, i, n, whole);
        store_lanes(l->dx + r * n, i, n, whole, norm[r].factor * ((g * w - a[r]) - h * b[r]));
    }
}

static ALWAYS_INLINE void write_gradients(const layer_norm_rows *l, const row_moments *norm, const int rows)
{
    const int64_t n = l->n, whole = n / WIDTH * WIDTH;
    T a[NORM_ROWS], b[NORM_ROWS];
    find_means(l, norm, a, b, rows);
    for (int64_t i = 0; i < whole; i += WIDTH)
        write_dx(l, norm, a, b, i, true, rows);
    if (whole < n)
        write_dx(l, norm, a, b, whole, false, rows);
}

/* Computes the gradient of row `row` of `of`. If the squares of the row leave the range of T, the row is scaled in dx
 * first. */
__attribute__((noinline)) static void layer_norm_grad_row(const layer_norm_rows *of, int64_t row)
{
    const int64_t n = of->n;
    layer_norm_rows l = *of;
    row_moments norm;
    double scale = 1;
    l.x += row * n;
    l.g += row * n;
    l.dx += row * n;
    if (!find_moments(n, l.x, l.eps, l.uncentred, &norm, 1)) {
        scale = scale_for(largest_magnitude(n, l.x, 0));
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

static void layer_norm_grad_kernel(const heed__layer_norm_args *args, int64_t rows, const void *x, const void *g,
                                   void *dx, void *dweight, void *dbias)
{
    const int64_t n = args->n;
    layer_norm_rows l = {n, args->eps, args->uncentred, x, g, args->weight, dx, dweight, dbias};
    if (dweight)
        memset(dweight, 0, (size_t)n * sizeof(T));
    if (dbias)
        memset(dbias, 0, (size_t)n * sizeof(T));
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
