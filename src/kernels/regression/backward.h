/* kernels/regression/backward.h - the gradients of kernel regression, from the values that forward saved per query.
 * Weights are recomputed, once for all gradients. */
#ifndef HEED_KERNELS_REGRESSION_BACKWARD_H
#define HEED_KERNELS_REGRESSION_BACKWARD_H

#include <string.h>

#include "kernels/kernels.h"
#include "kernels/regression/sweeps.h"
#include "kernels/simd/total.h"

/* Arrays in which the gradients of keys and values are summed: component c of key j is at index c * row + j - first.
 * For plain components, dk first sums p (q - k), which is multiplied by w^2 at the end. */
typedef struct key_grads {
    T *dk, *dv; /* NULL: not needed */
    int64_t row, first;
} key_grads;

/* Long sums over queries: sums of HEED_LONG_CHAIN queries are made in `block` and then added to dk or dv. */
typedef struct key_totals {
    int64_t components, keys, m;
    T *block, *lost; /* (components, keys); NULL if sums are short */
    T *sum;          /* the sum of the first key in dk or dv, whose components are m apart; NULL: not needed */
} key_totals;

typedef struct regression_workspace {
    T *pull; /* (v), factor g of a query */
    T *p;    /* one per key */
    key_totals of_k, of_v;
} regression_workspace;

static key_totals key_totals_of(int64_t components, int64_t keys, int64_t m, arena *a)
{
    key_totals t = {.components = components, .keys = keys, .m = m};
    t.block = take_array(a, components * keys, sizeof(T));
    t.lost = take_array(a, components * keys, sizeof(T));
    return t;
}

static regression_workspace regression_workspace_of(const heed__regression_args *args, int64_t keys, bool of_keys,
                                                    arena *a)
{
    regression_workspace w = {0};
    w.pull = take_array(a, args->v, sizeof(T));
    w.p = take_array(a, capacity_for_keys(args), sizeof(T));
    if (args->shared && of_keys && heed__is_long(args->n)) {
        w.of_k = key_totals_of(args->d, keys, args->m, a);
        w.of_v = key_totals_of(args->v, keys, args->m, a);
    }
    return w;
}

/* A query, and the range of its keys. */
typedef struct query {
    const visible_keys *keys;
    const T *q, *f, *pull, *values; /* pull = factor g */
    saved_row saved;
    int64_t d, v, m;
    key_grads to;
} query;

/* Returns query `row`, and writes factor g to `pull`, which holds v numbers. */
static ALWAYS_INLINE query query_of(const heed__regression_args *args, const heed__regression_saved *forward,
                                    int64_t row, const visible_keys *keys, const key_grads *to, T *pull)
{
    const saved_row saved = saved_row_of(args, (void *)(uintptr_t)forward->rows, row);
    const T *g = (const T *)forward->g + row * args->v;
    for (int64_t c = 0; c < args->v; c++)
        pull[c] = *saved.factor * g[c];
    return (query){.keys = keys,
                   .q = (const T *)args->queries + row * args->d,
                   .f = (const T *)forward->f + row * args->v,
                   .pull = pull,
                   .values = keys->values,
                   .saved = saved,
                   .d = args->d,
                   .v = args->v,
                   .m = args->m,
                   .to = *to};
}

/* -- A register of keys -------------------------------------------------------------------------------------------- */

/* y += x for at most n elements. */
static ALWAYS_INLINE void add_up_to(T *y, vec x, int64_t n)
{
    store_up_to(y, load_up_to(y, n, (vec){0}) + x, n);
}

/* Returns p = factor e sum_c g_c (v_jc - f_c), the gradient of -u_j, for at most n keys from key j on. Adds factor e g
 * to dv, unless dv is NULL. `single`: v is 1. */
static ALWAYS_INLINE vec pull_by_values(const query *of, vec e, int64_t j, int64_t n, const bool single)
{
    const T *values = of->values + j;
    T *dv = of->to.dv ? of->to.dv + j - of->to.first : NULL;
    vec sum = {0};
    if (single) {
        const vec pull = e * of->pull[0];
        if (dv)
            add_up_to(dv, pull, n);
        return pull * (load_up_to(values, n, (vec){0}) - of->f[0]);
    }
    for (int64_t c = 0; c < of->v; c++) {
        const vec pull = splat(of->pull[c]);
        sum = muladd_vec(load_up_to(values + c * of->m, n, (vec){0}) - of->f[c], pull, sum);
        if (dv)
            store_up_to(dv + c * of->to.row, muladd_vec(e, pull, load_up_to(dv + c * of->to.row, n, (vec){0})), n);
    }
    return e * sum;
}

