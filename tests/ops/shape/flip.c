/* tests/ops/shape/flip.c - cases of heed_flip. */

#include "reductions.h"

RUN(run, heed_flip(in[0], c->shape))
RUN(twice, heed_flip(heed_flip(in[0], c->shape), HEED_AXES(-1)))

GIVES(row, heed_flip(counting(HEED_I64, HEED_SHAPE(3)), HEED_AXES(0)))
GIVES(columns, heed_flip(counting(HEED_F32, HEED_SHAPE(2, 3)), HEED_AXES(-1)))
GIVES(both, heed_flip(counting(HEED_F64, HEED_SHAPE(2, 3)), HEED_AXES(0, 1)))
GIVES(none, heed_flip(counting(HEED_F64, HEED_SHAPE(2, 3)), HEED_SCALAR))
GIVES(mask, heed_flip(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(3, 1), 0, 0, 1), HEED_AXES(0)))
GIVES(scalar, heed_flip(heed_ones(HEED_F64, HEED_SCALAR), HEED_SCALAR))

BAD_AXES(heed_flip(x, axes))

const op_cases heed_cases_flip = {
    .cases = (const op_case[]){ONE("()", run, NO_DIMS, .shape = NO_DIMS),
                               ONE("(1)", run, DIMS(1), .shape = DIMS(0)),
                               ONE("(5)", run, DIMS(5), .shape = DIMS(-1)),
                               ONE("(0)", run, DIMS(0), .shape = DIMS(0)),
                               ONE("(0, 3) 0 1", run, DIMS(0, 3), .shape = DIMS(0, 1)),
                               ONE("(2, 3) 0", run, DIMS(2, 3), .shape = DIMS(0)),
                               ONE("(2, 3) 1", run, DIMS(2, 3), .shape = DIMS(1)),
                               ONE("(2, 3) all", run, DIMS(2, 3), .shape = DIMS(0, 1)),
                               ONE("(2, 3) none", run, DIMS(2, 3), .shape = NO_DIMS),
                               ONE("(7, 1) 1", run, DIMS(7, 1), .shape = DIMS(1)),
                               ONE("(2, 3, 5) 0 2", run, DIMS(2, 3, 5), .shape = DIMS(2, 0)),
                               ONE("(2, 3, 1, 2, 2) 1 3 4", run, DIMS(2, 3, 1, 2, 2), .shape = DIMS(1, 3, 4)),
                               ONE("(3, 4) twice", twice, DIMS(3, 4), .shape = DIMS(0, 1)),
                               {0}},
    .values = (const op_value[]){{"a row, i64", row, DIMS(3), 0, (const double[]){2, 1, 0}},
                                 {"columns", columns, DIMS(2, 3), 0, (const double[]){2, 1, 0, 5, 4, 3}},
                                 {"both", both, DIMS(2, 3), 0, (const double[]){5, 4, 3, 2, 1, 0}},
                                 {"no axes", none, DIMS(2, 3), 0, (const double[]){0, 1, 2, 3, 4, 5}},
                                 {"bool", mask, DIMS(3, 1), 0, (const double[]){1, 0, 0}},
                                 {"()", scalar, NO_DIMS, 0, (const double[]){1}},
                                 {0}},
    .errors = (const op_error[]){BAD_AXES_ERRORS("flip"), {0}},
};
