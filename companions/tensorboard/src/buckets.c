/* tensorboard/src/buckets.c - counts numbers in the intervals of a histogram.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "buckets.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <heed/ops.h>
#include <heed/scope.h>

#define CHUNK_ELEMENTS 65536

void heed__tb_buckets_init(heed__tb_buckets *b)
{
    double *zero = b->edges + HEED__TB_PER_SIGN + 1, edge = 1e-12;
    *zero = 0;
    for (int i = 1; i <= HEED__TB_PER_SIGN; i++) {
        zero[i] = edge;
        zero[-i] = -edge;
        edge *= 1.1;
    }
    b->edges[0] = -DBL_MAX;
    b->edges[HEED__TB_EDGES - 1] = DBL_MAX;
}

static void add(heed__tb_buckets *b, double x)
{
    if (!isfinite(x))
        return;
    int low = 0, high = HEED__TB_EDGES - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (b->edges[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    b->counts[low + 1]++;
    b->min = b->count > 0 ? fmin(b->min, x) : x;
    b->max = b->count > 0 ? fmax(b->max, x) : x;
    b->count++;
    b->sum += x;
    b->sum_of_squares += x * x;
}

/* Counts elements `from` to `to - 1` of a row. */
static bool add_range(heed__tb_buckets *b, heed_tensor *row, int64_t from, int64_t to)
{
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return false;
    heed_tensor *range = heed_contiguous(heed_to_dtype(heed_slice(row, 0, from, to, 1), HEED_F64));
    const double *x = range ? heed_data_f64(range) : NULL;
    for (int64_t i = 0; x && i < to - from; i++)
        add(b, x[i]);
    (void)heed_scope_end(scope);
    return x != NULL;
}

/* heed_contiguous copies a view that repeats its elements; it fails if the copy would be too large. */
static bool add_all(heed__tb_buckets *b, heed_tensor *values)
{
    heed_tensor *row = heed_flatten(heed_contiguous(values), 0, -1);
    const int64_t count = row ? heed_numel(row) : 0;
    for (int64_t from = 0; from < count; from += CHUNK_ELEMENTS)
        if (!add_range(b, row, from, from + CHUNK_ELEMENTS < count ? from + CHUNK_ELEMENTS : count))
            return false;
    return row != NULL;
}

bool heed__tb_buckets_fill(heed__tb_buckets *b, heed_tensor *values)
{
    memset(b->counts, 0, sizeof b->counts);
    b->min = b->max = b->count = b->sum = b->sum_of_squares = 0;
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return false;
    const bool done = add_all(b, values);
    (void)heed_scope_end(scope);
    return done;
}

int heed__tb_buckets_span(const heed__tb_buckets *b, int *first)
{
    int start = 1, end = HEED__TB_EDGES - 1;
    while (start <= end && b->counts[start] == 0)
        start++;
    while (end >= start && b->counts[end] == 0)
        end--;
    *first = start - 1;
    return end < start ? 0 : end - start + 2;
}
