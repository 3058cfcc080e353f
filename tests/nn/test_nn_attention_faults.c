/* tests/nn/test_nn_attention_faults.c - tests misuse and allocation failures of the attention modules and the
 * positional encoding.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "fail_alloc.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

typedef heed_nn_multi_head_attention multi_head;
typedef heed_nn_multi_head_attention_options multi_head_options;
typedef heed_nn_additive_attention additive;
typedef heed_nn_dot_product_attention dot_product;
typedef heed_nn_positional_encoding positional;

static void *require(void *net)
{
    ck_assert_msg(net != NULL, "%s", heed_error_message());
    return net;
}

/* Lengths 2 and 3 of two sequences. */
static heed_tensor *two_lens(void)
{
    return HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 2, 3);
}

/* -- Misuse -------------------------------------------------------------------------------------------------------- */

#define ck_assert_refuses(code, text, call)                                                                            \
    do {                                                                                                               \
        ck_assert_ptr_null(call);                                                                                      \
        ck_assert_error(code, text);                                                                                   \
    } while (0)

START_TEST(bad_options)
{
    static const double bad_dropouts[] = {-0.1, 1.5, (double)NAN};
    for (int i = 0; i < COUNT(bad_dropouts); i++) {
        double p = bad_dropouts[i];
        ck_assert_refuses(HEED_ERR_ARGUMENT, "nn_additive_attention_new: dropout",
                          heed_nn_additive_attention_new(1, 1, 1, &(heed_nn_additive_attention_options){.dropout = p}));
        ck_assert_refuses(HEED_ERR_ARGUMENT, "nn_dot_product_attention_new: dropout",
                          heed_nn_dot_product_attention_new(&(heed_nn_dot_product_attention_options){.dropout = p}));
        ck_assert_refuses(HEED_ERR_ARGUMENT, "nn_multi_head_attention_new: dropout",
                          heed_nn_multi_head_attention_new(1, 1, &(multi_head_options){.dropout = p}));
        ck_assert_refuses(HEED_ERR_ARGUMENT, "nn_positional_encoding_new: dropout",
                          heed_nn_positional_encoding_new(1, &(heed_nn_positional_encoding_options){.dropout = p}));
    }
    ck_assert_refuses(
        HEED_ERR_ARGUMENT, "scale inf",
        heed_nn_dot_product_attention_new(&(heed_nn_dot_product_attention_options){.scale = (double)INFINITY}));
    ck_assert_refuses(
        HEED_ERR_DTYPE, "i64",
        heed_nn_additive_attention_new(1, 1, 1, &(heed_nn_additive_attention_options){.dtype = HEED_I64}));
    ck_assert_refuses(HEED_ERR_DTYPE, "bool",
                      heed_nn_multi_head_attention_new(1, 1, &(multi_head_options){.dtype = HEED_BOOL}));
    ck_assert_refuses(HEED_ERR_DTYPE, "i64",
                      heed_nn_positional_encoding_new(1, &(heed_nn_positional_encoding_options){.dtype = HEED_I64}));
}
END_TEST

START_TEST(bad_sizes)
{
    ck_assert_refuses(HEED_ERR_ARGUMENT, "key_size is 0", heed_nn_additive_attention_new(0, 1, 1, NULL));
    ck_assert_refuses(HEED_ERR_ARGUMENT, "query_size is -1", heed_nn_additive_attention_new(1, -1, 1, NULL));
    ck_assert_refuses(HEED_ERR_ARGUMENT, "hidden_size is 0", heed_nn_additive_attention_new(1, 1, 0, NULL));
    ck_assert_refuses(HEED_ERR_ARGUMENT, "hidden_size is 0", heed_nn_multi_head_attention_new(0, 1, NULL));
    ck_assert_refuses(HEED_ERR_ARGUMENT, "num_heads is 0", heed_nn_multi_head_attention_new(4, 0, NULL));
    ck_assert_refuses(HEED_ERR_ARGUMENT, "hidden_size is 4: must be a multiple of num_heads, 3",
                      heed_nn_multi_head_attention_new(4, 3, NULL));
    ck_assert_refuses(HEED_ERR_ARGUMENT, "below 2^63 / 3", heed_nn_multi_head_attention_new(INT64_MAX, 1, NULL));
    ck_assert_refuses(HEED_ERR_ARGUMENT, "key_size is -1",
                      heed_nn_multi_head_attention_new(4, 2, &(multi_head_options){.key_size = -1}));
    ck_assert_refuses(HEED_ERR_ARGUMENT, "hidden_size is 0", heed_nn_positional_encoding_new(0, NULL));
    ck_assert_refuses(HEED_ERR_ARGUMENT, "max_len is -1",
                      heed_nn_positional_encoding_new(1, &(heed_nn_positional_encoding_options){.max_len = -1}));
    ck_assert_ptr_null(heed_nn_positional_encoding_new(INT64_MAX / 1000, NULL));
    ck_assert_int_ne(heed_error_code(), HEED_OK);
    heed_error_clear();
}
END_TEST

