/* tests/ops/index/sort.c - the ops of order: sort, argsort, topk, unique and searchsorted.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "functions.h"

#include <limits.h>

/* -- sort ---------------------------------------------------------------------------------------------------------- */

/* i: axis, descending */
RUN(along, heed_sort_axis(in[0], (int)c->i[0], c->i[1], NULL))
RUN(last, heed_sort(in[0]))

#define SORT_SAMPLE(name_, run_, dims, ...)                                                                            \
    {                                                                                                                  \
        .name = name_, .run = run_, .n_inputs = 1, .in = {{.shape = dims, .distinct = true}}, .i = { __VA_ARGS__ }     \
    }

static heed_tensor *sort_indices_of(heed_tensor *x, int axis, bool descending)
{
    heed_tensor *indices = NULL;
    return heed_sort_axis(x, axis, descending, &indices) ? indices : NULL;
}

static heed_tensor *sort_special(void)
{
    return HEED_TENSOR(HEED_F64, HEED_SHAPE(8), 1, NAN, -INFINITY, 0.0, -0.0, INFINITY, -1, 5e-324);
}

GIVES(special_up, heed_sort(sort_special()))
GIVES(special_down, heed_sort_axis(sort_special(), -1, true, NULL))
GIVES(special_indices, sort_indices_of(sort_special(), 0, false))
GIVES(special_indices_down, sort_indices_of(sort_special(), 0, true))
GIVES(stable_up, sort_indices_of(HEED_TENSOR(HEED_F32, HEED_SHAPE(9), 2, 1, 2, 1, 2, 1, 0, 2, 1), 0, false))
GIVES(stable_down, sort_indices_of(HEED_TENSOR(HEED_F32, HEED_SHAPE(9), 2, 1, 2, 1, 2, 1, 0, 2, 1), 0, true))
GIVES(nans_down, sort_indices_of(HEED_TENSOR(HEED_F32, HEED_SHAPE(4), 1, NAN, 2, NAN), 0, true))
GIVES(sort_columns, heed_sort_axis(HEED_TENSOR(HEED_F64, HEED_SHAPE(3, 2), 3, 1, 1, 3, 2, 2), 0, false, NULL))
GIVES(column_indices, sort_indices_of(HEED_TENSOR(HEED_F64, HEED_SHAPE(3, 2), 3, 1, 1, 3, 2, 2), 0, false))
GIVES(gradient_of_order, gradient(heed_sort, HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 3, 1, 2)))

/* Numbers equal as doubles. */
static heed_tensor *sort_integers(bool descending)
{
    const int64_t x[] = {INT64_MAX, -1, INT64_MIN, INT64_MAX - 1, 0, INT64_MIN + 1};
    return sort_indices_of(heed_from_array(HEED_I64, HEED_SHAPE(6), x, 6), -1, descending);
}
GIVES(integers_up, sort_integers(false))
GIVES(integers_down, sort_integers(true))

/* 0 .. 999 in random order must come out in ascending order. */
static heed_tensor *thousand(void)
{
    heed_tensor *sorted = heed_sort(heed_to_dtype(heed_permutation(1000), HEED_F32));
    return heed_max(heed_abs(heed_sub(sorted, heed_arange(HEED_F32, 0, 1000, 1))));
}

GIVES(sort_of_null, heed_sort(NULL))
GIVES(sort_of_scalar, heed_sort(heed_ones(HEED_F64, HEED_SCALAR)))
GIVES(sort_of_bool, heed_sort(heed_ones(HEED_BOOL, HEED_SHAPE(2, 3))))
GIVES(axis_2, heed_sort_axis(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 2, false, NULL))
GIVES(sort_axis_least, heed_sort_axis(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), INT_MIN, true, NULL))

static heed_tensor *indices_after_failure(void)
{
    heed_tensor *x = heed_ones(HEED_F64, HEED_SHAPE(2)), *indices = x;
    (void)heed_sort_axis(x, 1, false, &indices);
    return indices;
}

