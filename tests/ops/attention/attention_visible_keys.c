/* tests/ops/attention/attention_visible_keys.c - cases of heed_attention_visible_keys.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "attention.h"

#define OPTIONS(...) (&(heed_attention_options){__VA_ARGS__})
#define FIND(pairs, ...) heed_attention_visible_keys(HEED_SHAPE pairs, OPTIONS(__VA_ARGS__))
#define OUT (-INFINITY)

RUN(run, FIND((2, 2, 3), .bias = in[0], .window = c->i[0], .causal = c->i[0] > 0))

GIVES(all, heed_attention_visible_keys(HEED_SHAPE(1, 2, 3), NULL))
GIVES(lengths, FIND((2, 3, 4), .valid_lens = LENS(HEED_SHAPE(2), 0, 3)))
GIVES(lengths_of_queries, FIND((2, 2, 3), .valid_lens = LENS(HEED_SHAPE(2, 2), 0, 2, 1, 0)))
GIVES(causal, FIND((1, 2, 4), .causal = true))
GIVES(causal_offset, FIND((1, 2, 4), .causal = true, .query_offset = 1))
GIVES(window, FIND((1, 2, 5), .window = 2, .query_offset = 2))
GIVES(window_causal, FIND((1, 2, 5), .window = 2, .query_offset = 2, .causal = true))
GIVES(window_far, FIND((1, 2, 3), .window = INT64_MAX, .query_offset = (int64_t)1 << 53))
GIVES(mask_of_keys, FIND((1, 2, 2, 3), .mask = HEED_TENSOR(HEED_BOOL, HEED_SHAPE(3), 0, 1, 0)))
GIVES(mask_of_queries, FIND((1, 2, 3), .mask = HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2, 3), 0, 1, 0, 0, 0, 1)))
GIVES(mask_of_heads, FIND((1, 2, 1, 3), .mask = HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2, 1, 3), 0, 1, 0, 0, 0, 1)))
GIVES(mask_turned,
      FIND((2, 2, 2), .mask = heed_transpose(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2, 1, 2), 1, 0, 1, 1), 0, 2)))
GIVES(bias, FIND((2, 1, 3), .bias = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 1, 3), 0, OUT, NAN, OUT, INFINITY, -1e30)))
GIVES(bias_of_queries, FIND((1, 2, 3), .bias = HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 3), 0, OUT, OUT, OUT, OUT, 1)))
GIVES(relative, FIND((1, 1, 2, 4), .relative_bias = HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 5), OUT, OUT, OUT, 0, OUT)))
GIVES(relative_of_heads,
      FIND((1, 2, 1, 3), .relative_bias = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), 0, OUT, OUT, 0, 0, OUT)))
GIVES(slopes, FIND((1, 1, 2), .slopes = heed_full(HEED_F32, HEED_SHAPE(9), NAN)))
/* The length hides the key from the first query, the mask from the second. */
GIVES(combined, FIND((1, 2, 3), .valid_lens = LENS(HEED_SHAPE(1, 2), 2, 3),
                     .mask = HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2, 3), 1, 1, 1, 1, 0, 0)))
GIVES(no_queries, FIND((1, 0, 2), .causal = true))
GIVES(no_queries_all, FIND((1, 0, 2), .scale = 0))
GIVES(no_heads, FIND((1, 0, 3, 2), .scale = 0))
GIVES(no_keys, heed_sum(heed_to_dtype(FIND((2, 3, 0), .window = 1), HEED_F64)))
GIVES(no_batch, heed_sum(heed_to_dtype(FIND((0, 3, 2), .causal = true), HEED_F64)))

GIVES(rank_2, FIND((2, 3), .causal = true))
GIVES(negative, FIND((1, -1, 3), .causal = true))
GIVES(too_long, FIND((1, 2, 3), .valid_lens = LENS(HEED_SHAPE(1), 4)))
GIVES(lengths_count, FIND((1, 2, 3), .valid_lens = LENS(HEED_SHAPE(2), 1, 1)))
GIVES(window_below, FIND((1, 2, 3), .window = -1))
GIVES(offset_below, FIND((1, 2, 3), .query_offset = -1))
GIVES(mask_f32, FIND((1, 2, 3), .mask = heed_ones(HEED_F32, HEED_SHAPE(3))))
GIVES(mask_shape, FIND((1, 2, 3), .mask = heed_ones(HEED_BOOL, HEED_SHAPE(3, 3))))
GIVES(bias_bool, FIND((1, 2, 3), .bias = heed_ones(HEED_BOOL, HEED_SHAPE(3))))
GIVES(biases_mixed, FIND((1, 2, 3), .bias = heed_ones(HEED_F32, HEED_SHAPE(3)),
                         .relative_bias = heed_ones(HEED_F64, HEED_SHAPE(1, 3))))
