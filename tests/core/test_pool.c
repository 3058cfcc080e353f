/* tests/core/test_pool.c - tests of the thread pool: a job runs exactly once and completely with any number of workers,
 * and the host program's signals, cancellations and forks are not disturbed.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "pool_job.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include <sys/wait.h>
#include <unistd.h>

START_TEST(each_piece_is_done_once)
{
    static const int counts[] = {2, 3, 16, MAX_THREADS, 5};
    for (int round = 0; round < 200; round++)
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
            ck_assert_int_ge(run_chunks(counts[i], 0), 1);
    ck_assert(all_take_part(4, 4));
}
END_TEST

static void *share_often(void *unused)
{
    (void)unused;
    for (int i = 0; i < 300; i++) {
        if (run_chunks(2 + i % 5, 0) == 0)
            return "wrong";
        pthread_testcancel();
    }
    return NULL;
}

static bool ended_right(pthread_t owner)
{
    void *wrong;
    return pthread_join(owner, &wrong) == 0 && !wrong;
}

START_TEST(many_owners_at_once)
{
    pthread_t owners[6];
    for (int i = 0; i < 6; i++)
        ck_assert_int_eq(pthread_create(&owners[i], NULL, share_often, NULL), 0);
    for (int i = 0; i < 6; i++)
        ck_assert(ended_right(owners[i]));
}
END_TEST

typedef struct nested_job {
    atomic_bool begun;
    atomic_int helped; /* threads that took part in the inner job; 0 if one of its pieces did not run exactly once */
} nested_job;

static void share_inside(int slot, void *job)
{
    (void)slot;
    nested_job *nested = job;
    if (!atomic_exchange(&nested->begun, true))
        atomic_store(&nested->helped, run_chunks(3, 0));
}

START_TEST(a_job_within_a_job)
{
    for (int i = 0; i < 100; i++) {
        nested_job job = {.begun = false};
        heed__share(3, share_inside, &job);
        ck_assert_int_ge(atomic_load(&job.helped), 1);
    }
}
END_TEST

static void look_at_mask(int slot, void *right)
{
    sigset_t blocked;
    for (int i = 0; slot == 0 && i < 1000 && !atomic_load((atomic_bool *)right); i++)
        sleep_for(1000);
    if (slot > 0 && pthread_sigmask(SIG_BLOCK, NULL, &blocked) == 0)
        atomic_store((atomic_bool *)right, sigismember(&blocked, SIGTERM) == 1 && sigismember(&blocked, SIGUSR1) == 1 &&
                                               sigismember(&blocked, SIGFPE) == 0 &&
                                               sigismember(&blocked, SIGSEGV) == 0);
}

/* Workers do not block the signals of their own faults. */
START_TEST(workers_block_the_signals_of_others)
{
    atomic_bool right = false;
    heed__share(2, look_at_mask, &right);
    ck_assert(right);
}
END_TEST

/* The host blocks a signal that would end the process: no worker takes it. */
START_TEST(signals_stay_the_hosts)
{
    sigset_t one, before, pending;
    run_chunks(4, 0);
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &one, &before);
    ck_assert_int_eq(kill(getpid(), SIGUSR1), 0);
    ck_assert(all_take_part(4, 4));
    ck_assert_int_eq(sigpending(&pending), 0);
    ck_assert_int_eq(sigismember(&pending, SIGUSR1), 1);
    int taken;
    ck_assert_int_eq(sigwait(&one, &taken), 0);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
END_TEST

/* The workers take longer than the owner, which sleeps until they finish, since it has measured the wait. */
static void outlast_owner(int slot, void *begun)
{
    atomic_int *b = begun;
    atomic_fetch_add(b, 1);
    while (slot == 0 && atomic_load(b) == 1)
        sched_yield();
    for (int i = 0; slot > 0 && i < 200; i++)
        atomic_fetch_add(b, nanosleep(&(struct timespec){.tv_nsec = 10000}, NULL) == 0);
}

static void *share_until_cancelled(void *unused)
{
    (void)unused;
    for (;;) {
        atomic_int begun = 0;
        heed__share(2, outlast_owner, &begun);
        pthread_testcancel();
    }
    return NULL;
}

/* The owner spends most of its time waiting for workers, which use data in its stack frame. */
START_TEST(an_owner_that_is_cancelled)
{
    for (int i = 0; i < 50; i++) {
        pthread_t owner;
        void *result;
        ck_assert_int_eq(pthread_create(&owner, NULL, share_until_cancelled, NULL), 0);
        sleep_for(500 + 37 * i);
        pthread_cancel(owner);
        pthread_join(owner, &result);
        ck_assert(result == PTHREAD_CANCELED);
        run_chunks(4, 0);
    }
}
END_TEST

static void *share_for_ever(void *unused)
{
    while (!share_often(unused))
        ;
    abort();
}

static bool ended_well(pid_t child)
{
    int status;
    return waitpid(child, &status, 0) == child && status == 0;
}

/* The child starts its own workers. */
START_TEST(a_child_while_others_work)
{
    pthread_t owner;
    ck_assert_int_eq(pthread_create(&owner, NULL, share_for_ever, NULL), 0);
    for (int i = 0; i < 50; i++) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(20);
            _exit(all_take_part(3, 3) ? 0 : 1);
        }
        ck_assert(ended_well(child));
    }
    pthread_cancel(owner);
    pthread_join(owner, NULL);
}
END_TEST

/* Runs this program again with an argument. */
START_TEST(a_process_that_ends_while_they_work)
{
    for (int i = 0; i < 20; i++) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(20);
            execl("/proc/self/exe", "test_pool", "--end", (char *)NULL);
            _exit(1);
        }
        ck_assert(ended_well(child));
    }
}
END_TEST

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--end") == 0) {
        pthread_t owner;
        const bool started = pthread_create(&owner, NULL, share_for_ever, NULL) == 0;
        sleep_for(5000);
        return started ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    const TTest *const tests[] = {each_piece_is_done_once,   many_owners_at_once,
                                  a_job_within_a_job,        workers_block_the_signals_of_others,
                                  signals_stay_the_hosts,    an_owner_that_is_cancelled,
                                  a_child_while_others_work, a_process_that_ends_while_they_work};
    return heed_run_tests("pool", tests, sizeof tests / sizeof tests[0]);
}
