/* tests/team/test_team_buffers.c - a module's buffers have the same bits for any number of processes.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include "check_team.h"
#include "training.h"

START_TEST(any_number_of_processes_has_the_same_bits)
{
    check_any_number(train, &(run){.samples = 96, .batch = 32, .shards = 8, .to = 5, .normed = true, .dropout = 0.3},
                     8);
    check_any_number(train, &(run){.samples = 72, .batch = 24, .shards = 5, .to = 4, .normed = true, .sharded = true},
                     5);
}
END_TEST

/* -- One process, so that the numbers can be found by hand --------------------------------------------------------- */

/* Batch norm of one channel in f64 over the samples 0 .. n - 1, in two shards per step. */
typedef struct small {
    heed_nn_batch_norm *net;
    heed_dataset *data;
    heed_loader *loader;
    heed_optimizer *sgd;
    heed_comm *self;
    heed_data_parallel *team;
} small;

static small begin(int64_t n)
{
    small s = {.net = heed_nn_batch_norm_new(1, &(heed_nn_batch_norm_options){.dtype = HEED_F64})};
    heed_scope *scope = heed_scope_begin();
    s.data = heed_dataset_new(HEED_TENSORS(heed_reshape(heed_arange(HEED_F64, 0, (double)n, 1), HEED_SHAPE(n, 1))));
    heed_scope_end(scope);
    s.loader = heed_loader_new(s.data, &(heed_loader_options){.batch_size = n});
    s.sgd = heed_optim_sgd(&s.net->base, &(heed_optim_sgd_options){.lr = 0.1});
    s.self = heed_comm_self();
    s.team = heed_data_parallel_new(s.self, s.sgd, &(heed_data_parallel_options){.shards = 2, .module = &s.net->base});
    return s;
}

static void end(small *s)
{
    heed_data_parallel_free(s->team);
    heed_comm_free(s->self);
    heed_optimizer_free(s->sgd);
    heed_loader_free(s->loader);
    heed_dataset_free(s->data);
    heed_module_free(&s->net->base);
}

/* Takes a shard and runs forward and backward. The second shard's loss is multiplied by `last`. */
static bool pass(const small *s, double last)
{
    heed_tensor *tensors[1];
    if (!heed_data_parallel_next(s->team, s->loader, tensors))
        return false;
    heed_scope *scope = heed_scope_begin();
    const double factor = heed_get(tensors[0], HEED_INDEX(0, 0)) > 0.0 ? last : 1.0;
    heed_tensor *y = heed_nn_batch_norm_forward(s->net, tensors[0]);
    heed_data_parallel_backward(s->team, heed_mul_scalar(heed_sum(y), factor), 1.0);
    heed_scope_end(scope);
    return true;
}

static void check_buffers(const heed_nn_batch_norm *net, double mean, double var, int64_t batches)
{
    ck_assert_near(heed_get(net->running_mean, HEED_INDEX(0)), mean, 1e-15);
    ck_assert_near(heed_get(net->running_var, HEED_INDEX(0)), var, 1e-15);
    ck_assert_int_eq(heed_data_i64(net->num_batches_tracked)[0], batches);
}

/* Shards {0, 1, 2} and {3, 4, 5, 6}: means 1 and 4.5, variances 1 and 5 / 3. */
START_TEST(buffers_move_by_the_mean_of_shards)
{
    small s = begin(7);
    while (pass(&s, 1.0))
        ;
    ck_assert_int_eq(heed_data_parallel_step(s.team), HEED_OK);
    check_buffers(s.net, 0.1 * (1.0 + 4.5) / 2.0, 0.9 + 0.1 * (1.0 + 5.0 / 3.0) / 2.0, 1);
    end(&s);
}
END_TEST

START_TEST(a_step_that_fails_leaves_them)
{
    small s = begin(7);
    while (pass(&s, (double)INFINITY))
        ;
    ck_assert_int_eq(heed_data_parallel_step(s.team), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "data_parallel_step: the loss of shard 1");
    check_buffers(s.net, 0.0, 1.0, 0);
    ck_assert(pass(&s, 1.0));
    ck_assert_int_eq(heed_data_parallel_step(s.team), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "data_parallel_step: shard 1 of 2 has no gradients yet");
    check_buffers(s.net, 0.0, 1.0, 0);
    end(&s);
}
END_TEST

