/* team/data_parallel.c - training in several processes, bit-identical to training in one.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>

#include <heed/debug.h>
#include <heed/graph.h>
#include <heed/memory.h>
#include <heed/ops.h>
#include <heed/scope.h>

#include "base/hash.h"
#include "base/mark.h"
#include "optim/optimizer.h"
#include "team/team.h"

HEED_MARK_OUTLIVES_FREE(heed_data_parallel);

#define MAX_STEPS ((int64_t)1 << 24)
#define MAX_SHARDS ((int64_t)1 << 20)
#define LOG2_DRAWS_PER_STEP 40 /* log2 of the number of generator positions reserved for every shard of a step */

/* -- Creation and freeing ------------------------------------------------------------------------------------------ */

static bool check_team_live(const char *where, const heed_data_parallel *team)
{
    if (!team)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the team is NULL");
    return heed__is_marked(team->mark, HEED_TEAM) || heed_fail_freed(where, "the team", team);
}

bool heed__team_check(const char *where, const heed_data_parallel *team)
{
    return check_team_live(where, team) && heed__comm_is_live(where, team->comm) &&
           heed__optimizer_check(where, team->optimizer);
}

static void release_all(heed_tensor **tensors, int n)
{
    for (int i = 0; i < n; i++) {
        heed_release(tensors[i]);
        tensors[i] = NULL;
    }
}

void heed_data_parallel_free(heed_data_parallel *team)
{
    if (!team || !check_team_live("data_parallel_free", team))
        return;
    if (team->stepping) {
        heed_generator_set_state(team->generator, team->seed, team->position);
        heed__statistics_restore(&team->statistics);
    }
    release_all(&team->numbers, 1);
    release_all(team->batch, HEED_DATASET_MAX);
    heed__buckets_free(&team->buckets);
    heed__statistics_free(&team->statistics);
    team->mark = 0;
    heed_free(team, sizeof *team);
}

static bool check_team_options(const heed_comm *comm, const heed_data_parallel_options *o)
{
    const char *where = "data_parallel_new";
    if (o->shards > MAX_SHARDS)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "%" PRId64 " shards: must be at most %" PRId64, o->shards,
                               MAX_SHARDS);
    if (o->shards != 0 && o->shards < heed_comm_size(comm))
        return heed_fail_false(HEED_ERR_ARGUMENT, where,
                               "%" PRId64 " shards: must be at least the number of processes, %d", o->shards,
                               heed_comm_size(comm));
    if (!isfinite(o->max_norm) || o->max_norm < 0.0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "max_norm is %g: must be finite and 0 or more", o->max_norm);
    return true;
}

static bool set_up_team(heed_data_parallel *team, heed_data_parallel_options *o)
{
    o->shards = team->split.shards;
    return heed__statistics_make(&team->statistics, o->module) &&
           heed__buckets_make(&team->buckets, &team->split, team->optimizer, &team->statistics) &&
           heed__check_consistency("data_parallel_new", team->comm, team->optimizer, &team->statistics, o) &&
           (!o->sharded_state || team->split.processes == 1 || heed__team_shard_state(team));
}

