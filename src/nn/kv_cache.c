/* nn/kv_cache.c - a cache of the keys and values of attention layers, for autoregressive prediction.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>

#include <heed/debug.h>
#include <heed/graph.h>
#include <heed/memory.h>
#include <heed/ops.h>

#include "base/mark.h"
#include "nn/kv_cache.h"

enum { CAPACITY = 32 }; /* default capacity in steps */

struct heed_kv_cache {
    int64_t capacity; /* initial capacity of a slot, in steps */
    int depth;        /* number of open scopes of forwards */
    heed__kv_slot *slots;
    size_t n, slots_capacity;
    heed_tensor *padding; /* i64 (B): padding steps at the beginning of every sequence; NULL without padding */
    uint64_t mark;
};

HEED_MARK_OUTLIVES_FREE(heed_kv_cache);

heed_kv_cache *heed_kv_cache_new(const heed_kv_cache_options *options)
{
    static const char where[] = "kv_cache_new";
    HEED_ENTER(where);
    const int64_t capacity = options && options->capacity != 0 ? options->capacity : CAPACITY;
    if (!heed__layer_check_size(where, "capacity", capacity))
        return NULL;
    heed_kv_cache *cache = heed_calloc(1, sizeof *cache);
    if (cache)
        *cache = (heed_kv_cache){.capacity = capacity, .mark = HEED_MARK(HEED_KV_CACHE, 0)};
    return cache;
}

static void release_slot(heed__kv_slot *slot)
{
    heed_release(slot->keys);
    heed_release(slot->values);
    heed_release(slot->valid_lens);
}

void heed_kv_cache_free(heed_kv_cache *cache)
{
    if (!cache || !heed__kv_cache_check("kv_cache_free", cache))
        return;
    for (size_t i = 0; i < cache->n; i++)
        release_slot(&cache->slots[i]);
    heed_release(cache->padding);
    heed_free(cache->slots, cache->slots_capacity * sizeof *cache->slots);
    cache->mark = 0;
    heed_free(cache, sizeof *cache);
}

bool heed__kv_cache_check(const char *where, const heed_kv_cache *cache)
{
    if (!cache)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "cache is NULL");
    return heed__is_marked(cache->mark, HEED_KV_CACHE) || heed_fail_freed(where, "the cache", cache);
}

heed_status heed_kv_cache_clear(heed_kv_cache *cache)
{
    static const char where[] = "kv_cache_clear";
    HEED_ENTER(where);
    if (!heed__kv_cache_check(where, cache))
        return heed_error_code();
    for (size_t i = 0; i < cache->n; i++)
        cache->slots[i].length = 0;
    heed_release(cache->padding);
    cache->padding = NULL;
    return HEED_OK;
}

int64_t heed_kv_cache_length(const heed_kv_cache *cache)
{
    static const char where[] = "kv_cache_length";
    HEED_ENTER(where);
    if (!heed__kv_cache_check(where, cache))
        return 0;
    for (size_t i = 0; i < cache->n; i++) /* skips empty slots, whose module may be freed */
        if (cache->slots[i].length > 0)
            return cache->slots[i].length;
    return 0;
}

/* -- Reordering ---------------------------------------------------------------------------------------------------- */

/* Sets *selected to a copy of the slot with only the sequences `rows`. The caller owns the tensors of the copy; the
 * copy of an empty slot has no tensors. Returns false after heed_fail. */
static bool select_slot_rows(const heed__kv_slot *slot, heed_tensor *rows, heed__kv_slot *selected)
{
    *selected = (heed__kv_slot){.module = slot->module};
    if (slot->length == 0)
        return true;
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return false;
    *selected = *slot;
    selected->keys = heed_retain(heed_index_select(slot->keys, 0, rows));
    selected->values = heed_retain(heed_index_select(slot->values, 0, rows));
    selected->valid_lens = slot->valid_lens ? heed_retain(heed_index_select(slot->valid_lens, 0, rows)) : NULL;
    heed_scope_end(scope);
    const bool ok = selected->keys && selected->values && (selected->valid_lens || !slot->valid_lens);
    if (!ok)
        release_slot(selected);
    return ok;
}

