/* tests/ops/product/matmul.c - cases of heed_matmul.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "functions.h"

RUN(run, heed_matmul(in[0], in[1]))

#define PRODUCT(name_, a, b)                                                                                           \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 2, .in = { {.shape = a}, {.shape = b} }                                 \
    }

#define COUNTING(...) counting(HEED_F64, HEED_SHAPE(__VA_ARGS__))

GIVES(dot, heed_matmul(COUNTING(4), COUNTING(4)))
GIVES(matrix_vector, heed_matmul(COUNTING(2, 3), COUNTING(3)))
GIVES(vector_matrix, heed_matmul(COUNTING(2), COUNTING(2, 3)))
GIVES(batch_vector, heed_matmul(COUNTING(2, 2, 3), COUNTING(3)))
GIVES(vector_batch, heed_matmul(COUNTING(2), COUNTING(2, 2, 3)))
GIVES(broadcast, heed_matmul(COUNTING(2, 1, 2, 3), COUNTING(2, 3, 2)))
GIVES(no_inner, heed_matmul(heed_ones(HEED_F32, HEED_SHAPE(0)), heed_ones(HEED_F32, HEED_SHAPE(3, 0, 2))))

#define ONES(dtype, ...) heed_ones(dtype, HEED_SHAPE(__VA_ARGS__))

GIVES(of_null, heed_matmul(NULL, ONES(HEED_F64, 2)))
GIVES(by_null, heed_matmul(ONES(HEED_F64, 2), NULL))
GIVES(of_scalar, heed_matmul(heed_ones(HEED_F64, HEED_SCALAR), ONES(HEED_F64, 2)))
GIVES(by_scalar, heed_matmul(ONES(HEED_F64, 2), heed_ones(HEED_F64, HEED_SCALAR)))
GIVES(inner, heed_matmul(ONES(HEED_F64, 2, 3), ONES(HEED_F64, 2, 3)))
GIVES(inner_1d, heed_matmul(ONES(HEED_F64, 2), ONES(HEED_F64, 3)))
GIVES(leading, heed_matmul(ONES(HEED_F64, 2, 4, 3), ONES(HEED_F64, 3, 3, 4)))
GIVES(mixed, heed_matmul(ONES(HEED_F64, 2, 3), ONES(HEED_F32, 3, 2)))
GIVES(of_bool, heed_matmul(ONES(HEED_BOOL, 2, 3), ONES(HEED_BOOL, 3, 2)))

const op_cases heed_cases_matmul = {
    .cases = (const op_case[]){PRODUCT("(3) (3)", DIMS(3), DIMS(3)),
                               PRODUCT("(1) (1)", DIMS(1), DIMS(1)),
                               PRODUCT("(0) (0)", DIMS(0), DIMS(0)),
                               PRODUCT("(2, 3) (3)", DIMS(2, 3), DIMS(3)),
                               PRODUCT("(3) (3, 2)", DIMS(3), DIMS(3, 2)),
                               PRODUCT("(2, 3) (3, 5)", DIMS(2, 3), DIMS(3, 5)),
                               PRODUCT("(7, 1) (1, 7)", DIMS(7, 1), DIMS(1, 7)),
                               PRODUCT("(0, 3) (3, 2)", DIMS(0, 3), DIMS(3, 2)),
                               PRODUCT("(2, 0) (0, 3)", DIMS(2, 0), DIMS(0, 3)),
                               PRODUCT("(2, 3, 4) (4)", DIMS(2, 3, 4), DIMS(4)),
                               PRODUCT("(2, 3, 4) (4, 5)", DIMS(2, 3, 4), DIMS(4, 5)),
                               PRODUCT("(4) (2, 4, 3)", DIMS(4), DIMS(2, 4, 3)),
                               PRODUCT("(3, 4) (2, 4, 2)", DIMS(3, 4), DIMS(2, 4, 2)),
                               PRODUCT("(2, 3, 4) (2, 4, 2)", DIMS(2, 3, 4), DIMS(2, 4, 2)),
                               PRODUCT("(1, 3, 2) (4, 2, 2)", DIMS(1, 3, 2), DIMS(4, 2, 2)),
                               PRODUCT("(2, 1, 2, 3) (3, 3, 2)", DIMS(2, 1, 2, 3), DIMS(3, 3, 2)),
                               PRODUCT("(2, 0, 2, 3) (1, 3, 2)", DIMS(2, 0, 2, 3), DIMS(1, 3, 2)),
                               {0}},
    .values =
        (const op_value[]){{"(4) (4)", dot, NO_DIMS, 0, (const double[]){14}},
                           {"(2, 3) (3)", matrix_vector, DIMS(2), 0, (const double[]){5, 14}},
                           {"(2) (2, 3)", vector_matrix, DIMS(3), 0, (const double[]){3, 4, 5}},
                           {"(2, 2, 3) (3)", batch_vector, DIMS(2, 2), 0, (const double[]){5, 14, 23, 32}},
                           {"(2) (2, 2, 3)", vector_batch, DIMS(2, 3), 0, (const double[]){3, 4, 5, 9, 10, 11}},
                           {"(2, 1, 2, 3) (2, 3, 2)", broadcast, DIMS(2, 2, 2, 2), 0,
                            (const double[]){10, 13, 28, 40, 28, 31, 100, 112, 46, 67, 64, 94, 172, 193, 244, 274}},
                           {"(0) (3, 0, 2)", no_inner, DIMS(3, 2), 0, (const double[]){0, 0, 0, 0, 0, 0}},
                           {0}},
    .errors =
        (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "matmul:"},
                           {"by NULL", by_null, HEED_ERR_ARGUMENT, "matmul:"},
                           {"a scalar", of_scalar, HEED_ERR_SHAPE, "matmul: a scalar is not a matrix: () x (2)"},
                           {"by a scalar", by_scalar, HEED_ERR_SHAPE, "matmul: a scalar is not a matrix: (2) x ()"},
                           {"inner sizes", inner, HEED_ERR_SHAPE, "matmul: inner sizes differ: (2, 3) x (2, 3)"},
                           {"inner sizes, 1-D", inner_1d, HEED_ERR_SHAPE, "matmul: inner sizes differ: (2) x (3)"},
                           {"leading axes", leading, HEED_ERR_SHAPE, "matmul: leading axes do not broadcast"},
                           {"f64 by f32", mixed, HEED_ERR_DTYPE, "matmul: the tensors are "},
                           {"bool", of_bool, HEED_ERR_DTYPE, "matmul: the tensors are "},
                           {0}},
};
