/* tests/ops/product/linear_activated.c - cases of heed_linear_activated.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "functions.h"

RUN(none, heed_linear_activated(in[0], in[1], in[2], NULL))
RUN(relu, heed_linear_activated(in[0], in[1], in[2], heed_relu))
RUN(tanh_, heed_linear_activated(in[0], in[1], in[2], heed_tanh))
RUN(sigmoid, heed_linear_activated(in[0], in[1], in[2], heed_sigmoid))
RUN(gelu, heed_linear_activated(in[0], in[1], in[2], heed_gelu))
RUN(tanh_no_bias, heed_linear_activated(in[0], in[1], NULL, heed_tanh))

/* Positive numbers keep relu away from its kink. */
#define CASE(name_, run_, x, w, b)                                                                                     \
    {                                                                                                                  \
        .name = name_, .run = run_, .n_inputs = 3, .in = {                                                             \
            {.shape = x, .low = 0.25, .high = 1},                                                                      \
            {.shape = w, .low = 0.25, .high = 1},                                                                      \
            {.shape = b, .low = -0.05, .high = 0.05}                                                                   \
        }                                                                                                              \
    }

#define COUNTING(...) counting(HEED_F64, HEED_SHAPE(__VA_ARGS__))
#define ONES(dtype, ...) heed_ones(dtype, HEED_SHAPE(__VA_ARGS__))
#define BIAS HEED_TENSOR(HEED_F64, HEED_SHAPE(2), -6, -13)

GIVES(relu_rows, heed_linear_activated(COUNTING(2, 2, 3), COUNTING(2, 3), BIAS, heed_relu))
GIVES(plain_rows, heed_linear_activated(COUNTING(2, 2, 3), COUNTING(2, 3), BIAS, NULL))
GIVES(sigmoid_rows, heed_linear_activated(ONES(HEED_F32, 2, 0), ONES(HEED_F32, 3, 0), NULL, heed_sigmoid))
GIVES(nan_row, heed_linear_activated(HEED_TENSOR(HEED_F32, HEED_SHAPE(3, 1), NAN, INFINITY, -INFINITY),
                                     ONES(HEED_F32, 1, 1), NULL, heed_relu))

GIVES(of_null, heed_linear_activated(NULL, ONES(HEED_F64, 2, 3), NULL, heed_relu))
GIVES(by_null, heed_linear_activated(ONES(HEED_F64, 2, 3), NULL, NULL, heed_tanh))
GIVES(features, heed_linear_activated(ONES(HEED_F64, 2, 3), ONES(HEED_F64, 3, 2), NULL, heed_relu))
GIVES(bias_size, heed_linear_activated(ONES(HEED_F64, 2, 3), ONES(HEED_F64, 4, 3), ONES(HEED_F64, 3), heed_relu))
GIVES(mixed, heed_linear_activated(ONES(HEED_F64, 2, 3), ONES(HEED_F32, 4, 3), NULL, heed_relu))

static heed_tensor *silent(heed_tensor *x)
{
    (void)x;
    return NULL;
}

GIVES(of_silent, heed_linear_activated(ONES(HEED_F64, 2, 3), ONES(HEED_F64, 4, 3), NULL, silent))

const op_cases heed_cases_linear_activated = {
    .cases = (const op_case[]){CASE("none", none, DIMS(2, 3), DIMS(5, 3), DIMS(5)),
                               CASE("relu (3)", relu, DIMS(3), DIMS(2, 3), DIMS(2)),
                               CASE("relu (2, 3, 4)", relu, DIMS(2, 3, 4), DIMS(5, 4), DIMS(5)),
                               CASE("tanh (2, 3)", tanh_, DIMS(2, 3), DIMS(2, 3), DIMS(2)),
                               CASE("tanh (1, 1)", tanh_, DIMS(1, 1), DIMS(1, 1), DIMS(1)),
                               CASE("sigmoid (2, 2, 3)", sigmoid, DIMS(2, 2, 3), DIMS(2, 3), DIMS(2)),
                               CASE("gelu (2, 3)", gelu, DIMS(2, 3), DIMS(2, 3), DIMS(2)),
                               CASE("tanh (0, 3)", tanh_, DIMS(0, 3), DIMS(2, 3), DIMS(2)),
                               CASE("tanh (3, 0)", tanh_, DIMS(3, 0), DIMS(2, 0), DIMS(2)),
                               CASE("tanh of no outputs", tanh_, DIMS(2, 3), DIMS(0, 3), DIMS(0)),
                               {.name = "tanh, no bias",
                                .run = tanh_no_bias,
                                .n_inputs = 2,
                                .in = {{.shape = DIMS(2, 3)}, {.shape = DIMS(2, 3)}}},
                               {0}},
    .values =
        (const op_value[]){{"relu", relu_rows, DIMS(2, 2, 2), 0, (const double[]){0, 1, 8, 37, 17, 73, 26, 109}},
                           {"none", plain_rows, DIMS(2, 2, 2), 0, (const double[]){-1, 1, 8, 37, 17, 73, 26, 109}},
                           {"no features", sigmoid_rows, DIMS(2, 3), 0, (const double[]){0.5, 0.5, 0.5, 0.5, 0.5, 0.5}},
                           {"not finite", nan_row, DIMS(3, 1), 0, (const double[]){NAN, INFINITY, 0}},
                           {0}},
    .errors =
        (const op_error[]){
            {"NULL", of_null, HEED_ERR_ARGUMENT, "linear_activated:"},
            {"weight NULL", by_null, HEED_ERR_ARGUMENT, "linear_activated:"},
            {"features", features, HEED_ERR_SHAPE, "linear_activated: x (2, 3) has 3 features, w (3, 2) takes 2"},
            {"bias size", bias_size, HEED_ERR_SHAPE,
             "linear_activated: the bias has shape (3): must be (out) for w (4, 3)"},
            {"f64 by f32", mixed, HEED_ERR_DTYPE, "linear_activated: the tensors are "},
            {"NULL from it", of_silent, HEED_ERR_STATE, "linear_activated: the activation returned NULL"},
            {0}},
};
