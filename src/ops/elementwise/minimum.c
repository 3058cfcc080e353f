/* ops/elementwise/minimum.c    y = the smaller of a and b, elementwise with broadcasting; NaN if either is NaN.
 *
 * da = g times 0 if a > b, 1/2 if a = b, else 1. db = g times 0 if b > a, 1/2 if a = b, else 1. If a or b is NaN, both
 * gradients are thus g. */

#include "ops/elementwise/elementwise.h"

HEED__I64_PAIRS_LOOP(i64_loop, (int64_t)a < (int64_t)b ? a : b)

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed__extremum_of_two_backward(call, HEED_COMPARE_GT, g[0], dx);
}

const heed_op heed_op_minimum = {
    .name = "minimum",
    HEED__BINARY_NUMBERS(minimum, i64_loop),
    .saved = HEED_SAVE_INPUTS,
    .backward = backward,
};

heed_tensor *heed_minimum(heed_tensor *a, heed_tensor *b)
{
    return heed__apply2(&heed_op_minimum, a, b, NULL);
}
