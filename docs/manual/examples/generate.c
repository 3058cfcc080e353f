/* generate.c - examples of heed/generate.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>

static void example_sample(void)
{
    /* [heed_sample] */
    heed_tensor *logits = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), 0.1, 2.0, 1.9, 5.0, -1.0, 0.0);
    heed_print(heed_sample(logits, NULL), stdout); /* -> tensor([1, 0], shape=(2), dtype=i64) */
    heed_tensor *drawn = heed_sample(logits, &(heed_sample_options){.temperature = 0.8, .top_k = 2, .top_p = 0.95});
    printf("%s\n", heed_get_i64(drawn, HEED_INDEX(0)) > 0 ? "1 or 2" : "0"); /* -> 1 or 2 */
    heed_tensor *history = HEED_TENSOR(HEED_I64, HEED_SHAPE(2, 1), 1, 2);    /* the tokens of both rows so far */
    heed_sample_options fresh = {.temperature = 0.8, .min_p = 0.9, .repetition_penalty = 1.5, .history = history};
    heed_print(heed_sample(logits, &fresh), stdout); /* -> tensor([2, 0], shape=(2), dtype=i64) */
    /* [] */
}

/* A bigram model: `user` has the logits of the next token, (V, V). */
static heed_tensor *step(heed_tensor *tokens, heed_tensor *rows, void *user)
{
    (void)rows; /* it keeps no state per sequence that it would have to reorder */
    return heed_index_select(user, 0, heed_select(tokens, 1, -1));
}

static void example_generate(heed_tensor *follows)
{
    /* [heed_generate] */
    heed_tensor *prompt = HEED_TENSOR(HEED_I64, HEED_SHAPE(2, 1), 0, 1);
    heed_tensor *tokens = heed_generate(step, follows, prompt, 5, 3, NULL); /* 3 ends a sequence */
    heed_print(tokens, stdout);
    /* -> tensor([[1, 2, 3],
     *            [2, 3, 3]], shape=(2, 3), dtype=i64) */
    /* [] */
}

static void example_beam_search(heed_tensor *follows)
{
    /* [heed_beam_search] */
    heed_tensor *scores, *prompt = HEED_TENSOR(HEED_I64, HEED_SHAPE(1, 1), 0);
    heed_tensor *best = heed_beam_search(step, follows, prompt, 5, 3, &(heed_beam_search_options){.beams = 2}, &scores);
    heed_print(best, stdout); /* greedy decoding would choose 1 first */
    /* -> tensor([[[2, 3, 3],
     *             [1, 2, 3]]], shape=(1, 2, 3), dtype=i64) */
    heed_print(heed_exp(scores), stdout); /* -> tensor([[0.3600, 0.3240]], shape=(1, 2), dtype=f64) */
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_manual_seed(0);
    /* the probabilities of tokens 0 .. 3 after token 0, after 1, after 2 and after 3 */
    heed_tensor *follows = heed_log(HEED_TENSOR(HEED_F64, HEED_SHAPE(4, 4), 0.0, 0.6, 0.4, 0.0, 0.2, 0.1, 0.6, 0.1, 0.0,
                                                0.1, 0.0, 0.9, 0.0, 0.0, 0.0, 1.0));
    example_sample();
    example_generate(follows);
    example_beam_search(follows);
    return 0;
}
