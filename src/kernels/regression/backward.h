/* kernels/regression/backward.h - the gradients of kernel regression, from what forward kept of each query: the weights
 * are worked out again. */
#ifndef HEED_KERNELS_REGRESSION_BACKWARD_H
#define HEED_KERNELS_REGRESSION_BACKWARD_H

#include <string.h>

#include "kernels/kernels.h"
#include "kernels/regression/sweeps.h"
#include "kernels/simd/total.h"

/* p = factor e sum_c g_c (v_jc - f_c), the gradient of -u_j, with zeros up to the end of the last register. */
static ALWAYS_INLINE void score_grads(const heed__regression_args *args, const visible_keys *keys, T factor, const T *f,
                                      const T *g, const T *e, T *p)
{
    for (int r = 0; r < keys->runs; r++) {
        const T *values = keys->values + keys->run[r].from;
        const int64_t n = keys->run[r].n, at = keys->run[r].at;
        for (int64_t j = 0; j < n; j += WIDTH) {
            vec sum = {0};
            for (int64_t c = 0; c < args->v; c++)
                sum = muladd_vec(load_up_to(values + c * args->m + j, n - j, (vec){0}) - f[c], splat(g[c]), sum);
            store(p + at + j, load(e + at + j) * sum * factor);
        }
    }
}

/* dq = -w^2 sum of p (q - k); returns the sum of p u. k is the component of the keys. */
static ALWAYS_INLINE double query_grad_scaled(const visible_keys *keys, const component *c, const T *k, const T *p,
                                              T *dq, const bool plain)
{
    lane_sums along = lane_sums_for(keys->m), beyond = along;
    for (int r = 0; r < keys->runs; r++) {
        const int64_t n = keys->run[r].n, at = keys->run[r].at;
        for (int64_t begin = 0; begin < n; begin += CHAIN_TERMS) {
            const int64_t end = n - begin < CHAIN_TERMS ? n : begin + CHAIN_TERMS;
            vec sum = {0}, far = {0};
            for (int64_t j = begin; j < end; j += WIDTH) {
                vec key = load_up_to(k + keys->run[r].from + j, end - j, splat(c->q));
                vec slope = load_up_to(p + at + j, end - j, (vec){0});
                vec u = scaled_distances(c, key, plain);
                if (!plain) /* past the last key -inf is possible, too */
                    u = max_vec(splat(-LARGEST), min_vec(splat(LARGEST), u * c->last));
                sum = muladd_vec(slope, c->q - key, sum);
                far = muladd_vec(slope, u, far);
            }
            lane_sums_add(&along, sum);
            lane_sums_add(&beyond, far);
        }
    }
    *dq = plain ? -c->last * lane_sums_value(along) : -(c->w * lane_sums_value(along)) * c->w;
    return (double)lane_sums_value(beyond) * (plain ? (double)c->last : 1);
}

static ALWAYS_INLINE double query_grad(const visible_keys *keys, const component *c, const T *k, const T *p, T *dq)
{
    return c->plain ? query_grad_scaled(keys, c, k, p, dq, true) : query_grad_scaled(keys, c, k, p, dq, false);
}

static void regression_rows_grad_kernel(const heed__regression_args *args, const heed__regression_found *found,
                                        int64_t begin, int64_t end, void *dq_, void *moments_, void *scratch)
{
    const int64_t d = args->d, v = args->v, m = args->m;
    const T *widths = args->widths;
    T *u = scratch, *e = u + heed__regression_room(args);
    for (int64_t row = begin; row < end; row++) {
        const kept_row kept = kept_row_of(args, (void *)(uintptr_t)found->rows, row);
        const T *f = (const T *)found->f + row * v, *g = (const T *)found->g + row * v;
        const T *q = (const T *)args->queries + row * d;
        T *dq = (T *)dq_ + row * d, *moments = (T *)moments_ + row * d;
        const visible_keys keys = visible_keys_of(args, row, 0, m);
        distances(args, &keys, q, kept.near, *kept.shrink, u);
        (void)regression_weights(&keys, *kept.top, *kept.shrink, u, e);
        score_grads(args, &keys, *kept.factor, f, g, e, u);
        for (int64_t c = 0; c < d; c++) {
            const component of_c = component_of(q[c], kept.near[c], widths[c]);
            moments[c] = (T)query_grad(&keys, &of_c, keys.keys + c * m, u, &dq[c]);
        }
    }
}

/* y += factor x, and y += w^2 x (q - k) */
static void add_scaled(int64_t n, T factor, const T *x, T *y)
{
    INDEPENDENT
    for (int64_t j = 0; j < n; j++)
        y[j] += factor * x[j];
}

