/* tests/team/test_team_parameters.c - parameters of two dtypes, in groups, frozen, or not used by some shards.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_team.h"
#include "hash.h"
#include "optimizer_of.h"

enum { SAMPLES = 24, WIDTH = 70000, STEPS = 6 };

typedef struct plan {
    bool sharded;
    double max_norm;
} plan;

typedef struct model {
    heed_tensor *wide;  /* f64 (2, WIDTH): has its own chunks */
    heed_tensor *scale; /* f32 (3), with momentum */
    heed_tensor *rare;  /* f32 (5), only used if a sample is above 0 */
    heed_tensor *never; /* f64 () */
    heed_tensor *late;  /* f32 (3), frozen after three steps */
} model;

static heed_tensor *parameter(heed_dtype dtype, heed_shape shape)
{
    return heed_retain(heed_set_requires_grad(heed_randn(dtype, shape), true));
}

static void release(model *m)
{
    heed_tensor *const all[] = {m->wide, m->scale, m->rare, m->never, m->late};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        heed_release(all[i]);
}

/* x (n, 2) f64: a sum over samples. */
static heed_tensor *loss_of(const model *m, heed_tensor *x)
{
    heed_tensor *wide = heed_mean(heed_square(heed_matmul(x, m->wide)));
    heed_tensor *narrow = heed_sum(heed_mul(heed_add(m->scale, m->late), m->late));
    heed_tensor *loss = heed_add(heed_mul_scalar(wide, (double)heed_dim(x, 0)),
                                 heed_mul_scalar(heed_to_dtype(narrow, HEED_F64), (double)heed_dim(x, 0)));
    if (heed_item(heed_max(x)) > 0.0)
        loss = heed_add(loss, heed_to_dtype(heed_sum(heed_square(m->rare)), HEED_F64));
    return loss;
}

static uint64_t hash_of(const model *m)
{
    heed_tensor *const trained[] = {m->scale, m->rare, m->late, m->wide};
    uint64_t hash = HASH_BEGIN;
    for (size_t i = 0; i < sizeof trained / sizeof trained[0]; i++)
        hash = hash_tensor(hash, trained[i]);
    return hash;
}

/* Samples in ascending order, so that only late shards use the rare parameter. */
static heed_dataset *make_data(void)
{
    heed_tensor *x =
        heed_mul_scalar(heed_reshape(heed_linspace(HEED_F64, -1.0, 0.9, 2 * SAMPLES), HEED_SHAPE(-1, 2)), 0.1);
    return heed_dataset_new(HEED_TENSORS(x));
}

static heed_optimizer *make_optimizer(const model *m)
{
    heed_optimizer *sgd = sgd_of(HEED_TENSORS(m->rare, m->wide, m->never), &(heed_optim_sgd_options){.lr = 0.01});
    sgd_add(sgd, HEED_TENSORS(m->scale, m->late),
            &(heed_optim_sgd_options){.lr = 0.02, .momentum = 0.9, .weight_decay = 0.1});
    return sgd;
}

static uint64_t train(heed_comm *comm, void *argument)
{
    const plan *p = argument;
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_manual_seed(7);
    model m = {parameter(HEED_F64, HEED_SHAPE(2, WIDTH)), parameter(HEED_F32, HEED_SHAPE(3)),
               parameter(HEED_F32, HEED_SHAPE(5)), parameter(HEED_F64, HEED_SCALAR),
               parameter(HEED_F32, HEED_SHAPE(3))};
    heed_dataset *data = make_data();
    heed_loader *loader = heed_loader_new(data, &(heed_loader_options){.batch_size = 7});
    heed_optimizer *sgd = make_optimizer(&m);
    heed_schedule *schedule = heed_schedule_new_cosine(sgd, STEPS, 0.0);
    heed_data_parallel *team = heed_data_parallel_new(
        comm, sgd, &(heed_data_parallel_options){.shards = 8, .max_norm = p->max_norm, .sharded_state = p->sharded});
    for (int step = 0; step < STEPS; step++) {
        heed_tensor *batch[1];
        if (step == 3)
            heed_set_requires_grad(m.late, false);
        while (heed_data_parallel_next(team, loader, batch)) {
            heed_scope *scope = heed_scope_begin();
            heed_data_parallel_backward(team, loss_of(&m, batch[0]), (double)heed_dim(batch[0], 0));
            heed_scope_end(scope);
        }
        heed_data_parallel_step(team);
        heed_schedule_step(schedule);
    }
    uint64_t hash = hash_of(&m);
    heed_data_parallel_free(team);
    heed_schedule_free(schedule);
    heed_optimizer_free(sgd);
    heed_loader_free(loader);
    heed_dataset_free(data);
    release(&m);
    heed_set_error_handler(NULL, NULL);
    return hash;
}

START_TEST(the_same_bits_whatever_the_parameters)
{
    plan whole = {.max_norm = 0.0}, parts = {.sharded = true}, clipped = {.max_norm = 0.5, .sharded = true};
    const uint64_t expected = alone(train, &whole);
    ck_assert_uint_eq(alone(train, &parts), expected);
    ck_assert(alone(train, &clipped) != expected);
    check_any_number(train, &whole, 8);
    check_any_number(train, &parts, 8);
    check_any_number(train, &clipped, 8);
}
END_TEST

HEED_TEST_MAIN("team parameters", the_same_bits_whatever_the_parameters)
