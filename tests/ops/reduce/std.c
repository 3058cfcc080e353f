/* tests/ops/reduce/std.c - cases of heed_std and heed_std_axes. */

#include "reductions.h"

RUN(run, heed_std_axes(in[0], c->shape, (int)c->i[1], c->i[0]))
RUN(everything, heed_std(in[0], 0))

#define STD(name_, dims, axes, keepdim, correction)                                                                    \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 1, .in = {{.shape = dims, .distinct = true}},                           \
        .i = {keepdim, correction}, .shape = axes                                                                      \
    }

static heed_tensor *whole_std(heed_tensor *x)
{
    return heed_std(x, 1);
}

GIVES(all, heed_std(HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 1, 3, 5, 7), 0))
GIVES(axis_1, heed_std_axes(HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 1, 3, 5, 5), HEED_AXES(1), 0, true))
GIVES(of_one, heed_std(heed_ones(HEED_F64, HEED_SHAPE(1)), 1))
GIVES(of_nan, heed_std(HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1, NAN), 1))
GIVES(no_spread, gradient(whole_std, heed_full(HEED_F64, HEED_SHAPE(3), 2)))

BAD_AXES(heed_std_axes(x, axes, 1, false))
BAD_DTYPES(heed_std(x, 1))

const op_cases heed_cases_std = {
    .cases = (const op_case[]){STD("(5)", DIMS(5), NO_DIMS, false, 1),
                               STD("(5, 7) axis 0", DIMS(5, 7), DIMS(0), false, 0),
                               STD("(5, 7) axis 1 keepdim", DIMS(5, 7), DIMS(-1), true, 1),
                               STD("(2, 3, 5) axes 0 2", DIMS(2, 3, 5), DIMS(0, 2), false, 2),
                               STD("(0, 3) axis 1", DIMS(0, 3), DIMS(1), false, 1),
                               ONE("(2, 3) whole", everything, DIMS(2, 3), .i = {0}),
                               {0}},
    .values = (const op_value[]){{"all", all, NO_DIMS, 1e-16, (const double[]){2.23606797749979}},
                                 {"axis 1 keepdim", axis_1, DIMS(2, 1), 0, (const double[]){1, 0}},
                                 {"of one", of_one, NO_DIMS, 0, (const double[]){NAN}},
                                 {"of NaN", of_nan, NO_DIMS, 0, (const double[]){NAN}},
                                 {"gradient without spread", no_spread, DIMS(3), 0, (const double[]){0, 0, 0}},
                                 {0}},
    .errors = (const op_error[]){BAD_AXES_ERRORS("std_axes"), BAD_DTYPES_ERRORS("std"), {0}},
};
