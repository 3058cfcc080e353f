/* tests/ops/elementwise/clone.c - cases of heed_clone. */

#include "elementwise.h"

RUN_1(run, heed_clone(x))
RUN_1(of_transposed, heed_clone(heed_transpose(x, 0, 1)))
VALUE_1(special, heed_clone(x), 0.0, -0.0, INFINITY, -INFINITY, NAN, 5e-324, 1.5)

static heed_tensor *of_i64(void)
{
    const int64_t values[] = {INT64_MIN, 0, INT64_MAX};
    heed_tensor *x = heed_from_array(HEED_I64, HEED_SHAPE(3), values, 3);
    return heed_compare(heed_clone(x), HEED_COMPARE_EQ, x);
}

static heed_tensor *of_bool(void)
{
    return heed_clone(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2), true, false));
}

static heed_tensor *of_a_view(void)
{
    return heed_clone(heed_transpose(heed_reshape(heed_arange(HEED_I64, 0, 6, 1), HEED_SHAPE(2, 3)), 0, 1));
}

static heed_tensor *of_null(void)
{
    return heed_clone(NULL);
}

const op_cases heed_cases_clone = {
    .cases =
        (const op_case[]){UNARY_SAMPLES(run, .low = -2, .high = 2),
                          SCALED_SAMPLE(run, -1e-8, 1e-8),
                          SCALED_SAMPLE(run, -1e8, 1e8),
                          {.name = "transposed", .run = of_transposed, .n_inputs = 1, .in = {{.shape = DIMS(2, 3)}}},
                          {0}},
    .values = (const op_value[]){{"special values", special, DIMS(7), 0,
                                  (const double[]){0.0, -0.0, INFINITY, -INFINITY, NAN, 5e-324, 1.5}},
                                 {"i64", of_i64, DIMS(3), 0, (const double[]){1, 1, 1}},
                                 {"bool", of_bool, DIMS(2), 0, (const double[]){1, 0}},
                                 {"a view", of_a_view, DIMS(3, 2), 0, (const double[]){0, 3, 1, 4, 2, 5}},
                                 {0}},
    .errors = (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "clone:"}, {0}},
};
