/* tests/ops/elementwise/remainder.c - cases of heed_remainder. */

#include "elementwise.h"

RUN_2(run, heed_remainder(a, b))
/* a / b between 1 and 2, and between -2 and -1, without jumps. */
#define WITHIN(name_, dims_a, dims_b)                                                                                  \
    {.name = name_,                                                                                                    \
     .run = run,                                                                                                       \
     .n_inputs = 2,                                                                                                    \
     .in = {{.shape = dims_a, .low = 1.6, .high = 1.9}, {.shape = dims_b, .low = 1.1, .high = 1.5}}},                  \
    {                                                                                                                  \
        .name = name_ " below 0", .run = run, .n_inputs = 2, .in = {                                                   \
            {.shape = dims_a, .low = -1.9, .high = -1.6},                                                              \
            {.shape = dims_b, .low = 1.1, .high = 1.5}                                                                 \
        }                                                                                                              \
    }

BAD_2(heed_remainder(a, b))
WHOLE_2(whole, heed_remainder(a, b))

static heed_tensor *special(void)
{
    heed_tensor *a = HEED_TENSOR(HEED_F64, HEED_SHAPE(18), 7.0, -7.0, 7.0, -7.0, 6.0, -6.0, 0.0, -0.0, 1.0, 0.0,
                                 INFINITY, 1.0, -1.0, 1.0, NAN, 1e+300, 0.3, 1.0);
    heed_tensor *b = HEED_TENSOR(HEED_F64, HEED_SHAPE(18), 2.0, 2.0, -2.0, -2.0, 3.0, 3.0, 5.0, 5.0, 0.0, 0.0, 2.0,
                                 INFINITY, INFINITY, -INFINITY, 1.0, 10000000000.0, 0.1, NAN);
    return heed_remainder(a, b);
}

/* A column divided by a row with a 0 in it. */
static heed_tensor *by_zero(void)
{
    return heed_remainder(heed_ones(HEED_I64, HEED_SHAPE(2, 1)), HEED_TENSOR(HEED_I64, HEED_SHAPE(3), 4, 0, 1));
}

const op_cases heed_cases_remainder = {
    .cases = (const op_case[]){WITHIN("()", NO_DIMS, NO_DIMS),
                               WITHIN("(5, 7)", DIMS(5, 7), DIMS(5, 7)),
                               WITHIN("(2, 3) (3)", DIMS(2, 3), DIMS(3)),
                               WITHIN("(4, 1) (1, 3)", DIMS(4, 1), DIMS(1, 3)),
                               WITHIN("(0, 3) (1, 3)", DIMS(0, 3), DIMS(1, 3)),
                               WITHIN("(1, 37, 1) ()", DIMS(1, 37, 1), NO_DIMS),
                               {0}},
    .values = (const op_value[]){{"i64", whole, DIMS(8), 0, (const double[]){0, 0, 1, 1, -1, -1, 0, 0}},
                                 {"special values", special, DIMS(18), 0,
                                  (const double[]){1.0, 1.0, -1.0, -1.0, 0.0, -0.0, 0.0, -0.0, NAN, NAN, NAN, 1.0,
                                                   INFINITY, -INFINITY, NAN, 9400540160.0, 0.09999999999999998, NAN}},
                                 {0}},
    .errors = (const op_error[]){BAD_2_ERRORS(remainder),
                                 {"by 0", by_zero, HEED_ERR_ARGUMENT, "remainder: element 1 of b (3) is 0"},
                                 {0}},
};
