/* ops/elementwise/mul.c    y = a b, elementwise with broadcasting.    da = g b, db = g a */

#include "ops/elementwise/elementwise.h"

HEED__I64_PAIRS_LOOP(i64_loop, a *b)

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    if (heed_call_needs(call, 0))
        dx[0] = heed_mul(g[0], call->inputs[1]);
    if (heed_call_needs(call, 1))
        dx[1] = heed_mul(g[0], call->inputs[0]);
}

static void backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed__binary_kernel *mul = HEED__KERNEL(mul, g[0]->dtype);
    if (heed_call_needs(call, 0))
        dx[0] = heed__new_map2("mul", mul, g[0], call->inputs[1], NULL);
    if (heed_call_needs(call, 1))
        dx[1] = heed__new_map2("mul", mul, g[0], call->inputs[0], NULL);
}

const heed_op heed_op_mul = {
    .name = "mul",
    HEED__BINARY_NUMBERS(mul, i64_loop),
    .saved = HEED_SAVE_INPUTS,
    .backward = backward,
    .backward_fused = backward_fused,
};

heed_tensor *heed_mul(heed_tensor *a, heed_tensor *b)
{
    return heed__apply2(&heed_op_mul, a, b, NULL);
}
