/* team/save.c - saves a checkpoint of a team: process 0 writes the file, with the optimizer's state collected from all
 * processes.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>

#include <heed/graph.h>
#include <heed/memory.h>
#include <heed/ops.h>
#include <heed/scope.h>

#include "optim/optimizer.h"
#include "team/team.h"

static const char where[] = "data_parallel_save";

/* -- Collecting the optimizer's state at process 0 ----------------------------------------------------------------- */

/* Returns buffer k of all parameters of a bucket as one vector, with zeros outside this process's span. The vector is
 * borrowed. NULL after heed_fail. */
static heed_tensor *local_span(const heed_data_parallel *team, const heed__bucket *bucket, int k)
{
    heed_tensor *whole = heed_zeros(bucket->exchange.dtype, HEED_SHAPE(bucket->exchange.length));
    for (int i = bucket->first; i < bucket->first + bucket->count && whole; i++) {
        const heed__bucket_entry *entry = &team->buckets.entries[i];
        heed_tensor *range = heed__optimizer_buffer(team->optimizer, entry->index, k);
        if (!range || heed_numel(range) == 0)
            continue;
        heed__span local = heed__exchange_span(&team->split, &bucket->exchange, team->split.rank);
        const int64_t from = local.begin > entry->offset ? local.begin : entry->offset;
        if (heed_copy_(heed_slice(whole, 0, from, from + heed_numel(range), 1), range) != HEED_OK)
            return NULL;
    }
    return whole;
}

/* Collects buffer k of a bucket's parameters in process 0, which stores the whole buffers in `buffers`. Returns false
 * after heed_fail. */
static bool collect_bucket(heed_data_parallel *team, heed__bucket *bucket, int k, heed_tensor **buffers)
{
    heed__exchange *x = &bucket->exchange;
    heed_tensor *whole = local_span(team, bucket, k);
    if (!whole || !heed__exchange_gather(where, &team->split, x, whole, 0) || !heed__exchange_end(&team->split, x))
        return false;
    for (int i = bucket->first; i < bucket->first + bucket->count && team->split.rank == 0; i++) {
        const heed__bucket_entry *entry = &team->buckets.entries[i];
        if (!heed__optimizer_buffer(team->optimizer, entry->index, k))
            continue;
        heed_tensor *buffer = heed_slice(whole, 0, entry->offset, entry->offset + entry->size, 1);
        buffer = heed_retain(heed_clone(heed_reshape(buffer, heed_shape_of(entry->parameter))));
        if (!buffer)
            return false;
        buffers[entry->index * HEED_OPTIMIZER_BUFFERS + k] = buffer;
    }
    return true;
}

static bool has_buffer(const heed_data_parallel *team, const heed__bucket *bucket, int k)
{
    for (int i = bucket->first; i < bucket->first + bucket->count; i++)
        if (heed__optimizer_buffer(team->optimizer, team->buckets.entries[i].index, k))
            return true;
    return false;
}

static bool collect_state(heed_data_parallel *team, heed_tensor **buffers)
{
    for (int b = 0; b < team->buckets.n; b++)
        for (int k = 0; k < HEED_OPTIMIZER_BUFFERS; k++) {
            heed__bucket *bucket = &team->buckets.list[b];
            heed_scope *scope = has_buffer(team, bucket, k) ? heed_no_grad_begin() : NULL;
            const bool ok = scope ? collect_bucket(team, bucket, k, buffers) : !has_buffer(team, bucket, k);
            if (scope)
                heed_scope_end(scope);
            if (!ok)
                return false;
        }
    return true;
}

/* -- Saving -------------------------------------------------------------------------------------------------------- */

typedef struct file {
    const char *path;
    const heed_checkpoint *checkpoint;
    const heed_checkpoint_options *options;
} file;

/* Writes the checkpoint; called only in process 0. A partial optimizer gets its whole state, `buffers`, while the file
 * is written. */
static heed_status write_checkpoint(heed_data_parallel *team, const file *f, heed_tensor **buffers)
{
    const bool partial = team->optimizer->partial;
    if (partial)
        heed__optimizer_swap(team->optimizer, buffers, false);
    const heed_status status = heed_checkpoint_save(f->path, f->checkpoint, f->options);
    if (partial)
        heed__optimizer_swap(team->optimizer, buffers, true);
    return status;
}

/* Sends the status of process 0 to all processes and fails in all of them if process 0 has failed. Returns false after
 * heed_fail. */
static bool broadcast_status(heed_data_parallel *team, heed_status status)
{
    heed_scope *scope = heed_no_grad_begin();
    heed_tensor *table = scope ? heed_zeros(HEED_I64, HEED_SHAPE(team->split.processes)) : NULL;
    bool ok = table != NULL;
    if (ok) {
        heed_mutable_i64(table)[team->split.rank] = status;
        ok = heed__exchange_rows(where, team->comm, table);
    }
    const int64_t root_status = ok ? heed_data_i64(table)[0] : HEED_OK;
    if (scope)
        heed_scope_end(scope);
    if (!ok)
        heed__comm_notify_failure(team->comm);
    if (ok && root_status != HEED_OK && team->split.rank != 0)
        return heed_fail_false((heed_status)root_status, where,
                               "process 0 could not save the checkpoint: see its error message");
    return ok && status == HEED_OK;
}

static bool save_checkpoint(heed_data_parallel *team, const file *f)
{
    const size_t n = (size_t)team->buckets.n_entries * HEED_OPTIMIZER_BUFFERS;
    heed_tensor **buffers = heed_calloc(n, sizeof *buffers);
    bool ok = buffers && (!team->optimizer->partial || collect_state(team, buffers));
    if (!ok)
        heed__comm_give_up(team->comm);
    else
        ok = broadcast_status(team, team->split.rank == 0 ? write_checkpoint(team, f, buffers) : HEED_OK);
    for (size_t i = 0; buffers && i < n; i++)
        heed_release(buffers[i]);
    heed_free(buffers, n * sizeof *buffers);
    return ok;
}

heed_status heed_data_parallel_save(heed_data_parallel *team, const char *path, const heed_checkpoint *checkpoint,
                                    const heed_checkpoint_options *options)
{
    HEED_ENTER(where);
    if (!heed__team_check(where, team))
        return heed_error_code();
    if (!path || !checkpoint)
        return heed_fail(HEED_ERR_ARGUMENT, where, "the %s is NULL", path ? "checkpoint" : "path");
    if (checkpoint->optimizer && checkpoint->optimizer != team->optimizer)
        return heed_fail(HEED_ERR_ARGUMENT, where, "the optimizer of the checkpoint is not the optimizer of the team");
    if (team->stepping)
        return heed_fail(HEED_ERR_STATE, where, "step %" PRId64 " is in progress: call heed_data_parallel_step first",
                         team->steps);
    return save_checkpoint(team, &(file){path, checkpoint, options}) ? HEED_OK : heed_error_code();
}
