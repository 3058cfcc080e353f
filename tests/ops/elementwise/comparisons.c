/* tests/ops/elementwise/comparisons.c - the cases of comparisons of tensors and with a number.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "elementwise.h"
#include "functions.h"

/* -- compare ------------------------------------------------------------------------------------------------------- */

static heed_tensor *compare_run(heed_tensor *const *in, const op_case *c)
{
    return heed_compare(in[0], (heed_comparison)c->i[0], in[1]);
}

#define COMPARE_SAMPLE(name_, a, b, comparison)                                                                        \
    {                                                                                                                  \
        .name = name_, .run = compare_run, .n_inputs = 2, .in = {{.shape = a}, {.shape = b}}, .i = {comparison},       \
        .max_order = -1                                                                                                \
    }

/* a: 1 2 3 NaN inf -0 1      b: 2 2 2 1 inf 0 NaN */
static heed_tensor *compare_floats(heed_dtype dtype, heed_comparison comparison)
{
    heed_tensor *a = HEED_TENSOR(dtype, HEED_SHAPE(7), 1, 2, 3, NAN, INFINITY, -0.0, 1);
    heed_tensor *b = HEED_TENSOR(dtype, HEED_SHAPE(7), 2, 2, 2, 1, INFINITY, 0.0, NAN);
    return heed_compare(a, comparison, b);
}

/* Numbers equal as doubles. */
static heed_tensor *compare_integers(heed_comparison comparison)
{
    const int64_t a[] = {INT64_MAX - 1, INT64_MAX, INT64_MAX, INT64_MIN, 0};
    const int64_t b[] = {INT64_MAX, INT64_MAX, INT64_MAX - 1, INT64_MIN + 1, 0};
    return heed_compare(heed_from_array(HEED_I64, HEED_SHAPE(5), a, 5), comparison,
                        heed_from_array(HEED_I64, HEED_SHAPE(5), b, 5));
}

static heed_tensor *compare_masks(heed_comparison comparison)
{
    return heed_compare(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(4), 0, 0, 1, 1), comparison,
                        HEED_TENSOR(HEED_BOOL, HEED_SHAPE(4), 0, 1, 0, 1));
}

/* The functions of one comparison, and their rows in the list of values. */
#define FUNCTIONS(name, comparison)                                                                                    \
    static heed_tensor *name##_f32(void)                                                                               \
    {                                                                                                                  \
        return compare_floats(HEED_F32, comparison);                                                                   \
    }                                                                                                                  \
    static heed_tensor *name##_f64(void)                                                                               \
    {                                                                                                                  \
        return compare_floats(HEED_F64, comparison);                                                                   \
    }                                                                                                                  \
    static heed_tensor *name##_i64(void)                                                                               \
    {                                                                                                                  \
        return compare_integers(comparison);                                                                           \
    }                                                                                                                  \
    static heed_tensor *name##_mask(void)                                                                              \
    {                                                                                                                  \
        return compare_masks(comparison);                                                                              \
    }

FUNCTIONS(eq, HEED_COMPARE_EQ)
FUNCTIONS(ne, HEED_COMPARE_NE)
FUNCTIONS(lt, HEED_COMPARE_LT)
FUNCTIONS(le, HEED_COMPARE_LE)
FUNCTIONS(gt, HEED_COMPARE_GT)
FUNCTIONS(ge, HEED_COMPARE_GE)

static heed_tensor *compare_broadcast(void)
{
    return heed_compare(HEED_TENSOR(HEED_I64, HEED_SHAPE(2, 1), 2, 3), HEED_COMPARE_LT,
                        heed_arange(HEED_I64, 1.0, 5.0, 1.0));
}

static heed_tensor *compare_empty(void)
{
    return heed_compare(heed_zeros(HEED_BOOL, HEED_SHAPE(0, 3)), HEED_COMPARE_EQ, heed_zeros(HEED_BOOL, HEED_SCALAR));
}

