/* nn/generate.c - generates tokens after a prompt: one at a time, chosen by heed_sample (nn/sample.c), or by beam
 * search.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <heed/generate.h>
#include <heed/graph.h>
#include <heed/ops.h>
#include <heed/scope.h>

#include "nn/sample.h"

/* -- Shared by generation and beam search -------------------------------------------------------------------------- */

/* Checks the arguments that generation and beam search share. Returns false after heed_fail. */
static bool check_prompt(const char *where, heed_generation_step step, const heed_tensor *prompt, int64_t max_steps)
{
    if (!step)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the step is NULL");
    if (!heed__layer_check_tensor(where, "the prompt", prompt, HEED_I64, HEED_SHAPE(-1, -1)))
        return false;
    if (heed_dim(prompt, 1) == 0)
        return heed_fail_false(HEED_ERR_SHAPE, where, "the prompt is %s: must have at least one token",
                               heed_shape_text(heed_shape_of(prompt)).s);
    return heed__layer_check_size(where, "max_steps", max_steps);
}

/* Calls the model, `step`. Returns the logits (N, V) of the token that follows tokens (N, T), with V above 0. Returns
 * NULL after heed_fail. */
static heed_tensor *call_model(const char *where, heed_generation_step step, void *user, heed_tensor *tokens,
                               heed_tensor *rows)
{
    heed_callback call = heed_callback_begin("the step");
    heed_tensor *logits = step(tokens, rows, user);
    if (!heed_callback_end(&call))
        return NULL;
    if (!logits)
        return heed_fail_null(HEED_ERR_STATE, where, "the step returned NULL");
    const int64_t N = heed_dim(tokens, 0);
    const heed_shape shape = heed_shape_of(logits);
    if (shape.rank != 2 || shape.dims[0] != N || shape.dims[1] == 0)
        return heed_fail_null(HEED_ERR_SHAPE, where,
                              "the step returned %s for tokens of %" PRId64 " sequences: must be (%" PRId64 ", V)",
                              heed_shape_text(shape).s, N, N);
    return heed_dtype_is_float(heed_dtype_of(logits))
               ? logits
               : heed_fail_null(HEED_ERR_DTYPE, where, "the step returned %s: must be f32 or f64",
                                heed_dtype_name(heed_dtype_of(logits)));
}

enum { INITIAL_CAPACITY = 64 }; /* in steps; it is doubled when it is exceeded */

/* Returns `tokens` (N, capacity) if it has capacity for step t, else a copy with a larger capacity, at most max_steps.
 * Returns NULL after heed_fail. */
static heed_tensor *reserve_steps(heed_tensor *tokens, int64_t t, int64_t max_steps)
{
    const int64_t capacity = heed_dim(tokens, 1);
    if (t < capacity)
        return tokens;
    heed_tensor *grown =
        heed_zeros(HEED_I64, HEED_SHAPE(heed_dim(tokens, 0), capacity < max_steps / 2 ? 2 * capacity : max_steps));
    return grown && heed_copy_(heed_slice(grown, 1, 0, capacity, 1), tokens) == HEED_OK ? grown : NULL;
}

/* -- Generation ---------------------------------------------------------------------------------------------------- */

/* Writes column t of `out` (B, steps): the chosen tokens (B), or `end` in sequences that have ended before. Returns
 * true if all sequences have ended. */
static bool write_column(heed_tensor *out, int64_t t, const heed_tensor *chosen, int64_t end)
{
    const int64_t B = heed_dim(out, 0), steps = heed_dim(out, 1), *from = heed_data_i64(chosen);
    int64_t *to = heed_mutable_i64(out), n_ended = 0;
    for (int64_t b = 0; b < B && from && to; b++) {
        int64_t *row = to + b * steps;
        const bool over = end >= 0 && t > 0 && row[t - 1] == end;
        row[t] = over ? end : from[b];
        n_ended += end >= 0 && row[t] == end;
    }
    return end >= 0 && n_ended == B;
}

/* Returns the options for step t: the tokens before it are options->history, the prompt and the first t columns of
 * `out`. They are needed only if repetitions are penalised. Returns false after heed_fail. */
