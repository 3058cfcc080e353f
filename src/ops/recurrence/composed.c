/* ops/recurrence/composed.c - the gradient of recurrence composed of public ops, so that it can be differentiated
 * again. It uses the values that forward saved. In a second derivative these values have gradients, too, which this
 * code adds. The formulas are the same as in kernels/recurrence/backward.h.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "ops/recurrence/recurrence.h"

enum { Y = HEED__REC_Y, AFTER, KEPT };
enum { H, C };                        /* states */
enum { R, Z, N, M, GRU_KEPT };        /* saved per step of a GRU */
enum { I, F, G, O, CELL, GATES = 4 }; /* saved per step of an LSTM: its gates, and c */

/* The state of the loop over all steps. Absent tensors are NULL. */
typedef struct backward_pass {
    const heed__recurrence_params *p;
    int64_t T, h;
    heed_tensor *w;                   /* (1, gates h, h) */
    heed_tensor *g, *g_kept;          /* gradients of y and of the saved values */
    heed_tensor *kept, *before[2];    /* before[s] (T, B, h): state s before each step */
    heed_tensor *has_step, *zero;     /* has_step: bool (T, B, 1) */
    heed_tensor *slope, *terms, *y_c; /* depend on the cell, see prepare() */
    heed_tensor *d_state[2];          /* gradient of every state: (B, h) */
    heed_tensor *ds, *dx;             /* gradients of w h + b and of x, for the current step */
    heed_tensor *direct;              /* GRU: the part of d_state[H] that does not pass through w */
} backward_pass;

/* -- Gates --------------------------------------------------------------------------------------------------------- */

static int states_of(const backward_pass *a)
{
    return heed__cell_sizes_of(a->p->cell).states;
}

/* Returns gates i .. j - 1 of x, whose last axis has h elements per gate. */
static heed_tensor *gate_range(const backward_pass *a, heed_tensor *x, int i, int j)
{
    return heed_slice(x, -1, i * a->h, j * a->h, 1);
}

static heed_tensor *gate(const backward_pass *a, heed_tensor *x, int i)
{
    return gate_range(a, x, i, i + 1);
}

/* Returns x if `enabled` is NULL. Otherwise returns x + more, or NULL if `more` is NULL because of an error. */
static heed_tensor *with(heed_tensor *x, const heed_tensor *enabled, heed_tensor *more)
{
    return enabled ? heed_add(x, more) : x;
}

/* The derivatives of the sigmoid and of tanh, from their values: s (1 - s) and 1 - t^2. */
static heed_tensor *sigmoid_slope(heed_tensor *s)
{
    return heed_mul(s, heed_rsub_scalar(s, 1.0));
}

static heed_tensor *tanh_slope(heed_tensor *t)
{
    return heed_rsub_scalar(heed_square(t), 1.0);
}

static heed_tensor *at_step(heed_tensor *x, int64_t t)
{
    return x ? heed_select(x, 0, t) : NULL;
}

/* Returns the incoming gradient of gates i .. j - 1 of the values saved at step t; NULL if they have no gradient. */
static heed_tensor *kept_gradients(const backward_pass *a, int64_t t, int i, int j)
{
    return a->g_kept ? gate_range(a, at_step(a->g_kept, t), i, j) : NULL;
}

/* -- The cells: values for all steps, and one step ----------------------------------------------------------------- */

static void prepare(backward_pass *a, heed_tensor *y)
{
    heed_tensor *k = a->kept;
    switch (a->p->cell) {
    case HEED__CELL_TANH:
        a->slope = tanh_slope(y);
        break;
    case HEED__CELL_GRU: /* slope: the slopes of r and z. terms: h - n */
        a->slope = sigmoid_slope(gate_range(a, k, R, Z + 1));
        a->terms = heed_sub(a->before[H], gate(a, k, N));
        break;
    /* slope: the slopes of i, f, g, o. terms: g, c, i, tanh(c'); times dc, dc, dc, dh they are the gradients of i, f,
     * g, o. y_c: the derivative of h' with respect to c' */
    case HEED__CELL_LSTM:
        a->y_c = heed_tanh(gate(a, k, CELL));
        a->slope = heed_concat(HEED_TENSORS(sigmoid_slope(gate_range(a, k, I, G)), tanh_slope(gate(a, k, G)),
                                            sigmoid_slope(gate(a, k, O))),
                               -1);
        a->terms = heed_concat(HEED_TENSORS(gate(a, k, G), a->before[C], gate(a, k, I), a->y_c), -1);
        a->y_c = heed_mul(gate(a, k, O), tanh_slope(a->y_c));
        break;
    default: /* relu */
        a->slope = heed_to_dtype(heed_compare_scalar(y, HEED_COMPARE_GT, 0.0), y->dtype);
    }
}

