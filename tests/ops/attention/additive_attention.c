/* tests/ops/attention/additive_attention.c - cases of heed_additive_attention.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "attention.h"

static heed_tensor *attend(heed_tensor *const *in, const heed_attention_options *options, heed_tensor **weights)
{
    return heed_additive_attention(in[0], in[1], in[2], in[3], in[4], in[5], options, weights);
}

RUN(run, run_attention(attend, in, c))

/* Queries have dq numbers, and so on; h hidden units; `...` is the shape of w_v. */
#define TENSORS(B, Q, K, dq, dk, e, h, ...)                                                                            \
    FLOATS(DIMS(B, Q, dq)), FLOATS(DIMS(B, K, dk)), FLOATS(DIMS(B, K, e)), FLOATS(DIMS(h, dq)), FLOATS(DIMS(h, dk)),   \
        FLOATS(__VA_ARGS__)
/* Without lengths; `...`: .i = {false, causal, output}, .p = {0, dropout}. */
#define ALL(name_, B, Q, K, dq, dk, e, h, w_v, ...)                                                                    \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 6, .in = {TENSORS(B, Q, K, dq, dk, e, h, w_v)}, __VA_ARGS__             \
    }
/* A case with lengths. .i = {true, causal, output}. */
#define SOME(name_, B, Q, K, dq, dk, e, h, lens, ...)                                                                  \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 7, .in = {TENSORS(B, Q, K, dq, dk, e, h, DIMS(h)), LENGTHS(K, lens)},   \
        __VA_ARGS__                                                                                                    \
    }

/* A case with a mask, a bias or a relative bias. .i = {false, causal, output, which of the three}. */
#define WITH_MASK(name_, B, Q, K, dq, dk, e, h, more, ...)                                                             \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 7, .in = {TENSORS(B, Q, K, dq, dk, e, h, DIMS(h)), more}, __VA_ARGS__   \
    }

/* -- Values -------------------------------------------------------------------------------------------------------- */

/* One number each: scores w_v tanh(q + k), with k = 0 and atanh(1/2), are 0 and ln 3. */
static heed_tensor *of_ln_3(const heed_attention_options *options, heed_tensor **weights)
{
    return heed_additive_attention(heed_zeros(HEED_F64, HEED_SHAPE(1, 2, 1)),
                                   HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 2, 1), 0, atanh(0.5)),
                                   HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 2, 1), 4, 8), ONES(1, 1), ONES(1, 1),
                                   HEED_TENSOR(HEED_F64, HEED_SHAPE(1), 2 * log(3)), options, weights);
}

GIVES(ln_3, of_ln_3(NULL, NULL))
GIVES(ln_3_causal, of_ln_3(OPTIONS(.causal = true), NULL))
GIVES(ln_3_lens, of_ln_3(OPTIONS(.valid_lens = LENS(HEED_SHAPE(1, 2), 0, 2)), NULL))

static heed_tensor *weights_of(const heed_attention_options *options)
{
    heed_tensor *weights = NULL;
    return of_ln_3(options, &weights) ? weights : NULL;
}

GIVES(weights, weights_of(OPTIONS(.causal = true, .dropout = 1)))

/* -- Errors -------------------------------------------------------------------------------------------------------- */

#define TRY(...) TRY_SHAPES(__VA_ARGS__)
#define TRY_SHAPES(q, k, v, W_q, W_k, w_v, ...)                                                                        \
    heed_additive_attention(ONES q, ONES k, ONES v, ONES W_q, ONES W_k, ONES w_v, OPTIONS(__VA_ARGS__), NULL)
#define TENSORS_OK (2, 3, 4), (2, 5, 6), (2, 5, 1)
#define MAPS_OK (7, 4), (7, 6), (7)

static heed_tensor *of_f32(int which)
{
    heed_tensor *in[] = {ONES(2, 3, 4), ONES(2, 5, 6), ONES(2, 5, 1), ONES(7, 4), ONES(7, 6), ONES(7)};
    in[which] = heed_to_dtype(in[which], HEED_F32);
    return attend(in, NULL, NULL);
}

static heed_tensor *of_null(int which)
{
    heed_tensor *in[] = {ONES(2, 3, 4), ONES(2, 5, 6), ONES(2, 5, 1), ONES(7, 4), ONES(7, 6), ONES(7)};
    in[which] = NULL;
    return attend(in, NULL, NULL);
}

