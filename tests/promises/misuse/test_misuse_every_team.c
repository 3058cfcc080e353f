/* tests/promises/misuse/test_misuse_every_team.c - every function of heed/comm.h, heed/data_parallel.h,
 * heed/shards.h and heed/distributed_regression.h with hostile arguments of every kind.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "misuse_draw.h"
#include "optimizer_of.h"

static heed_status refuse(void *user, int to, int tag, void *bytes, size_t size, void **request)
{
    (void)user, (void)to, (void)tag, (void)bytes, (void)size, (void)request;
    return heed_fail(HEED_ERR_IO, "refuse", "no way to process %d", to);
}

static heed_status refuse_const(void *user, int to, int tag, const void *bytes, size_t size, void **request)
{
    (void)bytes;
    return refuse(user, to, tag, NULL, size, request);
}

static heed_status never(void *user, void *request, bool *done)
{
    (void)user, (void)request;
    *done = false;
    return HEED_OK;
}

/* One process, or one of several that cannot be reached. */
static heed_comm *any_comm(void)
{
    heed_transport transport = {.rank = any_flag() ? 0 : any_int(),
                                .size = any_flag() ? 2 : any_int(),
                                .send = one_in(4) ? NULL : refuse_const,
                                .receive = one_in(4) ? NULL : refuse,
                                .test = one_in(4) ? NULL : never};
    heed_comm_options options = {.timeout = any_flag() ? 0.001 : any_real()};
    heed_comm *comm = heed_comm_new(one_in(8) ? NULL : &transport, any_flag() ? NULL : &options);
    ck_assert((comm != NULL) == (heed_error_code() == HEED_OK));
    judge_error("comm_new");
    return any_flag() ? comm : (heed_comm_free(comm), heed_comm_self());
}

static heed_tensor *any_loss(heed_tensor *const *batch, double *count, void *user)
{
    (void)batch;
    *count = one_in(4) ? any_real() : 1.0;
    return one_in(4)   ? NULL
           : one_in(4) ? any_tensor()
                       : heed_mul_scalar(heed_sum(user), any_real()); /* `user` may be NULL */
}

static void use_team(heed_data_parallel *team, heed_loader *loader, heed_tensor *w)
{
    heed_tensor *batch[HEED_DATASET_MAX];
    for (int i = 0; i < 3; i++) {
        bool taken = heed_data_parallel_next(team, one_in(8) ? NULL : loader, one_in(8) ? NULL : batch);
        ck_assert(!taken || heed_error_code() == HEED_OK);
        judge_error("data_parallel_next");
        heed_tensor *loss = taken && !one_in(4) ? heed_mul_scalar(heed_sum(w), any_real()) : any_tensor();
        STATUS(heed_data_parallel_backward(team, loss, any_flag() ? 1.0 : any_real()));
    }
    STATUS(heed_data_parallel_step(team));
    heed_set_num_threads(1); /* the random choices are the thread's */
    for (int i = 0; i < 6; i++) {
        STATUS(heed_data_parallel_gradients(one_in(4) ? NULL : team, any_flag() ? NULL : loader,
                                            any_flag() ? NULL : any_loss, any_flag() ? NULL : w));
        STATUS(heed_data_parallel_step(team));
    }
    VALUE(heed_data_parallel_loss(team));
    STATUS(heed_data_parallel_set_steps(team, any_count()));
    VALUE(heed_data_parallel_steps(team));
    static const char *const paths[] = {NULL, "", "/", "/nowhere/at/all", "/dev/null/x"};
    heed_checkpoint checkpoint = {.step = any_count(), .loader = any_flag() ? NULL : loader};
    heed_checkpoint_options keep = {.keep = any_int()};
    STATUS(heed_data_parallel_save(team, ANY_OF(paths), one_in(8) ? NULL : &checkpoint, one_in(4) ? NULL : &keep));
}

