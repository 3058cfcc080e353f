/* tests/ops/logic/isclose.c - cases of heed_isclose and heed_allclose. */

#include "functions.h"

RUN(run, heed_isclose(in[0], in[1], c->p[0], c->p[1], c->i[0]))

#define SAMPLE(name_, a, b, ...)                                                                                       \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 2, .in = {{.shape = a}, {.shape = b}}, .p = {__VA_ARGS__},              \
        .max_order = -1                                                                                                \
    }

static heed_tensor *special(heed_dtype dtype, double rtol, bool equal_nan)
{
    heed_tensor *a = HEED_TENSOR(dtype, HEED_SHAPE(8), 1, 1.5, INFINITY, INFINITY, NAN, 0.0, 1e30, NAN);
    heed_tensor *b = HEED_TENSOR(dtype, HEED_SHAPE(8), 1.25, 1, INFINITY, -INFINITY, NAN, -0.0, INFINITY, 1);
    return heed_isclose(a, b, rtol, 0, equal_nan);
}

static heed_tensor *answer(bool close)
{
    return heed_full(HEED_BOOL, HEED_SCALAR, close);
}

static heed_tensor *two(double first, double second)
{
    return HEED_TENSOR(HEED_F64, HEED_SHAPE(2), first, second);
}

GIVES(special_f32, special(HEED_F32, 0.25, false))
GIVES(special_f64, special(HEED_F64, 0.25, true))
GIVES(exactly, special(HEED_F64, 0, false))
GIVES(absolute, heed_isclose(two(1e-9, 1e-7), two(0, 0), 1e-5, 1e-8, false))
GIVES(strides, heed_isclose(heed_flip(two(1, 2), HEED_AXES(0)),
                            heed_expand(heed_ones(HEED_F64, HEED_SCALAR), HEED_SHAPE(2)), 0, 0, false))
GIVES(all_close, answer(heed_allclose(two(1, 2), two(1 + 1e-9, 2), 1e-5, 1e-8, false)))
GIVES(one_apart, answer(heed_allclose(two(1, 2), two(1, 2.1), 1e-5, 1e-8, false)))
GIVES(same_nan, answer(heed_allclose(two(1, NAN), two(1, NAN), 0, 0, true)))
GIVES(other_nan, answer(heed_allclose(two(1, NAN), two(1, NAN), 0, 0, false)))
GIVES(of_nothing,
      answer(heed_allclose(heed_ones(HEED_F32, HEED_SHAPE(0)), heed_ones(HEED_F32, HEED_SHAPE(1)), 0, 0, false)))

/* The error of allclose, which does not return a tensor. */
static heed_tensor *apart(heed_tensor *a, heed_tensor *b, double rtol)
{
    return heed_allclose(a, b, rtol, 0, false) ? a : NULL;
}

GIVES(first_null, heed_isclose(NULL, two(1, 2), 0, 0, false))
GIVES(negative, heed_isclose(two(1, 2), two(1, 2), -1, 0, false))
GIVES(nan_tolerance, heed_isclose(two(1, 2), two(1, 2), 0, NAN, false))
GIVES(mixed, heed_isclose(two(1, 2), heed_ones(HEED_F32, HEED_SCALAR), 0, 0, false))
GIVES(of_i64, heed_isclose(heed_ones(HEED_I64, HEED_SCALAR), heed_ones(HEED_I64, HEED_SCALAR), 0, 0, false))
GIVES(all_of_null, apart(two(1, 2), NULL, 0))
GIVES(all_negative, apart(two(1, 2), two(1, 2), -1))
GIVES(all_apart, apart(two(1, 2), heed_ones(HEED_F64, HEED_SHAPE(3)), 0))

const op_cases heed_cases_isclose = {
    .cases = (const op_case[]){SAMPLE("() ()", NO_DIMS, NO_DIMS, 0.1, 0.5),
                               SAMPLE("(0) (1)", DIMS(0), DIMS(1), 0.1, 0.5),
                               SAMPLE("(37) (37)", DIMS(37), DIMS(37), 0.1, 0.5),
                               SAMPLE("(3, 1) (1, 4)", DIMS(3, 1), DIMS(1, 4), 0.1, 0.5),
                               {0}},
    .values = (const op_value[]){{"f32", special_f32, DIMS(8), 0, (const double[]){1, 0, 1, 0, 0, 1, 0, 0}},
                                 {"f64, NaN too", special_f64, DIMS(8), 0, (const double[]){1, 0, 1, 0, 1, 1, 0, 0}},
                                 {"exactly", exactly, DIMS(8), 0, (const double[]){0, 0, 1, 0, 0, 1, 0, 0}},
                                 {"absolute", absolute, DIMS(2), 0, (const double[]){1, 0}},
                                 {"strides", strides, DIMS(2), 0, (const double[]){0, 1}},
                                 {"all close", all_close, NO_DIMS, 0, (const double[]){1}},
                                 {"one apart", one_apart, NO_DIMS, 0, (const double[]){0}},
                                 {"the same NaN", same_nan, NO_DIMS, 0, (const double[]){1}},
                                 {"other NaN", other_nan, NO_DIMS, 0, (const double[]){0}},
                                 {"of nothing", of_nothing, NO_DIMS, 0, (const double[]){1}},
                                 {0}},
    .errors = (const op_error[]){{"NULL", first_null, HEED_ERR_ARGUMENT, "isclose:"},
                                 {"rtol -1", negative, HEED_ERR_ARGUMENT, "isclose: rtol is -1, atol is 0: must"},
                                 {"atol NaN", nan_tolerance, HEED_ERR_ARGUMENT, "nan"},
                                 {"f64 and f32", mixed, HEED_ERR_DTYPE, "isclose:"},
                                 {"i64", of_i64, HEED_ERR_DTYPE, "isclose:"},
                                 {"all, NULL", all_of_null, HEED_ERR_ARGUMENT, "allclose: isclose:"},
                                 {"all, rtol -1", all_negative, HEED_ERR_ARGUMENT, "allclose: isclose: rtol is -1"},
                                 {"all, apart", all_apart, HEED_ERR_SHAPE, "allclose: isclose:"},
                                 {0}},
};
