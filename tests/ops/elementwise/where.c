/* tests/ops/elementwise/where.c - cases of heed_where. */

#include "elementwise.h"

static heed_tensor *run(heed_tensor *const *in, const op_case *c)
{
    (void)c;
    return heed_where(in[0], in[1], in[2]);
}

#define SAMPLE(name_, condition, a, b)                                                                                 \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 3, .in = {                                                              \
            {.kind = OP_MASK, .shape = condition},                                                                     \
            {.shape = a},                                                                                              \
            {.shape = b}                                                                                               \
        }                                                                                                              \
    }

static heed_tensor *mask(bool first, bool second, bool third)
{
    return HEED_TENSOR(HEED_BOOL, HEED_SHAPE(3), first, second, third);
}

static heed_tensor *special(void)
{
    return heed_where(mask(true, false, true), HEED_TENSOR(HEED_F64, HEED_SHAPE(3), NAN, NAN, -0.0),
                      HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 1.0, INFINITY, NAN));
}

static heed_tensor *broadcast(void)
{
    return heed_where(mask(true, false, true), HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 1), 1.0, 2.0),
                      heed_full(HEED_F64, HEED_SCALAR, -1.0));
}

static heed_tensor *of_null(void)
{
    return heed_where(mask(true, true, true), NULL, heed_ones(HEED_F64, HEED_SHAPE(3)));
}

static heed_tensor *float_condition(void)
{
    return heed_where(heed_ones(HEED_F32, HEED_SHAPE(3)), heed_ones(HEED_F64, HEED_SHAPE(3)),
                      heed_ones(HEED_F64, HEED_SHAPE(3)));
}

static heed_tensor *mixed(void)
{
    return heed_where(mask(true, true, true), heed_ones(HEED_F64, HEED_SHAPE(3)), heed_ones(HEED_F32, HEED_SHAPE(3)));
}

static heed_tensor *of_i64(void)
{
    return heed_where(mask(true, false, true), heed_arange(HEED_I64, 1, 4, 1),
                      heed_neg(heed_reshape(heed_arange(HEED_I64, 1, 3, 1), HEED_SHAPE(2, 1))));
}

static heed_tensor *of_bool(void)
{
    return heed_where(mask(true, true, true), mask(true, true, true), mask(true, true, true));
}

static heed_tensor *apart(void)
{
    return heed_where(mask(true, true, true), heed_ones(HEED_F64, HEED_SHAPE(2, 3)),
                      heed_ones(HEED_F64, HEED_SHAPE(2)));
}

static heed_tensor *condition_apart(void)
{
    return heed_where(mask(true, true, true), heed_ones(HEED_F64, HEED_SHAPE(2)), heed_ones(HEED_F64, HEED_SHAPE(2)));
}

const op_cases heed_cases_where = {
    .cases =
        (const op_case[]){SAMPLE("() () ()", NO_DIMS, NO_DIMS, NO_DIMS),
                          SAMPLE("(1) (1) (1)", DIMS(1), DIMS(1), DIMS(1)),
                          SAMPLE("(0) (0) (0)", DIMS(0), DIMS(0), DIMS(0)),
                          SAMPLE("(0, 3) (0, 3) (0, 3)", DIMS(0, 3), DIMS(0, 3), DIMS(0, 3)),
                          SAMPLE("(3, 0, 2) (3, 0, 2) (3, 0, 2)", DIMS(3, 0, 2), DIMS(3, 0, 2), DIMS(3, 0, 2)),
                          SAMPLE("(5) (5) (5)", DIMS(5), DIMS(5), DIMS(5)),
                          SAMPLE("(2, 3) (2, 3) (2, 3)", DIMS(2, 3), DIMS(2, 3), DIMS(2, 3)),
                          SAMPLE("(7, 1) (7, 1) (7, 1)", DIMS(7, 1), DIMS(7, 1), DIMS(7, 1)),
                          SAMPLE("(1, 7) (1, 7) (1, 7)", DIMS(1, 7), DIMS(1, 7), DIMS(1, 7)),
                          SAMPLE("(5, 7) (5, 7) (5, 7)", DIMS(5, 7), DIMS(5, 7), DIMS(5, 7)),
                          SAMPLE("(2, 3, 5) (2, 3, 5) (2, 3, 5)", DIMS(2, 3, 5), DIMS(2, 3, 5), DIMS(2, 3, 5)),
                          SAMPLE("(1, 37, 1) (1, 37, 1) (1, 37, 1)", DIMS(1, 37, 1), DIMS(1, 37, 1), DIMS(1, 37, 1)),
                          SAMPLE("(4, 1) (3) ()", DIMS(4, 1), DIMS(3), NO_DIMS),
                          SAMPLE("() (2, 3) (3)", NO_DIMS, DIMS(2, 3), DIMS(3)),
                          SAMPLE("(2, 3) () ()", DIMS(2, 3), NO_DIMS, NO_DIMS),
                          SAMPLE("(2, 1, 3) (4, 1) (1, 3)", DIMS(2, 1, 3), DIMS(4, 1), DIMS(1, 3)),
                          SAMPLE("(3) (0, 1) (1, 3)", DIMS(3), DIMS(0, 1), DIMS(1, 3)),
                          {.name = "another scale",
                           .run = run,
                           .n_inputs = 3,
                           .in = {{.kind = OP_MASK, .shape = DIMS(5)},
                                  {.shape = DIMS(5), .low = -1e-8, .high = 1e-8},
                                  {.shape = DIMS(5), .low = -1e8, .high = 1e8}}},
                          {0}},
    .values = (const op_value[]){{"special values", special, DIMS(3), 0, (const double[]){NAN, INFINITY, -0.0}},
                                 {"broadcast", broadcast, DIMS(2, 3), 0, (const double[]){1, -1, 1, 2, -1, 2}},
                                 {"i64", of_i64, DIMS(2, 3), 0, (const double[]){1, -1, 3, 1, -2, 3}},
                                 {0}},
    .errors = (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "where:"},
                                 {"f32 condition", float_condition, HEED_ERR_DTYPE, "where:"},
                                 {"names its dtype", float_condition, HEED_ERR_DTYPE, "is f32"},
                                 {"f64 and f32", mixed, HEED_ERR_DTYPE, "a is f64, b is f32:"},
                                 {"bool", of_bool, HEED_ERR_DTYPE, "a is bool, b is bool:"},
                                 {"shapes", apart, HEED_ERR_SHAPE, "(3), (2, 3) and (2)"},
                                 {"shape of the condition", condition_apart, HEED_ERR_SHAPE, "where: shapes (3)"},
                                 {0}},
};
