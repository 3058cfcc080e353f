/* start.c - the first program of the manual. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/heed.h>

static void example_start(void)
{
    heed_manual_seed(1);
    /* [heed_scope_begin heed_scope_end heed_backward] */
    heed_tensor *x = heed_rand(HEED_F32, HEED_SHAPE(100, 1)), *y = heed_add_scalar(heed_mul_scalar(x, 3), 1);
    heed_nn_linear *net = heed_nn_linear_new(1, 1, NULL);
    heed_optimizer *sgd = heed_optim_sgd(&net->base, &(heed_optim_sgd_options){.lr = 0.5});
    for (int i = 0; i < 500; i++) {
        heed_scope *step = heed_scope_begin();
        heed_optimizer_zero_grad(sgd);
        heed_backward(heed_mse_loss(heed_nn_linear_forward(net, x), y, HEED_REDUCTION_MEAN));
        heed_optimizer_step(sgd);
        heed_scope_end(step); /* frees all tensors made since heed_scope_begin */
    }
    printf("%.3f x + %.3f\n", heed_item(net->weight), heed_item(net->bias)); /* -> 3.000 x + 1.000 */
    /* [] */
    heed_optimizer_free(sgd);
    heed_module_free(&net->base);
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_start();
    return 0;
}
