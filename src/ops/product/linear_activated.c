/* ops/product/linear_activated.c    y = f(x w^T + b) with f = relu, tanh or sigmoid, applied while y is in the cache.
 * The derivative of f can be computed from y, so x w^T + b is not saved. This is not possible for gelu, which is
 * therefore applied by a second op.
 *
 *     with s = g f':   dx = s w    dw = s^T x    db = the sum of s's rows */

#include "ops/product/linear.h"

typedef enum fused { RELU, TANH, SIGMOID } fused;

typedef struct activated_params {
    fused activation;
} activated_params;

static fused activation_of(const heed_call *call)
{
    const activated_params *params = call->params;
    return params->activation;
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const heed_dtype dtype = out[0]->dtype;
    const fused f = activation_of(call);
    heed__unary_kernel *activation = f == RELU   ? HEED__KERNEL(relu, dtype)
                                     : f == TANH ? HEED__KERNEL(tanh, dtype)
                                                 : HEED__KERNEL(sigmoid, dtype);
    return heed__linear_forward(call, activation, out[0]);
}

/* Returns g f', computed from y as in relu.c, tanh.c and sigmoid.c. */
static heed_tensor *through(fused f, heed_tensor *y, heed_tensor *g)
{
    if (f == TANH)
        return heed_mul(g, heed_rsub_scalar(heed_square(y), 1.0));
    if (f == SIGMOID)
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
    const heed_dtype dtype = y->dtype;
    const fused f = activation_of(call);
    heed__binary_kernel *grad = f == RELU   ? HEED__KERNEL(relu_grad, dtype)
                                : f == TANH ? HEED__KERNEL(tanh_grad, dtype)
                                            : HEED__KERNEL(sigmoid_grad, dtype);
    heed__linear_backward_fused(call, heed__new_map2(call->op->name, grad, y, g[0], NULL), dx);
}

const heed_op heed_op_linear_activated = {
    .name = "linear_activated",
    .n_inputs = 2,
    .max_inputs = 3,
    .n_outputs = 1,
    .params_size = sizeof(activated_params),
    .fields = HEED_FIELDS(HEED_FIELD(activated_params, activation)),
    .saved = HEED_SAVE_INPUT(0) | HEED_SAVE_INPUT(1) | HEED_SAVE_OUTPUTS,
    .infer = heed__linear_infer,
    .forward = forward,
    .backward = backward,
    .backward_fused = backward_fused,
    .multiply_adds = heed__linear_multiply_adds,
};

static heed_tensor *activate(heed_activation activation, heed_tensor *x)
{
    heed_callback call = heed_callback_begin("the activation");
    heed_tensor *y = activation(x);
    if (!heed_callback_end(&call))
        return NULL;
    return y ? y : heed_fail_null(HEED_ERR_STATE, "linear_activated", "the activation returned NULL");
}

heed_tensor *heed_linear_activated(heed_tensor *x, heed_tensor *w, heed_tensor *b, heed_activation activation)
{
    HEED_ENTER("linear_activated");
    bool is_relu = activation == heed_relu, is_tanh = activation == heed_tanh;
    if (is_relu || is_tanh || activation == heed_sigmoid) {
        activated_params params = {is_relu ? RELU : is_tanh ? TANH : SIGMOID};
        return heed__apply_linear(&heed_op_linear_activated, x, w, b, &params);
    }
    heed_tensor *y = heed_linear(x, w, b);
    return y && activation ? activate(activation, y) : y;
}
