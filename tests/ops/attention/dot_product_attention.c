/* tests/ops/attention/dot_product_attention.c - cases of heed_dot_product_attention.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "attention.h"

static heed_tensor *attend(heed_tensor *const *in, const heed_attention_options *options, heed_tensor **weights)
{
    return heed_dot_product_attention(in[0], in[1], in[2], options, weights);
}

RUN(run, run_attention(attend, in, c))

/* Without lengths; `...`: .i = {false, causal, output}, .p = {scale, dropout}. */
#define ALL(name_, q, k, v, ...)                                                                                       \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 3, .in = {FLOATS(q), FLOATS(k), FLOATS(v)}, __VA_ARGS__                 \
    }
/* A case with lengths. .i = {true, causal, output}. */
#define SOME(name_, q, k, v, lens, keys, ...)                                                                          \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 4, .in = {FLOATS(q), FLOATS(k), FLOATS(v), LENGTHS(keys, lens)},        \
        __VA_ARGS__                                                                                                    \
    }

/* Followed by mask, bias, slopes, relative bias or lengths; .i = {lengths, causal, output, which, window,
 * query_offset}. */
#define WITH_MASK(name_, q, k, v, n, more, ...)                                                                        \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 3 + (n), .in = {FLOATS(q), FLOATS(k), FLOATS(v), more}, __VA_ARGS__     \
    }
#define AND(...) __VA_ARGS__

/* -- Values -------------------------------------------------------------------------------------------------------- */

/* exp(9998) overflows; all keys except the last two are equal. */
GIVES(book_2d,
      heed_dot_product_attention(HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 2, 2), 57, 83, 55, 76),
                                 HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 3, 2), 51, 70, 56, 82, 56, 82),
                                 HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 3, 2), 40, 155, 43, 159, 48, 162), NULL, NULL))

/* Scores 0, ln 2, ln 3 times `scale`. */
static heed_tensor *of_logs(const heed_attention_options *options, heed_tensor **weights)
{
    return heed_dot_product_attention(HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 2, 1), 1, 1),
                                      HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 3, 1), 0, log(2), log(3)),
                                      HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 3, 1), 6, 12, 18), options, weights);
}

GIVES(logs, of_logs(NULL, NULL))
GIVES(logs_scaled, of_logs(OPTIONS(.scale = 2), NULL))
GIVES(logs_lens, of_logs(OPTIONS(.valid_lens = LENS(HEED_SHAPE(1, 2), 0, 2)), NULL))
GIVES(logs_causal, of_logs(OPTIONS(.causal = true), NULL))
GIVES(logs_causal_lens, of_logs(OPTIONS(.causal = true, .valid_lens = LENS(HEED_SHAPE(1), 1)), NULL))
GIVES(no_features, heed_dot_product_attention(ONES(1, 1, 0), ONES(1, 4, 0), counting(HEED_F64, HEED_SHAPE(1, 4, 1)),
                                              OPTIONS(.valid_lens = LENS(HEED_SHAPE(1), 3)), NULL))
GIVES(no_keys, heed_dot_product_attention(ONES(1, 2, 3), ONES(1, 0, 3), ONES(1, 0, 2), NULL, NULL))
GIVES(dropped, heed_dot_product_attention(ONES(1, 2, 3), ONES(1, 4, 3), ONES(1, 4, 2), OPTIONS(.dropout = 1), NULL))

/* Two heads share the lengths of their batch element. */
GIVES(heads, heed_dot_product_attention(heed_zeros(HEED_F64, HEED_SHAPE(2, 2, 1, 1)), ONES(2, 2, 3, 1),
                                        counting(HEED_F64, HEED_SHAPE(2, 2, 3, 1)),
                                        OPTIONS(.valid_lens = LENS(HEED_SHAPE(2), 2, 1)), NULL))

/* Scores are 0. */
static heed_tensor *of_counts(const heed_attention_options *options)
{
    return heed_dot_product_attention(heed_zeros(HEED_F64, HEED_SHAPE(1, 3, 1)), ONES(1, 4, 1),
                                      counting(HEED_F64, HEED_SHAPE(1, 4, 1)), options, NULL);
}

