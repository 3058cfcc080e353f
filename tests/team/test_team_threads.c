/* tests/team/test_team_threads.c - heed_data_parallel_gradients: shards in threads have the bits of shards one after
 * another; and its errors.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include "check_team.h"
#include "training.h"

/* -- The same bits ------------------------------------------------------------------------------------------------- */

static void check_threads(run r)
{
    static const int threads[] = {1, 2, 3, 16};
    const uint64_t expected = alone(train, &r);
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        r.threads = threads[i];
        ck_assert_msg(alone(train, &r) == expected, "%d threads", threads[i]);
    }
}

START_TEST(any_number_of_threads_has_the_same_bits)
{
    check_threads((run){.samples = 100, .batch = 32, .shards = 8, .to = 10, .dropout = 0.3});
    check_threads((run){.samples = 100, .batch = 33, .shards = 7, .to = 7, .dropout = 0.3, .max_norm = 0.1});
    check_threads((run){.samples = 96, .batch = 32, .shards = 16, .to = 5, .normed = true, .dropout = 0.3});
    check_threads((run){.samples = 50, .batch = 6, .shards = 13, .to = 9}); /* shards without samples */
    check_threads((run){.samples = 50, .batch = 25, .shards = 1, .to = 4});
}
END_TEST

START_TEST(threads_and_processes_have_the_same_bits)
{
    run r = {.samples = 96, .batch = 32, .shards = 8, .to = 5, .normed = true, .dropout = 0.3};
    const uint64_t expected = alone(train, &r);
    r.threads = 2;
    for (int processes = 2; processes <= 3; processes++) {
        uint64_t results[TEAM_MAX];
        run_team(processes, train, &r, results);
        for (int rank = 0; rank < processes; rank++)
            ck_assert_msg(results[rank] == expected, "process %d of %d", rank, processes);
    }
}
END_TEST

START_TEST(a_run_resumes_with_threads)
{
    run r = {.samples = 100, .batch = 32, .shards = 8, .to = 8, .dropout = 0.3};
    const uint64_t expected = alone(train, &r);
    char path[] = "/tmp/heed_team_XXXXXX";
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
    r.checkpoint = path;
    r.to = 3;
    r.threads = 3;
    (void)alone(train, &r);
    r.from = 3;
    r.to = 8;
    ck_assert(alone(train, &r) == expected);
    remove(path);
}
END_TEST

/* -- A small team -------------------------------------------------------------------------------------------------- */

/* The samples 0 .. 7, in four shards per step, and the loss w^2 (x0 + x1). */
typedef struct small {
    heed_tensor *w;
    heed_nn_batch_norm *norm;
    heed_module *list;
    heed_dataset *data;
    heed_loader *loader;
    heed_optimizer *sgd;
    heed_comm *self;
    heed_data_parallel *team;
} small;

static small begin_small(bool with_module)
{
    small s = {.norm = heed_nn_batch_norm_new(1, NULL)};
    heed_scope *scope = heed_scope_begin();
    s.w = heed_retain(heed_set_requires_grad(heed_ones(HEED_F32, HEED_SCALAR), true));
    s.list = heed_nn_parameter_list_new(&s.w, 1);
    s.data = heed_dataset_new(HEED_TENSORS(heed_reshape(heed_arange(HEED_F32, 0.0, 8.0, 1.0), HEED_SHAPE(8, 1))));
    heed_scope_end(scope);
    s.loader = heed_loader_new(s.data, &(heed_loader_options){.batch_size = 8});
    s.sgd = heed_optim_sgd(s.list, &(heed_optim_sgd_options){.lr = 0.01});
    s.self = heed_comm_self();
    s.team = heed_data_parallel_new(
        s.self, s.sgd, &(heed_data_parallel_options){.shards = 4, .module = with_module ? &s.norm->base : NULL});
    return s;
}

static void end_small(const small *s)
{
    heed_data_parallel_free(s->team);
    heed_comm_free(s->self);
    heed_optimizer_free(s->sgd);
    heed_loader_free(s->loader);
    heed_dataset_free(s->data);
    heed_module_free(s->list);
    heed_module_free(&s->norm->base);
    heed_release(s->w);
}

static heed_tensor *plain_loss(heed_tensor *const *part, double *count, void *user)
{
    const small *s = user;
    ck_assert_double_eq(*count, 2.0);
    return heed_mul(heed_square(s->w), heed_sum(part[0]));
}

START_TEST(the_gradient_is_the_mean_over_the_batch)
{
    small s = begin_small(false);
    ck_assert_int_eq(heed_data_parallel_gradients(s.team, s.loader, plain_loss, &s), HEED_OK);
    ck_assert(!heed_has_grad(s.w));
    ck_assert_int_eq(heed_data_parallel_step(s.team), HEED_OK);
    ck_assert_near(heed_item(s.w), 1.0 - 0.01 * 2.0 * 28.0 / 8.0, 1e-7);
    ck_assert_near(heed_data_parallel_loss(s.team), 28.0 / 8.0, 1e-7);
    end_small(&s);
}
END_TEST

