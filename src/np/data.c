/* np/data.c - reads and checks the rows of a fit and stores them as f64 arrays, column after column.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernels/philox.h"
#include "np/local.h"

static const char where[] = "np_fit";

/* -- Tensors as arrays of f64 -------------------------------------------------------------------------------------- */

/* Returns t as a contiguous, detached f64 tensor of the scope, or NULL after heed_fail. */
static heed_tensor *dense_f64(const char *function, const char *name, heed_tensor *t)
{
    if (!heed__check_tensor(function, t))
        return NULL;
    if (heed_dtype_of(t) == HEED_BOOL)
        return heed_fail_null(HEED_ERR_DTYPE, function, "%s is bool: must be f32, f64 or i64", name);
    return heed_contiguous(heed_to_dtype(heed_detach(t), HEED_F64));
}

/* Transposes x from (n) or (n, d) to (d, n). */
static heed_tensor *transposed_f64(const char *function, heed_tensor *x)
{
    heed_tensor *all = dense_f64(function, "x", x);
    if (!all)
        return NULL;
    if (heed_rank(all) < 1 || heed_rank(all) > 2)
        return heed_fail_null(HEED_ERR_SHAPE, function, "x is %s: must be (n) or (n, d)",
                              heed_shape_text(heed_shape_of(all)).s);
    return heed_rank(all) == 1 ? heed_unsqueeze(all, 0) : heed_contiguous(heed_transpose(all, 0, 1));
}

static bool check_finite(const char *function, const char *name, const double *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return heed_fail_false(HEED_ERR_ARGUMENT, function,
                                   "%s is %g in row %" PRId64 ": must be finite; leave out rows with missing values",
                                   name, x[i], i);
    return true;
}

static bool check_whole_labels(const char *function, int column, const double *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (x[i] != floor(x[i]) || fabs(x[i]) >= 0x1p53)
            return heed_fail_false(HEED_ERR_ARGUMENT, function,
                                   "column %d of x is %.17g in row %" PRId64
                                   ": a label must be a whole number below 2^53",
                                   column, x[i], i);
    return true;
}

static bool check_columns(const char *function, const heed__np_data *data, const double *x, int64_t n)
{
    for (int c = 0; c < data->columns; c++) {
        char name[32];
        (void)snprintf(name, sizeof name, "column %d of x", c);
        if (!check_finite(function, name, x + c * n, n))
            return false;
        if (data->kinds[c] != HEED_NP_CONTINUOUS && !check_whole_labels(function, c, x + c * n, n))
            return false;
    }
    return true;
}

const double *heed__np_queries(const char *function, const heed__np_data *data, heed_tensor *x, int64_t *n)
{
    heed_tensor *columns = transposed_f64(function, x);
    if (!columns)
        return NULL;
    if (heed_dim(columns, 0) != data->columns)
        return heed_fail_null(HEED_ERR_SHAPE, function, "x is %s: must have %d columns, like the fit",
                              heed_shape_text(heed_shape_of(x)).s, data->columns);
    *n = heed_dim(columns, 1);
    const double *numbers = heed__np_numbers(columns);
    return check_columns(function, data, numbers, *n) ? numbers : NULL;
}

/* -- Rows ---------------------------------------------------------------------------------------------------------- */

static bool read_kinds(heed__np_data *data, const heed_np_options *o)
{
    for (int c = 0; c < data->columns; c++) {
        data->kinds[c] = o->columns ? o->columns[c] : HEED_NP_CONTINUOUS;
        if ((int)data->kinds[c] < HEED_NP_CONTINUOUS || data->kinds[c] > HEED_NP_ORDERED)
            return heed_fail_false(HEED_ERR_ARGUMENT, where,
                                   "columns[%d] is %d: must be HEED_NP_CONTINUOUS, HEED_NP_UNORDERED or "
                                   "HEED_NP_ORDERED",
                                   c, (int)data->kinds[c]);
        data->smooth += data->kinds[c] == HEED_NP_CONTINUOUS;
    }
    if (o->degree > 0 && heed__np_powers(data->smooth, o->degree) > HEED_NP_MAX_POWERS)
        return heed_fail_false(HEED_ERR_UNSUPPORTED, where,
                               "degree %d in %d continuous columns has %d powers: must be at most %d", o->degree,
                               data->smooth, heed__np_powers(data->smooth, o->degree), HEED_NP_MAX_POWERS);
    return true;
}