static void gru_step(backward_pass *a, int64_t t, heed_tensor *dh)
{
    heed_tensor *k = at_step(a->kept, t), *n = gate(a, k, N), *z = gate(a, k, Z);
    heed_tensor *dn =
        heed_mul(with(heed_mul(dh, heed_rsub_scalar(z, 1.0)), a->g_kept, kept_gradients(a, t, N, M)), tanh_slope(n));
    heed_tensor *dr = heed_mul(dn, gate(a, k, M)), *dz = heed_mul(dh, at_step(a->terms, t));
    heed_tensor *gates = heed_mul(with(heed_concat(HEED_TENSORS(dr, dz), -1), a->g_kept, kept_gradients(a, t, R, N)),
                                  at_step(a->slope, t));
    heed_tensor *dm = with(heed_mul(dn, gate(a, k, R)), a->g_kept, kept_gradients(a, t, M, GRU_KEPT));
    a->dx = heed_concat(HEED_TENSORS(gates, dn), -1);
    a->ds = heed_concat(HEED_TENSORS(gates, dm), -1);
    a->direct = heed_mul(dh, z);
}

static void lstm_step(backward_pass *a, int64_t t, heed_tensor *dh)
{
    heed_tensor *dc = with(heed_add(a->d_state[C], heed_mul(dh, at_step(a->y_c, t))), a->g_kept,
                           kept_gradients(a, t, CELL, CELL + 1));
    heed_tensor *gates = heed_mul(heed_concat(HEED_TENSORS(dc, dc, dc, dh), -1), at_step(a->terms, t));
    a->dx = a->ds = heed_mul(with(gates, a->g_kept, kept_gradients(a, t, I, GATES)), at_step(a->slope, t));
    a->d_state[C] = heed_mul(dc, gate(a, at_step(a->kept, t), F));
}

/* -- The loop ------------------------------------------------------------------------------------------------------ */

/* Returns x with 0 for the steps after the end of a sequence. Incoming gradients are masked in this way before the cell
 * uses them. The gradients that the cell computes for these steps are then 0, and so are their derivatives, which would
 * be NaN if an incoming gradient were NaN. */
static heed_tensor *mask_steps(const backward_pass *a, heed_tensor *x, heed_tensor *has)
{
    return x && has ? heed_where(has, x, a->zero) : x;
}

/* Computes the gradients of step t. For a sequence that ends before step t, a->ds and a->dx are 0 and the gradients of
 * the states stay unchanged. */
static void step_back(backward_pass *a, int64_t t)
{
    heed_tensor *const later[2] = {a->d_state[H], a->d_state[C]}, *has = at_step(a->has_step, t);
    heed_tensor *dh = mask_steps(a, with(later[H], a->g, at_step(a->g, t)), has);
    a->d_state[C] = mask_steps(a, later[C], has);
    if (a->p->cell == HEED__CELL_GRU)
        gru_step(a, t, dh);
    else if (a->p->cell == HEED__CELL_LSTM)
        lstm_step(a, t, dh);
    else
        a->dx = a->ds = heed_mul(dh, at_step(a->slope, t)); /* tanh or relu */
    dh = heed_squeeze(heed_bmm(heed_unsqueeze(a->ds, 0), a->w), 0);
    a->d_state[H] = a->p->cell == HEED__CELL_GRU ? heed_add(dh, a->direct) : dh;
    if (!a->has_step)
        return;
    for (int s = 0; s < states_of(a); s++)
        a->d_state[s] = heed_where(has, a->d_state[s], later[s]);
}

