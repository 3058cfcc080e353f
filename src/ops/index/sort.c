/* ops/index/sort.c    y, indices = x sorted along an axis, stable; only the first `count` of a row for topk.
 *
 * dx = g, scattered to the indices */

#include "ops/index/sort.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/parallel.h"

typedef struct sort_params {
    int axis;
    bool descending;
    int64_t count;
} sort_params;

/* An element of a row: an integer key that is ordered like the elements, and the element's index. */
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
static void merge(const entry *from, int64_t low, int64_t mid, int64_t high, entry *to)
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
            merge(*a, low, mid, high, *b);
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

static bool infer(const heed_call *call, heed_meta *out)
{
    const heed_tensor *x = call->inputs[0];
    if (x->dtype == HEED_BOOL)
        return heed_fail_false(HEED_ERR_DTYPE, "sort", "the tensor is bool %s: must be f32, f64 or i64",
                               heed_shape_text(x->shape).s);
    const sort_params *params = call->params;
    if (heed__axis_of("sort", params->axis, x->shape.rank) < 0)
        return false;
    out[0] = (heed_meta){x->dtype, x->shape};
    out[0].shape.dims[params->axis] = params->count;
    out[1] = (heed_meta){HEED_I64, out[0].shape};
    return true;
}

static bool forward(const heed_call *call, heed_tensor *const *out)
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

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
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
    .infer = infer,
    .forward = forward,
    .backward = backward,
};

heed_tensor *heed__sort(const char *where, heed_tensor *x, int axis, bool descending, int64_t count,
                        heed_tensor **indices)
{
    heed_tensor *outputs[2] = {NULL, NULL};
    sort_params params = {.descending = descending, .count = count};
    if (heed__check_tensor(where, x) && (params.axis = heed__axis_of(where, axis, x->shape.rank)) >= 0) {
        int64_t size = x->shape.dims[params.axis];
        if (count == HEED__ALL)
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
    return heed__sort("sort_axis", x, axis, descending, HEED__ALL, indices);
}

heed_tensor *heed_sort(heed_tensor *x)
{
    HEED_ENTER("sort");
    return heed__sort("sort", x, -1, false, HEED__ALL, NULL);
}