#define ONES(dtype, ...) heed_ones(dtype, HEED_SHAPE(__VA_ARGS__))

START_TEST(bad_inputs_of_additive_and_dot_product)
{
    additive *a = require(heed_nn_additive_attention_new(3, 2, 4, NULL));
    dot_product *d = require(heed_nn_dot_product_attention_new(NULL));
    heed_tensor *q = ONES(HEED_F32, 2, 3, 2), *k = ONES(HEED_F32, 2, 5, 3), *f64 = ONES(HEED_F64, 2, 5, 3);
    heed_tensor *lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 1, 6);
    ck_assert_refuses(HEED_ERR_ARGUMENT, "module is NULL",
                      heed_nn_additive_attention_forward(NULL, q, k, k, NULL, NULL));
    ck_assert_refuses(HEED_ERR_ARGUMENT, "queries is NULL",
                      heed_nn_additive_attention_forward(a, NULL, k, k, NULL, NULL));
    ck_assert_refuses(HEED_ERR_ARGUMENT, "keys is NULL", heed_nn_additive_attention_forward(a, q, NULL, k, NULL, NULL));
    ck_assert_refuses(HEED_ERR_ARGUMENT, "values is NULL",
                      heed_nn_additive_attention_forward(a, q, k, NULL, NULL, NULL));
    ck_assert_refuses(HEED_ERR_SHAPE, "additive_attention: q",
                      heed_nn_additive_attention_forward(a, k, k, k, NULL, NULL));
    ck_assert_refuses(HEED_ERR_DTYPE,
                      "additive_attention:", heed_nn_additive_attention_forward(a, q, f64, k, NULL, NULL));
    ck_assert_refuses(HEED_ERR_INDEX, "length 6", heed_nn_additive_attention_forward(a, q, k, k, lens, NULL));
    ck_assert_refuses(HEED_ERR_ARGUMENT, "module is NULL",
                      heed_nn_dot_product_attention_forward(NULL, k, k, k, NULL, NULL));
    ck_assert_refuses(HEED_ERR_ARGUMENT, "keys is NULL",
                      heed_nn_dot_product_attention_forward(d, k, NULL, k, NULL, NULL));
    ck_assert_refuses(HEED_ERR_SHAPE, "dot_product_attention: q",
                      heed_nn_dot_product_attention_forward(d, q, k, k, NULL, NULL));
    ck_assert_refuses(HEED_ERR_UNSUPPORTED, "additive_attention", heed_module_forward(&a->base, q));
    a->dropout = 7; /* fields may be changed at any time */
    ck_assert_refuses(HEED_ERR_ARGUMENT, "dropout 7", heed_nn_additive_attention_forward(a, q, k, k, NULL, NULL));
    heed_module_free(&a->base);
    heed_module_free(&d->base);
}
END_TEST

START_TEST(bad_inputs_of_multi_head)
{
    multi_head *m =
        require(heed_nn_multi_head_attention_new(4, 2, &(multi_head_options){.key_size = 3, .value_size = 2}));
    heed_tensor *q = ONES(HEED_F32, 2, 3, 4), *k = ONES(HEED_F32, 2, 5, 3), *v = ONES(HEED_F32, 2, 5, 2);
    heed_tensor *less = ONES(HEED_F32, 2, 4, 2), *f64 = ONES(HEED_F64, 2, 5, 3);
    ck_assert_refuses(HEED_ERR_ARGUMENT, "module is NULL",
                      heed_nn_multi_head_attention_forward(NULL, q, k, v, NULL, NULL));
    ck_assert_refuses(HEED_ERR_ARGUMENT, "values is NULL",
                      heed_nn_multi_head_attention_forward(m, q, k, NULL, NULL, NULL));
    ck_assert_refuses(HEED_ERR_SHAPE, "keys is (2, 3, 4): must be (any, any, 3)",
                      heed_nn_multi_head_attention_forward(m, q, q, v, NULL, NULL));
    ck_assert_refuses(HEED_ERR_DTYPE, "keys is f64", heed_nn_multi_head_attention_forward(m, q, f64, v, NULL, NULL));
    ck_assert_refuses(HEED_ERR_SHAPE, "dot_product_attention: q (2, 3, 2, 2)",
                      heed_nn_multi_head_attention_forward(m, q, k, less, NULL, NULL));
    ck_assert_ptr_nonnull(heed_nn_multi_head_attention_forward(m, q, k, v, NULL, NULL));
    heed_module_free(&m->base);
}
END_TEST