const op_cases heed_cases_sort = {
    .cases = (const op_case[]){SORT_SAMPLE("(1)", last, DIMS(1), 0),
                               SORT_SAMPLE("(0)", last, DIMS(0), 0),
                               SORT_SAMPLE("(5)", last, DIMS(5), 0),
                               SORT_SAMPLE("(37)", last, DIMS(37), 0),
                               SORT_SAMPLE("(2, 3)", last, DIMS(2, 3), 0),
                               SORT_SAMPLE("(5) descending", along, DIMS(5), 0, true),
                               SORT_SAMPLE("(5, 7) axis 0", along, DIMS(5, 7), 0, false),
                               SORT_SAMPLE("(5, 7) axis 1 descending", along, DIMS(5, 7), 1, true),
                               SORT_SAMPLE("(7, 1) axis 1", along, DIMS(7, 1), 1, false),
                               SORT_SAMPLE("(2, 3, 5) axis 1", along, DIMS(2, 3, 5), 1, false),
                               SORT_SAMPLE("(2, 3, 1, 2, 2) axis -4", along, DIMS(2, 3, 1, 2, 2), -4, true),
                               SORT_SAMPLE("(0, 3) axis 1", along, DIMS(0, 3), 1, false),
                               SORT_SAMPLE("(3, 0, 2) axis 1", along, DIMS(3, 0, 2), 1, true),
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
            {"columns", sort_columns, DIMS(3, 2), 0, (const double[]){1, 1, 2, 2, 3, 3}},
            {"indices of columns", column_indices, DIMS(3, 2), 0, (const double[]){1, 0, 2, 2, 0, 1}},
            {"gradient", gradient_of_order, DIMS(3), 0, (const double[]){1, 1, 1}},
            {"i64", integers_up, DIMS(6), 0, (const double[]){2, 5, 1, 4, 3, 0}},
            {"i64 descending", integers_down, DIMS(6), 0, (const double[]){0, 3, 4, 1, 5, 2}},
            {"a thousand", thousand, NO_DIMS, 0, (const double[]){0}},
            {0}},
    .errors =
        (const op_error[]){
            {"NULL", sort_of_null, HEED_ERR_ARGUMENT, "sort:"},
            {"()", sort_of_scalar, HEED_ERR_SHAPE, "sort: there is no axis -1"},
            {"bool", sort_of_bool, HEED_ERR_DTYPE, "sort: the tensor is bool (2, 3): must be f32, f64 or i64"},
            {"axis 2", axis_2, HEED_ERR_SHAPE, "sort_axis: there is no axis 2"},
            {"axis INT_MIN", sort_axis_least, HEED_ERR_SHAPE, "sort_axis: there is no axis -2147483648"},
            {"no indices", indices_after_failure, HEED_ERR_SHAPE, "sort_axis:"},
            {0}},
};

/* -- argsort ------------------------------------------------------------------------------------------------------- */

RUN(argsort_run, heed_argsort(in[0], (int)c->i[0], c->i[1]))

#define ARGSORT_SAMPLE(name_, dims, ...)                                                                               \
    {                                                                                                                  \
        .name = name_, .run = argsort_run, .n_inputs = 1, .in = {{.shape = dims, .distinct = true}},                   \
        .i = {__VA_ARGS__}, .max_order = -1                                                                            \
    }

GIVES(up, heed_argsort(HEED_TENSOR(HEED_F32, HEED_SHAPE(5), 2, NAN, 1, 2, -INFINITY), 0, false))
GIVES(down, heed_argsort(HEED_TENSOR(HEED_F32, HEED_SHAPE(5), 2, NAN, 1, 2, -INFINITY), -1, true))
GIVES(argsort_columns, heed_argsort(HEED_TENSOR(HEED_I64, HEED_SHAPE(2, 2), 3, 1, 1, 3), 0, false))

/* The result is a plain tensor of indices, also if x requires a gradient. */
static heed_tensor *argsort_of_leaf(void)
{
    heed_tensor *y = heed_argsort(heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2)), true), 0, false);
    return heed_full(HEED_I64, HEED_SCALAR, heed_requires_grad(y));
}

