/* tests/optim/test_optim_options.c - tests options of parameters that a pattern chooses.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include "fail_alloc.h"
#include "optimizer_of.h"

/* A linear layer, a layer norm and a linear layer without a bias: 5 parameters, of which 3 are biases or in a norm. */
static heed_module *new_net(void)
{
    heed_manual_seed(3);
    heed_nn_sequential *net =
        heed_nn_sequential_new(HEED_MODULES(heed_nn_linear_new(3, 4, NULL), heed_nn_layer_norm_new(HEED_SHAPE(4), NULL),
                                            heed_nn_linear_new(4, 2, &(heed_nn_linear_options){.no_bias = true})));
    return &net->base;
}

static void step_net(heed_optimizer *o, heed_module *net)
{
    heed_manual_seed(5);
    ck_assert_int_eq(heed_optimizer_zero_grad(o), HEED_OK);
    heed_tensor *y = heed_module_forward(net, heed_randn(HEED_F32, HEED_SHAPE(6, 3)));
    ck_assert_int_eq(heed_backward(heed_sum(heed_square(y))), HEED_OK);
    ck_assert_int_eq(heed_optimizer_step(o), HEED_OK);
}

static void check_same_nets(heed_module *a, heed_module *b)
{
    heed_dict *of_a = heed_module_state(a), *of_b = heed_module_state(b);
    for (int64_t i = 0; i < heed_dict_size(of_a); i++)
        ck_assert(heed_allclose(heed_dict_at(of_a, i), heed_dict_at(of_b, i), 0.0, 0.0, false));
    heed_dict_free(of_a);
    heed_dict_free(of_b);
}

static const heed_optimizer_options no_decay = {.no_decay = true};

/* The same bits as an optimizer whose groups are given one by one, also if the parameters already have state. */
static void check_decay(int steps_before)
{
    heed_module *net = new_net(), *twin = new_net();
    heed_optimizer *o = heed_optim_adamw(net, &(heed_optim_adam_options){.lr = 0.1, .weight_decay = 0.5});
    heed_optimizer *expected = heed_optim_adamw(twin, &(heed_optim_adam_options){.lr = 0.1, .weight_decay = 0.5});
    for (int i = 0; i < steps_before; i++) {
        step_net(o, net);
        step_net(expected, twin);
    }
    heed_dict *state = heed_optimizer_state(expected);
    heed_optimizer_free(expected);
    ck_assert_int_eq(heed_optimizer_set_options(o, net, "*bias|*norm:*", &no_decay), 3);
    ck_assert_int_eq(heed_optimizer_groups(o), 2);
    ck_assert_int_eq(heed_optimizer_parameter_count(o), 5);
    static const char *const order[] = {"0.weight", "2.weight", "0.bias", "1.weight", "1.bias"};
    heed_tensor *p[5];
    for (int i = 0; i < 5; i++) {
        ck_assert_ptr_eq(heed_optimizer_parameter(o, i), heed_module_find(net, order[i]));
        p[i] = heed_module_find(twin, order[i]);
    }
    expected = adamw_of(p, 2, &(heed_optim_adam_options){.lr = 0.1, .weight_decay = 0.5});
    ck_assert_int_eq(adamw_add(expected, p + 2, 3, &(heed_optim_adam_options){.lr = 0.1}), HEED_OK);
    heed_dict *new_state = heed_optimizer_state(o);
    ck_assert_int_eq(heed_dict_size(new_state), heed_dict_size(state));
    ck_assert_int_eq(heed_optimizer_load_state(expected, new_state, NULL), HEED_OK);
    for (int i = 0; i < 3; i++) {
        step_net(o, net);
        step_net(expected, twin);
    }
    check_same_nets(net, twin);
    heed_dict_free(new_state);
    heed_dict_free(state);
    heed_optimizer_free(o);
    heed_optimizer_free(expected);
    ck_assert_int_eq(heed_module_free(net), HEED_OK);
    ck_assert_int_eq(heed_module_free(twin), HEED_OK);
}

START_TEST(biases_and_norms_do_not_decay)
{
    check_decay(0);
    check_decay(2);
}
END_TEST

