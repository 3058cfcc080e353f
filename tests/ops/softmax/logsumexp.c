/* tests/ops/softmax/logsumexp.c - cases of heed_logsumexp. */

#include "along.h"

RUN(run, heed_logsumexp(in[0], (int)c->i[0], c->i[1]))

GIVES(of_logs, heed_logsumexp(HEED_TENSOR(HEED_F64, HEED_SHAPE(3), LOG_1_2_3), 0, false))
GIVES(columns, heed_exp(heed_logsumexp(HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 3), LOG_1_2_3, LOG_1_2_3), 0, true)))
GIVES(hard_f64, heed_logsumexp(hard_rows(HEED_F64), 1, false))
GIVES(hard_f32, heed_logsumexp(hard_rows(HEED_F32), 1, false))
GIVES(of_nothing, heed_logsumexp(heed_zeros(HEED_F64, HEED_SHAPE(2, 0)), 1, false))
GIVES(columns_of_nothing, heed_logsumexp(heed_zeros(HEED_F32, HEED_SHAPE(0, 2)), 0, true))
GIVES(nan_and_infinity, heed_logsumexp(HEED_TENSOR(HEED_F64, HEED_SHAPE(2), INFINITY, NAN), 0, false))
GIVES(long_row, heed_logsumexp(heed_zeros(HEED_F32, HEED_SHAPE(10007)), 0, false))

static heed_tensor *whole(heed_tensor *x)
{
    return heed_logsumexp(x, 0, false);
}

GIVES(slope, gradient(whole, HEED_TENSOR(HEED_F64, HEED_SHAPE(4), LOG_1_2_3, -INFINITY)))

BAD_ALONG(heed_logsumexp(x, axis, true))

#define LN2 0.69314718055994530942
#define LN3 1.0986122886681098
#define LN6 1.7917594692280550

const op_cases heed_cases_logsumexp = {
    .cases = (const op_case[]){ALONG_SAMPLES(run, false, .low = -2, .high = 2),
                               ALONG("(5, 7) axis 0 keepdim", run, DIMS(5, 7), 0, true, .low = -2, .high = 2),
                               ALONG("(2, 3, 5) axis 2 keepdim", run, DIMS(2, 3, 5), 2, true, .low = -2, .high = 2),
                               {0}},
    .values = (const op_value[]){{"ln 6", of_logs, NO_DIMS, 1e-15, (const double[]){LN6}},
                                 {"columns", columns, DIMS(1, 3), 1e-15, (const double[]){2, 4, 6}},
                                 {"hard rows, f64", hard_f64, DIMS(7), 1e-15,
                                  (const double[]){NAN, INFINITY, -INFINITY, 2 + LN2, -1e7 + LN3, 3e38, 9998 + LN2}},
                                 {"hard rows, f32", hard_f32, DIMS(7), 1e-6,
                                  (const double[]){NAN, INFINITY, -INFINITY, 2 + LN2, -1e7 + LN3, 3e38, 9998 + LN2}},
                                 {"of nothing", of_nothing, DIMS(2), 0, (const double[]){-INFINITY, -INFINITY}},
                                 {"columns of nothing", columns_of_nothing, DIMS(1, 2), 0,
                                  (const double[]){-INFINITY, -INFINITY}},
                                 {"NaN and infinity", nan_and_infinity, NO_DIMS, 0, (const double[]){NAN}},
                                 {"ln 10007", long_row, NO_DIMS, 1e-6, (const double[]){9.211040127090456}},
                                 {"gradient", slope, DIMS(4), 1e-15, (const double[]){1. / 6, 1. / 3, 0.5, 0}},
                                 {0}},
    .errors = (const op_error[]){BAD_ALONG_ERRORS("logsumexp"), {0}},
};
