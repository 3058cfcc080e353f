/* tests/ops/reduce/var.c - cases of heed_var and heed_var_axes. */

#include "reductions.h"

RUN(run, heed_var_axes(in[0], c->shape, 0, c->i[0]))
RUN(unbiased, heed_var_axes(in[0], c->shape, 1, c->i[0]))
RUN(everything, heed_var(in[0], 1))

GIVES(all, heed_var(counting(HEED_F64, HEED_SHAPE(2, 3)), 1))
GIVES(axis_0, heed_var_axes(counting(HEED_F32, HEED_SHAPE(2, 3)), HEED_AXES(0), 0, false))
GIVES(axes_0_2, heed_var_axes(counting(HEED_F64, HEED_SHAPE(2, 3, 2)), HEED_AXES(0, 2), 1, true))
GIVES(of_one, heed_var(heed_ones(HEED_F64, HEED_SHAPE(1)), 1))
GIVES(over_corrected, heed_var(counting(HEED_F64, HEED_SHAPE(2)), 5))
GIVES(of_nothing, heed_var(heed_zeros(HEED_F64, HEED_SHAPE(0)), 0))
/* Far from 0, so that E[x^2] - E[x]^2 would lose all digits. */
GIVES(far_away, heed_var(heed_add_scalar(counting(HEED_F64, HEED_SHAPE(5)), 1e9), 1))

BAD_AXES(heed_var_axes(x, axes, 1, false))
BAD_DTYPES(heed_var(x, 1))

const op_cases heed_cases_var = {
    .cases = (const op_case[]){REDUCTION_SAMPLES(run, .low = -2, .high = 2),
                               REDUCTION("(5, 7) unbiased", unbiased, DIMS(5, 7), DIMS(1), false, .low = -2, .high = 2),
                               REDUCTION("(5, 7) of 1e-4", run, DIMS(5, 7), DIMS(1), false, .low = -1e-4, .high = 1e-4),
                               ONE("(2, 3) whole", everything, DIMS(2, 3), .i = {0}),
                               {0}},
    .values = (const op_value[]){{"all", all, NO_DIMS, 1e-16, (const double[]){3.5}},
                                 {"axis 0", axis_0, DIMS(3), 0, (const double[]){2.25, 2.25, 2.25}},
                                 {"axes 0 2 keepdim", axes_0_2, DIMS(1, 3, 1), 1e-15,
                                  (const double[]){37.0 / 3, 37.0 / 3, 37.0 / 3}},
                                 {"of one", of_one, NO_DIMS, 0, (const double[]){NAN}},
                                 {"over-corrected", over_corrected, NO_DIMS, 0, (const double[]){INFINITY}},
                                 {"of nothing", of_nothing, NO_DIMS, 0, (const double[]){NAN}},
                                 {"far away", far_away, NO_DIMS, 0, (const double[]){2.5}},
                                 {0}},
    .errors = (const op_error[]){BAD_AXES_ERRORS("var_axes"), BAD_DTYPES_ERRORS("var"), {0}},
};
