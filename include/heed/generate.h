/* heed/generate.h - sequences from a model that says what follows: by drawing, or by beam search.
 *
 * The model is a function of yours that goes one step on. With a Transformer and its cache (heed/nn/transformer.h):
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
 *         heed_tensor *logits =
 *             heed_nn_transformer_decoder_cached(t->net->decoder, tokens, t->memory, t->lens, t->cache, NULL, NULL);
 *         return logits ? heed_select(logits, 1, -1) : NULL;
 *     }
 *     ...
 *     heed_tensor *words = heed_generate(step, &t, begin, 50, end, NULL);
 */
#ifndef HEED_GENERATE_H
#define HEED_GENERATE_H

#include <heed/random.h>

HEED_BEGIN_DECLS

/* How a token is chosen from logits; with all of them 0, the likeliest is taken. */
typedef struct heed_sample_options {
    double temperature; /* logits are divided by it; 1: as learned; 0: the likeliest is taken, nothing is drawn */
    int64_t top_k;      /* draws only from the k likeliest; 0: from all */
    double top_p;       /* of these, from the fewest likeliest whose probabilities add up to p or more; 0: from all */
    heed_generator *generator; /* what is drawn from; NULL: the default one */
    HEED_RESERVED;
} heed_sample_options;

/* A token for each row of logits (..., V), f32 or f64, as i64 (...): drawn with the probabilities softmax(logits /
 * temperature) of those that top_k and then top_p leave; among equals the first comes first. A token whose logit is
 * -infinity is never drawn.
 * NULL options: the likeliest. NULL on failure: HEED_ERR_ARGUMENT for NULL, a temperature that is negative or not
 * finite, a top_k below 0, a top_p outside [0, 1], logits with NaN or infinity, or of -infinity only; HEED_ERR_SHAPE
 * for a scalar or a V of 0, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
 * A. Holtzman et al.: The Curious Case of Neural Text Degeneration (ICLR 2020), of top_p. */
HEED_API heed_tensor *heed_sample(heed_tensor *logits, const heed_sample_options *options);

/* One step of a model of yours: `tokens` i64 (N, T) continue the N sequences; at the first call they are the prompts,
 * later T is 1. Returns the logits (N, V) of what comes next, NULL on failure. `rows`, unless NULL, is i64 (N), and
 * says that sequence i now continues what was sequence rows[i] at the last call, when N may have been another: before
 * anything else, put what you keep of the sequences into that order, by heed_kv_cache_select, or heed_index_select of a
 * state. heed_generate gives no rows, heed_beam_search does. */
typedef heed_tensor *(*heed_generation_step)(heed_tensor *tokens, heed_tensor *rows, void *user);

/* Up to max_steps tokens after a prompt i64 (B, T), one by one, each chosen by heed_sample: i64 (B, steps), without the
 * prompt. A sequence is complete with `end`, which is repeated behind it; with a negative end none is. steps is
 * max_steps, or fewer when all are complete. No graph is recorded. NULL on failure: HEED_ERR_ARGUMENT for NULL or
 * max_steps below 1, HEED_ERR_SHAPE and HEED_ERR_DTYPE for the prompt or what the step returns, what heed_sample or the
 * step fails with, HEED_ERR_STATE where the step returns NULL and does not say why, HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_generate(heed_generation_step step, void *user, heed_tensor *prompt, int64_t max_steps,
                                    int64_t end, const heed_sample_options *options);

/* How sequences are compared. */
typedef struct heed_beam_search_options {
    int64_t beams;         /* sequences kept of each prompt; 0: 4 */
    double length_penalty; /* alpha: above 0 longer sequences are worth more, below 0 less; 0: sums are compared */
    HEED_RESERVED;
} heed_beam_search_options;

/* The best sequences of up to max_steps tokens after each prompt i64 (B, T): those of the largest score
 * ln p(sequence) / L^alpha, where L is the length with `end`. At each step the `beams` best unfinished ones go on; a
 * sequence is complete with `end`, where it is among the 2 beams best by ln p that a prompt has at that step, or after
 * max_steps. The search ends when none of those that go on can be better than the `beams` complete ones. Returns i64
 * (B, beams, steps), the best first, with `end` repeated behind each; *scores, unless NULL, receives (B, beams), f64,
 * NULL on failure. Where there are fewer sequences than beams the last ones have a score of -infinity. A negative
 * `end`: all have max_steps. With enough beams for all sequences the best ones are found for certain. No graph is
 * recorded. NULL options: 4 beams, alpha 0. NULL on failure: as heed_generate, and
 * HEED_ERR_ARGUMENT for beams below 0, a length_penalty that is not finite or for which max_steps^|alpha|
 * is above 1e250, and logits with NaN.
 * Y. Wu et al.: Google's Neural Machine Translation System (2016); the book's 10.8. */
HEED_API heed_tensor *heed_beam_search(heed_generation_step step, void *user, heed_tensor *prompt, int64_t max_steps,
                                       int64_t end, const heed_beam_search_options *options, heed_tensor **scores);

HEED_END_DECLS

#endif
