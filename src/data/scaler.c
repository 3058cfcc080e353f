/* data/scaler.c - standardises columns by a stored mean and standard deviation.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <heed/data.h>
#include <heed/debug.h>
#include <heed/graph.h>
#include <heed/memory.h>
#include <heed/ops.h>

#include "base/mark.h"
#include "data/key.h"

struct heed_scaler {
    heed_tensor *mean, *std; /* retained; both have the shape (...) of one sample, with 1 for every averaged axis */
    bool fill_nan;
    bool averaged[HEED_MAX_RANK]; /* the averaged axes of a sample, whose size in later data is arbitrary */
    uint64_t mark;
};

HEED_MARK_OUTLIVES_FREE(heed_scaler);

static bool check_scaler(const char *where, const heed_scaler *s)
{
    if (!s)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the scaler is NULL");
    return heed__is_marked(s->mark, HEED_SCALER) || heed_fail_freed(where, "the scaler", s);
}

/* -- Fitting ------------------------------------------------------------------------------------------------------- */

/* A Neumaier sum: the rounded sum and its accumulated rounding error. */
typedef struct total {
    double sum, error;
} total;

static void add_compensated(total *t, double x)
{
    double sum = t->sum + x;
    t->error += fabs(t->sum) >= fabs(x) ? t->sum - sum + x : x - sum + t->sum;
    t->sum = sum;
}

/* Statistics of a column. */
typedef struct column {
    total sum, squares;
    int64_t count;
    double first, mean, std;
    bool varies; /* not all numbers are equal */
    bool infinite;
} column;

/* A contiguous x (n, columns) in f32 or f64, and the statistics of its columns. */
typedef struct samples {
    const float *f32;
    const double *f64;
    int64_t n, columns;
    column *of;
} samples;

static double sample_element(const samples *x, int64_t i)
{
    return x->f32 ? (double)x->f32[i] : x->f64[i];
}

static void add_up(const samples *x)
{
    for (int64_t i = 0; i < x->n; i++)
        for (int64_t k = 0; k < x->columns; k++) {
            column *c = &x->of[k];
            double value = sample_element(x, i * x->columns + k);
            if (isnan(value))
                continue;
            c->first = c->count == 0 ? value : c->first;
            c->varies = c->varies || value != c->first;
            c->infinite = c->infinite || isinf(value);
            add_compensated(&c->sum, value);
            c->count++;
        }
    for (int64_t k = 0; k < x->columns; k++)
        x->of[k].mean = (x->of[k].sum.sum + x->of[k].sum.error) / (double)x->of[k].count;
}

static void add_deviations(const samples *x)
{
    for (int64_t i = 0; i < x->n; i++)
        for (int64_t k = 0; k < x->columns; k++) {
            double from_mean = sample_element(x, i * x->columns + k) - x->of[k].mean;
            if (!isnan(from_mean))
                add_compensated(&x->of[k].squares, from_mean * from_mean);
        }
    for (int64_t k = 0; k < x->columns; k++)
        x->of[k].std = sqrt((x->of[k].squares.sum + x->of[k].squares.error) / (double)x->of[k].count);
}

/* Returns true if the squares of a column neither overflow nor lose significant digits by underflow. A square that
 * underflows has an error of at most 2^-1075. */
static bool squares_fit(const column *c)
{
    return c->squares.sum >= 0x1p-1020 * (double)c->count && c->squares.sum <= DBL_MAX && isfinite(c->mean);
}

/* Returns a power of two that scales the largest magnitude of column k to about 1. */
static double power_to_scale(const samples *x, int64_t k)
{
    double largest = 0.0;
    int exponent;
    for (int64_t i = 0; i < x->n; i++) {
        const double size = fabs(sample_element(x, i * x->columns + k));
        largest = size > largest ? size : largest; /* gcc 12 for AArch64 cannot compile fmax here at -O3 */
    }
    (void)frexp(largest, &exponent);
    return ldexp(1.0, exponent < -1020 ? 1020 : -exponent);
}

