/* examples/custom_op.c - an op of your own, with its own forward and backward, checked against finite differences.
 *
 *     softplus(x) = ln(1 + e^x)        dx = g sigmoid(x)
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdio.h>

#define HEED_SITES /* makes errors name the line */
#include <heed/heed.h>

/* max(x, 0) + ln(1 + e^-|x|): no overflow for large x. */
static bool softplus_forward(const heed_call *call, heed_tensor *const *out)
{
    heed_tensor *x = call->inputs[0], *y = out[0];
    if (heed_dtype_of(x) == HEED_F32) {
        const float *from = heed_data_f32(x);
        float *to = heed_mutable_f32(y);
        for (int64_t i = 0; i < heed_numel(x); i++)
            to[i] = fmaxf(from[i], 0.0f) + log1pf(expf(-fabsf(from[i])));
    } else {
        const double *from = heed_data_f64(x);
        double *to = heed_mutable_f64(y);
        for (int64_t i = 0; i < heed_numel(x); i++)
            to[i] = fmax(from[i], 0.0) + log1p(exp(-fabs(from[i])));
    }
    return true;
}

/* It is written in ops, so heed can differentiate it again. */
static void softplus_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], heed_sigmoid(call->inputs[0]));
}

static const heed_op softplus_op = {
    .name = "softplus",
    .n_inputs = 1,
    .n_outputs = 1,
    .saved = HEED_SAVE_INPUTS,
    .contiguous = true,
    .infer = heed_infer_same,
    .forward = softplus_forward,
    .backward = softplus_backward,
};

static heed_tensor *softplus(heed_tensor *x)
{
    return heed_apply(&softplus_op, &x, 1, NULL);
}

/* With HEED_SITES errors name the line that calls softplus. */
HEED_SITED(heed_tensor *, softplus)
#define softplus(...) HEED_AT(softplus, __VA_ARGS__)

/* The function that the gradient checks call. */
static heed_tensor *checked(heed_tensor *const *inputs, void *user)
{
    (void)user;
    return softplus(inputs[0]);
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_manual_seed(0);

    heed_tensor *x = heed_set_requires_grad(HEED_TENSOR(HEED_F32, HEED_SHAPE(5), -100, -1, 0, 1, 100), true);
    heed_tensor *y = softplus(x);
    heed_backward(heed_sum(y));
    heed_print(y, stdout);
    heed_print(heed_grad_of(x), stdout);

    heed_tensor *samples = heed_set_requires_grad(heed_randn(HEED_F64, HEED_SHAPE(3, 4)), true);
    heed_gradcheck_result result;
    heed_gradcheck(checked, NULL, &samples, 1, NULL, &result);
    puts(result.report);
    heed_gradgradcheck(checked, NULL, &samples, 1, NULL, &result);
    puts(result.report);
    heed_thread_cleanup();
    return 0;
}
