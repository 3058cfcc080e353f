/* tests/ops/shape/expand.c - cases of heed_expand. */

#include "functions.h"

RUN(run, heed_expand(in[0], c->shape))
RUN(twice, heed_expand(heed_unsqueeze(heed_expand(in[0], HEED_SHAPE(2, 3)), 1), c->shape))

GIVES(row, heed_expand(counting(HEED_I64, HEED_SHAPE(3)), HEED_SHAPE(2, 3)))
GIVES(column, heed_expand(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2, 1), 0, 1), HEED_SHAPE(2, 3)))
GIVES(to_nothing, heed_expand(heed_ones(HEED_F32, HEED_SCALAR), HEED_SHAPE(0, 3)))

/* More elements than memory can hold. */
GIVES(vast, heed_select(heed_expand(heed_full(HEED_F64, HEED_SCALAR, 7), HEED_SHAPE(INT64_C(1) << 62)), 0, -1))

GIVES(of_null, heed_expand(NULL, HEED_SHAPE(2)))
GIVES(smaller, heed_expand(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), HEED_SHAPE(3)))
GIVES(other, heed_expand(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), HEED_SHAPE(4, 3)))
GIVES(to_one, heed_expand(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), HEED_SHAPE(2, 1)))
GIVES(to_empty, heed_expand(heed_ones(HEED_F64, HEED_SHAPE(2)), HEED_SHAPE(0)))
GIVES(negative, heed_expand(heed_ones(HEED_F64, HEED_SHAPE(1)), HEED_SHAPE(-1)))
GIVES(overflow, heed_expand(heed_ones(HEED_F64, HEED_SHAPE(1)), HEED_SHAPE(INT64_MAX, 2)))
GIVES(rank_9, heed_expand(heed_ones(HEED_F64, HEED_SHAPE(1)), RANK_9))
GIVES(rank_below_0, heed_expand(heed_ones(HEED_F64, HEED_SHAPE(1)), RANK_BELOW_0))

const op_cases heed_cases_expand = {
    .cases = (const op_case[]){ONE("() to ()", run, NO_DIMS, .shape = NO_DIMS),
                               ONE("() to (2, 3)", run, NO_DIMS, .shape = DIMS(2, 3)),
                               ONE("(1) to (5)", run, DIMS(1), .shape = DIMS(5)),
                               ONE("(5) to (5)", run, DIMS(5), .shape = DIMS(5)),
                               ONE("(3) to (2, 3)", run, DIMS(3), .shape = DIMS(2, 3)),
                               ONE("(3, 1) to (3, 4)", run, DIMS(3, 1), .shape = DIMS(3, 4)),
                               ONE("(7, 1) to (2, 7, 3)", run, DIMS(7, 1), .shape = DIMS(2, 7, 3)),
                               ONE("(2, 1, 5) to (2, 3, 5)", run, DIMS(2, 1, 5), .shape = DIMS(2, 3, 5)),
                               ONE("(1, 3, 1) to (2, 2, 3, 2)", run, DIMS(1, 3, 1), .shape = DIMS(2, 2, 3, 2)),
                               ONE("(1, 2, 1, 2, 1) to (3, 2, 2, 2, 1)", run, DIMS(1, 2, 1, 2, 1),
                                   .shape = DIMS(3, 2, 2, 2, 1)),
                               ONE("(1) to (0)", run, DIMS(1), .shape = DIMS(0)),
                               ONE("(0, 1) to (2, 0, 3)", run, DIMS(0, 1), .shape = DIMS(2, 0, 3)),
                               ONE("(2, 1) twice", twice, DIMS(2, 1), .shape = DIMS(2, 2, 3)),
                               {0}},
    .values = (const op_value[]){{"a row", row, DIMS(2, 3), 0, (const double[]){0, 1, 2, 0, 1, 2}},
                                 {"a column", column, DIMS(2, 3), 0, (const double[]){0, 0, 0, 1, 1, 1}},
                                 {"to nothing", to_nothing, DIMS(0, 3), 0, (const double[]){0}},
                                 {"2^62", vast, NO_DIMS, 0, (const double[]){7}},
                                 {0}},
    .errors = (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "expand:"},
                                 {"to (3)", smaller, HEED_ERR_SHAPE, "expand: (2, 3) does not broadcast to (3)"},
                                 {"to (4, 3)", other, HEED_ERR_SHAPE, "expand: (2, 3) does not broadcast to (4, 3)"},
                                 {"to (2, 1)", to_one, HEED_ERR_SHAPE, "expand: (2, 3) does not broadcast to (2, 1)"},
                                 {"to (0)", to_empty, HEED_ERR_SHAPE, "expand: (2) does not broadcast to (0)"},
                                 {"to (-1)", negative, HEED_ERR_SHAPE, "expand: (-1)"},
                                 {"overflow", overflow, HEED_ERR_SHAPE, "expand: (9223372036854775807, 2)"},
                                 {"rank 9", rank_9, HEED_ERR_SHAPE, "expand:"},
                                 {"rank -1", rank_below_0, HEED_ERR_SHAPE, "expand:"},
                                 {0}},
};
