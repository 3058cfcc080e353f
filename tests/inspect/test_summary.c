/* tests/inspect/test_summary.c - tests of module summaries: their numbers, and that they leave the module unchanged.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "text.h"

static const char *summary(heed_module *m, heed_tensor *x)
{
    FILE *file = text_file();
    ck_assert_msg(heed_module_summary(m, x, file) == HEED_OK, "%s", heed_error_message());
    return read_back(file);
}

/* Checks for a table line, ignoring repeated blanks: "sequential.0 linear f32 (2, 8) 32 48 64 B". */
static void check_row(const char *text, const char *expected)
{
    static char plain[sizeof written];
    size_t used = 0;
    for (const char *at = text; *at; at++)
        if (*at != ' ' || (used > 0 && plain[used - 1] != ' '))
            plain[used++] = *at;
    plain[used] = '\0';
    char line[256];
    snprintf(line, sizeof line, "%s\n", expected);
    ck_assert_msg(strstr(plain, line) != NULL, "no line \"%s\" in\n%s", expected, text);
}

START_TEST(a_perceptron_is_counted)
{
    heed_nn_sequential *net =
        heed_nn_sequential_new(HEED_MODULES(heed_nn_linear_new(3, 8, NULL), heed_nn_function_new("tanh", heed_tanh),
                                            heed_nn_sequential_new(HEED_MODULES(heed_nn_linear_new(8, 1, NULL)))));
    const char *text = summary(&net->base, heed_ones(HEED_F32, HEED_SHAPE(2, 3)));
    check_row(text, "module type result parameters multiply-adds kept");
    check_row(text, "sequential sequential f32 (2, 1) - - -");
    check_row(text, "sequential.0 linear f32 (2, 8) 32 48 -"); /* the input exists anyway */
    check_row(text, "sequential.1 tanh f32 (2, 8) - - 64 B");
    check_row(text, "sequential.2.0 linear f32 (2, 1) 9 16 -"); /* and so does tanh's saved output */
    check_row(text, "total 41 64 64 B");
    ck_assert_ptr_null(strstr(text, "require a gradient"));
    heed_module_free(&net->base);
}
END_TEST

START_TEST(attention_is_counted)
{
    heed_nn_transformer_encoder_block *net = heed_nn_transformer_encoder_block_new(64, 4, 128, NULL);
    const char *text = summary(&net->base, heed_ones(HEED_F32, HEED_SHAPE(8, 16, 64)));
    const int64_t rows = 8 * 16, maps = rows * 64 * (3 * 64 + 64 + 128 + 128), pairs = 8 * 4 * 16 * 16;
    char all[64], digits[32];
    int64_t n = maps + pairs * (16 + 16);
    snprintf(digits, sizeof digits, "%d,%03d,%03d", (int)(n / 1000000), (int)(n / 1000 % 1000), (int)(n % 1000));
    snprintf(all, sizeof all, "total 33,472 %s", digits);
    ck_assert_int_eq(heed_module_parameter_numel(&net->base), 33472);
    static char plain[sizeof written];
    size_t used = 0;
    for (const char *at = text; *at; at++)
        if (*at != ' ' || plain[used - 1] != ' ')
            plain[used++] = *at;
    plain[used] = '\0';
    ck_assert_msg(strstr(plain, all) != NULL, "no \"%s\" in\n%s", all, text);
    heed_module_free(&net->base);
}
END_TEST

/* The reported kept memory equals the measured increase, except for nodes and tensor structs. */
START_TEST(what_is_kept_is_what_stays)
{
    heed_nn_sequential *net = heed_nn_sequential_new(
        HEED_MODULES(heed_nn_linear_new(64, 256, NULL), heed_nn_function_new("gelu", heed_gelu),
                     heed_nn_linear_new(256, 128, NULL), heed_nn_function_new("sigmoid", heed_sigmoid)));
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(32, 64));
    heed_scope *scope = heed_scope_begin();
    const int64_t before = heed_memory_get_stats().live_bytes;
    heed_tensor *y = heed_retain(heed_module_forward(&net->base, x));
    heed_scope_end(scope);
    const int64_t kept = heed_memory_get_stats().live_bytes - before;
    heed_release(y);
    const int64_t expected = (32 * 256 + 32 * 256 + 32 * 128) * 4; /* input and output of gelu, output of sigmoid */
    ck_assert_int_ge(kept, expected);
    ck_assert_int_le(kept, expected + expected / 8 + 16 * 1024);
    check_row(summary(&net->base, x), "total 49,536 1,572,864 80.0 KiB");
    heed_module_free(&net->base);
}
END_TEST

