/* nn/beam_search.c - beam search: repeatedly extends the best sequences by the most probable tokens.
 *
 * There are B prompts with W beams each. Row b W + i of a table is beam i of prompt b. Tables are tensors, so that the
 * scope frees them. */

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <heed/graph.h>
#include <heed/ops.h>
#include <heed/scope.h>

#include "nn/generation.h"
#include "nn/layer.h"

static const char where[] = "beam_search";

#define MAX_POWER 1e250 /* maximum of a length raised to the length penalty */
enum { BEAMS = 4 };     /* default number of beams */

/* Sequences of up to `capacity` tokens, W per prompt, with their lengths and scores. Scores are -infinity at first. */
typedef struct table {
    heed_tensor *tokens, *lengths, *scores;
    int64_t *token, *length;
    double *score;
} table;

typedef struct search {
    int64_t B, W, max_steps, end, capacity;
    double alpha;
    table live[2];            /* incomplete sequences at this step, [0], and at the next, [1]; score = sum of ln p */
    table done;               /* complete sequences, best first; score = sum of ln p / length^alpha */
    heed_tensor *rows, *last; /* for every sequence of the next step: `rows` (B W), the row of the sequence that it
                               * extends, and `last` (B W, 1), its last token */
    int64_t *row, *last_token;
} search;

static bool make_table(table *t, const search *s)
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

