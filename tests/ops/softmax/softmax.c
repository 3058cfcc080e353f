/* tests/ops/softmax/softmax.c - cases of heed_softmax. */

#include "along.h"

RUN(run, heed_softmax(in[0], (int)c->i[0]))

GIVES(shares, heed_softmax(HEED_TENSOR(HEED_F64, HEED_SHAPE(3), LOG_1_2_3), 0))
GIVES(columns, heed_softmax(HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 3), LOG_1_2_3, 0, 0, 0), 0))
GIVES(hard_f64, heed_softmax(hard_rows(HEED_F64), 1))
GIVES(hard_f32, heed_softmax(hard_rows(HEED_F32), 1))
GIVES(hard_columns, heed_transpose(heed_softmax(heed_transpose(hard_rows(HEED_F64), 0, 1), 0), 0, 1))
GIVES(one, heed_softmax(HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 1), -1e30, 5), -1))
GIVES(long_row, heed_sum(heed_softmax(heed_sin(heed_arange(HEED_F32, 0, 10007, 1)), 0)))

/* The sum of squares; its gradient at equal scores is 0; NaN in a row stays in that row. */
static heed_tensor *of_squares(heed_tensor *x)
{
    return heed_square(heed_softmax(x, 1));
}

GIVES(slope, gradient(of_squares, HEED_TENSOR(HEED_F64, HEED_SHAPE(3, 2), 1, 1, NAN, 0, 3, -INFINITY)))

BAD_ALONG(heed_softmax(x, axis))

#define HARD NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0.5, 0, 0.5, 1. / 3, 1. / 3, 1. / 3, 0.5, 0, 0.5, 0, 0.5, 0.5

const op_cases heed_cases_softmax = {
    .cases = (const op_case[]){ALONG_SAMPLES(run, 0, .low = -2, .high = 2),
                               ALONG_NOTHING(run),
                               ALONG("(5, 7) of 1e-8", run, DIMS(5, 7), 1, 0, .low = -1e-8, .high = 1e-8),
                               {0}},
    .values = (const op_value[]){{"1/6 1/3 1/2", shares, DIMS(3), 1e-15, (const double[]){1. / 6, 1. / 3, 0.5}},
                                 {"columns", columns, DIMS(2, 3), 1e-15,
                                  (const double[]){0.5, 2. / 3, 0.75, 0.5, 1. / 3, 0.25}},
                                 {"hard rows, f64", hard_f64, DIMS(7, 3), 1e-15, (const double[]){HARD}},
                                 {"hard rows, f32", hard_f32, DIMS(7, 3), 1e-7, (const double[]){HARD}},
                                 {"hard columns", hard_columns, DIMS(7, 3), 1e-15, (const double[]){HARD}},
                                 {"of one", one, DIMS(2, 1), 0, (const double[]){1, 1}},
                                 {"long row sums to 1", long_row, NO_DIMS, 1e-6, (const double[]){1}},
                                 {"gradient", slope, DIMS(3, 2), 1e-15, (const double[]){0, 0, NAN, NAN, 0, 0}},
                                 {0}},
    .errors = (const op_error[]){BAD_ALONG_ERRORS("softmax"), {0}},
};