GIVES(q_null, of_null(0))
GIVES(k_null, of_null(1))
GIVES(v_null, of_null(2))
GIVES(W_q_null, of_null(3))
GIVES(W_k_null, of_null(4))
GIVES(w_v_null, of_null(5))
GIVES(k_f32, of_f32(1))
GIVES(v_f32, of_f32(2))
GIVES(W_q_f32, of_f32(3))
GIVES(W_k_f32, of_f32(4))
GIVES(w_v_f32, of_f32(5))
GIVES(rank_4, TRY((1, 2, 3, 4), (1, 2, 5, 6), (1, 2, 5, 1), (7, 4), (7, 6), (7), .dropout = 0))
GIVES(batches, TRY((2, 3, 4), (3, 5, 6), (2, 5, 1), (7, 4), (7, 6), (7), .dropout = 0))
GIVES(key_counts, TRY((2, 3, 4), (2, 5, 6), (2, 4, 1), (7, 4), (7, 6), (7), .dropout = 0))
GIVES(W_q_rank, TRY(TENSORS_OK, (4), (7, 6), (7), .dropout = 0))
GIVES(W_q_size, TRY(TENSORS_OK, (7, 6), (7, 6), (7), .dropout = 0))
GIVES(W_k_rank, TRY(TENSORS_OK, (7, 4), (6), (7), .dropout = 0))
GIVES(W_k_size, TRY(TENSORS_OK, (7, 4), (7, 4), (7), .dropout = 0))
GIVES(hiddens, TRY(TENSORS_OK, (7, 4), (8, 6), (7), .dropout = 0))
GIVES(w_v_size, TRY(TENSORS_OK, (7, 4), (7, 6), (6), .dropout = 0))
GIVES(w_v_column, TRY(TENSORS_OK, (7, 4), (7, 6), (7, 1), .dropout = 0))
GIVES(scale, TRY(TENSORS_OK, MAPS_OK, .scale = 1))
GIVES(slopes, TRY(TENSORS_OK, MAPS_OK, .slopes = ONES(2)))
GIVES(scale_nan, TRY(TENSORS_OK, MAPS_OK, .scale = NAN))
GIVES(dropout, TRY(TENSORS_OK, MAPS_OK, .dropout = -0.5))
GIVES(lens_above, TRY(TENSORS_OK, MAPS_OK, .valid_lens = LENS(HEED_SHAPE(2), 1, 6)))
GIVES(lens_size, TRY(TENSORS_OK, MAPS_OK, .valid_lens = LENS(HEED_SHAPE(1), 1)))

