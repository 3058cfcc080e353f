/* tests/team/planted.c - a team over sockets whose process 1 makes a planted mistake: "planted race", "planted
 * leak", "planted stale". Under the sanitizers a test requires that every mistake is reported, and that the team
 * ends in error; without this, silence about teams would prove nothing.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "sockets.h"

#include <pthread.h>
#include <stdatomic.h>

static atomic_bool begun, done; /* relaxed, so that they do not synchronize */

static void *write_to(void *number)
{
    volatile double *to = number;
    while (!atomic_load_explicit(&done, memory_order_relaxed)) {
        *to = 1.0;
        atomic_store_explicit(&begun, true, memory_order_relaxed);
    }
    return NULL;
}

/* The sanitizer does not see every race, and a thread may start late: both threads write for a while. */
static void race(void)
{
    pthread_t writer;
    volatile double *number = calloc(1, sizeof *number);
    ck_assert_int_eq(pthread_create(&writer, NULL, write_to, (void *)(uintptr_t)number), 0);
    while (!atomic_load_explicit(&begun, memory_order_relaxed))
        *number = 2.0;
    for (int i = 0; i < 1000000; i++)
        *number = 2.0;
    atomic_store_explicit(&done, true, memory_order_relaxed);
    pthread_join(writer, NULL);
    free((void *)(uintptr_t)number);
}

static uint64_t plant(heed_comm *comm, void *fault)
{
    heed_manual_seed(1);
    heed_nn_linear *net = heed_nn_linear_new(3, 4, NULL);
    heed_optimizer *sgd = heed_optim_sgd(&net->base, &(heed_optim_sgd_options){.lr = 0.1});
    heed_data_parallel *team = heed_data_parallel_new(comm, sgd, &(heed_data_parallel_options){.shards = 4});
    heed_data_parallel_free(team);
    heed_optimizer_free(sgd);
    heed_module_free(&net->base);
    if (heed_comm_rank(comm) != 1)
        return 0;
    if (strcmp(fault, "race") == 0)
        race();
    volatile char *bytes = calloc(1000, 1);
    if (strcmp(fault, "leak") != 0)
        free((void *)(uintptr_t)bytes);
    uint64_t read = strcmp(fault, "stale") == 0 ? (uint64_t)bytes[10] : 0;
    bytes = NULL;
    return read;
}

static char kind[8];

START_TEST(a_process_does_what_it_must_not)
{
    uint64_t results[TEAM_MAX];
    run_team(2, plant, kind, results);
}
END_TEST

int main(int argc, char **argv)
{
    const TTest *const tests[] = {a_process_does_what_it_must_not};
    snprintf(kind, sizeof kind, "%s", argc > 1 ? argv[1] : "");
    return heed_run_tests("planted", tests, 1);
}
