/* examples/mlp.c - a classifier from beginning to end: data, network, training, accuracy, a file of weights. It
 * needs only heed: copy it to start a program of your own.
 *
 * The data are two spirals that wind around each other; a point (x, y) belongs to the first or to the second.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdio.h>

#define HEED_SITES /* makes errors name the line */
#include <heed/heed.h>

enum { POINTS = 1000, EPOCHS = 30 };

/* Inputs (n, 2), f32, and classes (n), i64. */
static void make_spirals(int64_t n, heed_tensor **inputs, heed_tensor **classes)
{
    *inputs = heed_mul_scalar(heed_randn(HEED_F32, HEED_SHAPE(n, 2)), 0.05);
    *classes = heed_randint(0, 2, HEED_SHAPE(n));
    float *xy = heed_mutable_f32(*inputs);
    const int64_t *class = heed_data_i64(*classes);
    for (int64_t i = 0; i < n; i++) {
        double along = 3.0 * sqrt((double)i / (double)n), turn = 2.0 * along + (class[i] ? 3.14159265358979 : 0.0);
        xy[2 * i] += (float)(along * cos(turn) / 3.0);
        xy[2 * i + 1] += (float)(along * sin(turn) / 3.0);
    }
}

/* The share of points whose larger output is the output of their class. */
static double accuracy(heed_nn_sequential *net, heed_tensor *inputs, heed_tensor *classes)
{
    heed_scope *scope = heed_no_grad_begin();
    heed_tensor *guesses = heed_argmax(heed_nn_sequential_forward(net, inputs), -1, false);
    heed_tensor *right = heed_compare(guesses, HEED_COMPARE_EQ, classes);
    double share = heed_item(heed_mean(heed_to_dtype(right, HEED_F64)));
    heed_scope_end(scope);
    return share;
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL); /* prints the first error and ends the script */
    heed_manual_seed(1);

    heed_tensor *inputs, *classes, *test_inputs, *test_classes;
    make_spirals(POINTS, &inputs, &classes);
    make_spirals(POINTS, &test_inputs, &test_classes);
    heed_dataset *data = heed_dataset_new(HEED_TENSORS(inputs, classes));
    heed_loader *loader = heed_loader_new(data, &(heed_loader_options){.batch_size = 50, .shuffle = true});

    heed_nn_sequential *net = heed_nn_sequential_new(HEED_MODULES(
        heed_nn_linear_new(2, 64, NULL), heed_nn_function_new("relu", heed_relu), heed_nn_linear_new(64, 64, NULL),
        heed_nn_function_new("relu", heed_relu), heed_nn_linear_new(64, 2, NULL)));
    heed_optimizer *adam = heed_optim_adam(&net->base, &(heed_optim_adam_options){.lr = 3e-3});

    for (int epoch = 1; epoch <= EPOCHS; epoch++) {
        double total = 0.0;
        for (int64_t step = 0; step < heed_loader_batches(loader); step++) {
            heed_scope *scope = heed_scope_begin(); /* frees the tensors of the step */
            heed_tensor *batch[2];
            heed_loader_next(loader, batch);
            heed_tensor *loss = heed_cross_entropy(heed_nn_sequential_forward(net, batch[0]), batch[1], NULL);
            heed_optimizer_zero_grad(adam);
            heed_backward(loss);
            heed_optimizer_step(adam);
            total += heed_item(loss);
            heed_scope_end(scope);
        }
        if (epoch % 5 == 0)
            printf("epoch %2d, loss %.4f, accuracy %.3f\n", epoch, total / (double)heed_loader_batches(loader),
                   accuracy(net, test_inputs, test_classes));
    }

    heed_dict *state = heed_module_state(&net->base);
    heed_io_safetensors_write("mlp.safetensors", state); /* safetensors.torch.load_file reads it */
    heed_dict_free(state);

    heed_optimizer_free(adam);
    heed_module_free(&net->base);
    heed_loader_free(loader);
    heed_dataset_free(data);
    return 0;
}
