/* ops/loss/binary_cross_entropy_with_logits.c    max(x, 0) - x t + ln(1 + e^-|x|), elementwise for x = input, t =
 * target.
 *
 * dx = g (sigmoid(x) - t), dt = -g x
 */

#include "ops/elementwise/elementwise.h"
#include "ops/elementwise/slopes.h"
#include "ops/loss/loss.h"

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *x = call->inputs[0], *t = call->inputs[1];
    if (heed_call_needs(call, 0))
        dx[0] = heed_mul(g[0], heed_sub(heed__logistic(x), t));
    if (heed_call_needs(call, 1))
        dx[1] = heed_neg(heed_mul(g[0], x));
}

const heed_op heed_op_binary_cross_entropy_with_logits = {
    .name = "binary_cross_entropy_with_logits",
    HEED__BINARY(binary_cross_entropy),
    .saved = HEED_SAVE_INPUTS,
    .backward = backward,
};

heed_tensor *heed_binary_cross_entropy_with_logits(heed_tensor *input, heed_tensor *target, heed_reduction reduction)
{
    HEED_ENTER("binary_cross_entropy_with_logits");
    const heed_op *op = &heed_op_binary_cross_entropy_with_logits;
    if (!heed__check_loss(op->name, input, target, reduction))
        return NULL;
    return heed__reduce_loss(heed__apply2(op, input, target, NULL), reduction);
}
