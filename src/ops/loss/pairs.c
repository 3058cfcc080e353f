/* ops/loss/pairs.c - losses of pairs of elements, input x and target t; mean, sum or no reduction.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>

#include "ops/elementwise/elementwise.h"
#include "ops/loss/loss.h"

/* -- Shared by the losses ------------------------------------------------------------------------------------------ */

bool heed__check_reduction(const char *where, heed_reduction reduction)
{
    if (reduction == HEED_REDUCTION_MEAN || reduction == HEED_REDUCTION_SUM || reduction == HEED_REDUCTION_NONE)
        return true;
    return heed_fail_false(HEED_ERR_ARGUMENT, where, "reduction is %d: must be one of HEED_REDUCTION_*",
                           (int)reduction);
}

heed_tensor *heed__reduce_loss(heed_tensor *losses, heed_reduction reduction)
{
    return reduction == HEED_REDUCTION_MEAN  ? heed_mean(losses)
           : reduction == HEED_REDUCTION_SUM ? heed_sum(losses)
                                             : losses;
}

bool heed__check_loss(const char *where, const heed_tensor *input, const heed_tensor *target, heed_reduction reduction)
{
    if (!heed__check_tensor(where, input) || !heed__check_tensor(where, target) ||
        !heed__check_pair(where, input, target))
        return false;
    if (!heed__same_shape(&input->shape, &target->shape))
        return heed_fail_false(HEED_ERR_SHAPE, where, "input %s and target %s differ", heed_shape_text(input->shape).s,
                               heed_shape_text(target->shape).s);
    return heed__check_reduction(where, reduction);
}

bool heed__check_margin(const char *where, double margin)
{
    return isfinite(margin) || heed_fail_false(HEED_ERR_ARGUMENT, where, "margin is %g: must be finite", margin);
}

heed_tensor *heed__where_pairs(heed_tensor *target, heed_tensor *if_same, heed_tensor *if_different)
{
    heed_tensor *one = heed_ones(target->dtype, HEED_SCALAR), *zero = heed_zeros(target->dtype, HEED_SCALAR);
    heed_tensor *otherwise = heed_where(heed_compare(target, HEED_COMPARE_EQ, heed_neg(one)), if_different, zero);
    return heed_where(heed_compare(target, HEED_COMPARE_EQ, one), if_same, otherwise);
}

/* Checks that t has the dtype of the input and broadcasts to its shape. */
static bool check_broadcasts(const char *where, const char *name, const heed_tensor *input, const heed_tensor *t)
{
    heed_shape both;
    if (!heed__check_tensor(where, t) || !heed__check_pair(where, input, t))
        return false;
    if (heed_shape_broadcast(t->shape, input->shape, &both) && heed__same_shape(&both, &input->shape))
        return true;
    return heed_fail_false(HEED_ERR_SHAPE, where, "%s %s does not broadcast to input %s", name,
                           heed_shape_text(t->shape).s, heed_shape_text(input->shape).s);
}

/* Checks that no element of t is below 0 or above `high`; `rule` says so in the message. */
static bool check_range(const char *where, const char *name, heed_tensor *t, double high, const char *rule)
{
    t = heed_contiguous(t);
    for (int64_t i = 0; t && i < t->numel; i++) {
        double v = heed__load(t->dtype, t->data + (size_t)i * heed_dtype_size(t->dtype));
        if (v < 0 || v > high)
            return heed_fail_false(HEED_ERR_ARGUMENT, where, "element %" PRId64 " of %s %s is %g: %s", i, name,
                                   heed_shape_text(t->shape).s, v, rule);
    }
    return t;
}

/* -- mse_loss ------------------------------------------------------------------------------------------------------ */

/* d^2, with d = input - target.
 *
 * dinput = 2 g d, divided by n for the mean, dtarget = -dinput. This is one op that saves only its inputs. Composed of
 * subtraction, square and sum it would be three ops, forward and backward, and would store d twice. */