static heed_tensor *compare_no_comparison(void)
{
    return heed_compare(heed_ones(HEED_F64, HEED_SCALAR), (heed_comparison)6, heed_ones(HEED_F64, HEED_SCALAR));
}

static heed_tensor *compare_negative_comparison(void)
{
    return heed_compare(heed_ones(HEED_F64, HEED_SCALAR), (heed_comparison)-1, heed_ones(HEED_F64, HEED_SCALAR));
}

const op_cases heed_cases_compare = {
    .cases = (const op_case[]){COMPARE_SAMPLE("() < ()", NO_DIMS, NO_DIMS, HEED_COMPARE_LT),
                               COMPARE_SAMPLE("(0) = (0)", DIMS(0), DIMS(0), HEED_COMPARE_EQ),
                               COMPARE_SAMPLE("(5) != (5)", DIMS(5), DIMS(5), HEED_COMPARE_NE),
                               COMPARE_SAMPLE("(2, 3, 5) >= (2, 3, 5)", DIMS(2, 3, 5), DIMS(2, 3, 5), HEED_COMPARE_GE),
                               COMPARE_SAMPLE("(3, 1) <= (1, 4)", DIMS(3, 1), DIMS(1, 4), HEED_COMPARE_LE),
                               COMPARE_SAMPLE("(2, 3) > ()", DIMS(2, 3), NO_DIMS, HEED_COMPARE_GT),
                               {0}},
    .values =
        (const op_value[]){{"f32 =", eq_f32, DIMS(7), 0, (const double[]){0, 1, 0, 0, 1, 1, 0}},
                           {"f64 =", eq_f64, DIMS(7), 0, (const double[]){0, 1, 0, 0, 1, 1, 0}},
                           {"f32 !=", ne_f32, DIMS(7), 0, (const double[]){1, 0, 1, 1, 0, 0, 1}},
                           {"f64 !=", ne_f64, DIMS(7), 0, (const double[]){1, 0, 1, 1, 0, 0, 1}},
                           {"f32 <", lt_f32, DIMS(7), 0, (const double[]){1, 0, 0, 0, 0, 0, 0}},
                           {"f64 <", lt_f64, DIMS(7), 0, (const double[]){1, 0, 0, 0, 0, 0, 0}},
                           {"f32 <=", le_f32, DIMS(7), 0, (const double[]){1, 1, 0, 0, 1, 1, 0}},
                           {"f64 <=", le_f64, DIMS(7), 0, (const double[]){1, 1, 0, 0, 1, 1, 0}},
                           {"f32 >", gt_f32, DIMS(7), 0, (const double[]){0, 0, 1, 0, 0, 0, 0}},
                           {"f64 >", gt_f64, DIMS(7), 0, (const double[]){0, 0, 1, 0, 0, 0, 0}},
                           {"f32 >=", ge_f32, DIMS(7), 0, (const double[]){0, 1, 1, 0, 1, 1, 0}},
                           {"f64 >=", ge_f64, DIMS(7), 0, (const double[]){0, 1, 1, 0, 1, 1, 0}},
                           {"i64 =", eq_i64, DIMS(5), 0, (const double[]){0, 1, 0, 0, 1}},
                           {"i64 !=", ne_i64, DIMS(5), 0, (const double[]){1, 0, 1, 1, 0}},
                           {"i64 <", lt_i64, DIMS(5), 0, (const double[]){1, 0, 0, 1, 0}},
                           {"i64 <=", le_i64, DIMS(5), 0, (const double[]){1, 1, 0, 1, 1}},
                           {"i64 >", gt_i64, DIMS(5), 0, (const double[]){0, 0, 1, 0, 0}},
                           {"i64 >=", ge_i64, DIMS(5), 0, (const double[]){0, 1, 1, 0, 1}},
                           {"bool =", eq_mask, DIMS(4), 0, (const double[]){1, 0, 0, 1}},
                           {"bool !=", ne_mask, DIMS(4), 0, (const double[]){0, 1, 1, 0}},
                           {"bool <", lt_mask, DIMS(4), 0, (const double[]){0, 1, 0, 0}},
                           {"bool <=", le_mask, DIMS(4), 0, (const double[]){1, 1, 0, 1}},
                           {"bool >", gt_mask, DIMS(4), 0, (const double[]){0, 0, 1, 0}},
                           {"bool >=", ge_mask, DIMS(4), 0, (const double[]){1, 0, 1, 1}},
                           {"broadcast", compare_broadcast, DIMS(2, 4), 0, (const double[]){0, 0, 1, 1, 0, 0, 0, 1}},
                           {"empty", compare_empty, DIMS(0, 3), 0, (const double[]){0}},
                           {0}},
    .run = compare_run, /* a = b, for the bad inputs */
    .n_inputs = 2,
    .errors = (const op_error[]){{"6", compare_no_comparison, HEED_ERR_ARGUMENT, "compare: comparison is 6:"},
                                 {"-1", compare_negative_comparison, HEED_ERR_ARGUMENT, "compare: comparison is -1:"},
                                 {0}},
};

