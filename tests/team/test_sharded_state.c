/* tests/team/test_sharded_state.c - an optimizer whose state is sharded over processes: the same bits, in less
 * memory.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_team.h"
#include "optimizer_of.h"
#include "training.h"

/* A number of units that gives several buckets, each of several chunks. */
enum { WIDE = 520 };

START_TEST(the_bits_are_those_of_the_whole_state)
{
    run whole = {.samples = 100, .batch = 32, .shards = 8, .to = 6, .hidden = WIDE, .dropout = 0.3, .max_norm = 0.1};
    run parts = whole,
        sgd = {.samples = 50, .batch = 6, .shards = 13, .to = 5, .optimizer = plain_sgd, .sharded = true};
    parts.sharded = true;
    const uint64_t expected = alone(train, &whole);
    ck_assert_uint_eq(alone(train, &parts), expected);
    check_any_number(train, &parts, parts.shards);
    check_any_number(train, &whole, whole.shards);
    check_any_number(train, &sgd, sgd.shards);
}
END_TEST

static heed_optimizer *centered_rmsprop(heed_module *m)
{
    return heed_optim_rmsprop(m, &(heed_optim_rmsprop_options){.lr = 0.001, .momentum = 0.5, .centered = true});
}

static heed_optimizer *adagrad(heed_module *m)
{
    return heed_optim_adagrad(m, &(heed_optim_adagrad_options){.initial_accumulator_value = 0.5});
}

static heed_optimizer *lion(heed_module *m)
{
    return heed_optim_lion(m, &(heed_optim_lion_options){.weight_decay = 0.1});
}

START_TEST(every_rule_works_on_parts)
{
    heed_optimizer *(*const all[])(heed_module *) = {centered_rmsprop, adagrad, lion};
    for (int i = 0; i < 3; i++) {
        run whole = {.samples = 24, .batch = 8, .shards = 3, .to = 4, .optimizer = all[i]}, parts = whole;
        parts.sharded = true;
        uint64_t results[TEAM_MAX];
        run_team(3, train, &parts, results);
        const uint64_t expected = alone(train, &whole);
        for (int rank = 0; rank < 3; rank++)
            ck_assert_uint_eq(results[rank], expected);
    }
}
END_TEST

/* Adds a matrix to the list. */
static heed_status add_matrix(const heed_module_visit *visit, void *list)
{
    if (heed_rank(visit->tensor) == 2) {
        heed_tensor **end = list;
        while (*end)
            end++;
        *end = visit->tensor;
    }
    return HEED_OK;
}

static heed_optimizer *muon(heed_module *m)
{
    heed_tensor *list[4] = {NULL}; /* three layers */
    heed_module_walk(m, add_matrix, list);
    return muon_of(list, 3, NULL);
}

static bool refused(bool right, const char *message)
{
    right = right && strcmp(heed_error_message(), message) == 0;
    if (!right)
        fprintf(stderr, "%s\n", heed_error_message());
    heed_error_clear();
    return right;
}

static uint64_t share_muon(heed_comm *comm, void *argument)
{
    (void)argument;
    heed_tensor *w = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(2, 2)), true);
    heed_optimizer *o = muon_of(HEED_TENSORS(w), NULL);
    bool ok =
        refused(!heed_data_parallel_new(comm, o, &(heed_data_parallel_options){.shards = 4, .sharded_state = true}),
                "data_parallel_new: sharded_state is set, but heed_optim_muon can only update whole parameters");
    heed_optimizer_free(o);
    o = lbfgs_of(HEED_TENSORS(w), NULL);
    ok = refused(!heed_data_parallel_new(comm, o, NULL),
                 "data_parallel_new: heed_optim_lbfgs evaluates the loss itself: teams need a different optimizer") &&
         ok;
    heed_optimizer_free(o);
    return ok;
}

/* Muon works with a whole state; a sharded state is refused. */
START_TEST(muon_needs_whole_matrices)
{
    run r = {.samples = 24, .batch = 8, .shards = 3, .to = 3, .hidden = 20, .optimizer = muon};
    uint64_t results[TEAM_MAX];
    run_team(3, train, &r, results);
    const uint64_t expected = alone(train, &r);
    for (int rank = 0; rank < 3; rank++)
        ck_assert_uint_eq(results[rank], expected);
    run_team(2, share_muon, NULL, results);
    ck_assert_uint_eq(results[0] + results[1], 2);
}
END_TEST

/* Saved by 4 processes with sharded state, continued by 2 without, then by 3 with sharded state. */
START_TEST(checkpoints_fit_any_team)
{
    run r = {.samples = 100, .batch = 32, .shards = 8, .to = 9, .dropout = 0.3};
    const uint64_t expected = alone(train, &r);
    static const int processes[] = {4, 2, 3};
    char path[] = "/tmp/heed_team_XXXXXX";
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
    r.checkpoint = path;
    for (int phase = 0; phase < 3; phase++) {
        uint64_t results[TEAM_MAX];
        r.from = 3 * phase;
        r.to = r.from + 3;
        r.sharded = phase != 1;
        run_team(processes[phase], train, &r, results);
        for (int rank = 0; rank < processes[phase] && phase == 2; rank++)
            ck_assert_uint_eq(results[rank], expected);
    }
    remove(path);
}
END_TEST

/* A team after one step, and the arguments of the tests below. */
typedef struct workshop {
    heed_nn_linear *net;
    heed_optimizer *adam;
    heed_dataset *data;
    heed_loader *loader;
    heed_data_parallel *team;
} workshop;

