/* kernels/regression/backward.h - the gradients of kernel regression, from the values that forward saved per query.
 * Weights are recomputed, once for all gradients.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
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

/* A call of the gradient kernel and its scratch. */
typedef struct regression_backward {
    const heed__regression_args *args;
    const heed__regression_saved *saved;
    const heed__regression_range *range;
    const heed__regression_grads *grads;
    T *pull; /* (v), factor g of a query */
    T *p;    /* one per key */
    key_totals of_k, of_v;
} regression_backward;

static key_totals key_totals_of(int64_t components, int64_t keys, int64_t m, arena *a)
{
    key_totals t = {.components = components, .keys = keys, .m = m};
    t.block = take_array(a, components * keys, sizeof(T));
    t.lost = take_array(a, components * keys, sizeof(T));
    return t;
}

static void take_backward_scratch(regression_backward *b, arena *a)
{
    const heed__regression_args *args = b->args;
    const int64_t keys = b->range->key_end - b->range->key_begin;
    b->pull = take_array(a, args->v, sizeof(T));
    b->p = take_array(a, capacity_for_keys(args), sizeof(T));
    if (args->shared && (b->grads->dk || b->grads->dv) && heed__is_long(args->n)) {
        b->of_k = key_totals_of(args->d, keys, args->m, a);
        b->of_v = key_totals_of(args->v, keys, args->m, a);
    }
}

/* A query, and the range of its keys. */
typedef struct regression_query {
    const visible_keys *keys;
    const T *q, *f, *pull, *values; /* pull = factor g */
    saved_row saved;
    int64_t d, v, m;
    key_grads to;
} regression_query;

/* Returns query `row`, and writes factor g to b->pull. */
static ALWAYS_INLINE regression_query regression_query_of(const regression_backward *b, int64_t row,
                                                          const visible_keys *keys, const key_grads *to)
{
    const heed__regression_args *args = b->args;
    const saved_row saved = saved_row_of(args, (void *)(uintptr_t)b->saved->rows, row);
    const T *g = (const T *)b->saved->g + row * args->v;
    for (int64_t c = 0; c < args->v; c++)
        b->pull[c] = *saved.factor * g[c];
    return (regression_query){.keys = keys,
                              .q = (const T *)args->queries + row * args->d,
                              .f = (const T *)b->saved->f + row * args->v,
                              .pull = b->pull,
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
static ALWAYS_INLINE vec pull_by_values(const regression_query *of, vec e, int64_t j, int64_t n, const bool single)
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

static ALWAYS_INLINE void add_pulls(const pulls *sums, lane_sums *along, lane_sums *beyond)
{
    wide_vec a, b;
    UNROLL
    for (int part = 0; part < PARTS; part++) {
        a.part[part] = sums[part].along;
        b.part[part] = sums[part].beyond;
    }
    lane_sums_add(along, a);
    lane_sums_add(beyond, b);
}

/* A component of a query and its keys. If it is `simple`, r is 1 and u needs no last factor, because half and half_near
 * include w^2; this requires that the component is plain, w > 0, and the nearest key is so near that nothing overflows.
 * In the functions below, `simple` is a constant. */
typedef struct swept {
    component of, shrunk;        /* the component with w, and the same component with r w */
    bool simple, only_component; /* only_component: the query has only this component */
    T widen, top;                /* weights are e^((top - u) widen) */
    const T *k;                  /* NULL: the query has no component */
    T *dk;                       /* NULL: not needed; dk[0] belongs to the key `first` */
    int64_t first;
    T *p; /* per key: p; before the sweep for the last component, the contribution of the other components to u */
} swept;

static ALWAYS_INLINE swept swept_of(const heed__regression_args *args, const regression_query *of, int64_t c, T *p)
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
               .first = of->to.first,
               .p = p};
    const T half = s.of.half * s.of.last, half_near = s.of.half_near * s.of.last;
    s.simple = s.of.plain && w > 0 && shrink == 1 && half_near <= LARGEST / 4;
    if (s.simple) {
        s.of.half = half;
        s.of.half_near = half_near;
    }
    return s;
}

