/* tests/ops/loss/kl_div.c - cases of heed_kl_div. */

#include "losses.h"

/* p[0]: whether the targets are logarithms */
RUN(run, heed_kl_div(in[0], in[1], c->p[0] != 0, (heed_reduction)c->i[0]))

/* A target of 0 adds 0, even if its predicted probability is 0. */
static heed_tensor *impossible(heed_tensor *x)
{
    heed_tensor *target = HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 0, 0, 1, 0);
    return heed_kl_div(x, target, false, HEED_REDUCTION_NONE);
}
static heed_tensor *impossible_logs(heed_tensor *x)
{
    heed_tensor *target = HEED_TENSOR(HEED_F64, HEED_SHAPE(4), -INFINITY, -INFINITY, 0, -INFINITY);
    return heed_kl_div(x, target, true, HEED_REDUCTION_NONE);
}
static heed_tensor *of_target(heed_tensor *t)
{
    return heed_kl_div(HEED_TENSOR(HEED_F64, HEED_SHAPE(2), -INFINITY, -1), t, false, HEED_REDUCTION_NONE);
}
#define LOG_PROBABILITIES HEED_TENSOR(HEED_F64, HEED_SHAPE(4), -INFINITY, -1, -2, NAN)
GIVES(values, impossible(LOG_PROBABILITIES))
GIVES(values_of_logs, impossible_logs(LOG_PROBABILITIES))
GIVES(slope, gradient(impossible, LOG_PROBABILITIES))
GIVES(slope_of_logs, gradient(impossible_logs, LOG_PROBABILITIES))
GIVES(target_slope, gradient(of_target, HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 0, 1)))
GIVES(negative, heed_kl_div(ONES(HEED_F64, 1), heed_neg(ONES(HEED_F64, 1)), false, HEED_REDUCTION_SUM))

BAD_PAIRS(heed_kl_div(a, b, false, reduction))

const op_cases heed_cases_kl_div = {
    .cases = (const op_case[]){PAIR_SAMPLES(run, false, .low = 0.1, .high = 1),
                               PAIR_SAMPLES(run, true, .low = -2, .high = -0.1),
                               {0}},
    .values = (const op_value[]){{"impossible", values, DIMS(4), 0, (const double[]){0, 0, 2, 0}},
                                 {"impossible, logs", values_of_logs, DIMS(4), 0, (const double[]){0, 0, 2, 0}},
                                 {"gradient", slope, DIMS(4), 0, (const double[]){0, 0, -1, 0}},
                                 {"gradient, logs", slope_of_logs, DIMS(4), 0, (const double[]){0, 0, -1, 0}},
                                 {"target's gradient", target_slope, DIMS(2), 0, (const double[]){0, 2}},
                                 {"no probability", negative, NO_DIMS, 0, (const double[]){NAN}},
                                 {"mean of nothing", mean_of_nothing, NO_DIMS, 0, (const double[]){NAN}},
                                 {0}},
    .errors = (const op_error[]){BAD_PAIRS_ERRORS("kl_div"), {0}},
};
