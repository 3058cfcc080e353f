/* tests/team/test_team_order.c - a team does not disturb draws, graphs, and the order of a process's actions.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_team.h"
#include "optimizer_of.h"

enum { SAMPLES = 4 };

typedef struct bench {
    heed_tensor *w;
    heed_optimizer *sgd;
    heed_dataset *data;
    heed_loader *loader;
    heed_data_parallel *team;
} bench;

static bench make_bench(heed_comm *comm, heed_dataset *data)
{
    heed_manual_seed(3);
    bench b = {.w = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(1)), true), .data = data};
    b.sgd = sgd_of(HEED_TENSORS(b.w), &(heed_optim_sgd_options){.lr = 0.1});
    b.loader = heed_loader_new(data, &(heed_loader_options){.batch_size = SAMPLES});
    b.team = heed_data_parallel_new(comm, b.sgd, &(heed_data_parallel_options){.shards = 2});
    return b;
}

static void free_bench(bench *b)
{
    heed_data_parallel_free(b->team);
    heed_loader_free(b->loader);
    heed_dataset_free(b->data);
    heed_optimizer_free(b->sgd);
}

/* -- Draws --------------------------------------------------------------------------------------------------------- */

static float draws[8];
static int n_draws;

/* Samples of noise, drawn like a source of random crops. */
static heed_status take_noise(void *user, heed_tensor *numbers, heed_tensor **batch)
{
    (void)user;
    heed_tensor *noise = heed_rand(HEED_F32, HEED_SHAPE(1));
    draws[n_draws++] = heed_data_f32(noise)[0];
    batch[0] = heed_expand(noise, HEED_SHAPE(heed_numel(numbers)));
    return HEED_OK;
}

START_TEST(a_source_draws_anew_for_each_shard)
{
    heed_comm *self = heed_comm_self();
    bench b = make_bench(
        self, heed_dataset_new_source(&(heed_dataset_source){.samples = SAMPLES, .tensors = 1, .take = take_noise}));
    uint64_t seed, after, position;
    heed_generator_get_state(heed_generator_default(), &seed, &position);
    for (int step = 0; step < 3; step++) {
        heed_tensor *shard_batch[1];
        while (heed_data_parallel_next(b.team, b.loader, shard_batch))
            heed_data_parallel_backward(b.team, heed_sum(heed_mul(b.w, shard_batch[0])), 1.0);
        ck_assert_int_eq(heed_data_parallel_step(b.team), HEED_OK);
    }
    ck_assert_int_eq(n_draws, 6);
    for (int i = 0; i < n_draws; i++)
        for (int k = 0; k < i; k++)
            ck_assert_msg(draws[i] != draws[k], "draws %d and %d are %g", k, i, (double)draws[i]);
    heed_tensor *shard_batch[1];
    ck_assert(heed_data_parallel_next(b.team, b.loader, shard_batch));
    free_bench(&b); /* in the middle of a step */
    heed_generator_get_state(heed_generator_default(), &after, &position);
    ck_assert_uint_eq(after, seed);
    heed_comm_free(self);
}
END_TEST

/* -- Graphs -------------------------------------------------------------------------------------------------------- */

static heed_dataset *ones(void)
{
    return heed_dataset_new(HEED_TENSORS(heed_ones(HEED_F32, HEED_SHAPE(SAMPLES))));
}

static uint64_t keep_a_graph(heed_comm *comm, void *argument)
{
    (void)argument;
    bench b = make_bench(comm, ones());
    heed_data_parallel_free(b.team);
    heed_tensor *y = heed_sum(heed_square(b.w));
    b.team = heed_data_parallel_new(comm, b.sgd, &(heed_data_parallel_options){.shards = 2});
    const bool kept = b.team && heed_backward(y) == HEED_OK;
    heed_optimizer_zero_grad(b.sgd);
    free_bench(&b);
    return kept;
}

START_TEST(a_graph_from_before_the_team_is_whole)
{
    uint64_t results[TEAM_MAX];
    run_team(2, keep_a_graph, NULL, results);
    ck_assert_uint_eq(results[0] + results[1], 2);
}
END_TEST

/* -- Order --------------------------------------------------------------------------------------------------------- */

/* Process 1 has no gradients for its shard: the others get an error, at once or in the step, and can all recover. */
static uint64_t leave_a_shard_out(heed_comm *comm, void *argument)
{
    (void)argument;
    bench b = make_bench(comm, ones());
    heed_tensor *shard_batch[1];
    const bool out = heed_comm_rank(comm) == 1;
    while (heed_data_parallel_next(b.team, b.loader, shard_batch))
        if (heed_data_parallel_backward(b.team, out ? NULL : heed_sum(heed_mul(b.w, shard_batch[0])), 1.0) != HEED_OK)
            break;
    if (out)
        heed_error_clear();
    const heed_status status = heed_data_parallel_step(b.team);
    const char *expected = out ? "data_parallel_step: shard 1 of 2 has no gradients yet: the step is cancelled"
                               : ": process 1 of 2 has failed: see its error message";
    const bool right = status != HEED_OK && strstr(heed_error_message(), expected) &&
                       heed_error_code() == (out ? HEED_ERR_STATE : HEED_ERR_IO);
    if (!right)
        fprintf(stderr, "%s\n", heed_error_message());
    heed_error_clear();
    free_bench(&b);
    return right;
}

START_TEST(a_skipped_shard_is_reported)
{
    uint64_t results[TEAM_MAX];
    run_team(2, leave_a_shard_out, NULL, results);
    ck_assert_uint_eq(results[0] + results[1], 2);
}
END_TEST

/* Process 0 skips one pass: the sums of two passes are not added to each other. */
static uint64_t skip_a_pass(heed_comm *comm, void *argument)
{
    (void)argument;
    bool right = false;
    for (int i = heed_comm_rank(comm) == 0; i < 2; i++) {
        heed_shards *pass = heed_shards_new(comm, 2, 2);
        if (i == 0) { /* abandoned */
            heed_shards_free(pass);
            continue;
        }
        int64_t begin, end;
        while (heed_shards_next(pass, &begin, &end))
            heed_shards_add(pass, HEED_TENSORS(heed_ones(HEED_F64, HEED_SCALAR)));
        heed_tensor *sum[1];
        right = heed_shards_sum(pass, sum, 1) == HEED_ERR_STATE &&
                strcmp(heed_error_message(),
                       "shards_sum: the number of earlier passes differs: process 0 has 0, process 1 has 1") == 0;
        if (!right)
            fprintf(stderr, "%s\n", heed_error_message());
        heed_error_clear();
        heed_shards_free(pass);
    }
    return right;
}

START_TEST(different_passes_are_not_confused)
{
    uint64_t results[TEAM_MAX];
    run_team(2, skip_a_pass, NULL, results);
    ck_assert_uint_eq(results[0] + results[1], 2);
}
END_TEST

HEED_TEST_MAIN("team order", a_source_draws_anew_for_each_shard, a_graph_from_before_the_team_is_whole,
               a_skipped_shard_is_reported, different_passes_are_not_confused)
