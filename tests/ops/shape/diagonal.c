/* tests/ops/shape/diagonal.c - cases of heed_diagonal. */

#include "functions.h"

#include <limits.h>

RUN(run, heed_diagonal(in[0], c->i[0], (int)c->i[1], (int)c->i[2]))

#define OF_2_3(...) heed_diagonal(counting(HEED_F64, HEED_SHAPE(2, 3)), __VA_ARGS__)
GIVES(main_diagonal, OF_2_3(0, 0, 1))
GIVES(above, OF_2_3(2, 0, 1))
GIVES(below, OF_2_3(-1, 0, 1))
GIVES(turned, OF_2_3(1, 1, 0))
GIVES(outside, OF_2_3(3, 0, 1))
GIVES(highest, OF_2_3(INT64_MAX, 0, 1))
GIVES(lowest, OF_2_3(INT64_MIN, 0, 1))
GIVES(batch, heed_diagonal(counting(HEED_I64, HEED_SHAPE(2, 2, 2)), 0, 0, -1))

/* Writing to the view writes to the matrix. */
static heed_tensor *written(void)
{
    heed_tensor *x = heed_zeros(HEED_F32, HEED_SHAPE(2, 2)), *y = heed_diagonal(x, 0, 0, 1);
    return y && heed_fill_(y, 5) == HEED_OK ? x : NULL;
}

GIVES(of_null, heed_diagonal(NULL, 0, 0, 1))
GIVES(of_vector, heed_diagonal(heed_ones(HEED_F64, HEED_SHAPE(3)), 0, 0, 1))
GIVES(same_axes, OF_2_3(0, 1, -1))
GIVES(axis_2, OF_2_3(0, 0, 2))
GIVES(axis_least, OF_2_3(0, INT_MIN, 0))

const op_cases heed_cases_diagonal = {
    .cases = (const op_case[]){ONE("(1, 1)", run, DIMS(1, 1), .i = {0, 0, 1}),
                               ONE("(3, 3)", run, DIMS(3, 3), .i = {0, 0, 1}),
                               ONE("(2, 5) 2", run, DIMS(2, 5), .i = {2, 0, 1}),
                               ONE("(5, 2) -3", run, DIMS(5, 2), .i = {-3, 0, 1}),
                               ONE("(5, 2) 1, turned", run, DIMS(5, 2), .i = {1, 1, 0}),
                               ONE("(2, 3, 4) axes 0, 2", run, DIMS(2, 3, 4), .i = {1, 0, 2}),
                               ONE("(2, 3, 1, 2) axes -2, 1", run, DIMS(2, 3, 1, 2), .i = {0, -2, 1}),
                               ONE("(2, 3) outside", run, DIMS(2, 3), .i = {-7, 0, 1}),
                               ONE("(0, 3)", run, DIMS(0, 3), .i = {1, 0, 1}),
                               {0}},
    .values = (const op_value[]){{"main diagonal", main_diagonal, DIMS(2), 0, (const double[]){0, 4}},
                                 {"above", above, DIMS(1), 0, (const double[]){2}},
                                 {"below", below, DIMS(1), 0, (const double[]){3}},
                                 {"turned", turned, DIMS(1), 0, (const double[]){3}},
                                 {"outside", outside, DIMS(0), 0, (const double[]){0}},
                                 {"INT64_MAX", highest, DIMS(0), 0, (const double[]){0}},
                                 {"INT64_MIN", lowest, DIMS(0), 0, (const double[]){0}},
                                 {"batch", batch, DIMS(2, 2), 0, (const double[]){0, 5, 2, 7}},
                                 {"a view", written, DIMS(2, 2), 0, (const double[]){5, 0, 0, 5}},
                                 {0}},
    .errors = (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "diagonal:"},
                                 {"(3)", of_vector, HEED_ERR_SHAPE, "diagonal: there is no axis 1"},
                                 {"axes 1, -1", same_axes, HEED_ERR_SHAPE, "diagonal: axis 1 of (2, 3) is given twice"},
                                 {"axis 2", axis_2, HEED_ERR_SHAPE, "diagonal: there is no axis 2"},
                                 {"axis INT_MIN", axis_least, HEED_ERR_SHAPE, "diagonal: there is no axis -2147483648"},
                                 {0}},
};