/* n keys, at most WIDTH, from key j on; p points to their numbers p. */
typedef struct key_register {
    int64_t j, n;
    T *p;
} key_register;

/* Adds p (q - k) and p u to the sums, and adds p (q - k) to dk, multiplied by w^2 if the component is not plain. `key`
 * is the component of the keys. */
static ALWAYS_INLINE void pull_keys(const swept *s, key_register keys, vec key, vec p, pulls *sums, const bool simple)
{
    const component *c = &s->of;
    const vec away = c->q - key, pull = p * away;
    vec u = scaled_distances(c, key, simple || c->plain);
    if (!simple)
        u = min_vec(splat(LARGEST), u * c->last);
    if (keys.n < WIDTH) /* -inf is possible after the last key */
        u = select_vec(first_lanes(keys.n), u, (vec){0});
    sums->along = muladd_vec(p, away, sums->along);
    sums->beyond = muladd_vec(p, u, sums->beyond);
    if (s->dk)
        add_up_to(s->dk + keys.j - s->first, simple || c->plain ? pull : c->w * p * away * c->w, keys.n);
}

/* -- Sweeps over the keys ------------------------------------------------------------------------------------------ */

typedef struct sweep_kind {
    bool last, simple, single;
} sweep_kind;

/* Sweeps a register of keys for the last component: computes their weights and p, and adds to the sums, dk and dv.
 * Stores p for the other components. */
static ALWAYS_INLINE void sweep_last(const regression_query *of, const swept *s, key_register keys, pulls *sums,
                                     const sweep_kind kind)
{
    const vec zero = {0};
    const component *c = kind.simple ? &s->of : &s->shrunk;
    const vec key = kind.simple || s->k ? load_up_to(s->k + keys.j, keys.n, splat(c->q)) : zero;
    vec u = scaled_distances(c, key, kind.simple || c->plain) * (kind.simple ? 1 : c->last);
    if (!s->only_component)
        u += load(keys.p);
    vec e = exp_below_vec((s->top - u) * (kind.simple ? 1 : s->widen));
    if (keys.n < WIDTH)
        e = select_vec(first_lanes(keys.n), e, zero);
    vec pull = pull_by_values(of, e, keys.j, keys.n, kind.single);
    if (keys.n < WIDTH) /* NaN is possible after the last key, if f is infinite */
        pull = select_vec(first_lanes(keys.n), pull, zero);
    if (!s->only_component)
        store(keys.p, pull);
    pull_keys(s, keys, key, pull, sums, kind.simple);
}

/* For a component other than the last, uses the p that sweep_last has stored. */
static ALWAYS_INLINE void sweep_register(const regression_query *of, const swept *s, key_register keys, pulls *sums,
                                         const sweep_kind kind)
{
    if (kind.last) {
        sweep_last(of, s, keys, sums, kind);
        return;
    }
    const vec key = load_up_to(s->k + keys.j, keys.n, splat(s->of.q));
    pull_keys(s, keys, key, load_up_to(keys.p, keys.n, (vec){0}), sums, kind.simple);
}

/* Sweeps all keys for a component: *dq = -w^2 sum of p (q - k), *moment = sum of p u. Query and component are passed by
 * value, so that the compiler knows that no store changes them. */
