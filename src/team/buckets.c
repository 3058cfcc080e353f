/* team/buckets.c - sums gradients in buckets, vectors of several parameters each.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "team/team.h"

#include <string.h>

#include <heed/graph.h>
#include <heed/memory.h>
#include <heed/ops.h>
#include <heed/scope.h>

enum { MIN_ELEMENTS = 4 * HEED_CHUNK }; /* minimum elements per bucket, except the last of a dtype */

/* -- Layout -------------------------------------------------------------------------------------------------------- */

/* Assigns the parameters of one dtype to buckets, the last parameter first. */
static void assign_parameters(heed__buckets *buckets, const heed_optimizer *optimizer, heed_dtype dtype)
{
    heed__bucket *bucket = NULL;
    for (int i = heed_optimizer_parameter_count(optimizer) - 1; i >= 0; i--) {
        heed_tensor *p = heed_optimizer_parameter(optimizer, i);
        if (heed_dtype_of(p) != dtype)
            continue;
        if (!bucket || bucket->exchange.length >= MIN_ELEMENTS) {
            bucket = &buckets->list[buckets->n];
            bucket->first = buckets->n_entries;
            bucket->exchange = (heed__exchange){.dtype = dtype, .rotation = buckets->n++};
        }
        buckets->entries[buckets->n_entries++] = (heed__bucket_entry){.buckets = buckets,
                                                                      .parameter = p,
                                                                      .index = i,
                                                                      .bucket = buckets->n - 1,
                                                                      .offset = bucket->exchange.length,
                                                                      .size = heed_numel(p)};
        bucket->count++;
        bucket->exchange.length += heed_numel(p);
    }
}

bool heed__buckets_make(heed__buckets *buckets, const heed__split *split, const heed_optimizer *optimizer,
                        const heed__statistics *statistics)
{
    const int n = heed_optimizer_parameter_count(optimizer);
    *buckets = (heed__buckets){.split = split, .statistics = statistics, .capacity = (size_t)n};
    buckets->entries = heed_calloc(buckets->capacity, sizeof *buckets->entries);
    buckets->list = heed_calloc(buckets->capacity + 1, sizeof *buckets->list);
    if (!buckets->entries || !buckets->list)
        return false;
    assign_parameters(buckets, optimizer, HEED_F32);
    assign_parameters(buckets, optimizer, HEED_F64);
    buckets->totals = &buckets->list[buckets->n];
    buckets->totals->exchange =
        (heed__exchange){.dtype = HEED_F64, .length = n + HEED_TOTALS + statistics->length, .rotation = buckets->n};
    heed__buckets_clear(buckets);
    return true;
}

static void clear_bucket(heed__bucket *bucket)
{
    heed__exchange_clear(&bucket->exchange);
    heed__tree_clear(&bucket->tree);
    heed_release(bucket->shard);
    heed_release(bucket->sum);
    bucket->shard = bucket->sum = NULL;
}

void heed__buckets_clear(heed__buckets *buckets)
{
    for (heed__bucket *bucket = buckets->list; bucket <= buckets->totals; bucket++) {
        clear_bucket(bucket);
        bucket->next = heed__first_shard(buckets->split, buckets->split->rank);
    }
    buckets->sent = 0;
}

void heed__buckets_free(heed__buckets *buckets)
{
    for (heed__bucket *bucket = buckets->list; bucket && bucket <= buckets->totals; bucket++)
        clear_bucket(bucket);
    heed_free(buckets->list, (buckets->capacity + 1) * sizeof *buckets->list);
    heed_free(buckets->entries, buckets->capacity * sizeof *buckets->entries);
}

/* -- Summation ----------------------------------------------------------------------------------------------------- */

/* Adds all shards before `shard` that are still missing as empty shards, and then `shard` itself with its sum unless
 * `sum` is NULL. Returns false after heed_fail. */
static bool add_shard(heed__bucket *bucket, int64_t shard, heed_tensor *sum)
{
    for (; bucket->next < shard; bucket->next++)
        if (!heed__tree_add(&bucket->tree, (heed__subtree){.first = bucket->next}))
            return false;
    if (sum)
        bucket->next++;
    return !sum || heed__tree_add(&bucket->tree, (heed__subtree){.first = shard, .sum = sum});
}

