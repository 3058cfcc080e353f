/* tests/ops/softmax/log_softmax.c - cases of heed_log_softmax. */

#include "along.h"

RUN(run, heed_log_softmax(in[0], (int)c->i[0]))

GIVES(shares, heed_exp(heed_log_softmax(HEED_TENSOR(HEED_F64, HEED_SHAPE(3), LOG_1_2_3), 0)))
GIVES(columns, heed_exp(heed_log_softmax(HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 3), LOG_1_2_3, 0, 0, 0), 0)))
GIVES(hard_f64, heed_log_softmax(hard_rows(HEED_F64), 1))
GIVES(hard_f32, heed_log_softmax(hard_rows(HEED_F32), 1))
GIVES(long_row, heed_sum(heed_exp(heed_log_softmax(heed_sin(heed_arange(HEED_F32, 0, 10007, 1)), 0))))

/* If softmax underflows to 0 in f64, its logarithm is still finite. */
GIVES(far_apart, heed_log_softmax(HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 0, 1e6), 0))

static heed_tensor *along_1(heed_tensor *x)
{
    return heed_log_softmax(x, 1);
}

GIVES(slope, gradient(along_1, HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 0, 0, NAN, 0)))

BAD_ALONG(heed_log_softmax(x, axis))

#define LN2 0.69314718055994530942
#define LN3 1.0986122886681098

const op_cases heed_cases_log_softmax = {
    .cases = (const op_case[]){ALONG_SAMPLES(run, 0, .low = -2, .high = 2),
                               ALONG_NOTHING(run),
                               ALONG("(5, 7) of 1e-8", run, DIMS(5, 7), 1, 0, .low = -1e-8, .high = 1e-8),
                               {0}},
    .values =
        (const op_value[]){
            {"1/6 1/3 1/2", shares, DIMS(3), 1e-15, (const double[]){1. / 6, 1. / 3, 0.5}},
            {"columns", columns, DIMS(2, 3), 1e-15, (const double[]){0.5, 2. / 3, 0.75, 0.5, 1. / 3, 0.25}},
            {"hard rows, f64", hard_f64, DIMS(7, 3), 1e-15,
             (const double[]){NAN,  NAN,  NAN,  NAN,  NAN,  NAN,   NAN,  NAN,         NAN,  -LN2, -INFINITY,
                              -LN2, -LN3, -LN3, -LN3, -LN2, -6e38, -LN2, -9998 - LN2, -LN2, -LN2}},
            {"hard rows, f32", hard_f32, DIMS(7, 3), 1e-6,
             (const double[]){NAN,  NAN,  NAN,  NAN,  NAN,  NAN,       NAN,  NAN,         NAN,  -LN2, -INFINITY,
                              -LN2, -LN3, -LN3, -LN3, -LN2, -INFINITY, -LN2, -9998 - LN2, -LN2, -LN2}},
            {"long row", long_row, NO_DIMS, 1e-6, (const double[]){1}},
            {"far apart", far_apart, DIMS(2), 0, (const double[]){-1e6, 0}},
            {"gradient", slope, DIMS(2, 2), 1e-15, (const double[]){0, 0, NAN, NAN}},
            {0}},
    .errors = (const op_error[]){BAD_ALONG_ERRORS("log_softmax"), {0}},
};
