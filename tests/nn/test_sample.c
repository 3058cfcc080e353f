/* tests/nn/test_sample.c - tests heed_sample with distributions that can be computed by hand, and with distributions of
 * sample_reference.py; penalties for repetitions also in heed_generate and heed_beam_search.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "reference/sample_reference.h"

static heed_tensor *logs(heed_dtype dtype, heed_shape shape, const double *p)
{
    return heed_log(heed_from_values(dtype, shape, p, heed_shape_numel(shape)));
}

enum { DRAWS = 20000 };

/* Measures the share of every one of 4 tokens among the draws. */
static void shares(const double p[4], heed_sample_options o, double share[4])
{
    heed_tensor *rows = heed_expand(logs(HEED_F32, HEED_SHAPE(1, 4), p), HEED_SHAPE(DRAWS, 4));
    o.generator = heed_generator_new(7);
    heed_tensor *tokens = heed_sample(rows, &o);
    ck_assert_msg(tokens && heed_shape_equal(heed_shape_of(tokens), HEED_SHAPE(DRAWS)), "%s", heed_error_message());
    memset(share, 0, 4 * sizeof *share);
    for (int i = 0; i < DRAWS; i++)
        share[heed_data_i64(tokens)[i]] += 1.0;
    for (int i = 0; i < 4; i++)
        share[i] /= DRAWS;
    heed_generator_free(o.generator);
}

START_TEST(draws_follow_the_probabilities)
{
    static const double p[4] = {0.125, 0.5, 0.125, 0.25};
    static const struct {
        heed_sample_options o;
        double expected[4];
    } cases[] = {
        {{.temperature = 1}, {0.125, 0.5, 0.125, 0.25}},
        {{.temperature = 0.5}, {1 / 22.0, 16 / 22.0, 1 / 22.0, 4 / 22.0}}, /* probabilities squared */
        {{.temperature = 1, .top_k = 2}, {0, 2 / 3.0, 0, 1 / 3.0}},
        {{.temperature = 1, .top_k = 3}, {1 / 7.0, 4 / 7.0, 0, 2 / 7.0}}, /* the first one of two equal tokens */
        {{.temperature = 1, .top_k = 99}, {0.125, 0.5, 0.125, 0.25}},
        {{.temperature = 1, .top_p = 0.5}, {0, 1, 0, 0}},
        {{.temperature = 1, .top_p = 0.625}, {0, 2 / 3.0, 0, 1 / 3.0}},
        {{.temperature = 1, .top_p = 1}, {0.125, 0.5, 0.125, 0.25}},
        {{.temperature = 1, .top_k = 2, .top_p = 0.7}, {0, 2 / 3.0, 0, 1 / 3.0}}, /* 0.7 of the remaining 3 / 4 */
        {{.temperature = 1, .top_k = 2, .top_p = 0.66}, {0, 1, 0, 0}},
        {{.temperature = 1e-320}, {0, 1, 0, 0}},
        {{.top_k = 3}, {0, 1, 0, 0}}, /* temperature 0 */
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double share[4];
        shares(p, cases[c].o, share);
        for (int i = 0; i < 4; i++) {
            const double expected = cases[c].expected[i], sigma = sqrt(expected * (1 - expected) / DRAWS);
            ck_assert_msg(fabs(share[i] - expected) <= 4 * sigma, "case %zu: %d is drawn %g, expected %g", c, i,
                          share[i], expected);
        }
    }
}
END_TEST

START_TEST(sample_shapes)
{
    heed_tensor *logits = HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 3), 1, 3, 2, 5, 4, -INFINITY);
    heed_tensor *tokens = heed_sample(logits, NULL);
    ck_assert(heed_get_i64(tokens, HEED_INDEX(0)) == 1 && heed_get_i64(tokens, HEED_INDEX(1)) == 0);
    tokens =
        heed_sample(heed_reshape(logits, HEED_SHAPE(2, 1, 3)), &(heed_sample_options){.temperature = 1, .top_k = 1});
    ck_assert(heed_shape_equal(heed_shape_of(tokens), HEED_SHAPE(2, 1)));
    ck_assert(heed_get_i64(tokens, HEED_INDEX(0, 0)) == 1 && heed_get_i64(tokens, HEED_INDEX(1, 0)) == 0);
    ck_assert_int_eq(heed_rank(heed_sample(heed_select(logits, 0, 0), &(heed_sample_options){.temperature = 1})), 0);
    heed_sample_options both[] = {{.temperature = 0}, {.temperature = 1, .top_p = 0.5}};
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(heed_numel(heed_sample(heed_zeros(HEED_F32, HEED_SHAPE(0, 3)), &both[i])), 0);
}
END_TEST

