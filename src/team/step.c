/* team/step.c - the end of a step: from the sums over the shards to new parameters.
 *
 * Every process divides its span of the summed gradients by the count. It sends a row of numbers to all others: the
 * sums of squares of its chunks, the process that caused infinities or NaN, and the step state of team/consistency.c.
 * So all processes compute the same norm or report the same error. Then either every process sends its span of the
 * gradients to all others and updates all parameters, or every process updates the parameters in its span and sends
 * them to all others.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>

#include <heed/graph.h>
#include <heed/memory.h>
#include <heed/ops.h>
#include <heed/scope.h>

#include "optim/clip.h"
#include "optim/optimizer.h"
#include "team/team.h"

static const char where[] = "data_parallel_step";

enum { NO_PROCESS = -1, SUM_OVERFLOWS = -2 };

/* The numbers that every process sends to all others, as a row of f64. */
typedef struct step_row {
    double nonfinite_source; /* the process whose values are not finite, NO_PROCESS or SUM_OVERFLOWS */
    double nonfinite_shard;  /* the first shard of the process with a non-finite loss, or -1 */
    double state[HEED_STEP_STATE];
    double squares[]; /* the sum of squares of each of the process's chunks, in order */
} step_row;

static const step_row *row_of(const heed_tensor *rows, int process)
{
    return (const step_row *)(const void *)(heed_data_f64(rows) + process * heed_dim(rows, 1));
}

/* -- Sums ---------------------------------------------------------------------------------------------------------- */

static const double *totals_of(const heed_data_parallel *team)
{
    return heed_data_f64(team->buckets.totals->sum);
}

/* Sets bucket->sum to this process's span of the summed gradients, divided by the count. Returns false after
 * heed_fail. */
static bool divide_sum(heed_data_parallel *team, heed__bucket *bucket, double count)
{
    heed_tensor *sum = NULL;
    if (!heed__exchange_sum(&team->split, &bucket->exchange, &bucket->tree, &sum))
        return false;
    if (!sum)
        return true;
    bucket->sum = heed_retain(heed_div(sum, heed_full(heed_dtype_of(sum), HEED_SCALAR, count)));
    heed_release(sum);
    return bucket->sum != NULL;
}

/* -- The norm, and non-finite values ------------------------------------------------------------------------------- */

static int64_t count_chunks(const heed__span *span)
{
    return (span->end - span->begin + HEED_CHUNK - 1) / HEED_CHUNK;
}

/* Returns the largest number of chunks that a process owns. */
static int64_t max_chunks(const heed_data_parallel *team)
{
    int64_t max = 0;
    for (int process = 0; process < team->split.processes; process++) {
        int64_t chunks = 0;
        for (int b = 0; b < team->buckets.n; b++) {
            heed__span span = heed__exchange_span(&team->split, &team->buckets.list[b].exchange, process);
            chunks += count_chunks(&span);
        }
        max = chunks > max ? chunks : max;
    }
    return max;
}

/* Finds the reason for non-finite squares in a bucket. Returns the process whose values are not finite, SUM_OVERFLOWS
 * if only their sum is not finite, or NO_PROCESS if only squares overflow. */
static double nonfinite_source(const heed_data_parallel *team, const heed__bucket *bucket)
{
    const int process = heed__exchange_nonfinite_source(&team->split, &bucket->exchange, &bucket->tree);
    if (process >= 0)
        return process;
    return heed__is_finite(bucket->sum, 0, heed_numel(bucket->sum)) ? NO_PROCESS : SUM_OVERFLOWS;
}

/* Writes the sum of squares of each of this process's chunks in a bucket, and sets *source if a sum is not finite.
 * Returns the address for the squares of the next bucket. */
static double *write_squares(const heed_data_parallel *team, const heed__bucket *bucket, double *square, double *source)
{
    heed_tensor *sum = bucket->sum;
    for (int64_t at = 0, n = sum ? heed_numel(sum) : 0; at < n; at += HEED_CHUNK, square++) {
        *square = heed__sum_of_squares(sum, at, at + HEED_CHUNK < n ? at + HEED_CHUNK : n);
        if (!isfinite(*square) && *source == NO_PROCESS)
            *source = nonfinite_source(team, bucket);
    }
    return square;
}

/* Fills in this process's row and exchanges the rows. Returns all rows, borrowed, or NULL after heed_fail. */
static heed_tensor *exchange_rows(heed_data_parallel *team)
{
    const int64_t width = (int64_t)(sizeof(step_row) / sizeof(double)) + max_chunks(team);
    heed_tensor *rows = heed_zeros(HEED_F64, HEED_SHAPE(team->split.processes, width));
    if (!rows)
        return NULL;
    step_row *local = (step_row *)(void *)(heed_mutable_f64(rows) + team->split.rank * width);
    local->nonfinite_source = NO_PROCESS;
    local->nonfinite_shard = (double)team->nonfinite_shard;
    heed__write_step_state(team, local->state);
    double *square = local->squares;
    for (int b = 0; b < team->buckets.n; b++)
        square = write_squares(team, &team->buckets.list[b], square, &local->nonfinite_source);
    return heed__exchange_rows(where, team->comm, rows) ? rows : NULL;
}