static heed_tensor *count_twice(heed_tensor *const *part, double *count, void *user)
{
    heed_tensor *loss = plain_loss(part, count, user);
    *count = 4.0;
    return loss;
}

START_TEST(the_function_may_change_the_count)
{
    small s = begin_small(false);
    ck_assert_int_eq(heed_data_parallel_gradients(s.team, s.loader, count_twice, &s), HEED_OK);
    ck_assert_int_eq(heed_data_parallel_step(s.team), HEED_OK);
    ck_assert_near(heed_item(s.w), 1.0 - 0.01 * 2.0 * 28.0 / 16.0, 1e-7);
    end_small(&s);
}
END_TEST

/* -- Errors -------------------------------------------------------------------------------------------------------- */

static void check_failure(heed_status expected, const char *message)
{
    ck_assert_int_eq(heed_error_code(), expected);
    ck_assert_str_eq(heed_error_message(), message);
    heed_error_clear();
}

/* The shards 1 to 3 fail. */
static heed_tensor *failing_loss(heed_tensor *const *part, double *count, void *user)
{
    const double first = heed_get(part[0], HEED_INDEX(0, 0));
    if (first > 0.0)
        return heed_fail_null(HEED_ERR_IO, "my_loss", "no data for sample %g", first);
    return plain_loss(part, count, user);
}

START_TEST(the_error_is_that_of_the_first_failing_shard)
{
    small s = begin_small(false);
    for (int threads = 1; threads <= 4; threads++) {
        heed_set_num_threads(threads);
        ck_assert_int_eq(heed_data_parallel_gradients(s.team, s.loader, failing_loss, &s), HEED_ERR_IO);
        check_failure(HEED_ERR_IO, "data_parallel_gradients: my_loss: no data for sample 2");
        ck_assert_int_eq(heed_data_parallel_step(s.team), HEED_ERR_STATE);
        heed_error_clear();
        ck_assert_double_eq(heed_item(s.w), 1.0);
    }
    ck_assert_int_eq(heed_data_parallel_gradients(s.team, s.loader, plain_loss, &s), HEED_OK); /* the next step works */
    ck_assert_int_eq(heed_data_parallel_step(s.team), HEED_OK);
    end_small(&s);
}
END_TEST

static heed_tensor *no_loss(heed_tensor *const *part, double *count, void *user)
{
    (void)part, (void)count, (void)user;
    return NULL;
}

static heed_tensor *two_losses(heed_tensor *const *part, double *count, void *user)
{
    (void)count;
    return heed_mul(((const small *)user)->w, heed_reshape(part[0], HEED_SHAPE(2)));
}

static heed_tensor *negative_count(heed_tensor *const *part, double *count, void *user)
{
    heed_tensor *loss = plain_loss(part, count, user);
    *count = -1.0;
    return loss;
}

static heed_tensor *constant_loss(heed_tensor *const *part, double *count, void *user)
{
    (void)count, (void)user;
    return heed_sum(part[0]);
}

static heed_tensor *infinite_loss(heed_tensor *const *part, double *count, void *user)
{
    const double first = heed_get(part[0], HEED_INDEX(0, 0));
    return heed_mul_scalar(plain_loss(part, count, user), first >= 4.0 ? (double)INFINITY : 1.0);
}

static heed_tensor *normed_loss(heed_tensor *const *part, double *count, void *user)
{
    (void)count;
    const small *s = user;
    return heed_mul(heed_square(s->w), heed_sum(heed_nn_batch_norm_forward(s->norm, part[0])));
}

START_TEST(losses_are_checked)
{
    static const struct {
        heed_shard_loss fn;
        heed_status status;
        const char *message;
    } cases[] = {
        {no_loss, HEED_ERR_STATE, "data_parallel_gradients: the function of the loss returned NULL"},
        {two_losses, HEED_ERR_SHAPE, "data_parallel_gradients: the loss has shape (2): must be one number"},
        {negative_count, HEED_ERR_ARGUMENT, "data_parallel_gradients: count is -1: must be finite and 0 or more"},
        {constant_loss, HEED_ERR_STATE,
         "data_parallel_gradients: grad: the tensor of shape () is not part of a graph: no tensor that it was computed "
         "from requires a gradient"},
        {normed_loss, HEED_ERR_STATE,
         "data_parallel_gradients: parallel_buffer: calls that run at the same time would write the same "
         "buffer of a module (in heed_data_parallel_gradients, set .module of the team's options)"},
    };
    small s = begin_small(false);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_int_eq(heed_data_parallel_gradients(s.team, s.loader, cases[i].fn, &s), cases[i].status);
        check_failure(cases[i].status, cases[i].message);
        ck_assert_int_eq(heed_data_parallel_step(s.team), HEED_ERR_STATE);
        heed_error_clear();
    }
    end_small(&s);
}
END_TEST