GIVES(argsort_of_null, heed_argsort(NULL, 0, false))
GIVES(argsort_of_scalar, heed_argsort(heed_ones(HEED_F64, HEED_SCALAR), -1, false))
GIVES(argsort_of_bool, heed_argsort(heed_ones(HEED_BOOL, HEED_SHAPE(2, 3)), 0, false))
GIVES(argsort_axis_least, heed_argsort(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), INT_MIN, true))

const op_cases heed_cases_argsort = {
    .cases = (const op_case[]){ARGSORT_SAMPLE("(1)", DIMS(1), 0, false),
                               ARGSORT_SAMPLE("(5)", DIMS(5), 0, true),
                               ARGSORT_SAMPLE("(2, 3) axis 0", DIMS(2, 3), 0, false),
                               ARGSORT_SAMPLE("(2, 3, 5) axis -2", DIMS(2, 3, 5), -2, true),
                               ARGSORT_SAMPLE("(0, 3)", DIMS(0, 3), 0, false),
                               {0}},
    .values = (const op_value[]){{"up", up, DIMS(5), 0, (const double[]){4, 2, 0, 3, 1}},
                                 {"down", down, DIMS(5), 0, (const double[]){1, 0, 3, 2, 4}},
                                 {"columns", argsort_columns, DIMS(2, 2), 0, (const double[]){1, 0, 0, 1}},
                                 {"of a leaf", argsort_of_leaf, NO_DIMS, 0, (const double[]){0}},
                                 {0}},
    .errors = (const op_error[]){{"NULL", argsort_of_null, HEED_ERR_ARGUMENT, "argsort:"},
                                 {"()", argsort_of_scalar, HEED_ERR_SHAPE, "argsort: there is no axis -1"},
                                 {"bool", argsort_of_bool, HEED_ERR_DTYPE, "argsort: sort: the tensor is bool (2, 3)"},
                                 {"axis INT_MIN", argsort_axis_least, HEED_ERR_SHAPE,
                                  "argsort: there is no axis -2147483648"},
                                 {0}},
};

/* -- topk ---------------------------------------------------------------------------------------------------------- */

/* i: axis, k, largest */
RUN(topk_run, heed_topk(in[0], (int)c->i[0], c->i[1], c->i[2], NULL))

#define TOPK_SAMPLE(name_, dims, ...)                                                                                  \
    {                                                                                                                  \
        .name = name_, .run = topk_run, .n_inputs = 1, .in = {{.shape = dims, .distinct = true}}, .i = { __VA_ARGS__ } \
    }

static heed_tensor *topk_indices_of(heed_tensor *x, int64_t k, bool largest)
{
    heed_tensor *indices = NULL;
    return heed_topk(x, -1, k, largest, &indices) ? indices : NULL;
}

static heed_tensor *topk_special(void)
{
    return HEED_TENSOR(HEED_F64, HEED_SHAPE(9), 1, NAN, -INFINITY, 1, NAN, INFINITY, -1, 1, -INFINITY);
}
GIVES(largest, heed_topk(topk_special(), 0, 4, true, NULL))
GIVES(largest_indices, topk_indices_of(topk_special(), 4, true))
GIVES(smallest, heed_topk(topk_special(), 0, 3, false, NULL))
GIVES(smallest_indices, topk_indices_of(topk_special(), 3, false))
GIVES(two_of_equals, topk_indices_of(heed_ones(HEED_F32, HEED_SHAPE(50)), 2, true))
GIVES(topk_columns, heed_topk(HEED_TENSOR(HEED_I64, HEED_SHAPE(3, 2), 1, 6, 3, 4, 5, 2), 0, 1, true, NULL))
GIVES(none, heed_topk(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 1, 0, true, NULL))