/* -- compare_scalar ------------------------------------------------------------------------------------------------ */

RUN(compare_scalar_run, heed_compare_scalar(in[0], (heed_comparison)c->i[0], c->p[0]))

#define COMPARE_SCALAR_SAMPLE(name_, dims, comparison, number)                                                         \
    {                                                                                                                  \
        .name = name_, .run = compare_scalar_run, .n_inputs = 1, .in = {{.shape = dims}}, .i = {comparison},           \
        .p = {number}, .max_order = -1                                                                                 \
    }

static heed_tensor *compare_scalar_floats(heed_dtype dtype, heed_comparison comparison, double c)
{
    return heed_compare_scalar(HEED_TENSOR(dtype, HEED_SHAPE(6), 1, 0.1, NAN, INFINITY, -0.0, -1), comparison, c);
}

/* Numbers equal as doubles. */
static heed_tensor *compare_scalar_integers(heed_comparison comparison)
{
    const int64_t x[] = {(INT64_C(1) << 53) + 1, INT64_C(1) << 53, -1, INT64_MIN};
    return heed_compare_scalar(heed_from_array(HEED_I64, HEED_SHAPE(4), x, 4), comparison, 0x1p53);
}

GIVES(compare_scalar_equal, compare_scalar_floats(HEED_F64, HEED_COMPARE_EQ, 0.1))
GIVES(compare_scalar_equal_f32, compare_scalar_floats(HEED_F32, HEED_COMPARE_EQ, 0.1)) /* 0.1 is rounded, too */
GIVES(compare_scalar_not_zero, compare_scalar_floats(HEED_F64, HEED_COMPARE_NE, 0))
GIVES(compare_scalar_below, compare_scalar_floats(HEED_F32, HEED_COMPARE_LT, INFINITY))
GIVES(compare_scalar_most, compare_scalar_floats(HEED_F64, HEED_COMPARE_LE, 0.1))
GIVES(compare_scalar_above, compare_scalar_floats(HEED_F64, HEED_COMPARE_GT, 0))
GIVES(compare_scalar_least, compare_scalar_floats(HEED_F32, HEED_COMPARE_GE, 1))
GIVES(compare_scalar_to_nan, compare_scalar_floats(HEED_F64, HEED_COMPARE_NE, NAN))
GIVES(compare_scalar_integers_above, compare_scalar_integers(HEED_COMPARE_GT))
GIVES(compare_scalar_integers_equal, compare_scalar_integers(HEED_COMPARE_EQ))
GIVES(compare_scalar_of_masks, heed_compare_scalar(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2), 0, 1), HEED_COMPARE_EQ, 0))

