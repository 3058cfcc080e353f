/* tests/ops/shape/transpose.c - cases of heed_transpose. */

#include "functions.h"

#include <limits.h>

RUN(run, heed_transpose(in[0], (int)c->i[0], (int)c->i[1]))

GIVES(matrix, heed_transpose(counting(HEED_I64, HEED_SHAPE(2, 3)), 0, 1))
GIVES(outer, heed_transpose(counting(HEED_F32, HEED_SHAPE(2, 2, 2)), 0, -1))

GIVES(of_null, heed_transpose(NULL, 0, 1))
GIVES(of_scalar, heed_transpose(heed_ones(HEED_F64, HEED_SCALAR), 0, 0))
GIVES(first, heed_transpose(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 2, 0))
GIVES(second, heed_transpose(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 0, -3))
GIVES(least, heed_transpose(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), INT_MIN, INT_MAX))

const op_cases heed_cases_transpose = {
    .cases = (const op_case[]){ONE("(1) 0 0", run, DIMS(1), .i = {0, 0}),
                               ONE("(5) 0 -1", run, DIMS(5), .i = {0, -1}),
                               ONE("(2, 3) 0 1", run, DIMS(2, 3), .i = {0, 1}),
                               ONE("(2, 3) -1 0", run, DIMS(2, 3), .i = {-1, 0}),
                               ONE("(2, 3) 1 1", run, DIMS(2, 3), .i = {1, 1}),
                               ONE("(7, 1) 0 1", run, DIMS(7, 1), .i = {0, 1}),
                               ONE("(0, 3) 0 1", run, DIMS(0, 3), .i = {0, 1}),
                               ONE("(2, 3, 5) 0 2", run, DIMS(2, 3, 5), .i = {0, 2}),
                               ONE("(2, 3, 5) 1 2", run, DIMS(2, 3, 5), .i = {1, 2}),
                               ONE("(2, 3, 1, 2, 2) 1 4", run, DIMS(2, 3, 1, 2, 2), .i = {1, 4}),
                               {0}},
    .values = (const op_value[]){{"i64", matrix, DIMS(3, 2), 0, (const double[]){0, 3, 1, 4, 2, 5}},
                                 {"(2, 2, 2) 0 -1", outer, DIMS(2, 2, 2), 0, (const double[]){0, 4, 2, 6, 1, 5, 3, 7}},
                                 {0}},
    .errors = (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "transpose:"},
                                 {"()", of_scalar, HEED_ERR_SHAPE, "transpose: there is no axis 0"},
                                 {"axis 2", first, HEED_ERR_SHAPE, "transpose: there is no axis 2"},
                                 {"axis -3", second, HEED_ERR_SHAPE, "transpose: there is no axis -3"},
                                 {"INT_MIN", least, HEED_ERR_SHAPE, "transpose: there is no axis -2147483648"},
                                 {0}},
};
