/* ops/loss/hinge_loss.c    max(0, 1 - t x); mean, sum or no reduction.    dx = -g t if t x < 1 */

#include "ops/loss/loss.h"

heed_tensor *heed_hinge_loss(heed_tensor *input, heed_tensor *target, heed_reduction reduction)
{
    HEED_ENTER("hinge_loss");
    if (!heed__check_loss("hinge_loss", input, target, reduction))
        return NULL;
    return heed__reduce_loss(heed_relu(heed_rsub_scalar(heed_mul(target, input), 1)), reduction);
}
