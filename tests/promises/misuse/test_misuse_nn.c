/* tests/promises/misuse/test_misuse_nn.c - heed/module.h and heed/nn.h misused.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "misuse.h"

static heed_status stop_at_once(const heed_module_visit *visit, void *user)
{
    (void)visit;
    (void)user;
    return (heed_status)77;
}

START_TEST(modules)
{
    heed_module *m = heed_module_new("mine", sizeof *m), *child = heed_module_new("child", sizeof *child);
    heed_tensor *w = heed_ones(HEED_F32, HEED_SHAPE(2, 2)), *i = heed_zeros(HEED_I64, HEED_SHAPE(2));
    static const char *const names[] = {NULL, "", ".", "a.b", "w."};
    ck_assert_null_fails("module_new", HEED_ERR_ARGUMENT, "NULL", heed_module_new(NULL, sizeof *m));
    ck_assert_null_fails("module_new", HEED_ERR_ARGUMENT, "is 0: must be at least", heed_module_new("mine", 0));
    ck_assert_null_fails("module_new", HEED_ERR_ARGUMENT, "", heed_module_new("mine", sizeof *m - 1));
    ck_assert_ptr_null(heed_module_new("mine", SIZE_MAX));
    ck_assert_error(HEED_ERR_NOMEM, "");
    for (int k = 0; k < COUNT_OF(names); k++) {
        ck_assert_null_fails("module_parameter", HEED_ERR_ARGUMENT, "", heed_module_parameter(m, names[k], w));
        ck_assert_null_fails("module_buffer", HEED_ERR_ARGUMENT, "", heed_module_buffer(m, names[k], w));
        ck_assert_null_fails("module_child", HEED_ERR_ARGUMENT, "", heed_module_child(m, names[k], child));
        ck_assert_null_fails("module_find", HEED_ERR_ARGUMENT, "", heed_module_find(m, names[k]));
    }
    ck_assert_null_fails("module_parameter", HEED_ERR_ARGUMENT, "NULL", heed_module_parameter(NULL, "w", w));
    ck_assert_null_fails("module_parameter", HEED_ERR_ARGUMENT, "NULL", heed_module_parameter(m, "w", NULL));
    ck_assert_null_fails("module_parameter", HEED_ERR_DTYPE, "i64", heed_module_parameter(m, "w", i));
    ck_assert_null_fails("module_parameter", HEED_ERR_UNSUPPORTED, "contiguous",
                         heed_module_parameter(m, "w", heed_transpose(w, 0, 1)));
    ck_assert_null_fails("module_buffer", HEED_ERR_ARGUMENT, "NULL", heed_module_buffer(NULL, "w", w));
    ck_assert_null_fails("module_buffer", HEED_ERR_ARGUMENT, "NULL", heed_module_buffer(m, "w", NULL));
    ck_assert_ptr_eq(heed_module_parameter(m, "w", w), w);
    ck_assert_null_fails("module_parameter", HEED_ERR_STATE, "v", heed_module_parameter(m, "v", heed_square(w)));
    ck_assert_null_fails("module_buffer", HEED_ERR_ARGUMENT, "already", heed_module_buffer(m, "w", w));
    ck_assert_null_fails("module_child", HEED_ERR_ARGUMENT, "NULL", heed_module_child(NULL, "c", child));
    ck_assert_null_fails("module_child", HEED_ERR_ARGUMENT, "NULL", heed_module_child(m, "c", NULL));
    ck_assert_null_fails("module_child", HEED_ERR_ARGUMENT, "own descendant", heed_module_child(m, "c", m));
    ck_assert_ptr_eq(heed_module_child(m, "c", child), child);
    ck_assert_null_fails("module_child", HEED_ERR_ARGUMENT, "own descendant", heed_module_child(child, "up", m));
    ck_assert_null_fails("module_child", HEED_ERR_ARGUMENT, "already", heed_module_child(m, "d", child));
    ck_assert_status_fails("module_free", HEED_ERR_STATE, "", heed_module_free(child));
    ck_assert_int_eq(heed_module_walk(m, stop_at_once, NULL), 77);
    ck_assert_status_fails("module_walk", HEED_ERR_ARGUMENT, "NULL", heed_module_walk(m, NULL, NULL));
    ck_assert_status_fails("module_walk", HEED_ERR_ARGUMENT, "NULL", heed_module_walk(NULL, stop_at_once, NULL));
    ck_assert_null_fails("module_find", HEED_ERR_ARGUMENT, "NULL", heed_module_find(NULL, "w"));
    ck_assert_null_fails("module_find", HEED_ERR_ARGUMENT, "c.w", heed_module_find(m, "c.w"));
    ck_assert_fails("module_parameter_count", HEED_ERR_ARGUMENT, "NULL", heed_module_parameter_count(NULL) == 0);
    ck_assert_fails("module_parameter_numel", HEED_ERR_ARGUMENT, "NULL", heed_module_parameter_numel(NULL) == 0);
    ck_assert_status_fails("module_train", HEED_ERR_ARGUMENT, "NULL", heed_module_train(NULL));
    ck_assert_status_fails("module_eval", HEED_ERR_ARGUMENT, "NULL", heed_module_eval(NULL));
    ck_assert_status_fails("module_zero_grad", HEED_ERR_ARGUMENT, "NULL", heed_module_zero_grad(NULL));
    ck_assert_int_eq(heed_module_free(m), HEED_OK);
    ck_assert_int_eq(heed_module_free(NULL), HEED_OK);
}
END_TEST

/* -- Kernel regression -------------------------------------------------------------------------------------------- */