/* Returns false after heed_fail, with the same error in all processes, for a differing state, a non-finite loss or a
 * non-finite gradient. They are checked in this order because the cause comes first. */
static bool check_step_rows(const heed_data_parallel *team, heed_tensor *rows)
{
    const int processes = team->split.processes;
    if (!heed__check_step_consistency(where, row_of(rows, 0)->state, heed_dim(rows, 1), processes))
        return false;
    for (int process = 0; process < processes; process++)
        if (row_of(rows, process)->nonfinite_shard >= 0.0)
            return heed_fail_false(HEED_ERR_STATE, where, "the loss of shard %.0f, in process %d, is not finite",
                                   row_of(rows, process)->nonfinite_shard, process);
    for (int process = 0; process < processes; process++) {
        const double source = row_of(rows, process)->nonfinite_source;
        if (source >= 0.0)
            return heed_fail_false(HEED_ERR_STATE, where, "a gradient from process %.0f is not finite", source);
        if (source == SUM_OVERFLOWS)
            return heed_fail_false(HEED_ERR_STATE, where, "the sum of the gradients is not finite");
    }
    return true;
}

/* Computes the 2-norm of the gradients. Squares are added in the order of buckets and chunks, whichever process owns a
 * chunk. Returns false after heed_fail. */
static bool norm_of_gradients(const heed_data_parallel *team, heed_tensor *rows, double *norm)
{
    const heed__split *split = &team->split;
    const size_t bytes = (size_t)split->processes * sizeof(double *);
    const double **next = heed_alloc(bytes);
    if (!next)
        return false;
    for (int process = 0; process < split->processes; process++)
        next[process] = row_of(rows, process)->squares;
    double sum = 0.0;
    for (int b = 0; b < team->buckets.n; b++)
        for (int i = 0; i < split->processes; i++) {
            const int process = (team->buckets.list[b].exchange.rotation + i) % split->processes;
            heed__span span = heed__exchange_span(split, &team->buckets.list[b].exchange, process);
            for (int64_t chunk = 0; chunk < count_chunks(&span); chunk++)
                sum += *next[process]++;
        }
    heed_free(next, bytes);
    *norm = sqrt(sum);
    return isfinite(*norm) || heed_fail_false(HEED_ERR_STATE, where, "the norm of the gradients is %g", *norm);
}

static bool clip_gradients(heed_data_parallel *team, heed_tensor *rows)
{
    double norm = 0.0;
    if (team->max_norm == 0.0)
        return true;
    if (!norm_of_gradients(team, rows, &norm))
        return false;
    const double factor = heed__clip_factor(norm, team->max_norm);
    for (int b = 0; b < team->buckets.n && factor < 1.0; b++) {
        heed_tensor *sum = team->buckets.list[b].sum;
        team->buckets.list[b].sum = sum ? heed_retain(heed__scaled(sum, factor)) : NULL;
        heed_release(sum);
        if (sum && !team->buckets.list[b].sum)
            return false;
    }
    return true;
}

/* -- From spans to whole vectors ----------------------------------------------------------------------------------- */

/* Replaces every bucket's sum, this process's span, by a vector of the bucket's full length. If `gathered`, starts to
 * receive the other spans; otherwise they are 0. Returns false after heed_fail. */
static bool make_whole_vectors(heed_data_parallel *team, bool gathered)
{
    const heed__split *split = &team->split;
    for (int b = 0; b < team->buckets.n && split->processes > 1; b++) {
        heed__bucket *bucket = &team->buckets.list[b];
        heed__exchange *x = &bucket->exchange;
        heed__span local = heed__exchange_span(split, x, split->rank);
        heed_tensor *whole =
            gathered ? heed_empty(x->dtype, HEED_SHAPE(x->length)) : heed_zeros(x->dtype, HEED_SHAPE(x->length));
        if (!whole ||
            (bucket->sum && heed_copy_(heed_slice(whole, 0, local.begin, local.end, 1), bucket->sum) != HEED_OK))
            return false;
        heed_release(bucket->sum);
        bucket->sum = heed_retain(whole);
        if (gathered && !heed__exchange_gather(where, split, x, whole, -1))
            return false;
    }
    return true;
}

static bool finish_gathers(heed_data_parallel *team)
{
    bool ok = true;
    for (int b = 0; b < team->buckets.n && ok; b++)
        ok = heed__exchange_end(&team->split, &team->buckets.list[b].exchange);
    return ok;
}

static heed_tensor *entry_view(const heed_data_parallel *team, const heed__bucket_entry *entry)
{
    heed_tensor *whole = team->buckets.list[entry->bucket].sum;
    return heed_reshape(heed_slice(whole, 0, entry->offset, entry->offset + entry->size, 1),
                        heed_shape_of(entry->parameter));
}

