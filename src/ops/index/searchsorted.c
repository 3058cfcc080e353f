/* ops/index/searchsorted.c    y = the number of elements of a sorted row below a value, or not above it.    No
 * gradient */

#include "ops/support.h"

#include "core/parallel.h"

static bool infer(const heed_call *call, heed_meta *out)
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

#define IS_LESS(a, b) ((a) < (b))
#define IS_LESS_OR_NAN(a, b) ((a) < (b) || ((a) == (a) && (b) != (b))) /* NaN is above every number */

/* Finds the first position whose element is not below the value or, if `right`, is above it. */
#define FIND(type, is_below)                                                                                           \
    for (int64_t i = begin; i < end; i++) {                                                                            \
        const type *row = (const type *)(const void *)c->sorted->data + i / c->per_row * c->n;                         \
        type value = ((const type *)(const void *)c->values->data)[i];                                                 \
        int64_t low = 0, high = c->n;                                                                                  \
        while (low < high) {                                                                                           \
            int64_t mid = low + (high - low) / 2;                                                                      \
            if (c->right ? !is_below(value, row[mid]) : is_below(row[mid], value))                                     \
                low = mid + 1;                                                                                         \
            else                                                                                                       \
                high = mid;                                                                                            \
        }                                                                                                              \
        c->y[i] = low;                                                                                                 \
    }

static void find(int64_t begin, int64_t end, void *context)
{
    const lookup *c = context;
    if (c->values->dtype == HEED_F32)
        FIND(float, IS_LESS_OR_NAN)
    else if (c->values->dtype == HEED_F64)
        FIND(double, IS_LESS_OR_NAN)
    else
        FIND(int64_t, IS_LESS)
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const heed_tensor *sorted = call->inputs[0], *values = call->inputs[1];
    const int rank = sorted->shape.rank;
    lookup c = {.sorted = sorted,
                .values = values,
                .y = (void *)out[0]->data,
                .n = sorted->shape.dims[rank - 1],
                .per_row = rank == 1 ? values->numel : values->shape.dims[rank - 1],
                .right = *(const bool *)call->params};
    heed__parallel_for(values->numel, 512, 64, find, &c);
    return true;
}

const heed_op heed_op_searchsorted = {
    .name = "searchsorted",
    .n_inputs = 2,
    .n_outputs = 1,
    .params_size = sizeof(bool),
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(bool, "right")),
    .contiguous = true,
    .infer = infer,
    .forward = forward,
};

heed_tensor *heed_searchsorted(heed_tensor *sorted, heed_tensor *values, bool right)
{
    return heed__apply2(&heed_op_searchsorted, sorted, values, &right);
}
