/* tests/team/test_team_steps.c - a change in one process since the team was made is detected at the next step, which
 * then fails in all processes without any effect.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_team.h"
#include "optimizer_of.h"
#include "training.h"

typedef enum change {
    SCHEDULE, /* gamma 0.5 instead of 0.9 */
    RATE,
    STATE, /* a different state was loaded */
    SEED,
    PRECISION,
    SAMPLES,
    NOTHING,
    CHANGES = NOTHING
} change;

static const char *const state_names[CHANGES] = {
    "its learning rates",
    "its learning rates",
    "the number of updates of a parameter (did it load a different state?)",
    "the seed of its default generator",
    "the precision of its matrix products",
    "the samples of the step (did its loader change?)"};

typedef struct deviation {
    int rank;
    change change;
} deviation;

static void do_step(heed_data_parallel *team, heed_loader *loader, heed_nn_linear *net)
{
    heed_tensor *tensors[1];
    while (heed_data_parallel_next(team, loader, tensors))
        (void)heed_data_parallel_backward(team, heed_sum(heed_square(heed_nn_linear_forward(net, tensors[0]))),
                                          (double)heed_dim(tensors[0], 0));
    (void)heed_data_parallel_step(team);
}

/* The state of an optimizer of such a net after no update, but one step of its schedule. */
static void load_fresh_state(heed_optimizer *o, heed_nn_linear *net)
{
    heed_optimizer *fresh = heed_optim_sgd(&net->base, &(heed_optim_sgd_options){.lr = 0.1, .momentum = 0.9});
    heed_schedule *schedule = heed_schedule_new_step(fresh, 1, 0.9);
    (void)heed_schedule_step(schedule);
    heed_dict *state = heed_optimizer_state(fresh);
    (void)heed_optimizer_load_state(o, state, NULL);
    heed_dict_free(state);
    (void)heed_schedule_free(schedule);
    heed_optimizer_free(fresh);
}

static void apply_change(change kind, heed_optimizer *o, heed_loader *loader, heed_nn_linear *net)
{
    heed_loader_state at;
    if (kind == RATE)
        (void)heed_optimizer_set_lr(o, 0, 0.01);
    else if (kind == STATE)
        load_fresh_state(o, net);
    else if (kind == SEED)
        heed_manual_seed(5);
    else if (kind == PRECISION)
        (void)heed_set_matmul_precision(HEED_PRECISION_HIGH);
    else if (kind == SAMPLES && heed_loader_get_state(loader, &at) == HEED_OK)
        (void)heed_loader_set_state(loader, &(heed_loader_state){.seed = at.seed + 1,
                                                                 .epoch = at.epoch,
                                                                 .batch = at.batch,
                                                                 .samples = at.samples,
                                                                 .batch_size = at.batch_size});
}

/* Two steps, between which one process changes. */
static bool steps_fail_as_expected(const deviation *c, int rank, heed_data_parallel *team, heed_loader *loader,
                                   heed_nn_linear *net, heed_optimizer *o, heed_schedule *schedule)
{
    char expected[256] = "";
    do_step(team, loader, net);
    bool ok = heed_error_code() == HEED_OK && heed_schedule_step(schedule) == HEED_OK;
    const uint64_t before = hash_of(&net->base);
    if (rank == c->rank)
        apply_change(c->change, o, loader, net);
    do_step(team, loader, net);
    if (c->change != NOTHING)
        (void)snprintf(expected, sizeof expected, "data_parallel_step: process %d differs from process %d in %s",
                       c->rank, c->rank == 0 ? 1 : 0, state_names[c->change]);
    if (strcmp(heed_error_message(), expected) != 0) {
        fprintf(stderr, "process %d: \"%s\", not \"%s\"\n", rank, heed_error_message(), expected);
        ok = false;
    }
    const bool failed = heed_error_code() == HEED_ERR_STATE;
    heed_error_clear();
    return ok && failed == (c->change != NOTHING) && (hash_of(&net->base) == before) == failed;
}