static bool add_history(heed_sample_options *o, heed_tensor *prompt, heed_tensor *out, int64_t t)
{
    heed_tensor *generated = heed_slice(out, 1, 0, t, 1);
    if (generated && heed__penalises(o->repetition_penalty))
        o->history = o->history ? heed_concat(HEED_TENSORS(o->history, prompt, generated), 1)
                                : heed_concat(HEED_TENSORS(prompt, generated), 1);
    else
        o->history = NULL;
    return generated && (o->history || !heed__penalises(o->repetition_penalty));
}

heed_tensor *heed_generate(heed_generation_step step, void *user, heed_tensor *prompt, int64_t max_steps, int64_t end,
                           const heed_sample_options *options)
{
    static const char where[] = "generate";
    HEED_ENTER(where);
    if (!check_prompt(where, step, prompt, max_steps) ||
        (options && !heed__check_history(where, options->history, HEED_SHAPE(heed_dim(prompt, 0), -1))))
        return NULL;
    const int64_t first = max_steps < INITIAL_CAPACITY ? max_steps : INITIAL_CAPACITY;
    heed_scope *scope = heed_no_grad_begin();
    heed_tensor *out = scope ? heed_zeros(HEED_I64, HEED_SHAPE(heed_dim(prompt, 0), first)) : NULL;
    int64_t t = 0;
    for (bool over = false; out && t < max_steps && !over; t++) {
        if (!(out = reserve_steps(out, t, max_steps)))
            break;
        heed_scope *inner = heed_scope_begin();
        heed_tensor *tokens = t == 0 ? prompt : heed_slice(out, 1, t - 1, t, 1);
        heed_tensor *logits = inner && tokens ? call_model(where, step, user, tokens, NULL) : NULL;
        heed_sample_options sampling = options ? *options : (heed_sample_options){0};
        heed_tensor *chosen = logits && add_history(&sampling, prompt, out, t) ? heed_sample(logits, &sampling) : NULL;
        over = chosen && write_column(out, t, chosen, end);
        out = chosen ? out : NULL;
        if (inner)
            heed_scope_end(inner);
    }
    heed_tensor *done = out ? heed_contiguous(heed_slice(out, 1, 0, t, 1)) : NULL;
    return scope ? heed_scope_return(scope, done) : NULL;
}

/* -- Beam search: tables ------------------------------------------------------------------------------------------- */

/* There are B prompts with W beams each. Row b W + i of a table is beam i of prompt b. Tables are tensors, so that the
 * scope frees them. */

static const char where_beam[] = "beam_search";

#define MAX_POWER 1e250 /* maximum of a length raised to the length penalty */
enum { BEAMS = 4 };     /* default number of beams */

/* Sequences of up to `capacity` tokens, W per prompt, with their lengths and scores. Scores are -infinity at first. */
typedef struct beam_table {
    heed_tensor *tokens, *lengths, *scores;
    int64_t *token, *length;
    double *score;
} beam_table;

typedef struct beam_search {
    int64_t B, W, max_steps, end, capacity;
    double alpha, penalty;
    heed_tensor *history;     /* (B W, H), the tokens before the generated ones; NULL without a penalty */
    beam_table live[2];       /* incomplete sequences at this step, [0], and at the next, [1]; score = sum of ln p */
    beam_table done;          /* complete sequences, best first; score = sum of ln p / length^alpha */
    heed_tensor *rows, *last; /* for every sequence of the next step: `rows` (B W), the row of the sequence that it
                               * extends, and `last` (B W, 1), its last token */
    int64_t *row, *last_token;
} beam_search;

static bool make_table(beam_table *t, const beam_search *s)
{
    const int64_t n = s->B * s->W;
    t->tokens = heed_zeros(HEED_I64, HEED_SHAPE(n, s->capacity));
    t->lengths = heed_zeros(HEED_I64, HEED_SHAPE(n));
    t->scores = heed_full(HEED_F64, HEED_SHAPE(n), (double)-INFINITY);
    if (!t->tokens || !t->lengths || !t->scores)
        return false;
    t->token = heed_mutable_i64(t->tokens);
    t->length = heed_mutable_i64(t->lengths);
    t->score = heed_mutable_f64(t->scores);
    return t->token && t->length && t->score;
}