/* Compares the best k of many with a full sort: in falling, rising and random order, with equal numbers. */
static double worst(heed_tensor *x, int64_t k, bool descending)
{
    heed_tensor *indices, *sorted_indices, *y = heed_topk(x, 0, k, descending, &indices);
    heed_tensor *sorted = heed_slice(heed_sort_axis(x, 0, descending, &sorted_indices), 0, 0, k, 1);
    heed_tensor *expected_indices = heed_to_dtype(heed_slice(sorted_indices, 0, 0, k, 1), HEED_F64);
    return heed_item(heed_max(heed_abs(heed_sub(y, sorted)))) +
           heed_item(heed_max(heed_abs(heed_sub(heed_to_dtype(indices, HEED_F64), expected_indices))));
}
static heed_tensor *as_sorted(void)
{
    double sum = 0;
    heed_tensor *rising = heed_arange(HEED_F64, 0, 1000, 1);
    heed_tensor *equals = heed_to_dtype(heed_randint(0, 20, HEED_SHAPE(1000)), HEED_F64);
    heed_tensor *inputs[] = {rising, heed_flip(rising, HEED_AXES(0)), heed_randn(HEED_F64, HEED_SHAPE(1000)), equals};
    for (int i = 0; i < 4; i++)
        for (int64_t k = 1; k <= 1000; k = 3 * k + 1)
            sum += worst(inputs[i], k, false) + worst(inputs[i], k, true);
    return heed_full(HEED_F64, HEED_SCALAR, sum);
}

static heed_tensor *best(heed_tensor *x)
{
    return heed_topk(x, 0, 2, true, NULL);
}
GIVES(slope, gradient(best, HEED_TENSOR(HEED_F32, HEED_SHAPE(4), 3, 7, 3, 1)))

GIVES(topk_of_null, heed_topk(NULL, 0, 1, true, NULL))
GIVES(topk_of_scalar, heed_topk(heed_ones(HEED_F64, HEED_SCALAR), 0, 1, true, NULL))
GIVES(topk_of_bool, heed_topk(heed_ones(HEED_BOOL, HEED_SHAPE(2)), 0, 1, true, NULL))
GIVES(topk_axis_least, heed_topk(heed_ones(HEED_F64, HEED_SHAPE(2)), INT_MIN, 1, true, NULL))
GIVES(too_many, heed_topk(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 0, 3, true, NULL))
GIVES(less_than_none, heed_topk(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 0, -1, true, NULL))
GIVES(least, heed_topk(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 0, INT64_MIN, true, NULL))
GIVES(most, heed_topk(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 0, INT64_MAX, true, NULL))

const op_cases heed_cases_topk = {
    .cases = (const op_case[]){TOPK_SAMPLE("(1) 1", DIMS(1), 0, 1, true),
                               TOPK_SAMPLE("(5) 2", DIMS(5), 0, 2, true),
                               TOPK_SAMPLE("(5) 5 smallest", DIMS(5), 0, 5, false),
                               TOPK_SAMPLE("(37) 3", DIMS(37), 0, 3, true),
                               TOPK_SAMPLE("(3) 0", DIMS(3), 0, 0, true),
                               TOPK_SAMPLE("(2, 3) axis 0", DIMS(2, 3), 0, 1, false),
                               TOPK_SAMPLE("(2, 7, 3) axis 1", DIMS(2, 7, 3), -2, 2, true),
                               TOPK_SAMPLE("(0, 3) 1", DIMS(0, 3), 1, 1, true),
                               {0}},
    .values = (const op_value[]){{"largest", largest, DIMS(4), 0, (const double[]){NAN, NAN, INFINITY, 1}},
                                 {"where they are", largest_indices, DIMS(4), 0, (const double[]){1, 4, 5, 0}},
                                 {"smallest", smallest, DIMS(3), 0, (const double[]){-INFINITY, -INFINITY, -1}},
                                 {"where these are", smallest_indices, DIMS(3), 0, (const double[]){2, 8, 6}},
                                 {"of equals the first", two_of_equals, DIMS(2), 0, (const double[]){0, 1}},
                                 {"columns", topk_columns, DIMS(1, 2), 0, (const double[]){5, 6}},
                                 {"none", none, DIMS(2, 0), 0, (const double[]){0}},
                                 {"of a thousand", as_sorted, NO_DIMS, 0, (const double[]){0}},
                                 {"gradient", slope, DIMS(4), 0, (const double[]){1, 1, 0, 0}},
                                 {0}},
    .errors =
        (const op_error[]){{"NULL", topk_of_null, HEED_ERR_ARGUMENT, "topk:"},
                           {"()", topk_of_scalar, HEED_ERR_SHAPE, "topk: there is no axis 0"},
                           {"bool", topk_of_bool, HEED_ERR_DTYPE, "topk: sort: the tensor is bool (2)"},
                           {"axis INT_MIN", topk_axis_least, HEED_ERR_SHAPE, "topk: there is no axis -2147483648"},
                           {"k = 3", too_many, HEED_ERR_ARGUMENT, "topk: k is 3: must be in 0 .. 2 for axis 0 of"},
                           {"k = -1", less_than_none, HEED_ERR_ARGUMENT, "topk: k is -1: must be in 0 .. 2"},
                           {"k = INT64_MIN", least, HEED_ERR_ARGUMENT, "topk: k is -1: must be"},
                           {"k = INT64_MAX", most, HEED_ERR_ARGUMENT, "topk: k is 9223372036854775807: must be"},
                           {0}},
};