/* Computes the statistics of column k again, from the numbers multiplied by a power of two, and scales them back. */
static void fit_scaled(const samples *x, int64_t k)
{
    column *c = &x->of[k];
    const double scale = power_to_scale(x, k);
    total sum = {0.0, 0.0}, squares = {0.0, 0.0};
    for (int64_t i = 0; i < x->n; i++) {
        const double value = scale * sample_element(x, i * x->columns + k);
        if (!isnan(value))
            add_compensated(&sum, value);
    }
    const double mean = (sum.sum + sum.error) / (double)c->count;
    for (int64_t i = 0; i < x->n; i++) {
        const double from_mean = scale * sample_element(x, i * x->columns + k) - mean;
        if (!isnan(from_mean))
            add_compensated(&squares, from_mean * from_mean);
    }
    c->mean = mean / scale;
    c->std = sqrt((squares.sum + squares.error) / (double)c->count) / scale;
}

static bool check_fitted_column(const column *c, int64_t k)
{
    static const char where[] = "scaler_new";
    if (c->count == 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "column %" PRId64 " contains only NaN", k);
    if (c->infinite)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "column %" PRId64 " contains an infinity", k);
    return true;
}

static void store_statistic(heed_tensor *x, int64_t i, double value)
{
    if (heed_dtype_of(x) == HEED_F32)
        heed_mutable_f32(x)[i] = (float)value;
    else
        heed_mutable_f64(x)[i] = value;
}

static bool fit_columns(heed_scaler *s, const samples *x)
{
    add_up(x);
    add_deviations(x);
    for (int64_t k = 0; k < x->columns; k++) {
        const column *c = &x->of[k];
        if (!check_fitted_column(c, k))
            return false;
        if (c->varies && !squares_fit(c))
            fit_scaled(x, k);
        store_statistic(s->mean, k, c->varies ? c->mean : c->first);
        /* a column is divided by 1 if it is constant or if its deviation rounds to 0 */
        const double std = c->varies ? c->std : 1.0;
        const bool rounds_to_zero = heed_dtype_of(s->std) == HEED_F32 ? (float)std == 0.0F : std == 0.0;
        store_statistic(s->std, k, rounds_to_zero ? 1.0 : std);
    }
    return true;
}

/* Fits the scaler to `rows`. Reads them row by row, in memory order. Returns false after heed_fail. */
static bool fit_scaler(heed_scaler *s, const heed_tensor *rows)
{
    bool is_f32 = heed_dtype_of(rows) == HEED_F32;
    samples x = {.columns = heed_numel(s->mean)};
    if (x.columns == 0)
        return true;
    x.n = heed_numel(rows) / x.columns;
    x.f32 = is_f32 ? heed_data_f32(rows) : NULL;
    x.f64 = is_f32 ? NULL : heed_data_f64(rows);
    x.of = heed_calloc((size_t)x.columns, sizeof *x.of);
    bool fitted = x.of && fit_columns(s, &x);
    if (x.of)
        heed_free(x.of, (size_t)x.columns * sizeof *x.of);
    return fitted;
}

/* -- Creating and freeing ------------------------------------------------------------------------------------------ */

static bool check_data(const heed_tensor *x)
{
    static const char where[] = "scaler_new";
    if (!x)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "x is NULL");
    if (heed_dtype_of(x) != HEED_F32 && heed_dtype_of(x) != HEED_F64)
        return heed_fail_false(HEED_ERR_DTYPE, where, "x is %s: must be f32 or f64", heed_dtype_name(heed_dtype_of(x)));
    if (heed_rank(x) == 0 || heed_dim(x, 0) == 0)
        return heed_fail_false(HEED_ERR_SHAPE, where, "x has shape %s: must have at least one sample, on axis 0",
                               heed_shape_text(heed_shape_of(x)).s);
    return true;
}