static bool make_tables(beam_search *s)
{
    int64_t n;
    if (__builtin_mul_overflow(s->B, s->W, &n))
        return heed_fail_false(HEED_ERR_SHAPE, where_beam,
                               "%" PRId64 " prompts with %" PRId64 " beams: the product must be below 2^63", s->B,
                               s->W);
    s->rows = heed_zeros(HEED_I64, HEED_SHAPE(n));
    s->last = heed_zeros(HEED_I64, HEED_SHAPE(n, 1));
    if (!s->rows || !s->last)
        return false;
    s->row = heed_mutable_i64(s->rows);
    s->last_token = heed_mutable_i64(s->last);
    return s->row && s->last_token && make_table(&s->live[0], s) && make_table(&s->live[1], s) &&
           make_table(&s->done, s);
}

/* Ensures that all tables have capacity for step t. Returns false after heed_fail. */
static bool reserve_tables(beam_search *s, int64_t t)
{
    beam_table *const tables[] = {&s->live[0], &s->live[1], &s->done};
    if (t < s->capacity)
        return true;
    for (int i = 0; i < 3; i++) {
        tables[i]->tokens = reserve_steps(tables[i]->tokens, t, s->max_steps);
        if (!tables[i]->tokens || !(tables[i]->token = heed_mutable_i64(tables[i]->tokens)))
            return false;
    }
    s->capacity = heed_dim(s->done.tokens, 1);
    return true;
}

/* Sets row `to` of table `into` to row `from` of table `of`, extended by one token. */
static void extend_sequence(const beam_search *s, beam_table *into, int64_t to, const beam_table *of, int64_t from,
                            int64_t token)
{
    const int64_t length = of->length[from];
    memmove(into->token + to * s->capacity, of->token + from * s->capacity, (size_t)length * sizeof(int64_t));
    into->token[to * s->capacity + length] = token;
    into->length[to] = length + 1;
}

/* Inserts live sequence `from`, completed by `token`, into the complete sequences of prompt b unless W complete
 * sequences are at least as good. `sum` is the sum of ln p. */
static void add_complete(beam_search *s, int64_t b, int64_t from, int64_t token, double sum)
{
    beam_table *done = &s->done, *live = &s->live[0];
    const double score = sum / pow((double)live->length[from] + 1.0, s->alpha);
    const int64_t first = b * s->W, last = first + s->W - 1;
    if (score <= done->score[last])
        return;
    int64_t at = last;
    for (; at > first && done->score[at - 1] < score; at--) {
        memcpy(done->token + at * s->capacity, done->token + (at - 1) * s->capacity,
               (size_t)done->length[at - 1] * sizeof(int64_t));
        done->length[at] = done->length[at - 1];
        done->score[at] = done->score[at - 1];
    }
    extend_sequence(s, done, at, live, from, token);
    done->score[at] = score;
}

/* -- Beam search: one step ----------------------------------------------------------------------------------------- */

/* The best continuations of every prompt. A continuation is a live sequence followed by one of V tokens. At most W of
 * the best 2 W end, because a live sequence has only one continuation that ends. */
typedef struct continuations {
    int64_t w;            /* number of live sequences of a prompt */
    int64_t V;            /* number of tokens */
    int64_t n;            /* min(2 W, w V), the number of best continuations of a prompt */
    const double *sum;    /* (B, n): their sums of ln p, in descending order */
    const int64_t *index; /* (B, n): V times the sequence plus the token */
} continuations;

/* Sets s->history to the given history and the prompt, once per beam. Returns false after heed_fail. */
static bool make_history(beam_search *s, heed_tensor *prompt, heed_tensor *given)
{
    if (!heed__penalises(s->penalty))
        return true;
    heed_tensor *all = given ? heed_concat(HEED_TENSORS(given, prompt), 1) : prompt;
    const int64_t H = all ? heed_dim(all, 1) : 0;
    all = all ? heed_expand(heed_unsqueeze(all, 1), HEED_SHAPE(s->B, s->W, H)) : NULL;
    s->history = all ? heed_reshape(all, HEED_SHAPE(s->B * s->W, H)) : NULL;
    return s->history != NULL;
}

/* Applies the penalty for repetitions to ln p of the continuations (B w, V) of live sequences. In the first step w is
 * 1, later W. Returns NULL after heed_fail. */