heed_data_parallel *heed_data_parallel_new(heed_comm *comm, heed_optimizer *optimizer,
                                           const heed_data_parallel_options *options)
{
    const char *where = "data_parallel_new";
    HEED_ENTER(where);
    heed_data_parallel_options o = options ? *options : (heed_data_parallel_options){0};
    if (!heed__comm_is_live(where, comm) || !heed__optimizer_check(where, optimizer) || !check_team_options(comm, &o))
        return NULL;
    if (optimizer->lbfgs)
        return heed_fail_null(HEED_ERR_UNSUPPORTED, where,
                              "heed_%s evaluates the loss itself: teams need a different optimizer",
                              optimizer->kind->name);
    if (o.sharded_state && optimizer->kind->whole)
        return heed_fail_null(HEED_ERR_UNSUPPORTED, where,
                              "sharded_state is set, but heed_%s can only update whole parameters",
                              optimizer->kind->name);
    if (optimizer->partial)
        return heed_fail_null(HEED_ERR_STATE, where,
                              "a team, perhaps freed, has distributed the state of the optimizer: use a new optimizer");
    heed_data_parallel *team = heed_calloc(1, sizeof *team);
    if (!team)
        return NULL;
    team->mark = HEED_MARK(HEED_TEAM, 0);
    team->comm = comm;
    team->optimizer = optimizer;
    team->max_norm = o.max_norm;
    team->sharded_state = o.sharded_state;
    team->split = (heed__split){.comm = comm, .processes = heed_comm_size(comm), .rank = heed_comm_rank(comm)};
    team->split.shards = o.shards > 0 ? o.shards : team->split.processes;
    team->next = heed__first_shard(&team->split, team->split.rank);
    team->last = heed__first_shard(&team->split, team->split.rank + 1);
    team->nonfinite_shard = -1;
    team->loss = (double)NAN;
    if (set_up_team(team, &o))
        return team;
    heed__comm_notify_failure(comm);
    heed_data_parallel_free(team);
    return NULL;
}

/* -- Shards -------------------------------------------------------------------------------------------------------- */

bool heed__team_begin_step(const char *where, heed_data_parallel *team, heed_loader *loader)
{
    if (!heed__comm_check(where, team->comm))
        return false;
    if (team->steps >= MAX_STEPS)
        return heed_fail_false(HEED_ERR_STATE, where,
                               "the team has done 2^24 steps, the maximum: later shards would repeat random numbers");
    team->data_checked = team->data_checked || heed__check_loader_consistency(where, team->comm, loader, team->steps);
    if (!team->data_checked) {
        heed__comm_notify_failure(team->comm);
        return false;
    }
    team->generator = heed_generator_use(NULL);
    if (!heed_generator_use(team->generator) ||
        heed_generator_get_state(team->generator, &team->seed, &team->position) != HEED_OK)
        return false;
    heed_loader_state state;
    heed_scope *scope = heed_loader_get_state(loader, &state) == HEED_OK ? heed_no_grad_begin() : NULL;
    if (!scope)
        return false;
    team->epoch = state.epoch;
    team->numbers = heed_retain(heed_loader_next_numbers(loader));
    heed_scope_end(scope);
    if (!team->numbers)
        return false;
    team->loader = loader;
    team->n_tensors = heed_dataset_tensors(heed_loader_dataset(loader));
    team->split.samples = heed_numel(team->numbers);
    heed__statistics_begin(&team->statistics);
    team->stepping = true;
    return true;
}

/* Returns the first shard from `shard` on that has samples, or team->last if this process has no further such shard. */
static int64_t next_shard(const heed_data_parallel *team, int64_t shard)
{
    while (shard < team->last && heed__first_sample(&team->split, shard) == heed__first_sample(&team->split, shard + 1))
        shard++;
    return shard;
}

bool heed__team_take(const heed_data_parallel *team, int64_t shard, heed_tensor **batch)
{
    const int64_t begin = heed__first_sample(&team->split, shard), end = heed__first_sample(&team->split, shard + 1);
    const bool recording = heed_set_grad_enabled(false);
    heed_tensor *numbers = heed_slice(team->numbers, 0, begin, end, 1);
    const heed_dataset *dataset = heed_loader_dataset(team->loader);
    const bool ok = numbers && heed_dataset_take_epoch(dataset, numbers, team->epoch, batch) == HEED_OK;
    (void)heed_set_grad_enabled(recording);
    return ok;
}

void heed__team_seed_shard(const heed_data_parallel *team, heed_generator *generator, int64_t shard)
{
    heed_generator_set_state(generator, heed__mix_bits(team->seed + heed__mix_bits((uint64_t)shard + 1)),
                             (uint64_t)team->steps << LOG2_DRAWS_PER_STEP);
}

