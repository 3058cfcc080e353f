/* tests/ops/index/searchsorted.c - cases of heed_searchsorted. */

#include "functions.h"

/* The drawn numbers are not in order: they are sorted first. */
RUN(run, heed_searchsorted(heed_sort(in[0]), in[1], c->i[0]))

#define SAMPLE(name_, dims, value_dims, right)                                                                         \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 2,                                                                      \
        .in = {{.shape = dims, .distinct = true}, {.shape = value_dims, .distinct = true}}, .i = {right},              \
        .max_order = -1                                                                                                \
    }

#define ROW(dtype) HEED_TENSOR(dtype, HEED_SHAPE(5), 1, 3, 3, 3, 5)
#define SOUGHT(dtype) HEED_TENSOR(dtype, HEED_SHAPE(2, 3), 0, 1, 3, 4, 5, 6)
GIVES(left, heed_searchsorted(ROW(HEED_F32), SOUGHT(HEED_F32), false))
GIVES(right, heed_searchsorted(ROW(HEED_F64), SOUGHT(HEED_F64), true))
GIVES(integers, heed_searchsorted(ROW(HEED_I64), SOUGHT(HEED_I64), true))
GIVES(rows,
      heed_searchsorted(counting(HEED_F64, HEED_SHAPE(2, 3)), HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 1), 1.5, 3.5), false))
GIVES(special, heed_searchsorted(HEED_TENSOR(HEED_F64, HEED_SHAPE(4), -INFINITY, 0, INFINITY, NAN),
                                 HEED_TENSOR(HEED_F64, HEED_SHAPE(3), NAN, INFINITY, -INFINITY), false))
GIVES(behind_nan, heed_searchsorted(HEED_TENSOR(HEED_F64, HEED_SHAPE(5), 1, 2, NAN, NAN, NAN),
                                    HEED_TENSOR(HEED_F64, HEED_SHAPE(4), .5, 1.5, 3, NAN), true))
GIVES(in_nothing, heed_searchsorted(heed_zeros(HEED_F64, HEED_SHAPE(0)), heed_ones(HEED_F64, HEED_SCALAR), true))

#define ONES(dtype, ...) heed_ones(dtype, HEED_SHAPE(__VA_ARGS__))
GIVES(of_null, heed_searchsorted(NULL, ONES(HEED_F64, 2), false))
GIVES(null_values, heed_searchsorted(ONES(HEED_F64, 2), NULL, false))
GIVES(mixed, heed_searchsorted(ONES(HEED_F64, 2), ONES(HEED_F32, 2), false))
GIVES(of_bool, heed_searchsorted(ONES(HEED_BOOL, 2), ONES(HEED_BOOL, 2), false))
GIVES(in_scalar, heed_searchsorted(heed_ones(HEED_F64, HEED_SCALAR), ONES(HEED_F64, 2), false))
GIVES(other_rows, heed_searchsorted(ONES(HEED_F64, 2, 3), ONES(HEED_F64, 3, 2), false))
GIVES(scalar_of_rows, heed_searchsorted(ONES(HEED_F64, 2, 3), heed_ones(HEED_F64, HEED_SCALAR), false))

const op_cases heed_cases_searchsorted = {
    .cases = (const op_case[]){SAMPLE("(1) (1)", DIMS(1), DIMS(1), false),
                               SAMPLE("(5) (3)", DIMS(5), DIMS(3), false),
                               SAMPLE("(5) ()", DIMS(5), NO_DIMS, true),
                               SAMPLE("(7) (2, 3) right", DIMS(7), DIMS(2, 3), true),
                               SAMPLE("(2, 5) (2, 3)", DIMS(2, 5), DIMS(2, 3), false),
                               SAMPLE("(2, 3, 4) (2, 3, 2) right", DIMS(2, 3, 4), DIMS(2, 3, 2), true),
                               SAMPLE("(5) (0)", DIMS(5), DIMS(0), false),
                               SAMPLE("(2, 5) (2, 0)", DIMS(2, 5), DIMS(2, 0), false),
                               {0}},
    .values = (const op_value[]){{"left", left, DIMS(2, 3), 0, (const double[]){0, 0, 1, 4, 4, 5}},
                                 {"right", right, DIMS(2, 3), 0, (const double[]){0, 1, 4, 4, 5, 5}},
                                 {"i64", integers, DIMS(2, 3), 0, (const double[]){0, 1, 4, 4, 5, 5}},
                                 {"rows", rows, DIMS(2, 1), 0, (const double[]){2, 1}},
                                 {"special", special, DIMS(3), 0, (const double[]){3, 2, 0}},
                                 {"behind NaN", behind_nan, DIMS(4), 0, (const double[]){0, 1, 2, 5}},
                                 {"in nothing", in_nothing, NO_DIMS, 0, (const double[]){0}},
                                 {0}},
    .errors =
        (const op_error[]){
            {"NULL", of_null, HEED_ERR_ARGUMENT, "searchsorted:"},
            {"values NULL", null_values, HEED_ERR_ARGUMENT, "searchsorted:"},
            {"f64 and f32", mixed, HEED_ERR_DTYPE, "searchsorted: f64 and f32: must both be"},
            {"bool", of_bool, HEED_ERR_DTYPE, "searchsorted: bool and bool: must both be"},
            {"()", in_scalar, HEED_ERR_SHAPE, "searchsorted: values (2) do not match the rows of ()"},
            {"other rows", other_rows, HEED_ERR_SHAPE, "searchsorted: values (3, 2) do not match the rows of (2, 3)"},
            {"() of rows", scalar_of_rows, HEED_ERR_SHAPE, "searchsorted: values ()"},
            {0}},
};