START_TEST(sample_errors)
{
    heed_tensor *logits = HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 1, 3, (double)NAN, 5);
    const heed_sample_options bad[] = {{.temperature = -1}, {.top_k = -1}, {.top_p = 1.5}, {.temperature = 1}};
    static const char *const texts[] = {"sample: temperature is -1", "sample: top_k is -1", "sample: top_p is 1.5",
                                        "sample: a row's largest logit is nan"};
    for (int i = 0; i < 4; i++) {
        ck_assert_ptr_null(heed_sample(logits, &bad[i]));
        ck_assert_error(HEED_ERR_ARGUMENT, texts[i]);
    }
    ck_assert_ptr_null(heed_sample(heed_full(HEED_F32, HEED_SHAPE(1, 2), -INFINITY), NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "sample: a row's largest logit is -inf");
    ck_assert_ptr_null(heed_sample(heed_zeros(HEED_F32, HEED_SHAPE(2, 0)), NULL));
    ck_assert_error(HEED_ERR_SHAPE, "sample: logits are (2, 0)");
    ck_assert_ptr_null(heed_sample(heed_zeros(HEED_I64, HEED_SHAPE(2)), NULL));
    ck_assert_error(HEED_ERR_DTYPE, "sample: logits are i64");
}
END_TEST

/* -- Repetitions, and a minimum of the probability ---------------------------------------------------------------- */

static heed_tensor *from_int64(heed_shape shape, const int64_t *numbers)
{
    heed_tensor *t = heed_empty(HEED_I64, shape);
    memcpy(heed_mutable_i64(t), numbers, (size_t)heed_numel(t) * sizeof *numbers);
    return t;
}

/* Draws both rows of sample_logits DRAWS times and compares the shares of all tokens with `p`. */
static void check_shares(const struct sample_case *c, heed_dtype dtype)
{
    enum { V = SAMPLE_VOCABULARY };
    heed_tensor *logits = heed_from_values(dtype, HEED_SHAPE(1, 2, V), sample_logits, 2 * V);
    heed_tensor *history = from_int64(HEED_SHAPE(1, 2, 5), sample_history);
    heed_sample_options o = {.temperature = c->temperature,
                             .top_k = c->top_k,
                             .top_p = c->top_p,
                             .min_p = c->min_p,
                             .repetition_penalty = c->penalty,
                             .history = heed_expand(history, HEED_SHAPE(DRAWS, 2, 5)),
                             .generator = heed_generator_new(3)};
    heed_tensor *tokens = heed_sample(heed_expand(logits, HEED_SHAPE(DRAWS, 2, V)), &o);
    ck_assert_msg(tokens && heed_shape_equal(heed_shape_of(tokens), HEED_SHAPE(DRAWS, 2)), "%s", heed_error_message());
    double share[2][V] = {{0}};
    for (int i = 0; i < 2 * DRAWS; i++)
        share[i % 2][heed_data_i64(tokens)[i]] += 1.0 / DRAWS;
    for (int i = 0; i < 2 * V; i++) {
        const double p = c->p[i / V][i % V], sigma = sqrt(p * (1 - p) / DRAWS);
        ck_assert_msg(fabs(share[i / V][i % V] - p) <= 4.5 * sigma + 1e-9,
                      "penalty %g, min_p %g: %d of row %d: %g, not %g", c->penalty, c->min_p, i % V, i / V,
                      share[i / V][i % V], p);
    }
    heed_generator_free(o.generator);
}

START_TEST(draws_follow_the_reference)
{
    for (size_t i = 0; i < sizeof sample_cases / sizeof *sample_cases; i++)
        check_shares(&sample_cases[i], i % 2 ? HEED_F64 : HEED_F32);
}
END_TEST

/* The logits depend only on the last token. */
static heed_tensor *bigram(heed_tensor *tokens, heed_tensor *rows, void *user)
{
    enum { V = MODEL_VOCABULARY };
    (void)rows;
    (void)user;
    heed_tensor *table = heed_from_values(HEED_F64, HEED_SHAPE(V, V), model_logits, V * V);
    return heed_embedding(heed_select(tokens, 1, -1), table);
}

static void check_tokens(heed_tensor *tokens, const int64_t *expected)
{
    ck_assert_msg(tokens != NULL, "%s", heed_error_message());
    for (int64_t i = 0; i < heed_numel(tokens); i++)
        ck_assert_int_eq(heed_data_i64(tokens)[i], expected[i]);
}

START_TEST(generation_penalises_repetitions)
{
    heed_tensor *prompt = from_int64(HEED_SHAPE(2, 2), model_prompts);
    heed_sample_options o = {.repetition_penalty = 2};
    check_tokens(heed_generate(bigram, NULL, prompt, GREEDY_STEPS, -1, &o), greedy_tokens);
    o.history = from_int64(HEED_SHAPE(2, 2), model_earlier);
    check_tokens(heed_generate(bigram, NULL, prompt, GREEDY_STEPS, -1, &o), greedy_tokens_earlier);
    o.history = heed_zeros(HEED_I64, HEED_SHAPE(3, 2));
    ck_assert_ptr_null(heed_generate(bigram, NULL, prompt, GREEDY_STEPS, -1, &o));
    ck_assert_error(HEED_ERR_SHAPE, "generate: history is (3, 2): must be (2, any)");
    o.history = heed_full(HEED_I64, HEED_SHAPE(2, 1), MODEL_VOCABULARY);
    ck_assert_ptr_null(heed_generate(bigram, NULL, prompt, GREEDY_STEPS, -1, &o));
    ck_assert_error(HEED_ERR_INDEX, "history has token 6: must be below the number of logits, 6");
}
END_TEST

