/* tests/ops/shape/unslice.c - cases of heed_unslice. */

#include "functions.h"

#include <limits.h>

/* i: axis, start, step, size */
RUN(run, heed_unslice(in[0], (int)c->i[0], c->i[1], c->i[2], c->i[3]))

#define OF_3(start, step, size)                                                                                        \
    heed_unslice(heed_add_scalar(counting(HEED_F64, HEED_SHAPE(3)), 1), 0, start, step, size)
GIVES(inside, OF_3(1, 1, 5))
GIVES(stepping, OF_3(1, 2, 6))
GIVES(exact, OF_3(0, 1, 3))
GIVES(one, heed_unslice(heed_ones(HEED_I64, HEED_SHAPE(1)), 0, 2, INT64_MAX, 4))
GIVES(none, heed_unslice(heed_ones(HEED_F32, HEED_SHAPE(0)), 0, 3, INT64_MAX, 3))
GIVES(columns, heed_unslice(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2, 1), 1, 1), 1, 1, 1, 3))

GIVES(of_null, heed_unslice(NULL, 0, 0, 1, 1))
GIVES(axis_1, heed_unslice(heed_ones(HEED_F64, HEED_SHAPE(3)), 1, 0, 1, 3))
GIVES(axis_least, heed_unslice(heed_ones(HEED_F64, HEED_SHAPE(3)), INT_MIN, 0, 1, 3))
GIVES(step_0, OF_3(0, 0, 3))
GIVES(too_long, OF_3(1, 1, 3))
GIVES(steps_too_long, OF_3(0, 2, 4))
GIVES(before, OF_3(-1, 1, 5))
GIVES(least, OF_3(INT64_MIN, 1, 5))
GIVES(most, OF_3(INT64_MAX, 1, 5))
GIVES(step_most, OF_3(0, INT64_MAX, 5))
GIVES(none_behind, heed_unslice(heed_ones(HEED_F64, HEED_SHAPE(0)), 0, 4, 1, 3))
GIVES(size_negative, OF_3(0, 1, -1))
GIVES(size_overflow, heed_unslice(heed_ones(HEED_F64, HEED_SHAPE(3, 4)), 0, 0, 1, INT64_MAX))

const op_cases heed_cases_unslice = {
    .cases = (const op_case[]){ONE("(1) at 0 of 1", run, DIMS(1), .i = {0, 0, 1, 1}),
                               ONE("(1) at 2 of 4", run, DIMS(1), .i = {0, 2, 9, 4}),
                               ONE("(3) at 1 of 7, step 2", run, DIMS(3), .i = {0, 1, 2, 7}),
                               ONE("(5) at 0 of 5", run, DIMS(5), .i = {-1, 0, 1, 5}),
                               ONE("(0) at 3 of 3", run, DIMS(0), .i = {0, 3, 1, 3}),
                               ONE("(0, 3) at 1 of 4", run, DIMS(0, 3), .i = {1, 1, 1, 4}),
                               ONE("(2, 3) rows", run, DIMS(2, 3), .i = {0, 1, 2, 5}),
                               ONE("(2, 3) columns", run, DIMS(2, 3), .i = {1, 0, 3, 7}),
                               ONE("(7, 1) columns", run, DIMS(7, 1), .i = {1, 1, 1, 3}),
                               ONE("(2, 3, 5) axis 1", run, DIMS(2, 3, 5), .i = {1, 1, 1, 4}),
                               ONE("(2, 3, 1, 2, 2) axis 2", run, DIMS(2, 3, 1, 2, 2), .i = {2, 1, 1, 2}),
                               {0}},
    .values = (const op_value[]){{"inside", inside, DIMS(5), 0, (const double[]){0, 1, 2, 3, 0}},
                                 {"in steps", stepping, DIMS(6), 0, (const double[]){0, 1, 0, 2, 0, 3}},
                                 {"exact", exact, DIMS(3), 0, (const double[]){1, 2, 3}},
                                 {"one, i64", one, DIMS(4), 0, (const double[]){0, 0, 1, 0}},
                                 {"none", none, DIMS(3), 0, (const double[]){0, 0, 0}},
                                 {"columns, bool", columns, DIMS(2, 3), 0, (const double[]){0, 1, 0, 0, 1, 0}},
                                 {0}},
    .errors = (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "unslice:"},
                                 {"axis 1", axis_1, HEED_ERR_SHAPE, "unslice: there is no axis 1"},
                                 {"axis INT_MIN", axis_least, HEED_ERR_SHAPE, "unslice: there is no axis -2147483648"},
                                 {"step 0", step_0, HEED_ERR_ARGUMENT, "unslice: step is 0: must be at least 1"},
                                 {"too long", too_long, HEED_ERR_INDEX,
                                  "unslice: axis 0 of (3) from 1 in steps of 1 does not fit into size 3"},
                                 {"steps too long", steps_too_long, HEED_ERR_INDEX, "in steps of 2"},
                                 {"start -1", before, HEED_ERR_INDEX, "unslice: axis 0 of (3) from -1 "},
                                 {"start INT64_MIN", least, HEED_ERR_INDEX, "from -9223372036854775808 "},
                                 {"start INT64_MAX", most, HEED_ERR_INDEX, "from 9223372036854775807 "},
                                 {"step INT64_MAX", step_most, HEED_ERR_INDEX, "in steps of 9223372036854775807 "},
                                 {"none, past the end", none_behind, HEED_ERR_INDEX, "unslice: axis 0 of (0) from 4 "},
                                 {"size -1", size_negative, HEED_ERR_SHAPE, "unslice: (-1)"},
                                 {"size INT64_MAX", size_overflow, HEED_ERR_SHAPE, "unslice: (9223372036854775807, 4)"},
                                 {0}},
};
