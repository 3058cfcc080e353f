/* tests/ops/product/linear.c - cases of heed_linear.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "functions.h"

RUN(run, heed_linear(in[0], in[1], in[2]))
RUN(no_bias, heed_linear(in[0], in[1], NULL))

#define WITH_BIAS(name_, x, w, b)                                                                                      \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 3, .in = { {.shape = x}, {.shape = w}, {.shape = b} }                   \
    }
#define NO_BIAS(name_, x, w)                                                                                           \
    {                                                                                                                  \
        .name = name_, .run = no_bias, .n_inputs = 2, .in = { {.shape = x}, {.shape = w} }                             \
    }

#define COUNTING(...) counting(HEED_F64, HEED_SHAPE(__VA_ARGS__))
#define ONES(dtype, ...) heed_ones(dtype, HEED_SHAPE(__VA_ARGS__))

GIVES(rows, heed_linear(COUNTING(2, 2, 3), COUNTING(2, 3), HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 0.5, -1)))
GIVES(one_row, heed_linear(COUNTING(3), COUNTING(2, 3), NULL))
GIVES(no_features, heed_linear(ONES(HEED_F32, 2, 0), ONES(HEED_F32, 2, 0), HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 1, 2)))

GIVES(of_null, heed_linear(NULL, ONES(HEED_F64, 2, 3), NULL))
GIVES(by_null, heed_linear(ONES(HEED_F64, 2, 3), NULL, NULL))
GIVES(of_scalar, heed_linear(heed_ones(HEED_F64, HEED_SCALAR), ONES(HEED_F64, 2, 3), NULL))
GIVES(weight_1d, heed_linear(ONES(HEED_F64, 2, 3), ONES(HEED_F64, 3), NULL))
GIVES(features, heed_linear(ONES(HEED_F64, 2, 3), ONES(HEED_F64, 3, 2), NULL))
GIVES(bias_size, heed_linear(ONES(HEED_F64, 2, 3), ONES(HEED_F64, 4, 3), ONES(HEED_F64, 3)))
GIVES(bias_2d, heed_linear(ONES(HEED_F64, 2, 3), ONES(HEED_F64, 4, 3), ONES(HEED_F64, 1, 4)))
GIVES(mixed, heed_linear(ONES(HEED_F64, 2, 3), ONES(HEED_F32, 4, 3), NULL))
GIVES(bias_f32, heed_linear(ONES(HEED_F64, 2, 3), ONES(HEED_F64, 4, 3), ONES(HEED_F32, 4)))

const op_cases heed_cases_linear = {
    .cases = (const op_case[]){WITH_BIAS("(3) (2, 3)", DIMS(3), DIMS(2, 3), DIMS(2)),
                               WITH_BIAS("(2, 3) (5, 3)", DIMS(2, 3), DIMS(5, 3), DIMS(5)),
                               WITH_BIAS("(1, 1) (1, 1)", DIMS(1, 1), DIMS(1, 1), DIMS(1)),
                               WITH_BIAS("(2, 3, 4) (5, 4)", DIMS(2, 3, 4), DIMS(5, 4), DIMS(5)),
                               WITH_BIAS("(0, 3) (2, 3)", DIMS(0, 3), DIMS(2, 3), DIMS(2)),
                               WITH_BIAS("(3, 0) (2, 0)", DIMS(3, 0), DIMS(2, 0), DIMS(2)),
                               WITH_BIAS("(2, 3) (0, 3)", DIMS(2, 3), DIMS(0, 3), DIMS(0)),
                               NO_BIAS("(3) (2, 3), no bias", DIMS(3), DIMS(2, 3)),
                               NO_BIAS("(7, 1) (3, 1), no bias", DIMS(7, 1), DIMS(3, 1)),
                               NO_BIAS("(2, 2, 3) (2, 3), no bias", DIMS(2, 2, 3), DIMS(2, 3)),
                               NO_BIAS("(1, 37) (2, 37), no bias", DIMS(1, 37), DIMS(2, 37)),
                               {0}},
    .values = (const op_value[]){{"(2, 2, 3)", rows, DIMS(2, 2, 2), 0,
                                  (const double[]){5.5, 13, 14.5, 49, 23.5, 85, 32.5, 121}},
                                 {"(3)", one_row, DIMS(2), 0, (const double[]){5, 14}},
                                 {"no features", no_features, DIMS(2, 2), 0, (const double[]){1, 2, 1, 2}},
                                 {0}},
    .errors =
        (const op_error[]){
            {"NULL", of_null, HEED_ERR_ARGUMENT, "linear:"},
            {"weight NULL", by_null, HEED_ERR_ARGUMENT, "linear:"},
            {"scalar", of_scalar, HEED_ERR_SHAPE, "linear: x ()"},
            {"weight of rank 1", weight_1d, HEED_ERR_SHAPE, "x (2, 3) and w (3): must be"},
            {"features", features, HEED_ERR_SHAPE, "linear: x (2, 3) has 3 features, w (3, 2) takes 2"},
            {"bias size", bias_size, HEED_ERR_SHAPE, "linear: the bias has shape (3): must be (out) for w (4, 3)"},
            {"bias of rank 2", bias_2d, HEED_ERR_SHAPE, "linear: the bias has shape (1, 4)"},
            {"f64 by f32", mixed, HEED_ERR_DTYPE, "linear: the tensors are "},
            {"f32 bias", bias_f32, HEED_ERR_DTYPE, "linear: the tensors are "},
            {0}},
};
