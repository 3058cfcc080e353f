/* tests/ops/index/bincount.c - cases of heed_bincount. */

#include "indices.h"

RUN(run, heed_bincount(in[0], in[1], c->i[0]))
RUN(alone, heed_bincount(in[0], NULL, c->i[0]))

#define SAMPLE(name_, dims, size, least)                                                                               \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 2,                                                                      \
        .in = {{.shape = dims, .kind = OP_INDEX, .high = size}, {.shape = dims}}, .i = {                               \
            least                                                                                                      \
        }                                                                                                              \
    }

#define OF_5(weights, least) heed_bincount(INDICES(HEED_SHAPE(5), 2, 0, 2, 5, 0), weights, least)
GIVES(counts, OF_5(NULL, 0))
GIVES(longer, OF_5(NULL, 8))
GIVES(shorter, OF_5(NULL, 3))
GIVES(weighted, OF_5(counting(HEED_F32, HEED_SHAPE(5)), 0))
GIVES(nothing, heed_bincount(heed_zeros(HEED_I64, HEED_SHAPE(0)), NULL, 2))
GIVES(nothing_at_all, heed_bincount(heed_zeros(HEED_I64, HEED_SHAPE(0)), NULL, 0))

GIVES(of_null, heed_bincount(NULL, NULL, 0))
GIVES(of_float, heed_bincount(heed_ones(HEED_F64, HEED_SHAPE(2)), NULL, 0))
GIVES(of_matrix, heed_bincount(heed_ones(HEED_I64, HEED_SHAPE(2, 1)), NULL, 0))
GIVES(other_weights, OF_5(heed_ones(HEED_F64, HEED_SHAPE(4)), 0))
GIVES(bool_weights, OF_5(heed_ones(HEED_BOOL, HEED_SHAPE(5)), 0))
GIVES(negative, heed_bincount(INDICES(HEED_SHAPE(2), 3, -1), NULL, 0))
GIVES(vast, heed_bincount(heed_full(HEED_I64, HEED_SHAPE(1), 0x1p62), NULL, 0))
GIVES(less_than_none, OF_5(NULL, -1))

const op_cases heed_cases_bincount = {
    .cases = (const op_case[]){SAMPLE("(1)", DIMS(1), 1, 0),
                               SAMPLE("(5)", DIMS(5), 3, 0),
                               SAMPLE("(7) 9", DIMS(7), 4, 9),
                               SAMPLE("(0) 2", DIMS(0), 1, 2),
                               {.name = "(5) alone",
                                .run = alone,
                                .n_inputs = 1,
                                .in = {{.shape = DIMS(5), .kind = OP_INDEX, .high = 3}},
                                .max_order = -1},
                               {0}},
    .values = (const op_value[]){{"counts", counts, DIMS(6), 0, (const double[]){2, 0, 2, 0, 0, 1}},
                                 {"at least 8", longer, DIMS(8), 0, (const double[]){2, 0, 2, 0, 0, 1, 0, 0}},
                                 {"at least 3", shorter, DIMS(6), 0, (const double[]){2, 0, 2, 0, 0, 1}},
                                 {"weighted", weighted, DIMS(6), 0, (const double[]){5, 0, 2, 0, 0, 3}},
                                 {"nothing", nothing, DIMS(2), 0, (const double[]){0, 0}},
                                 {"nothing at all", nothing_at_all, DIMS(0), 0, (const double[]){0}},
                                 {0}},
    .errors =
        (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "bincount:"},
                           {"f64", of_float, HEED_ERR_DTYPE, "bincount: the indices are f64 (2): must be i64"},
                           {"(2, 1)", of_matrix, HEED_ERR_SHAPE, "bincount: x (2, 1), weights (2, 1)"},
                           {"weights (4)", other_weights, HEED_ERR_SHAPE, "bincount: x (5), weights (4)"},
                           {"bool weights", bool_weights, HEED_ERR_DTYPE, "bincount: index_sum: the tensor is bool"},
                           {"-1", negative, HEED_ERR_INDEX, "bincount: index_sum: index -1 at (1)"},
                           {"2^62", vast, HEED_ERR_SHAPE, "bincount: index_sum: (4611686018427387905)"},
                           {"min_length -1", less_than_none, HEED_ERR_ARGUMENT, "bincount: min_length is -1"},
                           {0}},
};