/* Causal attention, a window or a mask must not change the message, although the layer then masks keys and values
 * first. */
START_TEST(bad_lengths_of_cross_attention)
{
    heed_tensor *q = ONES(HEED_F32, 2, 3, 4), *k = ONES(HEED_F32, 2, 5, 4), *other = ONES(HEED_F32, 1, 5, 4);
    heed_tensor *mask = heed_ones(HEED_BOOL, HEED_SHAPE(3, 5));
    const struct {
        heed_tensor *lens;
        heed_status code;
        const char *text;
    } bad[] = {
        {HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 1, 6), HEED_ERR_INDEX, "valid length 6 at (1) is outside 0 .. 5"},
        {HEED_TENSOR(HEED_I64, HEED_SHAPE(2), -1, 0), HEED_ERR_INDEX, "valid length -1 at (0) is outside 0 .. 5"},
        {HEED_TENSOR(HEED_I64, HEED_SHAPE(2, 3), 0, 1, 2, 3, 4, 7), HEED_ERR_INDEX,
         "valid length 7 at (1, 2) is outside 0 .. 5"},
        {heed_expand(HEED_TENSOR(HEED_I64, HEED_SHAPE(1), 8), HEED_SHAPE(2)), HEED_ERR_INDEX,
         "valid length 8 at (0) is outside 0 .. 5"},
        {heed_zeros(HEED_I64, HEED_SHAPE(2, 5)), HEED_ERR_SHAPE, "valid_lens is (2, 5): must be (2) or (2, 3)"},
        {heed_zeros(HEED_I64, HEED_SHAPE(3)), HEED_ERR_SHAPE, "valid_lens is (3): must be (2) or (2, 3)"},
        {heed_zeros(HEED_I64, HEED_SCALAR), HEED_ERR_SHAPE, "valid_lens is (): must be (2) or (2, 3)"},
        {ONES(HEED_F32, 2), HEED_ERR_DTYPE, "valid_lens is f32 (2): must be i64"},
    };
    for (int variant = 0; variant < 6; variant++) {
        multi_head *m = require(heed_nn_multi_head_attention_new(
            4, 2, &(multi_head_options){.causal = variant & 1, .window = variant & 2 ? 2 : 0}));
        for (int i = 0; i < COUNT(bad); i++) {
            heed_tensor *weights = q;
            char text[160];
            (void)snprintf(text, sizeof text, "nn_multi_head_attention_%s: attention_visible_keys: %s",
                           variant < 4 ? "forward" : "forward_with", bad[i].text);
            if (variant < 4)
                ck_assert_refuses(bad[i].code, text,
                                  heed_nn_multi_head_attention_forward(m, q, k, k, bad[i].lens, &weights));
            else
                ck_assert_refuses(
                    bad[i].code, text,
                    heed_nn_multi_head_attention_forward_with(
                        m, q, k, k,
                        &(heed_nn_attention_call){.valid_lens = bad[i].lens, .mask = mask, .weights = &weights}));
            ck_assert_ptr_null(weights);
        }
        heed_tensor *lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 1, 5);
        ck_assert_refuses(HEED_ERR_SHAPE, "nn_multi_head_attention_forward: dot_product_attention: q (2, 3, 2, 2)",
                          heed_nn_multi_head_attention_forward(m, q, other, other, lens, NULL));
        ck_assert_ptr_nonnull(heed_nn_multi_head_attention_forward(m, q, k, k, lens, NULL));
        heed_module_free(&m->base);
    }
}
END_TEST

/* Replaces the module's parameters. A longer tensor would have enough elements for all three maps but has the wrong
 * shape. */
