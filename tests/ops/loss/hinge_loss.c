/* tests/ops/loss/hinge_loss.c - cases of heed_hinge_loss. */

#include "losses.h"

RUN(run, heed_hinge_loss(in[0], in[1], (heed_reduction)c->i[0]))

static heed_tensor *with_signs(heed_tensor *x)
{
    return heed_hinge_loss(x, HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 1, -1, 1, -1), HEED_REDUCTION_NONE);
}
#define SCORES HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 0.5, -3, -2, 1)
GIVES(values, with_signs(SCORES))
GIVES(slope, gradient(with_signs, SCORES))

BAD_PAIRS(heed_hinge_loss(a, b, reduction))

const op_cases heed_cases_hinge_loss = {
    .cases = (const op_case[]){PAIR_SAMPLES(run, 0, .low = -0.9, .high = 0.9), {0}},
    .values = (const op_value[]){{"values", values, DIMS(4), 0, (const double[]){0.5, 0, 3, 2}},
                                 {"gradient", slope, DIMS(4), 0, (const double[]){-1, 0, -1, 1}},
                                 {"mean of nothing", mean_of_nothing, NO_DIMS, 0, (const double[]){NAN}},
                                 {0}},
    .errors = (const op_error[]){BAD_PAIRS_ERRORS("hinge_loss"), {0}},
};