static bool mse_loss_infer(const heed_call *call, heed_meta *out)
{
    const heed_tensor *input = call->inputs[0];
    const heed_reduction *reduction = call->params;
    if (!heed__check_loss("mse_loss", input, call->inputs[1], *reduction))
        return false;
    out->dtype = input->dtype;
    out->shape = *reduction == HEED_REDUCTION_NONE ? input->shape : HEED_SCALAR;
    return true;
}

static void squares(const heed_call *call, heed_tensor *out)
{
    heed__map2(HEED__KERNEL(sub, out->dtype), call->inputs[0], call->inputs[1], out, NULL);
    heed__map1(HEED__KERNEL(square, out->dtype), out, out, NULL);
}

static bool mse_loss_forward(const heed_call *call, heed_tensor *const *out)
{
    const heed_reduction *reduction = call->params;
    if (*reduction == HEED_REDUCTION_NONE) {
        squares(call, out[0]);
        return true;
    }
    heed_dtype dtype = out[0]->dtype;
    heed_tensor *all = heed__tensor_alloc("mse_loss", dtype, &call->inputs[0]->shape);
    if (!all)
        return false;
    squares(call, all);
    bool done = heed__reduce("mse_loss", HEED__KERNEL(sum, dtype), all, (1u << all->shape.rank) - 1, out[0]);
    if (*reduction == HEED_REDUCTION_MEAN) {
        double mean = heed__load(dtype, out[0]->data) / (double)all->numel;
        done = done && heed__store("mse_loss", dtype, out[0]->data, mean);
    }
    heed_release(all);
    return done;
}

/* 2, or 2 / n for the mean. */
static double factor(const heed_call *call)
{
    const heed_reduction *reduction = call->params;
    return *reduction == HEED_REDUCTION_MEAN ? 2.0 / (double)call->inputs[0]->numel : 2.0;
}

static void mse_loss_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *d = heed_sub(call->inputs[0], call->inputs[1]);
    dx[0] = heed_mul(g[0], heed_mul_scalar(d, factor(call)));
    if (heed_call_needs(call, 1))
        dx[1] = heed_neg(dx[0]);
}

static void mse_loss_backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed_reduction *reduction = call->params;
    const heed_dtype dtype = g[0]->dtype;
    heed_tensor *d = heed__new_map2("mse_loss", HEED__KERNEL(sub, dtype), call->inputs[0], call->inputs[1], NULL);
    double by = factor(call);
    if (!d)
        return;
    if (*reduction == HEED_REDUCTION_NONE)
        heed__map2(HEED__KERNEL(mul, dtype), d, g[0], d, NULL);
    else
        by *= heed__load(g[0]->dtype, g[0]->data);
    heed__map1(HEED__KERNEL(scale, dtype), d, d, &by);
    dx[0] = d;
    if (heed_call_needs(call, 1))
        dx[1] = heed__new_map1("mse_loss", HEED__KERNEL(neg, dtype), d, NULL);
}

const heed_op heed_op_mse_loss = {
    .name = "mse_loss",
    .n_inputs = 2,
    .n_outputs = 1,
    .params_size = sizeof(heed_reduction),
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(heed_reduction, "reduction")),
    .saved = HEED_SAVE_INPUTS,
    .infer = mse_loss_infer,
    .forward = mse_loss_forward,
    .backward = mse_loss_backward,
    .backward_fused = mse_loss_backward_fused,
};

heed_tensor *heed_mse_loss(heed_tensor *input, heed_tensor *target, heed_reduction reduction)
{
    return heed__apply2(&heed_op_mse_loss, input, target, &reduction);
}

/* |input - target|. */
heed_tensor *heed_l1_loss(heed_tensor *input, heed_tensor *target, heed_reduction reduction)
{
    HEED_ENTER("l1_loss");
    if (!heed__check_loss("l1_loss", input, target, reduction))
        return NULL;
    return heed__reduce_loss(heed_abs(heed_sub(input, target)), reduction);
}

/* -- smooth_l1_loss ------------------------------------------------------------------------------------------------ */

