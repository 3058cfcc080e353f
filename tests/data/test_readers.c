/* tests/data/test_readers.c - tests of loaders that read ahead: the same batches for any number of readers, errors, the
 * position, forks, and the end of the threads.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "fail_alloc.h"

#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SAMPLES = 23, SIZE = 4, BATCHES = 6, EPOCHS = 3 };

/* -- A source ------------------------------------------------------------------------------------------------------ */

/* Its samples are their numbers and random numbers. Later samples take less time, so batches finish out of order. */
typedef struct slow_source {
    atomic_int reading, most, calls; /* concurrent calls now, and at most; all calls */
    atomic_int fail_at;              /* the number of a sample that cannot be read; -1: none */
    bool is_slow, is_silent;
} slow_source;

static heed_status take_slowly(void *user, heed_tensor *numbers, heed_tensor **batch)
{
    slow_source *s = user;
    heed_status status = HEED_OK;
    const int now = ++s->reading;
    int most = s->most;
    while (now > most && !atomic_compare_exchange_weak(&s->most, &most, now))
        ;
    s->calls++;
    if (s->is_slow)
        nanosleep(&(struct timespec){.tv_nsec = 100000 * (SAMPLES - heed_data_i64(numbers)[0])}, NULL);
    for (int64_t i = 0; i < heed_numel(numbers); i++)
        if (heed_data_i64(numbers)[i] == s->fail_at)
            status = s->is_silent ? HEED_ERR_IO : heed_fail(HEED_ERR_IO, "my_source", "sample %d is lost", s->fail_at);
    if (status == HEED_OK) {
        batch[0] = heed_clone(numbers);
        batch[1] = heed_rand(HEED_F64, HEED_SHAPE(heed_numel(numbers)));
        batch[2] = heed_full(HEED_F64, HEED_SHAPE(heed_numel(numbers)), 0);
        volatile double one = 1, three = 3;
        heed_fill_(batch[2], one / three);
    }
    s->reading--;
    return status;
}

static heed_dataset *dataset_of(slow_source *s)
{
    heed_dataset *d = heed_dataset_new_source(
        &(heed_dataset_source){.samples = SAMPLES, .tensors = 3, .take = take_slowly, .user = s});
    ck_assert_msg(d != NULL, "%s", heed_error_message());
    return d;
}

static heed_loader *loader_of(const heed_dataset *d, int readers, heed_loader_options o)
{
    heed_generator *g = heed_generator_new(5);
    o.batch_size = SIZE;
    o.readers = readers;
    if (readers > 0)
        call_threads_begin(); /* for the rest of the test */
    o.generator = g;
    heed_loader *loader = heed_loader_new(d, &o);
    ck_assert_msg(loader != NULL, "%s", heed_error_message());
    heed_generator_free(g);
    return loader;
}

/* A batch: the numbers of its samples, and its random numbers. */
typedef struct read_batch {
    int64_t count, numbers[SIZE];
    double random[SIZE];
} read_batch;

static read_batch next(heed_loader *loader)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *batch[3];
    read_batch read = {0};
    ck_assert_msg(heed_loader_next(loader, batch) == HEED_OK, "%s", heed_error_message());
    read.count = heed_numel(batch[0]);
    memcpy(read.numbers, heed_data_i64(batch[0]), (size_t)read.count * sizeof *read.numbers);
    memcpy(read.random, heed_data_f64(batch[1]), (size_t)read.count * sizeof *read.random);
    heed_scope_end(scope);
    return read;
}

static void check_same(const read_batch *a, const read_batch *b, bool random)
{
    ck_assert_int_eq(a->count, b->count);
    ck_assert_mem_eq(a->numbers, b->numbers, sizeof a->numbers);
    if (random)
        ck_assert_mem_eq(a->random, b->random, sizeof a->random);
}

/* -- Order --------------------------------------------------------------------------------------------------------- */

static void check_orders(heed_loader_options o)
{
    slow_source s = {.fail_at = -1, .is_slow = true};
    heed_dataset *d = dataset_of(&s);
    read_batch plain[EPOCHS * BATCHES], one[EPOCHS * BATCHES];
    static const int readers[] = {0, 1, 2, 5, 64};
    for (size_t k = 0; k < sizeof readers / sizeof readers[0]; k++) {
        heed_loader *loader = loader_of(d, readers[k], o);
        for (int64_t i = 0; i < EPOCHS * heed_loader_batches(loader); i++) {
            heed_loader_state at;
            heed_loader_get_state(loader, &at);
            ck_assert(at.epoch == i / heed_loader_batches(loader) && at.batch == i % heed_loader_batches(loader));
            const read_batch read = next(loader);
            plain[i] = k == 0 ? read : plain[i];
            one[i] = k <= 1 ? read : one[i];
            check_same(&read, &plain[i], false);
            check_same(&read, &one[i], true);
        }
        heed_loader_free(loader);
        ck_assert_int_eq(s.reading, 0);
    }
    heed_dataset_free(d);
}