/* The weight of every rule decays by its pattern: gradients are 0 and the bias keeps its value. */
START_TEST(every_rule_has_a_decay)
{
    static const char *const names[] = {"sgd", "adam", "adamw", "rmsprop", "adagrad", "lion", "muon"};
    for (int rule = 0; rule < 7; rule++) {
        heed_tensor *list[2];
        for (int i = 0; i < 2; i++)
            list[i] = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2, 2)), true);
        heed_module *m = heed_nn_parameter_list_new(list, 2);
        heed_optimizer *o =
            rule == 0   ? heed_optim_sgd(m, &(heed_optim_sgd_options){.lr = 0.5, .weight_decay = 0.5})
            : rule == 1 ? heed_optim_adam(m, &(heed_optim_adam_options){.lr = 0.5, .weight_decay = 0.5})
            : rule == 2 ? heed_optim_adamw(m, &(heed_optim_adam_options){.lr = 0.5, .weight_decay = 0.5})
            : rule == 3 ? heed_optim_rmsprop(m, &(heed_optim_rmsprop_options){.lr = 0.5, .weight_decay = 0.5})
            : rule == 4 ? heed_optim_adagrad(m, &(heed_optim_adagrad_options){.lr = 0.5, .weight_decay = 0.5})
            : rule == 5 ? heed_optim_lion(m, &(heed_optim_lion_options){.lr = 0.5, .weight_decay = 0.5})
                        : heed_optim_muon(m, &(heed_optim_muon_options){.lr = 0.5, .weight_decay = 0.5});
        ck_assert_int_eq(heed_optimizer_set_options(o, m, "1", &no_decay), 1);
        for (int i = 0; i < 2; i++)
            heed_set_grad(list[i], heed_zeros(HEED_F64, HEED_SHAPE(2, 2)));
        ck_assert_int_eq(heed_optimizer_step(o), HEED_OK);
        ck_assert_msg(heed_get(list[0], HEED_INDEX(0, 0)) < 0.9, "%s", names[rule]);
        ck_assert_msg(heed_get(list[1], HEED_INDEX(0, 0)) == 1.0, "%s", names[rule]);
        heed_optimizer_free(o);
        ck_assert_int_eq(heed_module_free(m), HEED_OK);
    }
}
END_TEST

START_TEST(rates_of_parts_follow_the_schedule)
{
    heed_module *net = new_net();
    heed_optimizer *o = heed_optim_sgd(net, &(heed_optim_sgd_options){.lr = 0.5, .weight_decay = 0.25});
    heed_schedule *s = heed_schedule_new_step(o, 1, 0.5);
    ck_assert_int_eq(heed_schedule_step(s), HEED_OK);
    ck_assert_int_eq(heed_optimizer_set_options(o, net, "0.*", &(heed_optimizer_options){.lr = 8}), 2);
    ck_assert_double_eq(heed_optimizer_lr(o, 0), 0.25);
    ck_assert_double_eq(heed_optimizer_lr(o, 1), 4.0);
    /* from both groups: "0.weight" of group 1 is now in group 3, "2.weight" of group 0 in group 2 */
    ck_assert_int_eq(heed_optimizer_set_options(o, net, "?.weight", NULL), 3);
    ck_assert_int_eq(heed_optimizer_groups(o), 4);
    static const double rates[] = {0.25, 4, 0.25, 4};
    for (int i = 0; i < 4; i++)
        ck_assert_double_eq(heed_optimizer_lr(o, i), rates[i]);
    ck_assert_int_eq(heed_schedule_step(s), HEED_OK);
    for (int i = 0; i < 4; i++)
        ck_assert_double_eq(heed_optimizer_lr(o, i), rates[i] / 2);
    /* a whole group keeps its number */
    ck_assert_int_eq(heed_optimizer_set_options(o, net, "0.weight", &(heed_optimizer_options){.lr = 1}), 1);
    ck_assert_int_eq(heed_optimizer_groups(o), 4);
    ck_assert_double_eq(heed_optimizer_lr(o, 3), 0.25);
    ck_assert_int_eq(heed_optimizer_set_options(o, net, "*", &(heed_optimizer_options){.weight_decay = 1}), 5);
    ck_assert_int_eq(heed_optimizer_groups(o), 4);
    ck_assert_int_eq(heed_schedule_free(s), HEED_OK);
    heed_optimizer_free(o);
    ck_assert_int_eq(heed_module_free(net), HEED_OK);
}
END_TEST

