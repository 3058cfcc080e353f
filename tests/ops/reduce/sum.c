/* tests/ops/reduce/sum.c - cases of heed_sum and heed_sum_axes. */

#include "reductions.h"

RUN(run, heed_sum_axes(in[0], c->shape, c->i[0]))
RUN(everything, heed_sum(in[0]))

GIVES(all, heed_sum(counting(HEED_F64, HEED_SHAPE(2, 3))))
GIVES(axis_0, heed_sum_axes(counting(HEED_F32, HEED_SHAPE(2, 3)), HEED_AXES(0), false))
GIVES(axis_1_kept, heed_sum_axes(counting(HEED_F64, HEED_SHAPE(2, 3)), HEED_AXES(1), true))
GIVES(axes_0_2, heed_sum_axes(counting(HEED_F64, HEED_SHAPE(2, 3, 2)), HEED_AXES(2, 0), false))
GIVES(of_nothing, heed_sum(heed_zeros(HEED_F64, HEED_SHAPE(0))))
GIVES(rows_of_nothing, heed_sum_axes(heed_zeros(HEED_F64, HEED_SHAPE(0, 3)), HEED_AXES(0), false))
GIVES(special,
      heed_sum_axes(HEED_TENSOR(HEED_F64, HEED_SHAPE(4, 2), NAN, 1, INFINITY, 1, INFINITY, -INFINITY, 1e300, -1e300),
                    HEED_AXES(1), false))
GIVES(of_flipped, heed_sum_axes(heed_flip(counting(HEED_F64, HEED_SHAPE(2, 3)), HEED_AXES(0, 1)), HEED_AXES(0), false))
GIVES(of_expanded, heed_sum(heed_expand(heed_full(HEED_F64, HEED_SCALAR, 0.5), HEED_SHAPE(1000, 7))))

/* Longer than a chunk of the reduction, along every kind of axis. */
GIVES(long_row, heed_sum(heed_ones(HEED_F32, HEED_SHAPE(200001))))
GIVES(long_column, heed_sum_axes(heed_ones(HEED_F64, HEED_SHAPE(70001, 2)), HEED_AXES(0), false))
GIVES(long_middle, heed_sum_axes(heed_ones(HEED_F64, HEED_SHAPE(2, 40001, 3)), HEED_AXES(1), false))
GIVES(tenths, heed_sum(heed_full(HEED_F32, HEED_SHAPE(1000000), 0.1)))

BAD_AXES(heed_sum_axes(x, axes, false))
GIVES(whole_columns, heed_sum_axes(whole_numbers(), HEED_AXES(0), false))
GIVES(whole_rows, heed_sum_axes(whole_numbers(), HEED_AXES(1), false))
GIVES(whole_transposed, heed_sum_axes(heed_transpose(whole_numbers(), 0, 1), HEED_AXES(1), false))
GIVES(wrapped, heed_sum(heed_full(HEED_I64, HEED_SHAPE(4), 0x1p62)))
GIVES(counted, heed_sum(heed_compare_scalar(heed_arange(HEED_F32, 0, 200001, 1), HEED_COMPARE_GE, 1)))
GIVES(counted_rows, heed_sum_axes(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2, 3), 1, 0, 1, 0, 0, 1), HEED_AXES(1), true))
GIVES(none_counted, heed_sum_axes(heed_ones(HEED_BOOL, HEED_SHAPE(0, 2)), HEED_AXES(0), false))
GIVES(many, heed_sum(heed_arange(HEED_I64, 0, 200001, 1)))

const op_cases heed_cases_sum = {
    .cases = (const op_case[]){REDUCTION_SAMPLES(run, .low = -2, .high = 2),
                               REDUCTION("(0)", run, DIMS(0), NO_DIMS, false, .low = -2, .high = 2),
                               REDUCTION("(0, 3) axis 0", run, DIMS(0, 3), DIMS(0), false, .low = -2, .high = 2),
                               REDUCTION("(3, 0, 2) axis 1 keepdim", run, DIMS(3, 0, 2), DIMS(1), true, .low = -2,
                                         .high = 2),
                               REDUCTION("(5, 7) of 1e8", run, DIMS(5, 7), DIMS(1), false, .low = 1e8, .high = 2e8),
                               ONE("(2, 3) whole", everything, DIMS(2, 3), .i = {0}),
                               {0}},
    .values = (const op_value[]){{"i64 axis 0", whole_columns, DIMS(3), 0, (const double[]){-1, 5, -5}},
                                 {"i64 axis 1", whole_rows, DIMS(2), 0, (const double[]){-0x1p63, 0x1p63}},
                                 {"i64 transposed", whole_transposed, DIMS(3), 0, (const double[]){-1, 5, -5}},
                                 {"i64 wrapped", wrapped, NO_DIMS, 0, (const double[]){0}},
                                 {"counted", counted, NO_DIMS, 0, (const double[]){200000}},
                                 {"counted rows", counted_rows, DIMS(2, 1), 0, (const double[]){2, 1}},
                                 {"none counted", none_counted, DIMS(2), 0, (const double[]){0, 0}},
                                 {"many i64", many, NO_DIMS, 0, (const double[]){20000100000}},
                                 {"all", all, NO_DIMS, 0, (const double[]){15}},
                                 {"axis 0", axis_0, DIMS(3), 0, (const double[]){3, 5, 7}},
                                 {"axis 1 keepdim", axis_1_kept, DIMS(2, 1), 0, (const double[]){3, 12}},
                                 {"axes 2 0", axes_0_2, DIMS(3), 0, (const double[]){14, 22, 30}},
                                 {"of nothing", of_nothing, NO_DIMS, 0, (const double[]){0}},
                                 {"rows of nothing", rows_of_nothing, DIMS(3), 0, (const double[]){0, 0, 0}},
                                 {"special values", special, DIMS(4), 0, (const double[]){NAN, INFINITY, NAN, 0}},
                                 {"flipped", of_flipped, DIMS(3), 0, (const double[]){7, 5, 3}},
                                 {"expanded", of_expanded, NO_DIMS, 0, (const double[]){3500}},
                                 {"long row", long_row, NO_DIMS, 0, (const double[]){200001}},
                                 {"long column", long_column, DIMS(2), 0, (const double[]){70001, 70001}},
                                 {"long middle", long_middle, DIMS(2, 3), 0,
                                  (const double[]){40001, 40001, 40001, 40001, 40001, 40001}},
                                 {"a million tenths", tenths, NO_DIMS, 1e-6, (const double[]){100000}},
                                 {0}},
    .errors = (const op_error[]){BAD_AXES_ERRORS("sum_axes"), {0}},
};
