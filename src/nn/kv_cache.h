/* nn/kv_cache.h - a cache of the keys and values of attention layers, for autoregressive prediction.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NN_KV_CACHE_H
#define HEED_NN_KV_CACHE_H

#include "nn/layer.h"

/* The cache entry of one attention layer; `length` of `capacity` steps are filled. */
typedef struct heed__kv_slot {
    uint64_t module;               /* the layer's serial: a later module may have the same address */
    heed_tensor *keys, *values;    /* (B, capacity, H, d), or NULL */
    heed_tensor *valid_lens;       /* (B), or NULL if all keys are valid */
    int64_t length, length_before; /* filled steps, and at the beginning of the outermost scope */
} heed__kv_slot;

/* Returns false after heed_fail if the cache is NULL or was freed. */
bool heed__kv_cache_check(const char *where, const heed_kv_cache *cache);

/* Begins the scope of a forward. With a cache, which may be NULL, no graph is recorded in the scope, and steps may be
 * appended; such scopes may be nested. Returns NULL after heed_fail. */
heed_scope *heed__kv_cache_scope_begin(heed_kv_cache *cache);

/* Ends the scope as heed__scope_return_outputs does. If the result is NULL, the end of the outermost scope with the
 * cache removes all steps that were appended since its beginning. */
heed_tensor *heed__kv_cache_scope_return(heed_kv_cache *cache, heed_scope *scope, heed_tensor *result,
                                         const heed__layer_output *outputs, int n);

/* Returns the layer's slot, or a new empty slot if the layer has none. The pointer is valid until a slot is added.
 * Returns NULL after heed_fail. */
heed__kv_slot *heed__kv_cache_slot(heed_kv_cache *cache, const heed_module *net);

/* Returns the number of cached steps of the layer. */
int64_t heed__kv_cache_steps(const heed_kv_cache *cache, const heed_module *net);

/* heed__kv_cache_padding returns the number of padding steps at the beginning of every sequence, i64 (B), or NULL.
 * heed__kv_cache_fits checks that x (B, ...) has as many sequences as the padding; it returns false after heed_fail. */
heed_tensor *heed__kv_cache_padding(const heed_kv_cache *cache);
bool heed__kv_cache_fits(const char *where, const heed_kv_cache *cache, const char *name, const heed_tensor *x);

/* heed__kv_cache_positions returns the positions of steps first .. first + steps - 1 in their sequences, i64 (B,
 * steps), with 0 in the padding. heed__kv_cache_unpadded returns which keys are not padding, bool (B, 1, 1, keys). They
 * return NULL after heed_fail. */
heed_tensor *heed__kv_cache_positions(heed_tensor *padding, int64_t first, int64_t steps);
heed_tensor *heed__kv_cache_unpadded(heed_tensor *padding, int64_t keys);

/* Appends keys and values, (B, T, H, d), to the slot and copies valid_lens, which may be NULL. Returns false after
 * heed_fail. */
bool heed__kv_cache_append(const char *where, const heed_kv_cache *cache, heed__kv_slot *slot, heed_tensor *keys,
                           heed_tensor *values, heed_tensor *valid_lens);

#endif
