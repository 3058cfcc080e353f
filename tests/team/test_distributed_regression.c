/* tests/team/test_distributed_regression.c - kernel regression by many processes: the numbers of the op, and the same
 * bits for any number of processes.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "hash.h"
#include "sockets.h"

typedef enum partition { BY_QUERIES, BY_KEYS, BY_DATA } partition;

typedef struct job {
    partition partition;
    heed_dtype dtype;
    int64_t n, m, d, v; /* d or v 0: without that axis */
    int64_t widths, shards;
    heed_kernel_regression_options options;
    bool own;     /* every query has its own keys and values */
    double shift; /* of the queries */
} job;

enum { QUERIES, KEYS, VALUES, WIDTH, INPUTS };

static heed_shape shape_of(int64_t first, int64_t second, int64_t third)
{
    int64_t dims[] = {first, second, third};
    heed_shape shape = {.rank = 0};
    for (int i = 0; i < 3; i++)
        if (dims[i] > 0)
            shape.dims[shape.rank++] = dims[i];
    return shape;
}

static void make_inputs(const job *j, heed_tensor **in)
{
    heed_manual_seed(11);
    const int64_t sets = j->own ? j->n : 0;
    in[QUERIES] = heed_add_scalar(heed_randn(j->dtype, shape_of(j->n, j->d, 0)), j->shift);
    in[KEYS] = heed_randn(j->dtype, shape_of(sets, j->m, j->d));
    in[VALUES] = heed_randn(j->dtype, shape_of(sets, j->m, j->v));
    in[WIDTH] = heed_mul_scalar(heed_rand(j->dtype, HEED_SHAPE(j->widths)), j->options.log_width ? -0.5 : 1.5);
    for (int i = 0; i < INPUTS; i++)
        in[i] = heed_set_requires_grad(heed_detach(in[i]), !(j->partition == BY_DATA && (i == KEYS || i == VALUES)));
}

static heed_tensor *regress(heed_comm *comm, const job *j, heed_tensor *const *in, heed_dataset **data)
{
    *data = NULL;
    if (j->partition == BY_QUERIES)
        return heed_kernel_regression_by_queries(comm, j->shards, in[QUERIES], in[KEYS], in[VALUES], in[WIDTH],
                                                 &j->options);
    if (j->partition == BY_KEYS)
        return heed_kernel_regression_by_keys(comm, j->shards, in[QUERIES], in[KEYS], in[VALUES], in[WIDTH],
                                              &j->options);
    *data = heed_dataset_new(HEED_TENSORS(in[KEYS], in[VALUES]));
    return heed_kernel_regression_by_data(comm, j->shards, in[QUERIES], *data, in[WIDTH], &j->options);
}

/* A function of the result whose gradient differs between rows. */
static heed_tensor *loss_of(heed_tensor *f)
{
    return heed_sum(heed_sin(heed_mul_scalar(f, 3.0)));
}

static uint64_t compute(heed_comm *comm, void *argument)
{
    const job *j = argument;
    heed_tensor *in[INPUTS];
    heed_dataset *data;
    heed_set_error_handler(heed_exit_on_error, NULL);
    make_inputs(j, in);
    heed_tensor *f = regress(comm, j, in, &data);
    heed_backward(loss_of(f));
    uint64_t hash = hash_tensor(HASH_BEGIN, f);
    for (int i = 0; i < INPUTS; i++)
        if (heed_has_grad(in[i]))
            hash = hash_tensor(hash, heed_grad_of(in[i]));
    heed_dataset_free(data);
    heed_set_error_handler(NULL, NULL);
    return hash;
}

