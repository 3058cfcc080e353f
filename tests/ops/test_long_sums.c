/* tests/ops/test_long_sums.c - long sums in products, reductions, rows, losses, indices and kernel regression: see
 * long_sums.h.
 *
 *     test_long_sums [ONES]     products of ONES ones; default 2^24 + 9
 *
 * `ctest -R test_long -V` prints the errors.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "long_sums.h"

/* -- Sums: the functions return the error of a sum of the terms ---------------------------------------------------- */

static double error_of_bmm(const terms *t)
{
    return off(first(heed_bmm_t(column(t->x), true, filled(HEED_SHAPE(1, N, 5), 1), false)), t->sum);
}

static double error_of_matmul(const terms *t)
{
    return off(first(heed_matmul(t->x, filled(HEED_SHAPE(N), 1))), t->sum);
}

static double error_of_linear_weights(const terms *t)
{
    heed_tensor *w = leaf(filled(HEED_SHAPE(3, 1), 1)), *x = heed_reshape(t->x, HEED_SHAPE(N, 1));
    heed_tensor *dw = gradient(heed_linear(x, w, NULL), filled(HEED_SHAPE(N, 3), 1), w);
    return off(first(dw), t->sum);
}

static double error_of_linear_bias(const terms *t)
{
    heed_tensor *b = leaf(filled(HEED_SHAPE(1), 0)), *w = filled(HEED_SHAPE(1, 1), 1);
    heed_tensor *x = filled(HEED_SHAPE(N, 1), 1), *y = heed_linear_activated(x, w, b, heed_relu);
    return off(first(gradient(y, heed_reshape(t->x, HEED_SHAPE(N, 1)), b)), t->sum);
}

static double error_of_sum_to(const terms *t)
{
    return off(first(heed_sum_to(heed_reshape(t->x, HEED_SHAPE(N, 1)), HEED_SHAPE(1, 1))), t->sum);
}

static double error_of_columns(const terms *t)
{
    return off(
        first(heed_sum_axes(heed_expand(heed_reshape(t->x, HEED_SHAPE(N, 1)), HEED_SHAPE(N, 3)), HEED_AXES(0), false)),
        t->sum);
}

static double error_of_loss(const terms *t)
{
    heed_tensor *loss = heed_l1_loss(t->x, heed_zeros(HEED_F32, HEED_SHAPE(N)), HEED_REDUCTION_MEAN);
    return off(first(loss), t->sum / N);
}

/* ln sum e^x, for x the logarithms of the terms. */
static double error_of_logsumexp(const terms *t)
{
    return fabs(first(heed_logsumexp(heed_log(t->x), 0, false)) - log(t->sum)) / log(t->sum);
}

static double error_of_cross_entropy(const terms *t)
{
    heed_class_loss_options o = {.reduction = HEED_REDUCTION_MEAN, .label_smoothing = 1};
    heed_tensor *x = heed_reshape(heed_neg(t->x), HEED_SHAPE(1, N)), *zero = heed_zeros(HEED_I64, HEED_SHAPE(1));
    double sum = 0;
    for (int64_t i = 0; i < N; i++)
        sum += exp(-(double)heed_data_f32(t->x)[i]);
    return off(first(heed_cross_entropy(x, zero, &o)), log(sum) + t->sum / N);
}

static double error_of_softmax_gradient(const terms *t) /* 1 - sum y g at one element, for y = 1 / N */
{
    heed_tensor *x = leaf(filled(HEED_SHAPE(N), 0));
    heed_tensor *dx = gradient(heed_softmax(x, 0), t->x, x);
    double mean = t->sum / N, last = (double)heed_data_f32(t->x)[0];
    return fabs(first(dx) * N - (last - mean)) / mean;
}

