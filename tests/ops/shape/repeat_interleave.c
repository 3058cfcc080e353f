/* tests/ops/shape/repeat_interleave.c - cases of heed_repeat_interleave. */

#include "functions.h"

#include <limits.h>

/* i: repeats, axis */
RUN(run, heed_repeat_interleave(in[0], (int)c->i[1], c->i[0]))

/* Whether writing to the result leaves x unchanged. */
static heed_tensor *is_copy(void)
{
    heed_tensor *x = heed_zeros(HEED_F64, HEED_SHAPE(1)), *y = heed_repeat_interleave(x, 0, 1);
    return heed_fill_(y, 5) == HEED_OK ? x : NULL;
}

GIVES(row, heed_repeat_interleave(counting(HEED_I64, HEED_SHAPE(3)), 0, 2))
GIVES(rows, heed_repeat_interleave(counting(HEED_F32, HEED_SHAPE(2, 2)), 0, 2))
GIVES(columns, heed_repeat_interleave(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2, 2), 0, 1, 1, 0), -1, 2))
GIVES(no_times, heed_repeat_interleave(counting(HEED_F64, HEED_SHAPE(2, 3)), 1, 0))
GIVES(most_of_nothing, heed_repeat_interleave(heed_ones(HEED_F64, HEED_SHAPE(0, 2)), 0, INT64_MAX))

GIVES(of_null, heed_repeat_interleave(NULL, 0, 2))
GIVES(of_scalar, heed_repeat_interleave(heed_ones(HEED_F64, HEED_SCALAR), 0, 2))
GIVES(axis_2, heed_repeat_interleave(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 2, 2))
GIVES(axis_least, heed_repeat_interleave(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), INT_MIN, 2))
GIVES(negative, heed_repeat_interleave(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 1, -1))
GIVES(least, heed_repeat_interleave(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 1, INT64_MIN))
GIVES(most, heed_repeat_interleave(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 1, INT64_MAX))
GIVES(vast, heed_repeat_interleave(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 1, INT64_C(1) << 61))

const op_cases heed_cases_repeat_interleave = {
    .cases = (const op_case[]){ONE("(1) 3", run, DIMS(1), .i = {3, 0}),
                               ONE("(5) 1", run, DIMS(5), .i = {1, 0}),
                               ONE("(5) 2", run, DIMS(5), .i = {2, -1}),
                               ONE("(5) 0", run, DIMS(5), .i = {0, 0}),
                               ONE("(0) 2", run, DIMS(0), .i = {2, 0}),
                               ONE("(0, 3) 2", run, DIMS(0, 3), .i = {2, 1}),
                               ONE("(2, 3) 2 axis 0", run, DIMS(2, 3), .i = {2, 0}),
                               ONE("(2, 3) 3 axis 1", run, DIMS(2, 3), .i = {3, 1}),
                               ONE("(7, 1) 2 axis 1", run, DIMS(7, 1), .i = {2, 1}),
                               ONE("(2, 3, 5) 2 axis 1", run, DIMS(2, 3, 5), .i = {2, 1}),
                               ONE("rank 8", run, DIMS(1, 2, 1, 1, 3, 1, 1, 2), .i = {2, 4}),
                               {0}},
    .values = (const op_value[]){{"a row, i64", row, DIMS(6), 0, (const double[]){0, 0, 1, 1, 2, 2}},
                                 {"rows", rows, DIMS(4, 2), 0, (const double[]){0, 1, 0, 1, 2, 3, 2, 3}},
                                 {"columns, bool", columns, DIMS(2, 4), 0, (const double[]){0, 0, 1, 1, 1, 1, 0, 0}},
                                 {"no times", no_times, DIMS(2, 0), 0, (const double[]){0}},
                                 {"INT64_MAX of nothing", most_of_nothing, DIMS(0, 2), 0, (const double[]){0}},
                                 {"a copy", is_copy, DIMS(1), 0, (const double[]){0}},
                                 {0}},
    .errors =
        (const op_error[]){
            {"NULL", of_null, HEED_ERR_ARGUMENT, "repeat_interleave:"},
            {"()", of_scalar, HEED_ERR_SHAPE, "repeat_interleave: there is no axis 0"},
            {"axis 2", axis_2, HEED_ERR_SHAPE, "repeat_interleave: there is no axis 2"},
            {"axis INT_MIN", axis_least, HEED_ERR_SHAPE, "repeat_interleave: there is no axis -214748"},
            {"-1", negative, HEED_ERR_ARGUMENT, "repeat_interleave: axis 1 of (2, 3) cannot be repeated -1 times"},
            {"INT64_MIN", least, HEED_ERR_ARGUMENT, "cannot be repeated -9223372036854775808 times"},
            {"INT64_MAX", most, HEED_ERR_ARGUMENT, "cannot be repeated 9223372036854775807 times"},
            {"2^61", vast, HEED_ERR_SHAPE, "repeat_interleave: (2, 6917529027641081856)"},
            {0}},
};
