/* functional.c - examples of heed/functional.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>

/* [heed_vjp] */
static heed_tensor *u(heed_tensor *const *in, void *net) /* the solution of a PINN; this example uses sin x */
{
    return net ? heed_module_forward(net, in[0]) : heed_sin(in[0]);
}

static heed_tensor *u_x(heed_tensor *const *in, void *net)
{
    heed_tensor *slope;
    heed_tensor *ones = heed_ones(HEED_F64, heed_shape_of(in[0]));
    heed_vjp(u, net, in, 1, ones, &slope, &(heed_functional_options){.create_graph = true});
    return slope;
}
/* [] */

static void example_vjp(void)
{
    /* [heed_vjp] */
    heed_tensor *x = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 0, 0.5, 1), *u_xx;
    heed_vjp(u_x, NULL, &x, 1, heed_ones(HEED_F64, HEED_SHAPE(3)), &u_xx, NULL);
    heed_print(heed_add(u_xx, u(&x, NULL)), stdout); /* -> tensor([0., 0., 0.], shape=(3), dtype=f64) */
    /* [] */
}

/* [heed_jvp heed_jacobian] */
static heed_tensor *polar(heed_tensor *const *in, void *user) /* (r, phi) to (x, y) */
{
    (void)user;
    heed_tensor *r = heed_select(in[0], 0, 0), *phi = heed_select(in[0], 0, 1);
    return heed_mul(r, heed_stack(HEED_TENSORS(heed_cos(phi), heed_sin(phi)), 0));
}
/* [] */

static void example_jacobian(void)
{
    /* [heed_jvp heed_jacobian] */
    heed_tensor *at = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 2, 0), *jacobian;
    heed_tensor *turning = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 0, 1), *velocity;
    heed_jacobian(polar, NULL, &at, 1, &jacobian, NULL);
    heed_jvp(polar, NULL, &at, 1, &turning, &velocity, NULL);
    heed_print(jacobian, stdout);
    /* -> tensor([[1., 0.],
     *            [0., 2.]], shape=(2, 2), dtype=f64) */
    heed_print(velocity, stdout); /* -> tensor([0., 2.], shape=(2), dtype=f64) */
    /* [] */
}

/* [heed_hvp heed_hessian] */
static heed_tensor *energy(heed_tensor *const *in, void *a) /* x^T A x / 2 */
{
    return heed_mul_scalar(heed_sum(heed_mul(in[0], heed_linear(in[0], a, NULL))), 0.5);
}
/* [] */

static void example_hessian(void)
{
    /* [heed_hvp heed_hessian] */
    heed_tensor *a = HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 4, 1, 1, 3), *hessian, *product;
    heed_tensor *x = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1, 2), *v = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1, -1);
    heed_hessian(energy, a, &x, 1, &hessian, NULL);
    heed_hvp(energy, a, &x, 1, &v, &product, NULL);
    heed_print(hessian, stdout);
    /* -> tensor([[4., 1.],
     *            [1., 3.]], shape=(2, 2), dtype=f64) */
    heed_print(product, stdout); /* -> tensor([ 3., -2.], shape=(2), dtype=f64) */
    /* [] */
}

/* [heed_checkpointed] */
static heed_tensor *block(heed_tensor *const *in, void *layer)
{
    return heed_dropout(heed_module_forward(layer, in[0]), 0.5, true);
}
/* [] */

static void example_checkpointed(void)
{
    heed_nn_linear *layer = heed_nn_linear_new(64, 64, NULL);
    heed_tensor *h = heed_randn(HEED_F32, HEED_SHAPE(100, 64));
    heed_scope *step = heed_scope_begin();
    /* [heed_checkpointed] */
    int64_t before = heed_memory_get_stats().live_bytes;
    for (int i = 0; i < 8; i++)
        h = heed_checkpointed(block, layer, &h, 1);
    int64_t bytes = heed_memory_get_stats().live_bytes - before; /* mostly h: 100 x 64 x 4 per block */
    printf("%lld results of each block\n", (long long)(bytes / (8 * 100 * 64 * 4))); /* -> 1 results of each block */
    heed_backward(heed_sum(heed_square(h)));
    /* [] */
    heed_scope_end(step);
    heed_module_free(&layer->base);
}

/* [heed_is_recomputing] */
static heed_tensor *counted(heed_tensor *const *in, void *count)
{
    *(int *)count += !heed_is_recomputing(); /* once per forward pass */
    return heed_tanh(in[0]);
}
/* [] */

static void example_recomputing(void)
{
    /* [heed_is_recomputing] */
    int count = 0;
    heed_tensor *x = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(2)), true);
    heed_backward(heed_sum(heed_checkpointed(counted, &count, &x, 1))); /* calls `counted` twice */
    printf("%d\n", count);                                              /* -> 1 */
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_manual_seed(0);
    example_vjp();
    example_jacobian();
    example_hessian();
    example_checkpointed();
    example_recomputing();
    return 0;
}
