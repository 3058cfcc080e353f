/* tests/ops/logic/logical_and.c - cases of heed_logical_and. */

#include "functions.h"

RUN(run, heed_logical_and(in[0], in[1]))

#define SAMPLE(name_, a, b)                                                                                            \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 2, .in = {{OP_MASK, .shape = a}, {OP_MASK, .shape = b}},                \
        .max_order = -1                                                                                                \
    }

static heed_tensor *mask(heed_shape shape)
{
    return heed_ones(HEED_BOOL, shape);
}

static heed_tensor *row(int first, int second)
{
    return HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2), first, second);
}

GIVES(table, heed_logical_and(heed_unsqueeze(row(0, 1), 1), row(0, 1)))
GIVES(pairs, heed_logical_and(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(4), 0, 0, 1, 1), heed_tile(row(0, 1), HEED_SHAPE(2))))
GIVES(flipped, heed_logical_and(heed_flip(row(1, 0), HEED_AXES(0)), heed_flip(row(1, 1), HEED_AXES(0))))
GIVES(first_null, heed_logical_and(NULL, mask(HEED_SCALAR)))
GIVES(second_null, heed_logical_and(mask(HEED_SCALAR), NULL))
GIVES(first_f32, heed_logical_and(heed_ones(HEED_F32, HEED_SHAPE(2)), mask(HEED_SHAPE(2))))
GIVES(second_i64, heed_logical_and(mask(HEED_SHAPE(2)), heed_ones(HEED_I64, HEED_SHAPE(2))))
GIVES(apart, heed_logical_and(mask(HEED_SHAPE(2, 3)), mask(HEED_SHAPE(4))))

const op_cases heed_cases_logical_and = {
    .cases = (const op_case[]){SAMPLE("() ()", NO_DIMS, NO_DIMS),
                               SAMPLE("(0) ()", DIMS(0), NO_DIMS),
                               SAMPLE("(37) (37)", DIMS(37), DIMS(37)),
                               SAMPLE("(3, 1) (1, 4)", DIMS(3, 1), DIMS(1, 4)),
                               SAMPLE("(2, 3, 5) (5)", DIMS(2, 3, 5), DIMS(5)),
                               {0}},
    .values = (const op_value[]){{"table", table, DIMS(2, 2), 0, (const double[]){0, 0, 0, 1}},
                                 {"pairs", pairs, DIMS(4), 0, (const double[]){0, 0, 0, 1}},
                                 {"flipped", flipped, DIMS(2), 0, (const double[]){0, 1}},
                                 {0}},
    .errors =
        (const op_error[]){{"first NULL", first_null, HEED_ERR_ARGUMENT, "logical_and:"},
                           {"second NULL", second_null, HEED_ERR_ARGUMENT, "logical_and:"},
                           {"f32", first_f32, HEED_ERR_DTYPE, "logical_and: input 0 is f32 (2): must be bool"},
                           {"i64", second_i64, HEED_ERR_DTYPE, "logical_and: input 1 is i64 (2): must be bool"},
                           {"apart", apart, HEED_ERR_SHAPE, "logical_and: shapes (2, 3) and (4) do not broadcast"},
                           {0}},
};
