/* ops/loss/ctc_gradient.c - the gradient of ctc_loss composed of ops, step by step for all targets at once. See ctc.h.
 *
 * An impossible event has the log probability -1e30 here instead of -inf, so that logsumexp over impossible paths still
 * has a gradient. */

#include "ops/loss/ctc.h"

#include <math.h>

#define IMPOSSIBLE -1e30

/* Tensors shared by all steps, for n = 2 S + 1 states per target. bool (B, n): `exists` is true if the target has the
 * state, `skipped_to` if a path may skip a blank to reach the state, `last` if a path may end in the state. `classes`
 * and `log_probs` (T, B, n) are the class and the log probability of every state; `impossible` is the scalar
 * IMPOSSIBLE. */
typedef struct states {
    int64_t n;
    heed_tensor *exists, *skipped_to, *last, *classes, *log_probs, *impossible;
} states;

static bool fill(const heed__ctc *c, const states *p)
{
    if (!p->exists || !p->skipped_to || !p->last || !p->classes)
        return false;
    bool *exists = (void *)p->exists->data, *skipped_to = (void *)p->skipped_to->data, *last = (void *)p->last->data;
    int64_t *classes = (void *)p->classes->data;
    for (int64_t b = 0; b < c->batch; b++)
        for (int64_t l = 0, n = 2 * c->target_lens[b] + 1; l < p->n; l++) {
            int64_t i = b * p->n + l;
            exists[i] = l < n;
            skipped_to[i] = l < n && heed__ctc_skips(c, b, l);
            last[i] = l < n && l >= n - 2;
            classes[i] = l < n ? heed__ctc_class(c, b, l) : c->blank;
        }
    return true;
}

/* Returns a bool tensor (T, B, 1): true if step t is below input_lens[b]. The log_probs of later steps may be infinite
 * or NaN. */
static heed_tensor *step_mask(const heed__ctc *c)
{
    heed_tensor *steps = heed_reshape(heed_arange(HEED_I64, 0, (double)c->steps, 1), HEED_SHAPE(c->steps, 1, 1));
    heed_tensor *lens = heed_from_array(HEED_I64, HEED_SHAPE(1, c->batch, 1), c->input_lens, c->batch);
    return heed_compare(steps, HEED_COMPARE_LT, lens);
}

static bool make_states(const heed__ctc *c, heed_tensor *log_probs, states *p)
{
    *p = (states){.n = 2 * c->labels + 1};
    heed_shape shape = HEED_SHAPE(c->batch, p->n);
    p->exists = heed_empty(HEED_BOOL, shape);
    p->skipped_to = heed_empty(HEED_BOOL, shape);
    p->last = heed_empty(HEED_BOOL, shape);
    p->classes = heed_empty(HEED_I64, shape);
    if (!fill(c, p))
        return false;
    p->impossible = heed_full(log_probs->dtype, HEED_SCALAR, IMPOSSIBLE);
    p->classes = heed_contiguous(heed_expand(p->classes, HEED_SHAPE(c->steps, c->batch, p->n)));
    heed_tensor *probs = heed_where(step_mask(c), heed_gather(log_probs, 2, p->classes), p->impossible);
    p->log_probs = heed_clamp(probs, IMPOSSIBLE, (double)INFINITY);
    return p->log_probs && p->impossible;
}

/* Returns a bool tensor (B, 1): true if step t is below input_lens[b]. */
static heed_tensor *has_step(const heed__ctc *c, int64_t t)
{
    heed_tensor *has = heed_empty(HEED_BOOL, HEED_SHAPE(c->batch, 1));
    for (int64_t b = 0; has && b < c->batch; b++)
        ((bool *)(void *)has->data)[b] = t < c->input_lens[b];
    return has;
}

/* Returns x shifted by `by` states, towards lower states if `by` is negative, and filled with IMPOSSIBLE. */
static heed_tensor *moved(const states *p, heed_tensor *x, int64_t by)
{
    int64_t start = by < 0 ? -by : 0, stop = by < 0 ? p->n : p->n - by;
    heed_shape pads = HEED_SHAPE(by < 0 ? 0 : by, by < 0 ? -by : 0);
    if (start >= p->n || stop <= 0)
        return p->impossible;
    return heed_pad(heed_slice(x, 1, start, stop, 1), pads, HEED_PAD_CONSTANT, IMPOSSIBLE);
}

