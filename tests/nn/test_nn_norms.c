/* tests/nn/test_nn_norms.c - tests of batch norm: its running statistics, training and evaluation. Values and gradients
 * are compared with PyTorch's in tests/parity.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "layers.h"

static void check_buffers(const heed_nn_batch_norm *net, double mean, double variance, double count)
{
    ck_assert_near(heed_get(net->running_mean, HEED_INDEX(0)), mean, 1e-6);
    ck_assert_near(heed_get(net->running_var, HEED_INDEX(0)), variance, 1e-6);
    ck_assert_double_eq(heed_item(net->num_batches_tracked), count);
}

/* Cumulative statistics: the mean over batches of the means, and of the variances with n - 1. */
START_TEST(cumulative_is_the_mean)
{
    heed_nn_batch_norm *net = heed_nn_batch_norm_new(1, &(heed_nn_batch_norm_options){.cumulative = true});
    for (int i = 1; i <= 4; i++)
        ck_assert_ptr_nonnull(heed_nn_batch_norm_forward(net, HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 1), i, 3 * i)));
    check_buffers(net, 2 * 2.5, 2 * (1 + 4 + 9 + 16) / 4., 4);
    heed_module_free(&net->base);
}
END_TEST

/* Failed calls, empty batches and evaluation leave the statistics unchanged. */
START_TEST(only_training_batches_update_them)
{
    heed_nn_batch_norm *net = heed_nn_batch_norm_new(1, NULL);
    ck_assert_ptr_null(heed_nn_batch_norm_forward(net, heed_ones(HEED_F32, HEED_SHAPE(1, 1))));
    ck_assert_error(HEED_ERR_SHAPE, "one element");
    check_buffers(net, 0, 1, 0);
    ck_assert_ptr_nonnull(heed_nn_batch_norm_forward(net, heed_ones(HEED_F32, HEED_SHAPE(0, 1))));
    check_buffers(net, 0, 1, 0);
    heed_module_eval(&net->base);
    ck_assert_ptr_nonnull(heed_nn_batch_norm_forward(net, heed_ones(HEED_F32, HEED_SHAPE(1, 1))));
    check_buffers(net, 0, 1, 0);
    heed_module_train(&net->base);
    ck_assert_ptr_nonnull(heed_nn_batch_norm_forward(net, HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 1), 1, 3)));
    check_buffers(net, 0.2, 1.1, 1);
    heed_module_free(&net->base);
}
END_TEST

/* The statistics do not belong to the graph, and a second batch does not invalidate the gradient of the first. */
START_TEST(outside_the_graph)
{
    heed_nn_batch_norm *net = heed_nn_batch_norm_new(2, NULL);
    heed_tensor *x = made_leaf(HEED_F32, HEED_SHAPE(2, 2, 3, 3), 1);
    heed_tensor *y = heed_nn_batch_norm_forward(net, x), *dx = NULL;
    ck_assert(!heed_requires_grad(net->running_mean) && !heed_requires_grad(net->running_var));
    ck_assert_ptr_nonnull(heed_nn_batch_norm_forward(net, made(HEED_F32, HEED_SHAPE(2, 2, 3, 3), 2, 3.0)));
    heed_tensor *loss = heed_sum(heed_square(y));
    ck_assert_int_eq(heed_grad(&loss, 1, &x, 1, &dx, NULL), HEED_OK);
    heed_module_free(&net->base);
}
END_TEST

static heed_tensor *evaluated(heed_tensor *const *in, void *user)
{
    heed_nn_batch_norm *net = user;
    net->weight = in[1];
    net->bias = in[2];
    return heed_nn_batch_norm_forward(net, in[0]);
}

START_TEST(derivatives_of_evaluation)
{
    heed_nn_batch_norm *net = heed_nn_batch_norm_new(2, &(heed_nn_batch_norm_options){.dtype = HEED_F64});
    ck_assert_ptr_nonnull(heed_nn_batch_norm_forward(net, made(HEED_F64, HEED_SHAPE(4, 2), 1, 2.0)));
    heed_module_eval(&net->base);
    heed_tensor *in[] = {made_leaf(HEED_F64, HEED_SHAPE(1, 2, 3), 2), net->weight, net->bias};
    heed_gradcheck_result result;
    ck_assert_int_eq(heed_gradcheck(evaluated, net, in, 3, NULL, &result), HEED_OK);
    ck_assert_int_eq(heed_gradgradcheck(evaluated, net, in, 3, NULL, &result), HEED_OK);
    heed_module_free(&net->base);
}
END_TEST

