/* tests/nn/test_module_state.c - tests of saving and loading a module's state. tests/parity compares the layers' names
 * with PyTorch's.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "fail_alloc.h"

static heed_nn_sequential *sequential(heed_dtype dtype)
{
    heed_nn_linear_options o = {.dtype = dtype};
    heed_nn_layer_norm_options norm = {.dtype = dtype};
    return heed_nn_sequential_new(
        HEED_MODULES(heed_nn_linear_new(3, 4, &o), heed_nn_function_new("relu", heed_relu), heed_nn_dropout_new(0.5),
                     heed_nn_sequential_new(
                         HEED_MODULES(heed_nn_layer_norm_new(HEED_SHAPE(4), &norm), heed_nn_linear_new(4, 2, &o)))));
}

/* Writes bits that arithmetic would not preserve. */
static void plant(heed_tensor *t)
{
    heed_scope *scope = heed_no_grad_begin();
    static const uint64_t nan64 = 0xfff0000000000123;
    static const uint32_t nan32 = 0x7f800123;
    if (heed_dtype_of(t) == HEED_F32)
        memcpy(heed_mutable_f32(t), &nan32, sizeof nan32);
    else
        memcpy(heed_mutable_f64(t), &nan64, sizeof nan64);
    heed_set_(t, HEED_INDEX(0, 1), -(double)INFINITY);
    heed_set_(t, HEED_INDEX(0, 2), -0.0);
    heed_scope_end(scope);
}

static void check_same(heed_tensor *a, heed_tensor *b)
{
    size_t size = (size_t)heed_numel(a) * heed_dtype_size(heed_dtype_of(a));
    if (heed_dtype_of(a) == HEED_F32)
        ck_assert_mem_eq(heed_data_f32(a), heed_data_f32(b), size);
    else
        ck_assert_mem_eq(heed_data_f64(a), heed_data_f64(b), size);
}

static void check_same_state(heed_nn_sequential *a, heed_nn_sequential *b)
{
    heed_dict *first = heed_module_state(&a->base), *second = heed_module_state(&b->base);
    for (int64_t i = 0; i < heed_dict_size(first); i++)
        check_same(heed_dict_at(first, i), heed_dict_at(second, i));
    heed_dict_free(first);
    heed_dict_free(second);
}

START_TEST(loads)
{
    for (heed_dtype dtype = HEED_F32; dtype <= HEED_F64; dtype++) {
        heed_nn_sequential *a = sequential(dtype), *b = sequential(dtype);
        plant(heed_module_find(&a->base, "0.weight"));
        heed_set_requires_grad(heed_module_find(&b->base, "0.bias"), false); /* frozen parameters are loaded, too */
        heed_dict *state = heed_module_state(&a->base);
        ck_assert_ptr_eq(heed_dict_get(state, "3.1.weight"), heed_module_find(&a->base, "3.1.weight"));
        ck_assert_int_eq(heed_module_load_state(&b->base, state, NULL), HEED_OK);
        heed_dict_free(state);
        check_same_state(a, b);
        ck_assert(!heed_requires_grad(heed_module_find(&b->base, "0.bias")));
        ck_assert(heed_requires_grad(heed_module_find(&b->base, "0.weight")));
        heed_module_free(&a->base);
        heed_module_free(&b->base);
    }
}
END_TEST

/* One tensor under two paths, and a buffer. */
START_TEST(tied_tensors_and_buffers)
{
    heed_module *m = heed_module_new("tied", sizeof *m);
    heed_tensor *w = heed_module_parameter(m, "w", heed_ones(HEED_F32, HEED_SHAPE(2)));
    heed_module_parameter(m, "w2", w);
    heed_tensor *steps = heed_module_buffer(m, "steps", heed_zeros(HEED_I64, HEED_SCALAR));
    heed_dict *state = heed_module_state(m), *other = heed_dict_new();
    ck_assert_int_eq(heed_dict_size(state), 3);
    ck_assert_ptr_eq(heed_dict_get(state, "w"), heed_dict_get(state, "w2"));
    heed_dict_set(other, "m.w2", heed_full(HEED_F32, HEED_SHAPE(2), 5));
    heed_dict_set(other, "m.steps", heed_full(HEED_I64, HEED_SCALAR, 7));
    heed_dict_load_options o = {.prefix = "m."};
    ck_assert_int_eq(heed_module_load_state(m, other, &o), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "1 missing: m.w");
    ck_assert_int_eq(heed_item_i64(steps), 0);
    o.allow_missing = true;
    ck_assert_int_eq(heed_module_load_state(m, other, &o), HEED_OK);
    ck_assert_double_eq(heed_get(w, HEED_INDEX(1)), 5);
    ck_assert_int_eq(heed_item_i64(steps), 7);
    heed_dict_free(state);
    heed_dict_free(other);
    heed_module_free(m);
}
END_TEST

