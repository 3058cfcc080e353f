/* tests/core/test_dict.c - tests of dicts: named tensors in order, and named texts.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include <stdio.h>

#include "fail_alloc.h"

START_TEST(tensors_in_order)
{
    heed_dict *d = heed_dict_new();
    heed_tensor *a = heed_ones(HEED_F32, HEED_SHAPE(2)), *b = heed_zeros(HEED_I64, HEED_SCALAR);
    ck_assert_int_eq(heed_dict_size(d), 0);
    ck_assert(!heed_dict_has(d, "b"));
    ck_assert_int_eq(heed_dict_set(d, "b", a), HEED_OK);
    ck_assert_int_eq(heed_dict_set(d, "a.weight", b), HEED_OK);
    ck_assert_int_eq(heed_dict_set(d, "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", b), HEED_OK);
    ck_assert_int_eq(heed_dict_size(d), 3);
    ck_assert_ptr_eq(heed_dict_get(d, "b"), a);
    ck_assert_ptr_eq(heed_dict_get(d, "a.weight"), b);
    ck_assert_str_eq(heed_dict_name(d, 0), "b");
    ck_assert_str_eq(heed_dict_name(d, 1), "a.weight");
    ck_assert_ptr_eq(heed_dict_at(d, 0), a);
    ck_assert_ptr_eq(heed_dict_at(d, 2), b);
    ck_assert_int_eq(heed_dict_set(d, "b", b), HEED_OK); /* keeps its index */
    ck_assert_int_eq(heed_dict_size(d), 3);
    ck_assert_ptr_eq(heed_dict_at(d, 0), b);
    ck_assert_int_eq(heed_dict_set(d, "b", b), HEED_OK);
    ck_assert(heed_dict_has(d, "b") && !heed_dict_has(d, "") && !heed_dict_has(d, "a"));
    heed_dict_free(d);
    heed_dict_free(NULL);
}
END_TEST

/* A dict owns its tensors: they outlive the scope they were made in. */
START_TEST(keeps_its_tensors)
{
    heed_dict *d = heed_dict_new();
    heed_scope *scope = heed_scope_begin();
    ck_assert_int_eq(heed_dict_set(d, "x", heed_full(HEED_F64, HEED_SHAPE(3), 7)), HEED_OK);
    heed_scope_end(scope);
    ck_assert_same(heed_get(heed_dict_get(d, "x"), HEED_INDEX(2)), 7);
    heed_dict_free(d);
}
END_TEST

START_TEST(texts)
{
    heed_dict *d = heed_dict_new();
    ck_assert_ptr_null(heed_dict_text(d, "format"));
    ck_assert_int_eq(heed_dict_set_text(d, "format", "pt"), HEED_OK);
    ck_assert_int_eq(heed_dict_set_text(d, "empty", ""), HEED_OK);
    ck_assert_int_eq(heed_dict_text_count(d), 2);
    ck_assert_int_eq(heed_dict_size(d), 0);
    ck_assert_str_eq(heed_dict_text(d, "format"), "pt");
    ck_assert_str_eq(heed_dict_text(d, "empty"), "");
    ck_assert_int_eq(heed_dict_set_text(d, "format", heed_dict_text(d, "format")), HEED_OK);
    ck_assert_str_eq(heed_dict_text(d, "format"), "pt");
    ck_assert_int_eq(heed_dict_set_text(d, "format", "a longer one"), HEED_OK);
    ck_assert_str_eq(heed_dict_text(d, "format"), "a longer one");
    ck_assert_str_eq(heed_dict_text_key(d, 0), "format");
    ck_assert_str_eq(heed_dict_text_key(d, 1), "empty");
    ck_assert_int_eq(heed_dict_text_count(d), 2);
    heed_dict_free(d);
}
END_TEST

START_TEST(a_hundred_thousand)
{
    enum { COUNT = 100000 };
    char name[32];
    heed_dict *d = heed_dict_new();
    heed_tensor *pair[2] = {heed_zeros(HEED_F32, HEED_SCALAR), heed_ones(HEED_F32, HEED_SCALAR)};
    for (int i = 0; i < COUNT; i++) {
        (void)snprintf(name, sizeof name, "layer.%d.weight", i);
        ck_assert_int_eq(heed_dict_set(d, name, pair[i % 2]), HEED_OK);
    }
    ck_assert_int_eq(heed_dict_size(d), COUNT);
    for (int i = COUNT - 1; i >= 0; i--) {
        (void)snprintf(name, sizeof name, "layer.%d.weight", i);
        ck_assert_ptr_eq(heed_dict_get(d, name), pair[i % 2]);
        ck_assert_str_eq(heed_dict_name(d, i), name);
        name[0] = 'L';
        ck_assert(!heed_dict_has(d, name));
    }
    heed_dict_free(d);
}
END_TEST