static double error_of_layer_norm(const terms *t, bool of_weight)
{
    heed_tensor *w = leaf(filled(HEED_SHAPE(2), 1)), *b = leaf(filled(HEED_SHAPE(2), 0)), *x = signs(HEED_SHAPE(N, 2));
    heed_tensor *y = heed_layer_norm(x, HEED_SHAPE(2), w, b, 0);
    heed_tensor *g = heed_contiguous(heed_expand(heed_reshape(t->x, HEED_SHAPE(N, 1)), HEED_SHAPE(N, 2)));
    return off(first(gradient(y, g, of_weight ? w : b)), t->sum);
}

static double error_of_norm_weight(const terms *t)
{
    return error_of_layer_norm(t, true);
}

static double error_of_norm_bias(const terms *t)
{
    return error_of_layer_norm(t, false);
}

static double error_of_index_sum(const terms *t)
{
    return off(first(heed_index_sum(t->x, 0, heed_zeros(HEED_I64, HEED_SHAPE(N)), 2)), t->sum);
}

static double error_of_scatter_sum(const terms *t)
{
    return off(first(heed_scatter_sum(t->x, 0, heed_zeros(HEED_I64, HEED_SHAPE(N)), HEED_SHAPE(2))), t->sum);
}

static double error_of_embedding(const terms *t)
{
    heed_tensor *w = leaf(filled(HEED_SHAPE(2, 1), 1));
    heed_tensor *y = heed_embedding(heed_zeros(HEED_I64, HEED_SHAPE(N)), w);
    return off(first(gradient(y, heed_reshape(t->x, HEED_SHAPE(N, 1)), w)), t->sum);
}

/* -- Kernel regression --------------------------------------------------------------------------------------------- */

static heed_tensor *regression(heed_tensor *q, heed_tensor *k, heed_tensor *v, heed_tensor *w)
{
    return heed_kernel_regression(q, k, v, w, NULL, NULL);
}

static double error_of_regression(const terms *t)
{
    heed_tensor *zeros = filled(HEED_SHAPE(N), 0);
    return off(first(regression(filled(HEED_SHAPE(2), 0), zeros, t->x, filled(HEED_SHAPE(1), 1))), t->sum / N);
}

static double error_of_regression_dv(const terms *t)
{
    heed_tensor *v = leaf(filled(HEED_SHAPE(2), 1)), *w = filled(HEED_SHAPE(1), 1);
    heed_tensor *y = regression(filled(HEED_SHAPE(N), 1), filled(HEED_SHAPE(2), 0), v, w);
    return off(first(gradient(y, t->x, v)), t->sum / 2);
}

/* For keys 0, values 1 and -1: dk_0 = sum g q / 2. */
static double error_of_regression_dk(const terms *t)
{
    heed_tensor *k = leaf(filled(HEED_SHAPE(2), 0)), *w = filled(HEED_SHAPE(1), 1);
    heed_tensor *y = regression(filled(HEED_SHAPE(N), 1), k, signs(HEED_SHAPE(2)), w);
    return off(first(gradient(y, t->x, k)), t->sum / 2);
}

/* Weights of 1 / N: dq = w^2 sum |k| / N. */
static double error_of_regression_dq(const terms *t)
{
    heed_tensor *q = leaf(filled(HEED_SHAPE(2), 0)), *v = signs(HEED_SHAPE(N)), *w = filled(HEED_SHAPE(1), 0x1p-27);
    heed_tensor *y = regression(q, heed_mul(v, t->x), v, w);
    return off(first(gradient(y, filled(HEED_SHAPE(2), 1), q)), t->sum / N * 0x1p-54);
}

/* Keys and values 0 and 1: f = e^(-w^2 / 2) / (1 + e^(-w^2 / 2)), df / dw = -w f (1 - f); for the single width of
 * the function, or for one per component. */
static double error_of_regression_dw(heed_tensor *g, double sum, int64_t keys, int64_t widths)
{
    heed_tensor *v = heed_mul_scalar(heed_add_scalar(signs(HEED_SHAPE(keys)), 1), 0.5);
    heed_tensor *k = heed_concat(
        (heed_tensor *[]){heed_reshape(v, HEED_SHAPE(keys, 1)), filled(HEED_SHAPE(keys, widths - 1), 0)}, 2, 1);
    heed_tensor *q = filled(HEED_SHAPE(heed_numel(g), widths), 0), *w = leaf(filled(HEED_SHAPE(widths), 1));
    double f = exp(-0.5) / (1 + exp(-0.5));
    return off(first(gradient(regression(q, k, v, w), g, w)), -f * (1 - f) * sum);
}

