/* tests/ops/norm/layer_norm.c - cases of heed_layer_norm.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "functions.h"

/* The inputs are x, then the weight if c->i[0], then the bias if c->i[1]; c->p[0] is eps. */
RUN(run, heed_layer_norm(in[0], c->shape, c->i[0] ? in[1] : NULL, c->i[1] ? in[c->n_inputs - 1] : NULL, c->p[0]))

RUN(in_one_number, heed_sum(heed_mul(in[0], heed_layer_norm(in[0], c->shape, NULL, NULL, c->p[0]))))

#define NORM(name_, dims, last, weight, bias, eps)                                                                     \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 1 + (weight) + (bias),                                                  \
        .in = {{.shape = dims, .distinct = true}, {.shape = last}, {.shape = last}}, .i = {weight, bias}, .p = {eps},  \
        .shape = last                                                                                                  \
    }

/* -- Values -------------------------------------------------------------------------------------------------------- */

#define ROOT 1.2247448713915890491 /* of 3/2: 1 2 3 have the variance 2/3 */

/* start, start + 1, start + 2, which are -1 0 1 times the root. */
static heed_tensor *three(heed_dtype dtype, double start)
{
    return heed_layer_norm(heed_arange(dtype, start, start + 3, 1), HEED_SHAPE(3), NULL, NULL, 0);
}

GIVES(plain, three(HEED_F64, 1))
GIVES(far_f32, three(HEED_F32, 1e6))
GIVES(far_f64, three(HEED_F64, 1e15))
GIVES(tiny_f32,
      heed_layer_norm(HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 1e-15, 2e-15, 3e-15), HEED_SHAPE(3), NULL, NULL, 0))
GIVES(with_eps, heed_layer_norm(heed_arange(HEED_F32, 1, 4, 1), HEED_SHAPE(3), NULL, NULL, 1. / 3))
GIVES(affine, heed_layer_norm(counting(HEED_F64, HEED_SHAPE(2, 3)), HEED_SHAPE(3),
                              HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 1, 2, 3),
                              HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 10, 20, 30), 1. / 3))
GIVES(bias_only, heed_layer_norm(counting(HEED_F32, HEED_SHAPE(2, 3)), HEED_SHAPE(3), NULL,
                                 HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 10, 20, 30), 1. / 3))
GIVES(two_axes, heed_layer_norm(HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2, 2), 1, 1, 3, 3, 8, 4, 8, 4), HEED_SHAPE(2, 2),
                                NULL, NULL, 0))
GIVES(constant_row, heed_layer_norm(heed_ones(HEED_F32, HEED_SHAPE(1, 3)), HEED_SHAPE(3), NULL, NULL, 1e-5))
GIVES(constant_row_without_eps, heed_layer_norm(heed_ones(HEED_F64, HEED_SHAPE(1, 2)), HEED_SHAPE(2), NULL, NULL, 0))
GIVES(nan_in_one_row,
      heed_layer_norm(HEED_TENSOR(HEED_F32, HEED_SHAPE(3, 2), NAN, 1, 1, 3, INFINITY, 1), HEED_SHAPE(2), NULL, NULL, 0))

GIVES(no_rows, heed_layer_norm(heed_zeros(HEED_F32, HEED_SHAPE(0, WIDEST)), HEED_SHAPE(WIDEST), NULL, NULL, 1))

/* The mean square of a long row far from 0. */
GIVES(long_row,
      heed_mean(heed_square(heed_layer_norm(heed_add_scalar(heed_sin(counting(HEED_F32, HEED_SHAPE(10007))), 1000),
                                            HEED_SHAPE(10007), NULL, NULL, 0))))

/* With eps 0 the sum of y^2 is n for any x. */
static heed_tensor *half_square(heed_tensor *x)
{
    return heed_mul_scalar(heed_square(heed_layer_norm(x, HEED_SHAPE(3), NULL, NULL, 0)), 0.5);
}

GIVES(slope, gradient(half_square, HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 3), 1, 2, 4, -7, NAN, 1)))

/* The gradient of the first result, by either rule, if the mean of x is not an f32. */
static heed_tensor *slope_far_away(bool create_graph)
{
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 1e6, 1000001, 1000001), *dx = NULL;
    heed_tensor *y = heed_layer_norm(heed_set_requires_grad(x, true), HEED_SHAPE(3), NULL, NULL, 2. / 9);
    heed_tensor *first = heed_select(y, 0, 0);
    heed_grad_options options = {.create_graph = create_graph};
    return first && heed_grad(&first, 1, &x, 1, &dx, &options) == HEED_OK ? dx : NULL;
}

GIVES(far_slope, slope_far_away(false))
GIVES(far_slope_composed, slope_far_away(true))

