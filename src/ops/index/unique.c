/* ops/index/unique.c    y = the distinct elements in ascending order, the index of every element of x in y, and counts.
 *
 * No gradient. x is sorted. An element that differs from its predecessor is a new distinct element, so every NaN is
 * distinct. */

#include "ops/index/sort.h"

/* The results: values, the distinct elements; inverse (i64), the index in `values` of every element of x; counts (i64),
 * the number of occurrences of every distinct element. */
typedef struct distinct {
    heed_tensor *values, *inverse, *counts;
} distinct;

/* Sets d->inverse and d->counts. order (n) holds the indices that sort x; differs (n - 1) is true if a sorted element
 * differs from its predecessor. Returns the sorted positions of the first occurrences of the distinct elements, or NULL
 * after heed_fail. */
static heed_tensor *number_distinct(const heed_tensor *order, const heed_tensor *differs, distinct *d)
{
    const int64_t *from = (const void *)order->data;
    const bool *is_new = (const void *)differs->data;
    int64_t n = order->numel, number = n > 0;
    for (int64_t i = 1; i < n; i++)
        number += is_new[i - 1];
    heed_tensor *firsts = heed_empty(HEED_I64, HEED_SHAPE(number));
    d->counts = heed_zeros(HEED_I64, HEED_SHAPE(number));
    d->inverse = heed_empty(HEED_I64, HEED_SHAPE(n));
    if (!firsts || !d->counts || !d->inverse)
        return NULL;
    int64_t *first = (void *)firsts->data, *inverse = (void *)d->inverse->data, *counts = (void *)d->counts->data;
    for (int64_t i = 0, now = -1; i < n; i++) {
        if (i == 0 || is_new[i - 1])
            first[++now] = i;
        inverse[from[i]] = now;
        counts[now]++;
    }
    return firsts;
}

static distinct find(heed_tensor *x)
{
    distinct d = {NULL, NULL, NULL};
    heed_tensor *flat = heed_reshape(x, HEED_SHAPE(-1)), *order;
    if (flat && x->dtype == HEED_BOOL)
        flat = heed_to_dtype(flat, HEED_I64);
    heed_tensor *sorted = heed__sort("unique", flat, 0, false, HEED__ALL, &order);
    heed_tensor *differs =
        heed_compare(heed_slice(sorted, 0, 1, HEED_END, 1), HEED_COMPARE_NE, heed_slice(sorted, 0, 0, -1, 1));
    if (!differs)
        return d;
    d.values = heed_to_dtype(heed_index_select(sorted, 0, number_distinct(order, differs, &d)), x->dtype);
    d.inverse = heed_reshape(d.inverse, x->shape);
    return d;
}

/* Moves one more result of a scope that has ended to the enclosing scope. */
static heed_tensor *borrow(heed_tensor *owned)
{
    return owned ? heed__borrow("unique", owned) : NULL;
}

heed_tensor *heed_unique(heed_tensor *x, heed_tensor **inverse, heed_tensor **counts)
{
    HEED_ENTER("unique");
    distinct d = {NULL, NULL, NULL};
    heed_scope *scope = heed__check_tensor("unique", x) ? heed_no_grad_begin() : NULL;
    if (scope) {
        d = find(x);
        heed_retain(d.inverse);
        heed_retain(d.counts);
        d.values = heed_scope_return(scope, d.values);
        d.inverse = borrow(d.inverse);
        d.counts = borrow(d.counts);
    }
    bool all = d.values && d.inverse && d.counts;
    if (inverse)
        *inverse = all ? d.inverse : NULL;
    if (counts)
        *counts = all ? d.counts : NULL;
    return all ? d.values : NULL;
}