/* -- unique -------------------------------------------------------------------------------------------------------- */

RUN(values, heed_unique(in[0], NULL, NULL))

static heed_tensor *inverse_of(heed_tensor *x)
{
    heed_tensor *inverse = NULL;
    return heed_unique(x, &inverse, NULL) ? inverse : NULL;
}
static heed_tensor *counts_of(heed_tensor *x)
{
    heed_tensor *counts = NULL;
    return heed_unique(x, NULL, &counts) ? counts : NULL;
}
RUN(inverse, inverse_of(in[0]))
RUN(counts, counts_of(in[0]))

#define UNIQUE_SAMPLE(name_, run_, dims)                                                                               \
    {                                                                                                                  \
        .name = name_, .run = run_, .n_inputs = 1, .in = {{.shape = dims, .kind = OP_INDEX, .low = -2, .high = 3}},    \
        .max_order = -1                                                                                                \
    }

static heed_tensor *unique_special(void)
{
    return HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 4), NAN, 0.0, 2, -0.0, NAN, INFINITY, 2, -1);
}
GIVES(of_special, heed_unique(unique_special(), NULL, NULL))
GIVES(special_inverse, inverse_of(unique_special()))
GIVES(special_counts, counts_of(unique_special()))
GIVES(unique_of_bool, heed_unique(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(3), 1, 0, 1), NULL, NULL))
GIVES(unique_of_scalar, heed_unique(heed_full(HEED_F64, HEED_SCALAR, 3), NULL, NULL))
GIVES(scalar_inverse, inverse_of(heed_full(HEED_F64, HEED_SCALAR, 3)))
GIVES(of_nothing, heed_unique(heed_zeros(HEED_F64, HEED_SHAPE(2, 0)), NULL, NULL))
GIVES(nothing_inverse, inverse_of(heed_zeros(HEED_F64, HEED_SHAPE(2, 0))))
GIVES(nothing_counts, counts_of(heed_zeros(HEED_F64, HEED_SHAPE(2, 0))))

static heed_tensor *unique_of_leaf(void)
{
    heed_tensor *y = heed_unique(heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2)), true), NULL, NULL);
    return heed_full(HEED_I64, HEED_SCALAR, heed_requires_grad(y));
}

GIVES(unique_of_null, heed_unique(NULL, NULL, NULL))
static heed_tensor *after_failure(void)
{
    heed_tensor *x = heed_ones(HEED_F64, HEED_SHAPE(2)), *a = x, *b = x;
    (void)heed_unique(NULL, &a, &b);
    return a ? a : b;
}

