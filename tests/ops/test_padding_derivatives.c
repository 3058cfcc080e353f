/* tests/ops/test_padding_derivatives.c - infinite or NaN numbers in the padding reach neither the first nor the
 * second derivative, and the padding's derivatives are 0.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#define CLASSES 3
#define STEPS 4
#define BATCH 2
static const int64_t lens_of_batch[BATCH] = {2, 4};

typedef struct padded {
    const char *name;
    heed_tensor *(*run)(heed_tensor *x); /* of x (BATCH, STEPS, CLASSES), padded from step lens_of_batch[b] on */
} padded;

static heed_tensor *lens(void)
{
    return heed_from_array(HEED_I64, HEED_SHAPE(BATCH), lens_of_batch, BATCH);
}

/* Classes of the steps; -1 in the padding. */
static heed_tensor *classes(void)
{
    return HEED_TENSOR(HEED_I64, HEED_SHAPE(BATCH, STEPS), 2, 0, -1, -1, 1, 2, 0, 1);
}

static heed_tensor *ctc(heed_tensor *x)
{
    heed_tensor *targets = HEED_TENSOR(HEED_I64, HEED_SHAPE(BATCH, 2), 1, 0, 2, 1);
    heed_tensor *target_lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(BATCH), 1, 2);
    return heed_ctc_loss(heed_transpose(x, 0, 1), targets, lens(), target_lens,
                         &(heed_ctc_loss_options){.reduction = HEED_REDUCTION_SUM});
}

static heed_tensor *cross_entropy(heed_tensor *x)
{
    return heed_cross_entropy(x, classes(), &(heed_class_loss_options){.has_ignore_index = true, .ignore_index = -1});
}

static heed_tensor *mask(heed_tensor *x)
{
    return heed_exp(heed_sequence_mask(x, lens(), -2));
}

static heed_tensor *softmax(heed_tensor *x)
{
    return heed_masked_softmax(heed_transpose(x, 1, 2), lens());
}

static heed_tensor *keys_of_attention(heed_tensor *x)
{
    heed_tensor *q = HEED_TENSOR(HEED_F64, HEED_SHAPE(BATCH, 1, CLASSES), 0.5, -1, 2, 1, 0.25, -0.5);
    return heed_dot_product_attention(q, x, x, &(heed_attention_options){.valid_lens = lens()}, NULL);
}

static heed_tensor *keys_of_additive_attention(heed_tensor *x)
{
    heed_tensor *q = HEED_TENSOR(HEED_F64, HEED_SHAPE(BATCH, 1, CLASSES), 0.5, -1, 2, 1, 0.25, -0.5);
    heed_tensor *w = heed_ones(HEED_F64, HEED_SHAPE(CLASSES, CLASSES)), *v = heed_ones(HEED_F64, HEED_SHAPE(CLASSES));
    return heed_additive_attention(q, x, x, w, w, v, &(heed_attention_options){.valid_lens = lens()}, NULL);
}

static const padded functions[] = {
    {"ctc_loss", ctc},
    {"cross_entropy", cross_entropy},
    {"sequence_mask", mask},
    {"masked_softmax", softmax},
    {"dot_product_attention", keys_of_attention},
    {"additive_attention", keys_of_additive_attention},
};

static bool is_padding(int64_t i)
{
    return i / CLASSES % STEPS >= lens_of_batch[i / (STEPS * CLASSES)];
}

static heed_tensor *numbers(double padding)
{
    heed_tensor *x = heed_empty(HEED_F64, HEED_SHAPE(BATCH, STEPS, CLASSES));
    double *values = heed_mutable_f64(x);
    for (int64_t i = 0; i < heed_numel(x); i++)
        values[i] = is_padding(i) ? padding : -1 - 0.125 * (double)(i * 5 % 7);
    return heed_set_requires_grad(x, true);
}

static heed_tensor *derivative(heed_tensor *y, heed_tensor *x)
{
    heed_tensor *dx = NULL, *g = heed_ones(HEED_F64, heed_shape_of(y));
    for (int64_t i = 0; g && i < heed_numel(g); i++)
        heed_mutable_f64(g)[i] = 0.5 + (double)(i % 3);
    heed_grad_options options = {.grad_outputs = &g, .create_graph = true};
    ck_assert_msg(heed_grad(&y, 1, &x, 1, &dx, &options) == HEED_OK, "%s", heed_error_message());
    return dx;
}

/* The first derivative and the derivative of its weighted sum. */
static void differentiate(const padded *f, double padding, heed_tensor **first, heed_tensor **second)
{
    heed_tensor *x = numbers(padding), *y = f->run(x);
    ck_assert_msg(y != NULL, "%s: %s", f->name, heed_error_message());
    *first = derivative(heed_reshape(y, HEED_SHAPE(heed_numel(y))), x);
    *second = derivative(heed_reshape(*first, HEED_SHAPE(heed_numel(x))), x);
}

START_TEST(padding_reaches_no_derivative)
{
    static const double paddings[] = {INFINITY, -INFINITY, NAN, 1e300};
    for (size_t f = 0; f < sizeof functions / sizeof functions[0]; f++)
        for (size_t k = 0; k < sizeof paddings / sizeof paddings[0]; k++) {
            heed_tensor *expected[2], *got[2];
            differentiate(&functions[f], 0, &expected[0], &expected[1]);
            differentiate(&functions[f], paddings[k], &got[0], &got[1]);
            for (int order = 0; order < 2; order++)
                for (int64_t i = 0; i < BATCH * STEPS * CLASSES; i++) {
                    const double a = heed_data_f64(heed_contiguous(got[order]))[i];
                    const double b = is_padding(i) ? 0 : heed_data_f64(heed_contiguous(expected[order]))[i];
                    ck_assert_msg(a == b, "%s with %g in the padding: derivative %d at %d is %.17g and not %.17g",
                                  functions[f].name, paddings[k], order + 1, (int)i, a, b);
                }
        }
}
END_TEST

HEED_TEST_MAIN("padding_derivatives", padding_reaches_no_derivative)