/* Two sums over the keys, in registers, for a component of a query: `along` sums p (q - k), `beyond` sums p u. */
typedef struct pulls {
    vec along, beyond;
} pulls;

/* A component of a query and its keys. If it is `simple`, r is 1 and u needs no last factor, because half and half_near
 * include w^2; this requires that the component is plain, w > 0, and the nearest key is so near that nothing overflows.
 * In the functions below, `simple` is a constant. */
typedef struct swept {
    component of, shrunk;        /* the component with w, and the same component with r w */
    bool simple, only_component; /* only_component: the query has only this component */
    T widen, top;                /* weights are e^((top - u) widen) */
    const T *k;                  /* NULL: the query has no component */
    T *dk;                       /* NULL: not needed; dk[0] belongs to the key to.first */
    T *p;                        /* per key: p; before sweep_last, the contribution of the other components to u */
} swept;

static ALWAYS_INLINE swept swept_of(const heed__regression_args *args, const query *of, int64_t c, T *p)
{
    const T shrink = *of->saved.shrink, w = c >= 0 ? ((const T *)args->widths)[c] : 0;
    const T q = c >= 0 ? of->q[c] : 0, near = c >= 0 ? of->saved.near[c] : 0;
    swept s = {.of = component_of(q, near, w),
               .shrunk = component_of(q, near, w * shrink),
               .only_component = of->d <= 1,
               .widen = shrink == 1 ? 1 : inverse_square(shrink),
               .top = *of->saved.top,
               .k = c >= 0 ? of->keys->keys + c * of->m : NULL,
               .dk = c >= 0 && of->to.dk ? of->to.dk + c * of->to.row : NULL,
               .p = p};
    const T half = s.of.half * s.of.last, half_near = s.of.half_near * s.of.last;
    s.simple = s.of.plain && w > 0 && shrink == 1 && half_near <= LARGEST / 4;
    if (s.simple) {
        s.of.half = half;
        s.of.half_near = half_near;
    }
    return s;
}

/* For at most n keys from key j on, adds p (q - k) and p u to the sums, and adds p (q - k) to dk, multiplied by w^2 if
 * the component is not plain. */
static ALWAYS_INLINE void pull_keys(const query *of, const swept *s, vec key, vec p, int64_t j, int64_t n, pulls *sums,
                                    const bool simple)
{
    const component *c = &s->of;
    const vec away = c->q - key, pull = p * away;
    vec u = scaled_distances(c, key, simple || c->plain);
    if (!simple)
        u = min_vec(splat(LARGEST), u * c->last);
    if (n < WIDTH) /* -inf is possible after the last key */
        u = select_vec(first_lanes(n), u, (vec){0});
    sums->along = muladd_vec(p, away, sums->along);
    sums->beyond = muladd_vec(p, u, sums->beyond);
    if (s->dk)
        add_up_to(s->dk + j - of->to.first, simple || c->plain ? pull : c->w * p * away * c->w, n);
}

/* -- Sweeps over the keys ------------------------------------------------------------------------------------------ */

/* Sweeps at most n keys for the last component. Computes their weights and p, adds to the sums, dk and dv, and stores p
 * for the other components. */
static ALWAYS_INLINE void sweep_last(const query *of, const swept *s, int64_t j, int64_t n, T *p, pulls *sums,
                                     const bool simple, const bool single)
{
    const vec zero = {0};
    const component *c = simple ? &s->of : &s->shrunk;
    const vec key = simple || s->k ? load_up_to(s->k + j, n, splat(c->q)) : zero;
    vec u = scaled_distances(c, key, simple || c->plain) * (simple ? 1 : c->last);
    if (!s->only_component)
        u += load(p);
    vec e = exp_below_vec((s->top - u) * (simple ? 1 : s->widen));
    if (n < WIDTH)
        e = select_vec(first_lanes(n), e, zero);
    const vec pull = pull_by_values(of, e, j, n, single);
    if (!s->only_component)
        store(p, pull);
    pull_keys(of, s, key, pull, j, n, sums, simple);
}

