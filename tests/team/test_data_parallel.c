/* tests/team/test_data_parallel.c - the same bits for any number of processes.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_team.h"
#include "training.h"

START_TEST(any_number_of_processes_has_the_same_bits)
{
    check_any_number(train, &(run){.samples = 100, .batch = 32, .shards = 8, .to = 10, .dropout = 0.3}, 8);
    check_any_number(train, &(run){.samples = 100, .batch = 33, .shards = 7, .to = 7, .dropout = 0.3, .max_norm = 0.1},
                     7);
    check_any_number(train, &(run){.samples = 50, .batch = 6, .shards = 13, .to = 9}, 13); /* shards without samples */
}
END_TEST

START_TEST(the_number_of_processes_may_change_in_between)
{
    run r = {.samples = 100, .batch = 32, .shards = 8, .to = 9, .dropout = 0.3};
    const uint64_t expected = alone(train, &r);
    const int processes[] = {4, 2, 3};
    char path[] = "/tmp/heed_team_XXXXXX";
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
    r.checkpoint = path;
    for (int phase = 0; phase < 3; phase++) {
        uint64_t results[TEAM_MAX];
        r.from = 3 * phase;
        r.to = r.from + 3;
        run_team(processes[phase], train, &r, results);
        if (phase == 2)
            ck_assert_msg(results[2] == expected, "another hash after 4, 2 and 3 processes");
    }
    remove(path);
}
END_TEST

/* The usual loop over whole batches: one mean loss and one backward pass per step. */
static heed_nn_sequential *train_plainly(const run *r)
{
    heed_manual_seed(3);
    heed_nn_sequential *net = make_net(0, 0.0);
    heed_tensor *x = heed_randn(HEED_F32, HEED_SHAPE(r->samples, 5)), *y = heed_randint(0, 3, HEED_SHAPE(r->samples));
    heed_dataset *data = heed_dataset_new(HEED_TENSORS(x, y));
    heed_loader *loader = heed_loader_new(data, &(heed_loader_options){.batch_size = r->batch, .shuffle = true});
    heed_optimizer *sgd = heed_optim_sgd(&net->base, &(heed_optim_sgd_options){.lr = 0.1});
    for (int64_t step = 0; step < r->to; step++) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *batch[2];
        heed_loader_next(loader, batch);
        heed_backward(heed_cross_entropy(heed_nn_sequential_forward(net, batch[0]), batch[1], NULL));
        heed_optimizer_step(sgd);
        heed_optimizer_zero_grad(sgd);
        heed_scope_end(scope);
    }
    heed_optimizer_free(sgd);
    heed_loader_free(loader);
    heed_dataset_free(data);
    return net;
}

START_TEST(shards_give_the_mean_over_the_batch)
{
    run r = {.samples = 60, .batch = 17, .shards = 5, .to = 8, .optimizer = plain_sgd};
    heed_nn_sequential *plain = train_plainly(&r);
    heed_comm *self = heed_comm_self();
    r.keep = &plain->base;
    train(self, &r); /* subtracts its parameters from `keep`'s */
    heed_comm_free(self);
    heed_dict *state = heed_module_state(&plain->base);
    for (int64_t i = 0; i < heed_dict_size(state); i++)
        ck_assert_near(heed_item(heed_max(heed_abs(heed_dict_at(state, i)))), 0.0, 1e-6);
    heed_dict_free(state);
    heed_module_free(&plain->base);
}
END_TEST

/* -- Bytes --------------------------------------------------------------------------------------------------------- */

static uint64_t count_bytes(heed_comm *comm, void *argument)
{
    (void)train(comm, argument);
    return (uint64_t)heed_comm_bytes_sent(comm);
}

/* Together all processes send a vector of gradients twice R - 1 times per step, to its owners and back. Every
 * process sends to every other the squares of its chunks, of which there are two, two notices and six facts; and at
 * the beginning its settings and the position of its data. */
START_TEST(no_byte_is_sent_in_vain)
{
    run r = {.samples = 96, .batch = 32, .shards = 8, .to = 10};
    const uint64_t f32 = 5 * 300 + 300 + 300 * 250 + 250 + 250 * 3 + 3, f64 = 6 + 3;
    for (int processes = 2; processes <= 8; processes *= 2) {
        uint64_t results[TEAM_MAX], sum = 0;
        run_team(processes, count_bytes, &r, results);
        for (int rank = 0; rank < processes; rank++)
            sum += results[rank];
        const uint64_t all = (uint64_t)processes, peers = all - 1, step_bytes = all * peers * 8 * (2 + 6 + 1),
                       greeting = all * peers * 8 * (1 + 13 + 7);
        ck_assert_uint_eq(sum, 10 * (2 * peers * (4 * f32 + 8 * f64) + step_bytes) + greeting);
    }
}
END_TEST

