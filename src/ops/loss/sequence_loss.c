/* ops/loss/sequence_loss.c    y = the sum or the mean of the losses (B, T) of sequences up to their valid lengths or,
 * without reduction, the sum of every sequence divided by T.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "ops/attention/visibility.h"
#include "ops/loss/loss.h"

static const char where[] = "sequence_loss";

static bool check(const heed_tensor *losses, const heed_tensor *lens, heed_reduction reduction)
{
    if (!heed__check_tensor(where, losses) || !heed__check_tensor(where, lens) || !heed__check_float(where, losses))
        return false;
    if (losses->shape.rank != 2 || lens->shape.rank != 1 || lens->shape.dims[0] != losses->shape.dims[0])
        return heed_fail_false(HEED_ERR_SHAPE, where, "losses %s and valid_lens %s: must be (B, T) and (B)",
                               heed_shape_text(losses->shape).s, heed_shape_text(lens->shape).s);
    return heed__check_reduction(where, reduction) &&
           heed__check_lengths(where, lens, losses->shape.dims[0], HEED_ANY_ROWS, losses->shape.dims[1]);
}

/* The number of valid steps. It is at most B T, so it does not overflow. */
static double steps(const heed_tensor *lens)
{
    const int64_t *at = (const void *)lens->data;
    int64_t sum = 0;
    for (int64_t i = 0; i < lens->numel; i++)
        sum += at[i * lens->strides[0]];
    return (double)sum;
}

heed_tensor *heed_sequence_loss(heed_tensor *losses, heed_tensor *valid_lens, heed_reduction reduction)
{
    HEED_ENTER(where);
    if (!check(losses, valid_lens, reduction))
        return NULL;
    heed_tensor *valid = heed__sequence_mask(losses, valid_lens, 0);
    if (reduction == HEED_REDUCTION_NONE)
        return heed_mean_axes(valid, HEED_AXES(1), false);
    heed_tensor *sum = heed_sum(valid);
    return reduction == HEED_REDUCTION_SUM ? sum
                                           : heed_div(sum, heed_full(losses->dtype, HEED_SCALAR, steps(valid_lens)));
}
