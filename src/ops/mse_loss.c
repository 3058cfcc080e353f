/* ops/mse_loss.c    (input - target)^2, averaged, summed or as it is. */

#include "ops/pair.h"

heed_tensor *heed_mse_loss(heed_tensor *input, heed_tensor *target, heed_reduction reduction)
{
    if (!heed__check_tensor("mse_loss", input) || !heed__check_tensor("mse_loss", target) ||
        !heed__check_pair("mse_loss", input, target))
        return NULL;
    if (!heed__same_shape(&input->shape, &target->shape)) {
        heed_fail(HEED_ERR_SHAPE, "mse_loss", "input %s and target %s differ", heed__text(&input->shape).s,
                  heed__text(&target->shape).s);
        return NULL;
    }
    if (reduction != HEED_MEAN && reduction != HEED_SUM && reduction != HEED_NONE) {
        heed_fail(HEED_ERR_ARGUMENT, "mse_loss", "%d is no reduction", (int)reduction);
        return NULL;
    }
    heed_tensor *squares = heed_square(heed_sub(input, target));
    return reduction == HEED_MEAN ? heed_mean(squares) : reduction == HEED_SUM ? heed_sum(squares) : squares;
}