/* Sweeps at most n keys for a component other than the last, with the p that sweep_last has stored. */
static ALWAYS_INLINE void sweep_other(const query *of, const swept *s, int64_t j, int64_t n, const T *p, pulls *sums,
                                      const bool simple)
{
    const vec key = load_up_to(s->k + j, n, splat(s->of.q));
    pull_keys(of, s, key, load_up_to(p, n, (vec){0}), j, n, sums, simple);
}

typedef struct sweep_kind {
    bool last, simple, single;
} sweep_kind;

static ALWAYS_INLINE void sweep_register(const query *of, const swept *s, int64_t j, int64_t n, T *p, pulls *sums,
                                         const sweep_kind kind)
{
    if (kind.last)
        sweep_last(of, s, j, n, p, sums, kind.simple, kind.single);
    else
        sweep_other(of, s, j, n, p, sums, kind.simple);
}

/* Sweeps all keys for a component: *dq = -w^2 sum of p (q - k), *moment = sum of p u. Query and component are passed by
 * value, so that the compiler knows that no store changes them. */
static ALWAYS_INLINE void sweep(const query of, const swept s, T *dq, T *moment, const sweep_kind kind)
{
    lane_sums along = lane_sums_for(of.keys->m), beyond = along;
    for (int r = 0; r < of.keys->spans; r++) {
        const int64_t n = of.keys->span[r].n, from = of.keys->span[r].from;
        T *p = s.p + of.keys->span[r].at;
        for (int64_t begin = 0; begin < n; begin += CHAIN_TERMS) {
            const int64_t end = n - begin < CHAIN_TERMS ? n : begin + CHAIN_TERMS;
            pulls sums = {{0}, {0}};
            int64_t j = begin;
            for (; j + WIDTH <= end; j += WIDTH)
                sweep_register(&of, &s, from + j, WIDTH, p + j, &sums, kind);
            if (j < end)
                sweep_register(&of, &s, from + j, end - j, p + j, &sums, kind);
            lane_sums_add(&along, sums.along);
            lane_sums_add(&beyond, sums.beyond);
        }
    }
    const T sum = lane_sums_value(along);
    if (dq)
        *dq = s.of.plain ? -s.of.last * sum : -(s.of.w * sum) * s.of.w;
    if (moment)
        *moment = lane_sums_value(beyond);
}

/* Sweeps all keys for component s, with the suitable constants. `last`: s is the last component, or the query has no
 * component. The last component comes before the others. */
static ALWAYS_INLINE void pull_component(const query *of, const swept *s, bool last, T *dq, T *moment)
{
    const bool single = of->v == 1;
    if (last && s->simple && single)
        sweep(*of, *s, dq, moment, (sweep_kind){true, true, true});
    else if (last && s->simple)
        sweep(*of, *s, dq, moment, (sweep_kind){true, true, false});
    else if (last)
        sweep(*of, *s, dq, moment, (sweep_kind){true, false, false});
    else if (s->simple)
        sweep(*of, *s, dq, moment, (sweep_kind){false, true, false});
    else
        sweep(*of, *s, dq, moment, (sweep_kind){false, false, false});
}

static void pull_query(const heed__regression_args *args, const heed__regression_saved *forward,
                       const heed__regression_range *range, int64_t row, const heed__regression_grads *grads,
                       const key_grads *to, const regression_workspace *w)
{
    const int64_t d = args->d;
    const visible_keys keys = visible_keys_of(args, row, range->key_begin, range->key_end);
    const query of = query_of(args, forward, row, &keys, to, w->pull);
    T *p = w->p, *dq = grads->dq, *moments = grads->moments;
    heed__regression_args others = *args;
    others.d = d - 1;
    if (d > 1)
        distances(&others, &keys, of.q, of.saved.near, *of.saved.shrink, p);
    for (int64_t c = d - 1; c >= 0 || c == d - 1; c--) {
        const swept s = swept_of(args, &of, c, p);
        pull_component(&of, &s, c == d - 1, dq && c >= 0 ? dq + row * d + c : NULL,
                       moments && c >= 0 ? moments + row * d + c : NULL);
    }
}

