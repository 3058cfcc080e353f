/* ops/index/sort.c - sorting, and searching in sorted rows.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/parallel.h"
#include "kernels/simd/compiler.h"
#include "ops/support.h"

/* -- sort ---------------------------------------------------------------------------------------------------------- */

/* y, indices = x sorted along an axis, stable; only the first `count` of a row for topk.
 *
 * dx = g, scattered to the indices */

typedef struct sort_params {
    int axis;
    bool descending;
    int64_t count;
} sort_params;

/* An element of a row: an integer key, ordered like the elements, and the element's index. */
typedef struct entry {
    uint64_t key;
    int64_t index;
} entry;

static const uint64_t TOP_BIT = UINT64_C(1) << 63;

/* A key ordered like the numbers: -0 equals 0, and NaN comes after all numbers. */
static uint64_t float_key(double value)
{
    uint64_t bits;
    if (isnan(value))
        return UINT64_MAX;
    value = value == 0 ? 0 : value;
    memcpy(&bits, &value, sizeof bits);
    return bits & TOP_BIT ? ~bits : bits | TOP_BIT;
}

static uint64_t key_at(const heed_tensor *x, int64_t i)
{
    if (x->dtype == HEED_F32)
        return float_key((double)((const float *)(const void *)x->data)[i]);
    if (x->dtype == HEED_F64)
        return float_key(((const double *)(const void *)x->data)[i]);
    return ((const uint64_t *)(const void *)x->data)[i] ^ TOP_BIT;
}

/* Merges from[low .. mid - 1] and from[mid .. high - 1]. The merge is stable: equal keys keep their order. */
static void merge_entries(const entry *from, int64_t low, int64_t mid, int64_t high, entry *to)
{
    int64_t i = low, j = mid;
    for (int64_t k = low; k < high; k++)
        to[k] = j >= high || (i < mid && from[i].key <= from[j].key) ? from[i++] : from[j++];
}

/* Sorts *a[n], using *b[n] as work space. Swaps the pointers so that *a is the sorted array. */
static void merge_sort(entry **a, entry **b, int64_t n)
{
    for (int64_t width = 1; width < n; width *= 2) {
        for (int64_t low = 0; low < n; low += 2 * width) {
            int64_t mid = low + width < n ? low + width : n;
            int64_t high = mid + width < n ? mid + width : n;
            merge_entries(*a, low, mid, high, *b);
        }
        entry *sorted = *b;
        *b = *a;
        *a = sorted;
    }
}

typedef struct sorting {
    const heed_tensor *x;
    heed_tensor *y, *indices;
    heed__axis_split split; /* of x */
    sort_params params;
    int64_t capacity; /* entries held at a time: the whole row, or 2 count */
} sorting;

/* Returns the first `count` entries, in order, of the row that begins at element `first` of x and has n elements,
 * `inner` apart. If a and b have no capacity for all entries, skips entries that cannot be among the best so far; of
 * equal entries, it keeps the earlier one. */
static const entry *best_of_row(const sorting *c, int64_t first, entry *a, entry *b)
{
    uint64_t limit = 0;
    int64_t kept = 0;
    bool limited = false;
    for (int64_t j = 0; j < c->split.size; j++) {
        uint64_t key = key_at(c->x, first + j * c->split.inner);
        key = c->params.descending ? ~key : key;
        if (limited && key >= limit)
            continue;
        a[kept++] = (entry){key, j};
        if (kept < c->capacity || kept <= c->params.count)
            continue;
        merge_sort(&a, &b, kept);
        kept = c->params.count;
        limit = a[kept - 1].key;
        limited = true;
    }
    merge_sort(&a, &b, kept);
    return a;
}

static void sort_rows(int64_t begin, int64_t end, char *scratch, void *context)
{
    const sorting *c = context;
    int64_t size = (int64_t)heed_dtype_size(c->x->dtype), inner = c->split.inner;
    int64_t *indices = (void *)c->indices->data;
    entry *work = (void *)scratch;
    for (int64_t row = begin; row < end; row++) {
        int64_t o = row / inner, i = row % inner, first = o * c->split.size * inner + i;
        const entry *best = best_of_row(c, first, work, work + c->capacity);
        for (int64_t j = 0; j < c->params.count; j++) {
            int64_t to = (o * c->params.count + j) * inner + i, from = first + best[j].index * inner;
            memcpy(c->y->data + to * size, c->x->data + from * size, (size_t)size);
            indices[to] = best[j].index;
        }
    }
}

static bool sort_infer(const heed_call *call, heed_meta *out)
{
    const heed_tensor *x = call->inputs[0];
    if (!heed__check_number_dtype("sort", x))
        return false;
    const sort_params *params = call->params;
    if (heed__axis_of("sort", params->axis, x->shape.rank) < 0)
        return false;
    out[0] = (heed_meta){x->dtype, x->shape};
    out[0].shape.dims[params->axis] = params->count;
    out[1] = (heed_meta){HEED_I64, out[0].shape};
    return true;
}