const op_cases heed_cases_unique = {
    .cases = (const op_case[]){UNIQUE_SAMPLE("(7)", values, DIMS(7)),
                               UNIQUE_SAMPLE("(7) inverse", inverse, DIMS(7)),
                               UNIQUE_SAMPLE("(7) counts", counts, DIMS(7)),
                               UNIQUE_SAMPLE("(2, 3, 2)", values, DIMS(2, 3, 2)),
                               UNIQUE_SAMPLE("(2, 3, 2) inverse", inverse, DIMS(2, 3, 2)),
                               UNIQUE_SAMPLE("(1)", values, DIMS(1)),
                               UNIQUE_SAMPLE("(0)", values, DIMS(0)),
                               {0}},
    .values =
        (const op_value[]){{"special", of_special, DIMS(6), 0, (const double[]){-1, 0, 2, INFINITY, NAN, NAN}},
                           {"their numbers", special_inverse, DIMS(2, 4), 0, (const double[]){4, 1, 2, 1, 5, 3, 2, 0}},
                           {"their counts", special_counts, DIMS(6), 0, (const double[]){1, 2, 2, 1, 1, 1}},
                           {"bool", unique_of_bool, DIMS(2), 0, (const double[]){0, 1}},
                           {"a scalar", unique_of_scalar, DIMS(1), 0, (const double[]){3}},
                           {"its number", scalar_inverse, NO_DIMS, 0, (const double[]){0}},
                           {"nothing", of_nothing, DIMS(0), 0, (const double[]){0}},
                           {"no numbers", nothing_inverse, DIMS(2, 0), 0, (const double[]){0}},
                           {"no counts", nothing_counts, DIMS(0), 0, (const double[]){0}},
                           {"of a leaf", unique_of_leaf, NO_DIMS, 0, (const double[]){0}},
                           {0}},
    .errors = (const op_error[]){{"NULL", unique_of_null, HEED_ERR_ARGUMENT, "unique:"},
                                 {"nothing left", after_failure, HEED_ERR_ARGUMENT, "unique:"},
                                 {0}},
};

/* -- searchsorted -------------------------------------------------------------------------------------------------- */

/* The drawn numbers are not in order: they are sorted first. */
RUN(searchsorted_run, heed_searchsorted(heed_sort(in[0]), in[1], c->i[0]))

#define SEARCHSORTED_SAMPLE(name_, dims, value_dims, right)                                                            \
    {                                                                                                                  \
        .name = name_, .run = searchsorted_run, .n_inputs = 2,                                                         \
        .in = {{.shape = dims, .distinct = true}, {.shape = value_dims, .distinct = true}}, .i = {right},              \
        .max_order = -1                                                                                                \
    }

#define ROW(dtype) HEED_TENSOR(dtype, HEED_SHAPE(5), 1, 3, 3, 3, 5)
#define SOUGHT(dtype) HEED_TENSOR(dtype, HEED_SHAPE(2, 3), 0, 1, 3, 4, 5, 6)
GIVES(left, heed_searchsorted(ROW(HEED_F32), SOUGHT(HEED_F32), false))
GIVES(right, heed_searchsorted(ROW(HEED_F64), SOUGHT(HEED_F64), true))
GIVES(searchsorted_integers, heed_searchsorted(ROW(HEED_I64), SOUGHT(HEED_I64), true))
GIVES(rows,
      heed_searchsorted(counting(HEED_F64, HEED_SHAPE(2, 3)), HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 1), 1.5, 3.5), false))
GIVES(searchsorted_special, heed_searchsorted(HEED_TENSOR(HEED_F64, HEED_SHAPE(4), -INFINITY, 0, INFINITY, NAN),
                                              HEED_TENSOR(HEED_F64, HEED_SHAPE(3), NAN, INFINITY, -INFINITY), false))
GIVES(behind_nan, heed_searchsorted(HEED_TENSOR(HEED_F64, HEED_SHAPE(5), 1, 2, NAN, NAN, NAN),
                                    HEED_TENSOR(HEED_F64, HEED_SHAPE(4), .5, 1.5, 3, NAN), true))
