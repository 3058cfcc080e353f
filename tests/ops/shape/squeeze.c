/* tests/ops/shape/squeeze.c - cases of heed_squeeze. */

#include "functions.h"

#include <limits.h>

RUN(run, heed_squeeze(in[0], (int)c->i[0]))
RUN(of_flipped, heed_squeeze(flip_all(in[0]), (int)c->i[0]))

GIVES(middle, heed_squeeze(counting(HEED_I64, HEED_SHAPE(2, 1, 3)), 1))
GIVES(of_strided, heed_squeeze(heed_slice(counting(HEED_F32, HEED_SHAPE(3, 4)), 1, 1, 2, 1), -1))

GIVES(of_null, heed_squeeze(NULL, 0))
GIVES(of_scalar, heed_squeeze(heed_ones(HEED_F64, HEED_SCALAR), 0))
GIVES(size_3, heed_squeeze(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 1))
GIVES(size_0, heed_squeeze(heed_ones(HEED_F64, HEED_SHAPE(2, 0)), -1))
GIVES(outside, heed_squeeze(heed_ones(HEED_F64, HEED_SHAPE(1, 1)), 2))
GIVES(least, heed_squeeze(heed_ones(HEED_F64, HEED_SHAPE(1, 1)), INT_MIN))

const op_cases heed_cases_squeeze = {
    .cases = (const op_case[]){ONE("(1)", run, DIMS(1), .i = {0}),
                               ONE("(1, 5)", run, DIMS(1, 5), .i = {0}),
                               ONE("(7, 1) -1", run, DIMS(7, 1), .i = {-1}),
                               ONE("(1, 1) 1", run, DIMS(1, 1), .i = {1}),
                               ONE("(2, 1, 3) 1", run, DIMS(2, 1, 3), .i = {1}),
                               ONE("(0, 1) 1", run, DIMS(0, 1), .i = {1}),
                               ONE("(1, 0, 3) 0", run, DIMS(1, 0, 3), .i = {0}),
                               ONE("(2, 3, 1, 2, 2) -3", run, DIMS(2, 3, 1, 2, 2), .i = {-3}),
                               ONE("(3, 1, 2) flipped", of_flipped, DIMS(3, 1, 2), .i = {1}),
                               {0}},
    .values = (const op_value[]){{"i64", middle, DIMS(2, 3), 0, (const double[]){0, 1, 2, 3, 4, 5}},
                                 {"a column", of_strided, DIMS(3), 0, (const double[]){1, 5, 9}},
                                 {0}},
    .errors = (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "squeeze:"},
                                 {"()", of_scalar, HEED_ERR_SHAPE, "squeeze: there is no axis 0"},
                                 {"size 3", size_3, HEED_ERR_SHAPE, "squeeze: axis 1 of (2, 3) has size 3: must be 1"},
                                 {"size 0", size_0, HEED_ERR_SHAPE, "squeeze: axis 1 of (2, 0) has size 0: must be 1"},
                                 {"axis 2", outside, HEED_ERR_SHAPE, "squeeze: there is no axis 2"},
                                 {"INT_MIN", least, HEED_ERR_SHAPE, "squeeze: there is no axis -2147483648"},
                                 {0}},
};
