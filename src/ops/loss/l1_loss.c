/* ops/loss/l1_loss.c    |input - target|; mean, sum or no reduction. */

#include "ops/loss/loss.h"

heed_tensor *heed_l1_loss(heed_tensor *input, heed_tensor *target, heed_reduction reduction)
{
    HEED_ENTER("l1_loss");
    if (!heed__check_loss("l1_loss", input, target, reduction))
        return NULL;
    return heed__reduce_loss(heed_abs(heed_sub(input, target)), reduction);
}
