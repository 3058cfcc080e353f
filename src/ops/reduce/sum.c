/* ops/reduce/sum.c    y = sum of x over some axes; i64 modulo 2^64; for bool, the number of true elements.
 *
 * dx = g, expanded */

#include "ops/reduce/reduce_i64.h"

HEED__REDUCE_I64(i64_loop, 0, a + b)

static bool infer(const heed_call *call, heed_meta *out)
{
    const heed__reduce_params *params = call->params;
    const heed_tensor *x = call->inputs[0];
    out->dtype = heed_dtype_is_float(x->dtype) ? x->dtype : HEED_I64;
    out->shape = heed__reduced_shape(&x->shape, params->mask, params->keepdim);
    return true;
}

/* Counts bools as the integers 0 and 1. */
static bool count(const heed_tensor *x, unsigned mask, heed_tensor *out)
{
    heed_tensor *numbers = heed__tensor_alloc("sum", HEED_I64, &x->shape);
    if (!numbers)
        return false;
    heed__copy(x, numbers);
    bool done = heed__reduce("sum", i64_loop, numbers, mask, out);
    heed_release(numbers);
    return done;
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const heed__reduce_params *params = call->params;
    const heed_tensor *x = call->inputs[0];
    if (x->dtype == HEED_BOOL)
        return count(x, params->mask, out[0]);
    heed__reduce_kernel *kernel = x->dtype == HEED_I64 ? i64_loop : HEED__KERNEL(sum, x->dtype);
    return heed__reduce("sum", kernel, x, params->mask, out[0]);
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed__reduce_params *params = call->params;
    heed_shape shape = heed_call_shape(call, 0);
    heed_tensor *kept = g[0];
    bool leading = (params->mask & (params->mask + 1)) == 0; /* broadcasting restores leading axes */
    if (!params->keepdim && !leading)
        kept = heed_reshape(g[0], heed__reduced_shape(&shape, params->mask, true));
    dx[0] = heed_expand(kept, shape);
}

const heed_op heed_op_sum = {
    .name = "sum",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(heed__reduce_params),
    .fields = HEED_FIELDS(HEED_FIELD(heed__reduce_params, mask), HEED_FIELD(heed__reduce_params, keepdim)),
    .infer = infer,
    .forward = forward,
    .backward = backward,
};

heed_tensor *heed_sum_axes(heed_tensor *x, heed_shape axes, bool keepdim)
{
    HEED_ENTER("sum_axes");
    return heed__apply_reduction("sum_axes", &heed_op_sum, x, axes, keepdim);
}

heed_tensor *heed_sum(heed_tensor *x)
{
    return heed__apply_reduction("sum", &heed_op_sum, x, HEED_ALL_AXES, false);
}