/* No gradient depends on the bias, so it may be written to before the backward pass. */
static heed_tensor *slope_beside_bias(void)
{
    heed_tensor *bias = heed_ones(HEED_F64, HEED_SHAPE(3)), *dx = NULL;
    heed_tensor *x = heed_set_requires_grad(HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 1, 2, 3), true);
    heed_tensor *y = heed_select(heed_layer_norm(x, HEED_SHAPE(3), NULL, bias, 1. / 3), 0, 2);
    return y && heed_fill_(bias, 7) == HEED_OK && heed_grad(&y, 1, &x, 1, &dx, NULL) == HEED_OK ? dx : NULL;
}

GIVES(written_bias, slope_beside_bias())

/* -- Errors -------------------------------------------------------------------------------------------------------- */

#define ONES(dtype, ...) heed_ones(dtype, HEED_SHAPE(__VA_ARGS__))

static heed_tensor *bad(heed_tensor *x, heed_shape shape, double eps)
{
    return heed_layer_norm(x, shape, NULL, NULL, eps);
}

GIVES(of_null, bad(NULL, HEED_SHAPE(3), 1))
GIVES(no_axes, bad(ONES(HEED_F64, 2, 3), HEED_SCALAR, 1))
GIVES(of_scalar, bad(heed_ones(HEED_F64, HEED_SCALAR), HEED_SHAPE(1), 1))
GIVES(more_axes, bad(ONES(HEED_F64, 3), HEED_SHAPE(2, 3), 1))
GIVES(other_axes, bad(ONES(HEED_F64, 2, 3), HEED_SHAPE(2), 1))
GIVES(rank_9, bad(ONES(HEED_F64, 2, 3), RANK_9, 1))
GIVES(rank_below_0, bad(ONES(HEED_F64, 2, 3), RANK_BELOW_0, 1))
GIVES(dim_below_0, bad(ONES(HEED_F64, 2, 3), HEED_SHAPE(-3), 1))
GIVES(of_i64, bad(ONES(HEED_I64, 2, 3), HEED_SHAPE(3), 1))
GIVES(eps_below_0, bad(ONES(HEED_F64, 2, 3), HEED_SHAPE(3), -1e-300))
GIVES(eps_nan, bad(ONES(HEED_F64, 2, 3), HEED_SHAPE(3), NAN))
GIVES(eps_inf, bad(ONES(HEED_F64, 2, 3), HEED_SHAPE(3), INFINITY))

static heed_tensor *bad_parameters(heed_tensor *weight, heed_tensor *bias)
{
    return heed_layer_norm(ONES(HEED_F64, 2, 3), HEED_SHAPE(3), weight, bias, 1);
}

GIVES(f32_weight, bad_parameters(ONES(HEED_F32, 3), ONES(HEED_F64, 3)))
GIVES(f32_bias, bad_parameters(ONES(HEED_F64, 3), ONES(HEED_F32, 3)))
GIVES(i64_bias, bad_parameters(NULL, ONES(HEED_I64, 3)))
GIVES(long_weight, bad_parameters(ONES(HEED_F64, 4), NULL))
GIVES(row_weight, bad_parameters(ONES(HEED_F64, 1, 3), NULL))
GIVES(scalar_bias, bad_parameters(ONES(HEED_F64, 3), heed_ones(HEED_F64, HEED_SCALAR)))

