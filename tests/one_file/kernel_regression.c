/* tests/one_file/kernel_regression.c - kernel regression learns its width, without pictures: scripts/size reports
 * the size of such a program.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <stdio.h>

#include <heed/heed.h>

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_manual_seed(1);
    heed_tensor *x = heed_mul_scalar(heed_rand(HEED_F32, HEED_SHAPE(50)), 5);
    heed_tensor *noise = heed_mul_scalar(heed_randn(HEED_F32, HEED_SHAPE(50)), 0.5);
    heed_tensor *y = heed_add(heed_add(heed_mul_scalar(heed_sin(x), 2), heed_pow_scalar(x, 0.8)), noise);
    heed_tensor *keys = heed_nn_leave_one_out(x), *values = heed_nn_leave_one_out(y);
    heed_nn_nw_kernel_regression *net = heed_nn_nw_kernel_regression_new(NULL);
    heed_optimizer *sgd = heed_optim_sgd(&net->base, &(heed_optim_sgd_options){.lr = 0.5});
    for (int epoch = 0; epoch < 20; epoch++) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *loss =
            heed_mse_loss(heed_nn_nw_kernel_regression_forward(net, x, keys, values, NULL), y, HEED_REDUCTION_MEAN);
        heed_optimizer_zero_grad(sgd);
        heed_backward(loss);
        heed_optimizer_step(sgd);
        printf("epoch %d, loss %.4f\n", epoch + 1, heed_item(loss));
        heed_scope_end(scope);
    }
    heed_optimizer_free(sgd);
    heed_module_free(&net->base);
    return 0;
}
