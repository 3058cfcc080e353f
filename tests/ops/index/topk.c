/* tests/ops/index/topk.c - cases of heed_topk. */

#include "functions.h"

#include <limits.h>

/* i: axis, k, largest */
RUN(run, heed_topk(in[0], (int)c->i[0], c->i[1], c->i[2], NULL))

#define SAMPLE(name_, dims, ...)                                                                                       \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 1, .in = {{.shape = dims, .distinct = true}}, .i = { __VA_ARGS__ }      \
    }

static heed_tensor *indices_of(heed_tensor *x, int64_t k, bool largest)
{
    heed_tensor *indices = NULL;
    return heed_topk(x, -1, k, largest, &indices) ? indices : NULL;
}

static heed_tensor *special(void)
{
    return HEED_TENSOR(HEED_F64, HEED_SHAPE(9), 1, NAN, -INFINITY, 1, NAN, INFINITY, -1, 1, -INFINITY);
}
GIVES(largest, heed_topk(special(), 0, 4, true, NULL))
GIVES(largest_indices, indices_of(special(), 4, true))
GIVES(smallest, heed_topk(special(), 0, 3, false, NULL))
GIVES(smallest_indices, indices_of(special(), 3, false))
GIVES(two_of_equals, indices_of(heed_ones(HEED_F32, HEED_SHAPE(50)), 2, true))
GIVES(columns, heed_topk(HEED_TENSOR(HEED_I64, HEED_SHAPE(3, 2), 1, 6, 3, 4, 5, 2), 0, 1, true, NULL))
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

GIVES(of_null, heed_topk(NULL, 0, 1, true, NULL))
GIVES(of_scalar, heed_topk(heed_ones(HEED_F64, HEED_SCALAR), 0, 1, true, NULL))
GIVES(of_bool, heed_topk(heed_ones(HEED_BOOL, HEED_SHAPE(2)), 0, 1, true, NULL))
GIVES(axis_least, heed_topk(heed_ones(HEED_F64, HEED_SHAPE(2)), INT_MIN, 1, true, NULL))
GIVES(too_many, heed_topk(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 0, 3, true, NULL))
GIVES(less_than_none, heed_topk(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 0, -1, true, NULL))
GIVES(least, heed_topk(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 0, INT64_MIN, true, NULL))
GIVES(most, heed_topk(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 0, INT64_MAX, true, NULL))

const op_cases heed_cases_topk = {
    .cases = (const op_case[]){SAMPLE("(1) 1", DIMS(1), 0, 1, true),
                               SAMPLE("(5) 2", DIMS(5), 0, 2, true),
                               SAMPLE("(5) 5 smallest", DIMS(5), 0, 5, false),
                               SAMPLE("(37) 3", DIMS(37), 0, 3, true),
                               SAMPLE("(3) 0", DIMS(3), 0, 0, true),
                               SAMPLE("(2, 3) axis 0", DIMS(2, 3), 0, 1, false),
                               SAMPLE("(2, 7, 3) axis 1", DIMS(2, 7, 3), -2, 2, true),
                               SAMPLE("(0, 3) 1", DIMS(0, 3), 1, 1, true),
                               {0}},
    .values = (const op_value[]){{"largest", largest, DIMS(4), 0, (const double[]){NAN, NAN, INFINITY, 1}},
                                 {"where they are", largest_indices, DIMS(4), 0, (const double[]){1, 4, 5, 0}},
                                 {"smallest", smallest, DIMS(3), 0, (const double[]){-INFINITY, -INFINITY, -1}},
                                 {"where these are", smallest_indices, DIMS(3), 0, (const double[]){2, 8, 6}},
                                 {"of equals the first", two_of_equals, DIMS(2), 0, (const double[]){0, 1}},
                                 {"columns", columns, DIMS(1, 2), 0, (const double[]){5, 6}},
                                 {"none", none, DIMS(2, 0), 0, (const double[]){0}},
                                 {"of a thousand", as_sorted, NO_DIMS, 0, (const double[]){0}},
                                 {"gradient", slope, DIMS(4), 0, (const double[]){1, 1, 0, 0}},
                                 {0}},
    .errors =
        (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "topk:"},
                           {"()", of_scalar, HEED_ERR_SHAPE, "topk: there is no axis 0"},
                           {"bool", of_bool, HEED_ERR_DTYPE, "topk: sort: the tensor is bool (2)"},
                           {"axis INT_MIN", axis_least, HEED_ERR_SHAPE, "topk: there is no axis -2147483648"},
                           {"k = 3", too_many, HEED_ERR_ARGUMENT, "topk: k is 3: must be in 0 .. 2 for axis 0 of"},
                           {"k = -1", less_than_none, HEED_ERR_ARGUMENT, "topk: k is -1: must be in 0 .. 2"},
                           {"k = INT64_MIN", least, HEED_ERR_ARGUMENT, "topk: k is -1: must be"},
                           {"k = INT64_MAX", most, HEED_ERR_ARGUMENT, "topk: k is 9223372036854775807: must be"},
                           {0}},
};