/* -- Disagreement -------------------------------------------------------------------------------------------------- */

typedef struct deviation {
    int rank;
    int64_t shards;
    uint64_t seed;
    int64_t width;
    bool adam, other_values, stepped, broadcast;
    double weight_decay;
    const char *message;
} deviation;

static uint64_t disagree(heed_comm *comm, void *argument)
{
    const deviation *o = argument;
    const bool deviates = heed_comm_rank(comm) == o->rank;
    heed_manual_seed(1);
    heed_nn_linear *net = heed_nn_linear_new(3, deviates && o->width ? o->width : 4, NULL);
    if (deviates && o->other_values) {
        heed_scope *scope = heed_no_grad_begin();
        heed_fill_(net->bias, 7.0);
        heed_scope_end(scope);
    }
    heed_manual_seed(deviates && o->seed ? o->seed : 1);
    const heed_optim_sgd_options sgd = {.lr = 0.1, .weight_decay = deviates ? o->weight_decay : 0.0};
    heed_optimizer *optimizer =
        deviates && o->adam ? heed_optim_adam(&net->base, NULL) : heed_optim_sgd(&net->base, &sgd);
    if (deviates && o->stepped) {
        heed_backward(heed_sum(net->weight));
        heed_optimizer_step(optimizer);
        heed_optimizer_zero_grad(optimizer);
    }
    heed_data_parallel_options options = {.shards = deviates && o->shards ? o->shards : 8, .broadcast = o->broadcast};
    heed_data_parallel *team = heed_data_parallel_new(comm, optimizer, &options);
    uint64_t ok = o->message ? !team && strcmp(heed_error_message(), o->message) == 0 : team != NULL;
    if (!ok)
        fprintf(stderr, "%s\n", heed_error_message());
    if (team && o->broadcast)
        ok = hash_of(&net->base);
    heed_error_clear();
    heed_data_parallel_free(team);
    heed_optimizer_free(optimizer);
    heed_module_free(&net->base);
    return ok;
}