static heed_tensor *penalise_continuations(const beam_search *s, heed_tensor *p, int64_t w)
{
    const int64_t t = s->B > 0 ? s->live[0].length[0] : 0;
    heed_tensor *all = heed_concat(HEED_TENSORS(s->history, heed_slice(s->live[0].tokens, 1, 0, t, 1)), 1);
    all = all ? heed_slice(heed_reshape(all, HEED_SHAPE(s->B, s->W, heed_dim(all, 1))), 1, 0, w, 1) : NULL;
    all = all ? heed_reshape(all, HEED_SHAPE(s->B * w, heed_dim(all, 2))) : NULL;
    return all ? heed__penalise(where_beam, p, all, s->penalty) : NULL;
}

/* Finds the best continuations from the model's logits. Returns false after heed_fail. */
static bool find_continuations(const beam_search *s, heed_tensor *logits, continuations *c)
{
    const int64_t w = s->B > 0 ? heed_dim(logits, 0) / s->B : 1, V = heed_dim(logits, 1);
    *c = (continuations){.w = w, .V = V, .n = w * V < 2 * s->W ? w * V : 2 * s->W};
    heed_tensor *live_sums = heed_slice(heed_reshape(s->live[0].scores, HEED_SHAPE(s->B, s->W)), 1, 0, w, 1);
    heed_tensor *sums = heed_to_dtype(heed_log_softmax(logits, -1), HEED_F64);
    if (sums && s->history)
        sums = penalise_continuations(s, sums, w);
    if (!live_sums || !sums)
        return false;
    sums = heed_add(heed_reshape(sums, HEED_SHAPE(s->B, w, V)), heed_unsqueeze(live_sums, 2));
    heed_tensor *indices = NULL,
                *best = heed_topk(heed_reshape(sums, HEED_SHAPE(s->B, w * V)), 1, c->n, true, &indices);
    c->sum = best ? heed_data_f64(best) : NULL;
    c->index = best ? heed_data_i64(indices) : NULL;
    return c->sum && c->index;
}

/* Sets live sequence `to` of the next step to sequence `from` of this step, extended by `token`. `row` is the row of
 * sequence `from` in the model's batch. */
static void add_live(beam_search *s, int64_t to, int64_t from, int64_t row, int64_t token, double sum)
{
    extend_sequence(s, &s->live[1], to, &s->live[0], from, token);
    s->live[1].score[to] = sum;
    s->row[to] = row;
    s->last_token[to] = token;
}

/* Adds the best continuations of prompt b to the prompt's complete sequences or to its live sequences of the next
 * step. */
static void add_continuations(beam_search *s, int64_t b, const continuations *c)
{
    const double *sum = c->sum + b * c->n;
    const int64_t *index = c->index + b * c->n, first = b * s->W;
    const bool last = s->live[0].length[first] == s->max_steps - 1;
    int64_t n_live = 0;
    for (int64_t i = 0; i < c->n && sum[i] > (double)-INFINITY; i++) {
        const int64_t beam = index[i] / c->V, token = index[i] % c->V;
        if (last || token == s->end)
            add_complete(s, b, first + beam, token, sum[i]);
        else if (n_live < s->W)
            add_live(s, first + n_live++, first + beam, b * c->w + beam, token, sum[i]);
    }
    for (; n_live < s->W; n_live++) /* fills up with placeholders of score -infinity, which are never continued */
        add_live(s, first + n_live, first, b * c->w, 0, (double)-INFINITY);
}

/* Returns true if no live sequence of prompt b can become better than the prompt's W complete sequences. Sums of ln p
 * only decrease, so the best live score now is a bound. */
static bool is_search_over(const beam_search *s, int64_t b)
{
    const beam_table *live = &s->live[0];
    const double shortest = (double)live->length[b * s->W] + 1.0, longest = (double)s->max_steps;
    const double bound = live->score[b * s->W] / pow(s->alpha < 0.0 ? shortest : longest, s->alpha);
    return live->length[b * s->W] == s->max_steps || s->done.score[b * s->W + s->W - 1] >= bound;
}

/* Runs one step from the model's logits. Sets *over to true if no prompt needs a further step. Returns false after
 * heed_fail. */
static bool advance_beams(beam_search *s, heed_tensor *logits, bool *over)
{
    continuations c;
    if (!find_continuations(s, logits, &c))
        return false;
    for (int64_t b = 0; b < s->B; b++) {
        if (isnan(c.sum[b * c.n]))
            return heed_fail_false(HEED_ERR_ARGUMENT, where_beam,
                                   "the logits of prompt %" PRId64 " contain NaN or infinity", b);
        add_continuations(s, b, &c);
    }
    const beam_table t = s->live[0];
    s->live[0] = s->live[1];
    s->live[1] = t;
    *over = true;
    for (int64_t b = 0; b < s->B; b++)
        *over = is_search_over(s, b) && *over;
    return true;
}

