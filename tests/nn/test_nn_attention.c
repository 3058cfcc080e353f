/* tests/nn/test_nn_attention.c - tests of the attention modules and the positional encoding: parameters, positions
 * compared with NumPy's, weights, dropout. PyTorch's numbers are in tests/parity, derivatives in test_nn_cases, faults
 * in test_nn_attention_faults.c.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include "reference/positions_reference.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

typedef heed_nn_multi_head_attention multi_head;
typedef heed_nn_additive_attention additive;
typedef heed_nn_dot_product_attention dot_product;

static void *made(void *net)
{
    ck_assert_msg(net != NULL, "%s", heed_error_message());
    return net;
}

static void expect_values(const char *what, heed_tensor *t, const double *expected, double tolerance)
{
    ck_assert_msg(t != NULL, "%s: %s", what, heed_error_message());
    heed_tensor *values = heed_contiguous(heed_to_dtype(t, HEED_F64));
    for (int64_t i = 0; i < heed_numel(t); i++)
        ck_assert_msg(fabs(heed_data_f64(values)[i] - expected[i]) <= tolerance * (1 + fabs(expected[i])),
                      "%s, element %d: %.17g, expected %.17g", what, (int)i, heed_data_f64(values)[i], expected[i]);
}

static void expect_equal(heed_tensor *a, heed_tensor *b, double tolerance)
{
    ck_assert_msg(a && b, "%s", heed_error_message());
    ck_assert(heed_shape_equal(heed_shape_of(a), heed_shape_of(b)));
    expect_values("the same", a, heed_data_f64(heed_contiguous(heed_to_dtype(b, HEED_F64))), tolerance);
}

/* 0.6 sin(0.7 i + phase) */
static heed_tensor *wave(heed_dtype dtype, heed_shape shape, double phase)
{
    heed_tensor *i = heed_arange(HEED_F64, 0, (double)heed_shape_numel(shape), 1);
    heed_tensor *t = heed_mul_scalar(heed_sin(heed_add_scalar(heed_mul_scalar(i, 0.7), phase)), 0.6);
    return heed_to_dtype(heed_reshape(t, shape), dtype);
}

/* -- Parameters ---------------------------------------------------------------------------------------------------- */

static heed_status list_parameter(const heed_module_visit *visit, void *user)
{
    char *text = user;
    size_t used = strlen(text);
    (void)snprintf(text + used, 400 - used, "%s%s ", visit->name, heed_shape_text(heed_shape_of(visit->tensor)).s);
    ck_assert(!visit->is_buffer && heed_requires_grad(visit->tensor));
    return HEED_OK;
}

static void expect_parameters(heed_module *m, const char *type, const char *expected)
{
    char text[400] = "";
    ck_assert_ptr_nonnull(m);
    ck_assert_str_eq(m->type, type);
    ck_assert_int_eq(heed_module_walk(m, list_parameter, text), HEED_OK);
    ck_assert_str_eq(text, expected);
    ck_assert_int_eq(heed_module_free(m), HEED_OK);
}

START_TEST(parameters)
{
    expect_parameters(made(heed_nn_additive_attention_new(3, 4, 5, NULL)), "additive_attention",
                      "W_k.weight(5, 3) W_q.weight(5, 4) w_v.weight(1, 5) ");
    expect_parameters(made(heed_nn_dot_product_attention_new(NULL)), "dot_product_attention", "");
    expect_parameters(made(heed_nn_positional_encoding_new(6, NULL)), "positional_encoding", "");
    expect_parameters(made(heed_nn_multi_head_attention_new(6, 2, NULL)), "multi_head_attention",
                      "in_proj_weight(18, 6) in_proj_bias(18) out_proj.weight(6, 6) out_proj.bias(6) ");
    heed_nn_multi_head_attention_options o = {.no_bias = true, .key_size = 6};
    expect_parameters(made(heed_nn_multi_head_attention_new(6, 3, &o)), "multi_head_attention",
                      "in_proj_weight(18, 6) out_proj.weight(6, 6) ");
    o = (heed_nn_multi_head_attention_options){.query_size = 2, .value_size = 3, .dtype = HEED_F64};
    expect_parameters(made(heed_nn_multi_head_attention_new(6, 1, &o)), "multi_head_attention",
                      "q_proj_weight(6, 2) k_proj_weight(6, 6) v_proj_weight(6, 3) in_proj_bias(18) "
                      "out_proj.weight(6, 6) out_proj.bias(6) ");
}
END_TEST

/* Checks for a uniform distribution in -a .. a: the range is nearly filled, and the variance is a^2 / 3. */
static void expect_uniform(heed_tensor *t, double a)
{
    double n = (double)heed_numel(t), variance = heed_item(heed_mean(heed_square(t)));
    ck_assert_near(heed_item(heed_max(t)), a, 20 * a / n);
    ck_assert_near(heed_item(heed_min(t)), -a, 20 * a / n);
    ck_assert_near(variance / (a * a / 3), 1, 5 * sqrt(0.8 / n));
    ck_assert_near(heed_item(heed_mean(t)), 0, 5 * a / sqrt(3 * n));
}

