/* tests/team/test_team_rows.c - every process of a team reads only the samples of its own shards.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "hash.h"
#include "optimizer_of.h"
#include "sockets.h"

enum { SAMPLES = 100, BATCH = 33, SHARDS = 7, STEPS = 8 };

/* A source over tensors, which records the samples taken from it. */
typedef struct noting {
    heed_dataset *data;
    int64_t taken;
    bool fails; /* once */
} noting;

static heed_status take(void *user, heed_tensor *numbers, heed_tensor **batch)
{
    noting *n = user;
    if (n->fails) {
        n->fails = false;
        return heed_fail(HEED_ERR_IO, "noting", "the disk is slow to wake up");
    }
    n->taken += heed_numel(numbers);
    return heed_dataset_take(n->data, numbers, batch);
}

typedef struct job {
    bool in_memory, count;
} job;

static uint64_t train(heed_comm *comm, void *argument)
{
    const job *j = argument;
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_manual_seed(3);
    heed_nn_linear *net = heed_nn_linear_new(4, 1, NULL);
    heed_tensor *x = heed_randn(HEED_F32, HEED_SHAPE(SAMPLES, 4));
    noting n = {.data = heed_dataset_new(HEED_TENSORS(x, heed_sum_axes(x, HEED_AXES(1), true)))};
    heed_dataset *source =
        heed_dataset_new_source(&(heed_dataset_source){.samples = SAMPLES, .tensors = 2, .take = take, .user = &n});
    heed_loader *loader =
        heed_loader_new(j->in_memory ? n.data : source, &(heed_loader_options){.batch_size = BATCH, .shuffle = true});
    heed_optimizer *sgd = heed_optim_sgd(&net->base, &(heed_optim_sgd_options){.lr = 0.1});
    heed_data_parallel *team = heed_data_parallel_new(comm, sgd, &(heed_data_parallel_options){.shards = SHARDS});
    for (int step = 0; step < STEPS; step++) {
        heed_tensor *shard_batch[2];
        while (heed_data_parallel_next(team, loader, shard_batch)) {
            heed_tensor *off = heed_sub(heed_nn_linear_forward(net, shard_batch[0]), shard_batch[1]);
            heed_data_parallel_backward(team, heed_sum(heed_square(off)), (double)heed_dim(shard_batch[0], 0));
        }
        heed_data_parallel_step(team);
    }
    uint64_t result = j->count ? (uint64_t)n.taken : hash_tensor(hash_tensor(HASH_BEGIN, net->weight), net->bias);
    heed_data_parallel_free(team);
    heed_optimizer_free(sgd);
    heed_loader_free(loader);
    heed_dataset_free(source);
    heed_dataset_free(n.data);
    heed_module_free(&net->base);
    heed_set_error_handler(NULL, NULL);
    return result;
}

START_TEST(a_source_gives_the_bits_that_tensors_give)
{
    job memory = {.in_memory = true}, read = {.in_memory = false};
    heed_comm *self = heed_comm_self();
    const uint64_t expected = train(self, &memory);
    ck_assert_uint_eq(train(self, &read), expected);
    heed_comm_free(self);
    for (int processes = 2; processes <= 5; processes += 3) {
        uint64_t results[TEAM_MAX];
        run_team(processes, train, &read, results);
        for (int rank = 0; rank < processes; rank++)
            ck_assert_uint_eq(results[rank], expected);
    }
}
END_TEST

START_TEST(each_process_takes_its_own_samples)
{
    static const int processes[] = {1, 2, 3, 5, 7};
    for (size_t i = 0; i < sizeof processes / sizeof processes[0]; i++) {
        const int r = processes[i];
        uint64_t results[TEAM_MAX];
        job count = {.count = true};
        run_team(r, train, &count, results);
        for (int rank = 0; rank < r; rank++) {
            int64_t first = rank * SHARDS / r, last = (rank + 1) * SHARDS / r, expected = 0;
            for (int step = 0; step < STEPS; step++) {
                int64_t n = step % 4 == 3 ? SAMPLES % BATCH : BATCH; /* three batches of 33, and one of 1 */
                expected += last * n / SHARDS - first * n / SHARDS;
            }
            ck_assert_msg((int64_t)results[rank] == expected, "process %d of %d: %d samples, not %d", rank, r,
                          (int)results[rank], (int)expected);
        }
    }
}
END_TEST

START_TEST(a_shard_that_could_not_be_read_is_read_again)
{
    heed_tensor *w = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(1)), true);
    heed_tensor *x = heed_arange(HEED_F32, 0, 8, 1), *shard_batch[1];
    noting n = {.data = heed_dataset_new(&x, 1)};
    heed_dataset *source =
        heed_dataset_new_source(&(heed_dataset_source){.samples = 8, .tensors = 1, .take = take, .user = &n});
    heed_loader *loader = heed_loader_new(source, &(heed_loader_options){.batch_size = 4});
    heed_optimizer *sgd = sgd_of(&w, 1, &(heed_optim_sgd_options){.lr = 0.1});
    heed_comm *self = heed_comm_self();
    heed_data_parallel *team = heed_data_parallel_new(self, sgd, &(heed_data_parallel_options){.shards = 2});
    for (int shard = 0; shard < 4; shard++) {
        n.fails = true;
        ck_assert(!heed_data_parallel_next(team, loader, shard_batch));
        ck_assert_error(HEED_ERR_IO, "data_parallel_next: noting: the disk is slow to wake up");
        ck_assert(heed_data_parallel_next(team, loader, shard_batch));
        ck_assert_double_eq(heed_get(shard_batch[0], HEED_INDEX(0)), 2.0 * shard);
        ck_assert_int_eq(heed_data_parallel_backward(team, heed_mul(w, heed_sum(shard_batch[0])), 2.0), HEED_OK);
        if (shard % 2 == 1)
            ck_assert_int_eq(heed_data_parallel_step(team), HEED_OK);
    }
    heed_data_parallel_free(team);
    heed_comm_free(self);
    heed_optimizer_free(sgd);
    heed_loader_free(loader);
    heed_dataset_free(source);
    heed_dataset_free(n.data);
}
END_TEST

HEED_TEST_MAIN("team rows", a_source_gives_the_bits_that_tensors_give, each_process_takes_its_own_samples,
               a_shard_that_could_not_be_read_is_read_again)
