/* tests/ops/shape/tile.c - cases of heed_tile. */

#include "functions.h"

RUN(run, heed_tile(in[0], c->shape))

/* Whether writing to the result leaves x unchanged. */
static heed_tensor *is_copy(void)
{
    heed_tensor *x = heed_zeros(HEED_F64, HEED_SHAPE(2)), *y = heed_tile(x, HEED_SHAPE(1));
    return heed_fill_(y, 5) == HEED_OK ? x : NULL;
}

GIVES(row, heed_tile(counting(HEED_I64, HEED_SHAPE(3)), HEED_SHAPE(2)))
GIVES(both_axes, heed_tile(counting(HEED_F32, HEED_SHAPE(2, 2)), HEED_SHAPE(2, 2)))
GIVES(longer_repeats, heed_tile(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2), 0, 1), HEED_SHAPE(2, 1, 2)))
GIVES(shorter_repeats, heed_tile(counting(HEED_F64, HEED_SHAPE(2, 2)), HEED_SHAPE(2)))
GIVES(no_repeats, heed_tile(counting(HEED_F64, HEED_SHAPE(2)), HEED_SCALAR))
GIVES(no_times, heed_tile(counting(HEED_F64, HEED_SHAPE(3, 2)), HEED_SHAPE(0, INT64_C(1) << 61)))
GIVES(of_nothing, heed_tile(heed_ones(HEED_F64, HEED_SHAPE(0, 2)), HEED_SHAPE(INT64_MAX, 3)))

#define OF_2_3(repeats) heed_tile(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), repeats)
GIVES(of_null, heed_tile(NULL, HEED_SHAPE(2)))
GIVES(negative, OF_2_3(HEED_SHAPE(2, -1)))
GIVES(least, OF_2_3(HEED_SHAPE(INT64_MIN)))
GIVES(most, OF_2_3(HEED_SHAPE(INT64_MAX, 1)))
GIVES(vast, OF_2_3(HEED_SHAPE(INT64_C(1) << 32, INT64_C(1) << 32)))
GIVES(rank_9, OF_2_3(RANK_9))
GIVES(rank_below_0, OF_2_3(RANK_BELOW_0))

const op_cases heed_cases_tile = {
    .cases = (const op_case[]){ONE("() by ()", run, NO_DIMS, .shape = NO_DIMS),
                               ONE("() by (3)", run, NO_DIMS, .shape = DIMS(3)),
                               ONE("(1) by (2)", run, DIMS(1), .shape = DIMS(2)),
                               ONE("(5) by (2)", run, DIMS(5), .shape = DIMS(2)),
                               ONE("(5) by (0)", run, DIMS(5), .shape = DIMS(0)),
                               ONE("(0) by (2)", run, DIMS(0), .shape = DIMS(2)),
                               ONE("(2, 3) by (2, 1)", run, DIMS(2, 3), .shape = DIMS(2, 1)),
                               ONE("(2, 3) by (2, 3)", run, DIMS(2, 3), .shape = DIMS(2, 3)),
                               ONE("(2, 3) by (2)", run, DIMS(2, 3), .shape = DIMS(2)),
                               ONE("(3) by (2, 2)", run, DIMS(3), .shape = DIMS(2, 2)),
                               ONE("(2, 3, 5) by (2, 1, 2)", run, DIMS(2, 3, 5), .shape = DIMS(2, 1, 2)),
                               ONE("rank 8", run, DIMS(1, 2, 1, 1, 2, 1, 1, 2), .shape = DIMS(2, 1, 1, 2, 2, 1, 1, 1)),
                               {0}},
    .values =
        (const op_value[]){
            {"a row, i64", row, DIMS(6), 0, (const double[]){0, 1, 2, 0, 1, 2}},
            {"both axes", both_axes, DIMS(4, 4), 0, (const double[]){0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3}},
            {"longer repeats, bool", longer_repeats, DIMS(2, 1, 4), 0, (const double[]){0, 1, 0, 1, 0, 1, 0, 1}},
            {"shorter repeats", shorter_repeats, DIMS(2, 4), 0, (const double[]){0, 1, 0, 1, 2, 3, 2, 3}},
            {"no repeats", no_repeats, DIMS(2), 0, (const double[]){0, 1}},
            {"no times", no_times, DIMS(0, INT64_C(1) << 62), 0, (const double[]){0}},
            {"of nothing", of_nothing, DIMS(0, 6), 0, (const double[]){0}},
            {"a copy", is_copy, DIMS(2), 0, (const double[]){0, 0}},
            {0}},
    .errors =
        (const op_error[]){
            {"NULL", of_null, HEED_ERR_ARGUMENT, "tile:"},
            {"-1", negative, HEED_ERR_ARGUMENT, "tile: axis 1 of (2, 3) cannot be repeated -1 times"},
            {"INT64_MIN", least, HEED_ERR_ARGUMENT, "cannot be repeated -9223372036854775808 times"},
            {"INT64_MAX", most, HEED_ERR_ARGUMENT, "tile: axis 0 of (2, 3) cannot be repeated 9223372036"},
            {"2^32 each", vast, HEED_ERR_SHAPE, "tile: (8589934592, 12884901888)"},
            {"rank 9", rank_9, HEED_ERR_SHAPE, "tile:"},
            {"rank -1", rank_below_0, HEED_ERR_SHAPE, "tile:"},
            {0}},
};
