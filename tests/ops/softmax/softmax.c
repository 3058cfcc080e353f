/* tests/ops/softmax/softmax.c - softmax, log_softmax and logsumexp: a row per op (rows.h).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "along.h"

#define LN2 0.69314718055994530942
#define LN3 1.0986122886681098
#define LN6 1.7917594692280550

GIVES(hard_f64, hard_rows(HEED_F64))
GIVES(hard_f32, hard_rows(HEED_F32))
GIVES(hard_columns, heed_transpose(hard_rows(HEED_F64), 0, 1))
GIVES(sines, heed_sin(heed_arange(HEED_F32, 0, 10007, 1)))

#define SHARES GIVEN(HEED_F64, DIMS(3), LOG_1_2_3)
#define COLUMNS GIVEN(HEED_F64, DIMS(2, 3), LOG_1_2_3, 0, 0, 0)

/* -- softmax ------------------------------------------------------------------------------------------------------- */

RUN(softmax_of_columns, heed_transpose(heed_softmax(in[0], 0), 0, 1))
RUN(sum_of_softmax, heed_sum(heed_softmax(in[0], 0)))

/* The sum of squares; its gradient at equal scores is 0; NaN in a row stays in that row. */
RUN(squares_of_softmax, heed_square(heed_softmax(in[0], 1)))

#define HARD NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0.5, 0, 0.5, 1. / 3, 1. / 3, 1. / 3, 0.5, 0, 0.5, 0, 0.5, 0.5

ROW(softmax, heed_softmax(in[0], (int)c->i[0]),
    CASES(ALONG_SAMPLES(NULL, 0, .low = -2, .high = 2), ALONG_NOTHING(NULL),
          ALONG("(5, 7) of 1e-8", NULL, DIMS(5, 7), 1, 0, .low = -1e-8, .high = 1e-8)),
    EXAMPLES({"1/6 1/3 1/2", {SHARES}, RESULT(DIMS(3), 1e-15, 1. / 6, 1. / 3, 0.5)},
             {"columns", {COLUMNS}, RESULT(DIMS(2, 3), 1e-15, 0.5, 2. / 3, 0.75, 0.5, 1. / 3, 0.25)},
             {"hard rows, f64", {MADE_BY(hard_f64)}, .i = {1}, RESULT(DIMS(7, 3), 1e-15, HARD)},
             {"hard rows, f32", {MADE_BY(hard_f32)}, .i = {1}, RESULT(DIMS(7, 3), 1e-7, HARD)},
             {"hard columns", {MADE_BY(hard_columns)}, .run = softmax_of_columns, RESULT(DIMS(7, 3), 1e-15, HARD)},
             {"of one", {GIVEN(HEED_F32, DIMS(2, 1), -1e30, 5)}, .i = {-1}, RESULT(DIMS(2, 1), 0, 1, 1)},
             {"long row sums to 1", {MADE_BY(sines)}, .run = sum_of_softmax, RESULT(NO_DIMS, 1e-6, 1)},
             {"gradient",
              {GIVEN(HEED_F64, DIMS(3, 2), 1, 1, NAN, 0, 3, -INFINITY)},
              .run = squares_of_softmax,
              .slope = 1,
              RESULT(DIMS(3, 2), 1e-15, 0, 0, NAN, NAN, 0, 0)}),
    .shared = {{.examples = bad_along}})

/* -- log_softmax --------------------------------------------------------------------------------------------------- */

RUN(exp_of_log_softmax, heed_exp(heed_log_softmax(in[0], 0)))
RUN(sum_of_log_softmax, heed_sum(heed_exp(heed_log_softmax(in[0], 0))))

