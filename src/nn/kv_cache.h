/* nn/kv_cache.h - keys and values of attentions, kept for prediction; for attention and what is made of it. */
#ifndef HEED_NN_KV_CACHE_H
#define HEED_NN_KV_CACHE_H

#include <heed/nn.h>

/* What one attention has there. Of `capacity` steps `length` are filled. */
typedef struct heed__kv_slot {
    uint64_t module;            /* its serial: another one may come to lie where this one lay */
    heed_tensor *keys, *values; /* (B, capacity, H, d), or NULL */
    heed_tensor *valid_lens;    /* (B), or NULL: all */
    int64_t length, before;     /* before: that at heed__kv_cache_begin */
} heed__kv_slot;

/* Returns false after heed_fail if the cache is NULL or was freed. */
bool heed__kv_cache_check(const char *where, const heed_kv_cache *cache);

/* Around what may fail after having appended: where `ok` is false, the outermost end takes back what was appended since
 * its begin. */
void heed__kv_cache_begin(heed_kv_cache *cache);
void heed__kv_cache_end(heed_kv_cache *cache, bool ok);

/* The attention's slot, until the next one is added; a new one is empty. NULL after heed_fail. */
heed__kv_slot *heed__kv_cache_slot(heed_kv_cache *cache, const heed_module *net);

/* How many steps the attention has there. */
int64_t heed__kv_cache_steps(const heed_kv_cache *cache, const heed_module *net);

/* How many steps each sequence begins with that are none, i64 (B), or NULL: as many as it says of the batch of x (B,
 * ...), else false after heed_fail. */
heed_tensor *heed__kv_cache_padding(const heed_kv_cache *cache);
bool heed__kv_cache_fits(const char *where, const heed_kv_cache *cache, const char *name, const heed_tensor *x);

/* The places of steps first .. first + steps - 1 in their sequences, i64 (B, steps), 0 in the padding; and the keys
 * that are none of it, bool (B, 1, 1, keys). NULL after heed_fail. */
heed_tensor *heed__kv_cache_places(heed_tensor *padding, int64_t first, int64_t steps);
heed_tensor *heed__kv_cache_seen(heed_tensor *padding, int64_t keys);

/* Puts (B, T, H, d) behind what is there. False after heed_fail. */
bool heed__kv_cache_append(const char *where, const heed_kv_cache *cache, heed__kv_slot *slot, heed_tensor *keys,
                           heed_tensor *values, heed_tensor *valid_lens);

#endif