/* Reads the samples of the current shard, and no others, into team->batch. Returns false after heed_fail. */
static bool take_samples(heed_data_parallel *team)
{
    heed_tensor *batch[HEED_DATASET_MAX];
    heed_scope *scope = heed_scope_begin();
    const bool ok = scope && heed__team_take(team, team->next, batch);
    for (int i = 0; i < team->n_tensors && ok; i++)
        team->batch[i] = heed_retain(batch[i]);
    if (scope)
        heed_scope_end(scope);
    return ok;
}

bool heed_data_parallel_next(heed_data_parallel *team, heed_loader *loader, heed_tensor **batch)
{
    const char *where = "data_parallel_next";
    HEED_ENTER(where);
    if (!heed__team_check(where, team))
        return false;
    if (!loader || !batch)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the %s is NULL", loader ? "batch" : "loader");
    if (team->shard_open)
        return heed_fail_false(HEED_ERR_STATE, where,
                               "shard %" PRId64 " has no gradients yet: call heed_data_parallel_backward first",
                               team->next);
    if (team->failed)
        return heed_fail_false(HEED_ERR_STATE, where, "shard %" PRId64 " has failed in this step", team->next);
    if (!team->stepping && !heed__team_begin_step(where, team, loader))
        return false;
    release_all(team->batch, team->n_tensors);
    heed_generator_set_state(team->generator, team->seed, team->position);
    team->next = next_shard(team, team->next);
    if (team->next == team->last)
        return false;
    heed__team_seed_shard(team, team->generator, team->next);
    heed__statistics_restore(&team->statistics);
    if (!take_samples(team))
        return false;
    for (int i = 0; i < team->n_tensors; i++)
        batch[i] = team->batch[i];
    team->shard_open = true;
    return true;
}

/* -- Gradients of a shard ------------------------------------------------------------------------------------------ */

bool heed__team_check_loss(const char *where, const heed_tensor *loss, double count)
{
    if (!loss)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the loss is NULL");
    if (!isfinite(count) || count < 0.0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "count is %g: must be finite and 0 or more", count);
    return heed_numel(loss) == 1 || heed_fail_false(HEED_ERR_SHAPE, where, "the loss has shape %s: must be one number",
                                                    heed_shape_text(heed_shape_of(loss)).s);
}

/* Checks that the buckets still number the optimizer's parameters correctly. */
static bool check_team_order(const char *where, const heed_data_parallel *team)
{
    for (int i = 0; i < team->buckets.n_entries; i++)
        if (heed_optimizer_parameter(team->optimizer, team->buckets.entries[i].index) !=
            team->buckets.entries[i].parameter)
            return heed_fail_false(HEED_ERR_STATE, where,
                                   "the optimizer's parameters have a different order than when the team was made");
    return true;
}

bool heed__team_check_parameters(const char *where, const heed_data_parallel *team)
{
    const int n = heed_optimizer_parameter_count(team->optimizer);
    if (n != team->buckets.n_entries)
        return heed_fail_false(HEED_ERR_STATE, where,
                               "the optimizer has %d parameters, but had %d when the team was made", n,
                               team->buckets.n_entries);
    if (!check_team_order(where, team))
        return false;
    for (int i = 0; i < n; i++)
        if (heed_has_grad(heed_optimizer_parameter(team->optimizer, i)))
            return heed_fail_false(HEED_ERR_STATE, where,
                                   "parameter %d already has a gradient: call heed_optimizer_zero_grad first", i);
    return true;
}

static void end_step(heed_data_parallel *team)
{
    release_all(&team->numbers, 1);
    release_all(team->batch, team->n_tensors);
    heed__buckets_clear(&team->buckets);
    heed_generator_set_state(team->generator, team->seed, team->position);
    team->next = heed__first_shard(&team->split, team->split.rank);
    team->nonfinite_shard = -1;
    team->stepping = team->shard_open = team->failed = false;
}

