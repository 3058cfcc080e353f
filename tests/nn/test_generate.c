/* tests/nn/test_generate.c - tests of sampling and beam search against all possible sequences.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

/* -- A model ------------------------------------------------------------------------------------------------------- */

enum { VOCAB = 4, STEPS = 4, PROMPTS = 3, END = 3, SEQUENCES = 256 };

/* The next token's distribution depends on the whole sequence through a hash, which is the state of a row. */
static uint64_t hashes[2][PROMPTS * SEQUENCES]; /* of this call, then of the last call */

typedef struct chain {
    int64_t calls, rows;
    double only_end; /* added to the logit of END */
} chain;

static uint64_t mixed(uint64_t hash, int64_t token)
{
    hash = (hash ^ ((uint64_t)token + 1)) * UINT64_C(0x9E3779B97F4A7C15);
    hash = (hash ^ (hash >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    return hash ^ (hash >> 27);
}

static double logit(uint64_t hash, int token)
{
    return (double)(mixed(hash, 17 + token) >> 40) * 0x1p-22; /* 0 .. 4 */
}

static heed_tensor *step(heed_tensor *tokens, heed_tensor *rows, void *user)
{
    chain *c = user;
    const int64_t n = heed_dim(tokens, 0);
    memcpy(hashes[1], hashes[0], sizeof hashes[0]);
    if (c->calls++ == 0)
        memset(hashes[1], 0, sizeof hashes[1]);
    heed_tensor *logits = heed_empty(HEED_F64, HEED_SHAPE(n, VOCAB));
    for (int64_t i = 0; i < n; i++) {
        uint64_t *hash = &hashes[0][i];
        *hash = hashes[1][rows ? heed_get_i64(rows, HEED_INDEX(i)) : i];
        for (int64_t t = 0; t < heed_dim(tokens, 1); t++)
            *hash = mixed(*hash, heed_get_i64(tokens, HEED_INDEX(i, t)));
        for (int v = 0; v < VOCAB; v++)
            heed_set_(logits, HEED_INDEX(i, v), logit(*hash, v) + (v == END ? c->only_end : 0.0));
    }
    c->rows = n;
    return logits;
}

static heed_tensor *prompts(void)
{
    return HEED_TENSOR(HEED_I64, HEED_SHAPE(PROMPTS, 2), 0, 1, 2, 0, 1, 1);
}

static uint64_t after_prompt(int64_t prompt)
{
    return mixed(mixed(0, heed_get_i64(prompts(), HEED_INDEX(prompt, 0))),
                 heed_get_i64(prompts(), HEED_INDEX(prompt, 1)));
}

static double log_p(uint64_t hash, int64_t token, double only_end)
{
    double sum = 0.0;
    for (int v = 0; v < VOCAB; v++)
        sum += exp(logit(hash, v) + (v == END ? only_end : 0.0));
    return logit(hash, (int)token) + (token == END ? only_end : 0.0) - log(sum);
}

START_TEST(greedy)
{
    chain c = {.calls = 0};
    heed_tensor *out = heed_generate(step, &c, prompts(), STEPS, -1, NULL);
    ck_assert_msg(out && heed_shape_equal(heed_shape_of(out), HEED_SHAPE(PROMPTS, STEPS)), "%s", heed_error_message());
    ck_assert_int_eq(c.calls, STEPS);
    for (int64_t b = 0; b < PROMPTS; b++) {
        uint64_t hash = after_prompt(b);
        for (int64_t t = 0; t < STEPS; t++) {
            const int64_t token = heed_get_i64(out, HEED_INDEX(b, t));
            for (int v = 0; v < VOCAB; v++)
                ck_assert(logit(hash, (int)token) >= logit(hash, v));
            hash = mixed(hash, token);
        }
    }
}
END_TEST

/* The same seed gives the same tokens; after `end` only `end` follows; generation stops when all sequences are
 * complete. */
START_TEST(drawing_ends)
{
    const heed_sample_options o = {.temperature = 1};
    heed_tensor *out[2];
    for (int i = 0; i < 2; i++) {
        chain c = {.calls = 0};
        heed_manual_seed(4);
        out[i] = heed_generate(step, &c, prompts(), 50, END, &o);
        ck_assert_int_eq(c.calls, heed_dim(out[i], 1));
        ck_assert_int_lt(c.calls, 50);
    }
    int64_t longest = 0;
    for (int64_t b = 0; b < PROMPTS; b++) {
        int64_t length = 0;
        while (heed_get_i64(out[0], HEED_INDEX(b, length)) != END)
            length++;
        longest = length > longest ? length : longest;
        for (int64_t t = 0; t < heed_dim(out[0], 1); t++) {
            ck_assert_int_eq(heed_get_i64(out[0], HEED_INDEX(b, t)), heed_get_i64(out[1], HEED_INDEX(b, t)));
            ck_assert(t < length || heed_get_i64(out[0], HEED_INDEX(b, t)) == END);
        }
    }
    ck_assert_int_eq(heed_dim(out[0], 1), longest + 1);
}
END_TEST

/* -- Beam search --------------------------------------------------------------------------------------------------- */

typedef struct sequence {
    int64_t tokens[STEPS], length;
    double score;
} sequence;

/* Lists all sequences of up to STEPS tokens that END completes, best first; they are enumerated as numbers in base
 * VOCAB. */
static int all_of(int64_t prompt, double alpha, double only_end, sequence *list)
{
    int n = 0;
    for (int64_t code = 0; code < SEQUENCES; code++) {
        sequence s = {.length = 0};
        uint64_t hash = after_prompt(prompt);
        double sum = 0.0;
        int64_t rest = code;
        for (bool over = false; s.length < STEPS && !over; rest /= VOCAB) {
            const int64_t token = rest % VOCAB;
            sum += log_p(hash, token, only_end);
            hash = mixed(hash, token);
            s.tokens[s.length++] = token;
            over = token == END;
        }
        if (rest > 0) /* a duplicate: the same sequence with tokens after its end */
            continue;
        s.score = sum / pow((double)s.length, alpha);
        int at = n++;
        for (; at > 0 && list[at - 1].score < s.score; at--)
            list[at] = list[at - 1];
        list[at] = s;
    }
    return n;
}

static void same_sequence(heed_tensor *best, int64_t b, int64_t w, const sequence *s)
{
    for (int64_t t = 0; t < heed_dim(best, 2); t++)
        ck_assert_int_eq(heed_get_i64(best, HEED_INDEX(b, w, t)), t < s->length ? s->tokens[t] : END);
}

/* If there are as many beams as sequences, the search returns all of them in order. */
START_TEST(wide_beams_find_all)
{
    static const double alphas[] = {0.0, 0.75, 2.0, -1.0};
    static sequence all[SEQUENCES];
    for (int i = 0; i < 4; i++) {
        chain c = {.calls = 0};
        const heed_beam_search_options o = {.beams = SEQUENCES, .length_penalty = alphas[i]};
        heed_tensor *scores, *best = heed_beam_search(step, &c, prompts(), STEPS, END, &o, &scores);
        ck_assert_msg(best && scores, "%s", heed_error_message());
        for (int64_t b = 0; b < PROMPTS; b++) {
            const int n = all_of(b, alphas[i], 0.0, all);
            ck_assert_int_eq(n, 1 + 3 + 9 + 27 * 4);
            for (int w = 0; w < SEQUENCES; w++) {
                const double score = heed_get(scores, HEED_INDEX(b, w));
                if (w < n)
                    same_sequence(best, b, w, &all[w]);
                ck_assert(w < n ? fabs(score - all[w].score) < 1e-12 : score == -INFINITY);
            }
        }
    }
}
END_TEST

/* One beam is greedy search; more beams are never worse, since a few already find the best sequence here. */
START_TEST(narrow_beams)
{
    static sequence all[SEQUENCES];
    chain c = {.calls = 0};
    heed_tensor *scores,
        *best = heed_beam_search(step, &c, prompts(), STEPS, -1, &(heed_beam_search_options){.beams = 1}, NULL);
    heed_tensor *greedily = heed_generate(step, &(chain){.calls = 0}, prompts(), STEPS, -1, NULL);
    for (int64_t i = 0; i < PROMPTS * STEPS; i++)
        ck_assert_int_eq(heed_data_i64(best)[i], heed_data_i64(greedily)[i]);
    ck_assert(heed_beam_search(step, &(chain){.calls = 0}, prompts(), STEPS, END, NULL, &scores));
    ck_assert_int_eq(heed_dim(scores, 1), 4);
    for (int64_t b = 0; b < PROMPTS; b++) {
        all_of(b, 0.0, 0.0, all);
        ck_assert_near(heed_get(scores, HEED_INDEX(b, 0)), all[0].score, 1e-12);
    }
}
END_TEST

/* If the end is almost certain, the search stops as soon as no better sequence is possible. */
START_TEST(search_stops_early)
{
    chain c = {.only_end = 50};
    heed_tensor *scores,
        *best = heed_beam_search(step, &c, prompts(), 1000, END, &(heed_beam_search_options){.beams = 2}, &scores);
    ck_assert_msg(best && c.calls <= 3, "%lld calls", (long long)c.calls);
    ck_assert_int_eq(c.rows, 2 * PROMPTS);
    ck_assert_int_eq(heed_get_i64(best, HEED_INDEX(0, 0, 0)), END);
    ck_assert_near(heed_get(scores, HEED_INDEX(0, 0)), 0.0, 1e-12);
}
END_TEST

/* -- With a Transformer -------------------------------------------------------------------------------------------- */

typedef struct translation {
    heed_nn_transformer *net;
    heed_tensor *memory, *lens;
    heed_kv_cache *cache;
} translation;

static heed_tensor *translate(heed_tensor *tokens, heed_tensor *rows, void *user)
{
    translation *t = user;
    if (rows && heed_kv_cache_select(t->cache, rows) != HEED_OK)
        return NULL;
    heed_tensor *logits = heed_nn_transformer_decoder_forward_with(
        t->net->decoder, tokens, t->memory, &(heed_nn_attention_call){.memory_lens = t->lens, .cache = t->cache});
    return logits ? heed_select(logits, 1, -1) : NULL;
}

/* Returns ln p(tokens) of a sequence, computed by the whole model at once. */
static double score_of(translation *t, heed_tensor *src, int64_t b, heed_tensor *tokens)
{
    heed_tensor *begin = heed_zeros(HEED_I64, HEED_SHAPE(1, 1)), *row = heed_unsqueeze(tokens, 0);
    heed_tensor *both[] = {begin, heed_slice(row, 1, 0, -1, 1)};
    heed_tensor *logits = heed_nn_transformer_forward(t->net, heed_slice(src, 0, b, b + 1, 1), heed_concat(both, 2, 1),
                                                      heed_slice(t->lens, 0, b, b + 1, 1), NULL, NULL, NULL, NULL);
    double sum = 0.0;
    for (int64_t i = 0; i < heed_numel(tokens); i++) {
        const int64_t token = heed_get_i64(tokens, HEED_INDEX(i));
        sum += heed_get(heed_log_softmax(logits, -1), HEED_INDEX(0, i, token));
        if (token == END)
            break;
    }
    return sum;
}

START_TEST(beams_of_a_transformer)
{
    heed_manual_seed(2);
    translation t = {.cache = heed_kv_cache_new(NULL)};
    t.net = heed_nn_transformer_new(5, VOCAB, 8, 2, 16, 2, &(heed_nn_transformer_options){.dtype = HEED_F64});
    heed_tensor *src = heed_randint(0, 5, HEED_SHAPE(2, 4)), *begin = heed_zeros(HEED_I64, HEED_SHAPE(2, 1)), *scores;
    t.lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 4, 2);
    t.memory = heed_nn_transformer_encoder_forward(t.net->encoder, src, t.lens, NULL);
    heed_tensor *best = heed_beam_search(translate, &t, begin, 6, END, NULL, &scores);
    ck_assert_msg(best != NULL, "%s", heed_error_message());
    for (int64_t b = 0; b < 2; b++)
        for (int64_t w = 0; w < 4; w++)
            ck_assert_near(heed_get(scores, HEED_INDEX(b, w)),
                           score_of(&t, src, b, heed_select(heed_select(best, 0, b), 0, w)), 1e-12);
    heed_kv_cache_free(t.cache);
    heed_module_free(&t.net->base);
}
END_TEST

/* -- Limits -------------------------------------------------------------------------------------------------------- */

/* Without prompts, and with sequences that never end: the requested number of steps is made. */
START_TEST(no_prompts)
{
    chain c = {.calls = 0};
    heed_tensor *none = heed_zeros(HEED_I64, HEED_SHAPE(0, 2));
    heed_tensor *out = heed_generate(step, &c, none, 70, -1, NULL);
    ck_assert(out && heed_shape_equal(heed_shape_of(out), HEED_SHAPE(0, 70)));
    out = heed_beam_search(step, &c, none, 70, -1, NULL, NULL);
    ck_assert(out && heed_shape_equal(heed_shape_of(out), HEED_SHAPE(0, 4, 70)));
}
END_TEST

/* Capacity grows on demand instead of covering all possible steps; sequences longer than the first capacity are
 * kept. */
START_TEST(any_number_of_steps)
{
    const int64_t much = INT64_C(1) << 40;
    chain c = {.only_end = 50};
    ck_assert_ptr_nonnull(heed_generate(step, &c, prompts(), much, END, NULL));
    c = (chain){.only_end = 50};
    ck_assert_ptr_nonnull(heed_beam_search(step, &c, prompts(), much, END, NULL, NULL));
    c = (chain){.calls = 0};
    heed_tensor *some = heed_generate(step, &c, prompts(), 200, -1, NULL);
    c = (chain){.calls = 0};
    heed_tensor *best = heed_beam_search(step, &c, prompts(), 200, -1, &(heed_beam_search_options){.beams = 1}, NULL);
    ck_assert(some && best && heed_dim(some, 1) == 200); /* one beam follows the most probable tokens */
    ck_assert(heed_item(heed_sum(
                  heed_to_dtype(heed_compare(some, HEED_COMPARE_NE, heed_select(best, 1, 0)), HEED_F32))) == 0.0);
}
END_TEST

START_TEST(extreme_penalties)
{
    const double refused[] = {1e300, -1e300, 500.0, -500.0, (double)NAN};
    heed_tensor *one = heed_zeros(HEED_I64, HEED_SHAPE(1, 1));
    for (int i = 0; i < 5; i++) {
        const heed_beam_search_options o = {.length_penalty = refused[i]};
        ck_assert_ptr_null(heed_beam_search(step, NULL, one, STEPS, END, &o, NULL));
        ck_assert_error(HEED_ERR_ARGUMENT, "beam_search: length_penalty is ");
    }
    for (int i = -1; i <= 1; i += 2) {
        const heed_beam_search_options o = {.length_penalty = 400.0 * i};
        heed_tensor *scores;
        chain c = {.calls = 0};
        ck_assert_ptr_nonnull(heed_beam_search(step, &c, prompts(), STEPS, END, &o, &scores));
        ck_assert(isfinite(heed_get(scores, HEED_INDEX(0, 0))));
    }
}
END_TEST

/* -- Failures ------------------------------------------------------------------------------------------------------ */

static heed_tensor *return_user(heed_tensor *tokens, heed_tensor *rows, void *user)
{
    (void)tokens;
    (void)rows;
    return user;
}

START_TEST(errors)
{
    heed_tensor *one = heed_zeros(HEED_I64, HEED_SHAPE(1, 1)), *scores;
    struct {
        heed_generation_step step;
        void *user;
        heed_tensor *prompt;
        int64_t steps;
        heed_status status;
        const char *text;
    } cases[] = {
        {NULL, NULL, one, 2, HEED_ERR_ARGUMENT, ": the step is NULL"},
        {return_user, NULL, NULL, 2, HEED_ERR_ARGUMENT, ": the prompt is NULL"},
        {return_user, NULL, heed_zeros(HEED_I64, HEED_SHAPE(1, 0)), 2, HEED_ERR_SHAPE, ": the prompt is (1, 0)"},
        {return_user, NULL, heed_zeros(HEED_F32, HEED_SHAPE(1, 1)), 2, HEED_ERR_DTYPE, ": the prompt is f32"},
        {return_user, NULL, one, 0, HEED_ERR_ARGUMENT, ": max_steps is 0"},
        {return_user, NULL, one, 2, HEED_ERR_STATE, ": the step returned NULL"},
        {return_user, heed_zeros(HEED_F32, HEED_SHAPE(2, 3)), one, 2, HEED_ERR_SHAPE,
         ": the step returned (2, 3) for tokens of 1 sequences: must be (1, V)"},
        {return_user, one, one, 2, HEED_ERR_DTYPE, ": the step returned i64"},
        {return_user, heed_full(HEED_F32, HEED_SHAPE(1, 3), (double)NAN), one, 2, HEED_ERR_ARGUMENT, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_ptr_null(heed_generate(cases[i].step, cases[i].user, cases[i].prompt, cases[i].steps, 0, NULL));
        ck_assert_error(cases[i].status, cases[i].text);
        ck_assert_ptr_null(
            heed_beam_search(cases[i].step, cases[i].user, cases[i].prompt, cases[i].steps, 0, NULL, &scores));
        ck_assert_error(cases[i].status, cases[i].text);
        ck_assert_ptr_null(scores);
    }
    ck_assert_ptr_null(heed_beam_search(step, NULL, one, 1, 0, &(heed_beam_search_options){.beams = -1}, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "beam_search: beams is -1");
    const heed_beam_search_options endless = {.length_penalty = (double)INFINITY};
    ck_assert_ptr_null(heed_beam_search(step, NULL, one, 1, 0, &endless, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "beam_search: length_penalty is inf");
}
END_TEST

HEED_TEST_MAIN("generate", greedy, drawing_ends, wide_beams_find_all, narrow_beams, search_stops_early,
               beams_of_a_transformer, no_prompts, any_number_of_steps, extreme_penalties, errors)
