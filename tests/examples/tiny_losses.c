/* tests/examples/tiny_losses.c - trains the model of examples/tiny.c with the library, on the same data from the same
 * start, and prints the same lines.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdio.h>

#include <heed/heed.h>

int main(void)
{
    enum { POINTS = 50, EPOCHS = 10 };
    double x[POINTS], y[POINTS];
    for (int i = 0; i < POINTS; i++) {
        x[i] = 5.0 * i / (POINTS - 1);
        y[i] = 2 * sin(x[i]) + pow(x[i], 0.8) + 0.5 * cos(7.0 * i);
    }
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_scope *all = heed_scope_begin();
    heed_tensor *inputs = heed_from_values(HEED_F64, HEED_SHAPE(POINTS), x, POINTS);
    heed_tensor *outputs = heed_from_values(HEED_F64, HEED_SHAPE(POINTS), y, POINTS);
    heed_nn_nw_kernel_regression *net = heed_nn_nw_kernel_regression_new(
        &(heed_nn_nw_kernel_regression_options){.width = 1.0, .leave_one_out = true, .dtype = HEED_F64});
    heed_optimizer *sgd = heed_optim_sgd(&net->base, &(heed_optim_sgd_options){.lr = 0.1});
    for (int epoch = 1; epoch <= EPOCHS; epoch++) {
        heed_scope *step = heed_scope_begin();
        heed_tensor *predicted = heed_nn_nw_kernel_regression_forward(net, inputs, inputs, outputs, NULL);
        heed_tensor *loss = heed_mul_scalar(heed_mse_loss(predicted, outputs, HEED_REDUCTION_SUM), 0.5);
        printf("epoch %d, loss %.9f\n", epoch, heed_item(loss));
        heed_optimizer_zero_grad(sgd);
        heed_backward(loss);
        heed_optimizer_step(sgd);
        heed_scope_end(step);
    }
    printf("w %.9f\n", heed_item(net->width));
    heed_optimizer_free(sgd);
    heed_module_free(&net->base);
    heed_scope_end(all);
    heed_thread_cleanup();
    return 0;
}