static bool check_row_shapes(heed_tensor *columns, heed_tensor *y, heed_tensor *w)
{
    const int64_t n = heed_dim(columns, 1), d = heed_dim(columns, 0);
    if (n < 1 || d < 1 || heed_rank(y) != 1 || heed_dim(y, 0) != n)
        return heed_fail_false(HEED_ERR_SHAPE, where,
                               "x has %" PRId64 " rows and %" PRId64 " columns, y is %s: must be (n) or "
                               "(n, d), and (n), with at least one row",
                               n, d, heed_shape_text(heed_shape_of(y)).s);
    if (w && (heed_rank(w) != 1 || heed_dim(w, 0) != n))
        return heed_fail_false(HEED_ERR_SHAPE, where, "y is %s, weights are %s: must have the same length",
                               heed_shape_text(heed_shape_of(y)).s, heed_shape_text(heed_shape_of(w)).s);
    if (d > HEED_NP_MAX_COLUMNS)
        return heed_fail_false(HEED_ERR_UNSUPPORTED, where, "x has %" PRId64 " columns: must be at most %d", d,
                               HEED_NP_MAX_COLUMNS);
    return true;
}

static bool allocate_rows(heed__np_data *data)
{
    size_t numbers = 0, n = (size_t)data->rows;
    if (__builtin_mul_overflow(n, (size_t)data->columns + 7, &numbers) ||
        __builtin_mul_overflow(numbers, sizeof(double), &data->block_size))
        return heed_fail_false(HEED_ERR_NOMEM, where, "cannot allocate %" PRId64 " rows", data->rows);
    data->block = heed_alloc(data->block_size);
    if (!data->block)
        return false;
    data->x = data->block;
    data->y = data->x + (size_t)data->columns * n;
    data->w = data->y + n;
    data->given = data->w + n;
    data->row_y = data->given + n;
    data->row_w = data->row_y + n;
    data->given_w = data->row_w + n;
    data->key_of = (int64_t *)(void *)(data->given_w + n);
    return true;
}

/* Stores y divided by a unit, so that its squares neither overflow nor vanish. Sets data->rounding so that differences
 * of a few units in the last place count as rounding errors. */
static void store_values(heed__np_data *data, const double *y, double epsilon)
{
    double most = 0, low = y[0], high = y[0];
    for (int64_t i = 0; i < data->rows; i++) {
        most = fmax(most, fabs(y[i]));
        low = fmin(low, y[i]);
        high = fmax(high, y[i]);
    }
    const bool usual = most == 0 || (most > 1e-100 && most < 1e100);
    data->unit = usual ? 1 : ldexp(1, ilogb(most));
    for (int64_t i = 0; i < data->rows; i++)
        data->row_y[i] = usual ? y[i] : y[i] / data->unit;
    data->rounding = HEED__NP_LAST_PLACES * epsilon * (most / data->unit);
    data->varies = high / data->unit - low / data->unit > data->rounding;
}

/* Computes weights and values of keys from their rows. The value is a running mean, because a sum could overflow. */
static void gather_keys(heed__np_data *data)
{
    memset(data->w, 0, (size_t)data->keys * sizeof *data->w);
    memset(data->y, 0, (size_t)data->keys * sizeof *data->y);
    data->total = 0;
    for (int64_t row = 0; row < data->rows; row++) {
        const int64_t k = data->key_of[row];
        const double w = data->row_w[row], share = w / (data->w[k] += w);
        data->total += w;
        if (w > 0)
            data->y[k] = share < 1 ? data->y[k] + (data->row_y[row] - data->y[k]) * share : data->row_y[row];
    }
}

/* Computes weights and values of keys as gather_keys does, and copies the weights to data->given. Must be called while
 * the weights of the rows exclude robust weights. */
static void gather_given(heed__np_data *data)
{
    gather_keys(data);
    memcpy(data->given, data->w, (size_t)data->keys * sizeof *data->given);
    data->given_total = data->total;
}

void heed__np_reweigh(heed__np_data *data, const double *factors)
{
    for (int64_t row = 0; row < data->rows; row++)
        data->row_w[row] = data->given_w[row] * factors[row];
    gather_keys(data);
}