/* d^2 / (2 beta) if |d| < beta, else |d| - beta / 2, with d = input - target.
 *
 * dinput = g min(max(d / beta, -1), 1), dtarget = -dinput */
static void smooth_l1_loss_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const double *beta = call->params;
    heed_tensor *d = heed_sub(call->inputs[0], call->inputs[1]);
    heed_tensor *slope = heed_hardtanh(heed_div(d, heed_full(g[0]->dtype, HEED_SCALAR, *beta)), -1, 1);
    heed_tensor *dinput = heed_mul(g[0], slope);
    if (heed_call_needs(call, 0))
        dx[0] = dinput;
    if (heed_call_needs(call, 1))
        dx[1] = heed_neg(dinput);
}

const heed_op heed_op_smooth_l1_loss = {
    HEED__BINARY("smooth_l1_loss", HEED_SAVE_INPUTS, smooth_l1_loss_backward, .pairs = heed__kernel_smooth_l1),
    HEED__NUMBER("beta")};

heed_tensor *heed_smooth_l1_loss(heed_tensor *input, heed_tensor *target, double beta, heed_reduction reduction)
{
    HEED_ENTER("smooth_l1_loss");
    if (!heed__check_loss("smooth_l1_loss", input, target, reduction))
        return NULL;
    if (!(beta >= 0 && beta < (double)INFINITY))
        return heed_fail_null(HEED_ERR_ARGUMENT, "smooth_l1_loss", "beta is %g: must be finite and not negative", beta);
    if ((input->dtype == HEED_F32 ? (double)(float)beta : beta) == 0)
        return heed_l1_loss(input, target, reduction);
    return heed__reduce_loss(heed__apply2(&heed_op_smooth_l1_loss, input, target, &beta), reduction);
}

/* d^2 / 2 if |d| < delta, else delta (|d| - delta / 2), with d = input - target. */
heed_tensor *heed_huber_loss(heed_tensor *input, heed_tensor *target, double delta, heed_reduction reduction)
{
    HEED_ENTER("huber_loss");
    if (!heed__check_loss("huber_loss", input, target, reduction))
        return NULL;
    if (!(delta > 0 && delta < (double)INFINITY))
        return heed_fail_null(HEED_ERR_ARGUMENT, "huber_loss", "delta is %g: must be finite and above 0", delta);
    return heed_mul_scalar(heed_smooth_l1_loss(input, target, delta, reduction), delta);
}

/* max(x, 0) - x t + ln(1 + e^-|x|).    dx = g (sigmoid(x) - t), dt = -g x */
static void binary_cross_entropy_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *x = call->inputs[0], *t = call->inputs[1];
    if (heed_call_needs(call, 0))
        dx[0] = heed_mul(g[0], heed_sub(heed__logistic(x), t));
    if (heed_call_needs(call, 1))
        dx[1] = heed_neg(heed_mul(g[0], x));
}

const heed_op heed_op_binary_cross_entropy_with_logits = {HEED__BINARY("binary_cross_entropy_with_logits",
                                                                       HEED_SAVE_INPUTS, binary_cross_entropy_backward,
                                                                       .pairs = heed__kernel_binary_cross_entropy)};

static bool check_binary(const char *where, const heed_tensor *input, const heed_tensor *target,
                         const heed_binary_cross_entropy_options *o)
{
    return heed__check_loss(where, input, target, o->reduction) &&
           (!o->weight || check_broadcasts(where, "weight", input, o->weight)) &&
           (!o->pos_weight || check_broadcasts(where, "pos_weight", input, o->pos_weight));
}

static heed_tensor *reduce_weighted(heed_tensor *losses, const heed_binary_cross_entropy_options *o)
{
    return heed__reduce_loss(o->weight ? heed_mul(losses, o->weight) : losses, o->reduction);
}

