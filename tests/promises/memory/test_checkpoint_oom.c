/* tests/promises/memory/test_checkpoint_oom.c - checkpoints without memory: with allocation 1, 2, 3, ... failing, once
 * and from then on, saving leaves the old file, loading leaves the run, and the next try works.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "fail_alloc.h"

#include <unistd.h>

#include "training_run.h"

static char path[64];
static training run_saved, run_loaded;

static bool save(double *value)
{
    *value = 1.0;
    return heed_checkpoint_save(path, &run_saved.run, &(heed_checkpoint_options){.keep = 1}) == HEED_OK;
}

/* Changes the run, and returns its hash, outside the count of allocations. */
static uint64_t change(bool really)
{
    long count = fail_alloc.count, fail_at = fail_alloc.fail_at;
    fail_alloc.fail_at = 0;
    heed_scope *scope = heed_no_grad_begin();
    if (really)
        heed_fill_(heed_module_find(run_loaded.run.module, "0.weight"), 7);
    uint64_t hash = training_hash(&run_loaded);
    heed_scope_end(scope);
    fail_alloc.count = count;
    fail_alloc.fail_at = fail_at;
    return hash;
}

/* After a failure the run is unchanged, otherwise it is the saved one. */
static bool load(double *value)
{
    uint64_t before = change(true);
    run_loaded.run.step = 77;
    bool done = heed_checkpoint_load(path, &run_loaded.run) == HEED_OK;
    ck_assert_int_eq(run_loaded.run.step, done ? run_saved.run.step : 77);
    ck_assert((change(false) == before) == !done);
    *value = 1.0;
    return done;
}

static bool exists(double *value)
{
    *value = 1.0;
    return heed_checkpoint_exists(path);
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    snprintf(path, sizeof path, "/tmp/heed-checkpoint-oom-%ld", (long)getpid());
    run_saved = training_new(HEED_F32, false);
    training_step(&run_saved);
    run_loaded = training_new(HEED_F32, false);
    heed_thread_cleanup();
    fail_alloc_sweep(save);
    fail_alloc_sweep(exists);
    fail_alloc_sweep(load);
    ck_assert(training_hash(&run_loaded) == training_hash(&run_saved));
    training_free(&run_saved);
    training_free(&run_loaded);
    fail_alloc_uninstall();
    char command[128];
    snprintf(command, sizeof command, "rm %s-*", path);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

HEED_TEST_MAIN("checkpoint_oom", out_of_memory)