/* With as many beams as sequences, the search returns all of them. Sequences of equal score come in any order. */
START_TEST(beams_penalise_repetitions)
{
    enum { V = MODEL_VOCABULARY, SEQUENCES = V * V * V };
    heed_tensor *prompt = from_int64(HEED_SHAPE(2, 2), model_prompts), *scores;
    heed_beam_search_options o = {
        .beams = SEQUENCES, .repetition_penalty = 1.5, .history = from_int64(HEED_SHAPE(2, 2), model_earlier)};
    heed_tensor *best = heed_beam_search(bigram, NULL, prompt, BEAM_STEPS, -1, &o, &scores);
    ck_assert_msg(best != NULL, "%s", heed_error_message());
    for (int64_t i = 0; i < 2 * SEQUENCES; i++) {
        const double *expected = beam_scores + i;
        const int64_t rank = i % SEQUENCES;
        ck_assert_msg(fabs(heed_data_f64(scores)[i] - *expected) <= 1e-12, "sequence %d", (int)i);
        if ((rank == 0 || expected[-1] - expected[0] > 1e-9) &&
            (rank == SEQUENCES - 1 || expected[0] - expected[1] > 1e-9))
            ck_assert(memcmp(heed_data_i64(best) + BEAM_STEPS * i, beam_tokens + BEAM_STEPS * i,
                             BEAM_STEPS * sizeof *beam_tokens) == 0);
    }
    o.repetition_penalty = -1;
    ck_assert_ptr_null(heed_beam_search(bigram, NULL, prompt, BEAM_STEPS, -1, &o, &scores));
    ck_assert_error(HEED_ERR_ARGUMENT, "beam_search: repetition_penalty is -1: must be finite, and 0 or more");
    o = (heed_beam_search_options){.repetition_penalty = 2, .history = heed_zeros(HEED_F32, HEED_SHAPE(2, 2))};
    ck_assert_ptr_null(heed_beam_search(bigram, NULL, prompt, BEAM_STEPS, -1, &o, &scores));
    ck_assert_error(HEED_ERR_DTYPE, "beam_search: history is f32: must be i64");
}
END_TEST

START_TEST(penalty_errors)
{
    heed_tensor *logits = HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 1, 3, -2, 5);
    heed_tensor *history = heed_zeros(HEED_I64, HEED_SHAPE(2, 3));
    const struct {
        heed_sample_options o;
        heed_status code;
        const char *text;
    } refused[] = {
        {{.min_p = -0.5}, HEED_ERR_ARGUMENT, "sample: min_p is -0.5: must be in [0, 1]"},
        {{.min_p = 1.5}, HEED_ERR_ARGUMENT, "sample: min_p is 1.5"},
        {{.min_p = (double)NAN}, HEED_ERR_ARGUMENT, "sample: min_p is nan"},
        {{.repetition_penalty = -1, .history = history},
         HEED_ERR_ARGUMENT,
         "sample: repetition_penalty is -1: must be finite, and 0 or more"},
        {{.repetition_penalty = (double)INFINITY}, HEED_ERR_ARGUMENT, "sample: repetition_penalty is inf"},
        {{.repetition_penalty = 2},
         HEED_ERR_ARGUMENT,
         "sample: repetition_penalty is 2 and history is NULL: pass the tokens to penalise"},
        {{.history = heed_zeros(HEED_I64, HEED_SHAPE(3, 2))},
         HEED_ERR_SHAPE,
         "sample: history is (3, 2): must be (2, any)"},
        {{.history = logits}, HEED_ERR_DTYPE, "sample: history is f64: must be i64"},
        {{.repetition_penalty = 2, .history = heed_ones(HEED_I64, HEED_SHAPE(2, 0))}, HEED_OK, NULL},
        {{.repetition_penalty = 2, .history = heed_full(HEED_I64, HEED_SHAPE(2, 1), 2)},
         HEED_ERR_INDEX,
         "sample: history has token 2: must be below the number of logits, 2"},
        {{.repetition_penalty = 1e-320, .history = heed_add_scalar(history, 1)},
         HEED_ERR_ARGUMENT,
         "sample: a row's largest logit is inf"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        heed_tensor *tokens = heed_sample(logits, &refused[i].o);
        ck_assert_int_eq(tokens != NULL, refused[i].code == HEED_OK);
        if (!tokens)
            ck_assert_error(refused[i].code, refused[i].text);
    }
    const heed_sample_options o = {.repetition_penalty = 4, .history = heed_ones(HEED_I64, HEED_SHAPE(2))};
    ck_assert(heed_item(heed_sample(heed_select(logits, 0, 0), &o)) == 0.0); /* 3 / 4 is below 1 */
}
END_TEST

HEED_TEST_MAIN("sample", draws_follow_the_probabilities, sample_shapes, sample_errors, draws_follow_the_reference,
               generation_penalises_repetitions, beams_penalise_repetitions, penalty_errors)