ROW(log_softmax, heed_log_softmax(in[0], (int)c->i[0]),
    CASES(ALONG_SAMPLES(NULL, 0, .low = -2, .high = 2), ALONG_NOTHING(NULL),
          ALONG("(5, 7) of 1e-8", NULL, DIMS(5, 7), 1, 0, .low = -1e-8, .high = 1e-8)),
    EXAMPLES({"1/6 1/3 1/2", {SHARES}, .run = exp_of_log_softmax, RESULT(DIMS(3), 1e-15, 1. / 6, 1. / 3, 0.5)},
             {"columns",
              {COLUMNS},
              .run = exp_of_log_softmax,
              RESULT(DIMS(2, 3), 1e-15, 0.5, 2. / 3, 0.75, 0.5, 1. / 3, 0.25)},
             {"hard rows, f64",
              {MADE_BY(hard_f64)},
              .i = {1},
              RESULT(DIMS(7, 3), 1e-15, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, -LN2, -INFINITY, -LN2, -LN3, -LN3,
                     -LN3, -LN2, -6e38, -LN2, -9998 - LN2, -LN2, -LN2)},
             {"hard rows, f32",
              {MADE_BY(hard_f32)},
              .i = {1},
              RESULT(DIMS(7, 3), 1e-6, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, -LN2, -INFINITY, -LN2, -LN3, -LN3,
                     -LN3, -LN2, -INFINITY, -LN2, -9998 - LN2, -LN2, -LN2)},
             {"long row", {MADE_BY(sines)}, .run = sum_of_log_softmax, RESULT(NO_DIMS, 1e-6, 1)},
             /* If softmax underflows to 0 in f64, its logarithm is still finite. */
             {"far apart", {GIVEN(HEED_F64, DIMS(2), 0, 1e6)}, RESULT(DIMS(2), 0, -1e6, 0)},
             {"gradient",
              {GIVEN(HEED_F64, DIMS(2, 2), 0, 0, NAN, 0)},
              .i = {1},
              .slope = 1,
              RESULT(DIMS(2, 2), 1e-15, 0, 0, NAN, NAN)}),
    .shared = {{.examples = bad_along}})

/* -- logsumexp ----------------------------------------------------------------------------------------------------- */

RUN(exp_of_logsumexp, heed_exp(heed_logsumexp(in[0], 0, true)))
RUN(logsumexp_kept, heed_logsumexp(in[0], (int)c->i[0], true))

#define HARD_SUMS NAN, INFINITY, -INFINITY, 2 + LN2, -1e7 + LN3, 3e38, 9998 + LN2

GIVES(long_zeros, heed_zeros(HEED_F32, HEED_SHAPE(10007)))

ROW(logsumexp, heed_logsumexp(in[0], (int)c->i[0], c->i[1]),
    CASES(ALONG_SAMPLES(NULL, false, .low = -2, .high = 2),
          ALONG("(5, 7) axis 0 keepdim", NULL, DIMS(5, 7), 0, true, .low = -2, .high = 2),
          ALONG("(2, 3, 5) axis 2 keepdim", NULL, DIMS(2, 3, 5), 2, true, .low = -2, .high = 2)),
    EXAMPLES({"ln 6", {SHARES}, RESULT(NO_DIMS, 1e-15, LN6)},
             {"columns",
              {GIVEN(HEED_F64, DIMS(2, 3), LOG_1_2_3, LOG_1_2_3)},
              .run = exp_of_logsumexp,
              RESULT(DIMS(1, 3), 1e-15, 2, 4, 6)},
             {"hard rows, f64", {MADE_BY(hard_f64)}, .i = {1}, RESULT(DIMS(7), 1e-15, HARD_SUMS)},
             {"hard rows, f32", {MADE_BY(hard_f32)}, .i = {1}, RESULT(DIMS(7), 1e-6, HARD_SUMS)},
             {"of nothing", {GIVEN_ONES(HEED_F64, DIMS(2, 0))}, .i = {1}, RESULT(DIMS(2), 0, -INFINITY, -INFINITY)},
             {"columns of nothing",
              {GIVEN_ONES(HEED_F32, DIMS(0, 2))},
              .i = {0, true},
              RESULT(DIMS(1, 2), 0, -INFINITY, -INFINITY)},
             {"NaN and infinity", {GIVEN(HEED_F64, DIMS(2), INFINITY, NAN)}, RESULT(NO_DIMS, 0, NAN)},
             {"ln 10007", {MADE_BY(long_zeros)}, RESULT(NO_DIMS, 1e-6, 9.211040127090456)},
             {"gradient",
              {GIVEN(HEED_F64, DIMS(4), LOG_1_2_3, -INFINITY)},
              .slope = 1,
              RESULT(DIMS(4), 1e-15, 1. / 6, 1. / 3, 0.5, 0)}),
    .shared = {{.examples = bad_along, .run = logsumexp_kept}})