static const job jobs[] = {
    {BY_QUERIES, HEED_F64, 21, 30, 0, 0, 1, 8, .shift = 0},
    {BY_QUERIES, HEED_F32, 21, 30, 3, 2, 3, 9, .options = {.log_width = true}},
    {BY_QUERIES, HEED_F64, 17, 17, 2, 0, 1, 8, .options = {.leave_one_out = true}},
    {BY_QUERIES, HEED_F64, 17, 17, 0, 3, 1, 8, .options = {.kernel = HEED_NW_EPANECHNIKOV, .leave_one_out = true}},
    {BY_QUERIES, HEED_F64, 17, 17, 0, 3, 1, 8, .options = {.degree = 2, .leave_one_out = true}},
    {BY_QUERIES, HEED_F64, 12, 30, 2, 0, 2, 8, .options = {.degree = 1}},
    {BY_QUERIES, HEED_F64, 12, 9, 2, 2, 1, 8, .own = true},
    {BY_QUERIES, HEED_F64, 5, 9, 0, 0, 1, 13, .own = true},
    {BY_QUERIES, HEED_F64, 12, 9, 2, 2, 2, 8, .options = {.kernel = HEED_NW_CONSTANT}},
    {BY_KEYS, HEED_F64, 21, 30, 0, 0, 1, 8, .shift = 0},
    {BY_KEYS, HEED_F32, 21, 300, 3, 2, 3, 16, .options = {.log_width = true}},
    {BY_KEYS, HEED_F64, 5, 6, 2, 0, 1, 11, .shift = 0}, /* shards without keys */
    {BY_KEYS, HEED_F32, 9, 40, 2, 0, 1, 8, .shift = 300.0},
    {BY_KEYS, HEED_F64, 3000, 700, 2, 1, 2, 8, .shift = 0}, /* several blocks of queries */
    {BY_DATA, HEED_F64, 21, 30, 2, 2, 2, 8, .shift = 0},
    {BY_DATA, HEED_F32, 21, 30, 0, 0, 1, 8, .shift = 0},
};
#define JOBS (sizeof jobs / sizeof jobs[0])

static double largest(heed_tensor *x)
{
    return heed_item(heed_max(heed_abs(x)));
}

static void check_near(size_t number, const char *what, int input, heed_tensor *x, heed_tensor *expected)
{
    const double tolerance = heed_dtype_of(x) == HEED_F32 ? 1e-6 : 1e-12;
    ck_assert(heed_shape_equal(heed_shape_of(x), heed_shape_of(expected)));
    ck_assert_int_eq(heed_dtype_of(x), heed_dtype_of(expected));
    double off = largest(heed_sub(x, expected)), scale = fmax(largest(expected), 1.0);
    ck_assert_msg(off <= tolerance * scale, "job %zu, %s %d: off by %g of %g", number, what, input, off, scale);
}

/* Shards of keys compute in f64 throughout. */
static heed_tensor *by_op(const job *j, heed_tensor *const *in)
{
    heed_tensor *x[INPUTS];
    for (int i = 0; i < INPUTS; i++)
        x[i] = heed_to_dtype(in[i], j->partition == BY_QUERIES ? j->dtype : HEED_F64);
    heed_tensor *f = heed_kernel_regression(x[QUERIES], x[KEYS], x[VALUES], x[WIDTH], &j->options, NULL);
    return heed_to_dtype(f, j->dtype);
}

START_TEST(the_numbers_are_those_of_the_op)
{
    heed_comm *self = heed_comm_self();
    for (size_t i = 0; i < JOBS; i++) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *in[INPUTS], *same[INPUTS];
        heed_dataset *data;
        make_inputs(&jobs[i], in);
        make_inputs(&jobs[i], same);
        heed_tensor *f = regress(self, &jobs[i], in, &data);
        ck_assert_msg(f != NULL, "job %zu: %s", i, heed_error_message());
        heed_tensor *expected = by_op(&jobs[i], same);
        check_near(i, "result", 0, f, expected);
        ck_assert_msg(heed_backward(loss_of(f)) == HEED_OK, "job %zu: %s", i, heed_error_message());
        heed_backward(loss_of(expected));
        for (int k = 0; k < INPUTS; k++)
            if (heed_has_grad(same[k]))
                check_near(i, "gradient", k, heed_grad_of(in[k]), heed_grad_of(same[k]));
        heed_dataset_free(data);
        heed_scope_end(scope);
    }
    heed_comm_free(self);
}
END_TEST

START_TEST(any_number_of_processes_has_the_same_bits)
{
    static const int processes[] = {2, 3, 5, 8};
    for (size_t i = 0; i < JOBS; i++) {
        heed_comm *self = heed_comm_self();
        job j = jobs[i];
        const uint64_t expected = compute(self, &j);
        heed_comm_free(self);
        for (size_t r = 0; r < sizeof processes / sizeof processes[0]; r++) {
            uint64_t results[TEAM_MAX];
            run_team(processes[r], compute, &j, results);
            for (int rank = 0; rank < processes[r]; rank++)
                ck_assert_msg(results[rank] == expected, "job %zu, process %d of %d", i, rank, processes[r]);
        }
    }
}
END_TEST