GIVES(masked, of_counts(OPTIONS(.mask = heed_compare_scalar(HEED_TENSOR(HEED_I64, HEED_SHAPE(3, 4), 1, 0, 0, 1, 0, 0, 0,
                                                                        0, 0, 1, 1, 1),
                                                            HEED_COMPARE_NE, 0))))
GIVES(biased, of_counts(OPTIONS(.bias = HEED_TENSOR(HEED_F64, HEED_SHAPE(4), -INFINITY, log(3), 0, -INFINITY))))
GIVES(hidden, of_counts(OPTIONS(.bias = heed_full(HEED_F64, HEED_SCALAR, -INFINITY))))
GIVES(sliding, of_counts(OPTIONS(.causal = true, .window = 2)))
GIVES(both_directions, of_counts(OPTIONS(.window = 2)))
GIVES(of_cache, of_counts(OPTIONS(.causal = true, .query_offset = 1)))
GIVES(past_keys, of_counts(OPTIONS(.causal = true, .query_offset = (int64_t)1 << 53, .window = 1)))
GIVES(wide_window, of_counts(OPTIONS(.causal = true, .window = INT64_MAX)))
GIVES(slanted, of_counts(OPTIONS(.causal = true, .slopes = HEED_TENSOR(HEED_F64, HEED_SHAPE(1), log(2)))))

/* For distances -1 .. 1, and for larger ones the nearest of these: ln 1, ln 2, ln 3. */
#define BY_DISTANCE HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 3), 0, log(2), log(3))
GIVES(relative, of_counts(OPTIONS(.relative_bias = BY_DISTANCE)))
GIVES(relative_of_cache, of_counts(OPTIONS(.relative_bias = BY_DISTANCE, .causal = true, .query_offset = 1)))
GIVES(relative_and_slanted, of_counts(OPTIONS(.relative_bias = heed_zeros(HEED_F64, HEED_SHAPE(1, 1)), .causal = true,
                                              .slopes = HEED_TENSOR(HEED_F64, HEED_SHAPE(1), log(2)))))

/* Keys at distances above 1 are hidden, and so are keys that a bias hides, although a distance has infinity. */
GIVES(hidden_far,
      of_counts(OPTIONS(.relative_bias = HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 5), -INFINITY, 0, 0, 0, -INFINITY))))
GIVES(hidden_once, of_counts(OPTIONS(.relative_bias = HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 3), INFINITY, 0, 0),
                                     .bias = HEED_TENSOR(HEED_F64, HEED_SHAPE(3, 4), 0, 0, 0, 0, -INFINITY, 0, 0, 0,
                                                         -INFINITY, -INFINITY, 0, 0))))

/* T5's buckets: distances -2 .. 2 share three numbers, whose gradients are tested. */
static heed_tensor *of_buckets(void)
{
    heed_tensor *w = heed_set_requires_grad(HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 3), 0, 0, 0), true), *dw = NULL;
    heed_tensor *table = heed_index_select(w, 1, HEED_TENSOR(HEED_I64, HEED_SHAPE(5), 2, 1, 0, 1, 2));
    heed_tensor *first = heed_select(heed_select(of_counts(OPTIONS(.relative_bias = table)), 1, 0), 0, 0);
    return heed_grad(&first, 1, &w, 1, &dw, NULL) == HEED_OK ? dw : NULL;
}
GIVES(buckets, of_buckets())

static heed_tensor *weights_of(const heed_attention_options *options)
{
    heed_tensor *weights = NULL;
    return of_logs(options, &weights) ? weights : NULL;
}

GIVES(weights, weights_of(OPTIONS(.causal = true, .dropout = 1)))

static heed_tensor *weights_of_nothing(void)
{
    heed_tensor *w = NULL;
    (void)heed_dot_product_attention(ONES(1, 1, 0), ONES(1, 4, 0), ONES(1, 4, 1),
                                     OPTIONS(.valid_lens = LENS(HEED_SHAPE(1), 2)), &w);
    return w;
}

/* -- Errors -------------------------------------------------------------------------------------------------------- */

#define TRY(...) TRY_SHAPES(__VA_ARGS__)
#define TRY_SHAPES(q, k, v, ...) heed_dot_product_attention(ONES q, ONES k, ONES v, OPTIONS(__VA_ARGS__), NULL)
#define GOOD (2, 3, 4), (2, 5, 4), (2, 5, 6)

