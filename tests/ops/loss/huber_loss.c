/* tests/ops/loss/huber_loss.c - cases of heed_huber_loss. */

#include "losses.h"

RUN(run, heed_huber_loss(in[0], in[1], c->p[0], (heed_reduction)c->i[0]))

static heed_tensor *to_zero(heed_tensor *x)
{
    return heed_huber_loss(x, heed_zeros_like(x), 2, HEED_REDUCTION_NONE);
}

#define SPECIAL(dtype) HEED_TENSOR(dtype, HEED_SHAPE(7), 0, 1, -2, 3, -INFINITY, INFINITY, NAN)
GIVES(special, to_zero(SPECIAL(HEED_F64)))
GIVES(special_f32, to_zero(SPECIAL(HEED_F32)))
GIVES(special_slope, gradient(to_zero, SPECIAL(HEED_F64)))

BAD_PAIRS(heed_huber_loss(a, b, 1, reduction))
GIVES(zero, heed_huber_loss(ONES(HEED_F64, 2), ONES(HEED_F64, 2), 0, HEED_REDUCTION_MEAN))
GIVES(infinite, heed_huber_loss(ONES(HEED_F64, 2), ONES(HEED_F64, 2), INFINITY, HEED_REDUCTION_MEAN))
GIVES(no_number, heed_huber_loss(ONES(HEED_F64, 2), ONES(HEED_F64, 2), NAN, HEED_REDUCTION_MEAN))

const op_cases heed_cases_huber_loss = {
    .cases = (const op_case[]){PAIR_SAMPLES(run, 0.3, .low = -2, .high = 2, .distinct = true),
                               PAIR("(2, 3) delta 1.1", run, DIMS(2, 3), HEED_REDUCTION_MEAN, 1.1, .distinct = true),
                               PAIR("(2, 3) delta 100", run, DIMS(2, 3), HEED_REDUCTION_SUM, 100, .distinct = true),
                               {0}},
    .values =
        (const op_value[]){{"special", special, DIMS(7), 0, (const double[]){0, 0.5, 2, 4, INFINITY, INFINITY, NAN}},
                           {"f32", special_f32, DIMS(7), 0, (const double[]){0, 0.5, 2, 4, INFINITY, INFINITY, NAN}},
                           {"gradients", special_slope, DIMS(7), 0, (const double[]){0, 1, -2, 2, -2, 2, NAN}},
                           {"mean of nothing", mean_of_nothing, NO_DIMS, 0, (const double[]){NAN}},
                           {0}},
    .errors = (const op_error[]){BAD_PAIRS_ERRORS("huber_loss"),
                                 {"delta 0", zero, HEED_ERR_ARGUMENT, "huber_loss: delta is 0: must be finite"},
                                 {"delta inf", infinite, HEED_ERR_ARGUMENT, "huber_loss: delta is inf"},
                                 {"delta NaN", no_number, HEED_ERR_ARGUMENT, "huber_loss: delta is nan"},
                                 {0}},
};
