/* ops/index/one_hot.c    y[..., c] = 1 if index[...] = c, else 0.    No gradient */

#include "ops/support.h"

#include <inttypes.h>
#include <string.h>

typedef struct one_hot_params {
    int64_t classes;
    heed_dtype dtype;
} one_hot_params;

static bool infer(const heed_call *call, heed_meta *out)
{
    const one_hot_params *params = call->params;
    const heed_tensor *indices = call->inputs[0];
    if (!heed__check_i64("one_hot", "the indices", indices))
        return false;
    if (indices->shape.rank == HEED_MAX_RANK)
        return heed_fail_false(HEED_ERR_SHAPE, "one_hot", "%s already has the maximum rank",
                               heed_shape_text(indices->shape).s);
    out->dtype = params->dtype;
    out->shape = indices->shape;
    out->shape.dims[out->shape.rank++] = params->classes;
    return heed__check_shape("one_hot", &out->shape);
}

#define SET_ONES(type)                                                                                                 \
    do {                                                                                                               \
        type *y = (void *)out[0]->data;                                                                                \
        for (int64_t i = 0; i < indices->numel; i++, y += params->classes)                                             \
            y[values[i]] = 1;                                                                                          \
    } while (0)

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const one_hot_params *params = call->params;
    const heed_tensor *indices = call->inputs[0];
    const int64_t *values = (const void *)indices->data;
    if (!heed__check_indices("one_hot", indices, params->classes))
        return false;
    memset(out[0]->data, 0, (size_t)out[0]->numel * heed_dtype_size(params->dtype));
    if (params->dtype == HEED_F32)
        SET_ONES(float);
    else if (params->dtype == HEED_F64)
        SET_ONES(double);
    else if (params->dtype == HEED_I64)
        SET_ONES(int64_t);
    else
        SET_ONES(bool);
    return true;
}

const heed_op heed_op_one_hot = {
    .name = "one_hot",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(one_hot_params),
    .fields = HEED_FIELDS(HEED_FIELD(one_hot_params, classes), HEED_FIELD(one_hot_params, dtype)),
    .contiguous = true,
    .infer = infer,
    .forward = forward,
};

heed_tensor *heed_one_hot(heed_tensor *indices, int64_t classes, heed_dtype dtype)
{
    if (!heed__check_dtype("one_hot", dtype))
        return NULL;
    if (classes < 0)
        return heed_fail_null(HEED_ERR_ARGUMENT, "one_hot", "classes is %" PRId64 ": must be at least 0", classes);
    return heed__apply1(&heed_op_one_hot, indices, &(one_hot_params){.classes = classes, .dtype = dtype});
}
