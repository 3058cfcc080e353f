/* tests/ops/loss/mse_loss.c - cases of heed_mse_loss. */

#include "losses.h"

RUN(run, heed_mse_loss(in[0], in[1], (heed_reduction)c->i[0]))

static heed_tensor *loss(heed_dtype dtype, heed_reduction reduction)
{
    return heed_mse_loss(HEED_TENSOR(dtype, HEED_SHAPE(2, 2), 1, 2, 3, 4),
                         HEED_TENSOR(dtype, HEED_SHAPE(2, 2), 1, 0, 6, 3), reduction);
}

GIVES(mean, loss(HEED_F64, HEED_REDUCTION_MEAN))
GIVES(sum, loss(HEED_F32, HEED_REDUCTION_SUM))
GIVES(none, loss(HEED_F64, HEED_REDUCTION_NONE))

BAD_PAIRS(heed_mse_loss(a, b, reduction))

const op_cases heed_cases_mse_loss = {
    .cases = (const op_case[]){PAIR_SAMPLES(run, 0, .low = -2, .high = 2), {0}},
    .values = (const op_value[]){{"mean", mean, NO_DIMS, 0, (const double[]){3.5}},
                                 {"sum", sum, NO_DIMS, 0, (const double[]){14}},
                                 {"none", none, DIMS(2, 2), 0, (const double[]){0, 4, 9, 1}},
                                 {"mean of nothing", mean_of_nothing, NO_DIMS, 0, (const double[]){NAN}},
                                 {0}},
    .errors = (const op_error[]){BAD_PAIRS_ERRORS("mse_loss"), {0}},
};