START_TEST(initial_values)
{
    heed_manual_seed(21);
    multi_head *m = made(heed_nn_multi_head_attention_new(48, 4, NULL));
    expect_uniform(m->in_proj_weight, sqrt(6.0 / (48 + 3 * 48)));
    expect_uniform(m->out_proj->weight, 1 / sqrt(48.0));
    ck_assert_near(heed_item(heed_sum(heed_abs(m->in_proj_bias))), 0, 0);
    ck_assert_near(heed_item(heed_sum(heed_abs(m->out_proj->bias))), 0, 0);
    heed_module_free(&m->base);
    m = made(heed_nn_multi_head_attention_new(48, 4, &(heed_nn_multi_head_attention_options){.key_size = 90}));
    expect_uniform(m->q_proj_weight, sqrt(6.0 / (48 + 48)));
    expect_uniform(m->k_proj_weight, sqrt(6.0 / (48 + 90)));
    expect_uniform(m->v_proj_weight, sqrt(6.0 / (48 + 48)));
    heed_module_free(&m->base);
    additive *a = made(heed_nn_additive_attention_new(30, 60, 50, NULL));
    expect_uniform(a->W_k->weight, 1 / sqrt(30.0));
    expect_uniform(a->W_q->weight, 1 / sqrt(60.0));
    heed_module_free(&a->base);
}
END_TEST

/* -- Numbers ------------------------------------------------------------------------------------------------------- */

/* One product for all three maps gives the same result as three products. */
START_TEST(multi_head_same_tensor)
{
    multi_head *net = made(heed_nn_multi_head_attention_new(6, 2, NULL));
    heed_tensor *x = heed_rand(HEED_F32, HEED_SHAPE(2, 5, 6)), *same = heed_clone(x);
    heed_tensor *lens[] = {heed_full(HEED_I64, HEED_SHAPE(2), 3),
                           HEED_TENSOR(HEED_I64, HEED_SHAPE(2, 5), 2, 4, 1, 0, 3, 5, 0, 2, 2, 1)};
    for (int i = 0; i < 2; i++)
        expect_equal(heed_nn_multi_head_attention_forward(net, x, x, x, lens[i], NULL),
                     heed_nn_multi_head_attention_forward(net, x, same, same, lens[i], NULL), 1e-6);
    heed_module_free(&net->base);
}
END_TEST

/* The book's additive attention, with uneven variants of its example's weights, lengths and numbers. */
START_TEST(additive_is_its_op)
{
    additive *net =
        made(heed_nn_additive_attention_new(2, 20, 8, &(heed_nn_additive_attention_options){.dtype = HEED_F64}));
    heed_tensor *q = wave(HEED_F64, HEED_SHAPE(2, 3, 20), 1), *k = wave(HEED_F64, HEED_SHAPE(2, 10, 2), 2), *weights;
    heed_tensor *v = wave(HEED_F64, HEED_SHAPE(2, 10, 4), 3), *lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 2, 6);
    heed_tensor *found, *y = heed_nn_additive_attention_forward(net, q, k, v, lens, &found);
    heed_tensor *expected = heed_additive_attention(q, k, v, net->W_q->weight, net->W_k->weight, net->w_v->weight,
                                                    &(heed_attention_options){.valid_lens = lens}, &weights);
    expect_equal(y, expected, 0);
    expect_equal(found, weights, 0);
    heed_module_free(&net->base);
}
END_TEST

START_TEST(dot_product_is_its_op)
{
    dot_product *net =
        made(heed_nn_dot_product_attention_new(&(heed_nn_dot_product_attention_options){.scale = 0.7, .causal = true}));
    heed_tensor *lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 2, 4), *found, *weights;
    for (int rank = 3; rank <= 4; rank++) {
        heed_shape shape = rank == 3 ? HEED_SHAPE(2, 4, 6) : HEED_SHAPE(2, 3, 4, 2);
        heed_tensor *q = wave(HEED_F64, shape, 1), *k = wave(HEED_F64, shape, 2), *v = wave(HEED_F64, shape, 3);
        heed_attention_options options = {.valid_lens = lens, .scale = 0.7, .causal = true};
        expect_equal(heed_nn_dot_product_attention_forward(net, q, k, v, lens, &found),
                     heed_dot_product_attention(q, k, v, &options, &weights), 0);
        expect_equal(found, weights, 0);
    }
    heed_module_free(&net->base);
}
END_TEST

/* -- Positional encoding ------------------------------------------------------------------------------------------- */

static const int64_t positions[] = {0, 1, 2, 59, 999};