/* Frozen parameters do not count, and a tied one counts once. */
START_TEST(only_trained_parameters_count)
{
    heed_module *top = heed_module_new("top", sizeof *top);
    heed_tensor *w = heed_module_parameter(top, "w", heed_ones(HEED_F64, HEED_SHAPE(2)));
    heed_module_parameter(top, "tied", w);
    heed_module_parameter(top, "frozen", heed_ones(HEED_F64, HEED_SHAPE(2)));
    heed_module_parameter(top, "v", heed_ones(HEED_F64, HEED_SHAPE(2)));
    ck_assert_int_eq(heed_module_set_requires_grad(top, "frozen", false), 1);
    heed_optimizer *o = heed_optim_sgd(top, &(heed_optim_sgd_options){.lr = 1});
    ck_assert_int_eq(heed_optimizer_set_options(o, top, "w|tied|frozen", NULL), 1);
    ck_assert_int_eq(heed_optimizer_set_options(o, top, "frozen", NULL), 0);
    ck_assert_error(HEED_ERR_ARGUMENT,
                    "optimizer_set_options: \"frozen\" matches parameters of the top, but none of the optimizer");
    ck_assert_int_eq(heed_optimizer_set_options(o, top, "v.*", NULL), 0);
    ck_assert_error(
        HEED_ERR_ARGUMENT,
        "optimizer_set_options: module_walk_matching: no parameter of the top matches \"v.*\": it has w, tied");
    ck_assert_int_eq(heed_optimizer_groups(o), 2);
    heed_optimizer_free(o);
    ck_assert_int_eq(heed_module_free(top), HEED_OK);
}
END_TEST

START_TEST(errors)
{
    heed_module *net = new_net();
    heed_optimizer *o = heed_optim_adam(net, NULL), *lbfgs = heed_optim_lbfgs(net, NULL);
    static const struct {
        heed_optimizer_options options;
        const char *text;
    } wrong[] = {{{.lr = -1}, "lr is -1"},
                 {{.weight_decay = -1}, "weight_decay is -1"},
                 {{.no_decay = true, .weight_decay = 0.5}, "weight_decay is 0.5: must be 0 with no_decay"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ck_assert_int_eq(heed_optimizer_set_options(o, net, "*", &wrong[i].options), 0);
        ck_assert_error(HEED_ERR_ARGUMENT, wrong[i].text);
    }
    ck_assert_int_eq(heed_optimizer_set_options(NULL, net, "*", NULL), 0);
    ck_assert_error(HEED_ERR_ARGUMENT, "optimizer_set_options: the optimizer is NULL");
    ck_assert_int_eq(heed_optimizer_set_options(o, NULL, "*", NULL), 0);
    ck_assert_error(HEED_ERR_ARGUMENT, "the module is NULL");
    ck_assert_int_eq(heed_optimizer_set_options(o, net, NULL, NULL), 0);
    ck_assert_error(HEED_ERR_ARGUMENT, "the pattern is NULL");
    ck_assert_int_eq(heed_optimizer_set_options(lbfgs, net, "*", NULL), 0);
    ck_assert_error(HEED_ERR_UNSUPPORTED, "heed_optim_lbfgs has only one group");
    ck_assert_int_eq(heed_optimizer_groups(o), 1);
    heed_optimizer_free(o);
    heed_optimizer_free(lbfgs);
    ck_assert_int_eq(heed_module_free(net), HEED_OK);
}
END_TEST

/* After a failure the group is still whole. */
static bool split(double *value)
{
    heed_tensor *list[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++)
        list[i] = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2)), true);
    heed_module *m = heed_nn_parameter_list_new(list, 2);
    heed_optimizer *o = m ? heed_optim_adam(m, NULL) : NULL;
    const bool done = o && heed_optimizer_set_options(o, m, "1", &no_decay) == 1;
    ck_assert(!o || heed_optimizer_groups(o) == (done ? 2 : 1));
    ck_assert(!o || heed_optimizer_parameter(o, 1) == list[1]);
    *value = done ? heed_optimizer_lr(o, 1) : 0.0;
    heed_optimizer_free(o);
    (void)heed_module_free(m);
    return done;
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(split);
    fail_alloc_uninstall();
}
END_TEST

HEED_TEST_MAIN("options by pattern", biases_and_norms_do_not_decay, every_rule_has_a_decay,
               rates_of_parts_follow_the_schedule, only_trained_parameters_count, errors, out_of_memory)