GIVES(q_null, heed_dot_product_attention(NULL, ONES(2, 5, 4), ONES(2, 5, 6), NULL, NULL))
GIVES(k_null, heed_dot_product_attention(ONES(2, 3, 4), NULL, ONES(2, 5, 6), NULL, NULL))
GIVES(v_null, heed_dot_product_attention(ONES(2, 3, 4), ONES(2, 5, 4), NULL, NULL, NULL))
GIVES(rank_2, TRY((3, 4), (5, 4), (5, 6), .scale = 1))
GIVES(rank_5, TRY((1, 1, 1, 3, 4), (1, 1, 1, 5, 4), (1, 1, 1, 5, 6), .scale = 1))
GIVES(ranks, TRY((2, 3, 4), (2, 1, 5, 4), (2, 1, 5, 6), .scale = 1))
GIVES(batches, TRY((2, 3, 4), (1, 5, 4), (2, 5, 6), .scale = 1))
GIVES(head_counts, TRY((2, 3, 3, 4), (2, 3, 5, 4), (2, 1, 5, 6), .scale = 1))
GIVES(features, TRY((2, 3, 4), (2, 5, 3), (2, 5, 6), .scale = 1))
GIVES(key_counts, TRY((2, 3, 4), (2, 5, 4), (2, 4, 6), .scale = 1))
GIVES(mixed,
      heed_dot_product_attention(ONES(2, 3, 4), ONES(2, 5, 4), heed_ones(HEED_F32, HEED_SHAPE(2, 5, 6)), NULL, NULL))
GIVES(integers,
      heed_dot_product_attention(heed_ones(HEED_I64, HEED_SHAPE(2, 3, 4)), heed_ones(HEED_I64, HEED_SHAPE(2, 3, 4)),
                                 heed_ones(HEED_I64, HEED_SHAPE(2, 3, 4)), NULL, NULL))
GIVES(scale_nan, TRY(GOOD, .scale = NAN))
GIVES(dropout_2, TRY(GOOD, .dropout = 2))
GIVES(dropout_nan, TRY(GOOD, .dropout = NAN))
GIVES(lens_float, TRY(GOOD, .valid_lens = ONES(2)))
GIVES(lens_size, TRY(GOOD, .valid_lens = LENS(HEED_SHAPE(3), 1, 1, 1)))
GIVES(lens_rank, TRY(GOOD, .valid_lens = heed_full(HEED_I64, HEED_SCALAR, 1)))
GIVES(lens_queries, TRY(GOOD, .valid_lens = heed_zeros(HEED_I64, HEED_SHAPE(2, 5))))
GIVES(lens_below, TRY(GOOD, .valid_lens = LENS(HEED_SHAPE(2), 5, -1)))
GIVES(lens_above, TRY(GOOD, .valid_lens = LENS(HEED_SHAPE(2), 6, 1)))

GIVES(mask_float, TRY(GOOD, .mask = ONES(3, 5)))
GIVES(mask_shape, TRY(GOOD, .mask = heed_zeros(HEED_BOOL, HEED_SHAPE(3, 3, 5))))
GIVES(mask_rank, TRY(GOOD, .mask = heed_zeros(HEED_BOOL, HEED_SHAPE(1, 2, 3, 5))))
GIVES(bias_integer, TRY(GOOD, .bias = LENS(HEED_SHAPE(1), 1)))
GIVES(bias_shape, TRY((2, 4, 3, 4), (2, 2, 5, 4), (2, 2, 5, 6), .bias = ONES(2, 3, 5)))
GIVES(slopes_count, TRY((2, 4, 3, 4), (2, 2, 5, 4), (2, 2, 5, 6), .slopes = ONES(2)))
GIVES(slopes_f32, TRY(GOOD, .slopes = heed_ones(HEED_F32, HEED_SHAPE(1))))
GIVES(relative_even, TRY(GOOD, .relative_bias = ONES(1, 4)))
GIVES(relative_vector, TRY(GOOD, .relative_bias = ONES(3)))
GIVES(relative_none, TRY(GOOD, .relative_bias = ONES(1, 0)))
GIVES(relative_heads, TRY((2, 4, 3, 4), (2, 2, 5, 4), (2, 2, 5, 6), .relative_bias = ONES(2, 3)))
GIVES(relative_f32, TRY(GOOD, .relative_bias = heed_ones(HEED_F32, HEED_SHAPE(1, 3))))
GIVES(relative_many, heed_dot_product_attention(ONES(1, INT64_MAX / 2, 0), ONES(1, 4, 0), ONES(1, 4, 0),
                                                OPTIONS(.relative_bias = ONES(1, 3)), NULL))