const op_cases heed_cases_layer_norm = {
    .cases = (const op_case[]){NORM("(5)", DIMS(5), DIMS(5), true, true, 0.5),
                               NORM("(2, 3) plain", DIMS(2, 3), DIMS(3), false, false, 1e-5),
                               NORM("(2, 3) weight", DIMS(2, 3), DIMS(3), true, false, 1e-5),
                               NORM("(2, 3) bias", DIMS(2, 3), DIMS(3), false, true, 1e-5),
                               NORM("(2, 3) both", DIMS(2, 3), DIMS(3), true, true, 1e-5),
                               NORM("(5, 7) eps 0", DIMS(5, 7), DIMS(7), true, true, 0),
                               NORM("(7, 1)", DIMS(7, 1), DIMS(1), true, true, 1),
                               NORM("(2, 3, 5)", DIMS(2, 3, 5), DIMS(5), true, true, 1e-5),
                               NORM("(2, 3, 5) two axes", DIMS(2, 3, 5), DIMS(3, 5), true, true, 1e-5),
                               NORM("(67, 3)", DIMS(67, 3), DIMS(3), true, true, 1e-1),
                               NORM("(1, 37)", DIMS(1, 37), DIMS(37), true, true, 0.5),
                               NORM("(0, 3)", DIMS(0, 3), DIMS(3), true, true, 1e-5),
                               NORM("(3, 0)", DIMS(3, 0), DIMS(0), true, true, 1e-5),
                               NORM("(2, 0, 3) two axes", DIMS(2, 0, 3), DIMS(0, 3), true, true, 1e-5),
                               {.name = "(1, 1009), in one number",
                                .run = in_one_number,
                                .n_inputs = 1,
                                .in = {{.shape = DIMS(1, 1009), .low = 4, .high = 6}},
                                .p = {0.5},
                                .shape = DIMS(1009),
                                .max_order = 1},
                               {0}},
    .values =
        (const op_value[]){
            {"1 2 3", plain, DIMS(3), 1e-15, (const double[]){-ROOT, 0, ROOT}},
            {"a million away, f32", far_f32, DIMS(3), 1e-7, (const double[]){-ROOT, 0, ROOT}},
            {"1e15 away, f64", far_f64, DIMS(3), 1e-15, (const double[]){-ROOT, 0, ROOT}},
            {"small ones, f32", tiny_f32, DIMS(3), 1e-6, (const double[]){-ROOT, 0, ROOT}},
            {"eps 1/3", with_eps, DIMS(3), 1e-7, (const double[]){-1, 0, 1}},
            {"weight and bias", affine, DIMS(2, 3), 1e-15, (const double[]){9, 20, 33, 9, 20, 33}},
            {"bias alone", bias_only, DIMS(2, 3), 1e-7, (const double[]){9, 20, 31, 9, 20, 31}},
            {"two axes", two_axes, DIMS(2, 2, 2), 0, (const double[]){-1, -1, 1, 1, 1, -1, 1, -1}},
            {"equal ones", constant_row, DIMS(1, 3), 0, (const double[]){0, 0, 0}},
            {"equal ones, eps 0", constant_row_without_eps, DIMS(1, 2), 0, (const double[]){NAN, NAN}},
            {"NaN in a row", nan_in_one_row, DIMS(3, 2), 1e-7, (const double[]){NAN, NAN, -1, 1, NAN, NAN}},
            {"long row", long_row, NO_DIMS, 1e-6, (const double[]){1}},
            {"no rows", no_rows, DIMS(0, WIDEST), 0, (const double[]){0}},
            {"gradient far away", far_slope, DIMS(3), 1e-6, (const double[]){0.5, -0.25, -0.25}},
            {"gradient far away, composed", far_slope_composed, DIMS(3), 1e-6, (const double[]){0.5, -0.25, -0.25}},
            {"gradient beside a written bias", written_bias, DIMS(3), 1e-15, (const double[]){0, -1. / 3, 1. / 3}},
            {"gradient", slope, DIMS(2, 3), 1e-15, (const double[]){0, 0, 0, NAN, NAN, NAN}},
            {0}},
    .errors =
        (const op_error[]){
            {"NULL", of_null, HEED_ERR_ARGUMENT, "layer_norm: argument 1 is NULL"},
            {"no axes", no_axes, HEED_ERR_SHAPE, "layer_norm: x (2, 3) does not end in the axes ()"},
            {"scalar", of_scalar, HEED_ERR_SHAPE, "layer_norm: x () does not end in the axes (1)"},
            {"more axes than there are", more_axes, HEED_ERR_SHAPE, "layer_norm: x (3) does not end in"},
            {"other axes", other_axes, HEED_ERR_SHAPE, "layer_norm: x (2, 3) does not end in the axes (2)"},
            {"rank 9", rank_9, HEED_ERR_SHAPE, "layer_norm:"},
            {"rank -1", rank_below_0, HEED_ERR_SHAPE, "layer_norm:"},
            {"dim -3", dim_below_0, HEED_ERR_SHAPE, "layer_norm: (-3) is not a valid shape"},
            {"i64", of_i64, HEED_ERR_DTYPE, "layer_norm: argument 1 is i64"},
            {"eps below 0", eps_below_0, HEED_ERR_ARGUMENT, "layer_norm: eps is -1e-300"},
            {"eps NaN", eps_nan, HEED_ERR_ARGUMENT, "layer_norm: eps is"},
            {"eps infinite", eps_inf, HEED_ERR_ARGUMENT, "layer_norm: eps is inf"},
            {"f32 weight", f32_weight, HEED_ERR_DTYPE, "layer_norm: x is f64, the weight is f32"},
            {"f32 bias", f32_bias, HEED_ERR_DTYPE, "layer_norm: x is f64, the bias is f32"},
            {"i64 bias", i64_bias, HEED_ERR_DTYPE, "layer_norm: x is f64, the bias is i64"},
            {"weight (4)", long_weight, HEED_ERR_SHAPE,
             "layer_norm: the weight has shape (4): must be (3), the normalised axes"},
            {"weight (1, 3)", row_weight, HEED_ERR_SHAPE, "layer_norm: the weight has shape (1, 3)"},
            {"scalar bias", scalar_bias, HEED_ERR_SHAPE, "layer_norm: the bias has shape ()"},
            {0}},
};