START_TEST(all_or_nothing)
{
    heed_nn_sequential *net = sequential(HEED_F32),
                       *larger = heed_nn_sequential_new(
                           HEED_MODULES(heed_nn_linear_new(3, 4, NULL), heed_nn_linear_new(4, 2, NULL)));
    heed_dict *state = heed_module_state(&larger->base);
    double before = heed_get(heed_module_find(&net->base, "0.weight"), HEED_INDEX(0, 0));
    ck_assert_int_eq(heed_module_load_state(&net->base, state, NULL), HEED_ERR_ARGUMENT);
    ck_assert_str_eq(heed_error_message(),
                     "module_load_state: dict_load: 4 missing: 3.0.weight 3.0.bias 3.1.weight 3.1.bias; 2 unexpected: "
                     "1.weight 1.bias");
    heed_error_clear();
    heed_dict_load_options o = {.allow_missing = true};
    ck_assert_int_eq(heed_module_load_state(&net->base, state, &o), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "module_load_state: dict_load: 2 unexpected: 1.weight 1.bias");
    ck_assert_double_eq(heed_get(heed_module_find(&net->base, "0.weight"), HEED_INDEX(0, 0)), before);
    heed_dict_free(state);
    heed_module_free(&larger->base);
    heed_module_free(&net->base);
}
END_TEST

static void check_advice(heed_module *m, const heed_dict *state, const char *message)
{
    ck_assert_int_eq(heed_module_load_state(m, state, NULL), HEED_ERR_ARGUMENT);
    ck_assert_str_eq(heed_error_message(), message);
    heed_error_clear();
}

/* Loading ignores scalers in the dict. */
START_TEST(a_scaler_next_to_a_model)
{
    heed_nn_linear *net = heed_nn_linear_new(2, 1, NULL);
    heed_dict *state = heed_module_state(&net->base), *renamed = heed_dict_new();
    heed_tensor *x = heed_rand(HEED_F32, HEED_SHAPE(3, 2));
    heed_scaler *scaler = heed_scaler_new(x, NULL);
    ck_assert_int_eq(heed_scaler_save(scaler, state, "numbers"), HEED_OK);
    ck_assert_int_eq(heed_scaler_save(scaler, state, "a.b"), HEED_OK);
    ck_assert_int_eq(heed_module_load_state(&net->base, state, NULL), HEED_OK);
    for (int64_t i = 0; i < heed_dict_size(state); i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "net.%s", heed_dict_name(state, i));
        ck_assert_int_eq(heed_dict_set(renamed, name, heed_clone(heed_dict_at(state, i))), HEED_OK);
    }
    const heed_dict_load_options prefix = {.prefix = "net."};
    ck_assert_int_eq(heed_module_load_state(&net->base, renamed, &prefix), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "4 unexpected: net.numbers.mean net.numbers.std net.a.b.mean net.a.b.std");
    heed_dict_set_text(renamed, "net.numbers.fill_nan", "false");
    heed_dict_set_text(renamed, "net.a.b.fill_nan", "false");
    ck_assert_int_eq(heed_module_load_state(&net->base, renamed, &prefix), HEED_OK);
    heed_scaler_free(scaler);
    heed_dict_free(renamed);
    heed_dict_free(state);
    heed_module_free(&net->base);
}
END_TEST

/* The message names the option that makes the module accept the names, if the program can set one and no other change
 * is needed. */