/* p t ln(1 + e^-x) + (1 - t) ln(1 + e^x), for weights p of positive targets. */
static heed_tensor *positive_weighted(heed_tensor *x, heed_tensor *t, heed_tensor *pos_weight)
{
    heed_tensor *positive = heed_mul(heed_mul(pos_weight, t), heed_softplus(heed_neg(x)));
    return heed_add(positive, heed_mul(heed_rsub_scalar(t, 1), heed_softplus(x)));
}

heed_tensor *heed_binary_cross_entropy_with_logits(heed_tensor *input, heed_tensor *target,
                                                   const heed_binary_cross_entropy_options *options)
{
    HEED_ENTER("binary_cross_entropy_with_logits");
    static const heed_binary_cross_entropy_options defaults = {.reduction = HEED_REDUCTION_MEAN};
    const heed_binary_cross_entropy_options *o = options ? options : &defaults;
    const heed_op *op = &heed_op_binary_cross_entropy_with_logits;
    if (!check_binary(op->name, input, target, o))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *losses =
        o->pos_weight ? positive_weighted(input, target, o->pos_weight) : heed__apply2(op, input, target, NULL);
    return heed_scope_return(scope, reduce_weighted(losses, o));
}

/* max(ln p, -100), or max(ln(1 - p), -100) if `of_rest` is set. The gradient of -100 is 0. */
static heed_tensor *bounded_log(heed_tensor *p, bool of_rest)
{
    heed_tensor *limit = heed_full(p->dtype, HEED_SCALAR, of_rest ? 1 : exp(-100));
    heed_tensor *bounded = heed_compare(p, of_rest ? HEED_COMPARE_GE : HEED_COMPARE_LE, limit);
    heed_tensor *inside = heed_where(bounded, heed_full(p->dtype, HEED_SCALAR, 0.5), p);
    heed_tensor *logs = of_rest ? heed_log1p(heed_neg(inside)) : heed_log(inside);
    return heed_where(bounded, heed_full(p->dtype, HEED_SCALAR, -100), logs);
}

heed_tensor *heed_binary_cross_entropy(heed_tensor *input, heed_tensor *target,
                                       const heed_binary_cross_entropy_options *options)
{
    static const char where[] = "binary_cross_entropy";
    HEED_ENTER(where);
    static const heed_binary_cross_entropy_options defaults = {.reduction = HEED_REDUCTION_MEAN};
    const heed_binary_cross_entropy_options *o = options ? options : &defaults;
    if (!check_binary(where, input, target, o))
        return NULL;
    if (o->pos_weight)
        return heed_fail_null(HEED_ERR_ARGUMENT, where,
                              "pos_weight is given: must be NULL (heed_binary_cross_entropy_with_logits accepts it)");
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *losses = NULL;
    if (check_range(where, "input", input, 1, "must be in 0 .. 1")) {
        heed_tensor *of_rest = heed_mul(heed_rsub_scalar(target, 1), bounded_log(input, true));
        losses = heed_neg(heed_add(heed_mul(target, bounded_log(input, false)), of_rest));
    }
    return heed_scope_return(scope, reduce_weighted(losses, o));
}

/* max(0, 1 - t x).    dx = -g t if t x < 1 */
heed_tensor *heed_hinge_loss(heed_tensor *input, heed_tensor *target, heed_reduction reduction)
{
    HEED_ENTER("hinge_loss");
    if (!heed__check_loss("hinge_loss", input, target, reduction))
        return NULL;
    return heed__reduce_loss(heed_relu(heed_rsub_scalar(heed_mul(target, input), 1)), reduction);
}

/* x if t is 1, max(0, margin - x) if t is -1. */
heed_tensor *heed_hinge_embedding_loss(heed_tensor *input, heed_tensor *target, double margin, heed_reduction reduction)
{
    HEED_ENTER("hinge_embedding_loss");
    if (!heed__check_loss("hinge_embedding_loss", input, target, reduction) ||
        !heed__check_margin("hinge_embedding_loss", margin))
        return NULL;
    heed_tensor *if_different = heed_relu(heed_rsub_scalar(input, margin));
    return heed__reduce_loss(heed__where_pairs(target, input, if_different), reduction);
}

