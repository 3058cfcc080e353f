/* ops/loss/kl_div.c    t (ln t - x); mean, sum or no reduction. x: log probabilities, t: probabilities or their
 * logarithms. */

#include "ops/loss/loss.h"

#include <math.h>

/* Elements of probability 0 count as 0, whatever x is. They are replaced before the computation, so that their gradient
 * is 0, too. */
static heed_tensor *divergence(heed_tensor *x, heed_tensor *t, bool log_target)
{
    heed_tensor *zero = heed_zeros(x->dtype, HEED_SCALAR);
    heed_tensor *zero_probability = log_target ? heed_full(x->dtype, HEED_SCALAR, -(double)INFINITY) : zero;
    heed_tensor *left_out = heed_compare(t, HEED_COMPARE_EQ, zero_probability);
    heed_tensor *some = heed_where(left_out, log_target ? zero : heed_ones(x->dtype, HEED_SCALAR), t);
    heed_tensor *p = log_target ? heed_exp(some) : some, *log_p = log_target ? some : heed_log(some);
    return heed_where(left_out, zero, heed_mul(p, heed_sub(log_p, heed_where(left_out, zero, x))));
}

heed_tensor *heed_kl_div(heed_tensor *input, heed_tensor *target, bool log_target, heed_reduction reduction)
{
    HEED_ENTER("kl_div");
    if (!heed__check_loss("kl_div", input, target, reduction))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    return scope ? heed_scope_return(scope, heed__reduce_loss(divergence(input, target, log_target), reduction)) : NULL;
}