GIVES(relative_even, FIND((1, 2, 3), .relative_bias = heed_ones(HEED_F64, HEED_SHAPE(1, 2))))

#define VALUE(name, of, rows, columns, ...)                                                                            \
    {                                                                                                                  \
        name, of, DIMS(rows, columns), 0, (const double[])                                                             \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }

#define BIAS(name_, shape_, window)                                                                                    \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 1, .in = {{.shape = shape_}}, .i = {window}, .max_order = -1            \
    }

const op_cases heed_cases_attention_visible_keys = {
    .cases = (const op_case[]){BIAS("bias", DIMS(2, 2, 3), 0),
                               BIAS("bias of keys", DIMS(2, 1, 3), 0),
                               BIAS("bias and window", DIMS(2, 3), 1),
                               {0}},
    .values = (const op_value[]){VALUE("all", all, 1, 3, 1, 1, 1),
                                 VALUE("lengths", lengths, 2, 4, 0, 0, 0, 0, 1, 1, 1, 0),
                                 VALUE("lengths of queries", lengths_of_queries, 2, 3, 1, 1, 0, 1, 0, 0),
                                 VALUE("causal", causal, 1, 4, 1, 1, 0, 0),
                                 VALUE("causal, offset", causal_offset, 1, 4, 1, 1, 1, 0),
                                 VALUE("window", window, 1, 5, 0, 1, 1, 1, 1),
                                 VALUE("window, causal", window_causal, 1, 5, 0, 1, 1, 1, 0),
                                 VALUE("window past all keys", window_far, 1, 3, 1, 1, 1),
                                 VALUE("mask of keys", mask_of_keys, 1, 3, 0, 1, 0),
                                 VALUE("mask of queries", mask_of_queries, 1, 3, 0, 1, 1),
                                 VALUE("mask of heads", mask_of_heads, 1, 3, 0, 1, 1),
                                 VALUE("mask, transposed", mask_turned, 2, 2, 1, 1, 0, 1),
                                 VALUE("bias", bias, 2, 3, 1, 0, 1, 0, 1, 1),
                                 VALUE("bias of queries", bias_of_queries, 1, 3, 1, 0, 1),
                                 VALUE("relative bias", relative, 1, 4, 0, 1, 1, 0),
                                 VALUE("relative bias of heads", relative_of_heads, 1, 3, 1, 0, 0),
                                 VALUE("slopes are ignored", slopes, 1, 2, 1, 1),
                                 VALUE("length and mask", combined, 1, 3, 1, 1, 0),
                                 VALUE("no queries", no_queries, 1, 2, 0, 0),
                                 VALUE("no queries, no options", no_queries_all, 1, 2, 0, 0),
                                 VALUE("no heads", no_heads, 1, 2, 0, 0),
                                 {"no keys", no_keys, NO_DIMS, 0, (const double[]){0}},
                                 {"no batch", no_batch, NO_DIMS, 0, (const double[]){0}},
                                 {0}},
    .errors =
        (const op_error[]){
            {"rank 2", rank_2, HEED_ERR_SHAPE, "attention_visible_keys: pairs is (2, 3): must be (B, Q, K) or"},
            {"-1 queries", negative, HEED_ERR_SHAPE, "attention_visible_keys: "},
            {"length 4 of 3", too_long, HEED_ERR_INDEX, "valid length 4 at (0) is outside 0 .. 3"},
            {"2 lengths of 1", lengths_count, HEED_ERR_SHAPE, "valid_lens is (2): must be (1) or (1, 2)"},
            {"window -1", window_below, HEED_ERR_ARGUMENT, "window -1: must not be negative"},
            {"offset -1", offset_below, HEED_ERR_ARGUMENT, "query_offset -1: must be in 0 .. 2^53"},
            {"f32 mask", mask_f32, HEED_ERR_DTYPE, "mask is f32 (3): must be bool"},
            {"mask of 3 of 2", mask_shape, HEED_ERR_SHAPE, "mask is (3, 3): must broadcast to (1, 2, 3)"},
            {"bool bias", bias_bool, HEED_ERR_DTYPE, "bias is bool (3): must be f32"},
            {"f32 and f64", biases_mixed, HEED_ERR_DTYPE, "bias is f32 (3): must be f64"},
            {"even relative bias", relative_even, HEED_ERR_SHAPE, "relative_bias is (1, 2): must be (1, 2 R + 1)"},
            {0}},
};
