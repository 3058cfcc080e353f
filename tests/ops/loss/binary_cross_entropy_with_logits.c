/* tests/ops/loss/binary_cross_entropy_with_logits.c - cases of heed_binary_cross_entropy_with_logits. */

#include "losses.h"

RUN(run, heed_binary_cross_entropy_with_logits(in[0], in[1], (heed_reduction)c->i[0]))

/* Far logits, limits, NaN. */
static heed_tensor *of_far(heed_tensor *x)
{
    heed_tensor *t = HEED_TENSOR(heed_dtype_of(x), HEED_SHAPE(9), 0, 1, 1, 0, 0.25, 1, 0, 0, 1);
    return heed_binary_cross_entropy_with_logits(x, t, HEED_REDUCTION_NONE);
}

#define FAR(dtype) HEED_TENSOR(dtype, HEED_SHAPE(9), 1e4, 1e4, -1e4, -1e4, 1e4, INFINITY, -INFINITY, NAN, NAN)
#define FAR_LOSSES 1e4, 0, 1e4, 0, 7500, 0, 0, NAN, NAN
#define FAR_GRADIENTS 1, 0, -1, 0, 0.75, 0, 0, NAN, NAN
GIVES(far_f64, of_far(FAR(HEED_F64)))
GIVES(far_f32, of_far(FAR(HEED_F32)))
GIVES(far_slope_f64, gradient(of_far, FAR(HEED_F64)))
GIVES(far_slope_f32, gradient(of_far, FAR(HEED_F32)))

/* The gradient is sigmoid(x) - t to the last bit. */
static heed_tensor *at_targets(heed_tensor *x)
{
    heed_tensor *t = heed_linspace(heed_dtype_of(x), 0, 1, 101);
    return heed_binary_cross_entropy_with_logits(x, t, HEED_REDUCTION_SUM);
}

static heed_tensor *slope_error(heed_dtype dtype)
{
    heed_tensor *x = heed_linspace(dtype, -8, 7, 101);
    heed_tensor *expected = heed_sub(heed_sigmoid(x), heed_linspace(dtype, 0, 1, 101));
    return heed_max(heed_abs(heed_sub(gradient(at_targets, x), expected)));
}

GIVES(error_f64, slope_error(HEED_F64))
GIVES(error_f32, slope_error(HEED_F32))

BAD_PAIRS(heed_binary_cross_entropy_with_logits(a, b, reduction))

const op_cases heed_cases_binary_cross_entropy_with_logits = {
    .cases = (const op_case[]){PAIR_SAMPLES(run, 0, .low = -2, .high = 2),
                               PAIR("(5, 7) far", run, DIMS(5, 7), HEED_REDUCTION_SUM, 0, .low = -20, .high = 20),
                               PAIR("(3) at 0", run, DIMS(3), HEED_REDUCTION_NONE, 0, .low = -1e-8, .high = 1e-8),
                               {0}},
    .values = (const op_value[]){{"far, f64", far_f64, DIMS(9), 0, (const double[]){FAR_LOSSES}},
                                 {"far, f32", far_f32, DIMS(9), 0, (const double[]){FAR_LOSSES}},
                                 {"far gradients, f64", far_slope_f64, DIMS(9), 0, (const double[]){FAR_GRADIENTS}},
                                 {"far gradients, f32", far_slope_f32, DIMS(9), 0, (const double[]){FAR_GRADIENTS}},
                                 {"gradient is exact, f64", error_f64, NO_DIMS, 0, (const double[]){0}},
                                 {"gradient is exact, f32", error_f32, NO_DIMS, 0, (const double[]){0}},
                                 {"mean of nothing", mean_of_nothing, NO_DIMS, 0, (const double[]){NAN}},
                                 {0}},
    .errors = (const op_error[]){BAD_PAIRS_ERRORS("binary_cross_entropy_with_logits"), {0}},
};
