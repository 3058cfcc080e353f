/* bench/nw_process.c - the book's parametric kernel regression as a whole program: data, 5 epochs, a line per epoch.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/heed.h>

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_manual_seed(0);
    heed_tensor *x = heed_sort(heed_mul_scalar(heed_rand(HEED_F32, HEED_SHAPE(50)), 5.0));
    heed_tensor *truth = heed_add(heed_mul_scalar(heed_sin(x), 2.0), heed_pow_scalar(x, 0.8));
    heed_tensor *y = heed_add(truth, heed_mul_scalar(heed_randn(HEED_F32, HEED_SHAPE(50)), 0.5));
    heed_nn_nw_kernel_regression *net =
        heed_nn_nw_kernel_regression_new(&(heed_nn_nw_kernel_regression_options){.leave_one_out = true});
    heed_optimizer *sgd = heed_optim_sgd(&net->base, &(heed_optim_sgd_options){.lr = 0.5});
    for (int epoch = 1; epoch <= 5; epoch++) {
        heed_scope *step = heed_scope_begin();
        heed_optimizer_zero_grad(sgd);
        heed_tensor *y_hat = heed_nn_nw_kernel_regression_forward(net, x, x, y, NULL);
        heed_tensor *loss = heed_mul_scalar(heed_mse_loss(y_hat, y, HEED_REDUCTION_SUM), 0.5);
        heed_backward(loss);
        heed_optimizer_step(sgd);
        printf("epoch %d, loss %.6f\n", epoch, heed_item(loss));
        heed_scope_end(step);
    }
    heed_optimizer_free(sgd);
    return heed_module_free(&net->base) == HEED_OK ? 0 : 1;
}
