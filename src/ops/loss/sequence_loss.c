/* ops/loss/sequence_loss.c    losses (B, T) of sequences of different length, past which they do not count: their sum, their
 * mean, or of each sequence its sum divided by T. */

#include "ops/loss/loss.h"

static bool check(const heed_tensor *losses, const heed_tensor *lens, heed_reduction reduction)
{
    if (!heed__check_tensor("sequence_loss", losses) || !heed__check_tensor("sequence_loss", lens) ||
        !heed__check_float("sequence_loss", losses))
        return false;
    if (losses->shape.rank != 2 || lens->shape.rank != 1 || lens->shape.dims[0] != losses->shape.dims[0])
        return heed_fail_false(HEED_ERR_SHAPE, "sequence_loss", "losses %s and valid_lens %s: must be (B, T) and (B)",
                               heed_shape_text(losses->shape).s, heed_shape_text(lens->shape).s);
    return heed__check_reduction("sequence_loss", reduction);
}

/* At most B T, which fits. */
static double steps(const heed_tensor *lens)
{
    const int64_t *values = (const void *)lens->data;
    int64_t sum = 0;
    for (int64_t i = 0; i < lens->numel; i++)
        sum += values[i];
    return (double)sum;
}

heed_tensor *heed_sequence_loss(heed_tensor *losses, heed_tensor *valid_lens, heed_reduction reduction)
{
    HEED_ENTER("sequence_loss");
    if (!check(losses, valid_lens, reduction))
        return NULL;
    heed_tensor *lens = heed_contiguous(valid_lens);
    if (!lens || !heed__check_lengths("sequence_loss", lens, losses->shape.dims[1]))
        return NULL;
    heed_tensor *valid = heed_sequence_mask(losses, lens, 0);
    if (reduction == HEED_REDUCTION_NONE)
        return heed_mean_axes(valid, HEED_AXES(1), false);
    heed_tensor *sum = heed_sum(valid);
    return reduction == HEED_REDUCTION_SUM ? sum : heed_div(sum, heed_full(losses->dtype, HEED_SCALAR, steps(lens)));
}
