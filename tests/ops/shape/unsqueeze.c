/* tests/ops/shape/unsqueeze.c - cases of heed_unsqueeze. */

#include "functions.h"

#include <limits.h>

RUN(run, heed_unsqueeze(in[0], (int)c->i[0]))
RUN(of_flipped, heed_unsqueeze(flip_all(in[0]), (int)c->i[0]))

GIVES(before, heed_unsqueeze(counting(HEED_I64, HEED_SHAPE(3)), 0))
GIVES(behind, heed_unsqueeze(counting(HEED_F32, HEED_SHAPE(3)), -1))
GIVES(between, heed_unsqueeze(heed_transpose(counting(HEED_F64, HEED_SHAPE(2, 3)), 0, 1), 1))

GIVES(of_null, heed_unsqueeze(NULL, 0))
GIVES(rank_8, heed_unsqueeze(heed_ones(HEED_F64, HEED_SHAPE(1, 1, 1, 1, 1, 1, 1, 2)), 0))
GIVES(outside, heed_unsqueeze(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 3))
GIVES(below, heed_unsqueeze(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), -4))
GIVES(least, heed_unsqueeze(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), INT_MIN))

const op_cases heed_cases_unsqueeze = {
    .cases = (const op_case[]){ONE("() 0", run, NO_DIMS, .i = {0}),
                               ONE("() -1", run, NO_DIMS, .i = {-1}),
                               ONE("(1) 0", run, DIMS(1), .i = {0}),
                               ONE("(5) 1", run, DIMS(5), .i = {1}),
                               ONE("(2, 3) 0", run, DIMS(2, 3), .i = {0}),
                               ONE("(2, 3) 1", run, DIMS(2, 3), .i = {1}),
                               ONE("(2, 3) -1", run, DIMS(2, 3), .i = {-1}),
                               ONE("(0, 3) -2", run, DIMS(0, 3), .i = {-2}),
                               ONE("(2, 3, 1, 2, 2) 3", run, DIMS(2, 3, 1, 2, 2), .i = {3}),
                               ONE("(3, 2) flipped", of_flipped, DIMS(3, 2), .i = {1}),
                               {0}},
    .values = (const op_value[]){{"before", before, DIMS(1, 3), 0, (const double[]){0, 1, 2}},
                                 {"behind", behind, DIMS(3, 1), 0, (const double[]){0, 1, 2}},
                                 {"between", between, DIMS(3, 1, 2), 0, (const double[]){0, 3, 1, 4, 2, 5}},
                                 {0}},
    .errors = (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "unsqueeze:"},
                                 {"rank 8", rank_8, HEED_ERR_SHAPE, "unsqueeze: (1, 1, 1, 1, 1, 1, 1, 2)"},
                                 {"axis 3", outside, HEED_ERR_SHAPE, "unsqueeze: there is no axis 3"},
                                 {"axis -4", below, HEED_ERR_SHAPE, "unsqueeze: there is no axis -4"},
                                 {"INT_MIN", least, HEED_ERR_SHAPE, "unsqueeze: there is no axis -2147483648"},
                                 {0}},
};
