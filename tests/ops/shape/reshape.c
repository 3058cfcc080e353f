/* tests/ops/shape/reshape.c - cases of heed_reshape. */

#include "functions.h"

RUN(run, heed_reshape(in[0], c->shape))
RUN(of_transposed, heed_reshape(heed_transpose(in[0], 0, 1), c->shape))
RUN(of_flipped, heed_reshape(heed_flip(in[0], HEED_AXES(0)), c->shape))

GIVES(rows, heed_reshape(counting(HEED_I64, HEED_SHAPE(2, 3)), HEED_SHAPE(3, 2)))
GIVES(worked_out, heed_reshape(counting(HEED_F32, HEED_SHAPE(2, 3, 2)), HEED_SHAPE(2, -1)))
GIVES(transposed, heed_reshape(heed_transpose(counting(HEED_F64, HEED_SHAPE(2, 3)), 0, 1), HEED_SHAPE(6)))
GIVES(expanded,
      heed_reshape(heed_expand(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2, 1), 0, 1), HEED_SHAPE(2, 3)), HEED_SHAPE(3, 2)))
GIVES(empty, heed_reshape(heed_zeros(HEED_F64, HEED_SHAPE(0, 3)), HEED_SHAPE(5, 2, 0)))
GIVES(empty_worked_out, heed_reshape(heed_zeros(HEED_F64, HEED_SHAPE(0, 3)), HEED_SHAPE(2, -1)))

#define OF_2_3(shape) heed_reshape(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), shape)
GIVES(of_null, heed_reshape(NULL, HEED_SHAPE(6)))
GIVES(too_many, OF_2_3(HEED_SHAPE(4, 2)))
GIVES(not_whole, OF_2_3(HEED_SHAPE(4, -1)))
GIVES(two_unknown, OF_2_3(HEED_SHAPE(-1, -1)))
GIVES(unknown_of_nothing, heed_reshape(heed_ones(HEED_F64, HEED_SHAPE(0, 3)), HEED_SHAPE(0, -1)))
GIVES(minus_2, OF_2_3(HEED_SHAPE(-2, -3)))
GIVES(least, OF_2_3(HEED_SHAPE(INT64_MIN)))
GIVES(overflow, OF_2_3(HEED_SHAPE(INT64_MAX, 2)))
GIVES(wrapping, OF_2_3(HEED_SHAPE(INT64_C(1) << 62, 4, 6)))
GIVES(empty_overflow, heed_reshape(heed_ones(HEED_F64, HEED_SHAPE(0)), HEED_SHAPE(0, INT64_MAX, INT64_MAX)))
GIVES(rank_9, OF_2_3(RANK_9))
GIVES(rank_below_0, OF_2_3(RANK_BELOW_0))

const op_cases heed_cases_reshape = {
    .cases = (const op_case[]){ONE("() to ()", run, NO_DIMS, .shape = NO_DIMS),
                               ONE("() to (1, 1)", run, NO_DIMS, .shape = DIMS(1, 1)),
                               ONE("(1) to ()", run, DIMS(1), .shape = NO_DIMS),
                               ONE("(5) to (5, 1)", run, DIMS(5), .shape = DIMS(5, 1)),
                               ONE("(2, 3) to (6)", run, DIMS(2, 3), .shape = DIMS(6)),
                               ONE("(2, 3) to (3, 2)", run, DIMS(2, 3), .shape = DIMS(3, 2)),
                               ONE("(2, 3) to (2, 3)", run, DIMS(2, 3), .shape = DIMS(2, 3)),
                               ONE("(7, 1) to (1, -1)", run, DIMS(7, 1), .shape = DIMS(1, -1)),
                               ONE("(4, 3, 5) to (2, 2, 15)", run, DIMS(4, 3, 5), .shape = DIMS(2, 2, 15)),
                               ONE("(2, 3, 1, 2, 2) to (6, -1)", run, DIMS(2, 3, 1, 2, 2), .shape = DIMS(6, -1)),
                               ONE("(0, 3) to (3, 0)", run, DIMS(0, 3), .shape = DIMS(3, 0)),
                               ONE("(3, 0, 2) to (-1)", run, DIMS(3, 0, 2), .shape = DIMS(-1)),
                               ONE("(4, 6) transposed to (3, 2, 4)", of_transposed, DIMS(4, 6), .shape = DIMS(3, 2, 4)),
                               ONE("(4, 6) transposed to (24)", of_transposed, DIMS(4, 6), .shape = DIMS(24)),
                               ONE("(4, 3) flipped to (2, 2, 3)", of_flipped, DIMS(4, 3), .shape = DIMS(2, 2, 3)),
                               ONE("(4, 3) flipped to (12)", of_flipped, DIMS(4, 3), .shape = DIMS(12)),
                               {0}},
    .values = (const op_value[]){{"i64", rows, DIMS(3, 2), 0, (const double[]){0, 1, 2, 3, 4, 5}},
                                 {"(2, -1)", worked_out, DIMS(2, 6), 0,
                                  (const double[]){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
                                 {"transposed", transposed, DIMS(6), 0, (const double[]){0, 3, 1, 4, 2, 5}},
                                 {"bool, expanded", expanded, DIMS(3, 2), 0, (const double[]){0, 0, 0, 1, 1, 1}},
                                 {"empty", empty, DIMS(5, 2, 0), 0, (const double[]){0}},
                                 {"empty (2, -1)", empty_worked_out, DIMS(2, 0), 0, (const double[]){0}},
                                 {0}},
    .errors =
        (const op_error[]){
            {"NULL", of_null, HEED_ERR_ARGUMENT, "reshape:"},
            {"(4, 2)", too_many, HEED_ERR_SHAPE, "reshape: the 6 elements of (2, 3) do not fit (4, 2)"},
            {"(4, -1)", not_whole, HEED_ERR_SHAPE, "reshape: the 6 elements of (2, 3) do not fit (4, -1)"},
            {"(-1, -1)", two_unknown, HEED_ERR_SHAPE, "reshape: -1 is not a valid size for axis 1 of (-1, -1)"},
            {"(0, -1)", unknown_of_nothing, HEED_ERR_SHAPE, "reshape: the 0 elements of (0, 3)"},
            {"(-2, -3)", minus_2, HEED_ERR_SHAPE, "reshape: -2 is not a valid size for axis 0"},
            {"INT64_MIN", least, HEED_ERR_SHAPE, "reshape: -9223372036854775808 is not a valid size"},
            {"INT64_MAX 2", overflow, HEED_ERR_SHAPE, "reshape: 2 is not a valid size for axis 1"},
            {"product 6 modulo 2^64", wrapping, HEED_ERR_SHAPE, "reshape:"},
            {"0 INT64_MAX INT64_MAX", empty_overflow, HEED_ERR_SHAPE, "reshape: (0, 9223"},
            {"rank 9", rank_9, HEED_ERR_SHAPE, "reshape:"},
            {"rank -1", rank_below_0, HEED_ERR_SHAPE, "reshape:"},
            {0}},
};
