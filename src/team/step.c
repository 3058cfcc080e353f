/* team/step.c - the end of a step: from the sums over the shards to new parameters.
 *
 * Every process divides the span it owns by the count. It sends all others the squares of its chunks, a note of
 * infinities and NaN, and the facts of team/agree.h, so all compute the same norm or report the same error. Then either
 * all send their gradients to all and every process updates all parameters, or every process updates the span it owns
 * and sends the updated parameters to all. */

#include <inttypes.h>
#include <math.h>

#include <heed/graph.h>
#include <heed/memory.h>
#include <heed/ops.h>
#include <heed/scope.h>

#include "optim/clip.h"
#include "optim/partial.h"
#include "team/agree.h"
#include "team/team.h"

static const char where[] = "data_parallel_step";

/* Row of numbers that every process sends to all others: these fields, and the squares of its chunks in their order. */
enum { TOLD_BLAME, TOLD_LOSS, TOLD_FACTS, TOLD_SQUARES = TOLD_FACTS + HEED_STEP_FACTS };

enum { NOBODY = -1, THE_SUM = -2 }; /* special values of TOLD_BLAME, which otherwise is a process */

/* -- Sums ---------------------------------------------------------------------------------------------------------- */

/* Sums the notes of all shards, in every process. */
static bool share_notes(heed_data_parallel *team)
{
    heed__bucket *notes = team->buckets.notes;
    return heed__exchange_whole(where, &team->split, &notes->exchange, &notes->tree, &notes->sum);
}

static const double *notes_of(const heed_data_parallel *team)
{
    return heed_data_f64(team->buckets.notes->sum);
}

/* Divides this process's span of a bucket by the count. */
static bool divide(heed_data_parallel *team, heed__bucket *bucket, double count)
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

static int64_t chunks_of(const heed__run *run)
{
    return (run->end - run->begin + HEED_CHUNK - 1) / HEED_CHUNK;
}

/* Returns the maximum over the processes of the number of chunks they own. */
static int64_t most_chunks(const heed_data_parallel *team)
{
    int64_t most = 0;
    for (int process = 0; process < team->split.processes; process++) {
        int64_t chunks = 0;
        for (int b = 0; b < team->buckets.n; b++) {
            heed__run run = heed__exchange_run(&team->split, &team->buckets.list[b].exchange, process);
            chunks += chunks_of(&run);
        }
        most = chunks > most ? chunks : most;
    }
    return most;
}

/* Returns the process whose values make the bucket's squares non-finite, or NOBODY or THE_SUM. */
static double blame_of(const heed_data_parallel *team, const heed__bucket *bucket)
{
    const int process = heed__exchange_blame(&team->split, &bucket->exchange, &bucket->tree);
    return process >= 0 ? process : heed__is_finite(bucket->sum, 0, heed_numel(bucket->sum)) ? NOBODY : THE_SUM;
}

/* Writes the squares of this process's chunks of a bucket and the process to blame. Returns where the next bucket's
 * squares go. */
static double *tell_bucket(const heed_data_parallel *team, const heed__bucket *bucket, double *square, double *blame)
{
    heed_tensor *sum = bucket->sum;
    for (int64_t at = 0, n = sum ? heed_numel(sum) : 0; at < n; at += HEED_CHUNK, square++) {
        *square = heed__sum_of_squares(sum, at, at + HEED_CHUNK < n ? at + HEED_CHUNK : n);
        if (!isfinite(*square) && *blame == NOBODY)
            *blame = blame_of(team, bucket);
    }
    return square;
}

/* Exchanges the rows; returns all of them, borrowed, or NULL after heed_fail. */
static heed_tensor *tell_all(heed_data_parallel *team)
{
    const int64_t width = TOLD_SQUARES + most_chunks(team);
    heed_tensor *told = heed_zeros(HEED_F64, HEED_SHAPE(team->split.processes, width));
    if (!told)
        return NULL;
    double *mine = heed_mutable_f64(told) + team->split.rank * width, *square = mine + TOLD_SQUARES;
    mine[TOLD_BLAME] = NOBODY;
    mine[TOLD_LOSS] = (double)team->bad_loss;
    heed__write_facts(team, mine + TOLD_FACTS);
    for (int b = 0; b < team->buckets.n; b++)
        square = tell_bucket(team, &team->buckets.list[b], square, &mine[TOLD_BLAME]);
    return heed__exchange_rows(where, team->comm, told) ? told : NULL;
}