START_TEST(names_that_are_refused)
{
    static const char *const bad[] = {
        "\xff",         "a\xc3",        "\xc0\x80",         "\xc1\xbf",         "\xe0\x9f\xbf",
        "\xed\xa0\x80", "\xf0\x8f\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xe2\x82",
        "\xf0\x9f\x98", "\x80"};
    heed_dict *d = heed_dict_new();
    heed_tensor *t = heed_ones(HEED_F32, HEED_SCALAR);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_int_eq(heed_dict_set(d, bad[i], t), HEED_ERR_ARGUMENT);
        ck_assert_error(HEED_ERR_ARGUMENT, "dict_set: the name is not UTF-8 from byte");
        ck_assert_int_eq(heed_dict_set_text(d, bad[i], "x"), HEED_ERR_ARGUMENT);
        ck_assert_error(HEED_ERR_ARGUMENT, "dict_set_text: the key is not UTF-8");
        ck_assert_int_eq(heed_dict_set_text(d, "x", bad[i]), HEED_ERR_ARGUMENT);
        ck_assert_error(HEED_ERR_ARGUMENT, "dict_set_text: the text is not UTF-8");
    }
    ck_assert_int_eq(heed_dict_set(d, "", t), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "dict_set: the name is empty");
    ck_assert_int_eq(heed_dict_set_text(d, "", "x"), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "dict_set_text: the key is empty");
    ck_assert_int_eq(heed_dict_size(d) + heed_dict_text_count(d), 0);
    heed_dict_free(d);
}
END_TEST

