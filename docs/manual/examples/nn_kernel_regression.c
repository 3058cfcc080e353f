/* nn_kernel_regression.c - examples of heed/nn/kernel_regression.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>

static void example_new(void)
{
    /* [heed_nn_nw_kernel_regression_new] */
    heed_nn_nw_kernel_regression_options options = {.log_width = true, .width = 2.0, .dtype = HEED_F64};
    heed_nn_nw_kernel_regression *net = heed_nn_nw_kernel_regression_new(&options);
    heed_print(heed_module_find(&net->base, "log_h"), stdout);
    /* -> tensor([0.6931], shape=(1), dtype=f64, requires_grad=True) */
    heed_module_free(&net->base);
    /* [] */
}

static void example_forward(void)
{
    /* [heed_nn_nw_kernel_regression_forward] */
    heed_nn_nw_kernel_regression_options options = {.kernel = HEED_NW_BOXCAR, .non_parametric = true, .width = 1.0};
    heed_nn_nw_kernel_regression *net = heed_nn_nw_kernel_regression_new(&options);
    heed_tensor *keys = heed_arange(HEED_F32, 0, 5, 1), *weights;
    heed_tensor *values = heed_square(keys); /* 0, 1, 4, 9, 16 */
    heed_tensor *queries = HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 1.0, 3.5);
    heed_print(heed_nn_nw_kernel_regression_forward(net, queries, keys, values, &weights), stdout);
    /* -> tensor([ 1.6667, 12.5000], shape=(2), dtype=f32) */
    heed_print(weights, stdout);
    /* -> tensor([[0.3333, 0.3333, 0.3333, 0.0000, 0.0000],
     *            [0.0000, 0.0000, 0.0000, 0.5000, 0.5000]], shape=(2, 5), dtype=f32) */
    heed_module_free(&net->base);
    /* [] */
}

static void example_leave_one_out(void)
{
    /* [heed_nn_leave_one_out] */
    heed_tensor *x = heed_arange(HEED_F32, 1, 5, 1);
    heed_tensor *keys = heed_nn_leave_one_out(x); /* row i has the keys of query x[i] */
    heed_print(keys, stdout);
    /* -> tensor([[2., 3., 4.],
     *            [1., 3., 4.],
     *            [1., 2., 4.],
     *            [1., 2., 3.]], shape=(4, 3), dtype=f32) */
    /* [] */
}

static void example_silverman_width(void)
{
    /* [heed_nn_silverman_width] */
    heed_tensor *x = heed_arange(HEED_F64, 0, 100, 1);
    double width = heed_nn_silverman_width(x);
    heed_nn_nw_kernel_regression *net =
        heed_nn_nw_kernel_regression_new(&(heed_nn_nw_kernel_regression_options){.width = width});
    printf("h = %.3f, w = %.3f\n", width, heed_item(net->width)); /* -> h = 10.395, w = 0.096 */
    heed_module_free(&net->base);
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_new();
    example_forward();
    example_leave_one_out();
    example_silverman_width();
    return 0;
}