START_TEST(only_required_gradients_are_computed)
{
    heed_comm *self = heed_comm_self();
    for (size_t i = 0; i < JOBS; i++)
        for (int one = 0; one < INPUTS; one++) {
            heed_scope *scope = heed_scope_begin();
            heed_tensor *in[INPUTS], *all[INPUTS];
            heed_dataset *data;
            make_inputs(&jobs[i], all);
            make_inputs(&jobs[i], in);
            bool differentiable = heed_requires_grad(in[one]);
            for (int k = 0; k < INPUTS; k++)
                heed_set_requires_grad(in[k], k == one && differentiable);
            heed_tensor *f = regress(self, &jobs[i], in, &data);
            ck_assert_int_eq(heed_requires_grad(f), differentiable);
            if (differentiable) {
                ck_assert_int_eq(heed_backward(loss_of(f)), HEED_OK);
                heed_dataset_free(data);
                heed_backward(loss_of(regress(self, &jobs[i], all, &data)));
                check_near(i, "gradient", one, heed_grad_of(in[one]), heed_grad_of(all[one]));
            }
            heed_dataset_free(data);
            heed_scope_end(scope);
        }
    heed_comm_free(self);
}
END_TEST

START_TEST(nan_is_not_lost)
{
    heed_comm *self = heed_comm_self();
    heed_tensor *q = heed_ones(HEED_F32, HEED_SHAPE(3)), *k = heed_ones(HEED_F32, HEED_SHAPE(6));
    heed_tensor *w = heed_ones(HEED_F32, HEED_SHAPE(1));
    heed_set_(k, HEED_INDEX(4), (double)NAN);
    heed_tensor *f[] = {heed_kernel_regression_by_queries(self, 2, q, k, k, w, NULL),
                        heed_kernel_regression_by_keys(self, 2, q, k, k, w, NULL)};
    for (int i = 0; i < 2; i++)
        ck_assert(isnan(heed_get(f[i], HEED_INDEX(0))));
    heed_comm_free(self);
}
END_TEST

/* -- Mistakes ------------------------------------------------------------------------------------------------------ */

