/* tests/promises/memory/test_oom_every_team.c - heed/comm.h, heed/data_parallel.h, heed/shards.h and
 * heed/distributed_regression.h without memory.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "oom_inputs.h"
#include "optimizer_of.h"

/* Two steps of three shards, the last one clipped. A step that fails leaves the team unchanged. */
static bool train(heed_data_parallel *team, heed_loader *loader, heed_tensor *w)
{
    heed_tensor *batch[1];
    while (heed_data_parallel_next(team, loader, batch)) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *loss = scope ? heed_sum(heed_square(heed_mul(w, heed_sum(batch[0])))) : NULL;
        bool ok = loss && heed_data_parallel_backward(team, loss, 1.0) == HEED_OK;
        if (scope)
            heed_scope_end(scope);
        if (!ok)
            return false;
    }
    return heed_data_parallel_step(team) == HEED_OK;
}

static heed_tensor *loss_of_batch(heed_tensor *const *batch, double *count, void *w)
{
    *count = 1.0;
    return heed_sum(heed_square(heed_mul(w, heed_sum(batch[0]))));
}

static bool train_at_once(heed_data_parallel *team, heed_loader *loader, heed_tensor *w)
{
    return heed_data_parallel_gradients(team, loader, loss_of_batch, w) == HEED_OK &&
           heed_data_parallel_step(team) == HEED_OK;
}

enum { TAG_ROWS = 32766, TAG_NOTICE = 32767 }; /* tags of messages between processes */

/* A simulated second process that echoes this one's messages, and whose sums are all the same small number. Its
 * notices never arrive. */
static heed_status echo_send(void *user, int to, int tag, const void *bytes, size_t size, void **request)
{
    (void)user, (void)to, (void)bytes, (void)size;
    static int done, never;
    *request = tag == TAG_NOTICE ? &never : &done;
    return HEED_OK;
}

static heed_status echo_receive(void *user, int from, int tag, void *bytes, size_t size, void **request)
{
    if (tag == TAG_ROWS)
        memcpy(bytes, (char *)bytes - size, size);
    else if (tag != TAG_NOTICE)
        memset(bytes, 0x3f, size);
    return echo_send(user, from, tag, bytes, size, request);
}

static heed_status echo_test(void *user, void *request, bool *done)
{
    void *never;
    (void)echo_send(user, 0, TAG_NOTICE, NULL, 0, &never);
    *done = request != never;
    return HEED_OK;
}

static const heed_transport echo = {.size = 2, .send = echo_send, .receive = echo_receive, .test = echo_test};

/* -- Training ------------------------------------------------------------------------------------------------------ */

static bool save(heed_data_parallel *team, heed_optimizer *optimizer)
{
    const char *path = "/tmp/heed-oom-team.heed";
    const bool ok = heed_data_parallel_save(team, path, &(heed_checkpoint){.optimizer = optimizer}, NULL) == HEED_OK;
    (void)remove(path);
    return ok;
}

static bool train_with(heed_comm *comm, bool sharded, double *value)
{
    bool ok = false;
    heed_tensor *copy = heed_clone(oom.row), *w = copy ? heed_set_requires_grad(copy, true) : NULL;
    heed_optimizer *sgd = w ? sgd_of(&w, 1, &(heed_optim_sgd_options){.lr = 0.1, .momentum = 0.5}) : NULL;
    heed_dataset *data = heed_dataset_new(HEED_TENSORS(oom.plain));
    heed_loader *loader = data ? heed_loader_new(data, &(heed_loader_options){.batch_size = 3}) : NULL;
    heed_nn_batch_norm *norm = heed_nn_batch_norm_new(2, NULL);
    heed_data_parallel_options options = {
        .shards = 2, .max_norm = 0.5, .sharded_state = sharded, .module = norm ? &norm->base : NULL};
    heed_data_parallel *team = comm && sgd && norm ? heed_data_parallel_new(comm, sgd, &options) : NULL;
    if (loader && team)
        ok = train(team, loader, w) && train_at_once(team, loader, w) && train(team, loader, w) && save(team, sgd) &&
             oom_take(w, value);
    heed_data_parallel_free(team);
    heed_module_free(norm ? &norm->base : NULL);
    heed_loader_free(loader);
    heed_dataset_free(data);
    heed_optimizer_free(sgd);
    heed_comm_free(comm);
    return ok;
}