/* Reduces all slots to the sequences `rows`. On failure changes no slot and returns false after heed_fail. `selected`
 * is memory for the new slots. */
static bool select_all(heed_kv_cache *cache, heed_tensor *rows, heed__kv_slot *selected)
{
    size_t done = 0;
    while (done < cache->n && select_slot_rows(&cache->slots[done], rows, &selected[done]))
        done++;
    const bool ok = done == cache->n;
    for (size_t i = 0; i < done; i++) {
        heed__kv_slot old = ok ? cache->slots[i] : selected[i];
        release_slot(&old);
        if (ok)
            cache->slots[i] = selected[i];
    }
    return ok;
}

/* Returns the elements `rows` of the padding, owned by the caller. Returns NULL after heed_fail. */
static heed_tensor *select_padding(heed_tensor *padding, heed_tensor *rows)
{
    heed_scope *scope = heed_no_grad_begin();
    heed_tensor *selected = scope ? heed_retain(heed_index_select(padding, 0, rows)) : NULL;
    if (scope)
        heed_scope_end(scope);
    return selected;
}

heed_status heed_kv_cache_select(heed_kv_cache *cache, heed_tensor *rows)
{
    static const char where[] = "kv_cache_select";
    HEED_ENTER(where);
    if (!heed__kv_cache_check(where, cache) || !heed__layer_check_tensor(where, "rows", rows, HEED_I64, HEED_SHAPE(-1)))
        return heed_error_code();
    heed_tensor *padding = NULL;
    if (cache->padding && !(padding = select_padding(cache->padding, rows)))
        return heed_error_code();
    const size_t bytes = cache->n * sizeof *cache->slots;
    heed__kv_slot *selected = cache->n > 0 ? heed_alloc(bytes) : NULL;
    const bool ok = cache->n == 0 || (selected && select_all(cache, rows, selected));
    heed_free(selected, bytes);
    heed_release(ok ? cache->padding : padding);
    cache->padding = ok ? padding : cache->padding;
    return ok ? HEED_OK : heed_error_code();
}

/* -- Padding ------------------------------------------------------------------------------------------------------- */

static bool check_padding(const char *where, const heed_kv_cache *cache, const heed_tensor *padding)
{
    if (heed_kv_cache_length(cache) > 0)
        return heed_fail_false(HEED_ERR_STATE, where,
                               "the cache has %" PRId64 " steps: must be empty (heed_kv_cache_clear empties it)",
                               heed_kv_cache_length(cache));
    if (!heed__layer_check_tensor(where, "padding", padding, HEED_I64, HEED_SHAPE(-1)))
        return false;
    for (int64_t i = 0; i < heed_dim(padding, 0); i++)
        if (heed_get_i64(padding, HEED_INDEX(i)) < 0)
            return heed_fail_false(HEED_ERR_ARGUMENT, where,
                                   "padding %" PRId64 " of sequence %" PRId64 ": must be 0 or more",
                                   heed_get_i64(padding, HEED_INDEX(i)), i);
    return true;
}

heed_status heed_kv_cache_pad(heed_kv_cache *cache, heed_tensor *padding)
{
    static const char where[] = "kv_cache_pad";
    HEED_ENTER(where);
    if (!heed__kv_cache_check(where, cache) || !check_padding(where, cache, padding))
        return heed_error_code();
    heed_tensor *copy = heed_retain(heed_clone(padding));
    if (!copy)
        return heed_error_code();
    heed_release(cache->padding);
    cache->padding = copy;
    return HEED_OK;
}

heed_tensor *heed__kv_cache_padding(const heed_kv_cache *cache)
{
    return cache ? cache->padding : NULL;
}

