/* tests/ops/shape/tril.c - cases of heed_tril. */

#include "functions.h"

RUN(run, heed_tril(in[0], c->i[0]))

#define OF_2_3(diagonal) heed_tril(heed_add_scalar(counting(HEED_F64, HEED_SHAPE(2, 3)), 1), diagonal)
GIVES(main_diagonal, OF_2_3(0))
GIVES(above, OF_2_3(1))
GIVES(below, OF_2_3(-1))
GIVES(highest, OF_2_3(INT64_MAX))
GIVES(lowest, OF_2_3(INT64_MIN))
GIVES(mask, heed_tril(heed_ones(HEED_BOOL, HEED_SHAPE(2, 2)), 0))
GIVES(integers, heed_tril(counting(HEED_I64, HEED_SHAPE(2, 1, 2)), 0))

/* The elements that become 0 are not read. */
GIVES(nans, heed_tril(heed_full(HEED_F32, HEED_SHAPE(1, 3), NAN), -1))

GIVES(of_null, heed_tril(NULL, 0))
GIVES(of_vector, heed_tril(heed_ones(HEED_F64, HEED_SHAPE(3)), 0))

const op_cases heed_cases_tril = {
    .cases = (const op_case[]){ONE("(1, 1)", run, DIMS(1, 1), .i = {0}),
                               ONE("(2, 3)", run, DIMS(2, 3), .i = {0}),
                               ONE("(3, 2) 1", run, DIMS(3, 2), .i = {1}),
                               ONE("(5, 7) -2", run, DIMS(5, 7), .i = {-2}),
                               ONE("(2, 3, 5) 2", run, DIMS(2, 3, 5), .i = {2}),
                               ONE("(2, 1, 2, 3) 0", run, DIMS(2, 1, 2, 3), .i = {0}),
                               ONE("(0, 3) 0", run, DIMS(0, 3), .i = {0}),
                               ONE("(3, 0) 0", run, DIMS(3, 0), .i = {0}),
                               {0}},
    .values = (const op_value[]){{"main diagonal", main_diagonal, DIMS(2, 3), 0, (const double[]){1, 0, 0, 4, 5, 0}},
                                 {"above", above, DIMS(2, 3), 0, (const double[]){1, 2, 0, 4, 5, 6}},
                                 {"below", below, DIMS(2, 3), 0, (const double[]){0, 0, 0, 4, 0, 0}},
                                 {"INT64_MAX", highest, DIMS(2, 3), 0, (const double[]){1, 2, 3, 4, 5, 6}},
                                 {"INT64_MIN", lowest, DIMS(2, 3), 0, (const double[]){0, 0, 0, 0, 0, 0}},
                                 {"bool", mask, DIMS(2, 2), 0, (const double[]){1, 0, 1, 1}},
                                 {"i64", integers, DIMS(2, 1, 2), 0, (const double[]){0, 0, 2, 0}},
                                 {"NaN outside", nans, DIMS(1, 3), 0, (const double[]){0, 0, 0}},
                                 {0}},
    .errors = (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "tril:"},
                                 {"(3)", of_vector, HEED_ERR_SHAPE, "tril: x is (3): must have at least 2 axes"},
                                 {0}},
};
