/* tests/ops/norm/dropout.c - cases of heed_dropout; tests/ops/test_dropout.c tests the
 * randomness.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "from.h"
#include "functions.h"

/* Drops the same elements in every call. */
static heed_tensor *drop(uint64_t seed, heed_tensor *x, double p)
{
    heed_generator *g = heed_generator_new(seed);
    heed_tensor *y = FROM(g, heed_dropout(x, p, true));
    heed_generator_free(g);
    return y;
}

RUN(run, drop((uint64_t)c->i[0], in[0], c->p[0]))
RUN(run_idle, heed_dropout(in[0], c->p[0], false))

#define SAMPLE(name_, shape_, probability)                                                                             \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 1, .in = {{.shape = shape_}}, .i = {17}, .p = { probability }           \
    }

#define NUMBERS(dtype) HEED_TENSOR(dtype, HEED_SHAPE(2, 3), NAN, -INFINITY, 1, -0.0, 5, INFINITY)

static heed_tensor *none(heed_tensor *x)
{
    return heed_dropout(x, 0, true);
}

static heed_tensor *all(heed_tensor *x)
{
    return heed_dropout(x, 1, true);
}

GIVES(nothing_dropped, none(NUMBERS(HEED_F32)))
GIVES(nothing_dropped_slope, gradient(none, NUMBERS(HEED_F64)))
GIVES(all_dropped, all(NUMBERS(HEED_F64)))
GIVES(all_dropped_f32, all(NUMBERS(HEED_F32)))
GIVES(all_dropped_slope, gradient(all, NUMBERS(HEED_F64)))
GIVES(idle, heed_dropout(NUMBERS(HEED_F64), 1, false))

GIVES(of_null, heed_dropout(NULL, 0.5, true))
GIVES(null_idle, heed_dropout(NULL, 0.5, false))
GIVES(of_i64, heed_dropout(heed_ones(HEED_I64, HEED_SHAPE(2)), 0.5, true))
GIVES(bool_idle, heed_dropout(heed_ones(HEED_BOOL, HEED_SHAPE(2)), 0.5, false))
GIVES(below_0, heed_dropout(heed_ones(HEED_F64, HEED_SHAPE(2)), -0.25, true))
GIVES(above_1, heed_dropout(heed_ones(HEED_F64, HEED_SHAPE(2)), 1.25, true))
GIVES(no_number, heed_dropout(heed_ones(HEED_F64, HEED_SHAPE(2)), NAN, true))
GIVES(no_number_idle, heed_dropout(heed_ones(HEED_F64, HEED_SHAPE(2)), NAN, false))

const op_cases heed_cases_dropout = {
    .cases = (const op_case[]){SAMPLE("() 0.5", NO_DIMS, 0.5),
                               SAMPLE("(1) 0.5", DIMS(1), 0.5),
                               SAMPLE("(0) 0.5", DIMS(0), 0.5),
                               SAMPLE("(0, 3) 0.5", DIMS(0, 3), 0.5),
                               SAMPLE("(5) 0.2", DIMS(5), 0.2),
                               SAMPLE("(2, 3) 0.5", DIMS(2, 3), 0.5),
                               SAMPLE("(2, 3) 0", DIMS(2, 3), 0),
                               SAMPLE("(2, 3) 1", DIMS(2, 3), 1),
                               SAMPLE("(7, 1) 0.9", DIMS(7, 1), 0.9),
                               SAMPLE("(2, 3, 5) 0.3", DIMS(2, 3, 5), 0.3),
                               SAMPLE("(1, 37, 1) 0.5", DIMS(1, 37, 1), 0.5),
                               ONE("(2, 3) not training", run_idle, DIMS(2, 3), .p = {0.5}),
                               {0}},
    .values =
        (const op_value[]){
            {"p = 0", nothing_dropped, DIMS(2, 3), 0, (const double[]){NAN, -INFINITY, 1, -0.0, 5, INFINITY}},
            {"p = 0, gradient", nothing_dropped_slope, DIMS(2, 3), 0, (const double[]){1, 1, 1, 1, 1, 1}},
            {"p = 1", all_dropped, DIMS(2, 3), 0, (const double[]){0, 0, 0, 0, 0, 0}},
            {"p = 1, f32", all_dropped_f32, DIMS(2, 3), 0, (const double[]){0, 0, 0, 0, 0, 0}},
            {"p = 1, gradient", all_dropped_slope, DIMS(2, 3), 0, (const double[]){0, 0, 0, 0, 0, 0}},
            {"not training", idle, DIMS(2, 3), 0, (const double[]){NAN, -INFINITY, 1, -0.0, 5, INFINITY}},
            {0}},
    .errors = (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "dropout:"},
                                 {"NULL, not training", null_idle, HEED_ERR_ARGUMENT, "dropout:"},
                                 {"i64", of_i64, HEED_ERR_DTYPE, "dropout: the tensor is i64 (2): must be f32 or f64"},
                                 {"bool, not training", bool_idle, HEED_ERR_DTYPE, "dropout: the tensor is "},
                                 {"p = -0.25", below_0, HEED_ERR_ARGUMENT, "dropout: p is -0.25"},
                                 {"p = 1.25", above_1, HEED_ERR_ARGUMENT, "dropout: p is 1.25"},
                                 {"p NaN", no_number, HEED_ERR_ARGUMENT, "dropout: p is nan"},
                                 {"p NaN, not training", no_number_idle, HEED_ERR_ARGUMENT, "dropout: p is nan"},
                                 {0}},
};
