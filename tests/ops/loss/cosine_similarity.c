/* tests/ops/loss/cosine_similarity.c - cases of heed_cosine_similarity. */

#include "losses.h"

#include <limits.h>

RUN(run, heed_cosine_similarity(in[0], in[1], (int)c->i[0]))

#define SAMPLE(name_, a, b, axis)                                                                                      \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 2, .in = {{.shape = a}, {.shape = b}}, .i = { axis }                    \
    }

GIVES(angles, heed_cosine_similarity(HEED_TENSOR(HEED_F64, HEED_SHAPE(4, 2), 1, 0, 2, 0, 3, 3, -1, -1),
                                     HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 5, 0), 1))

/* A zero vector has no direction, but a gradient. */
static heed_tensor *with_ones(heed_tensor *x)
{
    return heed_cosine_similarity(x, heed_ones_like(x), 0);
}
GIVES(of_nothing, with_ones(heed_zeros(HEED_F64, HEED_SHAPE(4))))
GIVES(slope, gradient(with_ones, heed_zeros(HEED_F64, HEED_SHAPE(4))))
GIVES(large, with_ones(heed_full(HEED_F32, HEED_SHAPE(4), 1e18)))

GIVES(of_null, heed_cosine_similarity(NULL, ONES(HEED_F64, 2), 0))
GIVES(null_b, heed_cosine_similarity(ONES(HEED_F64, 2), NULL, 0))
GIVES(mixed, heed_cosine_similarity(ONES(HEED_F64, 2), ONES(HEED_F32, 2), 0))
GIVES(of_i64, heed_cosine_similarity(ONES(HEED_I64, 2), ONES(HEED_I64, 2), 0))
GIVES(shapes, heed_cosine_similarity(ONES(HEED_F64, 2), ONES(HEED_F64, 3), 0))
GIVES(axis_1, heed_cosine_similarity(ONES(HEED_F64, 2), ONES(HEED_F64, 2), 1))
GIVES(axis_least, heed_cosine_similarity(ONES(HEED_F64, 2), ONES(HEED_F64, 2), INT_MIN))

const op_cases heed_cases_cosine_similarity = {
    .cases = (const op_case[]){SAMPLE("(3) (3)", DIMS(3), DIMS(3), 0),
                               SAMPLE("(2, 3) (2, 3)", DIMS(2, 3), DIMS(2, 3), -1),
                               SAMPLE("(2, 3) axis 0", DIMS(2, 3), DIMS(2, 3), 0),
                               SAMPLE("(4, 1, 3) (2, 3)", DIMS(4, 1, 3), DIMS(2, 3), 2),
                               SAMPLE("(0, 3) (3)", DIMS(0, 3), DIMS(3), 1),
                               {0}},
    .values = (const op_value[]){{"angles", angles, DIMS(4), 1e-15,
                                  (const double[]){1, 1, 0.7071067811865475, -0.7071067811865475}},
                                 {"of nothing", of_nothing, NO_DIMS, 0, (const double[]){0}},
                                 {"its gradient", slope, DIMS(4), 1e-15, (const double[]){5e7, 5e7, 5e7, 5e7}},
                                 {"large", large, NO_DIMS, 1e-6, (const double[]){1}},
                                 {0}},
    .errors = (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "cosine_similarity:"},
                                 {"b NULL", null_b, HEED_ERR_ARGUMENT, "cosine_similarity:"},
                                 {"f64 and f32", mixed, HEED_ERR_DTYPE, "cosine_similarity: the tensors are f64"},
                                 {"i64", of_i64, HEED_ERR_DTYPE, "cosine_similarity: the tensors are i64"},
                                 {"(2) and (3)", shapes, HEED_ERR_SHAPE,
                                  "cosine_similarity: shapes (2) and (3) do not broadcast"},
                                 {"axis 1", axis_1, HEED_ERR_SHAPE, "cosine_similarity: there is no axis 1"},
                                 {"axis INT_MIN", axis_least, HEED_ERR_SHAPE, "cosine_similarity: there is no axis -2"},
                                 {0}},
};