START_TEST(a_team_freed_in_a_step_leaves_them)
{
    small s = begin(7);
    ck_assert(pass(&s, 1.0));
    heed_data_parallel_free(s.team);
    s.team = NULL;
    check_buffers(s.net, 0.0, 1.0, 0);
    end(&s);
}
END_TEST

/* bool buffers, and numbers that a double cannot hold, do not change. */
START_TEST(other_buffers_are_left_alone)
{
    small s = begin(7);
    heed_data_parallel_free(s.team);
    heed_tensor *big = heed_module_buffer(&s.net->base, "big", heed_zeros(HEED_I64, HEED_SHAPE(1)));
    heed_tensor *flag = heed_module_buffer(&s.net->base, "flag", heed_ones(HEED_BOOL, HEED_SHAPE(3)));
    heed_mutable_i64(big)[0] = INT64_MAX;
    s.team = heed_data_parallel_new(s.self, s.sgd, &(heed_data_parallel_options){.shards = 2, .module = &s.net->base});
    while (pass(&s, 1.0))
        ;
    ck_assert_int_eq(heed_data_parallel_step(s.team), HEED_OK);
    ck_assert_int_eq(heed_data_i64(big)[0], INT64_MAX);
    ck_assert(heed_data_bool(flag)[2]);
    ck_assert_int_eq(heed_data_i64(s.net->num_batches_tracked)[0], 1);
    end(&s);
}
END_TEST

/* -- Disagreement -------------------------------------------------------------------------------------------------- */

typedef struct deviation {
    bool other_value, no_module, broadcast;
    const char *message;
} deviation;

/* Process 1 differs from the others. */
static uint64_t disagree(heed_comm *comm, void *argument)
{
    const deviation *o = argument;
    const bool deviates = heed_comm_rank(comm) == 1;
    heed_manual_seed(1);
    heed_nn_sequential *net = make_normed(0.0);
    if (deviates && o->other_value) {
        heed_scope *scope = heed_no_grad_begin();
        heed_fill_(heed_module_find(&net->base, "1.num_batches_tracked"), 7.0);
        heed_scope_end(scope);
    }
    heed_optimizer *sgd = plain_sgd(&net->base);
    heed_data_parallel *team = heed_data_parallel_new(
        comm, sgd,
        &(heed_data_parallel_options){
            .shards = 4, .broadcast = o->broadcast, .module = deviates && o->no_module ? NULL : &net->base});
    uint64_t result = o->message ? !team && strcmp(heed_error_message(), o->message) == 0 : hash_of(&net->base);
    if (!team && !o->message)
        result = (uint64_t)heed_comm_rank(comm); /* no hash */
    heed_error_clear();
    heed_data_parallel_free(team);
    heed_optimizer_free(sgd);
    heed_module_free(&net->base);
    return result;
}

START_TEST(buffers_that_differ)
{
    deviation
        value = {.other_value = true,
                 .message =
                     "data_parallel_new: the value of a parameter or buffer (.broadcast copies those of process 0) "
                     "differs between process 0 and process 1"},
        number = {.no_module = true,
                  .broadcast = true,
                  .message = "data_parallel_new: the number of buffers differs: process 0 has 3, process 1 has 0"},
        taken = {.other_value = true, .broadcast = true}, same = {.message = NULL};
    uint64_t results[TEAM_MAX];
    run_team(3, disagree, &value, results);
    ck_assert(results[0] == 1 && results[1] == 1 && results[2] == 1);
    run_team(3, disagree, &number, results);
    ck_assert(results[0] == 1 && results[1] == 1 && results[2] == 1);
    const uint64_t expected = alone(disagree, &same);
    run_team(3, disagree, &taken, results);
    ck_assert(results[0] == expected && results[1] == expected && results[2] == expected);
}
END_TEST

HEED_TEST_MAIN("team buffers", any_number_of_processes_has_the_same_bits, buffers_move_by_the_mean_of_shards,
               a_step_that_fails_leaves_them, a_team_freed_in_a_step_leaves_them, other_buffers_are_left_alone,
               buffers_that_differ)
