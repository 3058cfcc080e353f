/* heed/generate.h - generates sequences from a model of the next token, by sampling or by beam search.
 *
 * The model is a callback that computes one step. With a Transformer and its cache (heed/nn/transformer.h):
 *
 *     typedef struct translation {
 *         heed_nn_transformer *net;
 *         heed_tensor *memory, *lens;
 *         heed_kv_cache *cache;
 *     } translation;
 *
 *     static heed_tensor *step(heed_tensor *tokens, heed_tensor *rows, void *user)
 *     {
 *         translation *t = user;
 *         if (rows && heed_kv_cache_select(t->cache, rows) != HEED_OK)
 *             return NULL;
 *         heed_nn_attention_call call = {.memory_lens = t->lens, .cache = t->cache};
 *         heed_tensor *logits = heed_nn_transformer_decoder_forward_with(t->net->decoder, tokens, t->memory, &call);
 *         return logits ? heed_select(logits, 1, -1) : NULL;
 *     }
 *     ...
 *     heed_tensor *words = heed_generate(step, &t, begin, 50, end, NULL);
 *
 * Stability: experimental
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_GENERATE_H
#define HEED_GENERATE_H

#include <heed/random.h>

HEED_BEGIN_DECLS

/* Options for choosing a token from logits; if all are 0, the most probable token is chosen. */
typedef struct heed_sample_options {
    double temperature; /* logits are divided by it; 1: as learned; 0: chooses the most probable token */
    int64_t top_k;      /* draws only from the k most probable tokens; 0: from all */
    double top_p;       /* draws only from the fewest most probable of these tokens whose probabilities sum to at least
                           top_p; 0: from all */
    heed_generator *generator; /* the generator to draw from; NULL: the one in use */
    double min_p;              /* draws only from tokens at least min_p times as probable as the most probable one; 0:
                                  from all */
    double repetition_penalty; /* above 1: tokens of `history` become less probable; 0: 1 */
    heed_tensor *history;      /* i64 (..., H), the tokens of every row to penalise; negative ones are skipped. In
                                  heed_generate they precede the prompt, and NULL means none */
    HEED_RESERVED;
} heed_sample_options;

/* A callback that runs the model for one step: `tokens` i64 (N, T) continue the N sequences. In the first call they are
 * the prompts; later T is 1. Returns the logits (N, V) of the next tokens, NULL on failure. Unless NULL, `rows` is i64
 * (N) and means that sequence i now continues sequence rows[i] of the last call, which may have had a different N:
 * first reorder your model's state of the sequences accordingly, with heed_kv_cache_select, or heed_index_select for a
 * recurrent state. heed_generate passes NULL rows; heed_beam_search uses them. */
typedef heed_tensor *(*heed_generation_step)(heed_tensor *tokens, heed_tensor *rows, void *user);