const op_cases heed_cases_additive_attention = {
    .cases =
        (const op_case[]){
            ALL("one of each", 1, 1, 1, 1, 1, 1, 1, DIMS(1), .i = {0}),
            ALL("all keys", 1, 2, 3, 2, 1, 2, 2, DIMS(2), .i = {0}),
            ALL("w_v a row", 2, 1, 2, 2, 2, 1, 2, DIMS(1, 2), .i = {0}),
            ALL("causal, square", 1, 2, 2, 1, 2, 1, 2, DIMS(2), .i = {false, true}),
            ALL("causal, more queries", 1, 3, 2, 1, 1, 1, 2, DIMS(2), .i = {false, true}),
            ALL("causal, more keys", 1, 2, 3, 1, 1, 1, 2, DIMS(2), .i = {false, true}),
            SOME("a length each", 3, 2, 3, 1, 2, 1, 2, DIMS(3), .i = {true}),
            SOME("a length each row", 2, 2, 3, 1, 1, 1, 2, DIMS(2, 2), .i = {true}),
            SOME("lengths and causal", 2, 2, 2, 1, 1, 1, 2, DIMS(2), .i = {true, true}),
            {.name = "weights",
             .run = run,
             .n_inputs = 6,
             .in = {FLOATS(DIMS(1, 2, 1)), FLOATS(DIMS(1, 2, 1)), CONSTANTS(DIMS(1, 2, 1)), FLOATS(DIMS(2, 1)),
                    FLOATS(DIMS(2, 1)), FLOATS(DIMS(2))},
             .i = {false, true, WEIGHTS}},
            SOME("result and weights", 1, 2, 3, 1, 1, 2, 2, DIMS(1, 2), .i = {true, false, BOTH}),
            SOME("dropout", 2, 2, 2, 1, 1, 1, 2, DIMS(2), .i = {true}, .p = {0, 0.4}),
            ALL("primes", 1, 5, 3, 2, 3, 2, 7, DIMS(7), .max_order = 1),
            SOME("many keys", 1, 2, 19, 1, 1, 1, 3, DIMS(1), .i = {true}, .max_order = 1),
            ALL("no batch", 0, 2, 3, 2, 2, 1, 2, DIMS(2), .i = {0}),
            SOME("no queries", 2, 0, 3, 2, 2, 1, 2, DIMS(2, 0), .i = {true, true}),
            SOME("no queries, lengths", 2, 0, 3, 2, 2, 1, 2, DIMS(2), .i = {true}),
            SOME("no keys", 2, 2, 0, 2, 2, 1, 2, DIMS(2), .i = {true}),
            ALL("no hidden units", 1, 2, 3, 2, 2, 1, 0, DIMS(0), .i = {0}),
            ALL("no features", 1, 2, 3, 0, 0, 1, 2, DIMS(2), .i = {0}),
            WITH_MASK("mask", 2, 3, 3, 2, 1, 1, 2, MASKS(DIMS(2, 3, 3)), .i = {0, 0, 0, MASK}),
            WITH_MASK("mask, causal", 1, 3, 3, 2, 1, 1, 2, MASKS(DIMS(3)), .i = {0, 1, BOTH, MASK}),
            WITH_MASK("bias", 2, 2, 3, 1, 1, 1, 2, FLOATS(DIMS(2, 3)), .i = {0, 0, BOTH, BIAS}),
            WITH_MASK("relative bias", 2, 3, 2, 2, 1, 1, 2, FLOATS(DIMS(1, 3)), .i = {0, 0, BOTH, RELATIVE}),
            WITH_MASK("slopes, causal", 1, 3, 3, 2, 1, 1, 2, FLOATS(DIMS(1)), .i = {0, 1, 0, SLOPES}),
            ALL("window", 1, 3, 4, 1, 2, 1, 2, DIMS(2), .i = {0, 1, 0, 0, 2, 1}),
            {0}},
    .values = (const op_value[]){{"0 and ln 3", ln_3, DIMS(1, 2, 1), 1e-15, (const double[]){7, 7}},
                                 {"causal", ln_3_causal, DIMS(1, 2, 1), 1e-15, (const double[]){4, 7}},
                                 {"lengths", ln_3_lens, DIMS(1, 2, 1), 1e-15, (const double[]){0, 7}},
                                 {"weights before dropout", weights, DIMS(1, 2, 2), 1e-15,
                                  (const double[]){1, 0, 0.25, 0.75}},
                                 {0}},
    .errors =
        (const op_error[]){
            {"q NULL", q_null, HEED_ERR_ARGUMENT, "additive_attention:"},
            {"k NULL", k_null, HEED_ERR_ARGUMENT, "additive_attention:"},
            {"v NULL", v_null, HEED_ERR_ARGUMENT, "additive_attention:"},
            {"W_q NULL", W_q_null, HEED_ERR_ARGUMENT, "additive_attention:"},
            {"W_k NULL", W_k_null, HEED_ERR_ARGUMENT, "additive_attention:"},
            {"w_v NULL", w_v_null, HEED_ERR_ARGUMENT, "additive_attention:"},
            {"k f32", k_f32, HEED_ERR_DTYPE, "additive_attention: the tensors are "},
            {"v f32", v_f32, HEED_ERR_DTYPE, "additive_attention: the tensors are "},
            {"W_q f32", W_q_f32, HEED_ERR_DTYPE, "additive_attention: the tensors are "},
            {"W_k f32", W_k_f32, HEED_ERR_DTYPE, "additive_attention: the tensors are "},
            {"w_v f32", w_v_f32, HEED_ERR_DTYPE, "additive_attention: the tensors are "},
            {"heads", rank_4, HEED_ERR_SHAPE, "additive_attention: q (1, 2, 3, 4)"},
            {"batches", batches, HEED_ERR_SHAPE, "k (3, 5, 6), v (2, 5, 1): must be (B, Q, dq)"},
            {"keys", key_counts, HEED_ERR_SHAPE, "v (2, 4, 1)"},
            {"W_q of rank 1", W_q_rank, HEED_ERR_SHAPE, "W_q (4), W_k (7, 6), w_v (7): must be W_q (h, dq)"},
            {"W_q", W_q_size, HEED_ERR_SHAPE, "W_q (7, 6)"},
            {"W_k of rank 1", W_k_rank, HEED_ERR_SHAPE, "W_k (6)"},
            {"W_k", W_k_size, HEED_ERR_SHAPE, "W_k (7, 4)"},
            {"hidden units", hiddens, HEED_ERR_SHAPE, "W_q (7, 4), W_k (8, 6)"},
            {"w_v", w_v_size, HEED_ERR_SHAPE, "w_v (6)"},
            {"w_v a column", w_v_column, HEED_ERR_SHAPE, "w_v (7, 1)"},
            {"scale", scale, HEED_ERR_ARGUMENT,
             "additive_attention: scale 1: must be 0, as additive attention does not scale its scores"},
            {"slopes of 2 heads", slopes, HEED_ERR_SHAPE, "additive_attention: slopes are (2): must be (1)"},
            {"scale NaN", scale_nan, HEED_ERR_ARGUMENT, "additive_attention: scale nan"},
            {"dropout", dropout, HEED_ERR_ARGUMENT, "additive_attention: dropout -0.5"},
            {"length 6", lens_above, HEED_ERR_INDEX, "additive_attention: valid length 6 at (1) is outside 0 .. 5"},
            {"one length for 2", lens_size, HEED_ERR_SHAPE, "valid_lens is (1): must be (2) or (2, 3)"},
            {0}},
};