START_TEST(message_names_the_option)
{
    heed_nn_linear *net = heed_nn_linear_new(2, 1, NULL),
                   *no_bias = heed_nn_linear_new(2, 1, &(heed_nn_linear_options){.no_bias = true});
    heed_dict *state = heed_module_state(&net->base), *less = heed_module_state(&no_bias->base);
    heed_scaler *scaler = heed_scaler_new(heed_ones(HEED_F32, HEED_SHAPE(3, 2)), NULL);
    ck_assert_int_eq(heed_dict_set(state, "other.mean", heed_scaler_mean(scaler)), HEED_OK);
    ck_assert_int_eq(heed_dict_set(state, "other.fill_nan", heed_scaler_mean(scaler)), HEED_OK);
    check_advice(
        &net->base, state,
        "module_load_state: dict_load: 2 unexpected: other.mean other.fill_nan (.allow_unexpected ignores them)");
    ck_assert_int_eq(heed_module_load_state(&net->base, state, &(heed_dict_load_options){.allow_unexpected = true}),
                     HEED_OK);
    check_advice(&net->base, less,
                 "module_load_state: dict_load: 1 missing: bias (.allow_missing leaves them as they are)");
    ck_assert_int_eq(heed_scaler_save(scaler, less, "numbers"), HEED_OK);
    check_advice(&net->base, less,
                 "module_load_state: dict_load: 1 missing: bias (.allow_missing leaves them as they are)");
    ck_assert_int_eq(heed_module_copy_state(&net->base, &no_bias->base), HEED_ERR_ARGUMENT);
    ck_assert_str_eq(heed_error_message(), "module_copy_state: dict_load: 1 missing: bias");
    heed_error_clear();
    heed_scaler_free(scaler);
    heed_dict_free(state);
    heed_dict_free(less);
    heed_module_free(&net->base);
    heed_module_free(&no_bias->base);
}
END_TEST

static void check_tied(heed_module *tied, heed_module *untied, const char *missing, const char *unexpected)
{
    static const char with[] = " (its output map is its embedding: make the module with .tied)",
                      without[] = " (its output map differs from its embedding: make the module without .tied)";
    char message[256];
    heed_dict *state = heed_module_state(tied);
    (void)snprintf(message, sizeof message, "module_load_state: dict_load: %s%s", missing, with);
    check_advice(untied, state, message);
    heed_dict_free(state);
    state = heed_module_state(untied);
    (void)snprintf(message, sizeof message, "module_load_state: dict_load: %s%s", unexpected, without);
    check_advice(tied, state, message);
    heed_dict_free(state);
    heed_module_free(tied);
    heed_module_free(untied);
}

/* A decoder that uses its embedding as its output map, and one with its own output map. */
START_TEST(tied_and_untied)
{
    heed_nn_decoder_options o = {.max_len = 4, .tied = true}, p = {.max_len = 4};
    check_tied(&heed_nn_decoder_new(5, 4, 2, 8, 1, &o)->base, &heed_nn_decoder_new(5, 4, 2, 8, 1, &p)->base,
               "1 missing: dense.weight", "1 unexpected: dense.weight");
    heed_nn_transformer_options q = {.tied = true}, r = {.tied = false};
    check_tied(&heed_nn_transformer_decoder_new(5, 4, 2, 8, 1, &q)->base,
               &heed_nn_transformer_decoder_new(5, 4, 2, 8, 1, &r)->base, "2 missing: dense.weight dense.bias",
               "2 unexpected: dense.weight dense.bias");
}
END_TEST

START_TEST(refuses)
{
    heed_nn_linear *net = heed_nn_linear_new(1, 1, NULL);
    heed_dict *dict = heed_dict_new();
    ck_assert_ptr_null(heed_module_state(NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "module_state: the module is NULL");
    ck_assert_int_eq(heed_module_load_state(NULL, dict, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "module_load_state: the module is NULL");
    ck_assert_int_eq(heed_module_load_state(&net->base, NULL, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "module_load_state: the state is NULL");
    heed_dict_free(dict);
    heed_module_free(&net->base);
    heed_module *none = heed_module_new("none", sizeof *none); /* a module may have an empty state */
    dict = heed_module_state(none);
    ck_assert_int_eq(heed_dict_size(dict), 0);
    ck_assert_int_eq(heed_module_load_state(none, dict, NULL), HEED_OK);
    heed_dict_free(dict);
    heed_module_free(none);
}
END_TEST

static bool run(double *value)
{
    heed_manual_seed(1);
    heed_nn_linear *a = heed_nn_linear_new(2, 2, NULL), *b = a ? heed_nn_linear_new(2, 2, NULL) : NULL;
    heed_dict *state = b ? heed_module_state(&a->base) : NULL;
    bool done = state && heed_module_load_state(&b->base, state, NULL) == HEED_OK;
    *value = done ? heed_get(b->weight, HEED_INDEX(1, 1)) : 0.0;
    heed_dict_free(state);
    heed_module_free(a ? &a->base : NULL);
    heed_module_free(b ? &b->base : NULL);
    return done;
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(run);
    fail_alloc_uninstall();
}
END_TEST

HEED_TEST_MAIN("module_state", loads, tied_tensors_and_buffers, all_or_nothing, a_scaler_next_to_a_model,
               message_names_the_option, tied_and_untied, refuses, out_of_memory)
