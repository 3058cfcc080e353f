/* team/gradients.c - heed_data_parallel_gradients: the gradients of this process's shards, in several threads.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#include <heed/graph.h>
#include <heed/memory.h>
#include <heed/ops.h>
#include <heed/parallel.h>
#include <heed/scope.h>

#include "team/team.h"

static const char where[] = "data_parallel_gradients";

/* The computation of the shards first .. last - 1, all that this process has. */
typedef struct shard_run {
    heed_data_parallel *team;
    heed_shard_loss fn;
    void *user;
    int64_t first, last;
    int n_vectors;         /* of a shard */
    heed_tensor **vectors; /* of all shards: retained from the end of a shard until they are added */
    int64_t next;          /* the next shard to add; guarded by the lock, as `vectors` and the team are */
    pthread_mutex_t lock;
} shard_run;

/* Lists that a shard needs, in one block. */
typedef struct shard_lists {
    int n;                 /* of the optimizer's parameters */
    heed_tensor **trained; /* the parameters that are not frozen */
    heed_tensor **trained_grads;
    heed_tensor **grads; /* by the index of the parameter */
    heed_tensor **buffers, **copies;
} shard_lists;

static bool has_samples(const heed_data_parallel *team, int64_t shard)
{
    return heed__first_sample(&team->split, shard) < heed__first_sample(&team->split, shard + 1);
}

static heed_tensor **vectors_of(const shard_run *run, int64_t shard)
{
    return run->vectors + (shard - run->first) * run->n_vectors;
}

/* -- A shard ------------------------------------------------------------------------------------------------------- */

static size_t lists_bytes(const heed_data_parallel *team, int n)
{
    return ((size_t)n * 3 + (size_t)team->statistics.n * 2) * sizeof(heed_tensor *);
}

/* Lays out the lists in `block`, which is zero. */
static shard_lists lay_out_lists(const heed_data_parallel *team, void *block, int n)
{
    shard_lists l = {.n = n, .trained = block};
    l.trained_grads = l.trained + n;
    l.grads = l.trained_grads + n;
    l.buffers = l.grads + n;
    l.copies = l.buffers + team->statistics.n;
    return l;
}

/* Gives this call copies of the buffers as they were at the beginning of the step. Returns false after heed_fail. */
static bool copy_buffers(const heed_data_parallel *team, const shard_lists *l)
{
    const heed__statistics *s = &team->statistics;
    for (int k = 0; k < s->n; k++) {
        l->buffers[k] = s->list[k].buffer;
        if (!(l->copies[k] = heed_clone(s->list[k].begin)))
            return false;
    }
    return heed_parallel_own_buffers(l->buffers, l->copies, s->n) == HEED_OK;
}

/* Calls the program's function. Returns the loss and writes its count, or returns NULL after heed_fail. */
static heed_tensor *loss_of_shard(const shard_run *run, int64_t shard, double *count)
{
    heed_tensor *batch[HEED_DATASET_MAX];
    if (!heed__team_take(run->team, shard, batch))
        return NULL;
    *count = (double)heed_dim(batch[0], 0);
    const heed_callback call = heed_callback_begin("the loss of a shard");
    heed_tensor *loss = run->fn(batch, count, run->user);
    if (!heed_callback_end(&call))
        return NULL;
    if (!loss)
        return heed_fail_null(HEED_ERR_STATE, where, "the function of the loss returned NULL");
    return heed__team_check_loss(where, loss, *count) ? loss : NULL;
}

/* Differentiates the loss with respect to all parameters that are not frozen. Returns false after heed_fail. */
static bool differentiate_loss(const heed_data_parallel *team, heed_tensor *loss, const shard_lists *l)
{
    int n = 0;
    for (int i = 0; i < l->n; i++)
        if (heed_requires_grad(heed_optimizer_parameter(team->optimizer, i)))
            l->trained[n++] = heed_optimizer_parameter(team->optimizer, i);
    if (n > 0 &&
        heed_grad(&loss, 1, l->trained, n, l->trained_grads, &(heed_grad_options){.allow_unused = true}) != HEED_OK)
        return false;
    for (int i = 0, k = 0; i < l->n && k < n; i++)
        if (heed_optimizer_parameter(team->optimizer, i) == l->trained[k])
            l->grads[i] = l->trained_grads[k++];
    return true;
}