/* Makes every row a key: row order[i] becomes key i. */
static void make_every_row_a_key(heed__np_data *data, const double *x, const int64_t *order)
{
    data->keys = data->rows;
    for (int64_t i = 0; i < data->rows; i++) {
        data->key_of[order[i]] = i;
        for (int c = 0; c < data->columns; c++)
            data->x[c * data->rows + i] = x[c * data->rows + order[i]];
    }
}

/* Makes the keys of a single continuous column: sorted, with one key for all rows with equal x. `order` sorts the
 * rows. */
static void group_rows(heed__np_data *data, const double *x, const int64_t *order)
{
    int64_t k = -1;
    for (int64_t i = 0; i < data->rows; i++) {
        if (k < 0 || x[order[i]] != data->x[k])
            data->x[++k] = x[order[i]];
        data->key_of[order[i]] = k;
    }
    data->keys = k + 1;
    data->sorted = true;
}

/* -- Columns ------------------------------------------------------------------------------------------------------- */

/* Sets minimum, range and scale of a column from its sorted numbers. The scale is the smaller of the standard deviation
 * and the interquartile range / 1.349. */
static void measure_column(heed__np_data *data, int c, const double *sorted, int64_t n)
{
    double labels = 1, mean = 0, squares = 0;
    for (int64_t i = 0; i < n; i++) {
        labels += i > 0 && sorted[i] != sorted[i - 1];
        const double away = sorted[i] / 2 - mean; /* numbers are halved so that differences cannot overflow */
        mean += away / (double)(i + 1);
        squares += away * (sorted[i] / 2 - mean) / (double)n;
    }
    const double spread = 2 * sqrt(squares);
    const double low = sorted[n / 4], high = sorted[(3 * n - 1) / 4];
    const double quartiles = 2 * (high / 2 - low / 2) / 1.349;
    data->labels[c] = fmax(labels, 2); /* queries may have a second label even if the rows have only one */
    data->least[c] = sorted[0];
    data->range[c] = fmin(2 * (sorted[n - 1] / 2 - sorted[0] / 2), 0x1p1000);
    data->scale[c] = quartiles > heed__np_rounding(low, high) && quartiles < spread ? quartiles : spread;
    if (!isfinite(data->scale[c]))
        data->scale[c] = data->range[c];
}

/* Returns an order of the rows in which rows that follow each other are near each other in all continuous columns. A
 * block of such rows then has a small bounding box. The rows are split into groups of equal size by the first column,
 * every group is split by the second column, and so on (S. Leutenegger, M. Lopez, J. Edgington: STR, 1997). Row c of
 * `orders` (d, n) sorts column c. The result belongs to the scope. Returns NULL after heed_fail. */
static const int64_t *tile_rows(const heed__np_data *data, const int64_t *orders)
{
    const int64_t n = data->rows;
    const double groups = pow((double)n / HEED__NP_BLOCK, 1.0 / (data->smooth > 0 ? data->smooth : 1));
    heed_tensor *cells = heed_zeros(HEED_F64, HEED_SHAPE(n)),
                *order = cells ? heed_arange(HEED_I64, 0, (double)n, 1) : NULL;
    double size = (double)n;
    for (int c = 0; order && c < data->columns; c++) {
        if (data->kinds[c] != HEED_NP_CONTINUOUS)
            continue;
        double *cell = heed__np_numbers(cells);
        for (int64_t i = 0; i < n; i++) { /* cells is sorted by group first and by this column second */
            double *at = &cell[orders[c * n + i]];
            *at = *at * (double)n + (double)i;
        }
        order = heed_argsort(cells, 0, false);
        size = ceil(size / ceil(groups));
        for (int64_t i = 0; order && i < n; i++)
            cell[((const int64_t *)(const void *)order->data)[i]] = floor((double)i / size);
    }
    return order ? (const int64_t *)(const void *)order->data : NULL;
}

/* Measures the columns and makes the keys. Returns false after heed_fail. */
static bool make_keys(heed__np_data *data, heed_tensor *columns)
{
    heed_tensor *orders = NULL, *sorted = heed_sort_axis(columns, 1, false, &orders);
    if (!sorted)
        return false;
    const double *x = heed__np_numbers(columns);
    const int64_t *order = (const int64_t *)(const void *)orders->data;
    for (int c = 0; c < data->columns; c++)
        measure_column(data, c, heed__np_numbers(sorted) + c * data->rows, data->rows);
    const bool line = data->columns == 1 && data->smooth == 1;
    if (!line && !(order = tile_rows(data, order)))
        return false;
    if (line)
        group_rows(data, x, order);
    else
        make_every_row_a_key(data, x, order);
    gather_given(data);
    return true;
}