static ALWAYS_INLINE void sweep(const regression_query of, const swept s, T *dq, T *moment, const sweep_kind kind)
{
    lane_sums along = lane_sums_for(of.keys->m), beyond = along;
    for (int r = 0; r < of.keys->spans; r++) {
        const int64_t n = of.keys->span[r].n, from = of.keys->span[r].from;
        T *p = s.p + of.keys->span[r].at;
        for (int64_t begin = 0; begin < n; begin += CHAIN_TERMS) {
            const int64_t end = n - begin < CHAIN_TERMS ? n : begin + CHAIN_TERMS;
            pulls sums[PARTS] = {{{0}, {0}}};
            int64_t j = begin;
            for (; j + LANES <= end; j += LANES) {
                UNROLL
                for (int part = 0; part < PARTS; part++)
                    sweep_register(&of, &s, (key_register){from + j + part * WIDTH, WIDTH, p + j + part * WIDTH},
                                   &sums[part], kind);
            }
            UNROLL
            for (int part = 0; part < PARTS; part++) {
                const int64_t at = j + part * WIDTH;
                if (at < end)
                    sweep_register(&of, &s, (key_register){from + at, min_i64(end - at, WIDTH), p + at}, &sums[part],
                                   kind);
            }
            add_pulls(sums, &along, &beyond);
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
static ALWAYS_INLINE void pull_component(const regression_query *of, const swept *s, bool last, T *dq, T *moment)
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

static void pull_query(const regression_backward *b, int64_t row, const key_grads *to)
{
    const heed__regression_args *args = b->args;
    const int64_t d = args->d;
    const visible_keys keys = visible_keys_of(args, row, b->range->key_begin, b->range->key_end);
    const regression_query of = regression_query_of(b, row, &keys, to);
    T *dq = b->grads->dq, *moments = b->grads->moments;
    heed__regression_args others = *args;
    others.d = d - 1;
    if (d > 1)
        row_distances(&others, &keys, of.q, of.saved.near, *of.saved.shrink, b->p);
    for (int64_t c = d - 1; c >= 0 || c == d - 1; c--) {
        const swept s = swept_of(args, &of, c, b->p);
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

static void add_key_block(const key_totals *t)
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

/* The gradients for queries begin .. end - 1, if their sums over the queries are long. */
static void long_key_grads(regression_backward *b, int64_t begin, int64_t end, const key_grads *to)
{
    const key_grads block = {to->dk ? b->of_k.block : NULL, to->dv ? b->of_v.block : NULL, b->of_k.keys, to->first};
    begin_totals(&b->of_k, to->dk);
    begin_totals(&b->of_v, to->dv);
    for (int64_t row = begin; row < end; row++) {
        pull_query(b, row, &block);
        if (row + 1 == end || (row + 1 - begin) % HEED_LONG_CHAIN == 0) {
            add_key_block(&b->of_k);
            add_key_block(&b->of_v);
        }
    }
}

static void clear_key_grads(int64_t components, int64_t keys, int64_t m, T *sums)
{
    for (int64_t c = 0; sums && c < components; c++)
        memset(sums + c * m, 0, (size_t)keys * sizeof(T));
}

/* Computes the gradients for queries begin .. end - 1 and the range of keys of one set; to->dk and to->dv point to the
 * first of these keys. */
static void key_set_grads(regression_backward *b, int64_t begin, int64_t end, const key_grads *to)
{
    const heed__regression_args *args = b->args;
    const int64_t keys = b->range->key_end - b->range->key_begin;
    clear_key_grads(args->d, keys, args->m, to->dk);
    clear_key_grads(args->v, keys, args->m, to->dv);
    if (b->of_k.block) {
        long_key_grads(b, begin, end, to);
    } else {
        for (int64_t row = begin; row < end; row++)
            pull_query(b, row, to);
    }
    widen_key_grads(args, keys, to->dk);
}

static int64_t regression_grad_kernel(const heed__regression_args *args, const heed__regression_saved *saved,
                                      const heed__regression_range *range, const heed__regression_grads *grads,
                                      void *scratch)
{
    arena a = {.base = scratch};
    regression_backward b = {.args = args, .saved = saved, .range = range, .grads = grads};
    take_backward_scratch(&b, &a);
    if (!scratch)
        return a.bytes;
    T *const dk = grads->dk ? (T *)grads->dk + range->key_begin : NULL;
    T *const dv = grads->dv ? (T *)grads->dv + range->key_begin : NULL;
    key_grads to = {dk, dv, args->m, range->key_begin};
    if (args->shared) {
        key_set_grads(&b, range->row_begin, range->row_end, &to);
        return a.bytes;
    }
    for (int64_t row = range->row_begin; row < range->row_end; row++) {
        to.dk = dk ? dk + row * args->d * args->m : NULL;
        to.dv = dv ? dv + row * args->v * args->m : NULL;
        key_set_grads(&b, row, row + 1, &to);
    }
    return a.bytes;
}

#endif