static workshop open_workshop(heed_comm *comm, int64_t features, bool sharded)
{
    heed_manual_seed(1);
    workshop w = {.net = heed_nn_linear_new(features, features, NULL)};
    w.adam = heed_optim_adam(&w.net->base, NULL);
    w.data = heed_dataset_new(HEED_TENSORS(heed_ones(HEED_F32, HEED_SHAPE(8, features))));
    w.loader = heed_loader_new(w.data, &(heed_loader_options){.batch_size = 8});
    w.team = heed_data_parallel_new(comm, w.adam, &(heed_data_parallel_options){.shards = 4, .sharded_state = sharded});
    heed_tensor *phase[1];
    while (heed_data_parallel_next(w.team, w.loader, phase)) {
        heed_scope *scope = heed_scope_begin();
        heed_data_parallel_backward(w.team, heed_sum(heed_nn_linear_forward(w.net, phase[0])), 2.0);
        heed_scope_end(scope);
    }
    ck_assert_int_eq(heed_data_parallel_step(w.team), HEED_OK);
    return w;
}

static void close_workshop(workshop *w)
{
    heed_data_parallel_free(w->team);
    heed_loader_free(w->loader);
    heed_dataset_free(w->data);
    heed_optimizer_free(w->adam);
    heed_module_free(&w->net->base);
}

/* Bytes of state: the memory that freeing the optimizer releases. */
static uint64_t count_state(heed_comm *comm, void *argument)
{
    workshop w = open_workshop(comm, 512, *(const bool *)argument);
    heed_data_parallel_free(w.team);
    w.team = NULL;
    int64_t before = heed_memory_get_stats().live_bytes;
    heed_optimizer_free(w.adam);
    w.adam = NULL;
    uint64_t bytes = (uint64_t)(before - heed_memory_get_stats().live_bytes);
    close_workshop(&w);
    return bytes;
}

START_TEST(every_process_has_a_shard_of_the_state)
{
    uint64_t whole[TEAM_MAX], parts[TEAM_MAX];
    run_team(2, count_state, &(bool){false}, whole);
    run_team(2, count_state, &(bool){true}, parts);
    ck_assert_uint_ge(whole[0], 2 * sizeof(float) * 512 * 513);
    for (int rank = 0; rank < 2; rank++)
        ck_assert_near((double)parts[rank] / (double)whole[rank], 0.5, 0.07); /* blocks have fixed sizes */
}
END_TEST

/* Calls that would leave out the other processes' shards. */
static uint64_t misuse_parts(heed_comm *comm, void *argument)
{
    (void)argument;
    workshop w = open_workshop(comm, 3, true);
    heed_tensor *more = heed_set_requires_grad(heed_zeros(HEED_F32, HEED_SHAPE(2)), true);
    bool ok = refused(!heed_optimizer_state(w.adam),
                      "optimizer_state: this process holds only a part of the state: use heed_data_parallel_save");
    ok = refused(heed_optimizer_step(w.adam) == HEED_ERR_STATE,
                 "optimizer_step: this process holds only a part of the state: use heed_data_parallel_step") &&
         ok;
    ok = refused(adam_add(w.adam, HEED_TENSORS(more), NULL) == HEED_ERR_STATE,
                 "optim_adam_add_group: the optimizer's state is spread over processes") &&
         ok;
    heed_data_parallel_free(w.team);
    w.team = NULL;
    ok = refused(!heed_data_parallel_new(comm, w.adam, &(heed_data_parallel_options){.shards = 4}),
                 "data_parallel_new: a team, perhaps freed, has distributed the state of the optimizer: use a new "
                 "optimizer") &&
         ok;
    close_workshop(&w);
    return ok;
}

START_TEST(a_part_is_not_the_whole)
{
    uint64_t results[TEAM_MAX];
    run_team(2, misuse_parts, NULL, results);
    ck_assert_uint_eq(results[0] + results[1], 2);
}
END_TEST

/* Saves to a path where process 0 cannot write. All processes must report the error. */
static uint64_t save_nowhere(heed_comm *comm, void *argument)
{
    (void)argument;
    workshop w = open_workshop(comm, 3, true);
    heed_checkpoint saved = {.module = &w.net->base, .optimizer = w.adam, .loader = w.loader};
    bool ok = heed_data_parallel_save(w.team, "/nowhere/run.heed", &saved, NULL) == HEED_ERR_IO;
    heed_error_clear();
    heed_optimizer *other = heed_optim_adam(&w.net->base, NULL);
    saved.optimizer = other;
    ok = refused(heed_data_parallel_save(w.team, "run.heed", &saved, NULL) == HEED_ERR_ARGUMENT,
                 "data_parallel_save: the optimizer of the checkpoint is not the optimizer of the team") &&
         ok;
    heed_optimizer_free(other);
    close_workshop(&w);
    return ok;
}

START_TEST(a_failed_save_is_everybodys)
{
    uint64_t results[TEAM_MAX];
    run_team(3, save_nowhere, NULL, results);
    ck_assert_uint_eq(results[0] + results[1] + results[2], 3);
}
END_TEST

HEED_TEST_MAIN("sharded state", the_bits_are_those_of_the_whole_state, every_rule_works_on_parts,
               muon_needs_whole_matrices, checkpoints_fit_any_team, every_process_has_a_shard_of_the_state,
               a_part_is_not_the_whole, a_failed_save_is_everybodys)
