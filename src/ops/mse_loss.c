/* ops/mse_loss.c    (input - target)^2, averaged, summed or as it is. */

#include "ops/loss.h"
#include "ops/pair.h"

/* -- Any loss ------------------------------------------------------------------------------------------------------ */

bool heed__check_reduction(const char *where, heed_reduction reduction)
{
    if (reduction == HEED_MEAN || reduction == HEED_SUM || reduction == HEED_NONE)
        return true;
    heed_fail(HEED_ERR_ARGUMENT, where, "%d is no reduction", (int)reduction);
    return false;
}

heed_tensor *heed__reduce_loss(heed_tensor *losses, heed_reduction reduction)
{
    return reduction == HEED_MEAN ? heed_mean(losses) : reduction == HEED_SUM ? heed_sum(losses) : losses;
}

bool heed__check_loss(const char *where, const heed_tensor *input, const heed_tensor *target, heed_reduction reduction)
{
    if (!heed__check_tensor(where, input) || !heed__check_tensor(where, target) ||
        !heed__check_pair(where, input, target))
        return false;
    if (!heed__same_shape(&input->shape, &target->shape)) {
        heed_fail(HEED_ERR_SHAPE, where, "input %s and target %s differ", heed__text(&input->shape).s,
                  heed__text(&target->shape).s);
        return false;
    }
    return heed__check_reduction(where, reduction);
}

/* -- The loss ------------------------------------------------------------------------------------------------------ */

heed_tensor *heed_mse_loss(heed_tensor *input, heed_tensor *target, heed_reduction reduction)
{
    if (!heed__check_loss("mse_loss", input, target, reduction))
        return NULL;
    return heed__reduce_loss(heed_square(heed_sub(input, target)), reduction);
}