START_TEST(replaced_maps_of_multi_head)
{
    static const heed_shape weights[] = {{2, {16, 4}}, {2, {4, 4}}, {2, {12, 3}}, {1, {12}}, {3, {1, 12, 4}}};
    static const heed_shape biases[] = {{1, {16}}, {1, {4}}, {0, {0}}, {2, {12, 1}}};
    heed_nn_multi_head_attention *net = heed_nn_multi_head_attention_new(4, 2, NULL);
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(2, 3, 4)), *own = net->in_proj_weight;
    for (int i = 0; i < COUNT(weights); i++) {
        net->in_proj_weight = heed_ones(HEED_F32, weights[i]);
        ck_assert_ptr_null(heed_nn_multi_head_attention_forward(net, x, x, x, NULL, NULL));
        ck_assert_error(HEED_ERR_SHAPE, "nn_multi_head_attention_forward: in_proj_weight is (");
    }
    net->in_proj_weight = heed_ones(HEED_F64, HEED_SHAPE(12, 4));
    ck_assert_ptr_null(heed_nn_multi_head_attention_forward(net, x, x, x, NULL, NULL));
    ck_assert_error(HEED_ERR_DTYPE, "in_proj_weight is f64");
    net->in_proj_weight = heed_ones(HEED_F32, HEED_SHAPE(12, 4));
    ck_assert_ptr_nonnull(heed_nn_multi_head_attention_forward(net, x, x, x, NULL, NULL));
    net->in_proj_weight = own;
    own = net->in_proj_bias;
    for (int i = 0; i < COUNT(biases); i++) {
        net->in_proj_bias = heed_ones(HEED_F32, biases[i]);
        ck_assert_ptr_null(heed_nn_multi_head_attention_forward(net, x, x, x, NULL, NULL));
        ck_assert_error(HEED_ERR_SHAPE, "nn_multi_head_attention_forward: in_proj_bias is (");
    }
    net->in_proj_bias = own;
    heed_module_free(&net->base);
}
END_TEST

START_TEST(bad_inputs_of_positional)
{
    positional *p = require(heed_nn_positional_encoding_new(2, &(heed_nn_positional_encoding_options){.max_len = 3}));
    ck_assert_refuses(HEED_ERR_ARGUMENT, "module is NULL",
                      heed_nn_positional_encoding_forward(NULL, ONES(HEED_F32, 1, 3, 2)));
    ck_assert_refuses(HEED_ERR_ARGUMENT, "x is NULL", heed_nn_positional_encoding_forward(p, NULL));
    ck_assert_refuses(HEED_ERR_SHAPE, "x is (1, 3, 3)",
                      heed_nn_positional_encoding_forward(p, ONES(HEED_F32, 1, 3, 3)));
    ck_assert_refuses(HEED_ERR_SHAPE, "x is (3, 2)", heed_nn_positional_encoding_forward(p, ONES(HEED_F32, 3, 2)));
    ck_assert_refuses(HEED_ERR_SHAPE, "x has 4 steps: must be at most max_len, 3",
                      heed_module_forward(&p->base, ONES(HEED_F32, 1, 4, 2)));
    ck_assert_refuses(HEED_ERR_DTYPE, "x is f64", heed_nn_positional_encoding_forward(p, ONES(HEED_F64, 1, 3, 2)));
    ck_assert(
        heed_shape_equal(heed_shape_of(heed_module_forward(&p->base, ONES(HEED_F32, 0, 0, 2))), HEED_SHAPE(0, 0, 2)));
    heed_module_free(&p->base);
}
END_TEST

/* -- Out of memory ------------------------------------------------------------------------------------------------- */

/* Makes a module, runs it forwards and backwards and reads its weights. */
static bool finish(heed_module *net, heed_tensor *y, heed_tensor *weights, double *value)
{
    heed_tensor *loss = heed_sum(heed_square(y)), *sum = weights ? heed_sum(heed_square(weights)) : NULL;
    bool ok = loss && (sum || !y || !weights) && heed_backward(loss) == HEED_OK;
    *value = ok ? heed_item(loss) + (sum ? heed_item(sum) : 0) : 0;
    heed_module_free(net);
    return ok;
}

static heed_tensor *leaf(int64_t t, int64_t size)
{
    return heed_set_requires_grad(heed_rand(HEED_F64, HEED_SHAPE(2, t, size)), true);
}

static bool additive_program(double *value)
{
    heed_nn_additive_attention_options o = {.dropout = 0.3, .dtype = HEED_F64};
    heed_manual_seed(1);
    additive *net = heed_nn_additive_attention_new(3, 2, 4, &o);
    if (!net)
        return false;
    heed_tensor *q = leaf(2, 2), *k = leaf(3, 3), *v = leaf(3, 1), *lens = two_lens(), *weights = NULL;
    heed_tensor *y = lens ? heed_nn_additive_attention_forward(net, q, k, v, lens, &weights) : NULL;
    return finish(&net->base, y, weights, value);
}

