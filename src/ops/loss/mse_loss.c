/* ops/loss/mse_loss.c    d^2; mean, sum or no reduction, with d = input - target.
 *
 * dinput = 2 g d, divided by n for the mean, dtarget = -dinput. This is one op that saves only its inputs. Composed of
 * subtraction, square and sum it would be three ops, forward and backward, and would store d twice. */

#include "ops/loss/loss.h"

static bool infer(const heed_call *call, heed_meta *out)
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

static bool forward(const heed_call *call, heed_tensor *const *out)
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

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *d = heed_sub(call->inputs[0], call->inputs[1]);
    dx[0] = heed_mul(g[0], heed_mul_scalar(d, factor(call)));
    if (heed_call_needs(call, 1))
        dx[1] = heed_neg(dx[0]);
}

static void backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
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
    .infer = infer,
    .forward = forward,
    .backward = backward,
    .backward_fused = backward_fused,
};

heed_tensor *heed_mse_loss(heed_tensor *input, heed_tensor *target, heed_reduction reduction)
{
    return heed__apply2(&heed_op_mse_loss, input, target, &reduction);
}