static uint64_t differ_at_a_step(heed_comm *comm, void *argument)
{
    const deviation *c = argument;
    const int rank = heed_comm_rank(comm);
    heed_manual_seed(1);
    heed_nn_linear *net = heed_nn_linear_new(3, 4, NULL);
    heed_optimizer *o = heed_optim_sgd(&net->base, &(heed_optim_sgd_options){.lr = 0.1, .momentum = 0.9});
    heed_dataset *data = heed_dataset_new(HEED_TENSORS(heed_randn(HEED_F32, HEED_SHAPE(24, 3))));
    heed_loader *loader = heed_loader_new(data, &(heed_loader_options){.batch_size = 6, .shuffle = true});
    heed_data_parallel *team = heed_data_parallel_new(comm, o, &(heed_data_parallel_options){.shards = 3});
    heed_schedule *schedule = heed_schedule_new_step(o, 1, c->change == SCHEDULE && rank == c->rank ? 0.5 : 0.9);
    const bool ok = steps_fail_as_expected(c, rank, team, loader, net, o, schedule);
    (void)heed_schedule_free(schedule);
    heed_data_parallel_free(team);
    heed_loader_free(loader);
    heed_dataset_free(data);
    heed_optimizer_free(o);
    heed_module_free(&net->base);
    return ok;
}

START_TEST(the_process_that_changes_is_named)
{
    for (change kind = 0; kind <= NOTHING; kind++)
        for (int deviating = 0; deviating < (kind == NOTHING ? 1 : 3); deviating++) {
            uint64_t results[TEAM_MAX];
            run_team(3, differ_at_a_step, &(deviation){deviating, kind}, results);
            for (int rank = 0; rank < 3; rank++)
                ck_assert_msg(results[rank] == 1, "change %d of process %d, in process %d", (int)kind, deviating, rank);
        }
}
END_TEST

/* Groups that change the order of the parameters: the buckets no longer fit. */
static uint64_t reorder(heed_comm *comm, void *argument)
{
    heed_tensor *list[] = {heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(2)), true),
                           heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(70000)), true)};
    heed_module *m = heed_nn_parameter_list_new(list, 2);
    heed_optimizer *o = heed_optim_sgd(m, &(heed_optim_sgd_options){.lr = 0.1});
    heed_dataset *data = heed_dataset_new(HEED_TENSORS(heed_ones(HEED_F32, HEED_SHAPE(4, 2))));
    heed_loader *loader = heed_loader_new(data, &(heed_loader_options){.batch_size = 4});
    heed_data_parallel *team = heed_data_parallel_new(comm, o, NULL);
    heed_tensor *tensors[1];
    bool right = team && heed_data_parallel_next(team, loader, tensors);
    if (*(const bool *)argument) /* after the gradients, before the update */
        right = right && heed_data_parallel_backward(team, heed_sum(list[0]), 1) == HEED_OK;
    right = right && heed_optimizer_set_options(o, m, "0", NULL) == 1;
    if (!*(const bool *)argument)
        right = right && heed_data_parallel_backward(team, heed_sum(list[0]), 1) == HEED_ERR_STATE;
    else
        right = right && heed_data_parallel_step(team) == HEED_ERR_STATE;
    right = right && strstr(heed_error_message(), "the optimizer's parameters have a different order");
    heed_error_clear();
    heed_data_parallel_free(team);
    heed_loader_free(loader);
    heed_dataset_free(data);
    heed_optimizer_free(o);
    (void)heed_module_free(m);
    return right;
}

START_TEST(parameters_keep_their_order)
{
    uint64_t results[TEAM_MAX];
    for (int late = 0; late < 2; late++) {
        run_team(2, reorder, &(bool){late}, results);
        ck_assert(results[0] == 1 && results[1] == 1);
    }
}
END_TEST

/* One process has made the team with a different precision of products. */
static uint64_t differ_in_precision(heed_comm *comm, void *argument)
{
    (void)argument;
    heed_tensor *w = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(2)), true);
    heed_optimizer *o = sgd_of(&w, 1, &(heed_optim_sgd_options){.lr = 0.1});
    (void)heed_set_matmul_precision(heed_comm_rank(comm) == 1 ? HEED_PRECISION_MEDIUM : HEED_PRECISION_HIGHEST);
    const heed_data_parallel *team = heed_data_parallel_new(comm, o, NULL);
    const bool right = !team && strstr(heed_error_message(),
                                       "the precision of matrix products differs between process 0 and process 1");
    heed_error_clear();
    heed_optimizer_free(o);
    return right;
}

START_TEST(a_different_precision_is_named)
{
    uint64_t results[TEAM_MAX];
    run_team(2, differ_in_precision, NULL, results);
    ck_assert(results[0] == 1 && results[1] == 1);
}
END_TEST

HEED_TEST_MAIN("steps of teams", the_process_that_changes_is_named, parameters_keep_their_order,
               a_different_precision_is_named)
