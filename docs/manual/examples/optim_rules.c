/* optim_rules.c - examples of heed/optim/rules.h, but for SGD, Adam and AdamW. docs/manual/README.md says what the
 * marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>

/* A module with a parameter "w", [1, 2]. */
static heed_module *net_of_w(void)
{
    heed_module *net = heed_module_new("net", sizeof *net);
    heed_module_parameter(net, "w", HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1, 2));
    return net;
}

/* Takes `steps` steps on the mean squared error of y = 3 x + 1 at 8 points. */
static void fit(heed_nn_linear *net, heed_optimizer *optimizer, int steps)
{
    heed_tensor *x = heed_reshape(heed_linspace(HEED_F32, -1, 1, 8), HEED_SHAPE(8, 1));
    heed_tensor *y = heed_add_scalar(heed_mul_scalar(x, 3), 1);
    for (int step = 0; step < steps; step++) {
        heed_scope *scope = heed_scope_begin();
        heed_optimizer_zero_grad(optimizer);
        heed_backward(heed_mse_loss(heed_nn_linear_forward(net, x), y, HEED_REDUCTION_MEAN));
        heed_optimizer_step(optimizer);
        heed_scope_end(scope);
    }
}

static void example_rmsprop(void)
{
    /* [heed_optim_rmsprop] */
    heed_nn_linear *net = heed_nn_linear_new(1, 1, NULL);
    heed_optimizer *rmsprop = heed_optim_rmsprop(&net->base, &(heed_optim_rmsprop_options){.momentum = 0.5});
    fit(net, rmsprop, 400);                                                      /* backward and step, 400 times */
    printf("y = %.1f x + %.1f\n", heed_item(net->weight), heed_item(net->bias)); /* -> y = 3.0 x + 1.0 */
    heed_optimizer_free(rmsprop);
    heed_module_free(&net->base);
    /* [] */
}

static void example_rmsprop_add_group(void)
{
    heed_module *body = net_of_w(), *head = net_of_w();
    /* [heed_optim_rmsprop_add_group] */
    heed_optimizer *rmsprop = heed_optim_rmsprop(body, &(heed_optim_rmsprop_options){.lr = 0.05, .momentum = 0.9});
    heed_optim_rmsprop_add_group(rmsprop, head, &(heed_optim_rmsprop_options){.lr = 0.01});
    heed_tensor *w = heed_module_find(head, "w");
    heed_backward(heed_sum(heed_square(w)));
    heed_optimizer_step(rmsprop);       /* the first step has length lr / sqrt(1 - alpha) for any gradient */
    heed_print(heed_detach(w), stdout); /* -> tensor([0.9000, 1.9000], shape=(2), dtype=f64) */
    /* [] */
    heed_optimizer_free(rmsprop);
    heed_module_free(body);
    heed_module_free(head);
}

static void example_adagrad(void)
{
    /* [heed_optim_adagrad] */
    heed_nn_linear *net = heed_nn_linear_new(1, 1, NULL);
    heed_optimizer *adagrad = heed_optim_adagrad(&net->base, &(heed_optim_adagrad_options){.lr = 0.5});
    fit(net, adagrad, 200);                                                      /* backward and step, 200 times */
    printf("y = %.1f x + %.1f\n", heed_item(net->weight), heed_item(net->bias)); /* -> y = 3.0 x + 1.0 */
    heed_optimizer_free(adagrad);
    heed_module_free(&net->base);
    /* [] */
}

static void example_adagrad_add_group(void)
{
    heed_module *body = net_of_w(), *head = net_of_w();
    /* [heed_optim_adagrad_add_group] */
    heed_optimizer *adagrad = heed_optim_adagrad(body, NULL);
    heed_optim_adagrad_add_group(adagrad, head, &(heed_optim_adagrad_options){.lr = 0.5});
    heed_tensor *w = heed_module_find(head, "w");
    for (int step = 0; step < 2; step++) {
        heed_set_grad(w, HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 7, -7));
        heed_optimizer_step(adagrad); /* by 0.5 first, then by 0.5 / sqrt(2) */
    }
    heed_print(heed_detach(w), stdout); /* -> tensor([0.1464, 2.8536], shape=(2), dtype=f64) */
    /* [] */
    heed_optimizer_free(adagrad);
    heed_module_free(body);
    heed_module_free(head);
}

static void example_lion(void)
{
    /* [heed_optim_lion] */
    heed_nn_linear *net = heed_nn_linear_new(1, 1, NULL);
    heed_optimizer *lion = heed_optim_lion(&net->base, &(heed_optim_lion_options){.lr = 0.01});
    fit(net, lion, 600);                                                         /* backward and step, 600 times */
    printf("y = %.1f x + %.1f\n", heed_item(net->weight), heed_item(net->bias)); /* -> y = 3.0 x + 1.0 */
    heed_optimizer_free(lion);
    heed_module_free(&net->base);
    /* [] */
}

static void example_lion_add_group(void)
{
    heed_module *body = net_of_w(), *head = net_of_w();
    /* [heed_optim_lion_add_group] */
    heed_optimizer *lion = heed_optim_lion(body, NULL);
    heed_optim_lion_add_group(lion, head, &(heed_optim_lion_options){.lr = 0.25, .weight_decay = 0.1});
    heed_tensor *w = heed_module_find(head, "w");
    heed_set_grad(w, HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1000, -0.001));
    heed_optimizer_step(lion);          /* only the sign of the gradient counts */
    heed_print(heed_detach(w), stdout); /* -> tensor([0.7250, 2.2000], shape=(2), dtype=f64) */
    /* [] */
    heed_optimizer_free(lion);
    heed_module_free(body);
    heed_module_free(head);
}