/* -- Beam search: the search --------------------------------------------------------------------------------------- */

static bool run_search(beam_search *s, heed_generation_step step, void *user, heed_tensor *prompt)
{
    for (int64_t b = 0; b < s->B; b++)
        s->live[0].score[b * s->W] = 0.0;
    bool ok = true, over = false;
    for (int64_t t = 0; ok && !over; t++) {
        heed_scope *scope = reserve_tables(s, t) ? heed_scope_begin() : NULL;
        heed_tensor *logits =
            scope ? call_model(where_beam, step, user, t == 0 ? prompt : s->last, t == 0 ? NULL : s->rows) : NULL;
        ok = logits && advance_beams(s, logits, &over);
        if (scope)
            heed_scope_end(scope);
    }
    return ok;
}

/* Returns the complete sequences (B, W, steps), padded with `end`. */
static heed_tensor *best_sequences(const beam_search *s)
{
    int64_t steps = s->end < 0 ? s->max_steps : 0;
    for (int64_t i = 0; i < s->B * s->W; i++)
        steps = s->done.length[i] > steps ? s->done.length[i] : steps;
    heed_tensor *out = heed_full(HEED_I64, HEED_SHAPE(s->B, s->W, steps), s->end < 0 ? 0.0 : (double)s->end);
    int64_t *token = out ? heed_mutable_i64(out) : NULL;
    for (int64_t i = 0; token && i < s->B * s->W; i++)
        memcpy(token + i * steps, s->done.token + i * s->capacity, (size_t)s->done.length[i] * sizeof *token);
    return token ? out : NULL;
}

/* Checks the number of beams and the length penalty. Scores are sums divided by powers of lengths, and these powers
 * must be far from overflow. */
static bool check_beam_options(const heed_beam_search_options *o, int64_t max_steps)
{
    const double alpha = o->length_penalty;
    if (o->beams < 0 || o->beams > INT32_MAX)
        return heed_fail_false(HEED_ERR_ARGUMENT, where_beam, "beams is %" PRId64 ": must be in 0 .. 2^31 - 1",
                               o->beams);
    if (!heed__check_penalty(where_beam, o->repetition_penalty))
        return false;
    if (!isfinite(alpha))
        return heed_fail_false(HEED_ERR_ARGUMENT, where_beam, "length_penalty is %g: must be finite", alpha);
    return pow((double)max_steps, fabs(alpha)) <= MAX_POWER ||
           heed_fail_false(HEED_ERR_ARGUMENT, where_beam,
                           "length_penalty is %g, max_steps is %" PRId64
                           ": max_steps^length_penalty must be in 1e-250 .. 1e250",
                           alpha, max_steps);
}

heed_tensor *heed_beam_search(heed_generation_step step, void *user, heed_tensor *prompt, int64_t max_steps,
                              int64_t end, const heed_beam_search_options *options, heed_tensor **scores)
{
    HEED_ENTER(where_beam);
    heed__clear_output(scores);
    const heed_beam_search_options o = options ? *options : (heed_beam_search_options){0};
    if (!check_prompt(where_beam, step, prompt, max_steps) || !check_beam_options(&o, max_steps) ||
        !heed__check_history(where_beam, o.history, HEED_SHAPE(heed_dim(prompt, 0), -1)))
        return NULL;
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return NULL;
    beam_search s = {.B = heed_dim(prompt, 0),
                     .W = o.beams ? o.beams : BEAMS,
                     .max_steps = max_steps,
                     .capacity = max_steps < INITIAL_CAPACITY ? max_steps : INITIAL_CAPACITY,
                     .end = end,
                     .alpha = o.length_penalty,
                     .penalty = o.repetition_penalty};
    heed_tensor *best = make_tables(&s) && make_history(&s, prompt, o.history) && run_search(&s, step, user, prompt)
                            ? best_sequences(&s)
                            : NULL;
    const heed__layer_output output = {scores, best ? heed_reshape(s.done.scores, HEED_SHAPE(s.B, s.W)) : NULL};
    return heed__scope_return_outputs(scope, best, &output, 1);
}
