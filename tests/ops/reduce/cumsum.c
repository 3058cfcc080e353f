/* tests/ops/reduce/cumsum.c - cases of heed_cumsum. */

#include "functions.h"

#include <limits.h>

RUN(run, heed_cumsum(in[0], (int)c->i[0]))

/* The last of many sums, which an accumulator in f32 would not reach. */
static heed_tensor *last_of(heed_tensor *x, int axis)
{
    return heed_select(heed_cumsum(x, axis), axis, -1);
}

static heed_tensor *whole(void)
{
    const int64_t x[] = {INT64_MAX, 1, 5, -7};
    return heed_cumsum(heed_from_array(HEED_I64, HEED_SHAPE(4), x, 4), 0);
}

GIVES(axis_0, heed_cumsum(counting(HEED_F32, HEED_SHAPE(2, 3)), 0))
GIVES(axis_1, heed_cumsum(counting(HEED_F64, HEED_SHAPE(2, 3)), -1))
GIVES(transposed, heed_cumsum(heed_transpose(counting(HEED_F64, HEED_SHAPE(2, 3)), 0, 1), 1))
GIVES(tenths, last_of(heed_full(HEED_F32, HEED_SHAPE(1000000), 0.1), 0))
GIVES(columns_of_tenths, last_of(heed_full(HEED_F32, HEED_SHAPE(300000, 3), 0.1), 0))
GIVES(wide, heed_sum_axes(last_of(heed_ones(HEED_F64, HEED_SHAPE(2, 300, 130)), 1), HEED_AXES(1), false))
GIVES(special, heed_cumsum(HEED_TENSOR(HEED_F64, HEED_SHAPE(4), INFINITY, 1, -INFINITY, 1), 0))
GIVES(of_null, heed_cumsum(NULL, 0))
GIVES(of_bool, heed_cumsum(heed_ones(HEED_BOOL, HEED_SHAPE(2, 3)), 0))
GIVES(axis_2, heed_cumsum(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 2))
GIVES(axis_least, heed_cumsum(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), INT_MIN))
GIVES(axis_of_scalar, heed_cumsum(heed_ones(HEED_F64, HEED_SCALAR), 0))

const op_cases heed_cases_cumsum = {
    .cases = (const op_case[]){ONE("(1)", run, DIMS(1), .i = {0}),
                               ONE("(5)", run, DIMS(5), .i = {0}),
                               ONE("(2, 3)", run, DIMS(2, 3), .i = {-1}),
                               ONE("(37)", run, DIMS(37), .i = {0}),
                               ONE("(5, 7) axis 0", run, DIMS(5, 7), .i = {0}),
                               ONE("(5, 7) axis 1", run, DIMS(5, 7), .i = {-1}),
                               ONE("(2, 3, 5) axis 1", run, DIMS(2, 3, 5), .i = {1}),
                               ONE("(2, 66) axis 0", run, DIMS(2, 66), .i = {0}),
                               ONE("(0, 3) axis 0", run, DIMS(0, 3), .i = {0}),
                               ONE("(3, 0, 2) axis 2", run, DIMS(3, 0, 2), .i = {2}),
                               {0}},
    .values =
        (const op_value[]){
            {"axis 0", axis_0, DIMS(2, 3), 0, (const double[]){0, 1, 2, 3, 5, 7}},
            {"axis 1", axis_1, DIMS(2, 3), 0, (const double[]){0, 1, 3, 3, 7, 12}},
            {"transposed", transposed, DIMS(3, 2), 0, (const double[]){0, 3, 1, 5, 2, 7}},
            {"a million tenths", tenths, NO_DIMS, 1e-7, (const double[]){100000}},
            {"columns of tenths", columns_of_tenths, DIMS(3), 1e-7, (const double[]){30000, 30000, 30000}},
            {"i64 wraps around", whole, DIMS(4), 0, (const double[]){0x1p63, -0x1p63, -0x1p63 + 5, 0x1p63}},
            {"wide", wide, DIMS(2), 0, (const double[]){39000, 39000}},
            {"special values", special, DIMS(4), 0, (const double[]){INFINITY, INFINITY, NAN, NAN}},
            {0}},
    .errors = (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "cumsum:"},
                                 {"bool", of_bool, HEED_ERR_DTYPE,
                                  "cumsum: the tensor is bool (2, 3): must be f32, f64 or i64"},
                                 {"axis 2", axis_2, HEED_ERR_SHAPE, "cumsum: there is no axis 2"},
                                 {"axis INT_MIN", axis_least, HEED_ERR_SHAPE, "cumsum: there is no axis -2147483648"},
                                 {"axis of ()", axis_of_scalar, HEED_ERR_SHAPE, "cumsum:"},
                                 {0}},
};