/* Reports the same error in all processes. Differing facts are more informative than a loss, and a loss more than a
 * gradient. */
static bool check_told(const heed_data_parallel *team, heed_tensor *told)
{
    const int64_t width = heed_dim(told, 1);
    const double *row = heed_data_f64(told);
    if (!heed__agree_on_step(where, row + TOLD_FACTS, width, team->split.processes))
        return false;
    for (int process = 0; process < team->split.processes; process++)
        if (row[process * width + TOLD_LOSS] >= 0.0)
            return heed_fail_false(HEED_ERR_STATE, where, "the loss of shard %.0f, in process %d, is not finite",
                                   row[process * width + TOLD_LOSS], process);
    for (int process = 0; process < team->split.processes; process++) {
        const double blame = row[process * width + TOLD_BLAME];
        if (blame >= 0.0)
            return heed_fail_false(HEED_ERR_STATE, where, "a gradient from process %.0f is not finite", blame);
        if (blame == THE_SUM)
            return heed_fail_false(HEED_ERR_STATE, where, "the sum of the gradients is not finite");
    }
    return true;
}

/* The 2-norm. Squares are added in the order of buckets and chunks, whichever process owns them. */
static bool norm_of(const heed_data_parallel *team, heed_tensor *told, double *norm)
{
    const heed__split *split = &team->split;
    const int64_t width = heed_dim(told, 1);
    const size_t bytes = (size_t)split->processes * sizeof(double *);
    const double **next = heed_alloc(bytes);
    if (!next)
        return false;
    for (int process = 0; process < split->processes; process++)
        next[process] = heed_data_f64(told) + process * width + TOLD_SQUARES;
    double sum = 0.0;
    for (int b = 0; b < team->buckets.n; b++)
        for (int i = 0; i < split->processes; i++) {
            const int process = (team->buckets.list[b].exchange.turn + i) % split->processes;
            heed__run run = heed__exchange_run(split, &team->buckets.list[b].exchange, process);
            for (int64_t chunk = 0; chunk < chunks_of(&run); chunk++)
                sum += *next[process]++;
        }
    heed_free(next, bytes);
    *norm = sqrt(sum);
    return isfinite(*norm) || heed_fail_false(HEED_ERR_STATE, where, "the norm of the gradients is %g", *norm);
}