static void example_muon_add_group(void)
{
    heed_nn_linear *hidden = heed_nn_linear_new(8, 8, NULL), *last = heed_nn_linear_new(8, 2, NULL);
    /* [heed_optim_muon_add_group] */
    heed_module *matrix = heed_nn_parameter_list_new(HEED_TENSORS(hidden->weight));
    heed_module *small = heed_nn_parameter_list_new(HEED_TENSORS(last->weight));
    heed_module *biases = heed_nn_parameter_list_new(HEED_TENSORS(hidden->bias, last->bias));
    heed_optimizer *muon = heed_optim_muon(matrix, NULL), *rest = heed_optim_adamw(biases, NULL);
    heed_optim_muon_add_group(muon, small, &(heed_optim_muon_options){.lr = 0.01});
    printf("%d matrices, %d others\n", heed_optimizer_parameter_count(muon), heed_optimizer_parameter_count(rest));
    /* -> 2 matrices, 2 others */
    /* [] */
    heed_module_free(matrix);
    heed_module_free(small);
    heed_module_free(biases);
    heed_optimizer_free(muon);
    heed_optimizer_free(rest);
    heed_module_free(&hidden->base);
    heed_module_free(&last->base);
}

static void example_muon(void)
{
    heed_nn_linear *net = heed_nn_linear_new(2, 2, &(heed_nn_linear_options){.no_bias = true});
    /* [heed_optim_muon] */
    heed_nn_init_uniform_(net->weight, 0, 0);
    heed_optimizer *muon = heed_optim_muon(&net->base, &(heed_optim_muon_options){.lr = 0.1});
    heed_set_grad(net->weight, HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 0, 1000, 30, 0));
    heed_optimizer_step(muon); /* large and small gradients make similar steps: 0.07 to 0.12 */
    const float *w = heed_data_f32(net->weight);
    printf("%.1f %.1f %.1f %.1f\n", w[0], w[1], w[2], w[3]); /* -> 0.0 -0.1 -0.1 0.0 */
    /* [] */
    heed_optimizer_free(muon);
    heed_module_free(&net->base);
}

/* -- L-BFGS ------------------------------------------------------------------------------------------------------- */

/* Rosenbrock's function, whose minimum is at (1, 1). */
static heed_tensor *valley(void *user)
{
    heed_tensor *x = heed_slice(user, 0, 0, 1, 1), *y = heed_slice(user, 0, 1, 2, 1);
    heed_tensor *steep = heed_mul_scalar(heed_square(heed_sub(y, heed_square(x))), 100);
    return heed_sum(heed_add(steep, heed_square(heed_add_scalar(x, -1))));
}

static void example_step_closure(void)
{
    heed_tensor *w = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), -1.2, 1);
    /* [heed_optimizer_step_closure] */
    heed_set_requires_grad(w, true);
    heed_module *point = heed_nn_parameter_list_new(HEED_TENSORS(w));
    heed_optimizer *lbfgs = heed_optim_lbfgs(point, NULL);
    double loss; /* the loss before the step */
    for (int step = 0; step < 3; step++)
        heed_optimizer_step_closure(lbfgs, valley, w, &loss); /* valley(w) returns the loss, as a tensor */
    printf("%.1g at (%.3f, %.3f)\n", loss, heed_get(w, HEED_INDEX(0)), heed_get(w, HEED_INDEX(1)));
    /* -> 4e-10 at (1.000, 1.000) */
    heed_optimizer_free(lbfgs);
    heed_module_free(point);
    /* [] */
}

typedef struct line {
    heed_nn_linear *net;
    heed_tensor *x, *y;
} line;

static heed_tensor *error_of(void *user)
{
    const line *l = user;
    return heed_mse_loss(heed_nn_linear_forward(l->net, l->x), l->y, HEED_REDUCTION_MEAN);
}

static void example_lbfgs(void)
{
    heed_tensor *x = heed_reshape(heed_linspace(HEED_F64, -1, 1, 8), HEED_SHAPE(8, 1));
    heed_tensor *y = heed_add_scalar(heed_mul_scalar(x, 3), 1);
    /* [heed_optim_lbfgs] */
    heed_nn_linear *net = heed_nn_linear_new(1, 1, &(heed_nn_linear_options){.dtype = HEED_F64});
    heed_optimizer *lbfgs = heed_optim_lbfgs(&net->base, NULL);
    line l = {net, x, y}; /* error_of(&l) returns the mean squared error of all data */
    heed_optimizer_step_closure(lbfgs, error_of, &l, NULL);
    printf("y = %.4f x + %.4f\n", heed_item(net->weight), heed_item(net->bias)); /* -> y = 3.0000 x + 1.0000 */
    heed_optimizer_free(lbfgs);
    /* [] */
    heed_module_free(&net->base);
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_manual_seed(0);
    example_rmsprop();
    example_rmsprop_add_group();
    example_adagrad();
    example_adagrad_add_group();
    example_lion();
    example_lion_add_group();
    example_muon_add_group();
    example_muon();
    example_step_closure();
    example_lbfgs();
    return 0;
}
