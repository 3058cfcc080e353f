/* tests/ops/attention/relative_bias.c - cases of heed_relative_bias. */

#include "attention.h"

/* i: queries, keys, query_offset. */
RUN(run, heed_relative_bias(in[0], c->i[0], c->i[1], c->i[2]))

/* As the bias of an attention, with q, k and v behind. */
RUN(biased, heed_dot_product_attention(in[1], in[2], in[3],
                                       OPTIONS(.bias = heed_relative_bias(in[0], c->i[0], c->i[1], c->i[2]),
                                               .query_offset = c->i[2]),
                                       NULL))

#define OF(name_, table, ...)                                                                                          \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 1, .in = {FLOATS(table)}, .i = { __VA_ARGS__ }                          \
    }

/* -- Values -------------------------------------------------------------------------------------------------------- */

#define TABLE HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 5), -2, -1, 0, 1, 2)

GIVES(near, heed_relative_bias(TABLE, 3, 2, 0))
GIVES(cached, heed_relative_bias(TABLE, 1, 5, 3))
GIVES(far, heed_relative_bias(TABLE, 1, 3, (int64_t)1 << 53))
GIVES(of_nothing, heed_relative_bias(TABLE, INT64_MAX, 0, 0))

/* Keys further than 1 away are not seen. */
GIVES(hidden,
      heed_dot_product_attention(heed_zeros(HEED_F64, HEED_SHAPE(1, 3, 1)), ONES(1, 3, 1),
                                 HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 3, 1), 1, 3, NAN),
                                 OPTIONS(.bias = heed_relative_bias(HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 5), -INFINITY,
                                                                                0, log(3), -INFINITY, -INFINITY),
                                                                    3, 3, 0)),
                                 NULL))

/* T5: distances -2 .. 2 share three numbers. */
GIVES(buckets, heed_relative_bias(heed_index_select(HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 3), 7, 8, 9), 1,
                                                    HEED_TENSOR(HEED_I64, HEED_SHAPE(5), 2, 1, 0, 1, 2)),
                                  2, 3, 0))

/* -- Errors -------------------------------------------------------------------------------------------------------- */

GIVES(of_null, heed_relative_bias(NULL, 1, 1, 0))
GIVES(integers, heed_relative_bias(heed_zeros(HEED_I64, HEED_SHAPE(1, 3)), 1, 1, 0))
GIVES(vector, heed_relative_bias(ONES(3), 1, 1, 0))
GIVES(even, heed_relative_bias(ONES(2, 4), 1, 1, 0))
GIVES(no_distances, heed_relative_bias(ONES(2, 0), 1, 1, 0))
GIVES(queries_below, heed_relative_bias(TABLE, -1, 1, 0))
GIVES(keys_below, heed_relative_bias(TABLE, 1, -2, 0))
GIVES(offset_below, heed_relative_bias(TABLE, 1, 1, -1))
GIVES(offset_above, heed_relative_bias(TABLE, 1, 1, ((int64_t)1 << 53) + 1))
GIVES(too_many, heed_relative_bias(TABLE, INT64_MAX / 2, 4, 0))
GIVES(too_many_of_no_heads, heed_relative_bias(ONES(0, 3), INT64_MAX / 2, 4, 0))

const op_cases heed_cases_relative_bias = {
    .cases = (const op_case[]){OF("(2, 5) to (2, 3, 4)", DIMS(2, 5), 3, 4),
                               OF("(1, 3) to (1, 4, 2)", DIMS(1, 3), 4, 2),
                               OF("(2, 1) to (2, 2, 2)", DIMS(2, 1), 2, 2),
                               OF("(1, 7) to (1, 2, 5), offset", DIMS(1, 7), 2, 5, 2),
                               OF("(0, 3)", DIMS(0, 3), 2, 2),
                               OF("no queries", DIMS(1, 3), 0, 2),
                               OF("no keys", DIMS(1, 3), 2, 0),
                               {.name = "attention",
                                .run = biased,
                                .n_inputs = 4,
                                .in = {FLOATS(DIMS(2, 3)), FLOATS(DIMS(1, 2, 3, 1)), FLOATS(DIMS(1, 2, 4, 1)),
                                       FLOATS(DIMS(1, 2, 4, 1))},
                                .i = {3, 4, 1}},
                               {0}},
    .values = (const op_value[]){{"near", near, DIMS(1, 3, 2), 0, (const double[]){0, 1, -1, 0, -2, -1}},
                                 {"cached", cached, DIMS(1, 1, 5), 0, (const double[]){-2, -2, -1, 0, 1}},
                                 {"far", far, DIMS(1, 1, 3), 0, (const double[]){-2, -2, -2}},
                                 {"of nothing", of_nothing, DIMS(1, INT64_MAX, 0), 0, (const double[]){0}},
                                 {"not seen", hidden, DIMS(1, 3, 1), 1e-15, (const double[]){1, 2.5, NAN}},
                                 {"buckets", buckets, DIMS(1, 2, 3), 0, (const double[]){7, 8, 9, 8, 7, 8}},
                                 {0}},
    .errors =
        (const op_error[]){
            {"NULL", of_null, HEED_ERR_ARGUMENT, "relative_bias:"},
            {"i64", integers, HEED_ERR_DTYPE, "relative_bias:"},
            {"(3)", vector, HEED_ERR_SHAPE, "relative_bias: table (3): must be (H, 2 R + 1), distances -R .. R"},
            {"(2, 4)", even, HEED_ERR_SHAPE, "relative_bias: table (2, 4)"},
            {"(2, 0)", no_distances, HEED_ERR_SHAPE, "relative_bias: table (2, 0)"},
            {"-1 queries", queries_below, HEED_ERR_ARGUMENT, "relative_bias: -1 queries, 1 keys: must not be negative"},
            {"-2 keys", keys_below, HEED_ERR_ARGUMENT, "relative_bias: 1 queries, -2 keys"},
            {"offset -1", offset_below, HEED_ERR_ARGUMENT, "relative_bias: query_offset -1: must be in 0 .. 2^53"},
            {"offset 2^53 + 1", offset_above, HEED_ERR_ARGUMENT, "relative_bias: query_offset 9007199254740993"},
            {"too many", too_many, HEED_ERR_SHAPE, "relative_bias:"},
            {"too many of no heads", too_many_of_no_heads, HEED_ERR_SHAPE, "relative_bias:"},
            {0}},
};