/* Starts to send the buckets that contain all of this process's shards, and advances the messages of those already
 * being sent. All processes send in the order of the buckets. Returns false after heed_fail. */
static bool send_finished(heed__buckets *buckets)
{
    const heed__split *split = buckets->split;
    const int64_t last = heed__first_shard(split, split->rank + 1);
    for (int b = 0; b < buckets->sent; b++)
        heed__exchange_poll(&buckets->list[b].exchange);
    for (; buckets->sent <= buckets->n && buckets->list[buckets->sent].next == last; buckets->sent++) {
        heed__bucket *bucket = &buckets->list[buckets->sent];
        if (!heed__exchange_begin("data_parallel_step", split, &bucket->exchange, &bucket->tree))
            return false;
    }
    return true;
}

/* Adds a shard to a bucket that has all of the shard's gradients. Returns false after heed_fail. */
static bool finish_bucket(heed__buckets *buckets, heed__bucket *bucket, int64_t shard)
{
    heed_tensor *sum = bucket->shard;
    bucket->shard = NULL;
    return add_shard(bucket, shard, sum) &&
           (!buckets->final || add_shard(bucket, heed__first_shard(buckets->split, buckets->split->rank + 1), NULL)) &&
           send_finished(buckets);
}

bool heed__buckets_send(heed__buckets *buckets)
{
    const int64_t last = heed__first_shard(buckets->split, buckets->split->rank + 1);
    for (int b = buckets->sent; b <= buckets->n; b++)
        if (!add_shard(&buckets->list[b], last, NULL))
            return false;
    return send_finished(buckets);
}

/* -- A shard ------------------------------------------------------------------------------------------------------- */

static heed_tensor *new_vector(const heed__bucket *bucket)
{
    return heed_retain(heed_empty(bucket->exchange.dtype, HEED_SHAPE(bucket->exchange.length)));
}

/* Writes a gradient, or zeros if it is NULL, to the entry's range of a bucket's vector. Returns false after
 * heed_fail. */
static bool copy_gradient(heed_tensor *vector, const heed__bucket_entry *entry, heed_tensor *grad)
{
    const size_t size = heed_dtype_size(heed_dtype_of(vector)), bytes = (size_t)entry->size * size;
    char *to = (char *)heed_mutable_bytes(vector) + (size_t)entry->offset * size;
    if (grad && !heed_is_contiguous(grad))
        return heed_copy_(heed_slice(vector, 0, entry->offset, entry->offset + entry->size, 1),
                          heed_reshape(grad, HEED_SHAPE(entry->size))) == HEED_OK;
    if (bytes > 0 && grad)
        memcpy(to, heed_data_bytes(grad), bytes);
    else if (bytes > 0)
        memset(to, 0, bytes);
    return true;
}

/* Writes a gradient of the current shard, or zeros if it is NULL. Returns false after heed_fail. */
static bool add_gradient(heed__bucket *bucket, const heed__bucket_entry *entry, heed_tensor *grad)
{
    if (!bucket->shard)
        bucket->shard = new_vector(bucket);
    return bucket->shard && copy_gradient(bucket->shard, entry, grad);
}

static heed_tensor *on_gradient(heed_tensor *grad, void *user)
{
    heed__bucket_entry *entry = user;
    heed__buckets *buckets = entry->buckets;
    heed__bucket *bucket = &buckets->list[entry->bucket];
    entry->used = true;
    bucket->missing--;
    if (!add_gradient(bucket, entry, grad) || (bucket->missing == 0 && !finish_bucket(buckets, bucket, buckets->shard)))
        return NULL;
    return grad;
}