GIVES(compare_scalar_of_null, heed_compare_scalar(NULL, HEED_COMPARE_EQ, 0))
GIVES(compare_scalar_half, heed_compare_scalar(heed_ones(HEED_I64, HEED_SHAPE(2)), HEED_COMPARE_EQ, 0.5))
GIVES(compare_scalar_too_large, heed_compare_scalar(heed_ones(HEED_I64, HEED_SHAPE(2)), HEED_COMPARE_EQ, 0x1p63))
GIVES(compare_scalar_nan_of_i64, heed_compare_scalar(heed_ones(HEED_I64, HEED_SHAPE(2)), HEED_COMPARE_EQ, NAN))
GIVES(compare_scalar_two_of_bool, heed_compare_scalar(heed_ones(HEED_BOOL, HEED_SHAPE(2)), HEED_COMPARE_EQ, 2))
GIVES(compare_scalar_no_comparison, heed_compare_scalar(heed_ones(HEED_F64, HEED_SHAPE(2)), (heed_comparison)6, 2))

const op_cases heed_cases_compare_scalar = {
    .cases = (const op_case[]){COMPARE_SCALAR_SAMPLE("() < 0", NO_DIMS, HEED_COMPARE_LT, 0),
                               COMPARE_SCALAR_SAMPLE("(0) = 0", DIMS(0), HEED_COMPARE_EQ, 0),
                               COMPARE_SCALAR_SAMPLE("(5) <= 0", DIMS(5), HEED_COMPARE_LE, 0),
                               COMPARE_SCALAR_SAMPLE("(37) != 1", DIMS(37), HEED_COMPARE_NE, 1),
                               COMPARE_SCALAR_SAMPLE("(2, 3, 5) >= 0.5", DIMS(2, 3, 5), HEED_COMPARE_GE, 0.5),
                               {0}},
    .values =
        (const op_value[]){{"= 0.1", compare_scalar_equal, DIMS(6), 0, (const double[]){0, 1, 0, 0, 0, 0}},
                           {"f32 = 0.1", compare_scalar_equal_f32, DIMS(6), 0, (const double[]){0, 1, 0, 0, 0, 0}},
                           {"!= 0", compare_scalar_not_zero, DIMS(6), 0, (const double[]){1, 1, 1, 1, 0, 1}},
                           {"< inf", compare_scalar_below, DIMS(6), 0, (const double[]){1, 1, 0, 0, 1, 1}},
                           {"<= 0.1", compare_scalar_most, DIMS(6), 0, (const double[]){0, 1, 0, 0, 1, 1}},
                           {"> 0", compare_scalar_above, DIMS(6), 0, (const double[]){1, 1, 0, 1, 0, 0}},
                           {">= 1", compare_scalar_least, DIMS(6), 0, (const double[]){1, 0, 0, 1, 0, 0}},
                           {"!= NaN", compare_scalar_to_nan, DIMS(6), 0, (const double[]){1, 1, 1, 1, 1, 1}},
                           {"i64 > 2^53", compare_scalar_integers_above, DIMS(4), 0, (const double[]){1, 0, 0, 0}},
                           {"i64 = 2^53", compare_scalar_integers_equal, DIMS(4), 0, (const double[]){0, 1, 0, 0}},
                           {"bool = 0", compare_scalar_of_masks, DIMS(2), 0, (const double[]){1, 0}},
                           {0}},
    .errors =
        (const op_error[]){
            {"NULL", compare_scalar_of_null, HEED_ERR_ARGUMENT, "compare_scalar:"},
            {"i64 = 0.5", compare_scalar_half, HEED_ERR_ARGUMENT,
             "compare_scalar: c is 0.5: must be representable as i64, the dtype of x"},
            {"i64 = 2^63", compare_scalar_too_large, HEED_ERR_ARGUMENT, "must be representable as i64"},
            {"i64 = NaN", compare_scalar_nan_of_i64, HEED_ERR_ARGUMENT, "nan"},
            {"bool = 2", compare_scalar_two_of_bool, HEED_ERR_ARGUMENT, "must be representable as bool"},
            {"6", compare_scalar_no_comparison, HEED_ERR_ARGUMENT, "compare_scalar: compare: comparison is 6:"},
            {0}},
};
