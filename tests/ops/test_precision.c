/* tests/ops/test_precision.c - heed_set_matmul_precision: its duration, its effects, and its limits. If the CPU has
 * no faster format than f32, MEDIUM changes nothing.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "from.h"
#include "kernels/kernels.h"
#include "system/system.h"

#include <pthread.h>

static bool rounds_products(void)
{
    (void)heed_neg(heed_ones(HEED_F32, HEED_SHAPE(1))); /* the first op selects kernels */
    return heed__matmul_bf16() != NULL;
}

static bool same_bits(heed_tensor *a, heed_tensor *b)
{
    return memcmp(heed_data_f32(heed_contiguous(a)), heed_data_f32(heed_contiguous(b)),
                  (size_t)heed_numel(a) * sizeof(float)) == 0;
}

/* ||a - b|| / ||b|| */
static double distance(heed_tensor *a, heed_tensor *b)
{
    return sqrt(heed_item(heed_sum(heed_square(heed_sub(a, b)))) / heed_item(heed_sum(heed_square(b))));
}

static void *precision_of_thread(void *found)
{
    *(heed_precision *)found = heed_matmul_precision();
    return NULL;
}

START_TEST(it_holds_to_the_end_of_the_scope)
{
    ck_assert_int_eq(heed_matmul_precision(), HEED_PRECISION_HIGHEST);
    heed_scope *outer = heed_scope_begin();
    ck_assert_int_eq(heed_set_matmul_precision(HEED_PRECISION_MEDIUM), HEED_OK);
    heed_scope *inner = heed_no_grad_begin();
    ck_assert_int_eq(heed_matmul_precision(), HEED_PRECISION_MEDIUM);
    ck_assert_int_eq(heed_set_matmul_precision(HEED_PRECISION_HIGH), HEED_OK);
    pthread_t thread;
    heed_precision others = HEED_PRECISION_MEDIUM;
    ck_assert_int_eq(pthread_create(&thread, NULL, precision_of_thread, &others), 0);
    pthread_join(thread, NULL);
    ck_assert_int_eq(others, HEED_PRECISION_HIGHEST);
    ck_assert_int_eq(heed_matmul_precision(), HEED_PRECISION_HIGH);
    heed_scope_end(inner);
    ck_assert_int_eq(heed_matmul_precision(), HEED_PRECISION_MEDIUM);
    ck_assert_int_eq(heed_set_matmul_precision((heed_precision)3), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "set_matmul_precision: precision is 3: must be");
    ck_assert_int_eq(heed_set_matmul_precision((heed_precision)-1), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "precision is -1");
    ck_assert_int_eq(heed_matmul_precision(), HEED_PRECISION_MEDIUM);
    heed_scope_end(outer);
    ck_assert_int_eq(heed_matmul_precision(), HEED_PRECISION_HIGHEST);
    heed_set_matmul_precision(HEED_PRECISION_MEDIUM);
    ck_assert_int_eq(heed_matmul_precision(), HEED_PRECISION_MEDIUM);
    heed_set_matmul_precision(HEED_PRECISION_HIGHEST);
}
END_TEST

typedef struct products {
    heed_tensor *bmm, *linear, *dx, *dw, *f64, *small;
} products;

static products compute(heed_tensor *x, heed_tensor *w, heed_precision precision)
{
    products p;
    heed_set_matmul_precision(precision);
    p.bmm = heed_bmm(x, heed_transpose(x, 1, 2));
    p.linear = heed_linear_activated(x, w, NULL, heed_relu);
    heed_tensor *inputs[] = {x, w}, *grads[2], *loss = heed_mean(heed_square(p.linear));
    ck_assert_int_eq(heed_grad(&loss, 1, inputs, 2, grads, NULL), HEED_OK);
    p.dx = grads[0];
    p.dw = grads[1];
    heed_tensor *wide = heed_to_dtype(x, HEED_F64);
    p.f64 = heed_to_dtype(heed_bmm(wide, heed_transpose(wide, 1, 2)), HEED_F32);
    p.small = heed_linear(heed_slice(heed_select(x, 0, 0), 0, 0, 4, 1), w, NULL);
    heed_set_matmul_precision(HEED_PRECISION_HIGHEST);
    return p;
}

