/* ops/elementwise/remainder.c    y = a - b floor_divide(a, b), elementwise with broadcasting.    da = g, db = -g
 * floor_divide(a, b) */

#include "ops/elementwise/elementwise.h"

/* -2^63 % -1 is undefined in C. */
static int64_t modulo(int64_t a, int64_t b)
{
    const int64_t r = b == -1 ? 0 : a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

HEED__I64_PAIRS_LOOP(i64_loop, (uint64_t)modulo((int64_t)a, (int64_t)b))

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    if (heed_call_needs(call, 0))
        dx[0] = g[0];
    if (heed_call_needs(call, 1))
        dx[1] = heed_neg(heed_mul(g[0], heed_floor_divide(call->inputs[0], call->inputs[1])));
}

const heed_op heed_op_remainder = {
    .name = "remainder",
    HEED__ELEMENTWISE(2, .pairs = heed__kernel_remainder, .i64_pairs_kernel = i64_loop),
    .infer = heed__infer_broadcast_numbers,
    .forward = heed__quotient_forward,
    .saved = HEED_SAVE_INPUTS,
    .backward = backward,
};

heed_tensor *heed_remainder(heed_tensor *a, heed_tensor *b)
{
    return heed__apply2(&heed_op_remainder, a, b, NULL);
}