START_TEST(positions_as_numpy)
{
    const double *const expected[] = {positions_5, positions_4};
    for (int64_t i = 0; i < 2; i++)
        for (int f32 = 0; f32 < 2; f32++) {
            int64_t h = 5 - i;
            heed_dtype dtype = f32 ? HEED_F32 : HEED_F64;
            heed_nn_positional_encoding *net =
                made(heed_nn_positional_encoding_new(h, &(heed_nn_positional_encoding_options){.dtype = dtype}));
            ck_assert(heed_shape_equal(heed_shape_of(net->P), HEED_SHAPE(1000, h)));
            heed_tensor *y = heed_nn_positional_encoding_forward(net, heed_ones(dtype, HEED_SHAPE(3, 1000, h)));
            heed_tensor *index = heed_from_array(HEED_I64, HEED_SHAPE(5), positions, 5);
            for (int64_t b = 0; b < 3; b++)
                expect_values("P", heed_add_scalar(heed_index_select(heed_select(y, 0, b), 0, index), -1), expected[i],
                              f32 ? 2e-7 : 2e-15);
            heed_module_free(&net->base);
        }
}
END_TEST

/* -- Weights, and dropout ---------------------------------------------------------------------------- */

START_TEST(weights_on_demand)
{
    multi_head *net = made(heed_nn_multi_head_attention_new(4, 2, NULL));
    heed_tensor *x = heed_rand(HEED_F32, HEED_SHAPE(1, 3, 4)), *none = heed_zeros(HEED_F32, HEED_SHAPE(1, 3, 5));
    heed_tensor *weights = NULL, *dw = NULL;
    ck_assert_ptr_nonnull(heed_nn_multi_head_attention_forward(net, x, x, x, NULL, &weights));
    heed_tensor *sum = heed_sum(heed_square(weights));
    ck_assert_near(heed_item(heed_sum(weights)), 2 * 3, 1e-6);
    ck_assert_int_eq(heed_grad(&sum, 1, &net->in_proj_weight, 1, &dw, NULL), HEED_OK);
    ck_assert(heed_item(heed_sum(heed_abs(dw))) > 0);
    ck_assert_ptr_null(heed_nn_multi_head_attention_forward(net, none, x, x, NULL, &weights));
    ck_assert_error(HEED_ERR_SHAPE, "queries is (1, 3, 5)");
    ck_assert_ptr_null(weights);
    heed_module_free(&net->base);
}
END_TEST

/* If everything is dropped, the result is zero while training; the weights are those before dropout. */
START_TEST(dropout_while_training)
{
    heed_tensor *x = heed_rand(HEED_F64, HEED_SHAPE(2, 3, 4));
    additive *a = made(heed_nn_additive_attention_new(
        4, 4, 3, &(heed_nn_additive_attention_options){.dropout = 1, .dtype = HEED_F64}));
    dot_product *d = made(heed_nn_dot_product_attention_new(&(heed_nn_dot_product_attention_options){.dropout = 1}));
    multi_head *m = made(heed_nn_multi_head_attention_new(
        4, 2, &(heed_nn_multi_head_attention_options){.dropout = 1, .no_bias = true, .dtype = HEED_F64}));
    heed_nn_positional_encoding *p = made(
        heed_nn_positional_encoding_new(4, &(heed_nn_positional_encoding_options){.dropout = 1, .dtype = HEED_F64}));
    heed_module *const modules[] = {&a->base, &d->base, &m->base, &p->base};
    for (int training = 1; training >= 0; training--) {
        heed_tensor *weights[3];
        heed_tensor *y[] = {heed_nn_additive_attention_forward(a, x, x, x, NULL, &weights[0]),
                            heed_nn_dot_product_attention_forward(d, x, x, x, NULL, &weights[1]),
                            heed_nn_multi_head_attention_forward(m, x, x, x, NULL, &weights[2]),
                            heed_nn_positional_encoding_forward(p, x)};
        for (int i = 0; i < COUNT(modules); i++) {
            ck_assert((heed_item(heed_sum(heed_abs(y[i]))) == 0) == training);
            if (i < COUNT(weights))
                ck_assert_near(heed_item(heed_sum(weights[i])), i == 2 ? 12 : 6, 1e-12);
            ck_assert_int_eq(heed_module_eval(modules[i]), HEED_OK);
        }
    }
    for (int i = 0; i < COUNT(modules); i++)
        heed_module_free(modules[i]);
}
END_TEST

/* The default eps is this layer's own, not the RMS norm's default. */
START_TEST(eps_of_queries_and_keys)
{
    const double given[] = {0.0, 0.25}, used[] = {1e-5, 0.25};
    for (int i = 0; i < 2; i++) {
        const heed_nn_multi_head_attention_options o = {.qk_norm = true, .qk_norm_eps = given[i]};
        heed_nn_multi_head_attention *net = heed_nn_multi_head_attention_new(4, 2, &o);
        ck_assert(net->q_norm->eps == used[i] && net->k_norm->eps == used[i]);
        heed_module_free(&net->base);
    }
}
END_TEST

HEED_TEST_MAIN("nn attention", parameters, initial_values, multi_head_same_tensor, additive_is_its_op,
               dot_product_is_its_op, positions_as_numpy, weights_on_demand, dropout_while_training,
               eps_of_queries_and_keys)