static bool read_tensors(heed__np_data *data, heed_tensor *x, heed_tensor *y, const heed_np_options *o)
{
    heed_tensor *columns = transposed_f64(where, x);
    heed_tensor *values = columns ? dense_f64(where, "y", y) : NULL;
    heed_tensor *weights = values && o->weights ? dense_f64(where, "weights", o->weights) : NULL;
    if (!values || (o->weights && !weights) || !check_row_shapes(columns, values, weights))
        return false;
    const int64_t n = heed_dim(columns, 1);
    data->columns = (int)heed_dim(columns, 0);
    if (!read_kinds(data, o) || !check_columns(where, data, heed__np_numbers(columns), n) ||
        !check_finite(where, "y", heed__np_numbers(values), n) ||
        (weights && !check_finite(where, "weights", heed__np_numbers(weights), n)) ||
        !heed__np_remove_unweighted(data, &columns, &values, &weights))
        return false;
    data->rows = heed_dim(columns, 1);
    if (!allocate_rows(data))
        return false;
    heed__np_read_weights(data, weights ? heed__np_numbers(weights) : NULL);
    store_values(data, heed__np_numbers(values), heed_dtype_of(y) == HEED_F32 ? (double)FLT_EPSILON : DBL_EPSILON);
    return make_keys(data, columns);
}

bool heed__np_read(heed__np_data *data, heed_tensor *x, heed_tensor *y, const heed_np_options *options)
{
    *data = (heed__np_data){0};
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return false;
    const bool good = read_tensors(data, x, y, options);
    heed_scope_end(scope);
    if (!good)
        heed__np_data_free(data);
    return good;
}

/* Returns number i of a fixed pseudorandom sequence of numbers between 0 and 1. */
static double draw_number(int64_t i)
{
    const uint64_t at = (uint64_t)i;
    const uint32_t counter[4] = {(uint32_t)at, (uint32_t)(at >> 32)}, key[2] = {0x6e70, 0};
    uint32_t out[4];
    heed__philox(counter, key, out);
    return (double)out[0] * 0x1p-32;
}

/* Draws sample->rows of the keys as rows of the sample, by selection sampling: visits the keys in order and draws a key
 * with the probability (keys still needed) / (keys left) (R. Fan, M. Muller, I. Rezucha 1962). */
static void draw_keys(const heed__np_data *data, heed__np_data *sample)
{
    int64_t taken = 0;
    for (int64_t k = 0; k < data->keys && taken < sample->rows; k++) {
        if (draw_number(k) * (double)(data->keys - k) >= (double)(sample->rows - taken))
            continue;
        for (int c = 0; c < data->columns; c++)
            sample->x[c * sample->rows + taken] = data->x[c * data->keys + k];
        sample->row_y[taken] = data->y[k];
        sample->row_w[taken] = sample->given_w[taken] = data->w[k];
        sample->key_of[taken] = taken;
        taken++;
    }
}

bool heed__np_sample(const heed__np_data *data, int64_t keys, heed__np_data *sample)
{
    *sample = *data;
    sample->rows = sample->keys = keys;
    sample->absent = (heed__np_absent){0};
    if (!allocate_rows(sample))
        return false;
    draw_keys(data, sample);
    gather_given(sample);
    return true;
}

void heed__np_draw(heed__np_data *data, const double *factors)
{
    for (int64_t row = 0; row < data->rows; row++)
        data->row_w[row] = data->given_w[row] * factors[row];
    gather_given(data);
}

bool heed__np_copy(const heed__np_data *data, heed__np_data *copy)
{
    *copy = *data;
    copy->absent = (heed__np_absent){0};
    if (!allocate_rows(copy))
        return false;
    memcpy(copy->block, data->block, data->block_size);
    return true;
}

void heed__np_data_free(heed__np_data *data)
{
    heed_free(data->block, data->block_size);
    heed__np_absent_free(&data->absent);
    *data = (heed__np_data){0};
}
