/* ops/elementwise/div.c    y = a / b, elementwise with broadcasting.
 *
 *     da = g / b,   db = -g a / b^2 = -(g / b) y, without forming b^2 */

#include "ops/elementwise/elementwise.h"
#include "ops/elementwise/slopes.h"

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *b = call->inputs[1];
    if (heed_call_needs(call, 0))
        dx[0] = heed_div(g[0], b);
    if (heed_call_needs(call, 1))
        dx[1] = heed__quotient_slope(g[0], call->outputs[0], b);
}

const heed_op heed_op_div = {
    .name = "div",
    HEED__BINARY(div),
    .saved = HEED_SAVE_INPUT(1) | HEED_SAVE_OUTPUTS,
    .backward = backward,
};

heed_tensor *heed_div(heed_tensor *a, heed_tensor *b)
{
    return heed__apply2(&heed_op_div, a, b, NULL);
}
