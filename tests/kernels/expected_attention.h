/* tests/kernels/expected_attention.h - what a call of the kernels of dot-product attention must return, by their
 * reference, and how far it may be off.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_EXPECTED_ATTENTION_H
#define HEED_TESTS_EXPECTED_ATTENTION_H

#include "kernel_arrays.h"
#include "kernels/attention/reference.h"
#include "kernels/elementwise/reference.h"

/* Inputs and results of the reference, and how far the results of the kernels may be off. */
static struct {
    double q[ARRAY_MAX], k[ARRAY_MAX], v[ARRAY_MAX], g[ARRAY_MAX], bias[ARRAY_MAX], kept[ARRAY_MAX];
    double w[ARRAY_MAX], y[ARRAY_MAX], ds[ARRAY_MAX], dq[ARRAY_MAX], dk[ARRAY_MAX], dv[ARRAY_MAX];
    double y_off[ARRAY_MAX], ds_off[ARRAY_MAX], dq_off[ARRAY_MAX], dk_off[ARRAY_MAX], dv_off[ARRAY_MAX];
} expected;

/* Everything that is added to the score of a query and a key, and -inf if the query does not see the key. */
static inline double bias_of(int dtype, const heed__attention_args *s, int64_t i, int64_t j)
{
    const heed__visibility *v = &s->visibility;
    if (!heed__is_visible(v, i, j))
        return -INFINITY;
    const double by_pair = v->bias ? array_get(dtype, v->bias, i * v->bias_step.query + j * v->bias_step.key) : 0;
    return by_pair + (v->relative_bias ? array_get(dtype, v->relative_bias, j - i) : 0);
}

static inline double kept_of(int dtype, const heed__attention_args *s, int64_t i, int64_t j)
{
    const heed__dropout_numbers *dropout = s->dropout;
    if (!dropout)
        return 1;
    if (reference_dropout_word(dropout->seed, dropout->position, s->first + i * s->keys + j) < dropout->threshold)
        return 0;
    return dtype == HEED_F32 ? (double)(float)dropout->factor : dropout->factor;
}

/* Rows of all arrays are contiguous. */
static inline reference_attention expect_attention(int dtype, const heed__attention_args *s, const void *g)
{
    const reference_attention a = {.queries = s->queries,
                                   .keys = s->keys,
                                   .d = s->d,
                                   .e = s->e,
                                   .scale = s->scale,
                                   .q = expected.q,
                                   .k = expected.k,
                                   .v = expected.v,
                                   .bias = expected.bias,
                                   .kept = expected.kept};
    memset(&expected, 0, sizeof expected);
    array_read(dtype, s->q, s->queries * s->d, expected.q);
    array_read(dtype, s->k, s->keys * s->d, expected.k);
    array_read(dtype, s->v, s->keys * s->e, expected.v);
    array_read(dtype, g, s->queries * s->e, expected.g);
    for (int64_t i = 0; i < s->queries; i++)
        for (int64_t j = 0; j < s->keys; j++) {
            expected.bias[i * s->keys + j] = bias_of(dtype, s, i, j);
            expected.kept[i * s->keys + j] = kept_of(dtype, s, i, j);
        }
    reference_attend(&a, expected.w, expected.y);
    reference_attend_grad(
        &a, expected.w, expected.y,
        &(reference_attention_grads){
            .g = expected.g, .ds = expected.ds, .dq = expected.dq, .dk = expected.dk, .dv = expected.dv});
    return a;
}

/* Finds how far results may be off if weights and slopes have a relative error of `unit`, and products g_i . v_j one of
 * `of_product` of the magnitudes of their terms. */
static inline void find_limits(const reference_attention *a, double unit, double of_product)
{
    for (int64_t i = 0; i < a->queries; i++) {
        double y_share = 0;
        for (int64_t c = 0; c < a->e; c++) {
            for (int64_t j = 0; j < a->keys; j++) {
                const double w = unit * expected.w[i * a->keys + j] * expected.kept[i * a->keys + j];
                expected.y_off[i * a->e + c] += w * fabs(a->v[j * a->e + c]);
                expected.dv_off[j * a->e + c] += w * fabs(expected.g[i * a->e + c]);
            }
            y_share += fabs(expected.g[i * a->e + c]) * expected.y_off[i * a->e + c];
        }
        for (int64_t j = 0; j < a->keys; j++) {
            const int64_t at = i * a->keys + j;
            double product = 0;
            for (int64_t c = 0; c < a->e; c++)
                product += fabs(expected.g[i * a->e + c]) *
                           (fabs(a->v[j * a->e + c]) * expected.kept[at] + fabs(expected.y[i * a->e + c]));
            expected.ds_off[at] = unit * fabs(expected.ds[at]) + expected.w[at] * (y_share + of_product * product);
            for (int64_t c = 0; c < a->d; c++) {
                const double off = a->scale * expected.ds_off[at];
                expected.dq_off[i * a->d + c] += off * fabs(a->k[j * a->d + c]);
                expected.dk_off[j * a->d + c] += off * fabs(a->q[i * a->d + c]);
            }
        }
    }
}

#endif