START_TEST(frozen_and_shared_parameters)
{
    heed_module *m = heed_module_new("twins", sizeof *m);
    heed_tensor *w = heed_ones(HEED_F32, HEED_SHAPE(5)), *b = heed_ones(HEED_F32, HEED_SHAPE(2));
    heed_module_parameter(m, "w", w);
    heed_module_parameter(m, "again", w);
    heed_set_requires_grad(heed_module_parameter(m, "frozen", b), false);
    heed_nn_sequential *net = heed_nn_sequential_new(HEED_MODULES(heed_nn_function_new("relu", heed_relu)));
    heed_module_child(&net->base, "odd", m);
    m->forward = net->base.forward;
    const char *text = summary(&net->base, heed_ones(HEED_F32, HEED_SHAPE(2)));
    check_row(text, "total 7 - -");
    check_row(text, "5 parameters require a gradient");
    heed_module_free(&net->base);
}
END_TEST

/* -- The module is unchanged -- */

static heed_tensor *counting_forward(heed_module *m, heed_tensor *x)
{
    heed_tensor *calls = heed_module_find(m, "calls");
    return calls && heed_fill_(calls, heed_item(calls) + 1) == HEED_OK ? heed_mul_scalar(x, heed_item(calls)) : NULL;
}

START_TEST(the_state_is_unchanged)
{
    heed_module *counting = heed_module_new("counting", sizeof *counting);
    heed_tensor *calls = heed_module_buffer(counting, "calls", heed_full(HEED_I64, HEED_SCALAR, 7));
    counting->forward = counting_forward;
    heed_nn_dropout *dropout = heed_nn_dropout_new(0.5);
    heed_nn_sequential *net = heed_nn_sequential_new(HEED_MODULES(dropout, counting, heed_nn_linear_new(4, 4, NULL)));
    heed_manual_seed(5);
    (void)heed_rand(HEED_F32, HEED_SHAPE(3));
    uint64_t seed, before, after;
    heed_generator_get_state(heed_generator_default(), &seed, &before);
    heed_scope *quiet = heed_no_grad_begin();
    const heed_memory_stats live = heed_memory_get_stats();
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(2, 4));
    check_row(summary(&net->base, x), "sequential.2 linear f32 (2, 4) 20 32 32 B");
    ck_assert_int_eq(heed_memory_get_stats().live_objects, live.live_objects + 1);
    heed_scope_end(quiet);
    heed_generator_get_state(heed_generator_default(), &seed, &after);
    ck_assert(before == after && seed == 5);
    ck_assert_int_eq(heed_item_i64(calls), 7);
    ck_assert(net->base.training && dropout->base.training);
    ck_assert(!heed_has_grad(heed_module_find(&net->base, "2.weight")));
    heed_module_free(&net->base);
}
END_TEST

/* -- Summaries of functions -- */

typedef struct attended {
    heed_tensor *q, *k;
    heed_nn_dot_product_attention *net;
} attended;

static heed_tensor *attend(heed_module *m, void *user)
{
    attended *a = user;
    ck_assert_ptr_eq(m, &a->net->base);
    return heed_nn_dot_product_attention_forward(a->net, a->q, a->k, a->k, NULL, NULL);
}

START_TEST(ops_with_several_tensors)
{
    attended a = {heed_ones(HEED_F32, HEED_SHAPE(2, 3, 4)), heed_ones(HEED_F32, HEED_SHAPE(2, 5, 4)),
                  heed_nn_dot_product_attention_new(0)};
    FILE *file = text_file();
    ck_assert_int_eq(heed_module_summary(&a.net->base, a.q, file), HEED_ERR_UNSUPPORTED);
    ck_assert_error(HEED_ERR_UNSUPPORTED,
                    "module_summary: module_forward: a dot_product_attention takes more than one");
    ck_assert_int_eq(heed_module_summary_with(&a.net->base, attend, &a, file), HEED_OK);
    check_row(read_back(file), "dot_product_attention dot_product_attention f32 (2, 3, 4) - 240 -");
    heed_module_free(&a.net->base);
}
END_TEST

static heed_tensor *nothing(heed_module *m, void *user)
{
    (void)m;
    (void)user;
    return NULL;
}

START_TEST(failures)
{
    heed_nn_linear *net = heed_nn_linear_new(3, 2, NULL);
    FILE *file = text_file();
    ck_assert_int_eq(heed_module_summary(&net->base, heed_ones(HEED_F32, HEED_SHAPE(4)), file), HEED_ERR_SHAPE);
    ck_assert_error(HEED_ERR_SHAPE, "module_summary: linear: x (4) has 4 features, w (2, 3) takes 3");
    ck_assert_int_eq(heed_module_summary_with(&net->base, nothing, NULL, file), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "module_summary_with: the forward of linear returned NULL");
    ck_assert_str_eq(read_back(file), "");
    FILE *full = fopen("/dev/full", "w");
    if (full) {
        ck_assert_int_eq(heed_module_summary(&net->base, heed_ones(HEED_F32, HEED_SHAPE(3)), full), HEED_ERR_IO);
        ck_assert_error(HEED_ERR_IO, "module_summary: cannot write the table to the file");
        fclose(full);
    }
    heed_module_free(&net->base);
}
END_TEST

HEED_TEST_MAIN("summary", a_perceptron_is_counted, attention_is_counted, what_is_kept_is_what_stays,
               frozen_and_shared_parameters, the_state_is_unchanged, ops_with_several_tensors, failures)
