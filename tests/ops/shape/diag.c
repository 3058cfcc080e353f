/* tests/ops/shape/diag.c - cases of heed_diag. */

#include "functions.h"

RUN(run, heed_diag(in[0], c->i[0]))

#define OF_2(offset) heed_diag(HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 1, 2), offset)
GIVES(matrix, OF_2(0))
GIVES(above, OF_2(1))
GIVES(below, OF_2(-1))
GIVES(of_matrix, heed_diag(counting(HEED_I64, HEED_SHAPE(2, 3)), 1))
GIVES(mask, heed_diag(heed_ones(HEED_BOOL, HEED_SHAPE(2)), 0))
GIVES(nothing, heed_diag(heed_ones(HEED_F64, HEED_SHAPE(0)), -2))

GIVES(of_null, heed_diag(NULL, 0))
GIVES(of_scalar, heed_diag(heed_ones(HEED_F64, HEED_SCALAR), 0))
GIVES(of_rank_3, heed_diag(heed_ones(HEED_F64, HEED_SHAPE(1, 1, 1)), 0))
GIVES(lowest, OF_2(INT64_MIN))
GIVES(highest, OF_2(INT64_MAX))
GIVES(vast, OF_2(INT64_C(1) << 40))

const op_cases heed_cases_diag = {
    .cases = (const op_case[]){ONE("(1)", run, DIMS(1), .i = {0}),
                               ONE("(3)", run, DIMS(3), .i = {0}),
                               ONE("(3) 2", run, DIMS(3), .i = {2}),
                               ONE("(2) -1", run, DIMS(2), .i = {-1}),
                               ONE("(0)", run, DIMS(0), .i = {0}),
                               ONE("(0) 2", run, DIMS(0), .i = {2}),
                               ONE("(2, 3) 1", run, DIMS(2, 3), .i = {1}),
                               ONE("(5, 2) -3", run, DIMS(5, 2), .i = {-3}),
                               {0}},
    .values = (const op_value[]){{"matrix", matrix, DIMS(2, 2), 0, (const double[]){1, 0, 0, 2}},
                                 {"above", above, DIMS(3, 3), 0, (const double[]){0, 1, 0, 0, 0, 2, 0, 0, 0}},
                                 {"below", below, DIMS(3, 3), 0, (const double[]){0, 0, 0, 1, 0, 0, 0, 2, 0}},
                                 {"of a matrix", of_matrix, DIMS(2), 0, (const double[]){1, 5}},
                                 {"bool", mask, DIMS(2, 2), 0, (const double[]){1, 0, 0, 1}},
                                 {"of nothing", nothing, DIMS(2, 2), 0, (const double[]){0, 0, 0, 0}},
                                 {0}},
    .errors = (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "diag:"},
                                 {"()", of_scalar, HEED_ERR_SHAPE, "diag: () is neither a vector nor a matrix"},
                                 {"(1, 1, 1)", of_rank_3, HEED_ERR_SHAPE, "diag: (1, 1, 1) is neither"},
                                 {"INT64_MIN", lowest, HEED_ERR_SHAPE,
                                  "diag: offset is -9223372036854775808: the matrix would be too large"},
                                 {"INT64_MAX", highest,
                                  HEED_ERR_SHAPE, "diag: offset is 9223372036854775807: the matrix would be too large"},
                                 {"2^40", vast, HEED_ERR_SHAPE, "diag: (1099511627778, 1099511627778)"},
                                 {0}},
};
