/* np/row_weights.c - weights of rows: their unit, and rows of weight 0, which a fit leaves out.
 *
 * Rows of weight 0 are removed before anything is measured, so medians, searches, ranges and shares cannot depend on
 * them. Results with one number per row still include them: the fitted function m is evaluated at their x, as at any
 * query.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "np/data.h"

static const char where[] = "np_fit";

/* -- The unit ------------------------------------------------------------------------------------------------------ */

/* A remainder of at most this share of the divisor counts as 0, because weights such as 0.1 and 0.3 are rounded. */
#define SAME 1e-6

/* Euclid's algorithm: returns the largest number of which a and b are multiples, or 0 if it is below `least`. */
static double common_unit(double a, double b, double least)
{
    for (;;) {
        const double rest = fabs(remainder(a, b));
        if (rest <= SAME * b)
            return b;
        if (rest < least)
            return 0;
        a = b;
        b = rest;
    }
}

static double weights_unit(const double *w, int64_t n, double most)
{
    const double least = 1e-4 * most;
    double unit = most;
    for (int64_t i = 0; i < n && unit > 0; i++)
        unit = w[i] < least ? 0 : common_unit(w[i], unit, least);
    return unit;
}

void heed__np_read_weights(heed__np_data *data, const double *w)
{
    const int64_t n = data->rows;
    double most = 0, total = 0;
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, w ? w[i] : 1);
    for (int64_t i = 0; i < n; i++) {
        data->given_w[i] = w ? w[i] / most : 1;
        total += data->given_w[i];
    }
    data->weight_unit = 1;
    if (w) {
        const double factor = (double)n / total;
        data->weight_unit = weights_unit(w, n, most) / most * factor;
        for (int64_t i = 0; i < n; i++)
            data->given_w[i] *= factor;
    }
    memcpy(data->row_w, data->given_w, (size_t)n * sizeof *data->row_w);
}

/* -- Rows of weight 0 ---------------------------------------------------------------------------------------------- */

static bool count_positive(const double *w, int64_t n, int64_t *positive)
{
    *positive = 0;
    for (int64_t i = 0; i < n; i++) {
        if (w[i] < 0)
            return heed_fail_false(HEED_ERR_ARGUMENT, where, "weights is %g in row %" PRId64 ": must not be negative",
                                   w[i], i);
        *positive += w[i] > 0;
    }
    return *positive > 0 || heed_fail_false(HEED_ERR_ARGUMENT, where, "all weights are 0");
}

static bool allocate_absent(heed__np_absent *absent, int columns, int64_t rows, int64_t count)
{
    absent->size = (size_t)rows * sizeof(int64_t) + (size_t)count * ((size_t)columns + 1) * sizeof(double);
    absent->index = heed_alloc(absent->size);
    if (!absent->index)
        return false;
    absent->count = count;
    absent->x = (double *)(void *)(absent->index + rows);
    absent->y = absent->x + (size_t)columns * (size_t)count;
    return true;
}

/* Copies x and y of the rows of weight 0 to data->absent, and writes the indices of the other rows to `kept`. */
static void split_rows(heed__np_data *data, const double *x, const double *y, const double *w, int64_t *kept)
{
    heed__np_absent *absent = &data->absent;
    int64_t present = 0, missing = 0;
    for (int64_t i = 0; i < absent->rows; i++) {
        if (w[i] > 0) {
            absent->index[i] = present;
            kept[present++] = i;
            continue;
        }
        for (int c = 0; c < data->columns; c++)
            absent->x[c * absent->count + missing] = x[c * absent->rows + i];
        absent->y[missing] = y[i];
        absent->index[i] = -1 - missing++;
    }
}

bool heed__np_remove_unweighted(heed__np_data *data, heed_tensor **columns, heed_tensor **y, heed_tensor **weights)
{
    const int64_t rows = heed_dim(*columns, 1);
    int64_t positive = rows;
    data->absent.rows = rows;
    if (*weights && !count_positive(heed__np_numbers(*weights), rows, &positive))
        return false;
    if (positive == rows)
        return true;
    heed_tensor *kept = heed_zeros(HEED_I64, HEED_SHAPE(positive));
    if (!kept || !allocate_absent(&data->absent, data->columns, rows, rows - positive))
        return false;
    split_rows(data, heed__np_numbers(*columns), heed__np_numbers(*y), heed__np_numbers(*weights),
               (int64_t *)(void *)kept->data);
    *columns = heed_contiguous(heed_index_select(*columns, 1, kept));
    *y = heed_contiguous(heed_index_select(*y, 0, kept));
    *weights = heed_contiguous(heed_index_select(*weights, 0, kept));
    return *columns && *y && *weights;
}

void heed__np_absent_free(heed__np_absent *absent)
{
    heed_free(absent->index, absent->size);
    *absent = (heed__np_absent){0};
}
