/* tests/ops/reduce/min.c - cases of heed_min and heed_min_axes. */

#include "reductions.h"

RUN(run, heed_min_axes(in[0], c->shape, c->i[0]))
RUN(everything, heed_min(in[0]))

GIVES(axis_0, heed_min_axes(HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 3), 1, 5, -3, 4, 2, -6), HEED_AXES(0), false))
GIVES(axis_1, heed_min_axes(HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), 1, 5, -3, 4, 2, -6), HEED_AXES(1), true))
GIVES(special, heed_min_axes(HEED_TENSOR(HEED_F64, HEED_SHAPE(5, 2), NAN, 1, 1, NAN, INFINITY, INFINITY, -INFINITY, 2,
                                         NAN, -INFINITY),
                             HEED_AXES(-1), false))
GIVES(early_nan, heed_min(heed_concat((heed_tensor *[]){HEED_TENSOR(HEED_F32, HEED_SHAPE(2), NAN, 1),
                                                        heed_arange(HEED_F32, 0, 200000, 1)},
                                      2, 0)))
GIVES(long_row, heed_min(heed_arange(HEED_F64, 200000, -1, -1)))
GIVES(ties, gradient(heed_min, HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 1, 1, 3, 1)))
GIVES(nan_gradient, gradient(heed_min, HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1, NAN)))

GIVES(of_nothing, heed_min(heed_zeros(HEED_F64, HEED_SHAPE(0))))
GIVES(empty_columns, heed_min_axes(heed_zeros(HEED_F64, HEED_SHAPE(0, 3)), HEED_AXES(0), false))
BAD_AXES(heed_min_axes(x, axes, false))
GIVES(whole_columns, heed_min_axes(whole_numbers(), HEED_AXES(0), false))
GIVES(whole_rows, heed_min_axes(whole_numbers(), HEED_AXES(1), false))
GIVES(whole_transposed, heed_min_axes(heed_transpose(whole_numbers(), 0, 1), HEED_AXES(1), false))
BAD_BOOL(heed_min(x))

const op_cases heed_cases_min = {
    .cases = (const op_case[]){REDUCTION_SAMPLES(run, .distinct = true, .low = -2, .high = 2),
                               ONE("(2, 3) whole", everything, DIMS(2, 3), .i = {0}),
                               {0}},
    .values =
        (const op_value[]){
            {"i64 axis 0", whole_columns, DIMS(3), 0, (const double[]){-0x1p63, 0, -3}},
            {"i64 axis 1", whole_rows, DIMS(2), 0, (const double[]){-0x1p63, -2}},
            {"i64 transposed", whole_transposed, DIMS(3), 0, (const double[]){-0x1p63, 0, -3}},
            {"axis 0", axis_0, DIMS(3), 0, (const double[]){1, 2, -6}},
            {"axis 1 keepdim", axis_1, DIMS(2, 1), 0, (const double[]){-3, -6}},
            {"special values", special, DIMS(5), 0, (const double[]){NAN, NAN, INFINITY, -INFINITY, NAN}},
            {"NaN in the first chunk", early_nan, NO_DIMS, 0, (const double[]){NAN}},
            {"long row", long_row, NO_DIMS, 0, (const double[]){0}},
            {"gradient of ties", ties, DIMS(2, 2), 1e-15, (const double[]){1.0 / 3, 1.0 / 3, 0, 1.0 / 3}},
            {"gradient of NaN", nan_gradient, DIMS(2), 0, (const double[]){NAN, NAN}},
            {0}},
    .errors = (const op_error[]){{"of nothing", of_nothing, HEED_ERR_SHAPE, "min: axis 0 of (0) is empty"},
                                 {"empty axis", empty_columns, HEED_ERR_SHAPE, "min: axis 0 of (0, 3) is empty"},
                                 BAD_AXES_ERRORS("min_axes"),
                                 BAD_BOOL_ERRORS("min"),
                                 {0}},
};
