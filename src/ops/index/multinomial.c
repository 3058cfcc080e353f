/* ops/index/multinomial.c    y = indices drawn with probabilities proportional to the weights of a row.    No gradient
 *
 * The random numbers are f64 from heed_rand. With replacement, they have the result's shape, and for a number
 * u the result is the first index at which the cumulative sum of the weights exceeds u times their total. Without
 * replacement, they have the weights' shape, and the result is the indices of the smallest -log(1 - u) / weight, in
 * ascending order of these quotients.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "ops/support.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

#include "core/parallel.h"

/* Counts the n weights w above 0 in *above, and sums all n weights in *sum. Returns false after heed_fail. */
static bool check_weights(const char *where, const double *w, int64_t n, int64_t row, int64_t *above, double *sum)
{
    *above = 0;
    *sum = 0;
    for (int64_t i = 0; i < n; i++) {
        if (!(w[i] >= 0) || isinf(w[i]))
            return heed_fail_false(HEED_ERR_ARGUMENT, where,
                                   "weight %" PRId64 " of row %" PRId64 " is %g: must be finite and not negative", i,
                                   row, w[i]);
        *above += w[i] > 0;
        *sum += w[i];
    }
    return (*sum >= DBL_MIN && isfinite(*sum)) ||
           heed_fail_false(HEED_ERR_ARGUMENT, where,
                           "the weights of row %" PRId64 " add up to %g: must be positive and finite", row, *sum);
}

static bool check_weight_rows(const char *where, const heed_tensor *weights, int64_t classes, int64_t count,
                              bool replacement)
{
    const double *w = (const void *)weights->data;
    for (int64_t row = 0; row * classes < weights->numel; row++, w += classes) {
        int64_t above;
        double sum;
        if (!check_weights(where, w, classes, row, &above, &sum))
            return false;
        if (!replacement && count > above)
            return heed_fail_false(HEED_ERR_ARGUMENT, where,
                                   "count is %" PRId64 ", but row %" PRId64 " has %" PRId64 " weights above 0", count,
                                   row, above);
    }
    return true;
}

typedef struct sampling {
    const double *weights, *draws;
    int64_t *y;
    int64_t classes, count;
} sampling;

/* Looks every random number u up in the cumulative sums, which are computed in `scratch`. The last sum is a normal
 * number, so that u times this sum is less than the sum for every u below 1. */
static void draw_rows(int64_t begin, int64_t end, char *scratch, void *context)
{
    const sampling *c = context;
    double *sums = (void *)scratch;
    for (int64_t row = begin; row < end; row++) {
        const double *w = c->weights + row * c->classes;
        double sum = 0;
        for (int64_t i = 0; i < c->classes; i++)
            sums[i] = sum += w[i];
        for (int64_t j = row * c->count; j < (row + 1) * c->count; j++) {
            double limit = c->draws[j] * sum;
            int64_t low = 0, high = c->classes - 1;
            while (low < high) {
                int64_t mid = low + (high - low) / 2;
                if (sums[mid] > limit)
                    high = mid;
                else
                    low = mid + 1;
            }
            c->y[j] = low;
        }
    }
}

static heed_tensor *with_replacement(const heed_tensor *weights, int64_t classes, heed_shape shape)
{
    heed_tensor *y = heed__tensor_new("multinomial", HEED_I64, &shape);
    heed_tensor *draws = y ? heed_rand(HEED_F64, shape) : NULL;
    if (!draws || y->numel == 0)
        return draws ? y : NULL;
    sampling c = {.weights = (const void *)weights->data,
                  .draws = (const void *)draws->data,
                  .y = (void *)y->data,
                  .classes = classes,
                  .count = shape.dims[shape.rank - 1]};
    return heed__parallel_for_scratch("multinomial", y->numel / c.count, 1, 2 * classes + 64 * c.count,
                                      classes * (int64_t)sizeof(double), draw_rows, &c)
               ? y
               : NULL;
}

/* Weights of 0 get infinite keys and so come last. */
static heed_tensor *without_replacement(heed_tensor *weights, int64_t count)
{
    heed_tensor *indices = NULL, *u = heed_rand(HEED_F64, weights->shape);
    double *t = u ? (void *)u->data : NULL;
    const double *w = (const void *)weights->data;
    for (int64_t i = 0; t && i < weights->numel; i++)
        t[i] = w[i] > 0 ? fmin(-log1p(-t[i]) / w[i], DBL_MAX) : (double)INFINITY;
    (void)heed_topk(u, -1, count, false, &indices);
    return indices;
}

static heed_tensor *draw_indices(heed_tensor *weights, int64_t count, bool replacement)
{
    heed_shape shape = weights->shape;
    int64_t classes = shape.dims[shape.rank - 1];
    shape.dims[shape.rank - 1] = count;
    weights = heed_contiguous(heed_to_dtype(weights, HEED_F64));
    if (!weights || !heed__check_shape("multinomial", &shape) ||
        !check_weight_rows("multinomial", weights, classes, count, replacement))
        return NULL;
    if (weights->numel == 0 && heed__numel(&shape) > 0)
        return heed_fail_null(HEED_ERR_ARGUMENT, "multinomial", "rows of weights %s are empty",
                              heed_shape_text(weights->shape).s);
    return replacement ? with_replacement(weights, classes, shape) : without_replacement(weights, count);
}

heed_tensor *heed_multinomial(heed_tensor *weights, int64_t count, bool replacement)
{
    HEED_ENTER("multinomial");
    if (!heed__check_tensor("multinomial", weights) || !heed__check_float("multinomial", weights))
        return NULL;
    if (weights->shape.rank == 0)
        return heed_fail_null(HEED_ERR_SHAPE, "multinomial", "the weights are a scalar: must have at least one axis");
    if (count < 0)
        return heed_fail_null(HEED_ERR_ARGUMENT, "multinomial", "count is %" PRId64 ": must be at least 0", count);
    heed_scope *scope = heed_no_grad_begin();
    return scope ? heed_scope_return(scope, draw_indices(weights, count, replacement)) : NULL;
}