START_TEST(a_loss_that_is_not_finite_is_named)
{
    small s = begin_small(false);
    for (int threads = 1; threads <= 4; threads++) {
        heed_set_num_threads(threads);
        ck_assert_int_eq(heed_data_parallel_gradients(s.team, s.loader, infinite_loss, &s), HEED_OK);
        ck_assert_int_eq(heed_data_parallel_step(s.team), HEED_ERR_STATE);
        check_failure(HEED_ERR_STATE, "data_parallel_step: the loss of shard 2, in process 0, is not finite");
    }
    end_small(&s);
}
END_TEST

/* Every shard {2 k, 2 k + 1} has the mean 2 k + 0.5 and the variance 0.5. */
START_TEST(batch_norm_changes_its_buffers_by_the_mean_of_shards)
{
    small s = begin_small(true);
    ck_assert_int_eq(heed_data_parallel_gradients(s.team, s.loader, normed_loss, &s), HEED_OK);
    ck_assert_double_eq(heed_get(s.norm->running_mean, HEED_INDEX(0)), 0.0);
    ck_assert_int_eq(heed_data_parallel_step(s.team), HEED_OK);
    ck_assert_near(heed_get(s.norm->running_mean, HEED_INDEX(0)), 0.1 * 3.5, 1e-6);
    ck_assert_near(heed_get(s.norm->running_var, HEED_INDEX(0)), 0.9 + 0.1 * 0.5, 1e-6);
    ck_assert_int_eq(heed_data_i64(s.norm->num_batches_tracked)[0], 1);
    end_small(&s);
}
END_TEST

START_TEST(calls_in_a_wrong_order_are_refused)
{
    small s = begin_small(false);
    heed_tensor *part[1];
    ck_assert(heed_data_parallel_next(s.team, s.loader, part));
    ck_assert_int_eq(heed_data_parallel_gradients(s.team, s.loader, plain_loss, &s), HEED_ERR_STATE);
    check_failure(HEED_ERR_STATE, "data_parallel_gradients: step 0 has begun: call heed_data_parallel_step first");
    ck_assert_int_eq(heed_data_parallel_step(s.team), HEED_ERR_STATE);
    heed_error_clear();
    ck_assert_int_eq(heed_data_parallel_gradients(s.team, s.loader, plain_loss, &s), HEED_OK);
    ck_assert(!heed_data_parallel_next(s.team, s.loader, part));
    ck_assert_int_eq(heed_data_parallel_step(s.team), HEED_OK);
    heed_backward(heed_square(s.w));
    ck_assert_int_eq(heed_data_parallel_gradients(s.team, s.loader, plain_loss, &s), HEED_ERR_STATE);
    check_failure(HEED_ERR_STATE, "data_parallel_gradients: parameter 0 already has a gradient: call "
                                  "heed_optimizer_zero_grad first");
    ck_assert_int_eq(heed_data_parallel_gradients(s.team, NULL, plain_loss, &s), HEED_ERR_ARGUMENT);
    check_failure(HEED_ERR_ARGUMENT, "data_parallel_gradients: loader_dataset: the loader is NULL");
    ck_assert_int_eq(heed_data_parallel_gradients(s.team, s.loader, NULL, &s), HEED_ERR_ARGUMENT);
    check_failure(HEED_ERR_ARGUMENT, "data_parallel_gradients: the function of the loss is NULL");
    heed_optimizer_zero_grad(s.sgd);
    end_small(&s);
}
END_TEST

/* -- A frozen parameter, and hooks --------------------------------------------------------------------------------- */

static heed_tensor *double_gradient(heed_tensor *grad, void *user)
{
    (void)user;
    return heed_mul_scalar(grad, 2.0);
}

START_TEST(hooks_run_and_frozen_parameters_stay)
{
    small s = begin_small(false);
    const int64_t hook = heed_add_hook(s.w, double_gradient, NULL);
    ck_assert_int_eq(heed_data_parallel_gradients(s.team, s.loader, plain_loss, &s), HEED_OK);
    ck_assert_int_eq(heed_data_parallel_step(s.team), HEED_OK);
    const double after = 1.0 - 0.01 * 4.0 * 28.0 / 8.0;
    ck_assert_near(heed_item(s.w), after, 1e-7);
    heed_remove_hook(s.w, hook);
    heed_set_requires_grad(s.w, false);
    ck_assert_int_eq(heed_data_parallel_gradients(s.team, s.loader, plain_loss, &s), HEED_OK);
    ck_assert_int_eq(heed_data_parallel_step(s.team), HEED_OK);
    ck_assert_near(heed_item(s.w), after, 1e-7);
    end_small(&s);
}
END_TEST

HEED_TEST_MAIN("team threads", any_number_of_threads_has_the_same_bits, threads_and_processes_have_the_same_bits,
               a_run_resumes_with_threads, the_gradient_is_the_mean_over_the_batch, the_function_may_change_the_count,
               the_error_is_that_of_the_first_failing_shard, losses_are_checked, a_loss_that_is_not_finite_is_named,
               batch_norm_changes_its_buffers_by_the_mean_of_shards, calls_in_a_wrong_order_are_refused,
               hooks_run_and_frozen_parameters_stay)