START_TEST(refuses_mismatched_arguments)
{
    heed_comm *self = heed_comm_self();
    heed_tensor *q = heed_ones(HEED_F32, HEED_SHAPE(4, 2)), *k = heed_ones(HEED_F32, HEED_SHAPE(5, 2));
    heed_tensor *v = heed_ones(HEED_F32, HEED_SHAPE(5)), *w = heed_ones(HEED_F32, HEED_SHAPE(1));
    heed_tensor *wide = heed_ones(HEED_F32, HEED_SHAPE(3)), *exact = heed_ones(HEED_F64, HEED_SHAPE(5));
    ck_assert_ptr_null(heed_kernel_regression_by_queries(NULL, 2, q, k, v, w, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "kernel_regression_by_queries: the comm is NULL");
    ck_assert_ptr_null(heed_kernel_regression_by_queries(self, 2, q, k, wide, w, NULL));
    ck_assert_error(HEED_ERR_SHAPE, "kernel_regression_by_queries: queries (4, 2), keys (5, 2), values (3): must be");
    ck_assert_ptr_null(heed_kernel_regression_by_queries(self, 2, q, k, exact, w, NULL));
    ck_assert_error(HEED_ERR_DTYPE, "kernel_regression_by_queries: queries are f32, values f64");
    ck_assert_ptr_null(heed_kernel_regression_by_queries(self, 2, q, k, v, wide, NULL));
    ck_assert_error(HEED_ERR_SHAPE, "kernel_regression_by_queries: width (3): must be (1), or (2)");
    ck_assert_ptr_null(heed_kernel_regression_by_queries(self, -1, q, k, v, w, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "kernel_regression_by_queries: shards_new: -1 shards");
    const heed_kernel_regression_options alone = {.leave_one_out = true}, other = {.kernel = HEED_NW_BOXCAR};
    ck_assert_ptr_null(heed_kernel_regression_by_queries(self, 2, q, k, v, w, &alone));
    ck_assert_error(HEED_ERR_SHAPE, "leave_one_out needs shared keys, one per query");
    ck_assert_ptr_null(heed_kernel_regression_by_keys(self, 2, q, k, v, w, &alone));
    ck_assert_error(HEED_ERR_UNSUPPORTED,
                    "kernel_regression_by_keys: leave_one_out is not supported: use heed_kernel_regression_by_queries");
    ck_assert_ptr_null(heed_kernel_regression_by_keys(self, 2, q, k, v, w, &other));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "kernel_regression_by_keys: a kernel other than the Gaussian");
    ck_assert_ptr_null(
        heed_kernel_regression_by_keys(self, 2, q, k, v, w, &(heed_kernel_regression_options){.degree = 1}));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "kernel_regression_by_keys: a degree above 0");
    ck_assert_ptr_null(
        heed_kernel_regression_by_queries(self, 2, q, k, v, w, &(heed_kernel_regression_options){.degree = 4}));
    ck_assert_error(HEED_ERR_ARGUMENT, "kernel_regression_by_queries: degree is 4: must be 0 to 3");
    heed_tensor *none = heed_ones(HEED_F32, HEED_SHAPE(0, 2)), *nothing = heed_ones(HEED_F32, HEED_SHAPE(0));
    ck_assert_ptr_null(heed_kernel_regression_by_keys(self, 2, q, none, nothing, w, NULL));
    ck_assert_error(HEED_ERR_SHAPE, "kernel_regression_by_keys: queries (4, 2), keys (0, 2)");
    ck_assert_ptr_null(heed_kernel_regression_by_queries(self, 2, none, k, v, w, NULL));
    ck_assert_error(HEED_ERR_SHAPE, "kernel_regression_by_queries: queries (0, 2)");
    heed_dataset *data = heed_dataset_new(&k, 1);
    ck_assert_ptr_null(heed_kernel_regression_by_data(self, 2, q, data, w, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "kernel_regression_by_data: the dataset has 1 tensors and 5 samples");
    ck_assert_ptr_null(heed_kernel_regression_by_data(self, 2, q, NULL, w, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "kernel_regression_by_data: the dataset is NULL");
    heed_dataset_free(data);
    heed_comm_free(self);
}
END_TEST

START_TEST(second_derivatives_are_refused)
{
    heed_comm *self = heed_comm_self();
    heed_tensor *q = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(4)), true), *dq;
    heed_tensor *w = heed_ones(HEED_F64, HEED_SHAPE(1));
    heed_tensor *f[] = {heed_kernel_regression_by_queries(self, 2, q, q, q, w, NULL),
                        heed_kernel_regression_by_keys(self, 2, q, q, q, w, NULL)};
    for (int i = 0; i < 2; i++) {
        heed_tensor *sum = heed_sum(f[i]);
        heed_grad(&sum, 1, &q, 1, &dq, &(heed_grad_options){.create_graph = true});
        ck_assert_error(HEED_ERR_UNSUPPORTED, "second derivatives (create_graph) are not supported");
    }
    heed_comm_free(self);
}
END_TEST

/* -- A lost process ------------------------------------------------------------------------------------------------ */

static uint64_t lose_one(heed_comm *comm, void *argument)
{
    const bool in_backward = *(const bool *)argument, lost = heed_comm_rank(comm) == 1;
    heed_tensor *q = heed_set_requires_grad(heed_linspace(HEED_F64, -1, 1, 12), true);
    heed_tensor *w = heed_ones(HEED_F64, HEED_SHAPE(1));
    if (lost && !in_backward)
        return true;
    heed_tensor *f = heed_kernel_regression_by_keys(comm, 6, q, q, q, w, NULL);
    if (lost)
        return f != NULL;
    heed_status status = in_backward ? heed_backward(heed_sum(f)) : heed_error_code();
    bool as_expected =
        status == HEED_ERR_IO && strstr(heed_error_message(), "process 1 of 3 has disconnected") && !heed_has_grad(q);
    if (!as_expected)
        fprintf(stderr, "%s\n", heed_error_message());
    heed_error_clear();
    return as_expected;
}

START_TEST(a_lost_process_is_named)
{
    for (int in_backward = 0; in_backward < 2; in_backward++) {
        uint64_t results[TEAM_MAX];
        bool argument = in_backward;
        run_team(3, lose_one, &argument, results);
        for (int rank = 0; rank < 3; rank++)
            ck_assert_msg(results[rank] == 1, "process %d", rank);
    }
}
END_TEST

HEED_TEST_MAIN("distributed_regression", the_numbers_are_those_of_the_op, any_number_of_processes_has_the_same_bits,
               only_required_gradients_are_computed, nan_is_not_lost, refuses_mismatched_arguments,
               second_derivatives_are_refused, a_lost_process_is_named)
