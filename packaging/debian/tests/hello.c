/* debian/tests/hello.c - tests the installed library: a derivative, some training steps, a picture and a file of
 * weights.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>

#include <string.h>

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_tensor *x = heed_set_requires_grad(heed_arange(HEED_F64, 0, 1000, 1), true);
    heed_tensor *y = heed_sum(heed_square(x));
    heed_backward(y);
    if (heed_item(y) != 332833500 || heed_get(heed_grad_of(x), HEED_INDEX(999)) != 1998)
        return 1;

    heed_nn_linear *net = heed_nn_linear_new(2, 1, NULL);
    heed_tensor *in = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 0, 1, 1, 0);
    heed_tensor *want = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 1), 1, -1);
    heed_optimizer *sgd = heed_optim_sgd(&net->base, &(heed_optim_sgd_options){.lr = 0.5});
    double loss = 0;
    for (int step = 0; step < 100; step++) {
        heed_scope *scope = heed_scope_begin();
        heed_optimizer_zero_grad(sgd);
        heed_tensor *off = heed_mse_loss(heed_module_forward(&net->base, in), want, HEED_REDUCTION_MEAN);
        heed_backward(off);
        heed_optimizer_step(sgd);
        loss = heed_item(off);
        heed_scope_end(scope);
    }
    heed_dict *state = heed_module_state(&net->base);
    heed_io_safetensors_write("hello.safetensors", state);
    heed_dict_free(state);
    heed_plot_heatmap(heed_rand(HEED_F32, HEED_SHAPE(4, 4)), "hello.png", NULL);
    heed_optimizer_free(sgd);
    heed_module_free(&net->base);
    printf("heed %s, loss %.2g\n", heed_version(), loss);
    return loss < 1e-6 && strncmp(heed_version(), "0.", 2) == 0 ? 0 : 1;
}
