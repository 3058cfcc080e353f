/* tests/promises/test_soak.c - many training steps, with dropout and checkpoints: at the end the number of bytes in
 * use is the same as after step 1000, and the process has grown by 1 MiB at most.
 *
 *     test_soak [STEPS]     default 2000
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include "check_heed.h"

#include <unistd.h>

#include "training_run.h"

#define SETTLED 1000
#define BETWEEN_SAVES 500
#define GROWTH (1 << 20)

static int64_t steps = 2000;

/* Bytes of the process in memory. */
static int64_t resident(void)
{
    long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fscanf(file, "%*d %lld", &pages), 1);
    ck_assert_int_eq(fclose(file), 0);
    return pages * sysconf(_SC_PAGESIZE);
}

START_TEST(settles)
{
    char path[64];
    int64_t live = 0, objects = 0, calls = 0, before = 0;
    snprintf(path, sizeof path, "/tmp/heed-soak-%ld", (long)getpid());
    training t = training_new(HEED_F32, false);
    while (t.run.step < steps) {
        training_step(&t);
        if (t.run.step % BETWEEN_SAVES == 0)
            ck_assert_int_eq(heed_checkpoint_save(path, &t.run, NULL), HEED_OK);
        if (t.run.step % (2 * BETWEEN_SAVES) == 0)
            ck_assert_int_eq(heed_checkpoint_load(path, &t.run), HEED_OK);
        if (t.run.step == SETTLED) {
            heed_memory_stats stats = heed_memory_get_stats();
            live = stats.live_bytes, objects = stats.live_objects, calls = stats.system_calls;
            before = resident();
        }
    }
    heed_memory_stats stats = heed_memory_get_stats();
    int64_t growth = resident() - before;
    printf("%lld steps: %lld bytes in use after step %d and at the end %lld, %lld calls of the allocator between, the "
           "process grew by %lld bytes\n",
           (long long)steps, (long long)live, SETTLED, (long long)stats.live_bytes,
           (long long)(stats.system_calls - calls), (long long)growth);
    ck_assert_int_eq(stats.live_bytes, live);
    ck_assert_int_eq(stats.live_objects, objects);
#ifndef HEED_SANITIZED /* under which the cache is empty, and freed memory is kept */
    ck_assert_int_eq(stats.system_calls, calls);
    ck_assert_int_le(growth, GROWTH);
#endif
    training_free(&t);
    ck_assert_int_eq(unlink(path), 0);
}
END_TEST

int main(int argc, char **argv)
{
    steps = argc > 1 ? atoll(argv[1]) : steps;
    TCase *tcase = heed_test_case("soak");
    tcase_set_timeout(tcase, 24 * 3600);
    tcase_add_test(tcase, settles);
    return heed_run_case("soak", tcase);
}
