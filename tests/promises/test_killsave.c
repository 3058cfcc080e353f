/* tests/promises/test_killsave.c - training is killed at random moments by SIGKILL, again and again, and resumes
 * from its checkpoint: in the end the parameters have the bits of a run that was never stopped.
 *
 *     test_killsave [RUNS]      default 5; every run is killed about ten times
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include "check_heed.h"

#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "training_run.h"

#define STEPS 60

static int runs = 5;
static char folder[64], path[96];

static uint64_t uninterrupted(void)
{
    training t = training_new(HEED_F32, false);
    while (t.run.step < STEPS)
        training_step(&t);
    uint64_t hash = training_hash(&t);
    training_free(&t);
    return hash;
}

/* The work of a process: resumes from the file, and saves after every step. The child may not assert. */
static _Noreturn void train(int keep)
{
    training t;
    if (!training_begin(&t, HEED_F32, false))
        _exit(1);
    if (heed_checkpoint_exists(path) && heed_checkpoint_load(path, &t.run) != HEED_OK)
        _exit(2);
    while (t.run.step < STEPS) {
        training_step(&t);
        if (heed_checkpoint_save(path, &t.run, &(heed_checkpoint_options){.keep = keep}) != HEED_OK)
            _exit(3);
    }
    _exit(0);
}

static double seconds(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Waits for a random time, at most `most` seconds, and kills the child. Returns false if it has already finished. */
static bool kill_it(pid_t child, double most)
{
    int status;
    double wait = most * (double)rand() / (double)RAND_MAX;
    nanosleep(&(struct timespec){(time_t)wait, (long)(1e9 * (wait - floor(wait)))}, NULL);
    kill(child, SIGKILL);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFSIGNALED(status) || WEXITSTATUS(status) == 0, "the run failed with code %d", WEXITSTATUS(status));
    return WIFSIGNALED(status);
}

/* The duration of a whole run. */
static double time_of_a_run(void)
{
    double begin = seconds();
    int status;
    pid_t child = fork();
    if (child == 0)
        train(0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_int_eq(unlink(path), 0);
    return seconds() - begin;
}

/* The longest wait grows by a tenth after every kill, so that the run ends even if saving has become slower than when
 * time_of_a_run measured it. */
static int one_run(double most, int keep, uint64_t expected)
{
    int kills = 0;
    for (bool killed = true; killed; most *= 1.1) {
        pid_t child = fork();
        ck_assert_int_ge(child, 0);
        if (child == 0)
            train(keep);
        killed = kill_it(child, most);
        kills += killed;
        ck_assert_int_lt(kills, 200);
    }
    training t = training_new(HEED_F32, false);
    ck_assert_msg(heed_checkpoint_load(path, &t.run) == HEED_OK, "%s", heed_error_message());
    ck_assert_int_eq(t.run.step, STEPS);
    ck_assert(training_hash(&t) == expected);
    training_free(&t);
    return kills;
}

static void empty_folder(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}

START_TEST(killed_at_any_moment)
{
    int kills = 0;
    uint64_t expected = uninterrupted();
    for (int i = 0; i < runs; i++) {
        snprintf(folder, sizeof folder, "/tmp/heed-killsave-XXXXXX");
        ck_assert_ptr_nonnull(mkdtemp(folder));
        snprintf(path, sizeof path, "%s/run.heed", folder);
        kills += one_run(time_of_a_run() / 8, i % 2 ? 3 : 0, expected);
        empty_folder();
    }
    printf("%d runs, killed %d times, all with the same parameters\n", runs, kills);
    ck_assert_int_gt(kills, 0);
}
END_TEST

int main(int argc, char **argv)
{
    runs = argc > 1 ? atoi(argv[1]) : runs;
    TCase *tcase = heed_test_case("killsave");
    tcase_set_timeout(tcase, 3600);
    tcase_add_test(tcase, killed_at_any_moment);
    return heed_run_case("killsave", tcase);
}
