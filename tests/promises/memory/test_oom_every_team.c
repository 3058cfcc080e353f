/* tests/promises/memory/test_oom_every_team.c - heed/comm.h and heed/data_parallel.h without memory. */

#include "oom_inputs.h"

/* Two steps of three shards, the last one clipped. A step that fails leaves the team as before it. */
static bool train(heed_data_parallel *team, heed_loader *loader, heed_tensor *w)
{
    heed_tensor *part[1];
    while (heed_data_parallel_take(team, loader, part)) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *loss = scope ? heed_sum(heed_square(heed_mul(w, heed_sum(part[0])))) : NULL;
        bool ok = loss && heed_data_parallel_backward(team, loss, 1.0) == HEED_OK;
        if (scope)
            heed_scope_end(scope);
        if (!ok)
            return false;
    }
    return heed_data_parallel_step(team) == HEED_OK;
}

/* A second process that says what this one says, and whose sums are all the same small number. Its notices never come. */
static heed_status echo_send(void *user, int to, int tag, const void *bytes, size_t size, void **request)
{
    (void)user, (void)to, (void)bytes, (void)size;
    static int done, never;
    *request = tag == 32767 ? &never : &done;
    return HEED_OK;
}

static heed_status echo_receive(void *user, int from, int tag, void *bytes, size_t size, void **request)
{
    bool *greeted = user;
    if (*greeted && tag != 32767)
        memset(bytes, 0x3f, size);
    else if (tag != 32767)
        memcpy(bytes, (char *)bytes - size, size);
    *greeted = *greeted || tag != 32767;
    return echo_send(user, from, tag, bytes, size, request);
}

static heed_status echo_test(void *user, void *request, bool *done)
{
    void *never;
    (void)echo_send(user, 0, 32767, NULL, 0, &never);
    *done = request != never;
    return HEED_OK;
}

static bool train_with(heed_comm *comm, double *value)
{
    bool ok = false;
    heed_tensor *copy = heed_clone(oom.row), *w = copy ? heed_set_requires_grad(copy, true) : NULL;
    heed_optimizer *sgd = w ? heed_optim_sgd_tensors(&w, 1, &(heed_optim_sgd_options){.lr = 0.1}) : NULL;
    heed_dataset *data = heed_dataset_new(HEED_TENSORS(oom.plain));
    heed_loader *loader = data ? heed_loader_new(data, &(heed_loader_options){.batch_size = 3}) : NULL;
    heed_data_parallel_options options = {.shards = 2, .max_norm = 0.5};
    heed_data_parallel *team = comm && sgd ? heed_data_parallel_new(comm, sgd, &options) : NULL;
    if (loader && team)
        ok = train(team, loader, w) && train(team, loader, w) && oom_take(w, value);
    heed_data_parallel_free(team);
    heed_loader_free(loader);
    heed_dataset_free(data);
    heed_optimizer_free(sgd);
    heed_comm_free(comm);
    return ok;
}

static bool alone(double *value)
{
    return train_with(heed_comm_self(), value);
}

static bool with_an_echo(double *value)
{
    bool greeted = false;
    const heed_transport echo = {
        .size = 2, .send = echo_send, .receive = echo_receive, .test = echo_test, .user = &greeted};
    return train_with(heed_comm_new(&echo, NULL), value);
}

OOM_MAIN("oom_every_team", OOM(alone), OOM(with_an_echo))
