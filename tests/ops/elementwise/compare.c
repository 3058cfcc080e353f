/* tests/ops/elementwise/compare.c - cases of heed_compare. */

#include "elementwise.h"

static heed_tensor *run(heed_tensor *const *in, const op_case *c)
{
    return heed_compare(in[0], (heed_comparison)c->i[0], in[1]);
}

#define SAMPLE(name_, a, b, comparison)                                                                                \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 2, .in = {{.shape = a}, {.shape = b}}, .i = {comparison},               \
        .max_order = -1                                                                                                \
    }

/* a: 1 2 3 NaN inf -0 1      b: 2 2 2 1 inf 0 NaN */
static heed_tensor *floats(heed_dtype dtype, heed_comparison comparison)
{
    heed_tensor *a = HEED_TENSOR(dtype, HEED_SHAPE(7), 1, 2, 3, NAN, INFINITY, -0.0, 1);
    heed_tensor *b = HEED_TENSOR(dtype, HEED_SHAPE(7), 2, 2, 2, 1, INFINITY, 0.0, NAN);
    return heed_compare(a, comparison, b);
}

/* Numbers equal as doubles. */
static heed_tensor *integers(heed_comparison comparison)
{
    const int64_t a[] = {INT64_MAX - 1, INT64_MAX, INT64_MAX, INT64_MIN, 0};
    const int64_t b[] = {INT64_MAX, INT64_MAX, INT64_MAX - 1, INT64_MIN + 1, 0};
    return heed_compare(heed_from_array(HEED_I64, HEED_SHAPE(5), a, 5), comparison,
                        heed_from_array(HEED_I64, HEED_SHAPE(5), b, 5));
}

static heed_tensor *masks(heed_comparison comparison)
{
    return heed_compare(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(4), 0, 0, 1, 1), comparison,
                        HEED_TENSOR(HEED_BOOL, HEED_SHAPE(4), 0, 1, 0, 1));
}

/* The functions of one comparison, and their rows in the list of values. */
#define FUNCTIONS(name, comparison)                                                                                    \
    static heed_tensor *name##_f32(void)                                                                               \
    {                                                                                                                  \
        return floats(HEED_F32, comparison);                                                                           \
    }                                                                                                                  \
    static heed_tensor *name##_f64(void)                                                                               \
    {                                                                                                                  \
        return floats(HEED_F64, comparison);                                                                           \
    }                                                                                                                  \
    static heed_tensor *name##_i64(void)                                                                               \
    {                                                                                                                  \
        return integers(comparison);                                                                                   \
    }                                                                                                                  \
    static heed_tensor *name##_mask(void)                                                                              \
    {                                                                                                                  \
        return masks(comparison);                                                                                      \
    }

FUNCTIONS(eq, HEED_COMPARE_EQ)
FUNCTIONS(ne, HEED_COMPARE_NE)
FUNCTIONS(lt, HEED_COMPARE_LT)
FUNCTIONS(le, HEED_COMPARE_LE)
FUNCTIONS(gt, HEED_COMPARE_GT)
FUNCTIONS(ge, HEED_COMPARE_GE)

static heed_tensor *broadcast(void)
{
    return heed_compare(HEED_TENSOR(HEED_I64, HEED_SHAPE(2, 1), 2, 3), HEED_COMPARE_LT,
                        heed_arange(HEED_I64, 1.0, 5.0, 1.0));
}

static heed_tensor *empty(void)
{
    return heed_compare(heed_zeros(HEED_BOOL, HEED_SHAPE(0, 3)), HEED_COMPARE_EQ, heed_zeros(HEED_BOOL, HEED_SCALAR));
}

static heed_tensor *no_comparison(void)
{
    return heed_compare(heed_ones(HEED_F64, HEED_SCALAR), (heed_comparison)6, heed_ones(HEED_F64, HEED_SCALAR));
}

static heed_tensor *negative_comparison(void)
{
    return heed_compare(heed_ones(HEED_F64, HEED_SCALAR), (heed_comparison)-1, heed_ones(HEED_F64, HEED_SCALAR));
}

BAD_2(heed_compare(a, HEED_COMPARE_EQ, b))

const op_cases heed_cases_compare = {
    .cases = (const op_case[]){SAMPLE("() < ()", NO_DIMS, NO_DIMS, HEED_COMPARE_LT),
                               SAMPLE("(0) = (0)", DIMS(0), DIMS(0), HEED_COMPARE_EQ),
                               SAMPLE("(5) != (5)", DIMS(5), DIMS(5), HEED_COMPARE_NE),
                               SAMPLE("(2, 3, 5) >= (2, 3, 5)", DIMS(2, 3, 5), DIMS(2, 3, 5), HEED_COMPARE_GE),
                               SAMPLE("(3, 1) <= (1, 4)", DIMS(3, 1), DIMS(1, 4), HEED_COMPARE_LE),
                               SAMPLE("(2, 3) > ()", DIMS(2, 3), NO_DIMS, HEED_COMPARE_GT),
                               {0}},
    .values = (const op_value[]){{"f32 =", eq_f32, DIMS(7), 0, (const double[]){0, 1, 0, 0, 1, 1, 0}},
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
                                 {"broadcast", broadcast, DIMS(2, 4), 0, (const double[]){0, 0, 1, 1, 0, 0, 0, 1}},
                                 {"empty", empty, DIMS(0, 3), 0, (const double[]){0}},
                                 {0}},
    .errors = (const op_error[]){BAD_2_ERRORS(compare),
                                 {"6", no_comparison, HEED_ERR_ARGUMENT, "compare: comparison is 6:"},
                                 {"-1", negative_comparison, HEED_ERR_ARGUMENT, "compare: comparison is -1:"},
                                 {0}},
};
