/* optim.c - examples of heed/optim.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>

/* -- Steps --------------------------------------------------------------------------------------------------------- */

/* y = 3 x + 1 at 8 points. */
static void line(heed_tensor **x, heed_tensor **y)
{
    *x = heed_reshape(heed_linspace(HEED_F32, -1, 1, 8), HEED_SHAPE(8, 1));
    *y = heed_add_scalar(heed_mul_scalar(*x, 3), 1);
}

static void example_step(void)
{
    heed_tensor *x, *y;
    line(&x, &y);
    /* [heed_optimizer_step] */
    heed_nn_linear *net = heed_nn_linear_new(1, 1, NULL);
    heed_optimizer *sgd = heed_optim_sgd(&net->base, &(heed_optim_sgd_options){.lr = 0.5});
    for (int step = 0; step < 100; step++) {
        heed_scope *scope = heed_scope_begin(); /* owns the temporaries of the step */
        heed_optimizer_zero_grad(sgd);
        heed_backward(heed_mse_loss(heed_nn_linear_forward(net, x), y, HEED_REDUCTION_MEAN));
        heed_optimizer_step(sgd);
        heed_scope_end(scope);
    }
    printf("y = %.3f x + %.3f\n", heed_item(net->weight), heed_item(net->bias)); /* -> y = 3.000 x + 1.000 */
    /* [] */
    heed_optimizer_free(sgd);
    heed_module_free(&net->base);
}

/* The mean squared error of quarter i of these points. */
static heed_tensor *loss_of(heed_nn_linear *net, int i)
{
    heed_tensor *x, *y;
    line(&x, &y);
    heed_tensor *guess = heed_nn_linear_forward(net, heed_slice(x, 0, 2 * i, 2 * i + 2, 1));
    return heed_mse_loss(guess, heed_slice(y, 0, 2 * i, 2 * i + 2, 1), HEED_REDUCTION_MEAN);
}

static void example_parts(void)
{
    /* [heed_optimizer_zero_grad] */
    heed_nn_linear *net = heed_nn_linear_new(1, 1, NULL);
    heed_optimizer *sgd = heed_optim_sgd(&net->base, &(heed_optim_sgd_options){.lr = 0.5});
    for (int i = 0; i < 400; i++) { /* gradient accumulation: a batch consists of 4 small ones */
        heed_scope *scope = heed_scope_begin();
        heed_backward(heed_mul_scalar(loss_of(net, i % 4), 1.0 / 4));
        if (i % 4 == 3) {
            heed_optimizer_step(sgd);
            heed_optimizer_zero_grad(sgd);
        }
        heed_scope_end(scope);
    }
    printf("y = %.3f x + %.3f\n", heed_item(net->weight), heed_item(net->bias)); /* -> y = 3.000 x + 1.000 */
    /* [] */
    heed_optimizer_free(sgd);
    heed_module_free(&net->base);
}

static void example_free(void)
{
    /* [heed_optimizer_free] */
    heed_nn_linear *net = heed_nn_linear_new(2, 2, NULL);
    heed_optimizer *sgd = heed_optim_sgd(&net->base, &(heed_optim_sgd_options){.lr = 0.1});
    heed_optimizer_free(sgd);                                      /* the parameters remain */
    printf("%s\n", heed_shape_text(heed_shape_of(net->weight)).s); /* -> (2, 2) */
    heed_module_free(&net->base); /* until you free their module; the order does not matter */
    /* [] */
}

static void example_parameters(void)
{
    /* [heed_optimizer_parameter_count heed_optimizer_parameter] */
    heed_nn_linear *net = heed_nn_linear_new(3, 2, NULL);
    heed_optimizer *adam = heed_optim_adam(&net->base, NULL);
    int64_t numbers = 0;
    for (int i = 0; i < heed_optimizer_parameter_count(adam); i++)
        numbers += heed_numel(heed_optimizer_parameter(adam, i));
    printf("%d numbers to learn\n", (int)numbers); /* -> 8 numbers to learn */
    /* [] */
    heed_optimizer_free(adam);
    heed_module_free(&net->base);
}

/* A module with a parameter "w", [1, 2], and a step with the gradient of the sum of its squares, which begins as
 * [2, 4]. */