static void teams(void)
{
    heed_comm *comm = any_comm(), *some = one_in(8) ? NULL : comm;
    VALUE(heed_comm_rank(some));
    VALUE(heed_comm_size(some));
    VALUE(heed_comm_bytes_sent(some));
    heed_tensor *w = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2)), true);
    heed_optimizer *sgd = sgd_of(&w, 1, &(heed_optim_sgd_options){.lr = 0.1}), *o = one_in(8) ? NULL : sgd;
    VALUE(heed_optimizer_parameter_count(o));
    POINTER(heed_optimizer_parameter(o, any_flag() ? 0 : any_int()));
    heed_dataset *data = heed_dataset_new(HEED_TENSORS(heed_ones(HEED_F32, HEED_SHAPE(6, 2))));
    heed_loader *loader = heed_loader_new(data, &(heed_loader_options){.batch_size = 4});
    heed_nn_batch_norm *norm = heed_nn_batch_norm_new(2, NULL);
    heed_data_parallel_options options = {.shards = one_in(3) ? 3 : any_count(),
                                          .max_norm = any_flag() ? 0.0 : any_real(),
                                          .broadcast = any_flag(),
                                          .sharded_state = any_flag(),
                                          .module = any_flag() ? NULL : &norm->base};
    heed_data_parallel *team = heed_data_parallel_new(some, o, one_in(8) ? NULL : &options);
    ck_assert((team != NULL) == (heed_error_code() == HEED_OK));
    judge_error("data_parallel_new");
    use_team(team, loader, w);
    heed_data_parallel_free(team);
    heed_module_free(&norm->base);
    heed_loader_free(loader);
    heed_dataset_free(data);
    heed_optimizer_free(sgd);
    heed_comm_free(comm);
}

/* An existing list has two tensors. */
static int any_number_of(bool present)
{
    int n = any_int();
    return present && n > 2 ? 1 + any_flag() : n;
}

static void passes(void)
{
    heed_comm *comm = any_comm();
    heed_shards *drawn =
        heed_shards_new(one_in(8) ? NULL : comm, any_flag() ? 5 : any_count(), any_flag() ? 2 : any_count());
    ck_assert((drawn != NULL) == (heed_error_code() == HEED_OK));
    judge_error("shards_new");
    heed_shards *pass = one_in(8) ? NULL : drawn;
    for (int i = 0; i < 4; i++) {
        int64_t begin, end;
        bool taken = heed_shards_next(pass, one_in(8) ? NULL : &begin, one_in(8) ? NULL : &end);
        ck_assert(!taken || heed_error_code() == HEED_OK);
        judge_error("shards_next");
        heed_tensor *list[] = {any_flag() ? heed_ones(HEED_F32, HEED_SHAPE(2)) : any_tensor(), any_tensor()};
        bool present = !one_in(8);
        STATUS(heed_shards_add(pass, present ? list : NULL, any_number_of(present)));
        STATUS(heed_shards_put(pass, present ? list : NULL, any_number_of(present)));
    }
    heed_tensor *out[HEED_SHARDS_MAX];
    STATUS(heed_shards_sum(pass, one_in(8) ? NULL : out, any_flag() ? 1 : any_int()));
    STATUS(heed_shards_gather(pass, one_in(8) ? NULL : out, any_flag() ? 1 : any_int()));
    heed_shards_free(drawn);
    heed_comm_free(comm);
}

static heed_tensor *some_or(heed_tensor *valid)
{
    return one_in(4) ? any_tensor() : valid;
}

static void regressions(void)
{
    heed_comm *comm = any_comm(), *some = one_in(8) ? NULL : comm;
    const heed_kernel_regression_options o = {.kernel = (heed_nw_kernel)any_enum(8),
                                              .log_width = any_flag(),
                                              .leave_one_out = any_flag(),
                                              .degree = any_enum(4)};
    const heed_kernel_regression_options *options = one_in(2) ? NULL : &o;
    int64_t shards = any_flag() ? 2 : any_count();
    heed_tensor *q = some_or(heed_ones(HEED_F32, HEED_SHAPE(2, 3))),
                *k = some_or(heed_ones(HEED_F32, HEED_SHAPE(2, 3)));
    heed_tensor *v = some_or(heed_ones(HEED_F32, HEED_SHAPE(2))), *w = some_or(heed_ones(HEED_F32, HEED_SHAPE(1)));
    if (one_in(4)) /* one tensor several times */
        k = v = w = q;
    POINTER(heed_kernel_regression_by_queries(some, shards, q, k, v, w, options));
    POINTER(heed_kernel_regression_by_keys(some, shards, q, k, v, w, options));
    heed_tensor *list[] = {heed_ones(HEED_F32, HEED_SHAPE(2, 3)), heed_ones(HEED_I64, HEED_SHAPE(2))};
    heed_dataset *data = heed_dataset_new(list, one_in(4) ? 1 : 2);
    POINTER(heed_kernel_regression_by_data(some, shards, q, one_in(8) ? NULL : data, w, options));
    heed_dataset_free(data);
    heed_comm_free(comm);
}

ROUNDS_OF(teams)
ROUNDS_OF(regressions)
ROUNDS_OF(passes)

MISUSE_MAIN("every team misused", rounds_of_teams, rounds_of_passes, rounds_of_regressions)