START_TEST(regression)
{
    zoo z;
    zoo_open(&z);
    for (int round = 0; round < 3000; round++) {
        heed_nn_nw_kernel_regression_options options = {.kernel = (heed_nw_kernel)(round % 5),
                                                        .dim = round % 3,
                                                        .dtype = (heed_dtype)(round % 2),
                                                        .log_width = round % 7 == 0};
        heed_scope *scope = heed_scope_begin();
        heed_nn_nw_kernel_regression *net = heed_nn_nw_kernel_regression_new(&options);
        heed_tensor *q = ANY_OF(z.animals), *k = ANY_OF(z.animals), *v = misuse_random() % 2 ? k : ANY_OF(z.animals);
        heed_tensor *y = heed_nn_nw_kernel_regression_forward(net, q, k, v, NULL);
        ck_assert((y == NULL) == (heed_error_code() != HEED_OK));
        heed_error_clear();
        ck_assert_int_eq(heed_module_free(&net->base), HEED_OK);
        ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
    }
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(3));
    ck_assert_ptr_null(heed_nn_nw_kernel_regression_forward(NULL, x, x, x, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "nw_kernel_regression");
    for (int i = 0; i < ZOO_SIZE; i++) {
        if (!heed_nn_leave_one_out(z.animals[i]))
            ck_assert_int_ne(heed_error_code(), HEED_OK);
        heed_error_clear();
        if (isnan(heed_nn_silverman_width(z.animals[i])))
            ck_assert_int_ne(heed_error_code(), HEED_OK);
        heed_error_clear();
    }
}
END_TEST

/* -- Initial values ----------------------------------------------------------------------------------------------- */

START_TEST(initial_values)
{
    zoo z;
    zoo_open(&z);
    for (int i = 0; i < ZOO_SIZE; i++)
        for (int k = 0; k < COUNT_OF(hostile_doubles); k++) {
            heed_tensor *t = z.animals[i];
            double a = hostile_doubles[k], b = ANY_OF(hostile_doubles);
            heed_status status = heed_nn_init_uniform_(t, a, b);
            ck_assert((status == HEED_OK) == (heed_error_code() == HEED_OK));
            heed_error_clear();
            (void)heed_nn_init_normal_(t, a, b);
            heed_error_clear();
            (void)heed_nn_init_xavier_uniform_(t);
            heed_error_clear();
            (void)heed_nn_init_kaiming_uniform_(t);
            heed_error_clear();
        }
    heed_tensor *t = heed_zeros(HEED_F32, HEED_SHAPE(2)), *i = heed_zeros(HEED_I64, HEED_SHAPE(2, 2));
    ck_assert_status_fails("nn_init_uniform_", HEED_ERR_ARGUMENT, "NULL", heed_nn_init_uniform_(NULL, 0, 1));
    ck_assert_status_fails("nn_init_normal_", HEED_ERR_ARGUMENT, "NULL", heed_nn_init_normal_(NULL, 0, 1));
    ck_assert_status_fails("nn_init_xavier_uniform_", HEED_ERR_ARGUMENT, "NULL", heed_nn_init_xavier_uniform_(NULL));
    ck_assert_status_fails("nn_init_uniform_", HEED_ERR_DTYPE, "i64", heed_nn_init_uniform_(i, 0, 1));
    ck_assert_status_fails("nn_init_kaiming_uniform_", HEED_ERR_DTYPE, "i64", heed_nn_init_kaiming_uniform_(i));
    ck_assert_status_fails("nn_init_uniform_", HEED_ERR_ARGUMENT, "low is 2, high is 1",
                           heed_nn_init_uniform_(t, 2, 1));
    ck_assert_status_fails("nn_init_uniform_", HEED_ERR_ARGUMENT, "f32", heed_nn_init_uniform_(t, 0, 1e39));
    ck_assert_status_fails("nn_init_normal_", HEED_ERR_ARGUMENT, "std is -1", heed_nn_init_normal_(t, 0, -1));
    ck_assert_status_fails("nn_init_xavier_uniform_", HEED_ERR_SHAPE, "(2)", heed_nn_init_xavier_uniform_(t));
    ck_assert_status_fails("nn_init_kaiming_uniform_", HEED_ERR_SHAPE, "(2)", heed_nn_init_kaiming_uniform_(t));
}
END_TEST

MISUSE_MAIN("misuse of modules", modules, regression, initial_values)