static void add_scaled_distances(int64_t n, T w, const T *x, T q, const T *k, T *y)
{
    const component c = component_of(q, 0, w);
    if (c.plain) {
        INDEPENDENT
        for (int64_t j = 0; j < n; j++)
            y[j] += c.last * x[j] * (q - k[j]);
    } else {
        INDEPENDENT
        for (int64_t j = 0; j < n; j++)
            y[j] += w * x[j] * (q - k[j]) * w;
    }
}

/* Where the gradients of keys and values are summed: component c of key j is number c row + j - first. */
typedef struct key_grads {
    T *dk, *dv; /* NULL: not wanted */
    int64_t row, first;
} key_grads;

/* What one query adds to the gradients of the keys of the part, and of their values. */
static void add_key_grads(const heed__regression_args *args, const heed__regression_found *found,
                          const heed__regression_part *part, int64_t row, const key_grads *to, T *scratch)
{
    const int64_t d = args->d, v = args->v, m = args->m;
    const T *widths = args->widths;
    T *u = scratch, *e = u + heed__regression_room(args);
    const kept_row kept = kept_row_of(args, (void *)(uintptr_t)found->rows, row);
    const T *q = (const T *)args->queries + row * d;
    const T *f = (const T *)found->f + row * v, *g = (const T *)found->g + row * v, factor = *kept.factor;
    const visible_keys keys = visible_keys_of(args, row, part->key_begin, part->key_end);
    distances(args, &keys, q, kept.near, *kept.shrink, u);
    (void)regression_weights(&keys, *kept.top, *kept.shrink, u, e);
    for (int r = 0; r < keys.runs; r++) {
        for (int64_t c = 0; c < v && to->dv; c++)
            add_scaled(keys.run[r].n, factor * g[c], e + keys.run[r].at,
                       to->dv + c * to->row + keys.run[r].from - to->first);
    }
    if (!to->dk)
        return;
    score_grads(args, &keys, factor, f, g, e, u);
    for (int r = 0; r < keys.runs; r++) {
        for (int64_t c = 0; c < d; c++)
            add_scaled_distances(keys.run[r].n, widths[c], u + keys.run[r].at, q[c],
                                 keys.keys + c * m + keys.run[r].from,
                                 to->dk + c * to->row + keys.run[r].from - to->first);
    }
}

/* Long sums over queries: those of HEED_LONG_CHAIN at a time go to scratch, and from there to dk or dv. */
typedef struct key_totals {
    int64_t components, keys, m;
    T *block, *lost; /* (components, keys) */
    T *sum;          /* that of the first key of dk or dv, whose components are m apart; NULL: not wanted */
} key_totals;

static void add_block(const key_totals *t)
{
    for (int64_t c = 0; t->sum && c < t->components; c++)
        total_add_row_kernel(t->keys, t->block + c * t->keys, t->sum + c * t->m, t->lost + c * t->keys);
    memset(t->block, 0, (size_t)(t->components * t->keys) * sizeof(T));
}

static void add_long_key_grads(const heed__regression_args *args, const heed__regression_found *found,
                               const heed__regression_part *part, T *dk, T *dv, T *scratch)
{
    const int64_t keys = part->key_end - part->key_begin, size_k = args->d * keys, size_v = args->v * keys;
    T *room = scratch + heed__regression_scratch(args);
    const key_totals of_k = {args->d, keys, args->m, room, room + size_k, dk ? dk + part->key_begin : NULL};
    room += 2 * size_k;
    const key_totals of_v = {args->v, keys, args->m, room, room + size_v, dv ? dv + part->key_begin : NULL};
    const key_grads to = {dk ? of_k.block : NULL, dv ? of_v.block : NULL, keys, part->key_begin};
    memset(of_k.block, 0, (size_t)(2 * (size_k + size_v)) * sizeof(T));
    for (int64_t row = part->row_begin; row < part->row_end; row++) {
        add_key_grads(args, found, part, row, &to, scratch);
        if (row + 1 == part->row_end || (row + 1 - part->row_begin) % HEED_LONG_CHAIN == 0) {
            add_block(&of_k);
            add_block(&of_v);
        }
    }
}

static void regression_keys_grad_kernel(const heed__regression_args *args, const heed__regression_found *found,
                                        const heed__regression_part *part, void *dk_, void *dv_, void *scratch)
{
    T *dk = dk_, *dv = dv_;
    if (args->shared && heed__is_long(part->row_end - part->row_begin)) {
        add_long_key_grads(args, found, part, dk, dv, scratch);
        return;
    }
    for (int64_t row = part->row_begin; row < part->row_end; row++) {
        const int64_t own = args->shared ? 0 : row;
        const key_grads to = {dk ? dk + own * args->d * args->m : NULL, dv ? dv + own * args->v * args->m : NULL,
                              args->m, 0};
        add_key_grads(args, found, part, row, &to, scratch);
    }
}

#endif
