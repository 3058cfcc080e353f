/* tests/ops/shape/concat.c - cases of heed_concat. */

#include "lists.h"

RUN(run, heed_concat(in, c->n_inputs, (int)c->i[0]))
RUN(twice, heed_concat(HEED_TENSORS(in[0], in[1], in[0]), (int)c->i[0]))

GIVES(rows, heed_concat(HEED_TENSORS(counting(HEED_I64, HEED_SHAPE(1, 2)), heed_ones(HEED_I64, HEED_SHAPE(2, 2))), 0))
GIVES(columns,
      heed_concat(HEED_TENSORS(counting(HEED_F32, HEED_SHAPE(2, 1)), heed_ones(HEED_F32, HEED_SHAPE(2, 2))), -1))
GIVES(masks, heed_concat(HEED_TENSORS(heed_zeros(HEED_BOOL, HEED_SHAPE(1)), heed_ones(HEED_BOOL, HEED_SHAPE(2))), 0))
GIVES(with_nothing,
      heed_concat(HEED_TENSORS(heed_zeros(HEED_F64, HEED_SHAPE(0)), heed_ones(HEED_F64, HEED_SHAPE(2))), 0))

BAD_LISTS(heed_concat)
GIVES(of_scalar, heed_concat(HEED_TENSORS(heed_ones(HEED_F64, HEED_SCALAR)), 0))
static heed_tensor *overflow(void)
{
    heed_tensor *x = heed_expand(heed_ones(HEED_F64, HEED_SCALAR), HEED_SHAPE(INT64_MAX));
    return heed_concat(HEED_TENSORS(x, x), 0);
}

const op_cases heed_cases_concat = {
    .cases =
        (const op_case[]){
            ONE_OF("(5)", run, 0, DIMS(5)),
            TWO_OF("(1) (1)", run, 0, DIMS(1), DIMS(1)),
            TWO_OF("(0) (3)", run, 0, DIMS(0), DIMS(3)),
            TWO_OF("(0) (0)", run, -1, DIMS(0), DIMS(0)),
            TWO_OF("(2, 3) (1, 3)", run, 0, DIMS(2, 3), DIMS(1, 3)),
            TWO_OF("(2, 3) (2, 3) axis -1", run, -1, DIMS(2, 3), DIMS(2, 3)),
            THREE_OF("(7, 1) (7, 2) (7, 0)", run, 1, DIMS(7, 1), DIMS(7, 2), DIMS(7, 0)),
            THREE_OF("(2, 1, 5) (2, 3, 5) (2, 2, 5)", run, 1, DIMS(2, 1, 5), DIMS(2, 3, 5), DIMS(2, 2, 5)),
            TWO_OF("(0, 3) (0, 2)", run, 1, DIMS(0, 3), DIMS(0, 2)),
            TWO_OF("(2, 3, 1, 2, 2) (2, 3, 1, 1, 2)", run, 3, DIMS(2, 3, 1, 2, 2), DIMS(2, 3, 1, 1, 2)),
            TWO_OF("(2, 3) (1, 3) (2, 3) again", twice, 0, DIMS(2, 3), DIMS(1, 3)),
            {0}},
    .values = (const op_value[]){{"rows", rows, DIMS(3, 2), 0, (const double[]){0, 1, 1, 1, 1, 1}},
                                 {"columns", columns, DIMS(2, 3), 0, (const double[]){0, 1, 1, 1, 1, 1}},
                                 {"bool", masks, DIMS(3), 0, (const double[]){0, 1, 1}},
                                 {"with nothing", with_nothing, DIMS(2), 0, (const double[]){1, 1}},
                                 {0}},
    .errors = (const op_error[]){BAD_LISTS_ERRORS("concat"),
                                 {"()", of_scalar, HEED_ERR_SHAPE, "concat: there is no axis 0"},
                                 {"overflow", overflow, HEED_ERR_SHAPE, "concat: tensor 0 (9223372036854775807)"},
                                 {0}},
};
