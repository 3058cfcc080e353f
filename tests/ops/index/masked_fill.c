/* tests/ops/index/masked_fill.c - cases of heed_masked_fill. */

#include "functions.h"

RUN(run, heed_masked_fill(in[0], in[1], c->p[0]))

#define MASKED(name_, dims, mask_dims, value)                                                                          \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 2, .in = {{.shape = dims}, {.shape = mask_dims, .kind = OP_MASK}},      \
        .p = {                                                                                                         \
            value                                                                                                      \
        }                                                                                                              \
    }

static heed_tensor *filled(heed_tensor *x)
{
    return heed_masked_fill(x, HEED_TENSOR(HEED_BOOL, HEED_SHAPE(3), 0, 1, 1), -INFINITY);
}
GIVES(values, filled(HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 1, NAN, 3)))

/* A masked element has gradient 0 for any incoming gradient. */
static heed_tensor *exploding(heed_tensor *x)
{
    return heed_exp(heed_mul_scalar(filled(x), -1));
}
GIVES(slope, gradient(exploding, HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 0, NAN, INFINITY)))

#define ONES(dtype, ...) heed_ones(dtype, HEED_SHAPE(__VA_ARGS__))
GIVES(of_null, heed_masked_fill(NULL, ONES(HEED_BOOL, 2), 0))
GIVES(null_mask, heed_masked_fill(ONES(HEED_F64, 2), NULL, 0))
GIVES(of_i64, heed_masked_fill(heed_arange(HEED_I64, 5, 8, 1), HEED_TENSOR(HEED_BOOL, HEED_SHAPE(3), 0, 1, 0), -1))
GIVES(half_of_i64, heed_masked_fill(ONES(HEED_I64, 2), ONES(HEED_BOOL, 2), 0.5))
GIVES(of_bool, heed_masked_fill(ONES(HEED_BOOL, 2), ONES(HEED_BOOL, 2), 0))
GIVES(float_mask, heed_masked_fill(ONES(HEED_F64, 2), ONES(HEED_F64, 2), 0))
GIVES(other_mask, heed_masked_fill(ONES(HEED_F64, 2), ONES(HEED_BOOL, 3), 0))
GIVES(larger_mask, heed_masked_fill(ONES(HEED_F64, 2), ONES(HEED_BOOL, 2, 2), 0))

const op_cases heed_cases_masked_fill = {
    .cases = (const op_case[]){MASKED("()", NO_DIMS, NO_DIMS, 1),
                               MASKED("(5)", DIMS(5), DIMS(5), -7),
                               MASKED("(0, 3)", DIMS(0, 3), DIMS(3), 1),
                               MASKED("(2, 3) (3)", DIMS(2, 3), DIMS(3), 0),
                               MASKED("(2, 3, 4) (3, 1)", DIMS(2, 3, 4), DIMS(3, 1), 100),
                               {0}},
    .values = (const op_value[]){{"values", values, DIMS(3), 0, (const double[]){1, -INFINITY, -INFINITY}},
                                 {"i64", of_i64, DIMS(3), 0, (const double[]){5, -1, 7}},
                                 {"gradient", slope, DIMS(3), 0, (const double[]){-1, 0, 0}},
                                 {0}},
    .errors =
        (const op_error[]){
            {"NULL", of_null, HEED_ERR_ARGUMENT, "masked_fill:"},
            {"mask NULL", null_mask, HEED_ERR_ARGUMENT, "masked_fill:"},
            {"half of i64", half_of_i64, HEED_ERR_ARGUMENT, "masked_fill: value is 0.5: must be representable as i64"},
            {"bool", of_bool, HEED_ERR_DTYPE, "masked_fill: x is bool (2)"},
            {"f64 mask", float_mask, HEED_ERR_DTYPE, "masked_fill: the mask is f64: must be bool"},
            {"mask (3)", other_mask, HEED_ERR_SHAPE, "masked_fill: the mask (3) does not broadcast"},
            {"mask (2, 2)", larger_mask, HEED_ERR_SHAPE, "masked_fill: the mask (2, 2) does not broadcast to (2)"},
            {0}},
};