GIVES(slopes_nan, TRY(GOOD, .slopes = heed_full(HEED_F64, HEED_SHAPE(1), NAN)))
GIVES(window_below, TRY(GOOD, .window = -1))
GIVES(offset_below, TRY(GOOD, .query_offset = -2))
GIVES(groups, TRY((2, 4, 3, 4), (2, 3, 5, 4), (2, 3, 5, 6), .scale = 1))

const op_cases heed_cases_dot_product_attention = {
    .cases =
        (const op_case[]){
            ALL("(1, 2, 3) keys 3", DIMS(1, 2, 3), DIMS(1, 3, 3), DIMS(1, 3, 2), .i = {0}),
            ALL("one of each", DIMS(1, 1, 1), DIMS(1, 1, 1), DIMS(1, 1, 1), .i = {0}),
            ALL("one key", DIMS(2, 3, 2), DIMS(2, 1, 2), DIMS(2, 1, 2), .i = {0}),
            ALL("scale", DIMS(2, 2, 3), DIMS(2, 2, 3), DIMS(2, 2, 1), .p = {-0.7}),
            ALL("more features than keys", DIMS(1, 2, 5), DIMS(1, 2, 5), DIMS(1, 2, 1), .i = {0}),
            ALL("causal, square", DIMS(1, 3, 2), DIMS(1, 3, 2), DIMS(1, 3, 2), .i = {false, true}),
            ALL("causal, more queries", DIMS(1, 4, 1), DIMS(1, 2, 1), DIMS(1, 2, 1), .i = {false, true}),
            ALL("causal, more keys", DIMS(2, 2, 2), DIMS(2, 4, 2), DIMS(2, 4, 1), .i = {false, true}),
            SOME("a length each", DIMS(3, 2, 2), DIMS(3, 4, 2), DIMS(3, 4, 1), DIMS(3), 4, .i = {true}),
            SOME("a length each row", DIMS(2, 3, 2), DIMS(2, 3, 2), DIMS(2, 3, 2), DIMS(2, 3), 3, .i = {true}),
            SOME("lengths and causal", DIMS(2, 3, 1), DIMS(2, 3, 1), DIMS(2, 3, 1), DIMS(2), 3, .i = {true, true}),
            SOME("heads", DIMS(2, 2, 2, 2), DIMS(2, 2, 3, 2), DIMS(2, 2, 3, 1), DIMS(2), 3, .i = {true}),
            SOME("heads, a length each row", DIMS(1, 2, 2, 1), DIMS(1, 2, 3, 1), DIMS(1, 2, 3, 2), DIMS(1, 2), 3,
                 .i = {true, true, BOTH}),
            {.name = "weights",
             .run = run,
             .n_inputs = 3,
             .in = {FLOATS(DIMS(1, 2, 2)), FLOATS(DIMS(1, 3, 2)), CONSTANTS(DIMS(1, 3, 1))},
             .i = {false, true, WEIGHTS}},
            SOME("result and weights", DIMS(2, 2, 1), DIMS(2, 3, 1), DIMS(2, 3, 2), DIMS(2, 2), 3,
                 .i = {true, false, BOTH}),
            SOME("dropout", DIMS(2, 3, 2), DIMS(2, 3, 2), DIMS(2, 3, 1), DIMS(2), 3, .i = {true}, .p = {0, 0.4}),
            ALL("dropout, scale, weights", DIMS(1, 3, 1), DIMS(1, 3, 1), DIMS(1, 3, 1), .i = {false, true, BOTH},
                .p = {1.5, 0.3}),
            ALL("primes", DIMS(1, 5, 3), DIMS(1, 7, 3), DIMS(1, 7, 2), .max_order = 1),
            SOME("many keys", DIMS(1, 2, 2), DIMS(1, 37, 2), DIMS(1, 37, 1), DIMS(1, 2), 37, .i = {true},
                 .max_order = 1),
            ALL("no batch", DIMS(0, 2, 3), DIMS(0, 3, 3), DIMS(0, 3, 2), .i = {0}),
            SOME("no queries", DIMS(2, 0, 3), DIMS(2, 3, 3), DIMS(2, 3, 2), DIMS(2, 0), 3, .i = {true, true}),
            SOME("no queries, lengths", DIMS(2, 0, 3), DIMS(2, 3, 3), DIMS(2, 3, 2), DIMS(2), 3, .i = {true}),
            ALL("no keys", DIMS(2, 2, 3), DIMS(2, 0, 3), DIMS(2, 0, 2), .i = {0}),
            SOME("no keys, causal", DIMS(2, 2, 3), DIMS(2, 0, 3), DIMS(2, 0, 2), DIMS(2), 0, .i = {true, true}),
            ALL("no features", DIMS(1, 2, 0), DIMS(1, 3, 0), DIMS(1, 3, 2), .i = {0}),
            ALL("values of no size", DIMS(1, 2, 2), DIMS(1, 3, 2), DIMS(1, 3, 0), .i = {false, true, BOTH}),
            WITH_MASK("mask", DIMS(2, 3, 2), DIMS(2, 4, 2), DIMS(2, 4, 1), 1, MASKS(DIMS(2, 3, 4)),
                      .i = {0, 0, 0, MASK}),
            WITH_MASK("mask of keys, heads", DIMS(2, 2, 2, 1), DIMS(2, 2, 3, 1), DIMS(2, 2, 3, 2), 1,
                      MASKS(DIMS(2, 1, 1, 3)), .i = {0, 0, BOTH, MASK}),
            WITH_MASK("mask of all, causal", DIMS(2, 3, 1), DIMS(2, 3, 1), DIMS(2, 3, 1), 1, MASKS(DIMS(3, 3)),
                      .i = {0, 1, 0, MASK}),
            WITH_MASK("bias", DIMS(2, 2, 2), DIMS(2, 3, 2), DIMS(2, 3, 1), 1, FLOATS(DIMS(2, 2, 3)),
                      .i = {0, 0, 0, BIAS}),
            WITH_MASK("bias of all, scale", DIMS(2, 2, 1), DIMS(2, 3, 1), DIMS(2, 3, 1), 1, FLOATS(DIMS(2, 3)),
                      .i = {0, 0, 0, BIAS}, .p = {1.7}),
            WITH_MASK("bias of heads, mask", DIMS(2, 2, 2, 1), DIMS(2, 2, 3, 1), DIMS(2, 2, 3, 1), 2,
                      AND(MASKS(DIMS(2, 3)), FLOATS(DIMS(2, 1, 3))), .i = {0, 0, BOTH, MASK | BIAS}),
            WITH_MASK("bias of a number, lengths", DIMS(2, 2, 1), DIMS(2, 3, 1), DIMS(2, 3, 1), 2,
                      AND(FLOATS(NO_DIMS), LENGTHS(3, DIMS(2))), .i = {1, 0, 0, BIAS}, .p = {0, 0.3}),
            WITH_MASK("slopes", DIMS(2, 2, 3, 1), DIMS(2, 2, 3, 1), DIMS(2, 2, 3, 1), 1, CONSTANTS(DIMS(2)),
                      .i = {0, 1, 0, SLOPES}),
            WITH_MASK("learnt slopes", DIMS(1, 2, 3, 1), DIMS(1, 2, 3, 1), DIMS(1, 2, 3, 1), 1, FLOATS(DIMS(2)),
                      .i = {0, 0, 0, SLOPES}),
            WITH_MASK("relative bias", DIMS(2, 2, 3, 1), DIMS(2, 2, 4, 1), DIMS(2, 2, 4, 1), 1, FLOATS(DIMS(2, 3)),
                      .i = {0, 0, 0, RELATIVE}),
            WITH_MASK("relative bias, causal, offset", DIMS(2, 3, 1), DIMS(2, 5, 1), DIMS(2, 5, 1), 1,
                      FLOATS(DIMS(1, 7)), .i = {0, 1, 0, RELATIVE, 0, 2}),
            WITH_MASK("relative bias, weights", DIMS(1, 2, 3, 1), DIMS(1, 2, 2, 1), DIMS(1, 2, 2, 1), 1,
                      FLOATS(DIMS(2, 5)), .i = {0, 0, BOTH, RELATIVE}, .p = {1.4}),
            WITH_MASK(
                "relative bias, bias of heads, slopes, mask, lengths", DIMS(2, 2, 2, 1), DIMS(2, 2, 3, 1),
                DIMS(2, 2, 3, 1), 5,
                AND(MASKS(DIMS(3)), FLOATS(DIMS(2, 1, 3)), FLOATS(DIMS(2)), FLOATS(DIMS(2, 3)), LENGTHS(3, DIMS(2))),
                .i = {1, 0, 0, MASK | BIAS | SLOPES | RELATIVE}, .p = {1.3, 0.3}),
            WITH_MASK("relative bias, bias of all", DIMS(2, 2, 2, 1), DIMS(2, 2, 3, 1), DIMS(2, 2, 3, 1), 2,
                      AND(FLOATS(DIMS(2, 3)), FLOATS(DIMS(2, 1))), .i = {0, 0, 0, BIAS | RELATIVE}),
            WITH_MASK("relative bias, of no queries", DIMS(1, 0, 2), DIMS(1, 2, 2), DIMS(1, 2, 1), 1,
                      FLOATS(DIMS(1, 3)), .i = {0, 0, 0, RELATIVE}),
            WITH_MASK("relative bias, of no keys", DIMS(1, 2, 2), DIMS(1, 0, 2), DIMS(1, 0, 1), 1, FLOATS(DIMS(1, 3)),
                      .i = {0, 0, 0, RELATIVE}),
            WITH_MASK("relative bias, of no batch", DIMS(0, 2, 2), DIMS(0, 3, 2), DIMS(0, 3, 1), 1, FLOATS(DIMS(1, 3)),
                      .i = {0, 0, 0, RELATIVE}),
            WITH_MASK("relative bias, of no heads", DIMS(1, 0, 2, 2), DIMS(1, 0, 3, 2), DIMS(1, 0, 3, 1), 1,
                      FLOATS(DIMS(0, 3)), .i = {0, 0, 0, RELATIVE}),
            WITH_MASK("slopes, bias, mask, lengths", DIMS(1, 2, 2), DIMS(1, 4, 2), DIMS(1, 4, 1), 4,
                      AND(MASKS(DIMS(4)), FLOATS(DIMS(2, 1)), CONSTANTS(DIMS(1)), LENGTHS(4, DIMS(1, 2))),
                      .i = {1, 0, 0, MASK | BIAS | SLOPES, 0, 2}, .p = {1.3}),
            ALL("window, causal", DIMS(2, 4, 1), DIMS(2, 4, 1), DIMS(2, 4, 1), .i = {0, 1, 0, 0, 2}),
            ALL("window", DIMS(1, 4, 2), DIMS(1, 5, 2), DIMS(1, 5, 1), .i = {0, 0, BOTH, 0, 2}),
            ALL("window, offset", DIMS(1, 2, 2), DIMS(1, 5, 2), DIMS(1, 5, 1), .i = {0, 1, 0, 0, 2, 2}),
            ALL("offset", DIMS(1, 2, 2), DIMS(1, 4, 2), DIMS(1, 4, 1), .i = {0, 1, 0, 0, 0, 1}),
            ALL("offset, weights", DIMS(1, 2, 2), DIMS(1, 4, 2), DIMS(1, 4, 1), .i = {0, 1, BOTH, 0, 0, 2}),
            ALL("grouped", DIMS(2, 4, 2, 1), DIMS(2, 2, 3, 1), DIMS(2, 2, 3, 1), .i = {0}),
            ALL("grouped, weights", DIMS(1, 4, 2, 1), DIMS(1, 2, 3, 1), DIMS(1, 2, 3, 2), .i = {0, 1, BOTH}),
            ALL("of nothing, window", DIMS(1, 0, 2), DIMS(1, 2, 2), DIMS(1, 2, 1), .i = {0, 0, 0, 0, 1}),
            WITH_MASK("of no heads, mask and bias", DIMS(1, 0, 2, 2), DIMS(1, 0, 2, 2), DIMS(1, 0, 2, 1), 2,
                      AND(MASKS(DIMS(2, 2)), FLOATS(DIMS(2, 2))), .i = {0, 0, 0, MASK | BIAS}),
            {0}},
    .values =
        (const op_value[]){
            {"the book's 2-D sample", book_2d, DIMS(1, 2, 2), 1e-15, (const double[]){45.5, 160.5, 45.5, 160.5}},
            {"logs", logs, DIMS(1, 2, 1), 1e-15, (const double[]){14, 14}},
            {"logs, scaled", logs_scaled, DIMS(1, 2, 1), 1e-15, (const double[]){216. / 14, 216. / 14}},
            {"lengths", logs_lens, DIMS(1, 2, 1), 1e-15, (const double[]){0, 10}},
            {"causal", logs_causal, DIMS(1, 2, 1), 1e-15, (const double[]){6, 10}},
            {"causal and a length", logs_causal_lens, DIMS(1, 2, 1), 0, (const double[]){6, 6}},
            {"weights of no features", weights_of_nothing, DIMS(1, 1, 4), 0, (const double[]){0.5, 0.5, 0, 0}},
            {"no features", no_features, DIMS(1, 1, 1), 1e-15, (const double[]){1}},
            {"no keys", no_keys, DIMS(1, 2, 2), 0, (const double[]){0, 0, 0, 0}},
            {"all dropped", dropped, DIMS(1, 2, 2), 0, (const double[]){0, 0, 0, 0}},
            {"heads", heads, DIMS(2, 2, 1, 1), 1e-15, (const double[]){0.5, 3.5, 6, 9}},
            {"masked", masked, DIMS(1, 3, 1), 1e-15, (const double[]){1.5, 0, 2}},
            {"biased", biased, DIMS(1, 3, 1), 1e-15, (const double[]){1.25, 1.25, 1.25}},
            {"hidden", hidden, DIMS(1, 3, 1), 0, (const double[]){0, 0, 0}},
            {"sliding", sliding, DIMS(1, 3, 1), 1e-15, (const double[]){0, 0.5, 1.5}},
            {"a window both ways", both_directions, DIMS(1, 3, 1), 1e-15, (const double[]){0.5, 1, 2}},
            {"of a cache", of_cache, DIMS(1, 3, 1), 1e-15, (const double[]){0.5, 1, 1.5}},
            {"past all keys", past_keys, DIMS(1, 3, 1), 0, (const double[]){0, 0, 0}},
            {"a window of all", wide_window, DIMS(1, 3, 1), 1e-15, (const double[]){0, 0.5, 1}},
            {"slanted", slanted, DIMS(1, 3, 1), 1e-15, (const double[]){0, 2. / 3, 10. / 7}},
            {"relative", relative, DIMS(1, 3, 1), 1e-15, (const double[]){18. / 11, 17. / 9, 2}},
            {"relative, of a cache", relative_of_cache, DIMS(1, 3, 1), 1e-15, (const double[]){2. / 3, 5. / 4, 9. / 5}},
            {"relative and slanted", relative_and_slanted, DIMS(1, 3, 1), 1e-15, (const double[]){0, 2. / 3, 10. / 7}},
            {"hidden far away", hidden_far, DIMS(1, 3, 1), 1e-15, (const double[]){0.5, 1, 2}},
            {"hidden once", hidden_once, DIMS(1, 3, 1), 1e-15, (const double[]){1.5, 2, 2.5}},
            {"buckets", buckets, DIMS(1, 3), 1e-15, (const double[]){-0.375, -0.125, 0.5}},
            {"weights before dropout", weights, DIMS(1, 2, 3), 1e-15, (const double[]){1, 0, 0, 1. / 3, 2. / 3, 0}},
            {0}},
    .errors =
        (const op_error[]){
            {"q NULL", q_null, HEED_ERR_ARGUMENT, "dot_product_attention:"},
            {"k NULL", k_null, HEED_ERR_ARGUMENT, "dot_product_attention:"},
            {"v NULL", v_null, HEED_ERR_ARGUMENT, "dot_product_attention:"},
            {"rank 2", rank_2, HEED_ERR_SHAPE,
             "dot_product_attention: q (3, 4), k (5, 4), v (5, 6): must be (B, Q, d)"},
            {"rank 5", rank_5, HEED_ERR_SHAPE, "dot_product_attention: q (1, 1, 1, 3, 4)"},
            {"ranks", ranks, HEED_ERR_SHAPE, "q (2, 3, 4), k (2, 1, 5, 4)"},
            {"batches", batches, HEED_ERR_SHAPE, "q (2, 3, 4), k (1, 5, 4)"},
            {"heads", head_counts, HEED_ERR_SHAPE, "v (2, 1, 5, 6)"},
            {"features", features, HEED_ERR_SHAPE, "k (2, 5, 3)"},
            {"keys", key_counts, HEED_ERR_SHAPE, "v (2, 4, 6)"},
            {"f64 and f32", mixed, HEED_ERR_DTYPE, "dot_product_attention: the tensors are "},
            {"i64", integers, HEED_ERR_DTYPE, "dot_product_attention: the tensors are "},
            {"scale NaN", scale_nan, HEED_ERR_ARGUMENT, "dot_product_attention: scale nan"},
            {"dropout 2", dropout_2, HEED_ERR_ARGUMENT, "dot_product_attention: dropout 2"},
            {"dropout NaN", dropout_nan, HEED_ERR_ARGUMENT, "dot_product_attention: dropout nan"},
            {"lengths f64", lens_float, HEED_ERR_DTYPE, "dot_product_attention: valid_lens is f64 (2): must be i64"},
            {"3 lengths for 2", lens_size, HEED_ERR_SHAPE, "valid_lens is (3): must be (2) or (2, 3)"},
            {"one length", lens_rank, HEED_ERR_SHAPE, "valid_lens is (): must be (2) or (2, 3)"},
            {"lengths of 5 queries", lens_queries, HEED_ERR_SHAPE, "valid_lens is (2, 5): must be (2) or (2, 3)"},
            {"length -1", lens_below, HEED_ERR_INDEX, "valid length -1 at (1) is outside 0 .. 5"},
            {"mask f64", mask_float, HEED_ERR_DTYPE, "dot_product_attention: mask is f64 (3, 5): must be bool"},
            {"mask of 3", mask_shape, HEED_ERR_SHAPE, "mask is (3, 3, 5): must broadcast to (2, 3, 5)"},
            {"mask of heads", mask_rank, HEED_ERR_SHAPE, "mask is (1, 2, 3, 5): must broadcast to (2, 3, 5)"},
            {"bias i64", bias_integer, HEED_ERR_DTYPE, "bias is i64 (1): must be f64"},
            {"bias of 2 heads", bias_shape, HEED_ERR_SHAPE, "bias is (2, 3, 5): must broadcast to (2, 4, 3, 5)"},
            {"slopes of 2 heads", slopes_count, HEED_ERR_SHAPE, "slopes are (2): must be (4), one per head"},
            {"slopes f32", slopes_f32, HEED_ERR_DTYPE, "slopes is f32 (1): must be f64"},
            {"slope NaN", slopes_nan, HEED_ERR_ARGUMENT, "slope nan of head 0: must be a finite number"},
            {"relative bias (1, 4)", relative_even, HEED_ERR_SHAPE,
             "relative_bias is (1, 4): must be (1, 2 R + 1), for distances -R .. R per head"},
            {"relative bias (3)", relative_vector, HEED_ERR_SHAPE, "relative_bias is (3): must be (1, 2 R + 1)"},
            {"relative bias (1, 0)", relative_none, HEED_ERR_SHAPE, "relative_bias is (1, 0)"},
            {"relative bias of 2 heads", relative_heads, HEED_ERR_SHAPE,
             "relative_bias is (2, 3): must be (4, 2 R + 1)"},
            {"relative bias f32", relative_f32, HEED_ERR_DTYPE, "relative_bias is f32 (1, 3): must be f64"},
            {"too many pairs", relative_many, HEED_ERR_SHAPE, "dot_product_attention:"},
            {"window -1", window_below, HEED_ERR_ARGUMENT, "dot_product_attention: window -1: must not be negative"},
            {"query_offset -2", offset_below, HEED_ERR_ARGUMENT, "query_offset -2: must be in 0 .. 2^53"},
            {"4 heads of 3", groups, HEED_ERR_SHAPE, "q (2, 4, 3, 4), k (2, 3, 5, 4)"},
            {"length 6", lens_above, HEED_ERR_INDEX, "valid length 6 at (0) is outside 0 .. 5"},
            {0}},
};