START_TEST(a_process_that_differs_is_named)
{
    deviation cases[] = {
        {.rank = -1},
        {.rank = 2,
         .shards = 9,
         .message = "data_parallel_new: the number of shards differs: process 0 has 8, process 2 has 9"},
        {.rank = 1,
         .seed = 5,
         .message = "data_parallel_new: the seed of the generator differs: process 0 has 1, process 1 has 5"},
        {.rank = 1,
         .adam = true,
         .message = "data_parallel_new: the type of the optimizer differs between process 0 and process 1"},
        {.rank = 1,
         .weight_decay = 0.5,
         .message = "data_parallel_new: the configuration of the optimizer (groups, learning rates, options) differs "
                    "between process 0 and process 1"},
        {.rank = 2,
         .stepped = true,
         .broadcast = true,
         .message = "data_parallel_new: the state of the optimizer differs between process 0 and process 2"},
        {.rank = 2,
         .width = 5,
         .message =
             "data_parallel_new: the dtype or shape of a parameter or buffer differs between process 0 and process 2"},
        {.rank = 1,
         .other_values = true,
         .message = "data_parallel_new: the value of a parameter or buffer (.broadcast copies those of process 0) "
                    "differs between process 0 and process 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t results[TEAM_MAX];
        run_team(3, disagree, &cases[i], results);
        for (int rank = 0; rank < 3; rank++)
            ck_assert_msg(results[rank] == 1, "case %zu, process %d", i, rank);
    }
}
END_TEST

/* Process 1 has one sample less. */
static uint64_t differ_in_data(heed_comm *comm, void *argument)
{
    const bool drops = *(const bool *)argument; /* or it drops the smaller last batch */
    const int64_t less = drops ? 0 : heed_comm_rank(comm);
    heed_manual_seed(1);
    heed_nn_linear *net = heed_nn_linear_new(3, 4, NULL);
    heed_optimizer *sgd = heed_optim_sgd(&net->base, &(heed_optim_sgd_options){.lr = 0.1});
    heed_dataset *data = heed_dataset_new(HEED_TENSORS(heed_ones(HEED_F32, HEED_SHAPE(9 - less, 3))));
    heed_loader *loader =
        heed_loader_new(data, &(heed_loader_options){.batch_size = 4, .drop_last = drops && heed_comm_rank(comm) == 1});
    heed_data_parallel *team = heed_data_parallel_new(comm, sgd, &(heed_data_parallel_options){.shards = 4});
    heed_tensor *phase[1];
    const char *message = drops ? "data_parallel_next: the number of batches differs: process 0 has 3, process 1 has 2"
                                : "data_parallel_next: the number of samples differs: process 0 has 9, process 1 has 8";
    bool right = !heed_data_parallel_next(team, loader, phase) && heed_error_code() == HEED_ERR_STATE &&
                 strcmp(heed_error_message(), message) == 0;
    if (!right)
        fprintf(stderr, "%s\n", heed_error_message());
    heed_error_clear();
    heed_data_parallel_free(team);
    heed_loader_free(loader);
    heed_dataset_free(data);
    heed_optimizer_free(sgd);
    heed_module_free(&net->base);
    return right;
}

START_TEST(a_process_with_different_data_is_named)
{
    uint64_t results[TEAM_MAX];
    for (int drops = 0; drops < 2; drops++) {
        run_team(2, differ_in_data, &(bool){drops}, results);
        ck_assert_uint_eq(results[0] + results[1], 2);
    }
}
END_TEST

START_TEST(parameters_are_broadcast_when_asked)
{
    deviation one = {.rank = 1, .other_values = true, .broadcast = true}, none = {.rank = -1, .broadcast = true};
    uint64_t results[TEAM_MAX], expected[TEAM_MAX];
    run_team(3, disagree, &none, expected);
    run_team(3, disagree, &one, results);
    for (int rank = 0; rank < 3; rank++)
        ck_assert_uint_eq(results[rank], expected[0]);
}
END_TEST

/* -- Faults -------------------------------------------------------------------------------------------------------- */

/* Returns true if the step has failed with this message; NULL stands for the error of a process whose messages have
 * failed. The other processes have received everything from process 1 except the squares of its chunks. */
static bool step_bytes(heed_status status, const char *message)
{
    bool right =
        status == (message ? HEED_ERR_IO : HEED_ERR_STATE) &&
        strcmp(heed_error_message(),
               message
                   ? message
                   : "data_parallel_next: an earlier message of the comm has failed: it sends no more messages") == 0;
    if (!right)
        fprintf(stderr, "%s\n", heed_error_message());
    heed_error_clear();
    return right;
}

/* Process 1 ends, or sleeps and returns too late; returns whether all report it. */
static uint64_t lose_one(heed_comm *comm, void *argument)
{
    const bool sleeps = *(const bool *)argument;
    const int rank = heed_comm_rank(comm);
    heed_manual_seed(1);
    heed_nn_linear *net = heed_nn_linear_new(3, 4, NULL);
    heed_optimizer *sgd = heed_optim_sgd(&net->base, &(heed_optim_sgd_options){.lr = 0.1});
    heed_data_parallel *team = heed_data_parallel_new(comm, sgd, &(heed_data_parallel_options){.shards = 4});
    heed_dataset *data = heed_dataset_new(HEED_TENSORS(heed_ones(HEED_F32, HEED_SHAPE(8, 3))));
    heed_loader *loader = heed_loader_new(data, &(heed_loader_options){.batch_size = 8});
    const char *message =
        rank == 1 ? "data_parallel_step: the other processes have stopped waiting for this one, process 1 of 3"
        : sleeps  ? "data_parallel_step: process 1 of 3 has not answered for 0.5 s"
                  : "data_parallel_step: process 1 of 3 has disconnected";
    bool ok = true;
    for (int step = 0; step < 2; step++) {
        heed_tensor *phase[1];
        while (heed_data_parallel_next(team, loader, phase))
            heed_data_parallel_backward(team, heed_sum(heed_nn_linear_forward(net, phase[0])), 1.0);
        if (rank == 1 && !sleeps)
            break;
        if (rank == 1 && step == 0)
            sleep(2);
        ok = step_bytes(heed_data_parallel_step(team), step == 0 ? message : NULL) && ok;
    }
    heed_data_parallel_free(team);
    heed_loader_free(loader);
    heed_dataset_free(data);
    heed_optimizer_free(sgd);
    heed_module_free(&net->base);
    return ok;
}

START_TEST(a_lost_process_is_named)
{
    for (int sleeps = 0; sleeps < 2; sleeps++) {
        uint64_t results[TEAM_MAX];
        bool argument = sleeps;
        team_timeout = 0.5;
        run_team(3, lose_one, &argument, results);
        for (int rank = 0; rank < 3; rank++)
            ck_assert_msg(results[rank] == true, "process %d", rank);
    }
}
END_TEST

HEED_TEST_MAIN("data parallel", any_number_of_processes_has_the_same_bits,
               the_number_of_processes_may_change_in_between, shards_give_the_mean_over_the_batch,
               no_byte_is_sent_in_vain, a_process_that_differs_is_named, a_process_with_different_data_is_named,
               parameters_are_broadcast_when_asked, a_lost_process_is_named)