bool heed__buckets_add_hooks(heed__buckets *buckets, int64_t shard, bool final)
{
    buckets->shard = shard;
    buckets->final = final;
    for (int b = 0; b < buckets->n; b++)
        buckets->list[b].missing = buckets->list[b].count;
    for (int i = 0; i < buckets->n_entries; i++) {
        heed__bucket_entry *entry = &buckets->entries[i];
        entry->used = false;
        if (!heed_requires_grad(entry->parameter)) /* the parameter is frozen */
            continue;
        entry->hook = heed_add_hook(entry->parameter, on_gradient, entry);
        if (!entry->hook)
            return false;
    }
    return true;
}

void heed__buckets_remove_hooks(heed__buckets *buckets)
{
    for (int i = 0; i < buckets->n_entries; i++) {
        heed__bucket_entry *entry = &buckets->entries[i];
        if (entry->hook)
            (void)heed_remove_hook(entry->parameter, entry->hook);
        entry->hook = 0;
    }
}

/* Returns the vector of a shard's totals. copies[k], or NULL, is the shard's copy of the module's buffer k. The caller
 * writes the numbers of the used parameters. */
static heed_tensor *make_totals(const heed__buckets *buckets, heed_tensor *const *copies, double loss, double count)
{
    heed_tensor *totals = new_vector(buckets->totals);
    if (!totals)
        return NULL;
    double *total = heed_mutable_f64(totals) + buckets->n_entries;
    total[HEED_TOTAL_LOSS] = loss;
    total[HEED_TOTAL_COUNT] = count;
    total[HEED_TOTAL_SHARDS] = 1.0;
    heed__statistics_changes(buckets->statistics, copies, total + HEED_TOTALS);
    return totals;
}

static bool end_shard(heed__buckets *buckets, double loss, double count)
{
    bool ok = true;
    for (int b = 0; b < buckets->n && ok; b++) {
        heed__bucket *bucket = &buckets->list[b];
        if (bucket->missing == 0)
            continue;
        for (int i = bucket->first; i < bucket->first + bucket->count && ok; i++)
            ok = buckets->entries[i].used || add_gradient(bucket, &buckets->entries[i], NULL);
        ok = ok && finish_bucket(buckets, bucket, buckets->shard);
    }
    buckets->totals->shard = ok ? make_totals(buckets, NULL, loss, count) : NULL;
    double *used = buckets->totals->shard ? heed_mutable_f64(buckets->totals->shard) : NULL;
    for (int i = 0; used && i < buckets->n_entries; i++)
        used[buckets->entries[i].index] = buckets->entries[i].used;
    return used && finish_bucket(buckets, buckets->totals, buckets->shard);
}

bool heed__buckets_end_shard(heed__buckets *buckets, double loss, double count)
{
    heed_scope *scope = heed_no_grad_begin();
    const bool ok = scope && end_shard(buckets, loss, count);
    if (scope)
        heed_scope_end(scope);
    return ok;
}

/* -- A shard whose gradients come all at once ---------------------------------------------------------------------- */

bool heed__buckets_fill_vectors(const heed__buckets *buckets, const heed__shard_result *result, heed_tensor **vectors)
{
    bool ok = true;
    for (int b = 0; b < buckets->n && ok; b++) {
        const heed__bucket *bucket = &buckets->list[b];
        ok = (vectors[b] = new_vector(bucket)) != NULL;
        for (int i = bucket->first; i < bucket->first + bucket->count && ok; i++)
            ok = copy_gradient(vectors[b], &buckets->entries[i], result->grads[buckets->entries[i].index]);
    }
    heed_tensor *totals = ok ? make_totals(buckets, result->copies, result->loss, result->count) : NULL;
    double *used = totals ? heed_mutable_f64(totals) : NULL;
    for (int i = 0; used && i < buckets->n_entries; i++)
        used[i] = result->grads[i] != NULL;
    vectors[buckets->n] = totals;
    return totals != NULL;
}

bool heed__buckets_add_vectors(heed__buckets *buckets, int64_t shard, heed_tensor **vectors)
{
    bool ok = true;
    for (int b = 0; b <= buckets->n && ok; b++) {
        heed_tensor *vector = vectors[b];
        vectors[b] = NULL;
        ok = add_shard(&buckets->list[b], shard, vector);
    }
    return ok;
}