/* Returns a bool tensor (T, B, 1): true if the sequence has the step. */
static heed_tensor *step_mask(heed_tensor *lens, int64_t T, int64_t B)
{
    const heed_tensor *dense = heed_contiguous(lens);
    const int64_t *lengths = dense ? (const void *)dense->data : NULL;
    heed_tensor *mask = heed_empty(HEED_BOOL, HEED_SHAPE(T, B, 1));
    bool *has = heed_mutable_bool(mask);
    for (int64_t i = 0; has && lengths && i < T * B; i++)
        has[i] = i / B < lengths[i % B];
    return lengths ? mask : NULL;
}

/* Returns the states (T, B, h) before every step, given x, the states after every step, and `first`, the initial state.
 * A reversed sequence begins with its last step, so `first` is the state before that step. */
static heed_tensor *states_before(const backward_pass *a, heed_tensor *x, heed_tensor *first)
{
    if (!a->p->reverse)
        return heed_concat(HEED_TENSORS(first, heed_slice(x, 0, 0, a->T - 1, 1)), 0);
    heed_tensor *moved = heed_concat(HEED_TENSORS(heed_slice(x, 0, 1, HEED_END, 1), first), 0);
    if (!a->has_step)
        return moved;
    heed_tensor *none = heed_zeros(HEED_BOOL, HEED_SHAPE(1, heed_dim(first, 1), 1));
    heed_tensor *has_next = heed_concat(HEED_TENSORS(heed_slice(a->has_step, 0, 1, HEED_END, 1), none), 0);
    return heed_where(has_next, moved, first);
}

static bool begin(backward_pass *a, const heed_call *call, heed_tensor *const *g)
{
    heed_tensor *y = call->outputs[Y], *before = call->inputs[HEED__REC_STATE], *w = call->inputs[HEED__REC_W];
    const heed_shape *x = &y->shape;
    heed_tensor *lens = heed__recurrence_lens(call);
    a->T = x->dims[0];
    a->h = x->dims[2];
    a->w = heed_unsqueeze(w, 0);
    a->g = g[Y];
    a->kept = call->outputs[KEPT];
    a->has_step = lens ? step_mask(lens, a->T, x->dims[1]) : NULL;
    a->zero = heed_zeros(y->dtype, HEED_SCALAR);
    a->g_kept = mask_steps(a, g[KEPT], a->has_step);
    for (int s = 0; s < states_of(a); s++) {
        heed_tensor *all = s == H ? y : gate(a, a->kept, CELL);
        a->before[s] = mask_steps(a, states_before(a, all, heed_slice(before, 0, s, s + 1, 1)), a->has_step);
        a->d_state[s] = g[AFTER] ? heed_select(g[AFTER], 0, s) : heed_zeros(y->dtype, HEED_SHAPE(x->dims[1], a->h));
    }
    prepare(a, y);
    return a->slope && a->zero && (!lens || a->has_step) && (a->g_kept || !g[KEPT]);
}

void heed__recurrence_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    backward_pass a = {.p = call->params};
    const int64_t T = call->outputs[Y]->shape.dims[0];
    if (T == 0) {
        const heed_dtype dtype = call->outputs[Y]->dtype;
        heed_tensor *none = heed_zeros(dtype, heed_call_shape(call, HEED__REC_X));
        heed_tensor *d_before = g[AFTER] ? g[AFTER] : heed_zeros(dtype, call->outputs[AFTER]->shape);
        heed__recurrence_store(call, none, none, call->outputs[Y], d_before, dx);
        return;
    }
    const size_t bytes = 2 * (size_t)T * sizeof(heed_tensor *);
    heed_tensor **ds = heed_alloc(bytes), **d_x = ds ? ds + T : NULL;
    bool ok = ds && begin(&a, call, g);
    for (int64_t s = 0; ok && s < T; s++) {
        const int64_t t = a.p->reverse ? s : T - 1 - s;
        step_back(&a, t);
        ds[t] = a.ds;
        d_x[t] = a.dx;
        ok = a.ds && a.dx && a.d_state[H] && (a.d_state[C] || states_of(&a) == 1);
    }
    if (ok) {
        heed_tensor *d_before = states_of(&a) > 1 ? heed_stack(HEED_TENSORS(a.d_state[H], a.d_state[C]), 0)
                                                  : heed_unsqueeze(a.d_state[H], 0);
        heed__recurrence_store(call, heed_stack(d_x, (int)T, 0), heed_stack(ds, (int)T, 0), a.before[H], d_before, dx);
    }
    heed_free(ds, bytes);
}
