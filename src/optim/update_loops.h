/* optim/update_loops.h - the passes over the elements of parameters and gradients, for one element type.
 * optim/updates.c includes this file for f32 and for f64. It defines REAL, the type; TYPED(name), the name with a
 * suffix for the type; SQUARE_ROOT; LEAST, the smallest normal number; DATA and MUTABLE_DATA, which return the elements
 * of a tensor.
 *
 * Every update is one pass over a parameter p with gradient grad and its buffers. Operations are in PyTorch's order, so
 * that results agree. Conditions that are the same for all elements are constant where a loop is inlined, or the
 * compiler moves them out of the loop, so that it vectorises.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

/* -- SGD ----------------------------------------------------------------------------------------------------------- */

static void TYPED(sgd_plain)(const heed__sgd_rule *r, int64_t n, REAL *restrict p, const REAL *restrict grad)
{
    const REAL sign = r->maximize ? -1 : 1, decay = (REAL)r->weight_decay, lr = (REAL)r->lr;
    for (int64_t i = 0; i < n; i++) {
        REAL d = decay != 0 ? sign * grad[i] + decay * p[i] : sign * grad[i];
        p[i] -= lr * d;
    }
}

static void TYPED(sgd_momentum)(const heed__sgd_rule *r, int64_t n, REAL *restrict p, const REAL *restrict grad,
                                REAL *restrict b)
{
    const REAL sign = r->maximize ? -1 : 1, decay = (REAL)r->weight_decay, lr = (REAL)r->lr;
    const REAL momentum = (REAL)r->momentum, keep = (REAL)r->keep, take = (REAL)r->take;
    const bool nesterov = r->nesterov;
    for (int64_t i = 0; i < n; i++) {
        REAL d = decay != 0 ? sign * grad[i] + decay * p[i] : sign * grad[i];
        REAL average = keep * b[i] + take * d;
        b[i] = average;
        p[i] -= lr * (nesterov ? d + momentum * average : average);
    }
}

static void TYPED(update_sgd)(const heed__sgd_rule *rule, heed__slot *slot)
{
    const int64_t n = heed_numel(slot->target);
    if (rule->momentum == 0.0)
        TYPED(sgd_plain)(rule, n, MUTABLE_DATA(slot->target), DATA(slot->grad));
    else
        TYPED(sgd_momentum)(rule, n, MUTABLE_DATA(slot->target), DATA(slot->grad), MUTABLE_DATA(slot->buffer[0]));
}

/* -- Adam and AdamW ------------------------------------------------------------------------------------------------ */

/* m and v are averages of gradients and of their squares; `top` is the largest v so far, with amsgrad. A NaN in v
 * remains there, and therefore in top. A positive eps is raised to at least LEAST, so that it does not round to 0:
 * 0 / 0 would be NaN. */
static inline void TYPED(adam_loop)(const heed__adam_rule *r, int64_t n, REAL *restrict p, const REAL *restrict grad,
                                    REAL *restrict m, REAL *restrict v, REAL *restrict top, const bool amsgrad)
{
    const REAL beta1 = (REAL)r->beta1, one_minus_beta1 = (REAL)r->one_minus_beta1, beta2 = (REAL)r->beta2,
               one_minus_beta2 = (REAL)r->one_minus_beta2;
    const REAL decay = (REAL)r->decay, shrink = (REAL)r->shrink, sign = r->maximize ? -1 : 1;
    const REAL rate = (REAL)r->rate, root = (REAL)r->root;
    const REAL eps = r->eps > 0 && r->eps < (double)LEAST ? LEAST : (REAL)r->eps;
    for (int64_t i = 0; i < n; i++) {
        REAL g = decay != 0 ? sign * grad[i] + decay * p[i] : sign * grad[i];
        REAL mean = beta1 * m[i] + one_minus_beta1 * g, square = beta2 * v[i] + one_minus_beta2 * g * g;
        m[i] = mean;
        v[i] = square;
        if (amsgrad)
            top[i] = square = square <= top[i] ? top[i] : square;
        p[i] = shrink * p[i] - rate * mean / (SQUARE_ROOT(square) / root + eps);
    }
}

