/* tests/ops/shape/stack.c - cases of heed_stack. */

#include "lists.h"

RUN(run, heed_stack(in, c->n_inputs, (int)c->i[0]))
RUN(twice, heed_stack(HEED_TENSORS(in[0], in[1], in[0]), (int)c->i[0]))

GIVES(rows, heed_stack(HEED_TENSORS(counting(HEED_I64, HEED_SHAPE(3)), heed_ones(HEED_I64, HEED_SHAPE(3))), 0))
GIVES(columns, heed_stack(HEED_TENSORS(counting(HEED_F32, HEED_SHAPE(3)), heed_ones(HEED_F32, HEED_SHAPE(3))), -1))
GIVES(scalars, heed_stack(HEED_TENSORS(heed_ones(HEED_BOOL, HEED_SCALAR), heed_zeros(HEED_BOOL, HEED_SCALAR)), 0))

BAD_LISTS(heed_stack)
GIVES(rank_8, heed_stack(HEED_TENSORS(heed_ones(HEED_F64, HEED_SHAPE(1, 1, 1, 1, 1, 1, 1, 2))), 0))
static heed_tensor *overflow(void)
{
    heed_tensor *x = heed_expand(heed_ones(HEED_F64, HEED_SCALAR), HEED_SHAPE(INT64_MAX));
    return heed_stack(HEED_TENSORS(x, x), 0);
}

const op_cases heed_cases_stack = {
    .cases =
        (const op_case[]){ONE_OF("()", run, 0, NO_DIMS),
                          TWO_OF("() ()", run, -1, NO_DIMS, NO_DIMS),
                          TWO_OF("(1) (1)", run, 1, DIMS(1), DIMS(1)),
                          TWO_OF("(0) (0)", run, 0, DIMS(0), DIMS(0)),
                          TWO_OF("(5) (5)", run, 1, DIMS(5), DIMS(5)),
                          THREE_OF("(2, 3) (2, 3) (2, 3)", run, 0, DIMS(2, 3), DIMS(2, 3), DIMS(2, 3)),
                          THREE_OF("(2, 3) (2, 3) (2, 3) axis 1", run, 1, DIMS(2, 3), DIMS(2, 3), DIMS(2, 3)),
                          TWO_OF("(7, 1) (7, 1) axis -1", run, -1, DIMS(7, 1), DIMS(7, 1)),
                          TWO_OF("(2, 1, 2, 1, 2) (2, 1, 2, 1, 2)", run, 3, DIMS(2, 1, 2, 1, 2), DIMS(2, 1, 2, 1, 2)),
                          TWO_OF("(3) (3) (3) again", twice, 0, DIMS(3), DIMS(3)),
                          {0}},
    .values = (const op_value[]){{"rows", rows, DIMS(2, 3), 0, (const double[]){0, 1, 2, 1, 1, 1}},
                                 {"columns", columns, DIMS(3, 2), 0, (const double[]){0, 1, 1, 1, 2, 1}},
                                 {"scalars, bool", scalars, DIMS(2), 0, (const double[]){1, 0}},
                                 {0}},
    .errors = (const op_error[]){BAD_LISTS_ERRORS("stack"),
                                 {"rank 8", rank_8, HEED_ERR_SHAPE, "stack: (1, 1, 1, 1, 1, 1, 1, 2)"},
                                 {"overflow", overflow, HEED_ERR_SHAPE, "stack: (9223372036854775807, 2)"},
                                 {0}},
};
