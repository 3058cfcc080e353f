/* tests/ops/product/outer.c - cases of heed_outer. */

#include "functions.h"

RUN(run, heed_outer(in[0], in[1]))
RUN(same, heed_outer(in[0], in[0]))

#define OUTER(name_, a, b)                                                                                             \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 2, .in = { {.shape = a}, {.shape = b} }                                 \
    }

GIVES(table, heed_outer(counting(HEED_F64, HEED_SHAPE(2)), HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 3, 4, 5)))

#define ONES(dtype, ...) heed_ones(dtype, HEED_SHAPE(__VA_ARGS__))
GIVES(of_null, heed_outer(NULL, ONES(HEED_F64, 2)))
GIVES(null_b, heed_outer(ONES(HEED_F64, 2), NULL))
GIVES(matrix, heed_outer(ONES(HEED_F64, 2, 1), ONES(HEED_F64, 2)))
GIVES(scalar, heed_outer(ONES(HEED_F64, 2), heed_ones(HEED_F64, HEED_SCALAR)))
GIVES(mixed, heed_outer(ONES(HEED_F64, 2), ONES(HEED_F32, 2)))

const op_cases heed_cases_outer = {
    .cases = (const op_case[]){OUTER("(1) (1)", DIMS(1), DIMS(1)),
                               OUTER("(2) (3)", DIMS(2), DIMS(3)),
                               OUTER("(5) (1)", DIMS(5), DIMS(1)),
                               OUTER("(0) (3)", DIMS(0), DIMS(3)),
                               OUTER("(3) (0)", DIMS(3), DIMS(0)),
                               ONE("(3) with itself", same, DIMS(3), .max_order = 0),
                               {0}},
    .values = (const op_value[]){{"table", table, DIMS(2, 3), 0, (const double[]){0, 0, 0, 3, 4, 5}}, {0}},
    .errors = (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "outer:"},
                                 {"b NULL", null_b, HEED_ERR_ARGUMENT, "outer:"},
                                 {"(2, 1)", matrix, HEED_ERR_SHAPE, "outer: (2, 1) and (2): must both be of rank 1"},
                                 {"()", scalar, HEED_ERR_SHAPE, "outer: (2) and (): must both be of rank 1"},
                                 {"f64 and f32", mixed, HEED_ERR_DTYPE, "outer:"},
                                 {0}},
};