/* Sets averaged[i] for every axis i of x over which statistics are computed. Returns false after heed_fail. */
static bool choose_axes(const heed_tensor *x, heed_shape axes, bool averaged[HEED_MAX_RANK])
{
    static const char where[] = "scaler_new";
    const int rank = heed_rank(x);
    axes = axes.rank == 0 ? HEED_AXES(0) : axes;
    if (axes.rank < 0 || axes.rank > HEED_MAX_RANK)
        return heed_fail_false(HEED_ERR_SHAPE, where, "the list has %d axes: must be at most %d", axes.rank,
                               HEED_MAX_RANK);
    for (int i = 0; i < axes.rank; i++) {
        const int64_t axis = axes.dims[i];
        if (axis < -rank || axis >= rank)
            return heed_fail_false(HEED_ERR_SHAPE, where, "axis %" PRId64 " is outside a tensor of rank %d", axis,
                                   rank);
        bool *chosen = &averaged[axis < 0 ? axis + rank : axis];
        if (*chosen)
            return heed_fail_false(HEED_ERR_SHAPE, where, "axis %" PRId64 " is given twice in %s", axis,
                                   heed_shape_text(axes).s);
        *chosen = true;
        if (heed_dim(x, (int)axis) == 0)
            return heed_fail_false(HEED_ERR_SHAPE, where, "x has shape %s: must not be empty on axis %" PRId64,
                                   heed_shape_text(heed_shape_of(x)).s, axis);
    }
    return averaged[0] || heed_fail_false(HEED_ERR_SHAPE, where, "axes is %s: must contain 0, the axis of the samples",
                                          heed_shape_text(axes).s);
}

/* Returns x with the averaged axes first, contiguous: one column per element of the mean. */
static heed_tensor *columns_last(heed_tensor *x, const bool averaged[HEED_MAX_RANK])
{
    heed_shape order = {.rank = 0};
    for (int turn = 0; turn < 2; turn++)
        for (int axis = 0; axis < heed_rank(x); axis++)
            if (averaged[axis] == (turn == 0))
                order.dims[order.rank++] = axis;
    return heed_contiguous(heed_permute(x, order));
}

/* Returns a scaler that retains `mean` and `std`. `averaged` refers to the axes of a sample. NULL after heed_fail, or
 * if one of the tensors is NULL. */
static heed_scaler *scaler_of(heed_tensor *mean, heed_tensor *std, bool fill_nan, const bool *averaged)
{
    heed_scaler *s = mean && std ? heed_alloc(sizeof *s) : NULL;
    if (!s)
        return NULL;
    *s = (heed_scaler){
        .mean = heed_retain(mean), .std = heed_retain(std), .fill_nan = fill_nan, .mark = HEED_MARK(HEED_SCALER, 0)};
    memcpy(s->averaged, averaged, (size_t)heed_rank(mean) * sizeof *averaged);
    return s;
}

heed_scaler *heed_scaler_new(heed_tensor *x, const heed_scaler_options *options)
{
    HEED_ENTER("scaler_new");
    const heed_scaler_options o = options ? *options : (heed_scaler_options){0};
    bool averaged[HEED_MAX_RANK] = {false};
    if (!check_data(x) || !choose_axes(x, o.axes, averaged))
        return NULL;
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return NULL;
    heed_shape shape = {.rank = heed_rank(x) - 1};
    for (int i = 0; i < shape.rank; i++)
        shape.dims[i] = averaged[i + 1] ? 1 : heed_dim(x, i + 1);
    heed_tensor *rows = columns_last(x, averaged);
    heed_tensor *mean = rows ? heed_empty(heed_dtype_of(x), shape) : NULL;
    heed_tensor *std = mean ? heed_empty(heed_dtype_of(x), shape) : NULL;
    heed_scaler *s = scaler_of(mean, std, o.fill_nan, averaged + 1);
    if (s && !fit_scaler(s, rows)) {
        heed_scaler_free(s);
        s = NULL;
    }
    heed_scope_end(scope);
    return s;
}