static bool sort_forward(const heed_call *call, heed_tensor *const *out)
{
    const heed_tensor *x = call->inputs[0];
    sorting c = {.x = x, .y = out[0], .indices = out[1], .params = *(const sort_params *)call->params};
    int64_t bytes;
    if (out[0]->numel == 0)
        return true;
    c.split = heed__split_at(&x->shape, c.params.axis);
    c.capacity = c.params.count < c.split.size / 2 ? 2 * c.params.count : c.split.size;
    if (__builtin_mul_overflow(c.capacity, 2 * (int64_t)sizeof(entry), &bytes))
        return heed_fail_false(HEED_ERR_NOMEM, "sort", "not enough memory to sort %" PRId64 " elements", c.split.size);
    return heed__parallel_for_scratch("sort", c.split.outer * c.split.inner, 1 + 256 / c.split.size, 16 * c.split.size,
                                      bytes, sort_rows, &c);
}

static void sort_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const sort_params *params = call->params;
    dx[0] = heed_scatter_sum(g[0], params->axis, call->outputs[1], heed_call_shape(call, 0));
}

const heed_op heed_op_sort = {
    .name = "sort",
    .n_inputs = 1,
    .n_outputs = 2,
    .params_size = sizeof(sort_params),
    .fields =
        HEED_FIELDS(HEED_FIELD(sort_params, axis), HEED_FIELD(sort_params, descending), HEED_FIELD(sort_params, count)),
    .saved = HEED_SAVE_OUTPUTS,
    .contiguous = true,
    .infer = sort_infer,
    .forward = sort_forward,
    .backward = sort_backward,
};

#define ALL INT64_MIN

/* Like heed_sort_axis, but returns only the first `count` elements of a row, or all elements for ALL. The caller must
 * have called HEED_ENTER(where). */
static heed_tensor *sort_along(const char *where, heed_tensor *x, int axis, bool descending, int64_t count,
                               heed_tensor **indices)
{
    heed_tensor *outputs[2] = {NULL, NULL};
    sort_params params = {.descending = descending, .count = count};
    if (heed__check_tensor(where, x) && (params.axis = heed__axis_of(where, axis, x->shape.rank)) >= 0) {
        int64_t size = x->shape.dims[params.axis];
        if (count == ALL)
            params.count = size;
        if (params.count < 0 || params.count > size)
            heed_fail(HEED_ERR_ARGUMENT, where, "k is %" PRId64 ": must be in 0 .. %" PRId64 " for axis %d of %s",
                      count, size, params.axis, heed_shape_text(x->shape).s);
        else
            heed_apply_all(&heed_op_sort, &x, 1, &params, outputs);
    }
    if (indices)
        *indices = outputs[1];
    return outputs[0];
}

heed_tensor *heed_sort_axis(heed_tensor *x, int axis, bool descending, heed_tensor **indices)
{
    HEED_ENTER("sort_axis");
    return sort_along("sort_axis", x, axis, descending, ALL, indices);
}

heed_tensor *heed_sort(heed_tensor *x)
{
    HEED_ENTER("sort");
    return sort_along("sort", x, -1, false, ALL, NULL);
}

/* y = the indices that sort returns.    No gradient */
heed_tensor *heed_argsort(heed_tensor *x, int axis, bool descending)
{
    HEED_ENTER("argsort");
    heed_tensor *indices = NULL;
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return NULL;
    (void)sort_along("argsort", x, axis, descending, ALL, &indices);
    return heed_scope_return(scope, indices);
}

/* y = the k largest or smallest along an axis, in order.    dx = g, scattered to the indices */
heed_tensor *heed_topk(heed_tensor *x, int axis, int64_t k, bool largest, heed_tensor **indices)
{
    HEED_ENTER("topk");
    int64_t count = k == ALL ? -1 : k; /* ALL is not a valid count */
    return sort_along("topk", x, axis, largest, count, indices);
}

/* -- unique -------------------------------------------------------------------------------------------------------- */

/* y = the distinct elements in ascending order, the index of every element of x in y, and counts.
 *
 * No gradient. x is sorted. An element that differs from its predecessor is a new distinct element, so every NaN is
 * distinct. */

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

static distinct find_distinct(heed_tensor *x)
{
    distinct d = {NULL, NULL, NULL};
    heed_tensor *flat = heed_reshape(x, HEED_SHAPE(-1)), *order;
    if (flat && x->dtype == HEED_BOOL)
        flat = heed_to_dtype(flat, HEED_I64);
    heed_tensor *sorted = sort_along("unique", flat, 0, false, ALL, &order);
    heed_tensor *differs =
        heed_compare(heed_slice(sorted, 0, 1, HEED_END, 1), HEED_COMPARE_NE, heed_slice(sorted, 0, 0, -1, 1));
    if (!order || !differs)
        return d;
    d.values = heed_to_dtype(heed_index_select(sorted, 0, number_distinct(order, differs, &d)), x->dtype);
    d.inverse = heed_reshape(d.inverse, x->shape);
    return d;
}

/* Moves one more result of a scope that has ended to the enclosing scope. */
static heed_tensor *borrow_result(heed_tensor *owned)
{
    return owned ? heed__borrow("unique", owned) : NULL;
}

