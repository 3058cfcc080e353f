/* team/buckets.c - sums gradients in buckets, vectors of several parameters each. */

#include "team/buckets.h"

#include <heed/graph.h>
#include <heed/memory.h>
#include <heed/ops.h>
#include <heed/scope.h>

enum { BUCKET = 4 * HEED_CHUNK }; /* minimum elements per bucket, except the last of a dtype */

/* -- Layout -------------------------------------------------------------------------------------------------------- */

/* Assigns the parameters of a dtype to buckets, in reverse order. */
static void lay_out(heed__buckets *buckets, const heed_optimizer *optimizer, heed_dtype dtype)
{
    heed__bucket *bucket = NULL;
    for (int i = heed_optimizer_parameter_count(optimizer) - 1; i >= 0; i--) {
        heed_tensor *p = heed_optimizer_parameter(optimizer, i);
        if (heed_dtype_of(p) != dtype)
            continue;
        if (!bucket || bucket->exchange.length >= BUCKET) {
            bucket = &buckets->list[buckets->n];
            bucket->first = buckets->n_pieces;
            bucket->exchange = (heed__exchange){.dtype = dtype, .turn = buckets->n++};
        }
        buckets->pieces[buckets->n_pieces++] = (heed__piece){.all = buckets,
                                                             .parameter = p,
                                                             .number = i,
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
    *buckets = (heed__buckets){.split = split, .statistics = statistics, .room = (size_t)n};
    buckets->pieces = heed_calloc(buckets->room, sizeof *buckets->pieces);
    buckets->list = heed_calloc(buckets->room + 1, sizeof *buckets->list);
    if (!buckets->pieces || !buckets->list)
        return false;
    lay_out(buckets, optimizer, HEED_F32);
    lay_out(buckets, optimizer, HEED_F64);
    buckets->notes = &buckets->list[buckets->n];
    buckets->notes->exchange =
        (heed__exchange){.dtype = HEED_F64, .length = n + HEED_NOTES + statistics->length, .turn = buckets->n};
    heed__buckets_clear(buckets);
    return true;
}

static void clear(heed__bucket *bucket)
{
    heed__exchange_clear(&bucket->exchange);
    heed__tree_clear(&bucket->tree);
    heed_release(bucket->shard);
    heed_release(bucket->sum);
    bucket->shard = bucket->sum = NULL;
}

void heed__buckets_clear(heed__buckets *buckets)
{
    for (heed__bucket *bucket = buckets->list; bucket <= buckets->notes; bucket++) {
        clear(bucket);
        bucket->next = heed__first_shard(buckets->split, buckets->split->rank);
    }
    buckets->sent = 0;
}

void heed__buckets_free(heed__buckets *buckets)
{
    for (heed__bucket *bucket = buckets->list; bucket && bucket <= buckets->notes; bucket++)
        clear(bucket);
    heed_free(buckets->list, (buckets->room + 1) * sizeof *buckets->list);
    heed_free(buckets->pieces, buckets->room * sizeof *buckets->pieces);
}

/* -- Summation ----------------------------------------------------------------------------------------------------- */

/* Adds a shard, or only advances if `sum` is NULL, after adding the empty shards before it. Returns false after
 * heed_fail. */
static bool add_shard(heed__bucket *bucket, int64_t shard, heed_tensor *sum)
{
    for (; bucket->next < shard; bucket->next++)
        if (!heed__tree_add(&bucket->tree, (heed__subtree){.first = bucket->next}))
            return false;
    if (sum)
        bucket->next++;
    return !sum || heed__tree_add(&bucket->tree, (heed__subtree){.first = shard, .sum = sum});
}

/* Sends the buckets that contain all shards, in the same order in all processes, and advances those already being
 * sent. */
static bool send_complete(heed__buckets *buckets)
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

/* Called when a bucket has all gradients of a shard. */
static bool complete(heed__buckets *buckets, heed__bucket *bucket, int64_t shard)
{
    heed_tensor *sum = bucket->shard;
    bucket->shard = NULL;
    return add_shard(bucket, shard, sum) &&
           (!buckets->final || add_shard(bucket, heed__first_shard(buckets->split, buckets->split->rank + 1), NULL)) &&
           send_complete(buckets);
}

bool heed__buckets_send(heed__buckets *buckets)
{
    const int64_t last = heed__first_shard(buckets->split, buckets->split->rank + 1);
    for (int b = buckets->sent; b <= buckets->n; b++)
        if (!add_shard(&buckets->list[b], last, NULL))
            return false;
    return send_complete(buckets);
}

/* -- A shard ------------------------------------------------------------------------------------------------------- */

/* Writes the gradient, or zeros if it is NULL, to the piece's offset. */
static bool put(heed__bucket *bucket, const heed__piece *piece, heed_tensor *grad)
{
    const heed__exchange *x = &bucket->exchange;
    if (!bucket->shard && !(bucket->shard = heed_retain(heed_empty(x->dtype, HEED_SHAPE(x->length)))))
        return false;
    heed_tensor *place = heed_slice(bucket->shard, 0, piece->offset, piece->offset + piece->size, 1);
    return (grad ? heed_copy_(place, heed_reshape(grad, HEED_SHAPE(piece->size))) : heed_fill_(place, 0.0)) == HEED_OK;
}

static heed_tensor *receive(heed_tensor *grad, void *user)
{
    heed__piece *piece = user;
    heed__buckets *buckets = piece->all;
    heed__bucket *bucket = &buckets->list[piece->bucket];
    piece->used = true;
    bucket->missing--;
    if (!put(bucket, piece, grad) || (bucket->missing == 0 && !complete(buckets, bucket, buckets->shard)))
        return NULL;
    return grad;
}

bool heed__buckets_listen(heed__buckets *buckets, int64_t shard, bool final)
{
    buckets->shard = shard;
    buckets->final = final;
    for (int b = 0; b < buckets->n; b++)
        buckets->list[b].missing = buckets->list[b].count;
    for (int i = 0; i < buckets->n_pieces; i++) {
        heed__piece *piece = &buckets->pieces[i];
        piece->used = false;
        if (!heed_requires_grad(piece->parameter)) /* frozen */
            continue;
        piece->hook = heed_add_hook(piece->parameter, receive, piece);
        if (!piece->hook)
            return false;
    }
    return true;
}

void heed__buckets_deafen(heed__buckets *buckets)
{
    for (int i = 0; i < buckets->n_pieces; i++) {
        heed__piece *piece = &buckets->pieces[i];
        if (piece->hook)
            (void)heed_remove_hook(piece->parameter, piece->hook);
        piece->hook = 0;
    }
}

static heed_tensor *make_notes(const heed__buckets *buckets, double loss, double count)
{
    heed_tensor *notes = heed_empty(HEED_F64, HEED_SHAPE(buckets->notes->exchange.length));
    if (!notes)
        return NULL;
    double *note = heed_mutable_f64(notes);
    for (int i = 0; i < buckets->n_pieces; i++)
        note[buckets->pieces[i].number] = buckets->pieces[i].used;
    note += buckets->n_pieces;
    note[HEED_NOTE_LOSS] = loss;
    note[HEED_NOTE_COUNT] = count;
    note[HEED_NOTE_SHARDS] = 1.0;
    heed__statistics_changes(buckets->statistics, note + HEED_NOTES);
    return notes;
}

static bool end_shard(heed__buckets *buckets, double loss, double count)
{
    bool ok = true;
    for (int b = 0; b < buckets->n && ok; b++) {
        heed__bucket *bucket = &buckets->list[b];
        if (bucket->missing == 0)
            continue;
        for (int i = bucket->first; i < bucket->first + bucket->count && ok; i++)
            ok = buckets->pieces[i].used || put(bucket, &buckets->pieces[i], NULL);
        ok = ok && complete(buckets, bucket, buckets->shard);
    }
    buckets->notes->shard = ok ? heed_retain(make_notes(buckets, loss, count)) : NULL;
    return buckets->notes->shard && complete(buckets, buckets->notes, buckets->shard);
}

bool heed__buckets_end_shard(heed__buckets *buckets, double loss, double count)
{
    heed_scope *scope = heed_no_grad_begin();
    const bool ok = scope && end_shard(buckets, loss, count);
    if (scope)
        heed_scope_end(scope);
    return ok;
}
