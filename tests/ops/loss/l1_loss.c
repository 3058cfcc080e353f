/* tests/ops/loss/l1_loss.c - cases of heed_l1_loss. */

#include "losses.h"

RUN(run, heed_l1_loss(in[0], in[1], (heed_reduction)c->i[0]))

/* The gradient is 0 at the kink, and 1 at infinity; NaN stays. */
static heed_tensor *to_zero(heed_tensor *x)
{
    return heed_l1_loss(x, heed_zeros(HEED_F64, HEED_SHAPE(4)), HEED_REDUCTION_NONE);
}

GIVES(special, to_zero(HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 0, -INFINITY, INFINITY, NAN)))
GIVES(special_slope, gradient(to_zero, HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 0, -INFINITY, INFINITY, NAN)))

BAD_PAIRS(heed_l1_loss(a, b, reduction))

const op_cases heed_cases_l1_loss = {
    .cases = (const op_case[]){PAIR_SAMPLES(run, 0, .low = -2, .high = 2, .distinct = true), {0}},
    .values = (const op_value[]){{"special", special, DIMS(4), 0, (const double[]){0, INFINITY, INFINITY, NAN}},
                                 {"special gradients", special_slope, DIMS(4), 0, (const double[]){0, -1, 1, NAN}},
                                 {"mean of nothing", mean_of_nothing, NO_DIMS, 0, (const double[]){NAN}},
                                 {0}},
    .errors = (const op_error[]){BAD_PAIRS_ERRORS("l1_loss"), {0}},
};