bool heed__kv_cache_fits(const char *where, const heed_kv_cache *cache, const char *name, const heed_tensor *x)
{
    return !cache->padding || heed_dim(x, 0) == heed_dim(cache->padding, 0) ||
           heed_fail_false(HEED_ERR_SHAPE, where,
                           "%s is %s: must have %" PRId64 " sequences, as the padding of the cache", name,
                           heed_shape_text(heed_shape_of(x)).s, heed_dim(cache->padding, 0));
}

heed_tensor *heed__kv_cache_positions(heed_tensor *padding, int64_t first, int64_t steps)
{
    heed_tensor *all = heed_arange(HEED_F64, (double)first, (double)(first + steps), 1.0);
    heed_tensor *positions = heed_sub(all, heed_unsqueeze(heed_to_dtype(padding, HEED_F64), 1));
    return heed_to_dtype(heed_clamp(positions, 0.0, (double)(first + steps)), HEED_I64);
}

heed_tensor *heed__kv_cache_unpadded(heed_tensor *padding, int64_t keys)
{
    heed_tensor *first = heed_reshape(heed_to_dtype(padding, HEED_F64), HEED_SHAPE(heed_dim(padding, 0), 1, 1, 1));
    return heed_compare(heed_arange(HEED_F64, 0.0, (double)keys, 1.0), HEED_COMPARE_GE, first);
}

/* -- Slots --------------------------------------------------------------------------------------------------------- */

heed_scope *heed__kv_cache_scope_begin(heed_kv_cache *cache)
{
    heed_scope *scope = cache ? heed_no_grad_begin() : heed_scope_begin();
    if (!scope || !cache || cache->depth++ > 0)
        return scope;
    for (size_t i = 0; i < cache->n; i++)
        cache->slots[i].length_before = cache->slots[i].length;
    return scope;
}

heed_tensor *heed__kv_cache_scope_return(heed_kv_cache *cache, heed_scope *scope, heed_tensor *result,
                                         const heed__layer_output *outputs, int n)
{
    result = heed__scope_return_outputs(scope, result, outputs, n);
    if (!cache || --cache->depth > 0 || result)
        return result;
    for (size_t i = 0; i < cache->n; i++)
        cache->slots[i].length = cache->slots[i].length_before;
    return result;
}

static heed__kv_slot *find_cache_slot(const heed_kv_cache *cache, const heed_module *net)
{
    for (size_t i = 0; i < cache->n; i++)
        if (cache->slots[i].module == net->serial)
            return &cache->slots[i];
    return NULL;
}

static bool grow_cache_slots(heed_kv_cache *cache)
{
    const size_t capacity = cache->slots_capacity ? 2 * cache->slots_capacity : 4, size = sizeof *cache->slots;
    heed__kv_slot *slots = heed_alloc(capacity * size);
    if (!slots)
        return false;
    for (size_t i = 0; i < cache->n; i++)
        slots[i] = cache->slots[i];
    heed_free(cache->slots, cache->slots_capacity * size);
    cache->slots = slots;
    cache->slots_capacity = capacity;
    return true;
}

heed__kv_slot *heed__kv_cache_slot(heed_kv_cache *cache, const heed_module *net)
{
    heed__kv_slot *slot = find_cache_slot(cache, net);
    if (slot)
        return slot;
    if (cache->n == cache->slots_capacity && !grow_cache_slots(cache))
        return NULL;
    slot = &cache->slots[cache->n++];
    *slot = (heed__kv_slot){.module = net->serial};
    return slot;
}

int64_t heed__kv_cache_steps(const heed_kv_cache *cache, const heed_module *net)
{
    const heed__kv_slot *slot = find_cache_slot(cache, net);
    return slot ? slot->length : 0;
}

/* -- Appending ----------------------------------------------------------------------------------------------------- */

/* Returns a buffer (B, capacity, H, d) for x (B, T, H, d) that starts with the first `length` steps of `old`. The
 * caller owns it. Returns NULL after heed_fail. */
