/* tests/ops/norm/instance_norm.c - cases of heed_instance_norm, a group norm.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "functions.h"

RUN(run, heed_instance_norm(in[0], c->n_inputs > 1 ? in[1] : NULL, c->n_inputs > 2 ? in[2] : NULL, c->p[0]))

#define NORM(name_, dims, channels, inputs)                                                                            \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = inputs, .p = {1e-2}, .in = {                                            \
            {.shape = dims, .distinct = true},                                                                         \
            {.shape = DIMS(channels)},                                                                                 \
            {.shape = DIMS(channels)}                                                                                  \
        }                                                                                                              \
    }

#define ONES(...) heed_ones(HEED_F64, HEED_SHAPE(__VA_ARGS__))

GIVES(channels, heed_instance_norm(HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 2, 2), 1, 3, 30, 10), NULL, NULL, 0))

GIVES(of_null, heed_instance_norm(NULL, NULL, NULL, 1))
GIVES(rank_2, heed_instance_norm(ONES(3, 4), NULL, NULL, 1))
GIVES(short_bias, heed_instance_norm(ONES(1, 4, 2), NULL, ONES(1), 1))
GIVES(bad_eps, heed_instance_norm(ONES(1, 4, 2), NULL, NULL, NAN))

const op_cases heed_cases_instance_norm = {
    .cases = (const op_case[]){NORM("(1, 2, 3) both", DIMS(1, 2, 3), 2, 3),
                               NORM("(2, 3, 4) plain", DIMS(2, 3, 4), 3, 1),
                               NORM("(2, 2, 2, 3) both", DIMS(2, 2, 2, 3), 2, 3),
                               NORM("(0, 2, 3)", DIMS(0, 2, 3), 2, 3),
                               NORM("(2, 0, 3)", DIMS(2, 0, 3), 0, 3),
                               {0}},
    .values = (const op_value[]){{"channels", channels, DIMS(1, 2, 2), 0, (const double[]){-1, 1, 1, -1}}, {0}},
    .errors =
        (const op_error[]){
            {"NULL", of_null, HEED_ERR_ARGUMENT, "instance_norm: "},
            {"rank 2", rank_2, HEED_ERR_SHAPE, "instance_norm: x (3, 4) has one element per channel"},
            {"bias (1)", short_bias, HEED_ERR_SHAPE, "instance_norm: the bias has shape (1): must be (4)"},
            {"eps NaN", bad_eps, HEED_ERR_ARGUMENT, "instance_norm: eps is"},
            {0}},
};
