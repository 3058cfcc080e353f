/* tests/ops/shape/roll.c - cases of heed_roll. */

#include "functions.h"

RUN(run, heed_roll(in[0], (int)c->i[0], c->i[1]))

#define OF_3(shift) heed_roll(counting(HEED_I64, HEED_SHAPE(3)), 0, shift)
GIVES(by_1, OF_3(1))
GIVES(back, OF_3(-1))
GIVES(around, OF_3(7))
GIVES(highest, OF_3(INT64_MAX))
GIVES(lowest, OF_3(INT64_MIN))
GIVES(columns, heed_roll(counting(HEED_F32, HEED_SHAPE(2, 3)), -1, 2))
GIVES(mask, heed_roll(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(3), 1, 0, 0), 0, 1))

GIVES(of_null, heed_roll(NULL, 0, 1))
GIVES(of_scalar, heed_roll(heed_ones(HEED_F64, HEED_SCALAR), 0, 1))
GIVES(axis_2, heed_roll(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 2, 1))

const op_cases heed_cases_roll = {
    .cases = (const op_case[]){ONE("(1) 1", run, DIMS(1), .i = {0, 1}),
                               ONE("(5) 2", run, DIMS(5), .i = {0, 2}),
                               ONE("(5) -7", run, DIMS(5), .i = {0, -7}),
                               ONE("(5) 0", run, DIMS(5), .i = {0, 0}),
                               ONE("(0) 3", run, DIMS(0), .i = {0, 3}),
                               ONE("(2, 3) axis 0", run, DIMS(2, 3), .i = {0, 1}),
                               ONE("(2, 3, 5) axis -2", run, DIMS(2, 3, 5), .i = {-2, -1}),
                               {0}},
    .values = (const op_value[]){{"by 1", by_1, DIMS(3), 0, (const double[]){2, 0, 1}},
                                 {"back", back, DIMS(3), 0, (const double[]){1, 2, 0}},
                                 {"around", around, DIMS(3), 0, (const double[]){2, 0, 1}},
                                 {"INT64_MAX", highest, DIMS(3), 0, (const double[]){2, 0, 1}},
                                 {"INT64_MIN", lowest, DIMS(3), 0, (const double[]){2, 0, 1}},
                                 {"columns", columns, DIMS(2, 3), 0, (const double[]){1, 2, 0, 4, 5, 3}},
                                 {"bool", mask, DIMS(3), 0, (const double[]){0, 1, 0}},
                                 {0}},
    .errors = (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "roll:"},
                                 {"()", of_scalar, HEED_ERR_SHAPE, "roll: there is no axis 0"},
                                 {"axis 2", axis_2, HEED_ERR_SHAPE, "roll: there is no axis 2"},
                                 {0}},
};
