/* tests/ops/norm/batch_norm.c - cases of heed_batch_norm.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "functions.h"

/* The inputs are x, then those of weight, bias, mean and variance that exist; c->p[0] is eps. */
RUN(run, heed_batch_norm(in[0], c->n_inputs > 3 ? in[3] : NULL, c->n_inputs > 3 ? in[4] : NULL,
                         c->n_inputs > 1 ? in[1] : NULL, c->n_inputs > 2 ? in[2] : NULL, c->p[0], NULL))
RUN(with_bias_alone, heed_batch_norm(in[0], NULL, NULL, NULL, in[1], c->p[0], NULL))
RUN(plain_given, heed_batch_norm(in[0], in[1], in[2], NULL, NULL, c->p[0], NULL))

#define NORM(name_, dims, channels, inputs, eps)                                                                       \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = inputs, .p = {eps}, .in = {                                             \
            {.shape = dims, .distinct = true},                                                                         \
            {.shape = DIMS(channels)},                                                                                 \
            {.shape = DIMS(channels)},                                                                                 \
            {.shape = DIMS(channels)},                                                                                 \
            {.shape = DIMS(channels), .low = 0.5, .high = 2}                                                           \
        }                                                                                                              \
    }

/* -- Values -------------------------------------------------------------------------------------------------------- */

static heed_tensor *train(heed_tensor *x, double eps)
{
    return heed_batch_norm(x, NULL, NULL, NULL, NULL, eps, NULL);
}

/* The book's example, which compares it with layer norm. */
GIVES(book, train(HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 1, 2, 2, 3), 0))
GIVES(book_layer_norm,
      heed_layer_norm(HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 1, 2, 2, 3), HEED_SHAPE(2), NULL, NULL, 0))

/* Columns of f32, far from 0 and near it; planes of f64. */
GIVES(far, train(HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 1000001, 1, 1000003, 3), 0))
GIVES(planes, train(HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2, 2), 1, 1, 1e15, 1e15 + 2, 3, 3, 1e15, 1e15 + 2), 0))
GIVES(constant, train(heed_ones(HEED_F32, HEED_SHAPE(3, 2)), 1e-5))
GIVES(nan_in_one_channel, train(HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), NAN, 1, INFINITY, 1, 3, 1), 0))
GIVES(nothing, train(heed_zeros(HEED_F32, HEED_SHAPE(0, 4)), 1))

/* The root mean square of normalised x, which is 1, for many numbers far from 0: in planes of one channel, and in
 * adjacent channels. */
static heed_tensor *mean_square(heed_shape shape)
{
    heed_tensor *x = heed_add_scalar(heed_sin(counting(HEED_F32, shape)), 1000);
    return heed_sqrt(heed_mean(heed_square(train(x, 0))));
}

GIVES(long_planes, mean_square(HEED_SHAPE(3, 1, 7001)))
GIVES(long_columns, mean_square(HEED_SHAPE(5003, 5)))

static heed_tensor *statistics_of(heed_tensor *x, heed_tensor *mean, heed_tensor *variance)
{
    heed_tensor *found = NULL;
    return heed_batch_norm(x, mean, variance, NULL, NULL, 1, &found) ? found : NULL;
}

GIVES(statistics, statistics_of(HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2, 2), 1, 2, 10, 20, 3, 6, 30, 40), NULL, NULL))
GIVES(statistics_of_columns, statistics_of(HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 1, 10, 3, 30), NULL, NULL))
GIVES(given_statistics, statistics_of(heed_ones(HEED_F64, HEED_SHAPE(1, 2)), heed_ones(HEED_F64, HEED_SHAPE(2)),
                                      heed_full(HEED_F64, HEED_SHAPE(2), 3)))
GIVES(evaluated,
      heed_batch_norm(HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 2, 2), 1, 2, 3, 4),
                      HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 1, 2), HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 3, 15),
                      HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 2, 4), HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 10, 20), 1,
                      NULL))

/* With eps 0 the sum of y^2 is n for any x. */
static heed_tensor *half_square(heed_tensor *x)
{
    return heed_mul_scalar(heed_square(train(x, 0)), 0.5);
}