START_TEST(misuse)
{
    heed_dict *d = heed_dict_new();
    heed_tensor *t = heed_ones(HEED_F32, HEED_SCALAR);
    ck_assert_int_eq(heed_dict_set(d, "x", t), HEED_OK);
    ck_assert_int_eq(heed_dict_set(NULL, "x", t), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "dict_set: the dict is NULL");
    ck_assert_int_eq(heed_dict_set(d, NULL, t), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "dict_set: the name is NULL");
    ck_assert_int_eq(heed_dict_set(d, "y", NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "dict_set: the tensor for \"y\" is NULL");
    ck_assert_ptr_null(heed_dict_get(d, "y"));
    ck_assert_error(HEED_ERR_ARGUMENT, "dict_get: there is no \"y\" among 1 tensors: x");
    ck_assert_ptr_null(heed_dict_get(d, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "dict_get: the name is NULL");
    ck_assert_ptr_null(heed_dict_get(NULL, "x"));
    ck_assert_error(HEED_ERR_ARGUMENT, "dict_get: the dict is NULL");
    ck_assert(!heed_dict_has(NULL, "x"));
    ck_assert_error(HEED_ERR_ARGUMENT, "dict_has: the dict is NULL");
    ck_assert(!heed_dict_has(d, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "dict_has: the name is NULL");
    ck_assert_int_eq(heed_dict_size(NULL), 0);
    ck_assert_error(HEED_ERR_ARGUMENT, "dict_size: ");
    ck_assert_int_eq(heed_dict_text_count(NULL), 0);
    ck_assert_error(HEED_ERR_ARGUMENT, "dict_text_count: ");
    ck_assert_ptr_null(heed_dict_text(NULL, "x"));
    ck_assert_error(HEED_ERR_ARGUMENT, "dict_text: the dict is NULL");
    ck_assert_ptr_null(heed_dict_text(d, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "dict_text: the key is NULL");
    ck_assert_int_eq(heed_dict_set_text(NULL, "x", ""), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "dict_set_text: the dict is NULL");
    ck_assert_int_eq(heed_dict_set_text(d, "x", NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "dict_set_text: the text is NULL");
    heed_dict_free(d);
}
END_TEST

START_TEST(missing_positions)
{
    static const int64_t positions[] = {-1, 1, INT64_MIN, INT64_MAX};
    heed_dict *d = heed_dict_new();
    ck_assert_int_eq(heed_dict_set(d, "x", heed_ones(HEED_F32, HEED_SCALAR)), HEED_OK);
    ck_assert_int_eq(heed_dict_set_text(d, "key", "text"), HEED_OK);
    for (int i = 0; i < 4; i++) {
        ck_assert_ptr_null(heed_dict_name(d, positions[i]));
        ck_assert_error(HEED_ERR_INDEX, "dict_name: there is no position ");
        ck_assert_ptr_null(heed_dict_at(d, positions[i]));
        ck_assert_error(HEED_ERR_INDEX, "dict_at: there is no position ");
        ck_assert_ptr_null(heed_dict_text_key(d, positions[i]));
        ck_assert_error(HEED_ERR_INDEX, ": the dict has 1 entries");
    }
    ck_assert_ptr_null(heed_dict_name(NULL, 0));
    ck_assert_error(HEED_ERR_ARGUMENT, "dict_name: ");
    ck_assert_ptr_null(heed_dict_at(NULL, 0));
    ck_assert_error(HEED_ERR_ARGUMENT, "dict_at: ");
    ck_assert_ptr_null(heed_dict_text_key(NULL, 0));
    ck_assert_error(HEED_ERR_ARGUMENT, "dict_text_key: ");
    heed_dict_free(d);
}
END_TEST

/* The dict grows past its first table; a failure leaves its contents unchanged. */
static bool fill_dict(double *value)
{
    heed_dict *d = heed_dict_new();
    heed_tensor *t = heed_full(HEED_F64, HEED_SCALAR, 3);
    bool good = d && t;
    char name[8] = "a";
    for (int i = 0; i < 20 && good; i++) {
        name[0] = (char)('a' + i);
        good = heed_dict_set(d, name, t) == HEED_OK && heed_dict_set_text(d, name, "text") == HEED_OK;
        if (!good) {
            ck_assert_int_eq(heed_error_code(), HEED_ERR_NOMEM);
            ck_assert_int_ge(heed_dict_size(d), i);
            ck_assert_ptr_eq(i > 0 ? heed_dict_get(d, "a") : t, t);
        }
    }
    *value = good ? heed_item(heed_dict_get(d, "t")) : 0;
    heed_dict_free(d);
    return good;
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(fill_dict);
    fail_alloc_uninstall();
}
END_TEST

START_TEST(an_absent_name_lists_similar_names)
{
    heed_dict *d = heed_dict_new();
    heed_tensor *t = heed_ones(HEED_F32, HEED_SCALAR);
    ck_assert_ptr_null(heed_dict_get(d, "y"));
    ck_assert_str_eq(heed_error_message(), "dict_get: there is no \"y\" among 0 tensors");
    heed_error_clear();
    for (int i = 0; i < 100; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "block.%d", i);
        ck_assert_int_eq(heed_dict_set(d, name, t), HEED_OK);
    }
    ck_assert_ptr_null(heed_dict_get(d, "y"));
    ck_assert_error(HEED_ERR_ARGUMENT, "among 100 tensors: block.0, block.1, block.2, ");
    ck_assert_ptr_null(heed_dict_get(d, "y"));
    const char *message = heed_error_message();
    ck_assert_str_eq(message + strlen(message) - 5, ", ...");
    heed_error_clear();
    heed_dict_free(d);
}
END_TEST

START_TEST(a_state_may_have_expanded_tensors)
{
    heed_nn_linear *net = heed_nn_linear_new(3, 4, NULL);
    heed_dict *state = heed_dict_new();
    heed_tensor *row = heed_full(HEED_F32, HEED_SHAPE(1, 3), 2.0);
    ck_assert_int_eq(heed_dict_set(state, "weight", heed_expand(row, HEED_SHAPE(4, 3))), HEED_OK);
    ck_assert_int_eq(heed_dict_set(state, "bias", heed_zeros(HEED_F32, HEED_SHAPE(4))), HEED_OK);
    ck_assert_int_eq(heed_module_load_state(&net->base, state, NULL), HEED_OK);
    ck_assert_double_eq(heed_item(heed_sum(heed_detach(net->weight))), 24.0);
    heed_dict_free(state);
    ck_assert_int_eq(heed_module_free(&net->base), HEED_OK);
}
END_TEST

HEED_TEST_MAIN("dict", tensors_in_order, keeps_its_tensors, texts, a_hundred_thousand, names_that_are_refused, misuse,
               missing_positions, out_of_memory, an_absent_name_lists_similar_names, a_state_may_have_expanded_tensors)
