/* tests/promises/test_many.c - a hundred thousand objects of every kind that allows it. Operations in quadratic time
 * would need minutes for one test: the limit of a test is 60 s, and all together take two.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "from_memory.h"

enum { MANY = 200000 };

static const char *name_of(const char *stem, int i)
{
    static char name[64];
    (void)snprintf(name, sizeof name, "%s%d", stem, i);
    return name;
}

START_TEST(parameters_and_buffers_of_a_module)
{
    heed_module *m = heed_module_new("many", sizeof *m);
    heed_scope *scope = heed_scope_begin();
    heed_tensor *w = heed_ones(HEED_F32, HEED_SHAPE(1)), *b = heed_zeros(HEED_F32, HEED_SHAPE(1));
    for (int i = 0; i < MANY; i++)
        ck_assert_ptr_eq(i % 2 ? heed_module_parameter(m, name_of("p", i), w)
                               : heed_module_buffer(m, name_of("p", i), b),
                         i % 2 ? w : b);
    for (int i = 0; i < MANY; i++)
        ck_assert_ptr_eq(heed_module_find(m, name_of("p", i)), i % 2 ? w : b);
    ck_assert_ptr_null(heed_module_parameter(m, "p77777", w));
    ck_assert_error(HEED_ERR_ARGUMENT, "already has a member \"p77777\"");
    ck_assert_ptr_null(heed_module_find(m, name_of("p", MANY)));
    ck_assert_error(HEED_ERR_ARGUMENT, "no parameter or buffer");
    heed_dict *state = heed_module_state(m);
    ck_assert_int_eq(heed_dict_size(state), MANY);
    for (int i = 0; i < MANY; i++) /* in the order of registration */
        ck_assert_str_eq(heed_dict_name(state, i), name_of("p", i));
    heed_dict_free(state);
    ck_assert_int_eq(heed_module_free(m), HEED_OK);
    heed_scope_end(scope);
}
END_TEST

START_TEST(modules_below_one)
{
    heed_module *m = heed_module_new("many", sizeof *m);
    for (int i = 0; i < MANY; i++)
        ck_assert_ptr_nonnull(heed_module_child(m, name_of("c", i), heed_module_new("child", sizeof *m)));
    ck_assert_int_eq(heed_module_free(m), HEED_OK);
    heed_nn_sequential *net = heed_nn_sequential_new(NULL, 0);
    for (int i = 0; i < MANY; i++)
        ck_assert_int_eq(heed_nn_sequential_add(net, heed_nn_dropout_new(0.0)), HEED_OK);
    ck_assert_int_eq(heed_module_free(&net->base), HEED_OK);
}
END_TEST

START_TEST(sequentials_one_in_another)
{
    heed_nn_sequential *top = heed_nn_sequential_new(NULL, 0), *at = top;
    for (int i = 0; i < MANY; i++) {
        heed_nn_sequential *below = heed_nn_sequential_new(NULL, 0);
        ck_assert_int_eq(heed_nn_sequential_add(at, below), HEED_OK);
        at = below;
    }
    ck_assert_int_eq(heed_nn_sequential_add(at, top), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "cannot be its own descendant");
    ck_assert_int_eq(heed_module_free(&top->base), HEED_OK);
}
END_TEST

/* One is missing, after names too long for any buffer. */
START_TEST(names_with_a_long_prefix)
{
    enum { LENGTH = 1100, COUNT = MANY / 5 };
    static char prefix[LENGTH + 1], name[LENGTH + 64];
    memset(prefix, 'x', LENGTH);
    heed_scope *scope = heed_scope_begin();
    heed_tensor *t = heed_ones(HEED_F32, HEED_SHAPE(1));
    heed_dict *into = heed_dict_new(), *from = heed_dict_new();
    for (int i = 0; i < COUNT; i++) {
        ck_assert_int_eq(heed_dict_set(into, name_of("t", i), t), HEED_OK);
        (void)snprintf(name, sizeof name, "%s%s", prefix, name_of("t", i));
        ck_assert_int_eq(heed_dict_set(from, name, t), HEED_OK);
    }
    ck_assert_int_eq(heed_dict_set(into, "last", t), HEED_OK);
    heed_dict_load_options o = {.prefix = prefix};
    ck_assert_int_eq(heed_dict_load(into, from, &o), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "1 missing: ...");
    heed_dict_free(into);
    heed_dict_free(from);
    heed_scope_end(scope);
}
END_TEST

static heed_tensor *count(heed_tensor *grad, void *calls)
{
    ++*(int *)calls;
    return grad;
}

START_TEST(hooks_of_a_tensor)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *w = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(1)), true);
    int64_t *ids = malloc(MANY * sizeof *ids);
    int calls = 0;
    for (int i = 0; i < MANY; i++)
        ck_assert_int_gt(ids[i] = heed_add_hook(w, count, &calls), 0);
    ck_assert_int_eq(heed_backward(heed_sum(w)), HEED_OK);
    ck_assert_int_eq(calls, MANY);
    for (int i = MANY; i-- > 1;)
        ck_assert_int_eq(heed_remove_hook(w, ids[i]), HEED_OK);
    ck_assert_int_eq(heed_remove_hook(w, ids[MANY / 2]), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "has no hook");
    ck_assert_int_eq(heed_backward(heed_sum(w)), HEED_OK);
    ck_assert_int_eq(calls, MANY + 1);
    free(ids);
    heed_scope_end(scope);
}
END_TEST

START_TEST(columns_of_a_csv)
{
    enum { ROWS = 2, COLUMNS = MANY / 2 };
    size_t capacity = (ROWS + 1) * (size_t)COLUMNS * 8, used = 0;
    char *text = malloc(capacity);
    for (int row = 0; row <= ROWS; row++)
        for (int i = 0; i < COLUMNS; i++)
            used += (size_t)snprintf(text + used, capacity - used, "%s%d%c", row == 0 ? "c" : "", i,
                                     i == COLUMNS - 1 ? '\n' : ',');
    heed_io_csv *csv = csv_from_memory(text, used, NULL);
    free(text);
    ck_assert_int_eq(heed_io_csv_get_facts(csv).columns, COLUMNS);
    for (int i = 0; i < COLUMNS; i++) {
        heed_scope *scope = heed_scope_begin();
        ck_assert_str_eq(heed_io_csv_name(csv, i), name_of("c", i));
        ck_assert_str_eq(heed_io_csv_field(csv, ROWS - 1, i), name_of("", i));
        const heed_tensor *t = heed_io_csv_column(csv, name_of("c", i), HEED_I64);
        ck_assert_int_eq(heed_dim(t, 0), ROWS);
        ck_assert_int_eq(heed_data_i64(t)[ROWS - 1], i);
        heed_scope_end(scope);
    }
    heed_io_csv_free(csv);
}
END_TEST

int main(void)
{
    TCase *tcase = heed_test_case("many");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, parameters_and_buffers_of_a_module);
    tcase_add_test(tcase, modules_below_one);
    tcase_add_test(tcase, sequentials_one_in_another);
    tcase_add_test(tcase, names_with_a_long_prefix);
    tcase_add_test(tcase, hooks_of_a_tensor);
    tcase_add_test(tcase, columns_of_a_csv);
    return heed_run_case("many", tcase);
}