/* Generates up to max_steps tokens after prompts i64 (B, T), one by one, with heed_sample: returns i64 (B, steps),
 * without the prompts.
 * A sequence is complete after the token `end`, which then fills the rest of its row. With a negative `end` no sequence
 * completes early. `steps` is max_steps, or less if all sequences are complete before. The graph is not recorded. A
 * repetition_penalty applies to the tokens of options.history, i64 (B, H), of the prompts, and to all generated tokens.
 *
 * Errors: NULL with HEED_ERR_ARGUMENT for NULL or max_steps below 1, HEED_ERR_SHAPE and HEED_ERR_DTYPE for the prompt,
 * the history or the step's result, errors of heed_sample or the step, HEED_ERR_STATE if the step returns NULL without
 * an error, HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_generate(heed_generation_step step, void *user, heed_tensor *prompt, int64_t max_steps,
                                    int64_t end, const heed_sample_options *options);

/* Chooses a token for every row of logits (..., V), f32 or f64, and returns them as i64 (...).
 * The options are applied in this order:
 *
 *     repetition_penalty    logits z of the history's tokens become z / penalty if z > 0, else z penalty
 *     temperature           p = softmax(z / temperature); a temperature of 0 chooses the largest z and ends here
 *     top_k                 only the k most probable tokens remain, with p divided by their sum
 *     top_p                 of these, only the fewest most probable ones whose p sum to at least top_p remain
 *     min_p                 of these, only the ones with p >= min_p times the largest p remain
 *
 * A repeated token is penalised once. A token is drawn from the remaining ones with
 * probabilities proportional to p. Among equal logits, the token with the lower number comes first. A token whose logit
 * is -infinity is never drawn. NULL options: the most probable token.
 *
 * Errors: NULL with HEED_ERR_ARGUMENT for NULL, a negative or non-finite temperature or repetition_penalty, a
 * repetition_penalty without history, a top_k below 0, a top_p or min_p outside [0, 1], logits with NaN or infinity, or
 * only -infinity; HEED_ERR_SHAPE for a scalar or a V of 0, and for the history; HEED_ERR_INDEX for a token
 * of V or more in the history; HEED_ERR_DTYPE, HEED_ERR_NOMEM.
 * Reference: A. Holtzman et al.: The Curious Case of Neural Text Degeneration (ICLR 2020), for top_p. M. Nguyen et al.:
 * Turning Up the Heat: Min-p Sampling (ICLR 2025). N. Keskar et al.: CTRL (2019), for repetition_penalty. */
HEED_API heed_tensor *heed_sample(heed_tensor *logits, const heed_sample_options *options);

/* -- Beam search --------------------------------------------------------------------------------------------------- */

/* Options of heed_beam_search. */
typedef struct heed_beam_search_options {
    int64_t beams;         /* sequences kept per prompt; 0: 4 */
    double length_penalty; /* alpha; above 0 favours longer sequences, below 0 shorter ones; 0: ln p is not divided */
    double repetition_penalty; /* above 1: ln p of tokens that the sequence, its prompt or `history` has is multiplied
                                  by it; 0: 1 */
    heed_tensor *history;      /* i64 (B, H), tokens that precede the prompts; negative ones are skipped; NULL: none */
    HEED_RESERVED;
} heed_beam_search_options;

/* Searches for the best sequences of up to max_steps tokens after prompts i64 (B, T), with the largest score ln
 * p(sequence) / L^alpha.
 * L is the length including `end`. At every step the `beams` best unfinished sequences are extended. A sequence is
 * complete after max_steps tokens. It is also complete after `end`, if at that step it is among the 2 * beams best
 * sequences of its prompt by ln p. The search ends when no unfinished sequence can become better than the `beams`
 * complete ones. With a negative `end` all sequences have max_steps tokens. If beams is at least the number of all
 * sequences, the result is exact. The graph is not recorded. NULL options: 4 beams, alpha 0. With a repetition_penalty,
 * ln p of a token is replaced by its product with the penalty if the sequence already has the token, also in scores.
 *
 * Returns i64 (B, beams, steps), the best first, with `end` repeated after every sequence. Unless `scores` is NULL,
 * *scores receives (B, beams), f64, or NULL on failure. If there are fewer sequences than beams, the last ones have the
 * score -infinity.
 * Errors: NULL as heed_generate, and with HEED_ERR_ARGUMENT for beams below 0, a length_penalty that is not finite or
 * for which max_steps^|alpha| is above 1e250, a negative or non-finite repetition_penalty, and logits with NaN;
 * HEED_ERR_INDEX for a token of V or more in the history or the prompts.
 * Reference: Y. Wu et al.: Google's Neural Machine Translation System (2016); the book's 10.8. */
HEED_API heed_tensor *heed_beam_search(heed_generation_step step, void *user, heed_tensor *prompt, int64_t max_steps,
                                       int64_t end, const heed_beam_search_options *options, heed_tensor **scores);

HEED_END_DECLS

#endif
