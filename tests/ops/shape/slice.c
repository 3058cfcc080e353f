/* tests/ops/shape/slice.c - cases of heed_slice. */

#include "functions.h"

#include <limits.h>

/* i: axis, start, stop, step */
RUN(run, heed_slice(in[0], (int)c->i[0], c->i[1], c->i[2], c->i[3]))
RUN(of_flipped, heed_slice(flip_all(in[0]), (int)c->i[0], c->i[1], c->i[2], c->i[3]))

/* Python: list(range(7))[start:stop:step] */
#define OF_7(start, stop, step) heed_slice(counting(HEED_I64, HEED_SHAPE(7)), 0, start, stop, step)
GIVES(inside, OF_7(2, 5, 1))
GIVES(stepping, OF_7(1, HEED_END, 3))
GIVES(negative, OF_7(-3, -1, 1))
GIVES(clipped, OF_7(-100, 100, 4))
GIVES(extremes, OF_7(INT64_MIN, INT64_MAX, INT64_MAX))
GIVES(from_most, OF_7(INT64_MAX, HEED_END, 1))
GIVES(to_least, OF_7(0, INT64_MIN, 1))
GIVES(backward_ends, OF_7(5, 2, 1))
GIVES(columns, heed_slice(counting(HEED_F32, HEED_SHAPE(2, 4)), -1, 1, HEED_END, 2))
GIVES(mask, heed_slice(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(3), 0, 1, 1), 0, 0, 2, 1))

GIVES(of_null, heed_slice(NULL, 0, 0, 1, 1))
GIVES(of_scalar, heed_slice(heed_ones(HEED_F64, HEED_SCALAR), 0, 0, 1, 1))
GIVES(axis_1, heed_slice(heed_ones(HEED_F64, HEED_SHAPE(7)), 1, 0, 1, 1))
GIVES(axis_least, heed_slice(heed_ones(HEED_F64, HEED_SHAPE(7)), INT_MIN, 0, 1, 1))
GIVES(step_0, OF_7(0, 7, 0))
GIVES(step_back, OF_7(7, 0, -1))
GIVES(step_least, OF_7(0, 7, INT64_MIN))

const op_cases heed_cases_slice = {
    .cases = (const op_case[]){ONE("(1)[0:1]", run, DIMS(1), .i = {0, 0, 1, 1}),
                               ONE("(5)[1:4]", run, DIMS(5), .i = {0, 1, 4, 1}),
                               ONE("(5)[:]", run, DIMS(5), .i = {0, 0, HEED_END, 1}),
                               ONE("(5)[::2]", run, DIMS(5), .i = {0, 0, HEED_END, 2}),
                               ONE("(5)[-2:]", run, DIMS(5), .i = {0, -2, HEED_END, 1}),
                               ONE("(5)[3:3]", run, DIMS(5), .i = {0, 3, 3, 1}),
                               ONE("(5)[9:]", run, DIMS(5), .i = {0, 9, HEED_END, 7}),
                               ONE("(0)[:]", run, DIMS(0), .i = {0, 0, HEED_END, 1}),
                               ONE("(0, 3)[:, 1:]", run, DIMS(0, 3), .i = {1, 1, HEED_END, 1}),
                               ONE("(2, 3)[1:]", run, DIMS(2, 3), .i = {0, 1, HEED_END, 1}),
                               ONE("(2, 3)[:, ::2]", run, DIMS(2, 3), .i = {-1, 0, HEED_END, 2}),
                               ONE("(13, 11)[2::5]", run, DIMS(13, 11), .i = {0, 2, HEED_END, 5}),
                               ONE("(2, 3, 5)[:, :-1]", run, DIMS(2, 3, 5), .i = {1, 0, -1, 1}),
                               ONE("(2, 3, 1, 4, 2)[..., 1::2, :]", run, DIMS(2, 3, 1, 4, 2), .i = {3, 1, HEED_END, 2}),
                               ONE("(5, 3)[1::2] flipped", of_flipped, DIMS(5, 3), .i = {0, 1, HEED_END, 2}),
                               {0}},
    .values = (const op_value[]){{"[2:5]", inside, DIMS(3), 0, (const double[]){2, 3, 4}},
                                 {"[1::3]", stepping, DIMS(2), 0, (const double[]){1, 4}},
                                 {"[-3:-1]", negative, DIMS(2), 0, (const double[]){4, 5}},
                                 {"[-100:100:4]", clipped, DIMS(2), 0, (const double[]){0, 4}},
                                 {"[INT64_MIN:INT64_MAX:INT64_MAX]", extremes, DIMS(1), 0, (const double[]){0}},
                                 {"[INT64_MAX:]", from_most, DIMS(0), 0, (const double[]){0}},
                                 {"[:INT64_MIN]", to_least, DIMS(0), 0, (const double[]){0}},
                                 {"[5:2]", backward_ends, DIMS(0), 0, (const double[]){0}},
                                 {"[:, 1::2]", columns, DIMS(2, 2), 0, (const double[]){1, 3, 5, 7}},
                                 {"bool", mask, DIMS(2), 0, (const double[]){0, 1}},
                                 {0}},
    .errors =
        (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "slice:"},
                           {"()", of_scalar, HEED_ERR_SHAPE, "slice: there is no axis 0"},
                           {"axis 1", axis_1, HEED_ERR_SHAPE, "slice: there is no axis 1"},
                           {"axis INT_MIN", axis_least, HEED_ERR_SHAPE, "slice: there is no axis -2147483648"},
                           {"step 0", step_0, HEED_ERR_ARGUMENT, "slice: step is 0: must be at least 1"},
                           {"step -1", step_back, HEED_ERR_ARGUMENT, "slice: step is -1: must be at least 1"},
                           {"step INT64_MIN", step_least, HEED_ERR_ARGUMENT, "slice: step is -9223372036854775808"},
                           {0}},
};
