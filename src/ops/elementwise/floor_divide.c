/* ops/elementwise/floor_divide.c    y = the exact quotient, rounded down, elementwise with broadcasting.    da = 0, db
 * = 0 */

#include "ops/elementwise/elementwise.h"

/* -2^63 / -1 wraps around. */
static int64_t quotient(int64_t a, int64_t b)
{
    if (b == -1)
        return (int64_t)(0 - (uint64_t)a);
    return a / b - ((a % b != 0) & ((a < 0) != (b < 0)));
}

HEED__I64_PAIRS_LOOP(i64_loop, (uint64_t)quotient((int64_t)a, (int64_t)b))

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    for (int i = 0; i < 2; i++)
        if (heed_call_needs(call, i))
            dx[i] = heed_zeros(g[0]->dtype, heed_call_shape(call, i));
}

const heed_op heed_op_floor_divide = {
    .name = "floor_divide",
    HEED__ELEMENTWISE(2, .pairs = heed__kernel_floor_divide, .i64_pairs_kernel = i64_loop),
    .infer = heed__infer_broadcast_numbers,
    .forward = heed__quotient_forward,
    .saved = HEED_SAVE_NOTHING,
    .backward = backward,
};

heed_tensor *heed_floor_divide(heed_tensor *a, heed_tensor *b)
{
    return heed__apply2(&heed_op_floor_divide, a, b, NULL);
}