/* While a network is trained, evaluation comes close to training, since its statistics follow. */
START_TEST(evaluation_follows_training)
{
    heed_nn_batch_norm *net = heed_nn_batch_norm_new(3, NULL);
    heed_tensor *x = made(HEED_F32, HEED_SHAPE(500, 3), 1, 2.0), *y = NULL;
    for (int i = 0; i < 200; i++)
        y = heed_nn_batch_norm_forward(net, x);
    heed_module_eval(&net->base);
    heed_tensor *difference = heed_max(heed_abs(heed_sub(heed_nn_batch_norm_forward(net, x), y)));
    ck_assert(heed_item(difference) < 5e-3); /* because of n and n - 1 */
    heed_module_free(&net->base);
}
END_TEST

START_TEST(activations_by_name)
{
    static const char *const names[] = {"relu", "gelu",       "silu",     "tanh",      "sigmoid", "softplus",
                                        "elu",  "leaky_relu", "hardtanh", "gelu_tanh", "selu"};
    heed_tensor *x = made(HEED_F64, HEED_SHAPE(20), 1, 3.0);
    heed_tensor *expected[] = {heed_relu(x),
                               heed_gelu(x),
                               heed_silu(x),
                               heed_tanh(x),
                               heed_sigmoid(x),
                               heed_softplus(x),
                               heed_elu(x, 1.0),
                               heed_leaky_relu(x, 0.01),
                               heed_hardtanh(x, -1.0, 1.0),
                               heed_gelu_tanh(x),
                               heed_selu(x)};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        heed_activation f = heed_activation_named(names[i]);
        ck_assert_msg(f != NULL, "%s", names[i]);
        ck_assert_msg(heed_item(heed_max(heed_abs(heed_sub(f(x), expected[i])))) == 0, "%s", names[i]);
    }
    ck_assert(heed_activation_named("ReLU") == NULL);
    ck_assert_error(HEED_ERR_ARGUMENT,
                    "activation_named: there is no activation \"ReLU\": must be one of relu, gelu, silu");
    ck_assert(heed_nn_function_new("swish", heed_activation_named("swish")) == NULL);
    ck_assert_error(HEED_ERR_ARGUMENT, "there is no activation \"swish\"");
    ck_assert(heed_activation_named(NULL) == NULL);
    ck_assert_error(HEED_ERR_ARGUMENT, "activation_named: the name is NULL");
}
END_TEST

/* -- State and freezing ----------------------------------------------------------------------------------------------
 */

static heed_nn_sequential *small_net(void)
{
    return heed_nn_sequential_new(HEED_MODULES(heed_nn_linear_new(3, 2, NULL), heed_nn_batch_norm_new(2, NULL),
                                               heed_nn_residual_new(HEED_MODULES(heed_nn_linear_new(2, 2, NULL)))));
}

