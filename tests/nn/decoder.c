/* tests/nn/decoder.c - the cases of heed_nn_decoder.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "GPT-2, tied",
        .args = {ARG(vocab_size, 3), ARG(hidden_size, 2), ARG(num_heads, 1), ARG(ffn_size, 4), ARG(num_layers, 2),
                 ARG(max_len, 3), ARG(tied, true), ARG(eps, 1)},
        .in = {WHOLE(tokens, 3, 2, 3)},
    },
    {
        .name = "Llama, weights",
        .args = {ARG(vocab_size, 3), ARG(hidden_size, 4), ARG(num_heads, 2), ARG(ffn_size, 3), ARG(num_layers, 1),
                 ARG(kv_heads, 1), ARG(rope, true), ARG(rope_base, 100), ARG(rms_norm, true), ARG(gated, true),
                 ARG(no_bias, true), ARG(eps, 1)},
        .in = {WHOLE(tokens, 3, 2, 3)},
        .requested = "weights",
    },
    {
        .name = "window, biases of queries, keys and values, dropout, another activation",
        .args = {ARG(vocab_size, 3), ARG(hidden_size, 4), ARG(num_heads, 2), ARG(ffn_size, 3), ARG(num_layers, 1),
                 ARG(window, 2), ARG(rope, true), ARG(no_bias, true), ARG(qkv_bias, true), ARG(dropout, 0.25),
                 ARG(eps, 1), ARG_FUNCTION(activation, heed_gelu)},
        .in = {WHOLE(tokens, 3, 1, 3)},
    },
    {
        .name = "heads of their own size, norms of queries and keys, stretched positions",
        .args = {ARG(vocab_size, 3), ARG(hidden_size, 3), ARG(num_heads, 2), ARG(ffn_size, 3), ARG(num_layers, 1),
                 ARG(head_dim, 4), ARG(qk_norm, true), ARG(rope, true), ARG(rope_scaling, HEED_ROPE_LLAMA3),
                 ARG(rope_factor, 8), ARG(rope_original_len, 40), ARG(rope_low_freq_factor, 2),
                 ARG(rope_high_freq_factor, 8), ARG(rms_norm, true), ARG(no_bias, true), ARG(eps, 1)},
        .in = {WHOLE(tokens, 3, 1, 3)},
    },
    {
        .name = "ALiBi, keys and values of fewer heads",
        .args = {ARG(vocab_size, 3), ARG(hidden_size, 4), ARG(num_heads, 2), ARG(ffn_size, 3), ARG(num_layers, 2),
                 ARG(alibi, true), ARG(kv_heads, 1), ARG(tied, true), ARG(eps, 1)},
        .in = {WHOLE(tokens, 3, 2, 3)},
        .requested = "weights",
    },
    {
        .name = "ALiBi and RoPE",
        .args = {ARG(vocab_size, 3), ARG(hidden_size, 4), ARG(num_heads, 2), ARG(ffn_size, 3), ARG(num_layers, 1),
                 ARG(alibi, true), ARG(rope, true), ARG(no_bias, true), ARG(eps, 1)},
        .in = {WHOLE(tokens, 3, 1, 3)},
    },
    {
        .name = "YaRN",
        .args = {ARG(vocab_size, 3), ARG(hidden_size, 4), ARG(num_heads, 1), ARG(ffn_size, 3), ARG(num_layers, 1),
                 ARG(rope, true), ARG(rope_interleaved, true), ARG(rope_scaling, HEED_ROPE_YARN), ARG(rope_factor, 4),
                 ARG(rope_original_len, 200), ARG(rope_attention_factor, 1.25), ARG(rope_no_truncate, true),
                 ARG(no_bias, true), ARG(eps, 1)},
        .in = {WHOLE(tokens, 3, 1, 3)},
    },
    {
        .name = "(4, 12) of 32",
        .args = {ARG(vocab_size, 20), ARG(hidden_size, 32), ARG(num_heads, 4), ARG(ffn_size, 64), ARG(num_layers, 2),
                 ARG(kv_heads, 2), ARG(rope, true), ARG(rms_norm, true), ARG(gated, true)},
        .in = {WHOLE(tokens, 20, 4, 12)},
    },
    {0},
};

#define SMALL ARG(vocab_size, 3), ARG(hidden_size, 4), ARG(num_heads, 2), ARG(ffn_size, 3), ARG(num_layers, 1)
#define FAILS_WITH(name_, status_, text_, ...)                                                                         \
    {                                                                                                                  \
        .name = name_, .args = {__VA_ARGS__}, .in = {WHOLE(tokens, 3, 2, 3)}, .status = status_, .text = text_         \
    }

static const layer_case errors[] = {
    FAILS_WITH("no vocabulary", HEED_ERR_ARGUMENT, "nn_decoder_new: vocab_size is 0", ARG(hidden_size, 4),
               ARG(num_heads, 2), ARG(ffn_size, 3), ARG(num_layers, 1)),
    FAILS_WITH("too many layers", HEED_ERR_ARGUMENT, "nn_decoder_new: 4097 layers: must be at most 4096",
               ARG(vocab_size, 3), ARG(hidden_size, 4), ARG(num_heads, 2), ARG(ffn_size, 3), ARG(num_layers, 4097)),
    FAILS_WITH("dropout", HEED_ERR_ARGUMENT, "nn_decoder_new: dropout is 2", SMALL, ARG(dropout, 2)),
    FAILS_WITH("keys and values of too many heads", HEED_ERR_ARGUMENT,
               "nn_decoder_new: nn_multi_head_attention_new: kv_heads is 3: must divide num_heads, 2", SMALL,
               ARG(kv_heads, 3)),
    FAILS_WITH("a window below 0", HEED_ERR_ARGUMENT, "window is -1: must be 0 or more", SMALL, ARG(window, -1)),
    FAILS_WITH("eps", HEED_ERR_ARGUMENT, "eps is -1", SMALL, ARG(eps, -1)),
    FAILS_WITH("no positions", HEED_ERR_ARGUMENT, "count is -1", SMALL, ARG(max_len, -1)),
    FAILS_WITH("i64", HEED_ERR_DTYPE, "dtype is i64", SMALL, ARG(dtype, HEED_I64)),
    FAILS_WITH("more steps than positions", HEED_ERR_SHAPE,
               "nn_decoder_forward: tokens is (2, 3), after 0 cached steps: must be at most 2", SMALL, ARG(max_len, 2)),
    {
        .name = "no tokens",
        .args = {SMALL},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_decoder_forward: tokens is NULL",
    },
    {
        .name = "tokens that are no numbers of tokens",
        .args = {SMALL},
        .in = {INPUT(tokens, 2, 3)},
        .status = HEED_ERR_DTYPE,
        .text = "nn_decoder_forward: tokens is",
    },
    {0},
};

const layer_cases heed_cases_nn_decoder = {cases, errors};