/* -- Ranges of queries and keys ------------------------------------------------------------------------------------ */

/* Multiplies dk, which holds sums of p (q - k) for plain components, by w^2. */
static void widen_key_grads(const heed__regression_args *args, int64_t keys, T *dk)
{
    for (int64_t c = 0; dk && c < args->d; c++) {
        const component of = component_of(0, 0, ((const T *)args->widths)[c]);
        INDEPENDENT
        for (int64_t j = 0; j < keys; j++)
            dk[c * args->m + j] *= of.plain ? of.last : 1;
    }
}

static void add_block(const key_totals *t)
{
    for (int64_t c = 0; t->sum && c < t->components; c++)
        total_add_row_kernel(t->keys, t->block + c * t->keys, t->sum + c * t->m, t->lost + c * t->keys);
    memset(t->block, 0, (size_t)(t->components * t->keys) * sizeof(T));
}

static void begin_totals(key_totals *t, T *sum)
{
    t->sum = sum;
    memset(t->block, 0, (size_t)(t->components * t->keys) * sizeof(T));
    memset(t->lost, 0, (size_t)(t->components * t->keys) * sizeof(T));
}

static void long_key_grads(const heed__regression_args *args, const heed__regression_saved *forward,
                           const heed__regression_range *range, const heed__regression_grads *grads, T *dk, T *dv,
                           regression_workspace *w)
{
    const key_grads to = {dk ? w->of_k.block : NULL, dv ? w->of_v.block : NULL, w->of_k.keys, range->key_begin};
    begin_totals(&w->of_k, dk);
    begin_totals(&w->of_v, dv);
    for (int64_t row = range->row_begin; row < range->row_end; row++) {
        pull_query(args, forward, range, row, grads, &to, w);
        if (row + 1 == range->row_end || (row + 1 - range->row_begin) % HEED_LONG_CHAIN == 0) {
            add_block(&w->of_k);
            add_block(&w->of_v);
        }
    }
}

static void clear_keys(int64_t components, int64_t keys, int64_t m, T *sums)
{
    for (int64_t c = 0; sums && c < components; c++)
        memset(sums + c * m, 0, (size_t)keys * sizeof(T));
}

/* Computes the gradients for a range of one set of keys; dk and dv point to the first of these keys. */
static void key_set_grads(const heed__regression_args *args, const heed__regression_saved *forward,
                          const heed__regression_range *range, const heed__regression_grads *grads, T *dk, T *dv,
                          regression_workspace *w)
{
    const int64_t keys = range->key_end - range->key_begin;
    const key_grads to = {dk, dv, args->m, range->key_begin};
    clear_keys(args->d, keys, args->m, dk);
    clear_keys(args->v, keys, args->m, dv);
    if (w->of_k.block) {
        long_key_grads(args, forward, range, grads, dk, dv, w);
    } else {
        for (int64_t row = range->row_begin; row < range->row_end; row++)
            pull_query(args, forward, range, row, grads, &to, w);
    }
    widen_key_grads(args, keys, dk);
}

static int64_t regression_grad_kernel(const heed__regression_args *args, const heed__regression_saved *forward,
                                      const heed__regression_range *range, const heed__regression_grads *grads,
                                      void *scratch)
{
    arena a = {.base = scratch};
    regression_workspace w =
        regression_workspace_of(args, range->key_end - range->key_begin, grads->dk || grads->dv, &a);
    if (!scratch)
        return a.bytes;
    T *dk = grads->dk ? (T *)grads->dk + range->key_begin : NULL,
      *dv = grads->dv ? (T *)grads->dv + range->key_begin : NULL;
    if (args->shared) {
        key_set_grads(args, forward, range, grads, dk, dv, &w);
        return a.bytes;
    }
    for (int64_t row = range->row_begin; row < range->row_end; row++) {
        const heed__regression_range one = {row, row + 1, range->key_begin, range->key_end};
        key_set_grads(args, forward, &one, grads, dk ? dk + row * args->d * args->m : NULL,
                      dv ? dv + row * args->v * args->m : NULL, &w);
    }
    return a.bytes;
}

#endif
