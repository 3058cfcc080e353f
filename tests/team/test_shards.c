/* tests/team/test_shards.c - sums and rows over samples that processes share: the same bits for any number of
 * processes.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "hash.h"
#include "sockets.h"

typedef struct job {
    int64_t samples, shards;
    int64_t shard_rows; /* samples per piece of a shard; 0: all */
} job;

/* Sample i: (i, 2), f32. */
static heed_tensor *samples_of(int64_t begin, int64_t end)
{
    heed_tensor *i = heed_reshape(heed_arange(HEED_F32, (double)begin, (double)end, 1), HEED_SHAPE(-1, 1));
    return heed_sin(heed_concat(HEED_TENSORS(i, heed_mul_scalar(i, 0.37)), 1));
}

/* i64 (2): i and 2^61 - i, whose sum overflows after a few samples and wraps around to the right value. */
static heed_tensor *integers_of(int64_t begin, int64_t end)
{
    heed_tensor *t = heed_zeros(HEED_I64, HEED_SHAPE(2));
    int64_t *sum = heed_mutable_i64(t);
    for (int64_t i = begin; i < end; i++) {
        sum[0] -= i;
        sum[1] = (int64_t)((uint64_t)sum[1] + ((uint64_t)1 << 61) - (uint64_t)i);
    }
    return t;
}

static void work_on(heed_shards *pass, int64_t begin, int64_t end)
{
    heed_scope *scope = heed_no_grad_begin();
    heed_tensor *x = samples_of(begin, end), *exact = heed_to_dtype(x, HEED_F64);
    heed_tensor *sum = heed_sum_axes(x, HEED_AXES(0), false);
    heed_shards_add(pass, HEED_TENSORS(sum, heed_sum(heed_square(exact)), integers_of(begin, end)));
    heed_shards_put(pass, HEED_TENSORS(x, heed_arange(HEED_I64, (double)begin, (double)end, 1)));
    heed_fill_(sum, 7.0); /* the sum added a copy */
    heed_scope_end(scope);
}

static uint64_t evaluate(heed_comm *comm, void *argument)
{
    const job *j = argument;
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_shards *pass = heed_shards_new(comm, j->samples, j->shards);
    int64_t begin, end;
    while (heed_shards_next(pass, &begin, &end)) {
        int64_t shard_rows = j->shard_rows ? j->shard_rows : end - begin;
        for (int64_t at = begin; at < end; at += shard_rows)
            work_on(pass, at, at + shard_rows < end ? at + shard_rows : end);
    }
    heed_tensor *sums[3], *rows[2];
    heed_shards_sum(pass, sums, 3);
    heed_shards_gather(pass, rows, 2);
    uint64_t hash = HASH_BEGIN;
    for (int i = 0; i < 3; i++)
        hash = hash_tensor(hash, sums[i]);
    for (int i = 0; i < 2; i++)
        hash = hash_tensor(hash, rows[i]);
    heed_shards_free(pass);
    heed_set_error_handler(NULL, NULL);
    return hash;
}

START_TEST(any_number_of_processes_has_the_same_bits)
{
    static const int processes[] = {2, 3, 5, 8};
    job jobs[] = {{100, 8, 0}, {33, 13, 2}, {5, 11, 0}, {1, 8, 0}, {1000, 300, 0}};
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
        heed_comm *self = heed_comm_self();
        const uint64_t expected = evaluate(self, &jobs[i]);
        heed_comm_free(self);
        for (size_t r = 0; r < sizeof processes / sizeof processes[0]; r++) {
            uint64_t results[TEAM_MAX];
            run_team(processes[r], evaluate, &jobs[i], results);
            for (int rank = 0; rank < processes[r]; rank++)
                ck_assert_msg(results[rank] == expected, "job %zu, process %d of %d", i, rank, processes[r]);
        }
    }
}
END_TEST

