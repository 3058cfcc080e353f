/* tests/ops/reduce/sum_to.c - cases of heed_sum_to. */

#include "reductions.h"

RUN(run, heed_sum_to(in[0], c->shape))

GIVES(to_row, heed_sum_to(counting(HEED_F64, HEED_SHAPE(2, 3)), HEED_SHAPE(3)))
GIVES(to_column, heed_sum_to(counting(HEED_F32, HEED_SHAPE(2, 3)), HEED_SHAPE(2, 1)))
GIVES(to_middle, heed_sum_to(counting(HEED_F64, HEED_SHAPE(2, 3, 2)), HEED_SHAPE(3, 1)))
GIVES(of_nothing, heed_sum_to(heed_zeros(HEED_F64, HEED_SHAPE(0, 3)), HEED_SHAPE(1, 3)))

GIVES(of_null, heed_sum_to(NULL, HEED_SCALAR))
GIVES(too_large, heed_sum_to(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), HEED_SHAPE(2, 2, 3)))
GIVES(other, heed_sum_to(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), HEED_SHAPE(2)))
GIVES(wider, heed_sum_to(heed_ones(HEED_F64, HEED_SHAPE(2, 1)), HEED_SHAPE(2, 3)))
GIVES(to_empty, heed_sum_to(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), HEED_SHAPE(0, 3)))
GIVES(negative, heed_sum_to(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), HEED_SHAPE(-1)))
GIVES(rank_9, heed_sum_to(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), RANK_9))
BAD_DTYPES(heed_sum_to(x, HEED_SHAPE(2, 3)))

const op_cases heed_cases_sum_to = {
    .cases = (const op_case[]){ONE("() to ()", run, NO_DIMS, .shape = NO_DIMS),
                               ONE("(1) to ()", run, DIMS(1), .shape = NO_DIMS),
                               ONE("(5) to (1)", run, DIMS(5), .shape = DIMS(1)),
                               ONE("(2, 3) to ()", run, DIMS(2, 3), .shape = NO_DIMS),
                               ONE("(2, 3) to (3)", run, DIMS(2, 3), .shape = DIMS(3)),
                               ONE("(2, 3) to (1, 3)", run, DIMS(2, 3), .shape = DIMS(1, 3)),
                               ONE("(2, 3) to (2, 1)", run, DIMS(2, 3), .shape = DIMS(2, 1)),
                               ONE("(2, 3) to itself", run, DIMS(2, 3), .shape = DIMS(2, 3)),
                               ONE("(2, 3, 5) to (3, 1)", run, DIMS(2, 3, 5), .shape = DIMS(3, 1)),
                               ONE("(2, 3, 5) to (2, 1, 5)", run, DIMS(2, 3, 5), .shape = DIMS(2, 1, 5)),
                               ONE("(2, 1, 3, 1, 2) to (3, 1, 1)", run, DIMS(2, 1, 3, 1, 2), .shape = DIMS(3, 1, 1)),
                               ONE("(1, 257, 1) to (1)", run, DIMS(1, 257, 1), .shape = DIMS(1)),
                               ONE("(0, 3) to (3)", run, DIMS(0, 3), .shape = DIMS(3)),
                               ONE("(0, 3) to (0, 1)", run, DIMS(0, 3), .shape = DIMS(0, 1)),
                               ONE("(3, 0, 2) to (1, 1)", run, DIMS(3, 0, 2), .shape = DIMS(1, 1)),
                               {0}},
    .values = (const op_value[]){{"to (3)", to_row, DIMS(3), 0, (const double[]){3, 5, 7}},
                                 {"to (2, 1)", to_column, DIMS(2, 1), 0, (const double[]){3, 12}},
                                 {"to (3, 1)", to_middle, DIMS(3, 1), 0, (const double[]){14, 22, 30}},
                                 {"of nothing", of_nothing, DIMS(1, 3), 0, (const double[]){0, 0, 0}},
                                 {0}},
    .errors = (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "sum_to:"},
                                 {"to (2, 2, 3)", too_large, HEED_ERR_SHAPE,
                                  "sum_to: (2, 2, 3) does not broadcast to (2, 3)"},
                                 {"to (2)", other, HEED_ERR_SHAPE, "sum_to: (2) does not broadcast to (2, 3)"},
                                 {"(2, 1) to (2, 3)", wider, HEED_ERR_SHAPE, "sum_to:"},
                                 {"to (0, 3)", to_empty, HEED_ERR_SHAPE, "sum_to:"},
                                 {"to (-1)", negative, HEED_ERR_SHAPE, "sum_to: (-1)"},
                                 {"to rank 9", rank_9, HEED_ERR_SHAPE, "sum_to:"},
                                 BAD_DTYPES_ERRORS("sum_to"),
                                 {0}},
};