START_TEST(same_batches_in_the_same_order)
{
    check_orders((heed_loader_options){.shuffle = false});
    check_orders((heed_loader_options){.shuffle = true});
    check_orders((heed_loader_options){.shuffle = true, .drop_last = true});
    check_orders((heed_loader_options){.weights = heed_arange(HEED_F32, 0, SAMPLES, 1), .samples = 14});
}
END_TEST

START_TEST(reads_ahead_and_at_once)
{
    slow_source s = {.fail_at = -1, .is_slow = true};
    heed_dataset *d = dataset_of(&s);
    heed_loader *loader = loader_of(d, 3, (heed_loader_options){0});
    ck_assert_int_eq(s.calls, 0); /* threads start with the first batch */
    (void)next(loader);
    for (int i = 0; i < 1000 && s.calls < 6; i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    ck_assert_int_eq(s.calls, 6); /* two batches per thread */
    ck_assert_int_le(s.most, 3);
    heed_loader_free(loader);
    heed_dataset_free(d);
}
END_TEST

/* Batches of tensors in memory survive the scope of the call, the loader and the dataset, and can be written. */
START_TEST(batches_are_owned)
{
    heed_tensor *x = heed_arange(HEED_F32, 0, SAMPLES, 1);
    heed_dataset *d = heed_dataset_new(HEED_TENSORS(x));
    heed_loader *loader = loader_of(d, 2, (heed_loader_options){0});
    heed_tensor *batch[1];
    ck_assert_int_eq(heed_loader_next(loader, batch), HEED_OK);
    heed_loader_free(loader);
    heed_dataset_free(d);
    heed_fill_(batch[0], 7);
    ck_assert(heed_item(heed_sum(batch[0])) == 28 && heed_item(heed_sum(x)) == 253);
}
END_TEST

/* -- Position ------------------------------------------------------------------------------------------------------ */

START_TEST(resumes_anywhere)
{
    slow_source s = {.fail_at = -1};
    heed_dataset *d = dataset_of(&s);
    const heed_loader_options o = {.shuffle = true};
    heed_loader *a = loader_of(d, 2, o), *b = loader_of(d, 3, o);
    heed_loader_state states[2 * BATCHES];
    read_batch read[2 * BATCHES];
    for (int i = 0; i < 2 * BATCHES; i++) {
        heed_loader_get_state(a, &states[i]);
        read[i] = next(a);
    }
    for (int i = 2 * BATCHES - 1; i >= 0; i--) {
        ck_assert_int_eq(heed_loader_set_state(b, &states[i]), HEED_OK);
        for (int k = i; k < 2 * BATCHES; k++) {
            const read_batch again = next(b);
            check_same(&again, &read[k], true);
        }
    }
    heed_loader_set_state(b, &states[0]);
    for (int k = 0; k < 2 * BATCHES; k += 2) { /* every second batch as numbers */
        heed_tensor *numbers = heed_loader_next_numbers(b);
        ck_assert_mem_eq(heed_data_i64(numbers), read[k].numbers, (size_t)read[k].count * 8);
        const read_batch again = next(b);
        check_same(&again, &read[k + 1], true);
    }
    heed_loader_state last = states[0];
    last.epoch = INT64_MAX;
    ck_assert_int_eq(heed_loader_set_state(b, &last), HEED_OK);
    for (int k = 0; k < BATCHES - 1; k++)
        (void)next(b);
    heed_tensor *batch[3];
    ck_assert_int_eq(heed_loader_next(b, batch), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "the maximum of 9223372036854775807 epochs is reached");
    heed_loader_free(a);
    heed_loader_free(b);
    heed_dataset_free(d);
}
END_TEST

/* -- Errors -------------------------------------------------------------------------------------------------------- */

static void check_failure(heed_loader *loader, const char *text)
{
    heed_tensor *batch[3];
    ck_assert_int_eq(heed_loader_next(loader, batch), HEED_ERR_IO);
    ck_assert_ptr_null(batch[0]);
    ck_assert_str_eq(heed_error_message(), text);
    heed_error_clear();
}

/* An error arrives with its batch, not earlier. The position stays, and a later call reads the batch again. */
START_TEST(errors_arrive_with_their_batch)
{
    slow_source s = {0};
    heed_dataset *d = dataset_of(&s);
    for (int readers = 0; readers <= 4; readers++) {
        heed_loader *loader = loader_of(d, readers, (heed_loader_options){0});
        s.fail_at = 9;
        (void)next(loader);
        (void)next(loader);
        for (int i = 0; i < 3; i++)
            check_failure(loader, "loader_next: my_source: sample 9 is lost");
        s.is_silent = true;
        (void)heed_loader_next(loader, (heed_tensor *[3]){NULL});
        heed_error_clear();
        check_failure(loader, "loader_next: dataset_take_epoch: the source failed without setting an error");
        s.is_silent = false;
        heed_loader_state at;
        heed_loader_get_state(loader, &at);
        ck_assert_int_eq(at.batch, 2);
        s.fail_at = -1;
        heed_tensor *batch[3];
        if (heed_loader_next(loader, batch) != HEED_OK) /* an error that a reader has found before */
            heed_error_clear();
        else
            ck_assert_int_eq(heed_loader_set_state(loader, &at), HEED_OK);
        for (int i = 2; i < BATCHES; i++)
            ck_assert_int_eq(next(loader).numbers[0], SIZE * i);
        heed_loader_free(loader);
    }
    heed_dataset_free(d);
}
END_TEST

/* Freed while batches are being read, and before the first batch. */
START_TEST(ends_at_any_time)
{
    slow_source s = {.fail_at = -1, .is_slow = true};
    heed_dataset *d = dataset_of(&s);
    for (int i = 0; i < 30; i++) {
        heed_loader *loader = loader_of(d, 1 + i % 4, (heed_loader_options){.shuffle = true});
        for (int k = 0; k < i % 5; k++)
            (void)next(loader);
        heed_loader_free(loader);
        ck_assert_int_eq(s.reading, 0);
    }
    heed_dataset_free(d);
}
END_TEST

START_TEST(refuses)
{
    slow_source s = {.fail_at = -1};
    heed_dataset *d = dataset_of(&s);
    ck_assert_ptr_null(heed_loader_new(d, &(heed_loader_options){.readers = -1}));
    ck_assert_error(HEED_ERR_ARGUMENT, "loader_new: readers is -1: must be 0 to 64");
    ck_assert_ptr_null(heed_loader_new(d, &(heed_loader_options){.readers = 65}));
    ck_assert_error(HEED_ERR_ARGUMENT, "loader_new: readers is 65: must be 0 to 64");
    heed_dataset_free(d);
}
END_TEST

/* -- The calling thread's mode, and forks -------------------------------------------------------------------------- */

START_TEST(rounds_like_the_calling_thread)
{
    slow_source s = {.fail_at = -1};
    heed_dataset *d = dataset_of(&s);
    double thirds[2];
    for (int up = 0; up < 2; up++) {
        heed_loader *loader = loader_of(d, 2, (heed_loader_options){0});
        heed_tensor *batch[3];
        (void)next(loader); /* the threads start with the default mode */
        fesetround(up ? FE_UPWARD : FE_DOWNWARD);
        for (int i = 0; i < BATCHES; i++) /* the last of these is requested in the new mode */
            ck_assert_int_eq(heed_loader_next(loader, batch), HEED_OK);
        fesetround(FE_TONEAREST);
        thirds[up] = heed_get(batch[2], HEED_INDEX(0));
        heed_loader_free(loader);
    }
    ck_assert(thirds[0] < thirds[1]);
    heed_dataset_free(d);
}
END_TEST

/* A child continues a loader of its parent, with its own threads, or frees it. */
START_TEST(forks)
{
    slow_source s = {.fail_at = -1, .is_slow = true};
    heed_dataset *d = dataset_of(&s);
    heed_loader *loader = loader_of(d, 3, (heed_loader_options){.shuffle = true}),
                *expected = loader_of(d, 0, (heed_loader_options){.shuffle = true});
    for (int i = 0; i < 4 * BATCHES; i++) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(10);
            bool same = true;
            for (int k = i; k < i + (i % 3) * BATCHES; k++) {
                const read_batch a = next(loader), b = next(expected);
                same = same && memcmp(a.numbers, b.numbers, sizeof a.numbers) == 0;
            }
            heed_loader_free(loader);
            _exit(same ? 0 : 1);
        }
        int status = 1;
        ck_assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
        const read_batch a = next(loader), b = next(expected);
        check_same(&a, &b, false);
    }
    heed_loader_free(expected);
    heed_loader_free(loader);
    heed_dataset_free(d);
}
END_TEST

/* -- Memory -------------------------------------------------------------------------------------------------------- */

/* The threads of readers do not start, because the test's allocator is not for several threads. */
static bool new_program(double *value)
{
    heed_tensor *t = heed_arange(HEED_F64, 0, 12, 1);
    heed_dataset *d = t ? heed_dataset_new(HEED_TENSORS(t)) : NULL;
    heed_loader *loader = d ? heed_loader_new(d, &(heed_loader_options){.shuffle = true, .readers = 2}) : NULL;
    *value = loader ? 1 : 0;
    const bool done = loader != NULL;
    heed_loader_free(loader);
    heed_dataset_free(d);
    return done;
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(new_program);
    fail_alloc_uninstall();
}
END_TEST

HEED_TEST_MAIN("readers", same_batches_in_the_same_order, reads_ahead_and_at_once, batches_are_owned, resumes_anywhere,
               errors_arrive_with_their_batch, ends_at_any_time, refuses, rounds_like_the_calling_thread, forks,
               out_of_memory)