START_TEST(sums_and_rows_are_those_of_all_samples)
{
    heed_comm *self = heed_comm_self();
    heed_shards *pass = heed_shards_new(self, 1000, 13);
    int64_t begin, end, expected = 0;
    while (heed_shards_next(pass, &begin, &end)) {
        ck_assert_int_eq(begin, expected);
        expected = end;
        work_on(pass, begin, end);
    }
    ck_assert_int_eq(expected, 1000);
    ck_assert(!heed_shards_next(pass, &begin, &end)); /* a second call: no error */
    heed_tensor *sums[3], *rows[2], *all = samples_of(0, 1000), *exact = heed_to_dtype(all, HEED_F64);
    ck_assert_int_eq(heed_shards_sum(pass, sums, 3), HEED_OK);
    ck_assert_int_eq(heed_shards_gather(pass, rows, 2), HEED_OK);
    heed_shards_free(pass);
    heed_comm_free(self);
    heed_tensor *mean = heed_sub(sums[0], heed_sum_axes(all, HEED_AXES(0), false));
    ck_assert_near(heed_item(heed_max(heed_abs(mean))), 0, 1e-4);
    ck_assert_int_eq(heed_rank(sums[1]), 0);
    ck_assert_near(heed_item(sums[1]), heed_item(heed_sum(heed_square(exact))), 1e-10);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(heed_get_i64(sums[2], HEED_INDEX(i)), heed_get_i64(integers_of(0, 1000), HEED_INDEX(i)));
    ck_assert(heed_shape_equal(heed_shape_of(rows[0]), HEED_SHAPE(1000, 2)));
    ck_assert_double_eq(heed_item(heed_max(heed_abs(heed_sub(rows[0], all)))), 0);
    for (int64_t i = 0; i < 1000; i++)
        ck_assert_int_eq(heed_get_i64(rows[1], HEED_INDEX(i)), i);
}
END_TEST

/* -- Mistakes ------------------------------------------------------------------------------------------------------ */

START_TEST(refuses_calls_out_of_order)
{
    heed_comm *self = heed_comm_self();
    ck_assert_ptr_null(heed_shards_new(NULL, 1, 1));
    ck_assert_error(HEED_ERR_ARGUMENT, "shards_new: the comm is NULL");
    ck_assert_ptr_null(heed_shards_new(self, 0, 1));
    ck_assert_error(HEED_ERR_ARGUMENT, "shards_new: 0 samples: must be 1 or more");
    ck_assert_ptr_null(heed_shards_new(self, 1, -1));
    ck_assert_error(HEED_ERR_ARGUMENT,
                    "shards_new: -1 shards: must be at least the number of processes, 1, and at most");
    heed_shards *pass = heed_shards_new(self, 6, 2);
    heed_tensor *one = heed_ones(HEED_F32, HEED_SHAPE(1)), *two = heed_ones(HEED_F32, HEED_SHAPE(2)), *out[2];
    int64_t begin, end;
    heed_shards_add(pass, &one, 1);
    ck_assert_error(HEED_ERR_STATE, "shards_add: no shard is open: call heed_shards_next first");
    heed_shards_sum(pass, out, 1);
    ck_assert_error(HEED_ERR_STATE,
                    "shards_sum: shard 0 is not finished: call heed_shards_next until it returns false");
    ck_assert(heed_shards_next(pass, &begin, &end));
    ck_assert_int_eq(heed_shards_add(pass, &one, 1), HEED_OK);
    heed_shards_add(pass, &two, 1);
    ck_assert_error(HEED_ERR_SHAPE, "shards_add: tensor 0 has shape (2), but had (1) in the first call");
    heed_shards_add(pass, HEED_TENSORS(heed_to_dtype(one, HEED_F64)));
    ck_assert_error(HEED_ERR_DTYPE, "shards_add: tensor 0 is f64, but was f32 in the first call");
    heed_shards_add(pass, HEED_TENSORS(one, one));
    ck_assert_error(HEED_ERR_ARGUMENT, "shards_add: 2 tensors: must be 1, as in the first call");
    heed_shards_add(pass, HEED_TENSORS(heed_zeros(HEED_BOOL, HEED_SHAPE(1))));
    ck_assert_error(HEED_ERR_DTYPE, "tensor 0 is bool: must be f32, f64 or i64");
    heed_shards_put(pass, HEED_TENSORS(heed_zeros(HEED_F32, HEED_SHAPE(4))));
    ck_assert_error(HEED_ERR_SHAPE,
                    "shards_put: tensor 0 is (4): must be (m, ...), with the same m for all and at most the 3");
    ck_assert_int_eq(heed_shards_put(pass, &two, 1), HEED_OK);
    ck_assert(!heed_shards_next(pass, &begin, &end));
    ck_assert_error(HEED_ERR_STATE, "shards_next: shard 0 has 2 of its 3 rows: call heed_shards_put for the others");
    ck_assert_int_eq(heed_shards_put(pass, &one, 1), HEED_OK);
    ck_assert(heed_shards_next(pass, &begin, &end));
    ck_assert(!heed_shards_next(pass, &begin, &end));
    ck_assert_error(HEED_ERR_STATE, "shards_next: shard 1 has no sums, but earlier shards have");
    ck_assert_int_eq(heed_shards_add(pass, &one, 1), HEED_OK);
    ck_assert_int_eq(heed_shards_put(pass, HEED_TENSORS(heed_ones(HEED_F32, HEED_SHAPE(3)))), HEED_OK);
    ck_assert(!heed_shards_next(pass, &begin, &end));
    heed_shards_sum(pass, out, 2);
    ck_assert_error(HEED_ERR_ARGUMENT, "shards_sum: 2 sums are requested, but the shards have 1");
    ck_assert_int_eq(heed_shards_sum(pass, out, 1), HEED_OK);
    heed_shards_sum(pass, out, 1);
    ck_assert_error(HEED_ERR_STATE, "shards_sum: the sums have already been returned");
    heed_shards_free(pass);
    heed_comm_free(self);
}
END_TEST

