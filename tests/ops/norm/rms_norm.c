/* tests/ops/norm/rms_norm.c - cases of heed_rms_norm, with the rows of layer norm.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "functions.h"

/* c->p[0] is eps. */
RUN(run, heed_rms_norm(in[0], c->shape, c->n_inputs > 1 ? in[1] : NULL, c->p[0]))

#define NORM(name_, dims, last, inputs, eps)                                                                           \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = inputs, .in = {{.shape = dims, .gap = 0.1}, {.shape = last}},           \
        .p = {eps}, .shape = last                                                                                      \
    }

static heed_tensor *of(heed_dtype dtype, double scale, heed_tensor *weight, double eps)
{
    return heed_rms_norm(HEED_TENSOR(dtype, HEED_SHAPE(2), 3 * scale, -4 * scale), HEED_SHAPE(2), weight, eps);
}

#define ROOT 0.2828427124746190098 /* 1 / sqrt(25 / 2) */

GIVES(plain, of(HEED_F64, 1, NULL, 0))
GIVES(tiny, of(HEED_F32, 1e-15, NULL, 0))
GIVES(with_eps, of(HEED_F64, 1, NULL, 3.5))
GIVES(weighted, of(HEED_F64, 1, HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 10, 100), 3.5))
GIVES(zeros, heed_rms_norm(heed_zeros(HEED_F32, HEED_SHAPE(2, 2)), HEED_SHAPE(2), NULL, 1e-5))
GIVES(zeros_without_eps, heed_rms_norm(heed_zeros(HEED_F32, HEED_SHAPE(1, 2)), HEED_SHAPE(2), NULL, 0))
GIVES(two_axes, heed_rms_norm(HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 2, 2), 2, -2, 2, 2), HEED_SHAPE(2, 2), NULL, 0))

/* With eps 0 the sum of y^2 is n for any x. */
static heed_tensor *half_square(heed_tensor *x)
{
    return heed_mul_scalar(heed_square(heed_rms_norm(x, HEED_SHAPE(3), NULL, 0)), 0.5);
}

GIVES(slope, gradient(half_square, HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 3), 1, 2, 2, NAN, 3, 1)))

GIVES(of_null, heed_rms_norm(NULL, HEED_SHAPE(3), NULL, 1))
GIVES(other_axes, heed_rms_norm(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), HEED_SHAPE(2), NULL, 1))
GIVES(no_axes, heed_rms_norm(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), HEED_SCALAR, NULL, 1))
GIVES(rank_9, heed_rms_norm(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), RANK_9, NULL, 1))
GIVES(of_i64, heed_rms_norm(heed_ones(HEED_I64, HEED_SHAPE(2, 3)), HEED_SHAPE(3), NULL, 1))
GIVES(eps_below_0, heed_rms_norm(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), HEED_SHAPE(3), NULL, -1))
GIVES(f32_weight,
      heed_rms_norm(heed_ones(HEED_F64, HEED_SHAPE(3)), HEED_SHAPE(3), heed_ones(HEED_F32, HEED_SHAPE(3)), 1))
GIVES(long_weight,
      heed_rms_norm(heed_ones(HEED_F64, HEED_SHAPE(3)), HEED_SHAPE(3), heed_ones(HEED_F64, HEED_SHAPE(4)), 1))

const op_cases heed_cases_rms_norm = {
    .cases = (const op_case[]){NORM("(5)", DIMS(5), DIMS(5), 2, 0.5),
                               NORM("(2, 3) plain", DIMS(2, 3), DIMS(3), 1, 1e-5),
                               NORM("(5, 7) eps 0", DIMS(5, 7), DIMS(7), 2, 0),
                               NORM("(7, 1)", DIMS(7, 1), DIMS(1), 2, 1),
                               NORM("(2, 3, 5) two axes", DIMS(2, 3, 5), DIMS(3, 5), 2, 1e-5),
                               NORM("(67, 3)", DIMS(67, 3), DIMS(3), 2, 1e-1),
                               NORM("(1, 37)", DIMS(1, 37), DIMS(37), 2, 0.5),
                               NORM("(0, 3)", DIMS(0, 3), DIMS(3), 2, 1e-5),
                               NORM("(3, 0)", DIMS(3, 0), DIMS(0), 2, 1e-5),
                               {0}},
    .values = (const op_value[]){{"3 -4", plain, DIMS(2), 1e-15, (const double[]){3 * ROOT, -4 * ROOT}},
                                 {"small ones, f32", tiny, DIMS(2), 1e-6, (const double[]){3 * ROOT, -4 * ROOT}},
                                 {"eps 3.5", with_eps, DIMS(2), 1e-15, (const double[]){0.75, -1}},
                                 {"weight", weighted, DIMS(2), 1e-15, (const double[]){7.5, -100}},
                                 {"zeros", zeros, DIMS(2, 2), 0, (const double[]){0, 0, 0, 0}},
                                 {"zeros, eps 0", zeros_without_eps, DIMS(1, 2), 0, (const double[]){NAN, NAN}},
                                 {"two axes", two_axes, DIMS(1, 2, 2), 0, (const double[]){1, -1, 1, 1}},
                                 {"gradient", slope, DIMS(2, 3), 1e-15, (const double[]){0, 0, 0, NAN, NAN, NAN}},
                                 {0}},
    .errors = (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "rms_norm: argument 1 is NULL"},
                                 {"other axes", other_axes, HEED_ERR_SHAPE,
                                  "rms_norm: x (2, 3) does not end in the axes (2)"},
                                 {"no axes", no_axes, HEED_ERR_SHAPE, "rms_norm: x (2, 3) does not end in the axes ()"},
                                 {"rank 9", rank_9, HEED_ERR_SHAPE, "rms_norm:"},
                                 {"i64", of_i64, HEED_ERR_DTYPE, "rms_norm: argument 1 is i64"},
                                 {"eps below 0", eps_below_0, HEED_ERR_ARGUMENT, "rms_norm: eps is -1"},
                                 {"f32 weight", f32_weight, HEED_ERR_DTYPE, "rms_norm: x is f64, the weight is f32"},
                                 {"weight (4)", long_weight, HEED_ERR_SHAPE,
                                  "rms_norm: the weight has shape (4): must be (3), the normalised axes"},
                                 {0}},
};