GIVES(in_nothing, heed_searchsorted(heed_zeros(HEED_F64, HEED_SHAPE(0)), heed_ones(HEED_F64, HEED_SCALAR), true))

#define ONES(dtype, ...) heed_ones(dtype, HEED_SHAPE(__VA_ARGS__))
GIVES(searchsorted_of_null, heed_searchsorted(NULL, ONES(HEED_F64, 2), false))
GIVES(null_values, heed_searchsorted(ONES(HEED_F64, 2), NULL, false))
GIVES(mixed, heed_searchsorted(ONES(HEED_F64, 2), ONES(HEED_F32, 2), false))
GIVES(searchsorted_of_bool, heed_searchsorted(ONES(HEED_BOOL, 2), ONES(HEED_BOOL, 2), false))
GIVES(in_scalar, heed_searchsorted(heed_ones(HEED_F64, HEED_SCALAR), ONES(HEED_F64, 2), false))
GIVES(other_rows, heed_searchsorted(ONES(HEED_F64, 2, 3), ONES(HEED_F64, 3, 2), false))
GIVES(scalar_of_rows, heed_searchsorted(ONES(HEED_F64, 2, 3), heed_ones(HEED_F64, HEED_SCALAR), false))

const op_cases heed_cases_searchsorted = {
    .cases = (const op_case[]){SEARCHSORTED_SAMPLE("(1) (1)", DIMS(1), DIMS(1), false),
                               SEARCHSORTED_SAMPLE("(5) (3)", DIMS(5), DIMS(3), false),
                               SEARCHSORTED_SAMPLE("(5) ()", DIMS(5), NO_DIMS, true),
                               SEARCHSORTED_SAMPLE("(7) (2, 3) right", DIMS(7), DIMS(2, 3), true),
                               SEARCHSORTED_SAMPLE("(2, 5) (2, 3)", DIMS(2, 5), DIMS(2, 3), false),
                               SEARCHSORTED_SAMPLE("(2, 3, 4) (2, 3, 2) right", DIMS(2, 3, 4), DIMS(2, 3, 2), true),
                               SEARCHSORTED_SAMPLE("(5) (0)", DIMS(5), DIMS(0), false),
                               SEARCHSORTED_SAMPLE("(2, 5) (2, 0)", DIMS(2, 5), DIMS(2, 0), false),
                               {0}},
    .values = (const op_value[]){{"left", left, DIMS(2, 3), 0, (const double[]){0, 0, 1, 4, 4, 5}},
                                 {"right", right, DIMS(2, 3), 0, (const double[]){0, 1, 4, 4, 5, 5}},
                                 {"i64", searchsorted_integers, DIMS(2, 3), 0, (const double[]){0, 1, 4, 4, 5, 5}},
                                 {"rows", rows, DIMS(2, 1), 0, (const double[]){2, 1}},
                                 {"special", searchsorted_special, DIMS(3), 0, (const double[]){3, 2, 0}},
                                 {"behind NaN", behind_nan, DIMS(4), 0, (const double[]){0, 1, 2, 5}},
                                 {"in nothing", in_nothing, NO_DIMS, 0, (const double[]){0}},
                                 {0}},
    .errors =
        (const op_error[]){
            {"NULL", searchsorted_of_null, HEED_ERR_ARGUMENT, "searchsorted:"},
            {"values NULL", null_values, HEED_ERR_ARGUMENT, "searchsorted:"},
            {"f64 and f32", mixed, HEED_ERR_DTYPE, "searchsorted: f64 and f32: must both be"},
            {"bool", searchsorted_of_bool, HEED_ERR_DTYPE, "searchsorted: bool and bool: must both be"},
            {"()", in_scalar, HEED_ERR_SHAPE, "searchsorted: values (2) do not match the rows of ()"},
            {"other rows", other_rows, HEED_ERR_SHAPE, "searchsorted: values (3, 2) do not match the rows of (2, 3)"},
            {"() of rows", scalar_of_rows, HEED_ERR_SHAPE, "searchsorted: values ()"},
            {0}},
};
