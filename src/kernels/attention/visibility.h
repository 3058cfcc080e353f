/* kernels/attention/visibility.h - which keys each query may attend to, and what is added to its scores; part of
 * kernels.h.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ATTENTION_VISIBILITY_H
#define HEED_KERNELS_ATTENTION_VISIBILITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* More than any number of keys or queries. The sum of a few such numbers does not overflow int64_t. */
#define HEED_FAR (INT64_MAX / 8)

/* Numbers of elements between neighbours along the axes of (B, H, Q, K); 0 if they share an element. */
typedef struct heed__pair_steps {
    int64_t batch, head, query, key;
} heed__pair_steps;

/* The visibility in all batch elements. The heads are folded into the batch: batch element n is head n % heads of
 * sequence n / heads. Query i, at position i + offset among the keys, sees key j if all of the following hold. Pointers
 * may be NULL, which shows all keys and adds nothing.
 *
 *     j < lengths[query]
 *     j <= i + offset, if causal
 *     |i + offset - j| < window, if window > 0
 *     mask[query, key], bias[query, key] != -inf, and relative_bias[j - i] != -inf
 *
 * relative_bias points to the element for distance 0 among the distances 1 - queries .. keys - 1 of the first head. */
typedef struct heed__visibility {
    int64_t keys, heads;
    const int64_t *lengths; /* in 0 .. keys */
    const bool *mask;
    const void *bias, *relative_bias;
    heed__pair_steps length_step, mask_step, bias_step;
    int64_t relative_bias_step; /* between two heads */
    int64_t size;               /* bytes per element of bias and relative_bias */
    bool causal;
    int64_t offset, window; /* in 0 .. HEED_FAR */
} heed__visibility;

/* Moves the pointers of `own`, a copy of `all`, to batch element n. The following functions, and the kernels of
 * attention, get the visibility of one batch element. */
static inline void heed__visibility_move(const heed__visibility *all, int64_t n, heed__visibility *own)
{
    if (!all->lengths && !all->mask && !all->bias && !all->relative_bias)
        return;
    const int64_t batch = n / all->heads, head = n % all->heads;
    if (all->lengths)
        own->lengths = all->lengths + batch * all->length_step.batch + head * all->length_step.head;
    if (all->mask)
        own->mask = all->mask + batch * all->mask_step.batch + head * all->mask_step.head;
    if (all->bias)
        own->bias = (const char *)all->bias + (batch * all->bias_step.batch + head * all->bias_step.head) * all->size;
    if (all->relative_bias)
        own->relative_bias = (const char *)all->relative_bias + head * all->relative_bias_step * all->size;
}

/* The keys begin .. end - 1; none if begin >= end. */
typedef struct heed__key_range {
    int64_t begin, end;
} heed__key_range;

/* The keys that lengths, causality and window show to query i; mask and biases may hide some of them. */
static inline heed__key_range heed__visible_range(const heed__visibility *own, int64_t i)
{
    const int64_t position = i + own->offset,
                  length = own->lengths ? own->lengths[i * own->length_step.query] : own->keys;
    const int64_t most = own->causal ? position + 1 : own->window > 0 ? position + own->window : length;
    const int64_t first = own->window > 0 ? position - own->window + 1 : 0;
    return (heed__key_range){first > 0 ? first : 0, most < length ? most : length};
}

/* Returns whether query i sees key j, except for biases. */
static inline bool heed__is_visible(const heed__visibility *own, int64_t i, int64_t j)
{
    const heed__key_range range = heed__visible_range(own, i);
    return j >= range.begin && j < range.end &&
           (!own->mask || own->mask[i * own->mask_step.query + j * own->mask_step.key]);
}

/* Returns true if two queries of a batch element may see different keys, except for biases. */
static inline bool heed__differs_by_query(const heed__visibility *v)
{
    return v->causal || v->length_step.query != 0 || v->window > 0 || v->mask;
}

/* Returns true if the visible keys of a query are more than a range from key 0 on, or if there are biases. The kernels
 * then add a score bias to every score: the sum of the biases, or -inf for a hidden key. */
static inline bool heed__has_score_bias(const heed__visibility *v)
{
    return v->mask || v->bias || v->relative_bias || v->window > 0;
}

#endif
