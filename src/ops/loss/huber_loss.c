/* ops/loss/huber_loss.c    d^2 / 2 if |d| < delta, else delta (|d| - delta / 2), with d = input - target. */

#include "ops/loss/loss.h"

#include <math.h>

heed_tensor *heed_huber_loss(heed_tensor *input, heed_tensor *target, double delta, heed_reduction reduction)
{
    HEED_ENTER("huber_loss");
    if (!heed__check_loss("huber_loss", input, target, reduction))
        return NULL;
    if (!(delta > 0 && delta < (double)INFINITY))
        return heed_fail_null(HEED_ERR_ARGUMENT, "huber_loss", "delta is %g: must be finite and above 0", delta);
    return heed_mul_scalar(heed_smooth_l1_loss(input, target, delta, reduction), delta);
}
