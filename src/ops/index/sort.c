/* ops/index/sort.c    y, indices = x in order along an axis, stable.    dx = g, scattered back to the indices */

#include "ops/support.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/memory.h"

typedef struct sort_params {
    int axis;
    bool descending;
} sort_params;

/* An element's place in the order as a number, and where it is in its row. */
typedef struct entry {
    uint64_t key;
    int64_t index;
} entry;

static const uint64_t TOP_BIT = UINT64_C(1) << 63;

/* Ordered as the numbers are: -0 equals 0, every NaN comes after everything. */
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

/* Merges from[low .. mid - 1] and from[mid .. high - 1]; of equals those of the first come first. */
static void merge(const entry *from, int64_t low, int64_t mid, int64_t high, entry *to)
{
    int64_t i = low, j = mid;
    for (int64_t k = low; k < high; k++)
        to[k] = j >= high || (i < mid && from[i].key <= from[j].key) ? from[i++] : from[j++];
}

/* Sorts a[n], with b[n] to work in; returns the one that the result is in. */
static const entry *merge_sort(entry *a, entry *b, int64_t n)
{
    for (int64_t width = 1; width < n; width *= 2) {
        for (int64_t low = 0; low < n; low += 2 * width) {
            int64_t mid = low + width < n ? low + width : n;
            int64_t high = mid + width < n ? mid + width : n;
            merge(a, low, mid, high, b);
        }
        entry *sorted = b;
        b = a;
        a = sorted;
    }
    return a;
}

/* One row: n elements from `first`, `inner` apart. */
static void sort_row(const heed_call *call, heed_tensor *const *out, int64_t first, heed__axis_split s, entry *work)
{
    const sort_params *params = call->params;
    const heed_tensor *x = call->inputs[0];
    size_t size = heed_dtype_size(x->dtype);
    int64_t *indices = (void *)out[1]->data;
    for (int64_t j = 0; j < s.size; j++) {
        uint64_t key = key_at(x, first + j * s.inner);
        work[j] = (entry){params->descending ? ~key : key, j};
    }
    const entry *sorted = merge_sort(work, work + s.size, s.size);
    for (int64_t j = 0; j < s.size; j++) {
        int64_t to = first + j * s.inner, from = first + sorted[j].index * s.inner;
        memcpy(out[0]->data + to * (int64_t)size, x->data + from * (int64_t)size, size);
        indices[to] = sorted[j].index;
    }
}

static bool infer(const heed_call *call, heed_meta *out)
{
    const heed_tensor *x = call->inputs[0];
    if (x->dtype == HEED_BOOL)
        return heed_fail_false(HEED_ERR_DTYPE, "sort", "the tensor is bool %s: must be f32, f64 or i64",
                               heed_shape_text(x->shape).s);
    out[0] = (heed_meta){x->dtype, x->shape};
    out[1] = (heed_meta){HEED_I64, x->shape};
    return true;
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const sort_params *params = call->params;
    const heed_tensor *x = call->inputs[0];
    heed__axis_split s = heed__split(&x->shape, params->axis);
    size_t bytes;
    if (x->numel == 0)
        return true;
    if (__builtin_mul_overflow((size_t)s.size, 2 * sizeof(entry), &bytes))
        return heed_fail_false(HEED_ERR_NOMEM, "sort", "no room to sort %" PRId64 " elements", s.size);
    entry *work = heed__alloc("sort", bytes);
    if (!work)
        return false;
    for (int64_t o = 0; o < s.outer; o++)
        for (int64_t i = 0; i < s.inner; i++)
            sort_row(call, out, o * s.size * s.inner + i, s, work);
    heed_free(work, bytes);
    return true;
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
    .keeps = HEED_KEEP_OUTPUTS,
    .contiguous = true,
    .infer = infer,
    .forward = forward,
    .backward = backward,
};

static heed_tensor *sort(const char *where, heed_tensor *x, int axis, bool descending, heed_tensor **indices)
{
    HEED_ENTER(where);
    heed_tensor *outputs[2] = {NULL, NULL};
    sort_params params = {.descending = descending};
    if (heed__check_tensor(where, x) && (params.axis = heed__axis_of(where, axis, x->shape.rank)) >= 0)
        heed_apply_all(&heed_op_sort, &x, 1, &params, outputs);
    if (indices)
        *indices = outputs[1];
    return outputs[0];
}

heed_tensor *heed_sort_axis(heed_tensor *x, int axis, bool descending, heed_tensor **indices)
{
    return sort("sort_axis", x, axis, descending, indices);
}

heed_tensor *heed_sort(heed_tensor *x)
{
    return sort("sort", x, -1, false, NULL);
}