static bool alone(double *value)
{
    return train_with(heed_comm_self(), false, value);
}

static bool with_an_echo(double *value)
{
    return train_with(heed_comm_new(&echo, NULL), false, value);
}

static bool with_half_the_state(double *value)
{
    return train_with(heed_comm_new(&echo, NULL), true, value);
}

/* -- Evaluation ---------------------------------------------------------------------------------------------------- */

static bool evaluate_with(heed_comm *comm, double *value)
{
    heed_shards *pass = comm ? heed_shards_new(comm, 3, 2) : NULL;
    heed_tensor *out[1];
    int64_t begin, end;
    bool ok = pass != NULL;
    while (ok && heed_shards_next(pass, &begin, &end)) {
        heed_tensor *rows = heed_slice(oom.plain, 0, begin, end, 1);
        ok = rows && heed_shards_add(pass, HEED_TENSORS(oom.lengths)) == HEED_OK &&
             heed_shards_add(pass, HEED_TENSORS(oom.lengths)) == HEED_OK && heed_shards_put(pass, &rows, 1) == HEED_OK;
    }
    ok = ok && heed_error_code() == HEED_OK && heed_shards_sum(pass, out, 1) == HEED_OK && oom_take(out[0], value);
    ok = ok && heed_shards_gather(pass, out, 1) == HEED_OK && oom_take(out[0], value);
    heed_shards_free(pass);
    heed_comm_free(comm);
    return ok;
}

static bool evaluates_alone(double *value)
{
    return evaluate_with(heed_comm_self(), value);
}

static bool evaluates_with_an_echo(double *value)
{
    return evaluate_with(heed_comm_new(&echo, NULL), value);
}

/* -- Kernel regression --------------------------------------------------------------------------------------------- */

typedef heed_tensor *regress(heed_comm *comm, heed_tensor *queries, heed_tensor *width);

static bool regress_with(regress *f, double *value)
{
    heed_comm *self = heed_comm_self();
    heed_tensor *w = heed_set_requires_grad(heed_clone(heed_detach(oom.one)), true),
                *q = heed_set_requires_grad(heed_clone(heed_detach(oom.w)), true);
    heed_tensor *y = self && w && q ? f(self, q, w) : NULL;
    bool ok = y && oom_take(y, value) && heed_backward(heed_sum(y)) == HEED_OK && oom_take(heed_grad_of(w), value) &&
              oom_take(heed_grad_of(q), value);
    heed_comm_free(self);
    return ok;
}

static heed_tensor *by_queries(heed_comm *comm, heed_tensor *queries, heed_tensor *width)
{
    return heed_kernel_regression_by_queries(comm, 2, queries, oom.plain, oom.v, width, NULL);
}

static heed_tensor *by_keys(heed_comm *comm, heed_tensor *queries, heed_tensor *width)
{
    return heed_kernel_regression_by_keys(comm, 2, queries, oom.plain, oom.v, width, NULL);
}

static heed_dataset *points;

static heed_tensor *by_data(heed_comm *comm, heed_tensor *queries, heed_tensor *width)
{
    points = heed_dataset_new(HEED_TENSORS(oom.plain, oom.v));
    return points ? heed_kernel_regression_by_data(comm, 2, queries, points, width, NULL) : NULL;
}

static bool regresses_by_queries(double *value)
{
    return regress_with(by_queries, value);
}

static bool regresses_by_keys(double *value)
{
    return regress_with(by_keys, value);
}

static bool regresses_by_data(double *value)
{
    bool ok = regress_with(by_data, value);
    heed_dataset_free(points);
    points = NULL;
    return ok;
}

OOM_MAIN("oom_every_team", OOM(alone), OOM(with_an_echo), OOM(with_half_the_state), OOM(evaluates_alone),
         OOM(evaluates_with_an_echo), OOM(regresses_by_queries), OOM(regresses_by_keys), OOM(regresses_by_data))