/* Sets the gradient of every parameter that at least one shard has used. Returns false after heed_fail. */
static bool set_gradients(const heed_data_parallel *team)
{
    const double *used = totals_of(team);
    for (int i = 0; i < team->buckets.n_entries; i++) {
        const heed__bucket_entry *entry = &team->buckets.entries[i];
        heed_tensor *grad = used[entry->index] > 0.0 ? entry_view(team, entry) : NULL;
        if (used[entry->index] > 0.0 && (!grad || heed_set_grad(entry->parameter, grad) != HEED_OK))
            return false;
    }
    return true;
}

/* -- Sharded state ------------------------------------------------------------------------------------------------- */

/* Returns the range of a parameter's elements that this process owns. */
static heed__element_range owned_range(const heed_data_parallel *team, const heed__bucket_entry *entry)
{
    heed__span local = heed__exchange_span(&team->split, &team->buckets.list[entry->bucket].exchange, team->split.rank);
    int64_t begin = local.begin - entry->offset, end = local.end - entry->offset;
    begin = begin > 0 ? begin : 0;
    end = end < entry->size ? end : entry->size;
    return begin < end ? (heed__element_range){begin, end} : (heed__element_range){0, 0};
}

bool heed__team_shard_state(heed_data_parallel *team)
{
    const size_t bytes = (size_t)team->buckets.n_entries * sizeof(heed__element_range);
    heed__element_range *ranges = heed_alloc(bytes);
    for (int i = 0; ranges && i < team->buckets.n_entries; i++)
        ranges[team->buckets.entries[i].index] = owned_range(team, &team->buckets.entries[i]);
    const bool ok = ranges && heed__optimizer_set_ranges(team->optimizer, ranges);
    heed_free(ranges, bytes);
    return ok;
}

/* Sends all parameters to all processes. Every element comes from the process that updated it. Returns false after
 * heed_fail. */
static bool gather_parameters(heed_data_parallel *team)
{
    bool ok = true;
    for (int i = 0; i < team->buckets.n_entries && ok; i++)
        ok = heed_copy_(entry_view(team, &team->buckets.entries[i]), team->buckets.entries[i].parameter) == HEED_OK;
    for (int b = 0; b < team->buckets.n && ok; b++) {
        heed__bucket *bucket = &team->buckets.list[b];
        ok = heed__exchange_gather(where, &team->split, &bucket->exchange, bucket->sum, -1);
    }
    ok = ok && finish_gathers(team);
    for (int i = 0; i < team->buckets.n_entries && ok; i++)
        ok = heed_copy_(team->buckets.entries[i].parameter, entry_view(team, &team->buckets.entries[i])) == HEED_OK;
    return ok;
}

/* -- The whole step ------------------------------------------------------------------------------------------------ */

static bool update_parameters(heed_data_parallel *team)
{
    const bool sharded = team->sharded_state && team->split.processes > 1;
    bool ok = make_whole_vectors(team, !sharded) && (sharded || finish_gathers(team)) && set_gradients(team) &&
              heed__optimizer_update(team->optimizer) == HEED_OK;
    (void)heed_optimizer_zero_grad(team->optimizer);
    return ok && (!sharded || gather_parameters(team));
}

/* Runs all steps of heed__team_step. Completes all sums before the checks, so that no message is in transit if a check
 * fails in all processes. */
static bool run_team_step(heed_data_parallel *team)
{
    heed__buckets *buckets = &team->buckets;
    heed__bucket *totals = buckets->totals;
    if (!heed__buckets_send(buckets) ||
        !heed__exchange_all_reduce(where, &team->split, &totals->exchange, &totals->tree, &totals->sum))
        return false;
    const double *total = totals_of(team) + buckets->n_entries, count = total[HEED_TOTAL_COUNT];
    bool ok = true;
    for (int b = 0; b < buckets->n && ok; b++)
        ok = divide_sum(team, &buckets->list[b], count > 0.0 ? count : 1.0);
    heed_tensor *rows = ok ? exchange_rows(team) : NULL;
    if (!rows)
        return false;
    if (!(count > 0.0))
        return heed_fail_false(HEED_ERR_STATE, where, "the counts of all shards are 0");
    if (!check_step_rows(team, rows) || !clip_gradients(team, rows) || !update_parameters(team))
        return false;
    heed__statistics_apply(&team->statistics, total + HEED_TOTALS, total[HEED_TOTAL_SHARDS]);
    team->loss = total[HEED_TOTAL_LOSS] / count;
    return true;
}

bool heed__team_step(heed_data_parallel *team)
{
    heed_scope *scope = heed_no_grad_begin();
    const bool ok = scope && run_team_step(team);
    if (scope)
        heed_scope_end(scope);
    if (!ok)
        heed__comm_notify_failure(team->comm);
    return ok;
}
