/* tests/ops/reduce/argmax.c - cases of heed_argmax and heed_argmax_axis. */

#include "functions.h"

#include <limits.h>

RUN(flat, heed_argmax(in[0]))
RUN(along, heed_argmax_axis(in[0], (int)c->i[0], c->i[1]))

#define SAMPLE(name_, run_, dims, ...)                                                                                 \
    {                                                                                                                  \
        .name = name_, .run = run_, .n_inputs = 1, .in = {{.shape = dims, .distinct = true}}, .i = {__VA_ARGS__},      \
        .max_order = -1                                                                                                \
    }

GIVES(first_of_equals, heed_argmax(HEED_TENSOR(HEED_F64, HEED_SHAPE(5), 1, 3, 2, 3, 0)))
GIVES(first_nan, heed_argmax(HEED_TENSOR(HEED_F32, HEED_SHAPE(5), 1, NAN, INFINITY, NAN, 7)))
GIVES(flattened, heed_argmax(HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 3), 1, 5, -3, 4, 2, 9)))
GIVES(axis_0, heed_argmax_axis(HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 3), 1, 5, NAN, 4, 2, NAN), 0, false))
GIVES(axis_1, heed_argmax_axis(HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), 1, 5, -3, 4, 2, -6), -1, true))
GIVES(minus_infinity, heed_argmax(heed_full(HEED_F64, HEED_SHAPE(3), -INFINITY)))
GIVES(no_rows, heed_argmax_axis(heed_zeros(HEED_F64, HEED_SHAPE(0, 3)), 1, false))

/* Numbers equal as doubles. */
static heed_tensor *of_integers(void)
{
    const int64_t x[] = {INT64_MIN, INT64_MAX - 1, INT64_MAX, INT64_MAX, 0, -1};
    return heed_argmax_axis(heed_from_array(HEED_I64, HEED_SHAPE(3, 2), x, 6), 0, false);
}

GIVES(of_null, heed_argmax(NULL))
GIVES(axis_of_null, heed_argmax_axis(NULL, 0, false))
GIVES(of_bool, heed_argmax(heed_ones(HEED_BOOL, HEED_SHAPE(2, 3))))
GIVES(of_nothing, heed_argmax(heed_zeros(HEED_F64, HEED_SHAPE(0, 3))))
GIVES(empty_axis, heed_argmax_axis(heed_zeros(HEED_F64, HEED_SHAPE(0, 3)), 0, false))
GIVES(axis_2, heed_argmax_axis(heed_zeros(HEED_F64, HEED_SHAPE(2, 3)), 2, false))
GIVES(axis_least, heed_argmax_axis(heed_zeros(HEED_F64, HEED_SHAPE(2, 3)), INT_MIN, false))
GIVES(axis_of_scalar, heed_argmax_axis(heed_zeros(HEED_F64, HEED_SCALAR), 0, false))

const op_cases heed_cases_argmax = {
    .cases = (const op_case[]){SAMPLE("()", flat, NO_DIMS, 0),
                               SAMPLE("(1)", flat, DIMS(1), 0),
                               SAMPLE("(2, 3)", flat, DIMS(2, 3), 0),
                               SAMPLE("(37)", flat, DIMS(37), 0),
                               SAMPLE("(5, 7)", flat, DIMS(5, 7), 0),
                               SAMPLE("(5) axis 0", along, DIMS(5), 0, false),
                               SAMPLE("(5, 7) axis 0", along, DIMS(5, 7), 0, false),
                               SAMPLE("(5, 7) axis 1 keepdim", along, DIMS(5, 7), -1, true),
                               SAMPLE("(2, 3, 5) axis 1", along, DIMS(2, 3, 5), 1, false),
                               SAMPLE("(2, 3, 5) axis 0 keepdim", along, DIMS(2, 3, 5), 0, true),
                               SAMPLE("(2, 1, 3, 2, 2) axis 3", along, DIMS(2, 1, 3, 2, 2), 3, false),
                               SAMPLE("(0, 3) axis 1", along, DIMS(0, 3), 1, false),
                               {0}},
    .values = (const op_value[]){{"first of equals", first_of_equals, NO_DIMS, 0, (const double[]){1}},
                                 {"first NaN", first_nan, NO_DIMS, 0, (const double[]){1}},
                                 {"flattened", flattened, NO_DIMS, 0, (const double[]){5}},
                                 {"axis 0", axis_0, DIMS(3), 0, (const double[]){1, 0, 0}},
                                 {"axis 1 keepdim", axis_1, DIMS(2, 1), 0, (const double[]){1, 0}},
                                 {"-inf", minus_infinity, NO_DIMS, 0, (const double[]){0}},
                                 {"no rows", no_rows, DIMS(0), 0, (const double[]){0}},
                                 {"i64", of_integers, DIMS(2), 0, (const double[]){1, 1}},
                                 {0}},
    .errors =
        (const op_error[]){
            {"NULL", of_null, HEED_ERR_ARGUMENT, "argmax:"},
            {"NULL, axis", axis_of_null, HEED_ERR_ARGUMENT, "argmax_axis:"},
            {"bool", of_bool, HEED_ERR_DTYPE, "argmax: the tensor is bool (2, 3): must be f32, f64 or i64"},
            {"of nothing", of_nothing, HEED_ERR_SHAPE, "argmax: no elements to choose from in (0, 3)"},
            {"empty axis", empty_axis, HEED_ERR_SHAPE, "argmax_axis: argmax: no elements to choose"},
            {"axis 2", axis_2, HEED_ERR_SHAPE, "argmax_axis: there is no axis 2"},
            {"axis INT_MIN", axis_least, HEED_ERR_SHAPE, "argmax_axis: there is no axis -2147483648"},
            {"axis of ()", axis_of_scalar, HEED_ERR_SHAPE, "argmax_axis:"},
            {0}},
};