/* MEDIUM rounds factors to 8 bits: the relative error is at most 2^-8, and usually a third of that. */
START_TEST(products_and_their_gradients)
{
    heed_generator *generator = heed_generator_new(3);
    heed_tensor *x = heed_set_requires_grad(FROM(generator, heed_randn(HEED_F32, HEED_SHAPE(3, 70, 130))), true);
    heed_tensor *w = heed_set_requires_grad(FROM(generator, heed_randn(HEED_F32, HEED_SHAPE(90, 130))), true);
    const products highest = compute(x, w, HEED_PRECISION_HIGHEST), high = compute(x, w, HEED_PRECISION_HIGH),
                   medium = compute(x, w, HEED_PRECISION_MEDIUM);
    heed_tensor *const *exact = (heed_tensor *const *)&highest, *const *near = (heed_tensor *const *)&high,
                       *const *rounded = (heed_tensor *const *)&medium;
    for (size_t i = 0; i < sizeof highest / sizeof *exact; i++) {
        const bool large = i < 4;
        ck_assert_msg(distance(near[i], exact[i]) < 1e-5, "HIGH: %zu is off by %g", i, distance(near[i], exact[i]));
        ck_assert_msg(distance(rounded[i], exact[i]) < 6e-3, "%zu is off by %g", i, distance(rounded[i], exact[i]));
        ck_assert_msg(same_bits(rounded[i], exact[i]) == !(large && rounds_products()), "%zu", i);
    }
    heed_generator_free(generator);
}
END_TEST

/* y, dq, dk, dv and dbias, of attention with every option that hides keys; `later` is in force in the backward pass. */
static void attend(heed_tensor *const in[4], heed_precision precision, heed_precision later, heed_tensor *out[5])
{
    heed_tensor *mask = heed_compare_scalar(heed_detach(in[3]), HEED_COMPARE_GT, -1);
    heed_attention_options options = {.mask = mask, .bias = in[3], .causal = true, .window = 90};
    heed_set_matmul_precision(precision);
    out[0] = heed_dot_product_attention(in[0], in[1], in[2], &options, NULL);
    heed_set_matmul_precision(later);
    heed_tensor *g = heed_cos(heed_detach(out[0]));
    const heed_grad_options of = {.grad_outputs = &g};
    ck_assert_int_eq(heed_grad(out, 1, in, 4, out + 1, &of), HEED_OK);
    heed_set_matmul_precision(HEED_PRECISION_HIGHEST);
}

/* Gradients are as exact as forward, because they recompute its scores. */
START_TEST(attention_and_its_gradients)
{
    heed_generator *generator = heed_generator_new(6);
    const heed_shape shapes[] = {HEED_SHAPE(2, 130, 40), HEED_SHAPE(2, 150, 40), HEED_SHAPE(2, 150, 24),
                                 HEED_SHAPE(2, 130, 150)};
    heed_tensor *in[4], *highest[5], *high[5], *medium[5], *later[5];
    for (int i = 0; i < 4; i++)
        in[i] = heed_set_requires_grad(FROM(generator, heed_randn(HEED_F32, shapes[i])), true);
    attend(in, HEED_PRECISION_HIGHEST, HEED_PRECISION_MEDIUM, highest);
    attend(in, HEED_PRECISION_HIGH, HEED_PRECISION_HIGH, high);
    attend(in, HEED_PRECISION_MEDIUM, HEED_PRECISION_MEDIUM, medium);
    attend(in, HEED_PRECISION_MEDIUM, HEED_PRECISION_HIGHEST, later);
    for (int i = 0; i < 5; i++) {
        ck_assert_msg(same_bits(high[i], highest[i]) && same_bits(later[i], medium[i]), "%d", i);
        ck_assert_msg(distance(medium[i], highest[i]) < 1e-2, "%d is off by %g", i, distance(medium[i], highest[i]));
        ck_assert_msg(same_bits(medium[i], highest[i]) == !heed__attention_bf16(), "%d", i);
    }
    heed_generator_free(generator);
}
END_TEST