static heed_tensor *log_sum(const states *p, heed_tensor *a, heed_tensor *b, heed_tensor *c)
{
    heed_tensor *sum =
        heed_logsumexp(heed_stack(HEED_TENSORS(a, heed_expand(b, a->shape), heed_expand(c, a->shape)), 0), 0, false);
    return heed_where(p->exists, sum, p->impossible);
}

static heed_tensor *step_forward(const states *p, heed_tensor *alpha, heed_tensor *log_probs)
{
    heed_tensor *two = heed_where(p->skipped_to, moved(p, alpha, 2), p->impossible);
    return alpha && two ? heed_add(log_sum(p, alpha, moved(p, alpha, 1), two), log_probs) : NULL;
}

static heed_tensor *step_back(const states *p, heed_tensor *beta, heed_tensor *log_probs)
{
    heed_tensor *on = heed_add(beta, log_probs);
    heed_tensor *two = heed_where(p->skipped_to, on, p->impossible);
    return on && two ? log_sum(p, on, moved(p, on, -1), moved(p, two, -2)) : NULL;
}

/* Computes alpha for every step, and the losses (B, 1). Returns false after heed_fail. */
static bool go_forward(const heed__ctc *c, const states *p, heed_tensor **alpha, heed_tensor **losses)
{
    heed_tensor *first = heed_slice(p->exists, 1, 0, 2, 1), *none = heed_zeros(HEED_BOOL, HEED_SHAPE(c->batch, p->n));
    if (p->n > 2)
        first = heed_concat(HEED_TENSORS(first, heed_slice(none, 1, 2, HEED_END, 1)), 1);
    alpha[0] = heed_where(first, heed_select(p->log_probs, 0, 0), p->impossible);
    for (int64_t t = 1; alpha[t - 1] && t < c->steps; t++)
        alpha[t] =
            heed_where(has_step(c, t), step_forward(p, alpha[t - 1], heed_select(p->log_probs, 0, t)), alpha[t - 1]);
    heed_tensor *ends = heed_where(p->last, alpha[c->steps - 1], p->impossible);
    *losses = heed_neg(heed_logsumexp(ends, 1, true));
    return *losses;
}

/* Writes to at[t] the probabilities (B, n) that a path is in each state at step t. They are 0 for targets without a
 * possible path. */
static bool go_back(const heed__ctc *c, const states *p, heed_tensor *const *alpha, heed_tensor *losses,
                    heed_tensor **at)
{
    heed_tensor *zero = heed_zeros(losses->dtype, HEED_SCALAR), *end = heed_where(p->last, zero, p->impossible),
                *beta = end;
    heed_tensor *possible =
        heed_compare(losses, HEED_COMPARE_LT, heed_full(losses->dtype, HEED_SCALAR, -IMPOSSIBLE / 2));
    for (int64_t t = c->steps - 1; beta && t >= 0; t--) {
        heed_tensor *p_at = heed_exp(heed_where(possible, heed_add(heed_add(alpha[t], beta), losses), p->impossible));
        at[t] = heed_where(has_step(c, t), p_at, zero);
        if (t > 0)
            beta = heed_where(has_step(c, t), step_back(p, beta, heed_select(p->log_probs, 0, t)), end);
    }
    return beta;
}

static heed_tensor *gradient(const heed__ctc *c, heed_tensor *log_probs, heed_tensor *g, heed_tensor **alpha,
                             heed_tensor **at)
{
    states p;
    heed_tensor *losses;
    if (!make_states(c, log_probs, &p) || !go_forward(c, &p, alpha, &losses) || !go_back(c, &p, alpha, losses, at))
        return NULL;
    heed_tensor *pulls = heed_mul(heed_stack(at, (int)c->steps, 0), heed_unsqueeze(heed_neg(g), -1));
    return heed_scatter_sum(pulls, 2, p.classes, log_probs->shape);
}

heed_tensor *heed__ctc_gradient(const heed__ctc *c, heed_tensor *log_probs, heed_tensor *g)
{
    if (log_probs->numel == 0)
        return heed_zeros(log_probs->dtype, log_probs->shape);
    size_t bytes = 2 * (size_t)c->steps * sizeof(heed_tensor *);
    heed_tensor **rows = heed_calloc(1, bytes);
    if (!rows)
        return NULL;
    heed_tensor *dx = gradient(c, log_probs, g, rows, rows + c->steps);
    heed_free(rows, bytes);
    return dx;
}