static heed_module *net_of_w(void)
{
    heed_module *net = heed_module_new("net", sizeof *net);
    heed_module_parameter(net, "w", HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1, 2));
    return net;
}

static heed_tensor *loss_of_w(heed_module *net)
{
    return heed_sum(heed_square(heed_module_find(net, "w")));
}

/* -- State --------------------------------------------------------------------------------------------------------- */

static void example_state(void)
{
    heed_module *net = net_of_w();
    /* [heed_optimizer_state] */
    heed_optimizer *sgd = heed_optim_sgd(net, &(heed_optim_sgd_options){.lr = 0.1, .momentum = 0.9});
    heed_backward(loss_of_w(net)); /* gradient [2, 4] */
    heed_optimizer_step(sgd);
    heed_dict *state = heed_optimizer_state(sgd);
    for (int64_t i = 0; i < heed_dict_size(state); i++)
        printf("%s ", heed_dict_name(state, i));                   /* -> lr initial_lr 0.step 0.momentum_buffer */
    heed_print(heed_dict_get(state, "0.momentum_buffer"), stdout); /* -> tensor([2., 4.], shape=(2), dtype=f64) */
    heed_dict_free(state);
    heed_optimizer_free(sgd);
    /* [] */
    heed_module_free(net);
}

static void example_load_state(void)
{
    heed_module *net = net_of_w();
    heed_optimizer *before = heed_optim_adam(net, NULL);
    heed_backward(loss_of_w(net));
    heed_optimizer_step(before);
    /* [heed_optimizer_load_state] */
    heed_optimizer_set_lr(before, 0, 0.5);
    heed_dict *state = heed_optimizer_state(before);
    heed_optimizer *after = heed_optim_adam(net, NULL);
    if (heed_optimizer_load_state(after, state, NULL) == HEED_OK)
        printf("goes on with lr %g\n", heed_optimizer_lr(after, 0)); /* -> goes on with lr 0.5 */
    heed_dict_free(state);
    /* [] */
    heed_optimizer_free(before);
    heed_optimizer_free(after);
    heed_module_free(net);
}

/* The state of an optimizer whose last layer has a different size. */
static void example_lenient_load(void)
{
    heed_module *net = net_of_w();
    heed_optimizer *adam = heed_optim_adam(net, NULL);
    heed_backward(loss_of_w(net));
    heed_optimizer_step(adam);
    heed_dict *state = heed_optimizer_state(adam);
    heed_dict_set(state, "0.exp_avg", heed_zeros(HEED_F64, HEED_SHAPE(7)));
    /* [heed_optimizer_load_state] */
    heed_dict *skipped = heed_dict_new();
    heed_dict_load_options lenient = {.allow_unlike = true, .skipped = skipped};
    heed_optimizer_load_state(adam, state, &lenient);
    printf("%s\n", heed_dict_text(skipped, "0.exp_avg")); /* -> is f64 (7): must be f64 (2) */
    /* [] */
    heed_dict_free(skipped);
    heed_dict_free(state);
    heed_optimizer_free(adam);
    heed_module_free(net);
}

/* -- Groups -------------------------------------------------------------------------------------------------------- */

static void example_groups(void)
{
    heed_nn_linear *body = heed_nn_linear_new(4, 4, NULL), *head = heed_nn_linear_new(4, 2, NULL);
    /* [heed_optimizer_groups] */
    heed_optimizer *adam = heed_optim_adam(&body->base, NULL);
    heed_optim_adam_add_group(adam, &head->base, &(heed_optim_adam_options){.lr = 0.01});
    heed_optimizer_set_lr(adam, 0, 0.002);
    for (int i = 0; i < heed_optimizer_groups(adam); i++)
        printf("%g ", heed_optimizer_lr(adam, i)); /* -> 0.002 0.01 */
    heed_optimizer_free(adam);
    /* [] */
    heed_module_free(&body->base);
    heed_module_free(&head->base);
}

static void example_options(void)
{
    /* [heed_optimizer_set_options] */
    heed_nn_transformer_encoder_block *block = heed_nn_transformer_encoder_block_new(8, 2, 16, NULL);
    heed_optimizer *adamw = heed_optim_adamw(&block->base, &(heed_optim_adam_options){.weight_decay = 0.01});
    heed_optimizer_options no_decay = {.no_decay = true};
    int64_t matched = heed_optimizer_set_options(adamw, &block->base, "*bias|*norm:*", &no_decay);
    printf("%lld of %d do not decay\n", (long long)matched, heed_optimizer_parameter_count(adamw));
    /* -> 8 of 12 do not decay */
    heed_optimizer_free(adamw);
    heed_module_free(&block->base);
    /* [] */
}