/* Checks that bits do not depend on the number of threads, for sizes that threads split. Some numbers are outside the
 * range of bf16, so their groups are multiplied in f32. */
static void check_threads(heed_precision precision, bool rounds, double most)
{
    static const int counts[] = {1, 2, 3, 8};
    heed_generator *generator = heed_generator_new(4);
    heed_tensor *a = FROM(generator, heed_randn(HEED_F32, HEED_SHAPE(3, 300, 200)));
    heed_tensor *b = FROM(generator, heed_randn(HEED_F32, HEED_SHAPE(3, 200, 700))), *first = NULL;
    heed_tensor *exact = heed_select(heed_bmm(a, b), 0, 2);
    heed_mutable_f32(a)[200 * 77 + 3] = NAN;
    heed_mutable_f32(a)[200 * 500 + 199] = 1e-39f;
    heed_mutable_f32(b)[700 * 300 + 650] = INFINITY;
    heed_set_matmul_precision(precision);
    for (int i = 0; i < 4; i++) {
        heed_set_num_threads(counts[i]);
        heed_tensor *c = heed_bmm(a, b);
        first = first ? first : c;
        ck_assert_msg(same_bits(c, first), "%d threads", counts[i]);
    }
    heed_set_matmul_precision(HEED_PRECISION_HIGHEST);
    ck_assert(isnan(heed_data_f32(first)[700 * 77]) && !isnan(heed_data_f32(first)[700 * 78]));
    const double off = distance(heed_select(first, 0, 2), exact);
    ck_assert_msg(off < most && (off > 0) == rounds, "precision %d is off by %g", (int)precision, off);
    heed_generator_free(generator);
}

START_TEST(same_bits_for_any_number_of_threads)
{
    check_threads(HEED_PRECISION_MEDIUM, rounds_products(), 6e-3);
    check_threads(HEED_PRECISION_HIGH, heed__has_matrix_unit() && heed__request_matrix_unit(), 1e-5);
}
END_TEST

/* The loss after 30 steps on random data, which are always the same. */
static double train(heed_precision precision)
{
    heed_scope *scope = heed_scope_begin();
    heed_set_matmul_precision(precision);
    heed_manual_seed(5);
    heed_tensor *x = heed_randn(HEED_F32, HEED_SHAPE(64, 64)), *loss = NULL;
    heed_tensor *y = heed_contiguous(heed_slice(heed_sin(heed_mul_scalar(x, 2)), 1, 0, 48, 1));
    heed_nn_sequential *net = heed_nn_sequential_new(HEED_MODULES(
        heed_nn_linear_new(64, 128, NULL), heed_nn_function_new("tanh", heed_tanh), heed_nn_linear_new(128, 48, NULL)));
    heed_optimizer *adam = heed_optim_adam(&net->base, &(heed_optim_adam_options){.lr = 3e-3});
    double last = 0;
    for (int i = 0; i < 30; i++) {
        heed_scope *step = heed_scope_begin();
        loss = heed_mse_loss(heed_nn_sequential_forward(net, x), y, HEED_REDUCTION_MEAN);
        heed_optimizer_zero_grad(adam);
        ck_assert_int_eq(heed_backward(loss), HEED_OK);
        heed_optimizer_step(adam);
        last = heed_item(loss);
        heed_scope_end(step);
    }
    heed_optimizer_free(adam);
    heed_module_free(&net->base);
    heed_scope_end(scope);
    return last;
}

START_TEST(training_learns_as_well)
{
    const double exact = train(HEED_PRECISION_HIGHEST), rounded = train(HEED_PRECISION_MEDIUM);
    ck_assert_msg(exact < 0.1, "loss %g", exact);
    ck_assert_msg(fabs(rounded - exact) < 0.02 * exact, "loss %g, with HIGHEST %g", rounded, exact);
    ck_assert(!rounds_products() || rounded != exact);
}
END_TEST

HEED_TEST_MAIN("precision", it_holds_to_the_end_of_the_scope, products_and_their_gradients, attention_and_its_gradients,
               same_bits_for_any_number_of_threads, training_learns_as_well)