void heed_scaler_free(heed_scaler *s)
{
    if (!s || !check_scaler("scaler_free", s))
        return;
    heed_release(s->mean);
    heed_release(s->std);
    s->mark = 0;
    heed_free(s, sizeof *s);
}

heed_tensor *heed_scaler_mean(const heed_scaler *s)
{
    return check_scaler("scaler_mean", s) ? s->mean : NULL;
}

heed_tensor *heed_scaler_std(const heed_scaler *s)
{
    return check_scaler("scaler_std", s) ? s->std : NULL;
}

/* -- Scaling ------------------------------------------------------------------------------------------------------- */

/* Checks that x is one sample (...) or m samples (m, ...), where (...) is the shape of the mean except on averaged
 * axes. Broadcasting alone would accept more shapes. */
static bool check_fits(const char *where, const heed_scaler *s, const heed_tensor *x)
{
    if (!check_scaler(where, s))
        return false;
    if (!x)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "x is NULL");
    heed_shape columns = heed_shape_of(s->mean), shape = heed_shape_of(x);
    int more = shape.rank - columns.rank;
    bool fits = more == 0 || more == 1;
    for (int i = 0; fits && i < columns.rank; i++)
        fits = s->averaged[i] || shape.dims[i + more] == columns.dims[i];
    if (!fits)
        return heed_fail_false(HEED_ERR_SHAPE, where, "x is %s, but the scaler's columns are %s",
                               heed_shape_text(shape).s, heed_shape_text(columns).s);
    if (heed_dtype_of(x) != heed_dtype_of(s->mean))
        return heed_fail_false(HEED_ERR_DTYPE, where, "x is %s, but the scaler is %s",
                               heed_dtype_name(heed_dtype_of(x)), heed_dtype_name(heed_dtype_of(s->mean)));
    return true;
}

heed_tensor *heed_scaler_transform(const heed_scaler *s, heed_tensor *x)
{
    HEED_ENTER("scaler_transform");
    if (!check_fits("scaler_transform", s, x))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *z = heed_div(heed_sub(x, s->mean), s->std);
    if (z && s->fill_nan) {
        heed_tensor *zero = heed_zeros(heed_dtype_of(x), HEED_SCALAR);
        z = heed_where(heed_compare(x, HEED_COMPARE_EQ, x), z, zero);
    }
    return heed_scope_return(scope, z);
}

heed_tensor *heed_scaler_inverse_transform(const heed_scaler *s, heed_tensor *x)
{
    HEED_ENTER("scaler_inverse_transform");
    if (!check_fits("scaler_inverse_transform", s, x))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    return scope ? heed_scope_return(scope, heed_add(heed_mul(x, s->std), s->mean)) : NULL;
}

/* -- In a dict ----------------------------------------------------------------------------------------------------- */

#define AXES_MAX 24

/* Writes the averaged axes of the data, "0,2,3". Returns their number. */
static int print_axes(const heed_scaler *s, char text[AXES_MAX])
{
    int count = 1;
    size_t used = (size_t)snprintf(text, AXES_MAX, "0");
    for (int i = 0; i < heed_rank(s->mean); i++)
        if (s->averaged[i]) {
            used += (size_t)snprintf(text + used, AXES_MAX - used, ",%d", i + 1);
            count++;
        }
    return count;
}

/* Reads the averaged axes of the data; without a text, only axis 0 is averaged. Returns false if the text is invalid or
 * does not fit the mean. */
static bool parse_axes(const char *text, const heed_tensor *mean, bool averaged[HEED_MAX_RANK])
{
    if (!text)
        return true;
    bool valid = *text++ == '0';
    for (; valid && *text; text += 2) {
        const int axis = text[0] == ',' ? text[1] - '1' : -1;
        valid = axis >= 0 && axis < heed_rank(mean) && !averaged[axis] && heed_dim(mean, axis) == 1;
        if (valid)
            averaged[axis] = true;
    }
    return valid;
}

