/* tests/ops/shape/select.c - cases of heed_select. */

#include "functions.h"

#include <limits.h>

RUN(run, heed_select(in[0], (int)c->i[0], c->i[1]))

GIVES(row, heed_select(counting(HEED_I64, HEED_SHAPE(2, 3)), 0, 1))
GIVES(column, heed_select(counting(HEED_F32, HEED_SHAPE(2, 3)), -1, -2))
GIVES(element, heed_select(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(3), 0, 1, 0), 0, 1))

GIVES(of_null, heed_select(NULL, 0, 0))
GIVES(of_scalar, heed_select(heed_ones(HEED_F64, HEED_SCALAR), 0, 0))
GIVES(axis_2, heed_select(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 2, 0))
GIVES(axis_least, heed_select(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), INT_MIN, 0))
GIVES(behind, heed_select(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 1, 3))
GIVES(before, heed_select(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 1, -4))
GIVES(least, heed_select(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 0, INT64_MIN))
GIVES(most, heed_select(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 0, INT64_MAX))
GIVES(of_nothing, heed_select(heed_ones(HEED_F64, HEED_SHAPE(0, 3)), 0, 0))

const op_cases heed_cases_select = {
    .cases = (const op_case[]){ONE("(1) 0", run, DIMS(1), .i = {0, 0}),
                               ONE("(5) 3", run, DIMS(5), .i = {0, 3}),
                               ONE("(5) -1", run, DIMS(5), .i = {0, -1}),
                               ONE("(2, 3) row 1", run, DIMS(2, 3), .i = {0, 1}),
                               ONE("(2, 3) column 0", run, DIMS(2, 3), .i = {1, 0}),
                               ONE("(7, 1) column 0", run, DIMS(7, 1), .i = {-1, 0}),
                               ONE("(0, 3) column 2", run, DIMS(0, 3), .i = {1, 2}),
                               ONE("(2, 3, 5) axis 1", run, DIMS(2, 3, 5), .i = {1, 1}),
                               ONE("(2, 3, 1, 2, 2) axis -2", run, DIMS(2, 3, 1, 2, 2), .i = {-2, -2}),
                               {0}},
    .values = (const op_value[]){{"row", row, DIMS(3), 0, (const double[]){3, 4, 5}},
                                 {"column", column, DIMS(2), 0, (const double[]){1, 4}},
                                 {"element", element, NO_DIMS, 0, (const double[]){1}},
                                 {0}},
    .errors = (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "select:"},
                                 {"()", of_scalar, HEED_ERR_SHAPE, "select: there is no axis 0"},
                                 {"axis 2", axis_2, HEED_ERR_SHAPE, "select: there is no axis 2"},
                                 {"axis INT_MIN", axis_least, HEED_ERR_SHAPE, "select: there is no axis -2147483648"},
                                 {"3", behind, HEED_ERR_INDEX, "select: index 3 is outside axis 1 of (2, 3)"},
                                 {"-4", before, HEED_ERR_INDEX, "select: index -4 is outside axis 1 of (2, 3)"},
                                 {"INT64_MIN", least, HEED_ERR_INDEX, "select: index -9223372036854775808 "},
                                 {"INT64_MAX", most, HEED_ERR_INDEX, "select: index 9223372036854775807 "},
                                 {"of nothing", of_nothing, HEED_ERR_INDEX, "select: index 0 is outside"},
                                 {0}},
};
