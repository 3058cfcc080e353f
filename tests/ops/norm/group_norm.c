/* tests/ops/norm/group_norm.c - cases of heed_group_norm.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "functions.h"

/* c->i[0] is the number of groups, c->p[0] eps. */
RUN(run, heed_group_norm(in[0], c->i[0], c->n_inputs > 1 ? in[1] : NULL, c->n_inputs > 2 ? in[2] : NULL, c->p[0]))
RUN(with_bias_alone, heed_group_norm(in[0], c->i[0], NULL, in[1], c->p[0]))

#define NORM(name_, run_, dims, channels, inputs, groups, eps)                                                         \
    {                                                                                                                  \
        .name = name_, .run = run_, .n_inputs = inputs, .i = {groups}, .p = {eps}, .in = {                             \
            {.shape = dims, .distinct = true},                                                                         \
            {.shape = DIMS(channels)},                                                                                 \
            {.shape = DIMS(channels)}                                                                                  \
        }                                                                                                              \
    }

#define ONES(...) heed_ones(HEED_F64, HEED_SHAPE(__VA_ARGS__))

GIVES(two_groups,
      heed_group_norm(HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 4, 1), 1, 3, 10, 30), 2,
                      HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 1, 2, 3, 4), heed_full(HEED_F64, HEED_SHAPE(4), 5), 0))
GIVES(one_number, heed_group_norm(ONES(1, 2), 2, NULL, ONES(2), 1))

GIVES(no_channels, heed_group_norm(ONES(INT64_MAX / 2, 0), (int64_t)1 << 31, NULL, NULL, 1))

GIVES(of_null, heed_group_norm(NULL, 1, NULL, NULL, 1))
GIVES(rank_1, heed_group_norm(ONES(4), 1, NULL, NULL, 1))
GIVES(no_groups, heed_group_norm(ONES(1, 4), 0, NULL, NULL, 1))
GIVES(three_of_four, heed_group_norm(ONES(1, 4), 3, NULL, NULL, 1))
GIVES(long_weight, heed_group_norm(ONES(1, 4), 2, ONES(5), NULL, 1))
GIVES(f32_bias, heed_group_norm(ONES(1, 4), 2, NULL, heed_ones(HEED_F32, HEED_SHAPE(4)), 1))
GIVES(bad_eps, heed_group_norm(ONES(1, 4), 2, NULL, NULL, -1))

const op_cases heed_cases_group_norm = {
    .cases = (const op_case[]){NORM("(2, 4) plain", run, DIMS(2, 4), 4, 1, 2, 0.5),
                               NORM("(2, 4, 3) both", run, DIMS(2, 4, 3), 4, 3, 2, 1e-5),
                               NORM("(3, 3, 2) one group", run, DIMS(3, 3, 2), 3, 3, 1, 1e-2),
                               NORM("(1, 2, 2, 3) each", run, DIMS(1, 2, 2, 3), 2, 2, 2, 1e-2),
                               NORM("(2, 4) bias alone", with_bias_alone, DIMS(2, 4), 4, 2, 1, 0.5),
                               NORM("(0, 4)", run, DIMS(0, 4), 4, 3, 2, 1),
                               NORM("(2, 0, 3)", run, DIMS(2, 0, 3), 0, 3, 2, 1),
                               {0}},
    .values = (const op_value[]){{"two groups", two_groups, DIMS(1, 4, 1), 0, (const double[]){4, 7, 2, 9}},
                                 {"one number", one_number, DIMS(1, 2), 0, (const double[]){1, 1}},
                                 {"no channels", no_channels, DIMS(INT64_MAX / 2, 0), 0, (const double[]){0}},
                                 {0}},
    .errors =
        (const op_error[]){
            {"NULL", of_null, HEED_ERR_ARGUMENT, "group_norm: "},
            {"rank 1", rank_1, HEED_ERR_SHAPE, "group_norm: x is (4): must be (B, C, ...)"},
            {"no groups", no_groups, HEED_ERR_ARGUMENT, "group_norm: groups is 0: must be 1 or more"},
            {"three groups", three_of_four, HEED_ERR_ARGUMENT, "group_norm: groups is 3"},
            {"weight (5)", long_weight, HEED_ERR_SHAPE, "group_norm: the weight has shape (5): must be (4)"},
            {"f32 bias", f32_bias, HEED_ERR_DTYPE, "group_norm: the tensors are f64"},
            {"eps -1", bad_eps, HEED_ERR_ARGUMENT, "group_norm: eps is -1"},
            {0}},
};