heed_status heed_scaler_save(const heed_scaler *s, heed_dict *dict, const char *name)
{
    static const char where[] = "scaler_save";
    HEED_ENTER(where);
    heed__key key;
    if (!check_scaler(where, s) || !heed__key_new(&key, where, name))
        return heed_error_code();
    char axes[AXES_MAX];
    heed_status status = heed_dict_set(dict, heed__key_of(&key, "mean"), s->mean);
    if (status == HEED_OK)
        status = heed_dict_set(dict, heed__key_of(&key, "std"), s->std);
    if (status == HEED_OK)
        status = heed_dict_set_text(dict, heed__key_of(&key, "fill_nan"), s->fill_nan ? "true" : "false");
    if (status == HEED_OK && print_axes(s, axes) > 1)
        status = heed_dict_set_text(dict, heed__key_of(&key, "axes"), axes);
    heed__key_free(&key);
    return status;
}

static bool check_loaded(const char *where, const char *name, heed_tensor *mean, heed_tensor *std, const char *fill)
{
    bool floats = heed_dtype_of(mean) == HEED_F32 || heed_dtype_of(mean) == HEED_F64;
    if (!floats || heed_dtype_of(std) != heed_dtype_of(mean) ||
        !heed_shape_equal(heed_shape_of(mean), heed_shape_of(std)))
        return heed_fail_false(HEED_ERR_FORMAT, where, "\"%.80s\" has mean %s %s and std %s %s: not a valid scaler",
                               name, heed_dtype_name(heed_dtype_of(mean)), heed_shape_text(heed_shape_of(mean)).s,
                               heed_dtype_name(heed_dtype_of(std)), heed_shape_text(heed_shape_of(std)).s);
    if (heed_numel(std) > 0 && !(heed_item(heed_min(std)) > 0.0 && isfinite(heed_item(heed_max(std)))))
        return heed_fail_false(HEED_ERR_FORMAT, where,
                               "\"%.80s\" has a std that is not positive and finite: not a valid scaler", name);
    if (!fill || (strcmp(fill, "true") != 0 && strcmp(fill, "false") != 0))
        return heed_fail_false(HEED_ERR_FORMAT, where, "text \"%.80s.fill_nan\" is %.40s: must be true or false", name,
                               fill ? fill : "missing");
    return true;
}

heed_scaler *heed_scaler_load(const heed_dict *dict, const char *name)
{
    static const char where[] = "scaler_load";
    HEED_ENTER(where);
    heed__key key;
    if (!dict)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "the dict is NULL");
    if (!heed__key_new(&key, where, name))
        return NULL;
    heed_scope *scope = heed_no_grad_begin();
    heed_tensor *mean = scope ? heed_dict_get(dict, heed__key_of(&key, "mean")) : NULL;
    heed_tensor *std = mean ? heed_dict_get(dict, heed__key_of(&key, "std")) : NULL;
    const char *fill = std ? heed_dict_text(dict, heed__key_of(&key, "fill_nan")) : NULL;
    const char *axes = std ? heed_dict_text(dict, heed__key_of(&key, "axes")) : NULL;
    bool averaged[HEED_MAX_RANK] = {false};
    heed_scaler *s = NULL;
    if (std && check_loaded(where, name, mean, std, fill)) {
        if (parse_axes(axes, mean, averaged))
            s = scaler_of(heed_clone(mean), heed_clone(std), strcmp(fill, "true") == 0, averaged);
        else
            heed_fail(HEED_ERR_FORMAT, where, "text \"%.80s.axes\" is %.40s, but the mean is %s: not a valid scaler",
                      name, axes, heed_shape_text(heed_shape_of(mean)).s);
    }
    heed__key_free(&key);
    if (scope)
        heed_scope_end(scope);
    return s;
}
