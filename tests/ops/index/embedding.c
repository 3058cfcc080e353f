/* tests/ops/index/embedding.c - cases of heed_embedding. */

#include "indices.h"

RUN(run, heed_embedding(in[1], in[0]))

GIVES(sentence, heed_embedding(INDICES(HEED_SHAPE(3), 2, 0, 2), counting(HEED_F64, HEED_SHAPE(3, 2))))
GIVES(batch, heed_embedding(INDICES(HEED_SHAPE(2, 2), 0, 1, 1, 2), counting(HEED_F32, HEED_SHAPE(3, 2))))
GIVES(word, heed_embedding(INDICES(HEED_SCALAR, 1), counting(HEED_F64, HEED_SHAPE(3, 2))))
GIVES(transposed,
      heed_embedding(heed_transpose(INDICES(HEED_SHAPE(2, 2), 0, 1, 2, 0), 0, 1), counting(HEED_F64, HEED_SHAPE(3, 1))))
GIVES(none, heed_embedding(heed_zeros(HEED_I64, HEED_SHAPE(2, 0)), counting(HEED_F64, HEED_SHAPE(3, 2))))

#define INTO_3_2(indices) heed_embedding(indices, heed_ones(HEED_F64, HEED_SHAPE(3, 2)))
GIVES(null_indices, INTO_3_2(NULL))
GIVES(null_weight, heed_embedding(heed_zeros(HEED_I64, HEED_SHAPE(2)), NULL))
GIVES(float_indices, INTO_3_2(heed_zeros(HEED_F32, HEED_SHAPE(2))))
GIVES(vector_weight, heed_embedding(heed_zeros(HEED_I64, HEED_SHAPE(2)), heed_ones(HEED_F64, HEED_SHAPE(3))))
GIVES(rank_8, INTO_3_2(heed_zeros(HEED_I64, HEED_SHAPE(1, 1, 1, 1, 1, 1, 1, 1))))
GIVES(outside, INTO_3_2(INDICES(HEED_SHAPE(2, 2), 0, 1, 2, 3)))
GIVES(negative, INTO_3_2(INDICES(HEED_SHAPE(2), 0, -1)))

const op_cases heed_cases_embedding = {
    .cases = (const op_case[]){INDEXED("(3, 2) at ()", run, DIMS(3, 2), NO_DIMS, 3, 0),
                               INDEXED("(3, 2) at (1)", run, DIMS(3, 2), DIMS(1), 3, 0),
                               INDEXED("(1, 5) at (3)", run, DIMS(1, 5), DIMS(3), 1, 0),
                               INDEXED("(7, 1) at (5)", run, DIMS(7, 1), DIMS(5), 7, 0),
                               INDEXED("(5, 3) at (2, 3)", run, DIMS(5, 3), DIMS(2, 3), 5, 0),
                               INDEXED("(5, 3) at (2, 1, 3)", run, DIMS(5, 3), DIMS(2, 1, 3), 5, 0),
                               INDEXED("(5, 3) at (0)", run, DIMS(5, 3), DIMS(0), 5, 0),
                               INDEXED("(5, 0) at (2)", run, DIMS(5, 0), DIMS(2), 5, 0),
                               {0}},
    .values = (const op_value[]){{"sentence", sentence, DIMS(3, 2), 0, (const double[]){4, 5, 0, 1, 4, 5}},
                                 {"batch", batch, DIMS(2, 2, 2), 0, (const double[]){0, 1, 2, 3, 2, 3, 4, 5}},
                                 {"word", word, DIMS(2), 0, (const double[]){2, 3}},
                                 {"transposed indices", transposed, DIMS(2, 2, 1), 0, (const double[]){0, 2, 1, 0}},
                                 {"none", none, DIMS(2, 0, 2), 0, (const double[]){0}},
                                 {0}},
    .errors =
        (const op_error[]){
            {"NULL indices", null_indices, HEED_ERR_ARGUMENT, "embedding:"},
            {"NULL weight", null_weight, HEED_ERR_ARGUMENT, "embedding:"},
            {"f32 indices", float_indices, HEED_ERR_DTYPE, "embedding: the indices are f32"},
            {"weight (3)", vector_weight, HEED_ERR_SHAPE, "embedding: indices are (2), weight is (3)"},
            {"rank 8", rank_8, HEED_ERR_SHAPE, "embedding:"},
            {"index 3", outside, HEED_ERR_INDEX, "embedding: index 3 at (1, 1) is outside an axis of size 3"},
            {"index -1", negative, HEED_ERR_INDEX, "embedding: index -1 at (1) is outside"},
            {0}},
};