static void TYPED(update_adam)(const heed__adam_rule *rule, heed__slot *slot)
{
    const int64_t n = heed_numel(slot->target);
    const REAL *g = DATA(slot->grad);
    REAL *p = MUTABLE_DATA(slot->target), *m = MUTABLE_DATA(slot->buffer[0]), *v = MUTABLE_DATA(slot->buffer[1]);
    if (slot->buffer[2])
        TYPED(adam_loop)(rule, n, p, g, m, v, MUTABLE_DATA(slot->buffer[2]), true);
    else
        TYPED(adam_loop)(rule, n, p, g, m, v, NULL, false);
}

/* -- RMSprop ------------------------------------------------------------------------------------------------------- */

/* v is the average of squared gradients, b the momentum buffer, a the average of gradients. Rounding alone can make
 * v - a^2 negative, and the loop then replaces it by 0; a NaN stays NaN. */
static inline void TYPED(rmsprop_loop)(const heed__rmsprop_rule *r, int64_t n, REAL *restrict p,
                                       const REAL *restrict grad, REAL *restrict v, REAL *restrict b, REAL *restrict a,
                                       const bool moving, const bool centered)
{
    const REAL lr = (REAL)r->lr, alpha = (REAL)r->alpha, take = (REAL)(1.0 - r->alpha), eps = (REAL)r->eps;
    const REAL decay = (REAL)r->decay, momentum = (REAL)r->momentum, sign = r->maximize ? -1 : 1;
    for (int64_t i = 0; i < n; i++) {
        REAL g = decay != 0 ? sign * grad[i] + decay * p[i] : sign * grad[i];
        REAL spread = v[i] = alpha * v[i] + take * g * g;
        if (centered) {
            REAL mean = a[i] = alpha * a[i] + take * g;
            spread -= mean * mean;
            spread = spread < 0 ? 0 : spread;
        }
        REAL root = SQUARE_ROOT(spread) + eps;
        if (moving) {
            b[i] = momentum * b[i] + g / root;
            p[i] -= lr * b[i];
        } else {
            p[i] -= lr * g / root;
        }
    }
}

static void TYPED(update_rmsprop)(const heed__rmsprop_rule *rule, heed__slot *slot)
{
    const int64_t n = heed_numel(slot->target);
    const REAL *g = DATA(slot->grad);
    REAL *p = MUTABLE_DATA(slot->target), *v = MUTABLE_DATA(slot->buffer[HEED_RMSPROP_SQUARES]);
    heed_tensor *momentum = slot->buffer[HEED_RMSPROP_MOMENTUM], *means = slot->buffer[HEED_RMSPROP_MEANS];
    REAL *b = momentum ? MUTABLE_DATA(momentum) : NULL, *a = means ? MUTABLE_DATA(means) : NULL;
    if (b && a)
        TYPED(rmsprop_loop)(rule, n, p, g, v, b, a, true, true);
    else if (b)
        TYPED(rmsprop_loop)(rule, n, p, g, v, b, NULL, true, false);
    else if (a)
        TYPED(rmsprop_loop)(rule, n, p, g, v, NULL, a, false, true);
    else
        TYPED(rmsprop_loop)(rule, n, p, g, v, NULL, NULL, false, false);
}

/* -- Adagrad ------------------------------------------------------------------------------------------------------- */

/* s is the sum of squared gradients. */
static void TYPED(adagrad_loop)(const heed__adagrad_rule *r, int64_t n, REAL *restrict p, const REAL *restrict grad,
                                REAL *restrict s)
{
    const REAL rate = (REAL)r->rate, eps = (REAL)r->eps, decay = (REAL)r->decay, sign = r->maximize ? -1 : 1;
    for (int64_t i = 0; i < n; i++) {
        REAL g = decay != 0 ? sign * grad[i] + decay * p[i] : sign * grad[i];
        REAL sum = s[i] + g * g;
        s[i] = sum;
        p[i] -= rate * g / (SQUARE_ROOT(sum) + eps);
    }
}

