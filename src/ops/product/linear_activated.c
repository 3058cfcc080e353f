/* ops/product/linear_activated.c    y = f(x w^T + b) with f = relu, tanh or sigmoid, done while y is in the cache. The slope of
 * each of these follows from y, so nothing else is kept. That of gelu does not: there it is two ops.
 *
 *     with s = g f':   dx = s w    dw = s^T x    db = the sum of s's rows */

#include "ops/product/linear.h"

typedef struct activated_params {
    heed_activation activation;
} activated_params;

static heed_activation activation_of(const heed_call *call)
{
    const activated_params *params = call->params;
    return params->activation;
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const heed__kernel_table *kernels = heed__kernels(out[0]->dtype);
    heed_activation f = activation_of(call);
    return heed__linear_forward(call,
                                f == HEED_RELU   ? kernels->relu
                                : f == HEED_TANH ? kernels->tanh
                                                 : kernels->sigmoid,
                                out[0]);
}

/* g f', as relu.c, tanh.c and sigmoid.c have it. */
static heed_tensor *through(heed_activation f, heed_tensor *y, heed_tensor *g)
{
    if (f == HEED_TANH)
        return heed_mul(g, heed_rsub_scalar(heed_square(y), 1.0));
    if (f == HEED_SIGMOID)
        return heed_mul(g, heed_mul(y, heed_rsub_scalar(y, 1.0)));
    heed_tensor *zero = heed_zeros(g->dtype, HEED_SCALAR);
    return heed_where(heed_compare(y, HEED_COMPARE_GT, zero), g, zero);
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed__linear_backward(call, through(activation_of(call), call->outputs[0], g[0]), dx);
}

static void backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *y = call->outputs[0];
    const heed__kernel_table *kernels = heed__kernels(y->dtype);
    heed_activation f = activation_of(call);
    heed__binary_kernel *grad = f == HEED_RELU   ? kernels->relu_grad
                                : f == HEED_TANH ? kernels->tanh_grad
                                                 : kernels->sigmoid_grad;
    heed__linear_backward_fused(call, heed__new_map2(call->op->name, grad, y, g[0], NULL), dx);
}

const heed_op heed_op_linear_activated = {
    .name = "linear_activated",
    .n_inputs = 2,
    .max_inputs = 3,
    .n_outputs = 1,
    .params_size = sizeof(activated_params),
    .keeps = HEED_KEEP_INPUT(0) | HEED_KEEP_INPUT(1) | HEED_KEEP_OUTPUTS,
    .infer = heed__linear_infer,
    .forward = forward,
    .backward = backward,
    .backward_fused = backward_fused,
};

heed_tensor *heed_linear_activated(heed_tensor *x, heed_tensor *w, heed_tensor *b, heed_activation activation)
{
    HEED_ENTER("linear_activated");
    switch (activation) {
    case HEED_NO_ACTIVATION:
        return heed_linear(x, w, b);
    case HEED_GELU:
        return heed_gelu(heed_linear(x, w, b));
    case HEED_RELU:
    case HEED_TANH:
    case HEED_SIGMOID:
        return heed__apply_linear(&heed_op_linear_activated, x, w, b, &(activated_params){activation});
    }
    return heed_fail_null(HEED_ERR_ARGUMENT, "linear_activated", "activation is %d: must be a heed_activation",
                          (int)activation);
}
