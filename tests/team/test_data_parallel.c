/* tests/team/test_data_parallel.c - the same bits for any number of processes. */

#include "sockets.h"

/* A network with dropout in f32 and a layer in f64 beside it, which sees the samples' sums. */
typedef struct run {
    int64_t samples, batch, shards, from, to; /* steps from .. to - 1 */
    double dropout, max_norm;
    const char *checkpoint; /* NULL: none */
} run;

typedef struct model {
    heed_nn_sequential *net;
    heed_nn_linear *wide;
    heed_module base;
} model;

static uint64_t hash_of(heed_module *m)
{
    uint64_t hash = 1469598103934665603U;
    heed_dict *state = heed_module_state(m);
    for (int64_t i = 0; i < heed_dict_size(state); i++) {
        heed_tensor *t = heed_dict_at(state, i);
        const unsigned char *bytes = (const unsigned char *)heed_data_f32(t);
        for (size_t k = 0; k < (size_t)heed_numel(t) * sizeof(float); k++)
            hash = (hash ^ bytes[k]) * 1099511628211U;
    }
    heed_dict_free(state);
    return hash;
}

static heed_nn_sequential *make_net(double dropout)
{
    return heed_nn_sequential_new(HEED_MODULES(heed_nn_linear_new(5, 300, NULL),
                                               heed_nn_function_new("tanh", heed_tanh), heed_nn_dropout_new(dropout),
                                               heed_nn_linear_new(300, 250, NULL), heed_nn_linear_new(250, 3, NULL)));
}

static uint64_t train(heed_comm *comm, void *argument)
{
    const run *r = argument;
    heed_manual_seed(3);
    heed_nn_sequential *net = make_net(r->dropout);
    heed_tensor *x = heed_randn(HEED_F32, HEED_SHAPE(r->samples, 5)), *y = heed_randint(0, 3, HEED_SHAPE(r->samples));
    heed_dataset *data = heed_dataset_new(HEED_TENSORS(x, y));
    heed_loader *loader = heed_loader_new(data, &(heed_loader_options){.batch_size = r->batch, .shuffle = true});
    heed_optimizer *adam = heed_optim_adam(&net->base, &(heed_optim_adam_options){.lr = 0.01});
    heed_data_parallel *team =
        heed_data_parallel_new(comm, adam, &(heed_data_parallel_options){.shards = r->shards, .max_norm = r->max_norm});
    ck_assert_msg(team != NULL, "%s", heed_error_message());
    heed_checkpoint saved = {.module = &net->base, .optimizer = adam, .loader = loader};
    if (r->from > 0)
        ck_assert_msg(heed_checkpoint_load(r->checkpoint, &saved) == HEED_OK, "%s", heed_error_message());
    ck_assert_int_eq(heed_data_parallel_set_steps(team, r->from), HEED_OK);
    while (heed_data_parallel_steps(team) < r->to) {
        heed_tensor *part[2];
        while (heed_data_parallel_take(team, loader, part)) {
            heed_scope *scope = heed_scope_begin();
            heed_tensor *logits = heed_nn_sequential_forward(net, part[0]);
            heed_tensor *loss =
                heed_cross_entropy(logits, part[1], &(heed_class_loss_options){.reduction = HEED_REDUCTION_SUM});
            heed_status status = heed_data_parallel_backward(team, loss, (double)heed_dim(part[0], 0));
            ck_assert_msg(status == HEED_OK, "%s", heed_error_message());
            heed_scope_end(scope);
        }
        ck_assert_msg(heed_data_parallel_step(team) == HEED_OK, "%s", heed_error_message());
    }
    if (r->checkpoint && heed_comm_rank(comm) == 0)
        ck_assert_int_eq(heed_checkpoint_save(r->checkpoint, &saved, NULL), HEED_OK);
    uint64_t hash = hash_of(&net->base);
    heed_data_parallel_free(team);
    heed_optimizer_free(adam);
    heed_loader_free(loader);
    heed_dataset_free(data);
    heed_module_free(&net->base);
    return hash;
}

static uint64_t alone(run *r)
{
    heed_comm *self = heed_comm_self();
    uint64_t hash = train(self, r);
    heed_comm_free(self);
    return hash;
}

static void check_same(run *r)
{
    static const int processes[] = {2, 3, 4, 5, 8};
    const uint64_t expected = alone(r);
    for (size_t i = 0; i < sizeof processes / sizeof processes[0] && processes[i] <= r->shards; i++) {
        uint64_t results[TEAM_MOST];
        run_team(processes[i], train, r, results);
        for (int rank = 0; rank < processes[i]; rank++)
            ck_assert_msg(results[rank] == expected, "process %d of %d, %ld shards", rank, processes[i],
                          (long)r->shards);
    }
}

START_TEST(any_number_of_processes_has_the_same_bits)
{
    check_same(&(run){.samples = 100, .batch = 32, .shards = 8, .to = 10, .dropout = 0.3});
    check_same(&(run){.samples = 100, .batch = 33, .shards = 7, .to = 7, .dropout = 0.3, .max_norm = 0.1});
    check_same(&(run){.samples = 50, .batch = 6, .shards = 13, .to = 9}); /* shards without samples */
}
END_TEST

HEED_TEST_MAIN("data parallel", any_number_of_processes_has_the_same_bits)