static bool dot_product_program(double *value)
{
    heed_nn_dot_product_attention_options o = {.dropout = 0.3, .causal = true};
    heed_manual_seed(1);
    dot_product *net = heed_nn_dot_product_attention_new(&o);
    if (!net)
        return false;
    heed_tensor *x = leaf(3, 2), *bad = heed_full(HEED_F64, HEED_SHAPE(2, 3, 2), 1), *lens = two_lens();
    if (bad && heed_set_(bad, HEED_INDEX(0, 2, 0), (double)NAN) != HEED_OK) /* a masked NaN takes the other path */
        bad = NULL;
    heed_tensor *weights = NULL;
    heed_tensor *y = lens ? heed_nn_dot_product_attention_forward(net, x, x, bad, lens, &weights) : NULL;
    return finish(&net->base, y, weights, value);
}

static bool multi_head_run(const multi_head_options *o, bool same, double *value)
{
    heed_manual_seed(1);
    multi_head *net = heed_nn_multi_head_attention_new(4, 2, o);
    if (!net)
        return false;
    heed_tensor *q = leaf(3, 4), *k = same ? q : leaf(3, 2), *v = same ? q : leaf(3, 3), *lens = two_lens();
    heed_tensor *weights = NULL;
    heed_tensor *y = lens ? heed_nn_multi_head_attention_forward(net, q, k, v, lens, same ? &weights : NULL) : NULL;
    return finish(&net->base, y, weights, value);
}

static bool self_attention_program(double *value)
{
    return multi_head_run(&(multi_head_options){.dtype = HEED_F64}, true, value);
}

static bool cross_attention_program(double *value)
{
    return multi_head_run(
        &(multi_head_options){.dtype = HEED_F64, .key_size = 2, .value_size = 3, .causal = true, .no_bias = true},
        false, value);
}

static bool positional_program(double *value)
{
    heed_nn_positional_encoding_options o = {.dropout = 0.3, .max_len = 5};
    heed_manual_seed(1);
    positional *net = heed_nn_positional_encoding_new(3, &o);
    if (!net)
        return false;
    heed_tensor *x = heed_set_requires_grad(heed_rand(HEED_F32, HEED_SHAPE(2, 4, 3)), true);
    return finish(&net->base, heed_nn_positional_encoding_forward(net, x), NULL, value);
}

static bool (*const programs[])(double *) = {additive_program, dot_product_program, self_attention_program,
                                             cross_attention_program, positional_program};

START_TEST(no_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(programs[_i]);
    fail_alloc_uninstall();
}
END_TEST

/* A forward call that fails does not return weights. */
START_TEST(no_memory_for_weights)
{
    fail_alloc_install();
    multi_head *net = require(heed_nn_multi_head_attention_new(4, 2, NULL));
    heed_tensor *x = heed_rand(HEED_F32, HEED_SHAPE(1, 3, 4));
    heed_tensor *y = NULL;
    for (long k = 1; !y; k++) {
        heed_tensor *weights = x;
        fail_alloc.count = 0;
        fail_alloc.fail_at = k;
        y = heed_nn_multi_head_attention_forward(net, x, x, x, NULL, &weights);
        fail_alloc.fail_at = 0;
        ck_assert((weights != NULL) == (y != NULL));
        if (!y)
            ck_assert_error(HEED_ERR_NOMEM, "");
    }
    heed_module_free(&net->base);
    heed_thread_cleanup();
    fail_alloc_uninstall();
}
END_TEST

int main(void)
{
    static const TTest *const *const tests[] = {&bad_options,
                                                &bad_sizes,
                                                &bad_inputs_of_additive_and_dot_product,
                                                &bad_inputs_of_multi_head,
                                                &bad_lengths_of_cross_attention,
                                                &replaced_maps_of_multi_head,
                                                &bad_inputs_of_positional,
                                                &no_memory_for_weights};
    TCase *tcase = heed_test_case("nn attention faults");
    for (int i = 0; i < COUNT(tests); i++)
        tcase_add_test(tcase, *tests[i]);
    tcase_add_loop_test(tcase, no_memory, 0, COUNT(programs));
    return heed_run_case("nn attention faults", tcase);
}
