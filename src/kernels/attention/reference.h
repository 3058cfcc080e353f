/* kernels/attention/reference.h - the computations of this folder as plain loops. The kernels compute the same up to
 * rounding, without ever storing all weights: in blocks of queries and keys (forward.h, backward.h), or for small sizes
 * query by query (by_query.h). The tests take expected values from here. The library does not contain this file.
 *
 * Dot-product attention:
 *
 *     s_ij = scale q_i . k_j + bias_ij     w_i = softmax of s_i     y_i = sum over j of w_ij kept_ij v_j
 *
 * q is (queries, d), k (keys, d), v (keys, e), y (queries, e). A bias of -inf hides key j from query i: lengths, masks,
 * causality and windows are biases here. `kept` has the factors of dropout. A query without visible keys has weights of
 * 0.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ATTENTION_REFERENCE_H
#define HEED_KERNELS_ATTENTION_REFERENCE_H

#include <math.h>
#include <stdint.h>

typedef struct reference_attention {
    int64_t queries, keys, d, e;
    double scale;
    const double *q, *k, *v;
    const double *bias, *kept; /* (queries, keys) */
} reference_attention;

/* Writes w (queries, keys) and y. */
static inline void reference_attend(const reference_attention *a, double *w, double *y)
{
    for (int64_t i = 0; i < a->queries; i++, w += a->keys) {
        double most = -INFINITY;
        long double sum = 0;
        for (int64_t j = 0; j < a->keys; j++) {
            long double dot = 0;
            for (int64_t c = 0; c < a->d; c++)
                dot += (long double)a->q[i * a->d + c] * a->k[j * a->d + c];
            w[j] = (double)(a->scale * dot) + a->bias[i * a->keys + j];
            most = fmax(most, w[j]);
        }
        for (int64_t j = 0; j < a->keys; j++)
            sum += w[j] = w[j] == -INFINITY ? 0 : exp(w[j] - most);
        for (int64_t j = 0; j < a->keys; j++)
            w[j] = sum > 0 ? (double)(w[j] / sum) : 0;
        for (int64_t c = 0; c < a->e; c++) {
            long double value = 0;
            for (int64_t j = 0; j < a->keys; j++)
                value += w[j] == 0 ? 0 : (long double)w[j] * a->kept[i * a->keys + j] * a->v[j * a->e + c];
            y[i * a->e + c] = (double)value;
        }
    }
}

/* The gradients for g (queries, e), the gradient of y:
 *
 *     dw_ij = kept_ij g_i . v_j                       dq_i = scale sum over j of ds_ij k_j
 *     ds_ij = w_ij (dw_ij - g_i . y_i)                dk_j = scale sum over i of ds_ij q_i
 *                                                     dv_j = sum over i of w_ij kept_ij g_i
 *
 * ds (queries, keys) is also the gradient of the bias. dq, dk and dv must hold zeros. */
typedef struct reference_attention_grads {
    const double *g;
    double *ds, *dq, *dk, *dv;
} reference_attention_grads;

static inline void reference_attend_grad(const reference_attention *a, const double *w, const double *y,
                                         const reference_attention_grads *out)
{
    for (int64_t i = 0; i < a->queries; i++)
        for (int64_t j = 0; j < a->keys; j++) {
            const double weight = w[i * a->keys + j], kept = a->kept[i * a->keys + j];
            long double slope = 0;
            for (int64_t c = 0; c < a->e && weight != 0; c++) {
                const double g_ic = out->g[i * a->e + c];
                slope += (long double)g_ic * (kept * a->v[j * a->e + c] - y[i * a->e + c]);
                out->dv[j * a->e + c] += weight * kept * g_ic;
            }
            out->ds[i * a->keys + j] = (double)(weight * slope);
            for (int64_t c = 0; c < a->d && weight != 0; c++) {
                out->dq[i * a->d + c] += a->scale * out->ds[i * a->keys + j] * a->k[j * a->d + c];
                out->dk[j * a->d + c] += a->scale * out->ds[i * a->keys + j] * a->q[i * a->d + c];
            }
        }
}

/* Additive attention: the score of row i and key j is y_ij = sum over h of w_h tanh(a_ih + b_jh), and 0 for a hidden
 * key. a is (rows, units), b (keys, units), w (units). Row i sees the keys before lengths[i]. */
typedef struct reference_additive {
    int64_t rows, keys, units;
    const double *a, *b, *w;
    const int64_t *lengths;
} reference_additive;

static inline void reference_add_scores(const reference_additive *s, double *y)
{
    for (int64_t i = 0; i < s->rows; i++)
        for (int64_t j = 0; j < s->keys; j++) {
            long double sum = 0;
            for (int64_t h = 0; h < s->units && j < s->lengths[i]; h++)
                sum += s->w[h] * tanhl((long double)s->a[i * s->units + h] + s->b[j * s->units + h]);
            y[i * s->keys + j] = (double)sum;
        }
}

/* With t = tanh(a_ih + b_jh), visible pairs add g_ij w_h (1 - t^2) to da_ih and to db_jh, and g_ij t to dw_h. All three
 * must hold zeros. g is (rows, keys). */
static inline void reference_add_scores_grad(const reference_additive *s, const double *g, double *da, double *db,
                                             double *dw)
{
    for (int64_t i = 0; i < s->rows; i++)
        for (int64_t j = 0; j < s->lengths[i]; j++)
            for (int64_t h = 0; h < s->units; h++) {
                const double g_ij = g[i * s->keys + j];
                const long double t = tanhl((long double)s->a[i * s->units + h] + s->b[j * s->units + h]);
                const double slope = (double)(g_ij * s->w[h] * (1 - t * t));
                da[i * s->units + h] += slope;
                db[j * s->units + h] += slope;
                dw[h] += (double)(g_ij * t);
            }
}

#endif