static void TYPED(update_adagrad)(const heed__adagrad_rule *rule, heed__slot *slot)
{
    TYPED(adagrad_loop)
    (rule, heed_numel(slot->target), MUTABLE_DATA(slot->target), DATA(slot->grad), MUTABLE_DATA(slot->buffer[0]));
}

/* -- Lion ---------------------------------------------------------------------------------------------------------- */

/* m is the average of gradients. The sign of a NaN counts as NaN. */
static void TYPED(lion_loop)(const heed__lion_rule *r, int64_t n, REAL *restrict p, const REAL *restrict grad,
                             REAL *restrict m)
{
    const REAL lr = (REAL)r->lr, shrink = (REAL)r->shrink, sign = r->maximize ? -1 : 1;
    const REAL beta1 = (REAL)r->beta1, one_minus_beta1 = (REAL)(1.0 - r->beta1);
    const REAL beta2 = (REAL)r->beta2, one_minus_beta2 = (REAL)(1.0 - r->beta2);
    for (int64_t i = 0; i < n; i++) {
        REAL g = sign * grad[i], c = beta1 * m[i] + one_minus_beta1 * g;
        REAL step = c > 0 ? lr : c < 0 ? -lr : c;
        m[i] = beta2 * m[i] + one_minus_beta2 * g;
        p[i] = shrink * p[i] - step;
    }
}

static void TYPED(update_lion)(const heed__lion_rule *rule, heed__slot *slot)
{
    TYPED(lion_loop)
    (rule, heed_numel(slot->target), MUTABLE_DATA(slot->target), DATA(slot->grad), MUTABLE_DATA(slot->buffer[0]));
}

/* -- Muon ---------------------------------------------------------------------------------------------------------- */

/* b is the momentum buffer, d the direction. */
static void TYPED(muon_loop)(const heed__muon_rule *r, int64_t n, REAL *restrict p, const REAL *restrict grad,
                             REAL *restrict b, const REAL *restrict d)
{
    const REAL rate = (REAL)r->rate, shrink = (REAL)r->shrink, take = (REAL)r->take, sign = r->maximize ? -1 : 1;
    for (int64_t i = 0; i < n; i++) {
        b[i] += take * (sign * grad[i] - b[i]);
        p[i] = shrink * p[i] - rate * d[i];
    }
}

static void TYPED(update_muon)(const heed__muon_rule *rule, heed__slot *slot)
{
    TYPED(muon_loop)
    (rule, heed_numel(slot->target), MUTABLE_DATA(slot->target), DATA(slot->grad), MUTABLE_DATA(slot->buffer[0]),
     DATA(slot->direction));
}

/* -- Averages ------------------------------------------------------------------------------------------------------ */

static void TYPED(move_average)(int64_t n, REAL *restrict a, const REAL *restrict p, const REAL weight)
{
    for (int64_t i = 0; i < n; i++)
        a[i] += weight * (p[i] - a[i]);
}

/* -- Sums of squares ----------------------------------------------------------------------------------------------- */

/* Returns the sum of the squares of scale x[i]. The square of element i is added to lane i mod HEED_LANES. */
static inline double TYPED(sum_of_squares)(int64_t n, const REAL *x, const double scale)
{
    double lane[HEED_LANES] = {0.0};
    int64_t i = 0;
    for (; i <= n - HEED_LANES; i += HEED_LANES)
        for (int k = 0; k < HEED_LANES; k++)
            lane[k] += ((double)x[i + k] * scale) * ((double)x[i + k] * scale);
    for (int k = 0; i < n; i++, k++)
        lane[k] += ((double)x[i] * scale) * ((double)x[i] * scale);
    return heed__sum_lanes(lane);
}
