/* tests/ops/index/sort.c - cases of heed_sort and heed_sort_axis. */

#include "functions.h"

#include <limits.h>

/* i: axis, descending */
RUN(along, heed_sort_axis(in[0], (int)c->i[0], c->i[1], NULL))
RUN(last, heed_sort(in[0]))

#define SAMPLE(name_, run_, dims, ...)                                                                                 \
    {                                                                                                                  \
        .name = name_, .run = run_, .n_inputs = 1, .in = {{.shape = dims, .distinct = true}}, .i = { __VA_ARGS__ }     \
    }

static heed_tensor *indices_of(heed_tensor *x, int axis, bool descending)
{
    heed_tensor *indices = NULL;
    return heed_sort_axis(x, axis, descending, &indices) ? indices : NULL;
}

static heed_tensor *special(void)
{
    return HEED_TENSOR(HEED_F64, HEED_SHAPE(8), 1, NAN, -INFINITY, 0.0, -0.0, INFINITY, -1, 5e-324);
}

GIVES(special_up, heed_sort(special()))
GIVES(special_down, heed_sort_axis(special(), -1, true, NULL))
GIVES(special_indices, indices_of(special(), 0, false))
GIVES(special_indices_down, indices_of(special(), 0, true))
GIVES(stable_up, indices_of(HEED_TENSOR(HEED_F32, HEED_SHAPE(9), 2, 1, 2, 1, 2, 1, 0, 2, 1), 0, false))
GIVES(stable_down, indices_of(HEED_TENSOR(HEED_F32, HEED_SHAPE(9), 2, 1, 2, 1, 2, 1, 0, 2, 1), 0, true))
GIVES(nans_down, indices_of(HEED_TENSOR(HEED_F32, HEED_SHAPE(4), 1, NAN, 2, NAN), 0, true))
GIVES(columns, heed_sort_axis(HEED_TENSOR(HEED_F64, HEED_SHAPE(3, 2), 3, 1, 1, 3, 2, 2), 0, false, NULL))
GIVES(column_indices, indices_of(HEED_TENSOR(HEED_F64, HEED_SHAPE(3, 2), 3, 1, 1, 3, 2, 2), 0, false))
GIVES(gradient_of_order, gradient(heed_sort, HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 3, 1, 2)))

/* Numbers equal as doubles. */
static heed_tensor *integers(bool descending)
{
    const int64_t x[] = {INT64_MAX, -1, INT64_MIN, INT64_MAX - 1, 0, INT64_MIN + 1};
    return indices_of(heed_from_array(HEED_I64, HEED_SHAPE(6), x, 6), -1, descending);
}
GIVES(integers_up, integers(false))
GIVES(integers_down, integers(true))

/* 0 .. 999 in random order must come out in ascending order. */
static heed_tensor *thousand(void)
{
    heed_tensor *sorted = heed_sort(heed_to_dtype(heed_permutation(1000), HEED_F32));
    return heed_max(heed_abs(heed_sub(sorted, heed_arange(HEED_F32, 0, 1000, 1))));
}

GIVES(of_null, heed_sort(NULL))
GIVES(of_scalar, heed_sort(heed_ones(HEED_F64, HEED_SCALAR)))
GIVES(of_bool, heed_sort(heed_ones(HEED_BOOL, HEED_SHAPE(2, 3))))
GIVES(axis_2, heed_sort_axis(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 2, false, NULL))
GIVES(axis_least, heed_sort_axis(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), INT_MIN, true, NULL))

static heed_tensor *indices_after_failure(void)
{
    heed_tensor *x = heed_ones(HEED_F64, HEED_SHAPE(2)), *indices = x;
    (void)heed_sort_axis(x, 1, false, &indices);
    return indices;
}

const op_cases heed_cases_sort = {
    .cases = (const op_case[]){SAMPLE("(1)", last, DIMS(1), 0),
                               SAMPLE("(0)", last, DIMS(0), 0),
                               SAMPLE("(5)", last, DIMS(5), 0),
                               SAMPLE("(37)", last, DIMS(37), 0),
                               SAMPLE("(2, 3)", last, DIMS(2, 3), 0),
                               SAMPLE("(5) descending", along, DIMS(5), 0, true),
                               SAMPLE("(5, 7) axis 0", along, DIMS(5, 7), 0, false),
                               SAMPLE("(5, 7) axis 1 descending", along, DIMS(5, 7), 1, true),
                               SAMPLE("(7, 1) axis 1", along, DIMS(7, 1), 1, false),
                               SAMPLE("(2, 3, 5) axis 1", along, DIMS(2, 3, 5), 1, false),
                               SAMPLE("(2, 3, 1, 2, 2) axis -4", along, DIMS(2, 3, 1, 2, 2), -4, true),
                               SAMPLE("(0, 3) axis 1", along, DIMS(0, 3), 1, false),
                               SAMPLE("(3, 0, 2) axis 1", along, DIMS(3, 0, 2), 1, true),
                               {0}},
    .values =
        (const op_value[]){
            {"special values", special_up, DIMS(8), 0,
             (const double[]){-INFINITY, -1, 0.0, -0.0, 5e-324, 1, INFINITY, NAN}},
            {"special values descending", special_down, DIMS(8), 0,
             (const double[]){NAN, INFINITY, 1, 5e-324, 0.0, -0.0, -1, -INFINITY}},
            {"their indices", special_indices, DIMS(8), 0, (const double[]){2, 6, 3, 4, 7, 0, 5, 1}},
            {"their indices descending", special_indices_down, DIMS(8), 0, (const double[]){1, 5, 0, 7, 3, 4, 6, 2}},
            {"stable", stable_up, DIMS(9), 0, (const double[]){6, 1, 3, 5, 8, 0, 2, 4, 7}},
            {"stable descending", stable_down, DIMS(9), 0, (const double[]){0, 2, 4, 7, 1, 3, 5, 8, 6}},
            {"NaN descending", nans_down, DIMS(4), 0, (const double[]){1, 3, 2, 0}},
            {"columns", columns, DIMS(3, 2), 0, (const double[]){1, 1, 2, 2, 3, 3}},
            {"indices of columns", column_indices, DIMS(3, 2), 0, (const double[]){1, 0, 2, 2, 0, 1}},
            {"gradient", gradient_of_order, DIMS(3), 0, (const double[]){1, 1, 1}},
            {"i64", integers_up, DIMS(6), 0, (const double[]){2, 5, 1, 4, 3, 0}},
            {"i64 descending", integers_down, DIMS(6), 0, (const double[]){0, 3, 4, 1, 5, 2}},
            {"a thousand", thousand, NO_DIMS, 0, (const double[]){0}},
            {0}},
    .errors =
        (const op_error[]){
            {"NULL", of_null, HEED_ERR_ARGUMENT, "sort:"},
            {"()", of_scalar, HEED_ERR_SHAPE, "sort: there is no axis -1"},
            {"bool", of_bool, HEED_ERR_DTYPE, "sort: the tensor is bool (2, 3): must be f32, f64 or i64"},
            {"axis 2", axis_2, HEED_ERR_SHAPE, "sort_axis: there is no axis 2"},
            {"axis INT_MIN", axis_least, HEED_ERR_SHAPE, "sort_axis: there is no axis -2147483648"},
            {"no indices", indices_after_failure, HEED_ERR_SHAPE, "sort_axis:"},
            {0}},
};