heed_tensor *heed_unique(heed_tensor *x, heed_tensor **inverse, heed_tensor **counts)
{
    HEED_ENTER("unique");
    distinct d = {NULL, NULL, NULL};
    heed_scope *scope = heed__check_tensor("unique", x) ? heed_no_grad_begin() : NULL;
    if (scope) {
        d = find_distinct(x);
        heed_retain(d.inverse);
        heed_retain(d.counts);
        d.values = heed_scope_return(scope, d.values);
        d.inverse = borrow_result(d.inverse);
        d.counts = borrow_result(d.counts);
    }
    bool all = d.values && d.inverse && d.counts;
    if (inverse)
        *inverse = all ? d.inverse : NULL;
    if (counts)
        *counts = all ? d.counts : NULL;
    return all ? d.values : NULL;
}

/* -- searchsorted -------------------------------------------------------------------------------------------------- */

/* y = the number of elements of a sorted row below a value, or not above it.    No gradient */
static bool searchsorted_infer(const heed_call *call, heed_meta *out)
{
    const heed_tensor *sorted = call->inputs[0], *values = call->inputs[1];
    heed_shape rows = sorted->shape, same = values->shape;
    if (sorted->dtype != values->dtype || sorted->dtype == HEED_BOOL)
        return heed_fail_false(HEED_ERR_DTYPE, "searchsorted", "%s and %s: must both be f32, both f64 or both i64",
                               heed_dtype_name(sorted->dtype), heed_dtype_name(values->dtype));
    rows.rank--;
    same.rank--;
    if (rows.rank < 0 || (rows.rank > 0 && !heed__same_shape(&rows, &same)))
        return heed_fail_false(HEED_ERR_SHAPE, "searchsorted", "values %s do not match the rows of %s",
                               heed_shape_text(values->shape).s, heed_shape_text(sorted->shape).s);
    *out = (heed_meta){HEED_I64, values->shape};
    return true;
}

typedef struct lookup {
    const heed_tensor *sorted, *values;
    int64_t *y;
    int64_t n, per_row; /* elements per row, and values to look up per row */
    bool right;
} lookup;

/* NaN is above every number. */
#define IS_BELOW(a, b) ((a) < (b) || ((a) == (a) && (b) != (b)))
#define IS_BEFORE(element, right, value) ((right) ? !IS_BELOW(value, element) : IS_BELOW(element, value))

static ALWAYS_INLINE bool is_before(heed_dtype dtype, const lookup *c, int64_t at, int64_t i)
{
    const float *sorted32 = (const void *)c->sorted->data, *values32 = (const void *)c->values->data;
    const double *sorted64 = (const void *)c->sorted->data, *values64 = (const void *)c->values->data;
    const int64_t *sorted = (const void *)c->sorted->data, *values = (const void *)c->values->data;
    return dtype == HEED_F32   ? IS_BEFORE(sorted32[at], c->right, values32[i])
           : dtype == HEED_F64 ? IS_BEFORE(sorted64[at], c->right, values64[i])
                               : IS_BEFORE(sorted[at], c->right, values[i]);
}

/* Finds the first positions whose elements are not below the values or, with `right`, are above them. dtype is a
 * constant. */
static ALWAYS_INLINE void find_of_dtype(heed_dtype dtype, const lookup *c, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++) {
        const int64_t row = i / c->per_row * c->n;
        int64_t low = 0, high = c->n;
        while (low < high) {
            const int64_t mid = low + (high - low) / 2;
            if (is_before(dtype, c, row + mid, i))
                low = mid + 1;
            else
                high = mid;
        }
        c->y[i] = low;
    }
}

static void find_positions(int64_t begin, int64_t end, void *context)
{
    const lookup *c = context;
    if (c->values->dtype == HEED_F32)
        find_of_dtype(HEED_F32, c, begin, end);
    else if (c->values->dtype == HEED_F64)
        find_of_dtype(HEED_F64, c, begin, end);
    else
        find_of_dtype(HEED_I64, c, begin, end);
}

static bool searchsorted_forward(const heed_call *call, heed_tensor *const *out)
{
    const heed_tensor *sorted = call->inputs[0], *values = call->inputs[1];
    const int rank = sorted->shape.rank;
    lookup c = {.sorted = sorted,
                .values = values,
                .y = (void *)out[0]->data,
                .n = sorted->shape.dims[rank - 1],
                .per_row = rank == 1 ? values->numel : values->shape.dims[rank - 1],
                .right = *(const bool *)call->params};
    heed__parallel_for(values->numel, 512, 64, find_positions, &c);
    return true;
}

const heed_op heed_op_searchsorted = {
    .name = "searchsorted",
    .n_inputs = 2,
    .n_outputs = 1,
    .params_size = sizeof(bool),
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(bool, "right")),
    .contiguous = true,
    .infer = searchsorted_infer,
    .forward = searchsorted_forward,
};

heed_tensor *heed_searchsorted(heed_tensor *sorted, heed_tensor *values, bool right)
{
    return heed__apply2(&heed_op_searchsorted, sorted, values, &right);
}