static heed_tensor *grown_buffer(heed_tensor *x, int64_t capacity, heed_tensor *old, int64_t length)
{
    heed_shape shape = heed_shape_of(x);
    shape.dims[1] = capacity;
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return NULL;
    heed_tensor *buffer = heed_zeros(heed_dtype_of(x), shape);
    if (buffer && length > 0 &&
        heed_copy_(heed_slice(buffer, 1, 0, length, 1), heed_slice(old, 1, 0, length, 1)) != HEED_OK)
        buffer = NULL;
    buffer = heed_retain(buffer);
    heed_scope_end(scope);
    return buffer;
}

/* Returns the capacity, doubled until `needed` steps fit. */
static int64_t capacity_for(const heed_kv_cache *cache, int64_t capacity, int64_t needed)
{
    if (capacity == 0)
        capacity = cache->capacity;
    while (capacity < needed && capacity <= INT64_MAX / 2)
        capacity *= 2;
    return capacity < needed ? needed : capacity;
}

/* Returns true if the steps of x (B, T, H, d) can be copied into `buffer`: the dtypes, B, H and d are equal. */
static bool same_layout(const heed_tensor *buffer, const heed_tensor *x)
{
    heed_shape shape = heed_shape_of(x);
    shape.dims[1] = heed_dim(buffer, 1);
    return heed_dtype_of(buffer) == heed_dtype_of(x) && heed_shape_equal(heed_shape_of(buffer), shape);
}

/* Ensures that the slot's tensors have capacity for `keys` and `values` after the slot's filled steps. Returns false
 * after heed_fail. */
static bool reserve_cache_steps(const heed_kv_cache *cache, heed__kv_slot *slot, heed_tensor *keys, heed_tensor *values)
{
    const int64_t needed = slot->length + heed_dim(keys, 1);
    const bool fits = slot->keys && same_layout(slot->keys, keys) && same_layout(slot->values, values);
    const int64_t allocated = fits ? heed_dim(slot->keys, 1) : 0;
    if (fits && needed <= allocated)
        return true;
    const int64_t capacity = capacity_for(cache, allocated, needed);
    heed_tensor *k = grown_buffer(keys, capacity, slot->keys, slot->length);
    heed_tensor *v = k ? grown_buffer(values, capacity, slot->values, slot->length) : NULL;
    heed_release(v ? slot->keys : k);
    if (!v)
        return false;
    heed_release(slot->values);
    slot->keys = k;
    slot->values = v;
    return true;
}

static bool write_cache_steps(heed_tensor *buffer, int64_t length, heed_tensor *x)
{
    return heed_copy_(heed_slice(buffer, 1, length, length + heed_dim(x, 1), 1), x) == HEED_OK;
}

bool heed__kv_cache_append(const char *where, const heed_kv_cache *cache, heed__kv_slot *slot, heed_tensor *keys,
                           heed_tensor *values, heed_tensor *valid_lens)
{
    if (slot->length > 0 && heed_dim(slot->keys, 0) != heed_dim(keys, 0))
        return heed_fail_false(HEED_ERR_SHAPE, where,
                               "keys and values have %" PRId64 " sequences: must have %" PRId64 ", as the cache",
                               heed_dim(keys, 0), heed_dim(slot->keys, 0));
    if (slot->length > 0 && (valid_lens || slot->valid_lens))
        return heed_fail_false(HEED_ERR_STATE, where,
                               "the cache has %" PRId64 " keys: with valid_lens, all keys must be appended in one call",
                               slot->length);
    if (!reserve_cache_steps(cache, slot, keys, values) || !write_cache_steps(slot->keys, slot->length, keys) ||
        !write_cache_steps(slot->values, slot->length, values))
        return false;
    heed_tensor *lens = valid_lens ? heed_retain(heed_clone(valid_lens)) : NULL;
    if (valid_lens && !lens)
        return false;
    heed_release(slot->valid_lens);
    slot->valid_lens = lens;
    slot->length += heed_dim(keys, 1);
    return true;
}
