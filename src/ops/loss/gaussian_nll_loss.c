/* ops/loss/gaussian_nll_loss.c    (ln v + (x - t)^2 / v) / 2 for x = input, t = target and v = max(var, eps). With
 * `full`, plus ln(2 pi) / 2. */

#include "ops/loss/loss.h"

#include <inttypes.h>
#include <math.h>

#define TWO_PI 6.283185307179586476925286766559

static const char where[] = "gaussian_nll_loss";

static bool check_variances(const heed_tensor *input, heed_tensor *var)
{
    heed_shape both;
    if (!heed__check_tensor(where, var) || !heed__check_pair(where, input, var))
        return false;
    if (!heed_shape_broadcast(var->shape, input->shape, &both) || !heed__same_shape(&both, &input->shape))
        return heed_fail_false(HEED_ERR_SHAPE, where, "var %s does not broadcast to input %s",
                               heed_shape_text(var->shape).s, heed_shape_text(input->shape).s);
    var = heed_contiguous(var);
    for (int64_t i = 0; var && i < var->numel; i++) {
        double v = heed__load(var->dtype, var->data + (size_t)i * heed_dtype_size(var->dtype));
        if (v < 0)
            return heed_fail_false(HEED_ERR_ARGUMENT, where,
                                   "element %" PRId64 " of var %s is %g: must not be negative", i,
                                   heed_shape_text(var->shape).s, v);
    }
    return var;
}

static heed_tensor *losses(heed_tensor *x, heed_tensor *t, heed_tensor *var, const heed_gaussian_nll_loss_options *o)
{
    heed_tensor *v = heed_clamp(var, o->eps > 0 ? o->eps : 1e-6, (double)INFINITY);
    heed_tensor *all = heed_add(heed_log(v), heed_div(heed_square(heed_sub(x, t)), v));
    return heed_mul_scalar(o->full ? heed_add_scalar(all, log(TWO_PI)) : all, 0.5);
}

/* Returns var. If var is (...) and input is (..., d), var has one variance per row, and the result is (..., 1), as in
 * PyTorch. */
static heed_tensor *per_row(const heed_tensor *input, heed_tensor *var)
{
    heed_shape rows = input->shape;
    rows.rank--;
    return rows.rank >= 0 && heed__is_live(var) && heed__same_shape(&rows, &var->shape) ? heed_unsqueeze(var, -1) : var;
}

heed_tensor *heed_gaussian_nll_loss(heed_tensor *input, heed_tensor *target, heed_tensor *var,
                                    const heed_gaussian_nll_loss_options *options)
{
    HEED_ENTER(where);
    static const heed_gaussian_nll_loss_options defaults = {.reduction = HEED_REDUCTION_MEAN};
    const heed_gaussian_nll_loss_options *o = options ? options : &defaults;
    if (!heed__check_loss(where, input, target, o->reduction) || !heed__check_eps(where, o->eps))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    var = per_row(input, var);
    heed_tensor *loss =
        check_variances(input, var) ? heed__reduce_loss(losses(input, target, var, o), o->reduction) : NULL;
    return heed_scope_return(scope, loss);
}