GIVES(slope, gradient(half_square, HEED_TENSOR(HEED_F64, HEED_SHAPE(3, 2), 1, NAN, 2, 1, 4, 1)))

/* The bits of a channel do not depend on its neighbours, or on the number of threads. */
static heed_tensor *both_ways(heed_shape shape)
{
    const int before = heed_num_threads();
    heed_tensor *x = heed_set_requires_grad(heed_sin(counting(HEED_F32, shape)), true), *dx[2] = {NULL}, *y[2];
    for (int i = 0; i < 2; i++) {
        (void)heed_set_num_threads(1 + 4 * i);
        y[i] = train(i == 0 ? x : heed_slice(x, 1, 3, 70, 1), 1e-5);
        heed_tensor *loss = heed_sum(heed_mul(y[i], heed_sqrt(heed_abs(y[i]))));
        if (!loss || heed_grad(&loss, 1, &x, 1, &dx[i], NULL) != HEED_OK)
            return NULL;
    }
    (void)heed_set_num_threads(before);
    heed_tensor *differ =
        heed_concat((heed_tensor *[]){heed_slice(y[0], 1, 3, 70, 1), heed_slice(dx[0], 1, 3, 70, 1)}, 2, 0);
    heed_tensor *from = heed_concat((heed_tensor *[]){y[1], heed_slice(dx[1], 1, 3, 70, 1)}, 2, 0);
    return heed_sum(heed_to_dtype(heed_compare(differ, HEED_COMPARE_NE, from), HEED_F64));
}

GIVES(same_bits_columns, both_ways(HEED_SHAPE(130, 150)))
GIVES(same_bits_planes, both_ways(HEED_SHAPE(5, 90, 17, 3)))

/* -- Errors -------------------------------------------------------------------------------------------------------- */

#define ONES(...) heed_ones(HEED_F64, HEED_SHAPE(__VA_ARGS__))

static heed_tensor *bad(heed_tensor *mean, heed_tensor *variance, heed_tensor *weight, heed_tensor *bias)
{
    return heed_batch_norm(ONES(2, 3), mean, variance, weight, bias, 1, NULL);
}

GIVES(of_null, train(NULL, 1))
GIVES(rank_1, train(ONES(3), 1))
GIVES(of_i64, train(heed_ones(HEED_I64, HEED_SHAPE(2, 3)), 1))
GIVES(eps_nan, train(ONES(2, 3), NAN))
GIVES(single, train(ONES(1, 3, 1), 1))
GIVES(mean_alone, bad(ONES(3), NULL, NULL, NULL))
GIVES(variance_alone, bad(NULL, ONES(3), NULL, NULL))
GIVES(long_weight, bad(NULL, NULL, ONES(4), NULL))
GIVES(row_bias, bad(NULL, NULL, NULL, ONES(1, 3)))
GIVES(short_variance, bad(ONES(3), ONES(2), NULL, NULL))
GIVES(f32_mean, bad(heed_ones(HEED_F32, HEED_SHAPE(3)), ONES(3), NULL, NULL))