/* t (ln t - x). x: log probabilities, t: probabilities or their logarithms.
 *
 * Elements of probability 0 count as 0, whatever x is. They are replaced before the computation, so that their gradient
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

/* -- Negative log likelihoods of Poisson and normal distributions -------------------------------------------------- */

#define TWO_PI 6.283185307179586476925286766559

static bool check_eps(const char *where, double eps)
{
    return (eps >= 0 && isfinite(eps)) ||
           heed_fail_false(HEED_ERR_ARGUMENT, where, "eps is %g: must be finite and not negative", eps);
}

/* Stirling's approximation of ln t!, t ln t - t + ln(2 pi t) / 2 for t > 1. */
static heed_tensor *ln_factorial(heed_tensor *t)
{
    heed_tensor *one = heed_ones(t->dtype, HEED_SCALAR);
    heed_tensor *counts = heed_compare(t, HEED_COMPARE_GT, one), *n = heed_where(counts, t, one);
    heed_tensor *sum = heed_sub(heed_mul(heed_add_scalar(n, 0.5), heed_log(n)), n); /* (n + 1/2) ln n - n */
    return heed_where(counts, heed_add_scalar(sum, 0.5 * log(TWO_PI)), heed_zeros(t->dtype, HEED_SCALAR));
}

/* e^x - t x, or with no_log_input x - t ln(x + eps); with `full`, plus ln t!. */
static heed_tensor *poisson_losses(heed_tensor *x, heed_tensor *t, const heed_poisson_nll_loss_options *o)
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
    if (!heed__check_loss("poisson_nll_loss", input, target, o->reduction) || !check_eps("poisson_nll_loss", o->eps))
        return NULL;
    if (o->eps != 0 && !o->no_log_input)
        return heed_fail_null(HEED_ERR_ARGUMENT, "poisson_nll_loss", "eps is %g: must be 0 unless no_log_input is set",
                              o->eps);
    heed_scope *scope = heed_scope_begin();
    return scope ? heed_scope_return(scope, heed__reduce_loss(poisson_losses(input, target, o), o->reduction)) : NULL;
}

/* (ln v + (x - t)^2 / v) / 2 for v = max(var, eps); with `full`, plus ln(2 pi) / 2. */
static heed_tensor *gaussian_losses(heed_tensor *x, heed_tensor *t, heed_tensor *var,
                                    const heed_gaussian_nll_loss_options *o)
{
    heed_tensor *v = heed_clamp(var, o->eps > 0 ? o->eps : 1e-6, (double)INFINITY);
    heed_tensor *all = heed_add(heed_log(v), heed_div(heed_square(heed_sub(x, t)), v));
    return heed_mul_scalar(o->full ? heed_add_scalar(all, log(TWO_PI)) : all, 0.5);
}

heed_tensor *heed_gaussian_nll_loss(heed_tensor *input, heed_tensor *target, heed_tensor *var,
                                    const heed_gaussian_nll_loss_options *options)
{
    HEED_ENTER("gaussian_nll_loss");
    static const heed_gaussian_nll_loss_options defaults = {.reduction = HEED_REDUCTION_MEAN};
    const heed_gaussian_nll_loss_options *o = options ? options : &defaults;
    if (!heed__check_loss("gaussian_nll_loss", input, target, o->reduction) || !check_eps("gaussian_nll_loss", o->eps))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_shape rows = input->shape;
    rows.rank--;
    if (rows.rank >= 0 && heed__is_live(var) && heed__same_shape(&rows, &var->shape))
        var = heed_unsqueeze(var, -1); /* one variance per row, as in PyTorch */
    bool ok = check_broadcasts("gaussian_nll_loss", "var", input, var) &&
              check_range("gaussian_nll_loss", "var", var, (double)INFINITY, "must not be negative");
    heed_tensor *loss = ok ? heed__reduce_loss(gaussian_losses(input, target, var, o), o->reduction) : NULL;
    return heed_scope_return(scope, loss);
}
