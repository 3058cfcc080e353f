/* ops/index/bincount.c    y[v] = the number of elements v in x, or the sum of their weights.    dweights = g at x */

#include "ops/support.h"

#include <inttypes.h>

static bool check(const heed_tensor *x, const heed_tensor *weights, int64_t min_length)
{
    if (!heed__check_tensor("bincount", x) || (weights && !heed__check_tensor("bincount", weights)) ||
        !heed__check_i64("bincount", "the indices", x))
        return false;
    if (x->shape.rank != 1 || (weights && !heed__same_shape(&x->shape, &weights->shape)))
        return heed_fail_false(HEED_ERR_SHAPE, "bincount", "x %s, weights %s: must have the same shape, of rank 1",
                               heed_shape_text(x->shape).s, heed_shape_text(weights ? weights->shape : x->shape).s);
    if (min_length < 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, "bincount", "min_length is %" PRId64 ": must be at least 0",
                               min_length);
    return true;
}

/* The number of bins: one more than the largest element, but at least min_length. Negative elements are found later. */
static int64_t bins(const heed_tensor *x, int64_t min_length)
{
    const int64_t *values = (const void *)x->data;
    int64_t most = min_length - 1;
    for (int64_t i = 0; i < x->numel; i++)
        most = values[i] > most ? values[i] : most;
    return most == INT64_MAX ? most : most + 1;
}

heed_tensor *heed_bincount(heed_tensor *x, heed_tensor *weights, int64_t min_length)
{
    HEED_ENTER("bincount");
    if (!check(x, weights, min_length))
        return NULL;
    x = heed_contiguous(x);
    if (!x)
        return NULL;
    if (!weights)
        weights = heed_expand(heed_ones(HEED_I64, HEED_SCALAR), x->shape);
    return heed_index_sum(weights, 0, x, bins(x, min_length));
}