const op_cases heed_cases_batch_norm = {
    .cases =
        (const op_case[]){NORM("(5, 1) plain", DIMS(5, 1), 1, 1, 0.5),
                          NORM("(5, 3) weight", DIMS(5, 3), 3, 2, 1e-2),
                          NORM("(3, 20) both", DIMS(3, 20), 20, 3, 0.5),
                          NORM("(4, 2) given", DIMS(4, 2), 2, 5, 1e-2),
                          NORM("(1, 2) given", DIMS(1, 2), 2, 5, 1e-2),
                          NORM("(2, 3, 4) both", DIMS(2, 3, 4), 3, 3, 1e-5),
                          NORM("(1, 2, 9) eps 0", DIMS(1, 2, 9), 2, 3, 0),
                          NORM("(2, 2, 3, 2) both", DIMS(2, 2, 3, 2), 2, 3, 1e-1),
                          NORM("(2, 2, 3) given", DIMS(2, 2, 3), 2, 5, 1e-5),
                          NORM("(0, 3)", DIMS(0, 3), 3, 3, 1e-5),
                          NORM("(2, 3, 0)", DIMS(2, 3, 0), 3, 5, 1e-5),
                          NORM("(2, 0, 3)", DIMS(2, 0, 3), 0, 3, 1e-5),
                          {.name = "bias alone",
                           .run = with_bias_alone,
                           .n_inputs = 2,
                           .in = {{.shape = DIMS(3, 2), .distinct = true}, {.shape = DIMS(2)}},
                           .p = {1}},
                          {.name = "given alone",
                           .run = plain_given,
                           .n_inputs = 3,
                           .in = {{.shape = DIMS(3, 2)}, {.shape = DIMS(2)}, {.shape = DIMS(2), .low = 1, .high = 2}},
                           .p = {1}},
                          {0}},
    .values =
        (const op_value[]){
            {"the book's", book, DIMS(2, 2), 0, (const double[]){-1, -1, 1, 1}},
            {"layer norm of the same", book_layer_norm, DIMS(2, 2), 0, (const double[]){-1, 1, -1, 1}},
            {"far from 0", far, DIMS(2, 2), 0, (const double[]){-1, -1, 1, 1}},
            {"planes", planes, DIMS(2, 2, 2), 0, (const double[]){-1, -1, -1, 1, 1, 1, -1, 1}},
            {"equal ones", constant, DIMS(3, 2), 0, (const double[]){0, 0, 0, 0, 0, 0}},
            {"NaN in a channel", nan_in_one_channel, DIMS(2, 3), 0, (const double[]){NAN, -1, NAN, NAN, 1, NAN}},
            {"nothing", nothing, DIMS(0, 4), 0, (const double[]){0}},
            {"many terms, planes", long_planes, NO_DIMS, 1e-6, (const double[]){1}},
            {"many terms, columns", long_columns, NO_DIMS, 1e-6, (const double[]){1}},
            {"statistics", statistics, DIMS(2, 2), 1e-15, (const double[]){3, 25, 3.5, 125}},
            {"statistics of columns", statistics_of_columns, DIMS(2, 2), 0, (const double[]){2, 20, 1, 100}},
            {"given statistics", given_statistics, DIMS(2, 2), 0, (const double[]){1, 1, 3, 3}},
            {"by given ones", evaluated, DIMS(1, 2, 2), 0, (const double[]){10, 11, 21, 22}},
            {"gradient", slope, DIMS(3, 2), 1e-15, (const double[]){0, NAN, 0, NAN, 0, NAN}},
            {"same bits, columns", same_bits_columns, NO_DIMS, 0, (const double[]){0}},
            {"same bits, planes", same_bits_planes, NO_DIMS, 0, (const double[]){0}},
            {0}},
    .errors =
        (const op_error[]){
            {"NULL", of_null, HEED_ERR_ARGUMENT, "batch_norm: "},
            {"rank 1", rank_1, HEED_ERR_SHAPE, "batch_norm: x is (3): must be (B, C, ...)"},
            {"i64", of_i64, HEED_ERR_DTYPE, "batch_norm: the tensor is i64"},
            {"eps NaN", eps_nan, HEED_ERR_ARGUMENT, "batch_norm: eps is"},
            {"one number", single, HEED_ERR_SHAPE, "batch_norm: x (1, 3, 1) has one element per channel"},
            {"mean alone", mean_alone, HEED_ERR_ARGUMENT, "batch_norm: the variance is NULL, but the mean is given"},
            {"variance alone", variance_alone, HEED_ERR_ARGUMENT,
             "batch_norm: the mean is NULL, but the variance is given"},
            {"weight (4)", long_weight, HEED_ERR_SHAPE, "batch_norm: the weight has shape (4): must be (3)"},
            {"bias (1, 3)", row_bias, HEED_ERR_SHAPE, "batch_norm: the bias has shape (1, 3): must be (3)"},
            {"variance (2)", short_variance, HEED_ERR_SHAPE, "batch_norm: the variance has shape (2): must be (3)"},
            {"f32 mean", f32_mean, HEED_ERR_DTYPE, "batch_norm: x is f64, the mean is f32"},
            {0}},
};