static void example_lr(void)
{
    heed_module *net = net_of_w();
    /* [heed_optimizer_lr heed_optimizer_set_lr] */
    heed_optimizer *adam = heed_optim_adam(net, NULL);
    printf("%g\n", heed_optimizer_lr(adam, 0)); /* -> 0.001 */
    heed_optimizer_set_lr(adam, 0, 3e-4);
    printf("%g\n", heed_optimizer_lr(adam, 0)); /* -> 0.0003 */
    heed_optimizer_free(adam);
    /* [] */
    heed_module_free(net);
}

/* -- Optimizers ---------------------------------------------------------------------------------------------------- */

static void example_sgd(void)
{
    heed_tensor *x, *y;
    line(&x, &y);
    /* [heed_optim_sgd] */
    heed_nn_linear *net = heed_nn_linear_new(1, 1, NULL);
    heed_optimizer *sgd = heed_optim_sgd(&net->base, &(heed_optim_sgd_options){.lr = 0.1, .momentum = 0.9});
    for (int step = 0; step < 200; step++) {
        heed_scope *scope = heed_scope_begin();
        heed_optimizer_zero_grad(sgd);
        heed_backward(heed_mse_loss(heed_nn_linear_forward(net, x), y, HEED_REDUCTION_MEAN));
        heed_optimizer_step(sgd);
        heed_scope_end(scope);
    }
    printf("y = %.2f x + %.2f\n", heed_item(net->weight), heed_item(net->bias)); /* -> y = 3.00 x + 1.00 */
    /* [] */
    heed_optimizer_free(sgd);
    heed_module_free(&net->base);
}

static void example_sgd_add_group(void)
{
    heed_nn_linear *body = heed_nn_linear_new(4, 4, NULL), *head = heed_nn_linear_new(4, 2, NULL);
    /* [heed_optim_sgd_add_group] */
    heed_optimizer *sgd = heed_optim_sgd(&body->base, &(heed_optim_sgd_options){.lr = 0.1, .weight_decay = 0.01});
    heed_optim_sgd_add_group(sgd, &head->base, &(heed_optim_sgd_options){.lr = 0.1}); /* does not decay */
    printf("%d groups\n", heed_optimizer_groups(sgd));                                /* -> 2 groups */
    heed_optimizer_free(sgd);
    /* [] */
    heed_module_free(&body->base);
    heed_module_free(&head->base);
}

static void example_adam(void)
{
    heed_tensor *x, *y;
    line(&x, &y);
    /* [heed_optim_adam] */
    heed_nn_linear *net = heed_nn_linear_new(1, 1, NULL);
    heed_optimizer *adam = heed_optim_adam(&net->base, &(heed_optim_adam_options){.lr = 0.1});
    for (int step = 0; step < 300; step++) {
        heed_scope *scope = heed_scope_begin();
        heed_optimizer_zero_grad(adam);
        heed_backward(heed_mse_loss(heed_nn_linear_forward(net, x), y, HEED_REDUCTION_MEAN));
        heed_optimizer_step(adam);
        heed_scope_end(scope);
    }
    printf("y = %.2f x + %.2f\n", heed_item(net->weight), heed_item(net->bias)); /* -> y = 3.00 x + 1.00 */
    /* [] */
    heed_optimizer_free(adam);
    heed_module_free(&net->base);
}

static void example_adam_add_group(void)
{
    heed_nn_linear *pretrained = heed_nn_linear_new(4, 4, NULL), *head = heed_nn_linear_new(4, 2, NULL);
    /* [heed_optim_adam_add_group] */
    heed_optim_adam_options slow = {.lr = 1e-5}, fast = {.lr = 1e-3};
    heed_optimizer *adam = heed_optim_adam(&pretrained->base, &slow);
    heed_optim_adam_add_group(adam, &head->base, &fast);
    printf("%g and %g\n", heed_optimizer_lr(adam, 0), heed_optimizer_lr(adam, 1)); /* -> 1e-05 and 0.001 */
    heed_optimizer_free(adam);
    /* [] */
    heed_module_free(&pretrained->base);
    heed_module_free(&head->base);
}