START_TEST(copied_state)
{
    heed_nn_sequential *a = small_net(), *b = small_net();
    heed_tensor *x = made(HEED_F32, HEED_SHAPE(4, 3), 1, 1.0);
    ck_assert_ptr_nonnull(heed_nn_sequential_forward(a, x));
    heed_module_eval(&b->base);
    ck_assert_int_eq(heed_module_copy_state(&b->base, &a->base), HEED_OK);
    ck_assert(a->base.training && !b->base.training);
    ck_assert_double_eq(heed_item(heed_module_find(&b->base, "1.num_batches_tracked")), 1);
    heed_module_eval(&a->base);
    heed_tensor *ya = heed_nn_sequential_forward(a, x), *yb = heed_nn_sequential_forward(b, x);
    ck_assert(memcmp(heed_data_f32(ya), heed_data_f32(yb), 8 * sizeof(float)) == 0);
    heed_tensor *weight = heed_module_find(&a->base, "0.weight");
    ck_assert(weight != heed_module_find(&b->base, "0.weight"));
    ck_assert_int_eq(heed_module_copy_state(&b->base, &b->base), HEED_OK);
    heed_nn_linear *other = heed_nn_linear_new(3, 2, NULL);
    ck_assert_int_eq(heed_module_copy_state(&b->base, &other->base), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "module_copy_state: dict_load: ");
    ck_assert_int_eq(heed_module_copy_state(&b->base, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "module_copy_state: ");
    ck_assert_int_eq(heed_module_copy_state(NULL, &b->base), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "module_copy_state: the module is NULL");
    heed_module_free(&other->base);
    heed_module_free(&a->base);
    heed_module_free(&b->base);
}
END_TEST

static heed_status count_visit(const heed_module_visit *visit, void *user)
{
    ck_assert(!visit->is_buffer);
    return ++*(int *)user == 3 ? HEED_ERR_STATE : HEED_OK;
}

START_TEST(walks_over_matches)
{
    heed_nn_sequential *net = small_net();
    heed_module *m = &net->base;
    int visits = 0;
    ck_assert_int_eq(heed_module_walk_matching(m, "1.*", count_visit, &visits), 2);
    ck_assert_int_eq(visits, 2);
    ck_assert_int_eq(heed_module_walk_matching(m, "*", count_visit, &visits), 0); /* the visitor stops it */
    ck_assert_int_eq(visits, 3);
    ck_assert_int_eq(heed_module_walk_matching(m, "*", NULL, NULL), 0);
    ck_assert_error(HEED_ERR_ARGUMENT, "module_walk_matching: the visitor is NULL");
    ck_assert_int_eq(heed_module_walk_matching(m, "x", count_visit, &visits), 0);
    ck_assert_error(HEED_ERR_ARGUMENT, "module_walk_matching: no parameter of the sequential matches \"x\"");
    heed_module_free(m);
}
END_TEST

START_TEST(frozen_by_pattern)
{
    heed_nn_sequential *net = small_net();
    heed_module *m = &net->base;
    ck_assert_int_eq(heed_module_set_requires_grad(m, "*", false), 6);
    ck_assert_int_eq(heed_module_set_requires_grad(m, "2.*", true), 2); /* a '*' also matches dots */
    ck_assert(heed_requires_grad(heed_module_find(m, "2.net.0.bias")));
    ck_assert(!heed_requires_grad(heed_module_find(m, "0.weight")));
    ck_assert_int_eq(heed_module_set_requires_grad(m, "*b*as", true), 3);
    ck_assert_int_eq(heed_module_set_requires_grad(m, "?.weight", true), 2);
    ck_assert_int_eq(heed_module_set_requires_grad(m, "0.bias|2.*", true), 3);
    ck_assert_int_eq(heed_module_set_requires_grad(m, "*bias|*norm:*", true), 4);
    ck_assert_int_eq(heed_module_set_requires_grad(m, "linear:*.weight|", true), 2);
    ck_assert_int_eq(heed_module_set_requires_grad(m, "linear:", true), 0);
    ck_assert_error(HEED_ERR_ARGUMENT, "no parameter of the sequential matches \"linear:\"");
    ck_assert_int_eq(heed_module_set_requires_grad(m, "1.running_*", true), 0); /* matches only a buffer */
    ck_assert_error(HEED_ERR_ARGUMENT,
                    "module_set_requires_grad: no parameter of the sequential matches \"1.running_*\": it has "
                    "0.weight, 0.bias, 1.weight, 1.bias, 2.net.0.weight, 2.net.0.bias");
    ck_assert_int_eq(heed_module_set_requires_grad(m, NULL, true), 0);
    ck_assert_error(HEED_ERR_ARGUMENT, "module_set_requires_grad: the pattern is NULL");
    ck_assert_int_eq(heed_module_set_requires_grad(NULL, "*", true), 0);
    ck_assert_error(HEED_ERR_ARGUMENT, "module_set_requires_grad: the module is NULL");
    heed_module_free(m);
}
END_TEST

HEED_TEST_MAIN("norms and compositions", cumulative_is_the_mean, only_training_batches_update_them, outside_the_graph,
               derivatives_of_evaluation, evaluation_follows_training, activations_by_name, copied_state,
               walks_over_matches, frozen_by_pattern)