START_TEST(sums_that_begin_in_a_later_shard_are_refused)
{
    heed_comm *self = heed_comm_self();
    heed_shards *pass = heed_shards_new(self, 6, 2);
    heed_tensor *t = heed_ones(HEED_F32, HEED_SHAPE(3));
    int64_t begin, end;
    heed_shards_next(pass, &begin, &end);
    heed_shards_next(pass, &begin, &end);
    heed_shards_add(pass, &t, 1);
    ck_assert_error(HEED_ERR_STATE, "shards_add: shard 1 has sums, but earlier shards have none");
    heed_shards_put(pass, &t, 1);
    ck_assert_error(HEED_ERR_STATE, "shards_put: shard 1 has rows, but earlier shards have none");
    heed_shards_free(pass);
    heed_comm_free(self);
}
END_TEST

/* -- Different and lost processes ---------------------------------------------------------------------------------- */

typedef struct deviation {
    int64_t samples, shards, width;
    int k;
    bool gather, leaves;
    const char *message;
} deviation;

static uint64_t disagree(heed_comm *comm, void *argument)
{
    const deviation *o = argument;
    const bool deviates = heed_comm_rank(comm) == 1;
    heed_shards *pass =
        heed_shards_new(comm, deviates && o->samples ? o->samples : 12, deviates && o->shards ? o->shards : 6);
    const int64_t width = deviates && o->width ? o->width : 3;
    const int k = deviates && o->k ? o->k : 1;
    int64_t begin, end;
    while (heed_shards_next(pass, &begin, &end)) {
        heed_tensor *row = heed_ones(HEED_F32, HEED_SHAPE(end - begin, width));
        heed_tensor *sum = heed_sum_axes(row, HEED_AXES(0), false);
        heed_shards_add(pass, (heed_tensor *[]){sum, sum}, k);
        heed_shards_put(pass, &row, 1);
    }
    if (deviates && o->leaves) {
        heed_shards_free(pass);
        return true;
    }
    heed_tensor *out[2];
    heed_status status = deviates && o->gather ? heed_shards_gather(pass, out, 1) : heed_shards_sum(pass, out, k);
    bool as_expected =
        status == (o->leaves ? HEED_ERR_IO : HEED_ERR_STATE) && strcmp(heed_error_message(), o->message) == 0;
    if (deviates && o->gather) /* whose message begins with its function's name */
        as_expected = status == HEED_ERR_STATE;
    if (!as_expected)
        fprintf(stderr, "%s\n", heed_error_message());
    heed_error_clear();
    heed_shards_free(pass);
    return as_expected && !out[0];
}

START_TEST(a_process_that_differs_or_is_lost_is_named)
{
    deviation cases[] = {
        {.samples = 13, .message = "shards_sum: the number of samples differs: process 0 has 12, process 1 has 13"},
        {.shards = 7, .message = "shards_sum: the number of shards differs: process 0 has 6, process 1 has 7"},
        {.width = 4, .message = "shards_sum: shapes or dtypes differ between process 0 and process 1"},
        {.k = 2, .message = "shards_sum: the number of tensors differs: process 0 has 1, process 1 has 2"},
        {.gather = true, .message = "shards_sum: process 0 calls heed_shards_sum, process 1 heed_shards_gather"},
        {.leaves = true, .message = "shards_sum: process 1 of 3 has disconnected"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t results[TEAM_MAX];
        run_team(3, disagree, &cases[i], results);
        for (int rank = 0; rank < 3; rank++)
            ck_assert_msg(results[rank] == 1, "case %zu, process %d", i, rank);
    }
}
END_TEST

HEED_TEST_MAIN("shards", any_number_of_processes_has_the_same_bits, sums_and_rows_are_those_of_all_samples,
               refuses_calls_out_of_order, sums_that_begin_in_a_later_shard_are_refused,
               a_process_that_differs_or_is_lost_is_named)
