/* ops/loss/nll_loss.c    y[...] = -input[..., target], or 0 if the target is ignored.    dinput = -g at the target,
 * else 0 */

#include "ops/loss/loss.h"

#define PICK(type)                                                                                                     \
    do {                                                                                                               \
        const type *x = (const void *)call->inputs[0]->data;                                                           \
        type *y = (void *)out[0]->data;                                                                                \
        for (int64_t row = 0; row < targets->numel; row++, x += classes)                                               \
            y[row] = values[row] == params->ignored ? 0 : -x[values[row]];                                             \
    } while (0)

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const heed__class_params *params = call->params;
    const heed_tensor *targets = call->inputs[1];
    const int64_t *values = (const void *)targets->data, classes = heed__classes(&call->inputs[0]->shape);
    if (!heed__check_targets(call))
        return false;
    if (out[0]->dtype == HEED_F32)
        PICK(float);
    else
        PICK(double);
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *zero = heed_zeros(g[0]->dtype, HEED_SCALAR);
    heed_tensor *at_target = heed_where(heed__target_classes(call), heed_neg(heed_unsqueeze(g[0], -1)), zero);
    dx[0] = heed__where_counted(call, at_target);
}

#define PUT(type)                                                                                                      \
    do {                                                                                                               \
        const type *from = (const void *)dense->data;                                                                  \
        type *to = (void *)dinput->data;                                                                               \
        for (int64_t row = 0; row < targets->numel; row++, to += classes)                                              \
            if (values[row] != params->ignored)                                                                        \
                to[values[row]] = -from[row];                                                                          \
    } while (0)

static void backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed__class_params *params = call->params;
    heed_shape shape = heed_call_shape(call, 0);
    heed_tensor *targets = heed_contiguous(call->inputs[1]), *dense = heed_contiguous(g[0]);
    heed_tensor *dinput = targets && dense ? heed_zeros(dense->dtype, shape) : NULL;
    if (!dinput)
        return;
    const int64_t *values = (const void *)targets->data, classes = heed__classes(&shape);
    if (dense->dtype == HEED_F32)
        PUT(float);
    else
        PUT(double);
    dx[0] = dinput;
}

const heed_op heed_op_nll_loss = {
    .name = "nll_loss",
    .n_inputs = 2,
    .n_outputs = 1,
    .params_size = sizeof(heed__class_params),
    .fields = HEED_FIELDS(HEED_FIELD(heed__class_params, has_ignored), HEED_FIELD(heed__class_params, ignored),
                          HEED_FIELD(heed__class_params, smoothing)),
    .saved = HEED_SAVE_INPUT(1),
    .contiguous = true,
    .infer = heed__infer_class_loss,
    .forward = forward,
    .backward = backward,
    .backward_fused = backward_fused,
};

heed_tensor *heed_nll_loss(heed_tensor *input, heed_tensor *targets, const heed_class_loss_options *options)
{
    if (options && options->label_smoothing != 0)
        return heed_fail_null(HEED_ERR_ARGUMENT, "nll_loss", "label_smoothing is %g: must be 0",
                              options->label_smoothing);
    return heed__class_loss(&heed_op_nll_loss, input, targets, options);
}
