/* tests/ops/elementwise/compare_scalar.c - cases of heed_compare_scalar. */

#include "functions.h"

RUN(run, heed_compare_scalar(in[0], (heed_comparison)c->i[0], c->p[0]))

#define SAMPLE(name_, dims, comparison, number)                                                                        \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 1, .in = {{.shape = dims}}, .i = {comparison}, .p = {number},           \
        .max_order = -1                                                                                                \
    }

static heed_tensor *floats(heed_dtype dtype, heed_comparison comparison, double c)
{
    return heed_compare_scalar(HEED_TENSOR(dtype, HEED_SHAPE(6), 1, 0.1, NAN, INFINITY, -0.0, -1), comparison, c);
}

/* Numbers equal as doubles. */
static heed_tensor *integers(heed_comparison comparison)
{
    const int64_t x[] = {(INT64_C(1) << 53) + 1, INT64_C(1) << 53, -1, INT64_MIN};
    return heed_compare_scalar(heed_from_array(HEED_I64, HEED_SHAPE(4), x, 4), comparison, 0x1p53);
}

GIVES(equal, floats(HEED_F64, HEED_COMPARE_EQ, 0.1))
GIVES(equal_f32, floats(HEED_F32, HEED_COMPARE_EQ, 0.1)) /* 0.1 is rounded, too */
GIVES(not_zero, floats(HEED_F64, HEED_COMPARE_NE, 0))
GIVES(below, floats(HEED_F32, HEED_COMPARE_LT, INFINITY))
GIVES(most, floats(HEED_F64, HEED_COMPARE_LE, 0.1))
GIVES(above, floats(HEED_F64, HEED_COMPARE_GT, 0))
GIVES(least, floats(HEED_F32, HEED_COMPARE_GE, 1))
GIVES(to_nan, floats(HEED_F64, HEED_COMPARE_NE, NAN))
GIVES(integers_above, integers(HEED_COMPARE_GT))
GIVES(integers_equal, integers(HEED_COMPARE_EQ))
GIVES(of_masks, heed_compare_scalar(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2), 0, 1), HEED_COMPARE_EQ, 0))

GIVES(of_null, heed_compare_scalar(NULL, HEED_COMPARE_EQ, 0))
GIVES(half, heed_compare_scalar(heed_ones(HEED_I64, HEED_SHAPE(2)), HEED_COMPARE_EQ, 0.5))
GIVES(too_large, heed_compare_scalar(heed_ones(HEED_I64, HEED_SHAPE(2)), HEED_COMPARE_EQ, 0x1p63))
GIVES(nan_of_i64, heed_compare_scalar(heed_ones(HEED_I64, HEED_SHAPE(2)), HEED_COMPARE_EQ, NAN))
GIVES(two_of_bool, heed_compare_scalar(heed_ones(HEED_BOOL, HEED_SHAPE(2)), HEED_COMPARE_EQ, 2))
GIVES(no_comparison, heed_compare_scalar(heed_ones(HEED_F64, HEED_SHAPE(2)), (heed_comparison)6, 2))

const op_cases heed_cases_compare_scalar = {
    .cases = (const op_case[]){SAMPLE("() < 0", NO_DIMS, HEED_COMPARE_LT, 0),
                               SAMPLE("(0) = 0", DIMS(0), HEED_COMPARE_EQ, 0),
                               SAMPLE("(5) <= 0", DIMS(5), HEED_COMPARE_LE, 0),
                               SAMPLE("(37) != 1", DIMS(37), HEED_COMPARE_NE, 1),
                               SAMPLE("(2, 3, 5) >= 0.5", DIMS(2, 3, 5), HEED_COMPARE_GE, 0.5),
                               {0}},
    .values = (const op_value[]){{"= 0.1", equal, DIMS(6), 0, (const double[]){0, 1, 0, 0, 0, 0}},
                                 {"f32 = 0.1", equal_f32, DIMS(6), 0, (const double[]){0, 1, 0, 0, 0, 0}},
                                 {"!= 0", not_zero, DIMS(6), 0, (const double[]){1, 1, 1, 1, 0, 1}},
                                 {"< inf", below, DIMS(6), 0, (const double[]){1, 1, 0, 0, 1, 1}},
                                 {"<= 0.1", most, DIMS(6), 0, (const double[]){0, 1, 0, 0, 1, 1}},
                                 {"> 0", above, DIMS(6), 0, (const double[]){1, 1, 0, 1, 0, 0}},
                                 {">= 1", least, DIMS(6), 0, (const double[]){1, 0, 0, 1, 0, 0}},
                                 {"!= NaN", to_nan, DIMS(6), 0, (const double[]){1, 1, 1, 1, 1, 1}},
                                 {"i64 > 2^53", integers_above, DIMS(4), 0, (const double[]){1, 0, 0, 0}},
                                 {"i64 = 2^53", integers_equal, DIMS(4), 0, (const double[]){0, 1, 0, 0}},
                                 {"bool = 0", of_masks, DIMS(2), 0, (const double[]){1, 0}},
                                 {0}},
    .errors = (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "compare_scalar:"},
                                 {"i64 = 0.5", half, HEED_ERR_ARGUMENT,
                                  "compare_scalar: c is 0.5: must be representable as i64, the dtype of x"},
                                 {"i64 = 2^63", too_large, HEED_ERR_ARGUMENT, "must be representable as i64"},
                                 {"i64 = NaN", nan_of_i64, HEED_ERR_ARGUMENT, "nan"},
                                 {"bool = 2", two_of_bool, HEED_ERR_ARGUMENT, "must be representable as bool"},
                                 {"6", no_comparison, HEED_ERR_ARGUMENT, "compare_scalar: compare: comparison is 6:"},
                                 {0}},
};
