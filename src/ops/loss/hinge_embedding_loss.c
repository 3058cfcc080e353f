/* ops/loss/hinge_embedding_loss.c    x if t is 1, max(0, margin - x) if t is -1; mean, sum or no reduction. */

#include "ops/loss/loss.h"

heed_tensor *heed_hinge_embedding_loss(heed_tensor *input, heed_tensor *target, double margin, heed_reduction reduction)
{
    HEED_ENTER("hinge_embedding_loss");
    if (!heed__check_loss("hinge_embedding_loss", input, target, reduction) ||
        !heed__check_margin("hinge_embedding_loss", margin))
        return NULL;
    heed_tensor *if_different = heed_relu(heed_rsub_scalar(input, margin));
    return heed__reduce_loss(heed__where_pairs(target, input, if_different), reduction);
}