/* Computes the vectors of a shard. Returns false after heed_fail. */
static bool compute_shard(const shard_run *run, int64_t shard, const shard_lists *l, heed__shard_result *result,
                          heed_tensor **vectors)
{
    if (!copy_buffers(run->team, l))
        return false;
    heed__team_seed_shard(run->team, NULL, shard);
    heed_tensor *loss = loss_of_shard(run, shard, &result->count);
    if (!loss || !differentiate_loss(run->team, loss, l))
        return false;
    result->loss = heed_item(loss);
    const bool recording = heed_set_grad_enabled(false);
    const bool ok = heed__buckets_fill_vectors(&run->team->buckets, result, vectors);
    (void)heed_set_grad_enabled(recording);
    return ok;
}

/* -- Their sum ----------------------------------------------------------------------------------------------------- */

/* Adds shards in order, up to the first one without results. Returns false after heed_fail. */
static bool add_computed(shard_run *run)
{
    for (; run->next < run->last; run->next++) {
        heed_tensor **vectors = vectors_of(run, run->next);
        if (!has_samples(run->team, run->next))
            continue;
        if (!vectors[run->n_vectors - 1])
            break;
        if (!heed__buckets_add_vectors(&run->team->buckets, run->next, vectors))
            return false;
    }
    return true;
}

static bool hand_over(shard_run *run, int64_t shard, double loss, heed_tensor **vectors)
{
    heed_data_parallel *team = run->team;
    pthread_mutex_lock(&run->lock);
    if (!isfinite(loss) && (team->nonfinite_shard < 0 || shard < team->nonfinite_shard))
        team->nonfinite_shard = shard;
    memcpy(vectors_of(run, shard), vectors, (size_t)run->n_vectors * sizeof *vectors);
    const bool ok = add_computed(run);
    pthread_mutex_unlock(&run->lock);
    return ok;
}

static void release_vectors(heed_tensor **vectors, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        heed_release(vectors[i]);
}

static heed_status run_shard(int64_t i, void *user)
{
    shard_run *run = user;
    const int64_t shard = run->first + i;
    if (!has_samples(run->team, shard))
        return HEED_OK;
    const int n = heed_optimizer_parameter_count(run->team->optimizer);
    const size_t list_bytes = lists_bytes(run->team, n), vector_bytes = (size_t)run->n_vectors * sizeof(heed_tensor *);
    heed_tensor **block = heed_calloc(1, vector_bytes + list_bytes);
    if (!block)
        return heed_error_code();
    const shard_lists lists = lay_out_lists(run->team, block + run->n_vectors, n);
    heed__shard_result result = {.grads = lists.grads, .copies = lists.copies};
    if (compute_shard(run, shard, &lists, &result, block))
        (void)hand_over(run, shard, result.loss, block);
    else
        release_vectors(block, run->n_vectors);
    heed_free(block, vector_bytes + list_bytes);
    return heed_error_code();
}

static bool run_all_shards(heed_data_parallel *team, heed_shard_loss fn, void *user)
{
    shard_run run = {.team = team,
                     .fn = fn,
                     .user = user,
                     .first = team->next,
                     .next = team->next,
                     .last = team->last,
                     .n_vectors = team->buckets.n + 1,
                     .lock = PTHREAD_MUTEX_INITIALIZER};
    const int64_t n_vectors = (run.last - run.first) * run.n_vectors;
    run.vectors = heed_calloc((size_t)n_vectors, sizeof *run.vectors);
    if (!run.vectors)
        return false;
    const bool ok = heed_parallel_for(run.last - run.first, run_shard, &run) == HEED_OK;
    heed_generator_set_state(team->generator, team->seed, team->position);
    release_vectors(run.vectors, n_vectors);
    heed_free(run.vectors, (size_t)n_vectors * sizeof *run.vectors);
    pthread_mutex_destroy(&run.lock);
    return ok;
}

heed_status heed_data_parallel_gradients(heed_data_parallel *team, heed_loader *loader, heed_shard_loss fn, void *user)
{
    HEED_ENTER(where);
    if (!heed__team_check(where, team))
        return heed_error_code();
    if (!heed_loader_dataset(loader))
        return heed_error_code();
    if (!fn)
        return heed_fail(HEED_ERR_ARGUMENT, where, "the function of the loss is NULL");
    if (team->stepping)
        return heed_fail(HEED_ERR_STATE, where, "step %" PRId64 " has begun: call heed_data_parallel_step first",
                         team->steps);
    if (!heed__team_check_parameters(where, team) || !heed__team_begin_step(where, team, loader))
        return heed_error_code();
    team->failed = !run_all_shards(team, fn, user);
    if (!team->failed)
        team->next = team->last;
    else
        heed__comm_give_up(team->comm);
    return team->failed ? heed_error_code() : HEED_OK;
}