static void example_adamw(void)
{
    /* [heed_optim_adamw] */
    heed_nn_linear *net = heed_nn_linear_new(2, 1, &(heed_nn_linear_options){.no_bias = true});
    heed_nn_init_uniform_(net->weight, 1, 1);
    heed_optimizer *adamw = heed_optim_adamw(&net->base, &(heed_optim_adam_options){.lr = 0.1, .weight_decay = 0.5});
    heed_set_grad(net->weight, heed_zeros(HEED_F32, HEED_SHAPE(1, 2)));
    heed_optimizer_step(adamw); /* p = p - lr weight_decay p: weights decay even if the gradient is 0 */
    heed_print(heed_detach(net->weight), stdout); /* -> tensor([[0.9500, 0.9500]], shape=(1, 2), dtype=f32) */
    heed_optimizer_free(adamw);
    heed_module_free(&net->base);
    /* [] */
}

static void example_adamw_add_group(void)
{
    /* [heed_optim_adamw_add_group] */
    heed_nn_linear *net = heed_nn_linear_new(4, 4, NULL);
    heed_module *weights = heed_nn_parameter_list_new(HEED_TENSORS(net->weight));
    heed_module *biases = heed_nn_parameter_list_new(HEED_TENSORS(net->bias));
    heed_optimizer *adamw = heed_optim_adamw(weights, &(heed_optim_adam_options){.weight_decay = 0.01});
    heed_optim_adamw_add_group(adamw, biases, NULL); /* biases do not decay */
    heed_module_free(weights);
    heed_module_free(biases);
    printf("%d groups, lr %g\n", heed_optimizer_groups(adamw), heed_optimizer_lr(adamw, 0)); /* -> 2 groups, lr 0.001 */
    /* [] */
    heed_optimizer_free(adamw);
    heed_module_free(&net->base);
}

/* -- Clipping ------------------------------------------------------------------------------------------------------ */

static void example_clip_norm(void)
{
    /* [heed_optim_clip_grad_norm_] */
    heed_nn_linear *net = heed_nn_linear_new(2, 1, &(heed_nn_linear_options){.no_bias = true});
    heed_set_grad(net->weight, HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 2), 30, 40));
    double norm;
    heed_optim_clip_grad_norm_(&net->base, 1.0, &norm); /* between heed_backward and heed_optimizer_step */
    printf("%g\n", norm);                               /* -> 50 */
    heed_print(heed_grad_of(net->weight), stdout);      /* -> tensor([[0.6000, 0.8000]], shape=(1, 2), dtype=f32) */
    heed_module_free(&net->base);
    /* [] */
}

static void example_grad_norm(void)
{
    /* [heed_optim_grad_norm] */
    heed_nn_linear *net = heed_nn_linear_new(2, 1, &(heed_nn_linear_options){.no_bias = true});
    heed_set_grad(net->weight, HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 2), 30, 40));
    printf("%g\n", heed_optim_grad_norm(&net->base)); /* -> 50 */
    heed_module_free(&net->base);
    /* [] */
}

static void example_clip_value(void)
{
    /* [heed_optim_clip_grad_value_] */
    heed_nn_linear *net = heed_nn_linear_new(3, 1, &(heed_nn_linear_options){.no_bias = true});
    heed_set_grad(net->weight, HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 3), -30, 0.25, 40));
    heed_optim_clip_grad_value_(&net->base, 0.5);
    heed_print(heed_grad_of(net->weight), stdout);
    /* -> tensor([[-0.5000,  0.2500,  0.5000]], shape=(1, 3), dtype=f32) */
    heed_module_free(&net->base);
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_manual_seed(0);
    example_step();
    example_parts();
    example_free();
    example_parameters();
    example_state();
    example_load_state();
    example_lenient_load();
    example_groups();
    example_options();
    example_lr();
    example_sgd();
    example_sgd_add_group();
    example_adam();
    example_adam_add_group();
    example_adamw();
    example_adamw_add_group();
    example_clip_norm();
    example_grad_norm();
    example_clip_value();
    return 0;
}