static bool backward_shard(heed_data_parallel *team, heed_tensor *loss, double count)
{
    const double value = heed_item(loss);
    const bool final = next_shard(team, team->next + 1) == team->last;
    if (!isfinite(value) && team->nonfinite_shard < 0)
        team->nonfinite_shard = team->next;
    const bool ok = heed__buckets_add_hooks(&team->buckets, team->next, final) && heed_backward(loss) == HEED_OK &&
                    heed__buckets_end_shard(&team->buckets, value, count);
    heed__buckets_remove_hooks(&team->buckets);
    return heed_optimizer_zero_grad(team->optimizer) == HEED_OK && ok;
}

heed_status heed_data_parallel_backward(heed_data_parallel *team, heed_tensor *loss, double count)
{
    const char *where = "data_parallel_backward";
    HEED_ENTER(where);
    if (!heed__team_check(where, team))
        return heed_error_code();
    if (!team->shard_open && loss)
        return heed_fail(HEED_ERR_STATE, where, "there is no shard: call heed_data_parallel_next first");
    if (!heed__team_check_loss(where, loss, count))
        return heed_error_code();
    if (!heed__team_check_parameters(where, team))
        return HEED_ERR_STATE;
    team->shard_open = false;
    team->failed = !backward_shard(team, loss, count);
    if (team->failed) {
        heed__comm_give_up(team->comm);
        return heed_error_code();
    }
    team->next++;
    return HEED_OK;
}

/* -- The step ------------------------------------------------------------------------------------------------------ */

heed_status heed_data_parallel_step(heed_data_parallel *team)
{
    const char *where = "data_parallel_step";
    HEED_ENTER(where);
    if (!heed__team_check(where, team))
        return heed_error_code();
    if (!team->stepping)
        return heed_fail(HEED_ERR_STATE, where,
                         "there is no shard: call heed_data_parallel_gradients or heed_data_parallel_next first");
    if (!check_team_order(where, team)) {
        heed__comm_give_up(team->comm);
        team->failed = true;
    } else if (team->shard_open || (team->next < team->last && !team->failed)) {
        heed__comm_give_up(team->comm);
        heed_fail(HEED_ERR_STATE, where, "shard %" PRId64 " of %" PRId64 " has no gradients yet: the step is cancelled",
                  team->next, team->split.shards);
        heed__statistics_restore(&team->statistics);
        end_step(team);
        return HEED_ERR_STATE;
    }
    const bool ok = team->failed ? heed_fail_false(HEED_ERR_STATE, where, "shard %" PRId64 " has failed", team->next)
                                 : heed__team_step(team);
    if (!ok)
        heed__statistics_restore(&team->statistics);
    end_step(team);
    team->steps += ok;
    return ok ? HEED_OK : heed_error_code();
}

/* -- Queries ------------------------------------------------------------------------------------------------------- */

int64_t heed_data_parallel_steps(const heed_data_parallel *team)
{
    return heed__team_check("data_parallel_steps", team) ? team->steps : -1;
}

heed_status heed_data_parallel_set_steps(heed_data_parallel *team, int64_t steps)
{
    const char *where = "data_parallel_set_steps";
    if (!heed__team_check(where, team))
        return heed_error_code();
    if (steps < 0 || steps >= MAX_STEPS)
        return heed_fail(HEED_ERR_ARGUMENT, where, "steps is %" PRId64 ": must be 0 to 2^24 - 1", steps);
    if (team->stepping)
        return heed_fail(HEED_ERR_STATE, where, "step %" PRId64 " is in progress: call heed_data_parallel_step first",
                         team->steps);
    team->steps = steps;
    team->data_checked = false;
    return HEED_OK;
}

double heed_data_parallel_loss(const heed_data_parallel *team)
{
    return heed__team_check("data_parallel_loss", team) ? team->loss : (double)NAN;
}
