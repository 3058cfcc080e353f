/* tests/ops/loss/smooth_l1_loss.c - cases of heed_smooth_l1_loss. */

#include "losses.h"

RUN(run, heed_smooth_l1_loss(in[0], in[1], c->p[0], (heed_reduction)c->i[0]))

/* On both sides of beta, at infinity, and NaN. */
static heed_tensor *to_zero(heed_tensor *x)
{
    return heed_smooth_l1_loss(x, heed_zeros(heed_dtype_of(x), HEED_SHAPE(7)), 2, HEED_REDUCTION_NONE);
}

#define SPECIAL(dtype) HEED_TENSOR(dtype, HEED_SHAPE(7), 0, 1, -2, 3, -INFINITY, INFINITY, NAN)
GIVES(special, to_zero(SPECIAL(HEED_F64)))
GIVES(special_f32, to_zero(SPECIAL(HEED_F32)))
GIVES(special_slope, gradient(to_zero, SPECIAL(HEED_F64)))

/* A beta that f32 rounds to 0, and one whose reciprocal is infinite. */
static heed_tensor *with_tiny_beta(heed_tensor *x)
{
    double beta = heed_dtype_of(x) == HEED_F32 ? 1e-60 : 1e-310;
    return heed_smooth_l1_loss(x, heed_zeros(heed_dtype_of(x), HEED_SHAPE(3)), beta, HEED_REDUCTION_NONE);
}

GIVES(tiny_f32, gradient(with_tiny_beta, HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 0, -1, 2)))
GIVES(tiny_f64, gradient(with_tiny_beta, HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 0, -1, 2)))

BAD_PAIRS(heed_smooth_l1_loss(a, b, 1, reduction))
GIVES(negative, heed_smooth_l1_loss(ONES(HEED_F64, 2), ONES(HEED_F64, 2), -0.5, HEED_REDUCTION_MEAN))
GIVES(infinite, heed_smooth_l1_loss(ONES(HEED_F64, 2), ONES(HEED_F64, 2), INFINITY, HEED_REDUCTION_MEAN))
GIVES(no_number, heed_smooth_l1_loss(ONES(HEED_F64, 2), ONES(HEED_F64, 2), NAN, HEED_REDUCTION_MEAN))

const op_cases heed_cases_smooth_l1_loss = {
    .cases =
        (const op_case[]){PAIR_SAMPLES(run, 0.3, .low = -2, .high = 2, .distinct = true),
                          PAIR("(2, 3) beta 1.1", run, DIMS(2, 3), HEED_REDUCTION_MEAN, 1.1, .distinct = true),
                          PAIR("(1, 37, 1) beta 1.1", run, DIMS(1, 37, 1), HEED_REDUCTION_NONE, 1.1, .distinct = true),
                          PAIR("(2, 3) beta 0", run, DIMS(2, 3), HEED_REDUCTION_SUM, 0, .distinct = true),
                          PAIR("(2, 3) beta 100", run, DIMS(2, 3), HEED_REDUCTION_SUM, 100, .low = -2, .high = 2),
                          {0}},
    .values =
        (const op_value[]){
            {"special", special, DIMS(7), 0, (const double[]){0, 0.25, 1, 2, INFINITY, INFINITY, NAN}},
            {"special, f32", special_f32, DIMS(7), 0, (const double[]){0, 0.25, 1, 2, INFINITY, INFINITY, NAN}},
            {"special gradients", special_slope, DIMS(7), 0, (const double[]){0, 0.5, -1, 1, -1, 1, NAN}},
            {"beta below f32", tiny_f32, DIMS(3), 0, (const double[]){0, -1, 1}},
            {"beta below 1 / DBL_MAX", tiny_f64, DIMS(3), 0, (const double[]){0, -1, 1}},
            {"mean of nothing", mean_of_nothing, NO_DIMS, 0, (const double[]){NAN}},
            {0}},
    .errors = (const op_error[]){BAD_PAIRS_ERRORS("smooth_l1_loss"),
                                 {"beta -0.5", negative, HEED_ERR_ARGUMENT, "smooth_l1_loss: beta is -0.5"},
                                 {"beta inf", infinite, HEED_ERR_ARGUMENT, "smooth_l1_loss: beta is inf"},
                                 {"beta NaN", no_number, HEED_ERR_ARGUMENT, "smooth_l1_loss: beta is nan"},
                                 {0}},
};
