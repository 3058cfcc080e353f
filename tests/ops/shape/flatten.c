/* tests/ops/shape/flatten.c - cases of heed_flatten. */

#include "functions.h"

RUN(run, heed_flatten(in[0], (int)c->i[0], (int)c->i[1]))

GIVES(middle, heed_flatten(counting(HEED_F32, HEED_SHAPE(1, 2, 3, 1)), 1, 2))
GIVES(transposed, heed_flatten(heed_transpose(counting(HEED_I64, HEED_SHAPE(2, 3)), 0, 1), 0, -1))
GIVES(nothing, heed_flatten(heed_ones(HEED_F32, HEED_SHAPE(3, 0, 4)), -2, -1))
GIVES(scalar, heed_flatten(heed_ones(HEED_F64, HEED_SCALAR), 0, -1))

GIVES(of_null, heed_flatten(NULL, 0, 1))
GIVES(backwards, heed_flatten(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 1, 0))
GIVES(no_start, heed_flatten(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 2, -1))
GIVES(no_end, heed_flatten(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 0, -3))

const op_cases heed_cases_flatten = {
    .cases = (const op_case[]){ONE("(2, 3, 4) behind 0", run, DIMS(2, 3, 4), .i = {1, -1}),
                               ONE("(2, 3) one axis", run, DIMS(2, 3), .i = {1, 1}),
                               ONE("(2, 3, 1, 2) all", run, DIMS(2, 3, 1, 2), .i = {0, 3}),
                               ONE("()", run, NO_DIMS, .i = {0, 0}),
                               {0}},
    .values = (const op_value[]){{"two of four", middle, DIMS(1, 6, 1), 0, (const double[]){0, 1, 2, 3, 4, 5}},
                                 {"transposed", transposed, DIMS(6), 0, (const double[]){0, 3, 1, 4, 2, 5}},
                                 {"nothing", nothing, DIMS(3, 0), 0, (const double[]){0}},
                                 {"scalar", scalar, DIMS(1), 0, (const double[]){1}},
                                 {0}},
    .errors = (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "flatten:"},
                                 {"backwards", backwards, HEED_ERR_SHAPE,
                                  "flatten: end axis 0 of (2, 3) is before start axis 1"},
                                 {"no start", no_start, HEED_ERR_SHAPE, "flatten: there is no axis 2"},
                                 {"no end", no_end, HEED_ERR_SHAPE, "flatten: there is no axis -3"},
                                 {0}},
};