static bool make(search *s)
{
    int64_t n;
    if (__builtin_mul_overflow(s->B, s->W, &n))
        return heed_fail_false(HEED_ERR_SHAPE, where,
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
static bool reserve(search *s, int64_t t)
{
    table *const tables[] = {&s->live[0], &s->live[1], &s->done};
    if (t < s->capacity)
        return true;
    for (int i = 0; i < 3; i++) {
        tables[i]->tokens = heed__generation_reserve(tables[i]->tokens, t, s->max_steps);
        if (!tables[i]->tokens || !(tables[i]->token = heed_mutable_i64(tables[i]->tokens)))
            return false;
    }
    s->capacity = heed_dim(s->done.tokens, 1);
    return true;
}

/* Sets row `to` of table `into` to row `from` of table `of`, extended by one token. */
static void extend(const search *s, table *into, int64_t to, const table *of, int64_t from, int64_t token)
{
    const int64_t length = of->length[from];
    memmove(into->token + to * s->capacity, of->token + from * s->capacity, (size_t)length * sizeof(int64_t));
    into->token[to * s->capacity + length] = token;
    into->length[to] = length + 1;
}

/* Inserts live sequence `from`, completed by `token`, into the complete sequences of prompt b unless W complete
 * sequences are at least as good. `sum` is the sum of ln p. */
static void add_complete(search *s, int64_t b, int64_t from, int64_t token, double sum)
{
    table *done = &s->done, *live = &s->live[0];
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
    extend(s, done, at, live, from, token);
    done->score[at] = score;
}

/* -- One step ------------------------------------------------------------------------------------------------------ */

/* A continuation is a live sequence followed by one of V tokens; every prompt has w live sequences and so w V
 * continuations. Finds the n = min(2 W, w V) best continuations of every prompt. At most W of them end, because a live
 * sequence has only one continuation that ends. Returns their sums of ln p, (B, n), in descending order, and sets
 * *indices to V times the sequence plus the token. Returns NULL after heed_fail. */
static heed_tensor *candidates(const search *s, heed_tensor *logits, int64_t w, heed_tensor **indices)
{
    heed_tensor *live_sums = heed_slice(heed_reshape(s->live[0].scores, HEED_SHAPE(s->B, s->W)), 1, 0, w, 1);
    heed_tensor *sums = heed_to_dtype(heed_log_softmax(logits, -1), HEED_F64);
    if (!live_sums || !sums)
        return NULL;
    const int64_t V = heed_dim(logits, 1), n = w * V < 2 * s->W ? w * V : 2 * s->W;
    sums = heed_add(heed_reshape(sums, HEED_SHAPE(s->B, w, V)), heed_unsqueeze(live_sums, 2));
    return heed_topk(heed_reshape(sums, HEED_SHAPE(s->B, w * V)), 1, n, true, indices);
}

/* Sets live sequence `to` of the next step to sequence `from` of this step, extended by `token`. `row` is the row of
 * sequence `from` in the model's batch. */
static void add_live(search *s, int64_t to, int64_t from, int64_t row, int64_t token, double sum)
{
    extend(s, &s->live[1], to, &s->live[0], from, token);
    s->live[1].score[to] = sum;
    s->row[to] = row;
    s->last_token[to] = token;
}

/* Adds the n candidates of prompt b, which candidates() found, to the prompt's complete sequences or to its live
 * sequences of the next step. */
static void split_candidates(search *s, int64_t b, int64_t w, int64_t V, int64_t n, const double *sums,
                             const int64_t *indices)
{
    const int64_t first = b * s->W;
    const bool last = s->live[0].length[first] == s->max_steps - 1;
    int64_t n_live = 0;
    for (int64_t i = 0; i < n && sums[i] > (double)-INFINITY; i++) {
        const int64_t beam = indices[i] / V, token = indices[i] % V;
        if (last || token == s->end)
            add_complete(s, b, first + beam, token, sums[i]);
        else if (n_live < s->W)
            add_live(s, first + n_live++, first + beam, b * w + beam, token, sums[i]);
    }
    for (; n_live < s->W; n_live++) /* fills up with placeholders of score -infinity, which are never continued */
        add_live(s, first + n_live, first, b * w, 0, (double)-INFINITY);
}

/* Returns true if no live sequence of prompt b can become better than the prompt's W complete sequences. Sums of ln p
 * only decrease, so the best live score now is a bound. */
static bool is_over(const search *s, int64_t b)
{
    const table *live = &s->live[0];
    const double shortest = (double)live->length[b * s->W] + 1.0, longest = (double)s->max_steps;
    const double bound = live->score[b * s->W] / pow(s->alpha < 0.0 ? shortest : longest, s->alpha);
    return live->length[b * s->W] == s->max_steps || s->done.score[b * s->W + s->W - 1] >= bound;
}

/* Runs one step from the model's logits. Sets *over to true if no prompt needs a further step. Returns false after
 * heed_fail. */
static bool advance(search *s, heed_tensor *logits, bool *over)
{
    heed_tensor *indices = NULL;
    const int64_t w = s->B > 0 ? heed_dim(logits, 0) / s->B : 1, V = heed_dim(logits, 1);
    heed_tensor *best = candidates(s, logits, w, &indices);
    const double *sums = best ? heed_data_f64(best) : NULL;
    const int64_t *at = best ? heed_data_i64(indices) : NULL, n = best ? heed_dim(best, 1) : 0;
    if (!sums || !at)
        return false;
    for (int64_t b = 0; b < s->B; b++) {
        if (isnan(sums[b * n]))
            return heed_fail_false(HEED_ERR_ARGUMENT, where, "the logits of prompt %" PRId64 " contain NaN or infinity",
                                   b);
        split_candidates(s, b, w, V, n, sums + b * n, at + b * n);
    }
    const table t = s->live[0];
    s->live[0] = s->live[1];
    s->live[1] = t;
    *over = true;
    for (int64_t b = 0; b < s->B; b++)
        *over = is_over(s, b) && *over;
    return true;
}

/* -- The search ---------------------------------------------------------------------------------------------------- */

static bool run(search *s, heed_generation_step step, void *user, heed_tensor *prompt)
{
    for (int64_t b = 0; b < s->B; b++)
        s->live[0].score[b * s->W] = 0.0;
    bool ok = true, over = false;
    for (int64_t t = 0; ok && !over; t++) {
        heed_scope *scope = reserve(s, t) ? heed_scope_begin() : NULL;
        heed_tensor *logits =
            scope ? heed__generation_call(where, step, user, t == 0 ? prompt : s->last, t == 0 ? NULL : s->rows) : NULL;
        ok = logits && advance(s, logits, &over);
        if (scope)
            heed_scope_end(scope);
    }
    return ok;
}

/* Returns the complete sequences (B, W, steps), padded with `end`. */
static heed_tensor *best_sequences(const search *s)
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

/* Checks the length penalty. Scores are sums divided by powers of lengths, and these powers must be far from
 * overflow. */
static bool check_penalty(double alpha, int64_t max_steps)
{
    if (!isfinite(alpha))
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "length_penalty is %g: must be finite", alpha);
    return pow((double)max_steps, fabs(alpha)) <= MAX_POWER ||
           heed_fail_false(HEED_ERR_ARGUMENT, where,
                           "length_penalty is %g, max_steps is %" PRId64
                           ": max_steps^length_penalty must be in 1e-250 .. 1e250",
                           alpha, max_steps);
}

static bool check_options(const heed_beam_search_options *o, int64_t max_steps)
{
    if (o->beams < 0 || o->beams > INT32_MAX)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "beams is %" PRId64 ": must be in 0 .. 2^31 - 1", o->beams);
    return check_penalty(o->length_penalty, max_steps);
}

heed_tensor *heed_beam_search(heed_generation_step step, void *user, heed_tensor *prompt, int64_t max_steps,
                              int64_t end, const heed_beam_search_options *options, heed_tensor **scores)
{
    HEED_ENTER(where);
    heed__clear_requested(&scores, 1);
    const heed_beam_search_options o = options ? *options : (heed_beam_search_options){0};
    if (!heed__generation_check(where, step, prompt, max_steps) || !check_options(&o, max_steps))
        return NULL;
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return NULL;
    search s = {.B = heed_dim(prompt, 0),
                .W = o.beams ? o.beams : BEAMS,
                .max_steps = max_steps,
                .capacity = max_steps < HEED__GENERATION_CAPACITY ? max_steps : HEED__GENERATION_CAPACITY,
                .end = end,
                .alpha = o.length_penalty};
    heed_tensor *best = make(&s) && run(&s, step, user, prompt) ? best_sequences(&s) : NULL;
    heed_tensor *computed = best ? heed_reshape(s.done.scores, HEED_SHAPE(s.B, s.W)) : NULL;
    return heed__scope_return_requested(scope, best, &computed, &scores, 1);
}