static bool clip(heed_data_parallel *team, heed_tensor *told)
{
    double norm = 0.0;
    if (team->max_norm == 0.0)
        return true;
    if (!norm_of(team, told, &norm))
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

/* Copies this process's span of every bucket into a whole vector; if `filled`, starts to receive the other spans. */
static bool make_whole(heed_data_parallel *team, bool filled)
{
    const heed__split *split = &team->split;
    for (int b = 0; b < team->buckets.n && split->processes > 1; b++) {
        heed__bucket *bucket = &team->buckets.list[b];
        heed__exchange *x = &bucket->exchange;
        heed__run mine = heed__exchange_run(split, x, split->rank);
        heed_tensor *whole =
            filled ? heed_empty(x->dtype, HEED_SHAPE(x->length)) : heed_zeros(x->dtype, HEED_SHAPE(x->length));
        if (!whole ||
            (bucket->sum && heed_copy_(heed_slice(whole, 0, mine.begin, mine.end, 1), bucket->sum) != HEED_OK))
            return false;
        heed_release(bucket->sum);
        bucket->sum = heed_retain(whole);
        if (filled && !heed__exchange_spread(where, split, x, whole, -1))
            return false;
    }
    return true;
}

static bool await_whole(heed_data_parallel *team)
{
    bool ok = true;
    for (int b = 0; b < team->buckets.n && ok; b++)
        ok = heed__exchange_end(&team->split, &team->buckets.list[b].exchange);
    return ok;
}

static heed_tensor *place_of(const heed_data_parallel *team, const heed__piece *piece)
{
    heed_tensor *whole = team->buckets.list[piece->bucket].sum;
    return heed_reshape(heed_slice(whole, 0, piece->offset, piece->offset + piece->size, 1),
                        heed_shape_of(piece->parameter));
}

/* Sets the gradient of every parameter that a shard has used. */
static bool set_gradients(const heed_data_parallel *team)
{
    const double *used = notes_of(team);
    for (int i = 0; i < team->buckets.n_pieces; i++) {
        const heed__piece *piece = &team->buckets.pieces[i];
        heed_tensor *grad = used[piece->number] > 0.0 ? place_of(team, piece) : NULL;
        if (used[piece->number] > 0.0 && (!grad || heed_set_grad(piece->parameter, grad) != HEED_OK))
            return false;
    }
    return true;
}

/* -- Sharded state ------------------------------------------------------------------------------------------------- */

/* Returns the range of a parameter that this process owns. */
static heed__element_range part_of(const heed_data_parallel *team, const heed__piece *piece)
{
    heed__run mine = heed__exchange_run(&team->split, &team->buckets.list[piece->bucket].exchange, team->split.rank);
    int64_t begin = mine.begin - piece->offset, end = mine.end - piece->offset;
    begin = begin > 0 ? begin : 0;
    end = end < piece->size ? end : piece->size;
    return begin < end ? (heed__element_range){begin, end} : (heed__element_range){0, 0};
}

bool heed__team_share_state(heed_data_parallel *team)
{
    const size_t bytes = (size_t)team->buckets.n_pieces * sizeof(heed__element_range);
    heed__element_range *parts = heed_alloc(bytes);
    for (int i = 0; parts && i < team->buckets.n_pieces; i++)
        parts[team->buckets.pieces[i].number] = part_of(team, &team->buckets.pieces[i]);
    const bool ok = parts && heed__optimizer_set_ranges(team->optimizer, parts);
    heed_free(parts, bytes);
    return ok;
}

/* Sends all parameters to all processes, each from the processes that updated it. */
static bool share_parameters(heed_data_parallel *team)
{
    bool ok = true;
    for (int i = 0; i < team->buckets.n_pieces && ok; i++)
        ok = heed_copy_(place_of(team, &team->buckets.pieces[i]), team->buckets.pieces[i].parameter) == HEED_OK;
    for (int b = 0; b < team->buckets.n && ok; b++) {
        heed__bucket *bucket = &team->buckets.list[b];
        ok = heed__exchange_spread(where, &team->split, &bucket->exchange, bucket->sum, -1);
    }
    ok = ok && await_whole(team);
    for (int i = 0; i < team->buckets.n_pieces && ok; i++)
        ok = heed_copy_(team->buckets.pieces[i].parameter, place_of(team, &team->buckets.pieces[i])) == HEED_OK;
    return ok;
}

/* -- The whole step ------------------------------------------------------------------------------------------------ */

static bool update(heed_data_parallel *team)
{
    const bool parts = team->sharded_state && team->split.processes > 1;
    bool ok = make_whole(team, !parts) && (parts || await_whole(team)) && set_gradients(team) &&
              heed__optimizer_update(team->optimizer) == HEED_OK;
    (void)heed_optimizer_zero_grad(team->optimizer);
    return ok && (!parts || share_parameters(team));
}

/* All sums come first, so that no message is in transit when all processes fail alike. */
static bool step(heed_data_parallel *team)
{
    heed__buckets *buckets = &team->buckets;
    if (!heed__buckets_send(buckets) || !share_notes(team))
        return false;
    const double *note = notes_of(team) + buckets->n_pieces, count = note[HEED_NOTE_COUNT];
    bool ok = true;
    for (int b = 0; b < buckets->n && ok; b++)
        ok = divide(team, &buckets->list[b], count > 0.0 ? count : 1.0);
    heed_tensor *told = ok ? tell_all(team) : NULL;
    if (!told)
        return false;
    if (!(count > 0.0))
        return heed_fail_false(HEED_ERR_STATE, where, "the counts of all shards are 0");
    if (!check_told(team, told) || !clip(team, told) || !update(team))
        return false;
    heed__statistics_move(&team->statistics, note + HEED_NOTES, note[HEED_NOTE_SHARDS]);
    team->loss = note[HEED_NOTE_LOSS] / count;
    return true;
}

bool heed__team_step(heed_data_parallel *team)
{
    heed_scope *scope = heed_no_grad_begin();
    const bool ok = scope && step(team);
    if (scope)
        heed_scope_end(scope);
    if (!ok)
        heed__comm_tell_failure(team->comm);
    return ok;
}