static double error_of_width_over_queries(const terms *t)
{
    return error_of_regression_dw(t->x, t->sum, 2, 1);
}

static double error_of_widths_over_queries(const terms *t)
{
    return error_of_regression_dw(t->x, t->sum, 2, 2);
}

static double error_of_width_over_keys(const terms *t)
{
    return error_of_regression_dw(filled(HEED_SHAPE(1), first(t->x)), first(t->x), N, 1);
}

static double error_of_widths_over_keys(const terms *t)
{
    return error_of_regression_dw(filled(HEED_SHAPE(1), first(t->x)), first(t->x), N, 2);
}

/* -- All of them --------------------------------------------------------------------------------------------------- */

static const long_sum sums[] = {
    {"bmm", error_of_bmm},
    {"matmul", error_of_matmul},
    {"linear dw", error_of_linear_weights},
    {"linear_activated db", error_of_linear_bias},
    {"sum_to", error_of_sum_to},
    {"sum of columns", error_of_columns},
    {"l1_loss", error_of_loss},
    {"logsumexp", error_of_logsumexp},
    {"cross_entropy, smoothed", error_of_cross_entropy},
    {"softmax dx", error_of_softmax_gradient},
    {"layer_norm dweight", error_of_norm_weight},
    {"layer_norm dbias", error_of_norm_bias},
    {"index_sum", error_of_index_sum},
    {"scatter_sum", error_of_scatter_sum},
    {"embedding dweight", error_of_embedding},
    {"kernel_regression", error_of_regression},
    {"kernel_regression dv", error_of_regression_dv},
    {"kernel_regression dk", error_of_regression_dk},
    {"kernel_regression dq", error_of_regression_dq},
    {"kernel_regression dw, queries", error_of_width_over_queries},
    {"kernel_regression dw, keys", error_of_width_over_keys},
    {"kernel_regression dw of two, queries", error_of_widths_over_queries},
    {"kernel_regression dw of two, keys", error_of_widths_over_keys},
};

START_TEST(long_sums_keep_their_digits)
{
    check_long_sums(sums, sizeof sums / sizeof sums[0]);
}
END_TEST

static int64_t ones = (1 << 24) + 9;

/* A tensor expanded from one element may have any length. */
START_TEST(ones_are_counted)
{
    const double count = (double)(float)ones;
    heed_tensor *one = filled(HEED_SHAPE(1, 1, 1), 1);
    heed_tensor *row = heed_expand(one, HEED_SHAPE(1, 1, ones)), *column = heed_expand(one, HEED_SHAPE(1, ones, 1));
    ck_assert_double_eq(heed_item(heed_bmm(row, column)), count);
    printf("%lld ones are %.0f\n", (long long)ones, count);
    (void)fflush(stdout);
}
END_TEST

START_TEST(ten_million_terms)
{
    enum { K = 10000000 };
    const terms t = terms_of(UNIFORM, K);
    heed_tensor *a = heed_reshape(t.x, HEED_SHAPE(1, 1, K)),
                *b = heed_expand(filled(HEED_SHAPE(1, 1, 1), 1), HEED_SHAPE(1, K, 4));
    heed_tensor *c = heed_bmm(heed_expand(a, HEED_SHAPE(1, 4, K)), b);
    for (int i = 0; i < 16; i++)
        ck_assert(off(heed_get(c, HEED_INDEX(0, i / 4, i % 4)), t.sum) <= limit);
}
END_TEST

int main(int argc, char **argv)
{
    const TTest *const tests[] = {long_sums_keep_their_digits, ones_are_counted, ten_million_terms};
    if (argc > 1)
        ones = strtoll(argv[1], NULL, 10);
    return heed_run_tests("long sums", tests, sizeof tests / sizeof tests[0]);
}
