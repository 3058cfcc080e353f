/* tests/ops/reduce/mean.c - cases of heed_mean and heed_mean_axes. */

#include "reductions.h"

RUN(run, heed_mean_axes(in[0], c->shape, c->i[0]))
RUN(everything, heed_mean(in[0]))

GIVES(all, heed_mean(counting(HEED_F64, HEED_SHAPE(2, 3))))
GIVES(axis_0, heed_mean_axes(counting(HEED_F32, HEED_SHAPE(2, 3)), HEED_AXES(0), false))
GIVES(axes_0_2, heed_mean_axes(counting(HEED_F64, HEED_SHAPE(2, 3, 2)), HEED_AXES(0, 2), true))
GIVES(of_nothing, heed_mean(heed_zeros(HEED_F64, HEED_SHAPE(0))))
GIVES(empty_columns, heed_mean_axes(heed_zeros(HEED_F64, HEED_SHAPE(0, 2)), HEED_AXES(0), false))
GIVES(forty_nine_ones, heed_mean(heed_ones(HEED_F64, HEED_SHAPE(49))))

BAD_AXES(heed_mean_axes(x, axes, false))
BAD_DTYPES(heed_mean(x))

const op_cases heed_cases_mean = {
    .cases = (const op_case[]){REDUCTION_SAMPLES(run, .low = -2, .high = 2),
                               REDUCTION("(5, 7) of 1e-8", run, DIMS(5, 7), DIMS(1), false, .low = -1e-8, .high = 1e-8),
                               ONE("(2, 3) whole", everything, DIMS(2, 3), .i = {0}),
                               {0}},
    .values = (const op_value[]){{"all", all, NO_DIMS, 0, (const double[]){2.5}},
                                 {"axis 0", axis_0, DIMS(3), 0, (const double[]){1.5, 2.5, 3.5}},
                                 {"axes 0 2 keepdim", axes_0_2, DIMS(1, 3, 1), 0, (const double[]){3.5, 5.5, 7.5}},
                                 {"of nothing", of_nothing, NO_DIMS, 0, (const double[]){NAN}},
                                 {"empty columns", empty_columns, DIMS(2), 0, (const double[]){NAN, NAN}},
                                 {"49 ones", forty_nine_ones, NO_DIMS, 0, (const double[]){1}},
                                 {0}},
    .errors = (const op_error[]){BAD_AXES_ERRORS("mean_axes"), BAD_DTYPES_ERRORS("mean"), {0}},
};
