/* ops/loss/poisson_nll_loss.c    e^x - t x, or with no_log_input x - t ln(x + eps), for x = input and t = target; with
 * `full`, plus Stirling's approximation of ln t!, t ln t - t + ln(2 pi t) / 2 for t > 1. */

#include "ops/loss/loss.h"

#include <math.h>

#define TWO_PI 6.283185307179586476925286766559

static heed_tensor *ln_factorial(heed_tensor *t)
{
    heed_tensor *one = heed_ones(t->dtype, HEED_SCALAR);
    heed_tensor *counts = heed_compare(t, HEED_COMPARE_GT, one), *n = heed_where(counts, t, one);
    heed_tensor *sum = heed_sub(heed_mul(heed_add_scalar(n, 0.5), heed_log(n)), n); /* (n + 1/2) ln n - n */
    return heed_where(counts, heed_add_scalar(sum, 0.5 * log(TWO_PI)), heed_zeros(t->dtype, HEED_SCALAR));
}

static heed_tensor *losses(heed_tensor *x, heed_tensor *t, const heed_poisson_nll_loss_options *o)
{
    heed_tensor *rate = o->no_log_input ? x : heed_exp(x);
    heed_tensor *log_rate = o->no_log_input ? heed_log(heed_add_scalar(x, o->eps > 0 ? o->eps : 1e-8)) : x;
    heed_tensor *all = heed_sub(rate, heed_mul(t, log_rate));
    return o->full ? heed_add(all, ln_factorial(t)) : all;
}

heed_tensor *heed_poisson_nll_loss(heed_tensor *input, heed_tensor *target,
                                   const heed_poisson_nll_loss_options *options)
{
    HEED_ENTER("poisson_nll_loss");
    static const heed_poisson_nll_loss_options defaults = {.reduction = HEED_REDUCTION_MEAN};
    const heed_poisson_nll_loss_options *o = options ? options : &defaults;
    if (!heed__check_loss("poisson_nll_loss", input, target, o->reduction) ||
        !heed__check_eps("poisson_nll_loss", o->eps))
        return NULL;
    if (o->eps != 0 && !o->no_log_input)
        return heed_fail_null(HEED_ERR_ARGUMENT, "poisson_nll_loss", "eps is %g: must be 0 unless no_log_input is set",
                              o->eps);
    heed_scope *scope = heed_scope_begin();
    return scope ? heed_scope_return(scope, heed__reduce_loss(losses(input, target, o), o->reduction)) : NULL;
}
