/* tests/ops/shape/permute.c - cases of heed_permute. */

#include "functions.h"

RUN(run, heed_permute(in[0], c->shape))

GIVES(rotated, heed_permute(counting(HEED_I64, HEED_SHAPE(2, 3, 2)), HEED_SHAPE(2, 0, 1)))
GIVES(swapped, heed_permute(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2, 2), 0, 1, 0, 0), HEED_SHAPE(-1, -2)))

#define OF_2_3(order) heed_permute(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), order)
GIVES(of_null, heed_permute(NULL, HEED_SHAPE(0)))
GIVES(too_few, OF_2_3(HEED_SHAPE(0)))
GIVES(none, OF_2_3(HEED_SCALAR))
GIVES(too_many, OF_2_3(HEED_SHAPE(0, 1, 2)))
GIVES(twice, OF_2_3(HEED_SHAPE(1, -1)))
GIVES(outside, OF_2_3(HEED_SHAPE(0, 2)))
GIVES(least, OF_2_3(HEED_SHAPE(INT64_MIN, 0)))
GIVES(rank_9, OF_2_3(RANK_9))
GIVES(rank_below_0, OF_2_3(RANK_BELOW_0))

const op_cases heed_cases_permute = {
    .cases = (const op_case[]){ONE("()", run, NO_DIMS, .shape = NO_DIMS),
                               ONE("(1)", run, DIMS(1), .shape = DIMS(0)),
                               ONE("(5)", run, DIMS(5), .shape = DIMS(-1)),
                               ONE("(2, 3) 0 1", run, DIMS(2, 3), .shape = DIMS(0, 1)),
                               ONE("(2, 3) 1 0", run, DIMS(2, 3), .shape = DIMS(1, 0)),
                               ONE("(7, 1) 1 0", run, DIMS(7, 1), .shape = DIMS(1, 0)),
                               ONE("(0, 3) 1 0", run, DIMS(0, 3), .shape = DIMS(1, 0)),
                               ONE("(2, 3, 5) 1 2 0", run, DIMS(2, 3, 5), .shape = DIMS(1, 2, 0)),
                               ONE("(2, 3, 5) 2 0 1", run, DIMS(2, 3, 5), .shape = DIMS(2, 0, 1)),
                               ONE("(2, 3, 5) 0 -1 -2", run, DIMS(2, 3, 5), .shape = DIMS(0, -1, -2)),
                               ONE("(2, 3, 1, 2, 2) 4 1 3 0 2", run, DIMS(2, 3, 1, 2, 2), .shape = DIMS(4, 1, 3, 0, 2)),
                               ONE("rank 8", run, DIMS(1, 2, 1, 2, 1, 3, 1, 2), .shape = DIMS(7, 6, 5, 4, 3, 2, 1, 0)),
                               {0}},
    .values = (const op_value[]){{"i64 2 0 1", rotated, DIMS(2, 2, 3), 0,
                                  (const double[]){0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11}},
                                 {"bool -1 -2", swapped, DIMS(2, 2), 0, (const double[]){0, 0, 1, 0}},
                                 {0}},
    .errors =
        (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "permute:"},
                           {"too few", too_few, HEED_ERR_SHAPE, "permute: the order has 1 axes, but x is (2, 3)"},
                           {"none", none, HEED_ERR_SHAPE, "permute: the order has 0 axes, but x is (2, 3)"},
                           {"too many", too_many, HEED_ERR_SHAPE, "permute: the order has 3 axes, but x is (2, 3)"},
                           {"twice", twice, HEED_ERR_SHAPE, "permute: axis -1 is given twice in (1, -1)"},
                           {"outside", outside, HEED_ERR_SHAPE, "permute: axis 2 "},
                           {"INT64_MIN", least, HEED_ERR_SHAPE, "permute: axis -9223372036854775808 "},
                           {"rank 9", rank_9, HEED_ERR_SHAPE, "permute: the order has 9 axes"},
                           {"rank -1", rank_below_0, HEED_ERR_SHAPE, "permute: the order has -1 axes"},
                           {0}},
};
