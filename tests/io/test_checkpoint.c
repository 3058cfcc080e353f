/* tests/io/test_checkpoint.c - tests of checkpoints: a resumed run gives the same bits, and a refused file changes
 * nothing. Runs that keep their last n files are tested in test_checkpoint_keep.c.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checkpoint_folder.h"
#include "training_run.h"

static void save(training *t)
{
    ck_assert_msg(heed_checkpoint_save(path, &t->run, NULL) == HEED_OK, "%s", heed_error_message());
}

static void load(training *t)
{
    ck_assert_msg(heed_checkpoint_load(path, &t->run) == HEED_OK, "%s", heed_error_message());
}

/* -- Resuming ----------------------------------------------------------------------------------------------------- */

/* Compares a run of 12 steps with runs saved after any step and resumed as in a new process. */
static void check_resumed(heed_dtype dtype, bool sgd)
{
    training uninterrupted = training_new(dtype, sgd);
    for (int i = 0; i < 12; i++)
        training_step(&uninterrupted);
    uint64_t expected = training_hash(&uninterrupted);
    training_free(&uninterrupted);
    for (int stop = 0; stop <= 12; stop++) {
        training first = training_new(dtype, sgd);
        for (int i = 0; i < stop; i++)
            training_step(&first);
        save(&first);
        training_free(&first);
        training second = training_new(dtype, sgd);
        if (stop % 2) /* earlier steps of the second run do not matter */
            training_step(&second);
        heed_manual_seed(99);
        load(&second);
        ck_assert_int_eq(second.run.step, stop);
        while (second.run.step < 12)
            training_step(&second);
        ck_assert_msg(training_hash(&second) == expected, "stopped after step %d", stop);
        training_free(&second);
    }
}

START_TEST(resumes_with_the_same_bits)
{
    check_resumed(HEED_F32, false);
    check_resumed(HEED_F64, false);
    check_resumed(HEED_F32, true);
}
END_TEST

/* Saving does not change the run. */
START_TEST(saving_does_not_change_the_run)
{
    training a = training_new(HEED_F32, false), b;
    for (int i = 0; i < 9; i++)
        training_step(&a);
    uint64_t expected = training_hash(&a);
    training_free(&a);
    b = training_new(HEED_F32, false);
    for (int i = 0; i < 9; i++) {
        save(&b);
        training_step(&b);
    }
    ck_assert(training_hash(&b) == expected);
    training_free(&b);
}
END_TEST

START_TEST(empty_run)
{
    heed_checkpoint run = {.epoch = 3, .step = INT64_MAX}, other = {.epoch = 0};
    heed_manual_seed(42);
    ck_assert_int_eq(heed_checkpoint_save(path, &run, NULL), HEED_OK);
    double drawn = heed_item(heed_rand(HEED_F64, HEED_SCALAR));
    ck_assert_int_eq(heed_checkpoint_load(path, &other), HEED_OK);
    ck_assert_double_eq(heed_item(heed_rand(HEED_F64, HEED_SCALAR)), drawn);
    ck_assert_int_eq(other.epoch, 3);
    ck_assert_int_eq(other.step, INT64_MAX);
}
END_TEST

START_TEST(own_generator)
{
    heed_checkpoint run = {.generator = heed_generator_new(UINT64_MAX)}, none = {.generator = NULL};
    heed_generator_set_state(run.generator, UINT64_MAX - 1, UINT64_MAX - 5);
    ck_assert_int_eq(heed_checkpoint_save(path, &run, NULL), HEED_OK);
    heed_generator_set_state(run.generator, 0, 0);
    ck_assert_int_eq(heed_checkpoint_load(path, &run), HEED_OK);
    uint64_t seed, position;
    heed_generator_get_state(run.generator, &seed, &position);
    ck_assert(seed == UINT64_MAX - 1 && position == UINT64_MAX - 5);
    ck_assert_int_eq(heed_checkpoint_load(path, &none), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "1 unexpected: run.generator");
    heed_generator_free(run.generator);
}
END_TEST

static int64_t file_size(void)
{
    struct stat status;
    ck_assert_int_eq(stat(path, &status), 0);
    return status.st_size;
}

/* The checksum covers the whole file, which is read 65536 bytes at a time; here the last read gets 0, 1 and 2 bytes. */
START_TEST(any_size)
{
    heed_checkpoint run = {.extra = heed_dict_new()};
    for (int64_t n = 165536, last = 2; last >= 0; last--) {
        ck_assert_int_eq(heed_dict_set(run.extra, "bytes", heed_ones(HEED_BOOL, HEED_SHAPE(n))), HEED_OK);
        ck_assert_int_eq(heed_checkpoint_save(path, &run, NULL), HEED_OK);
        n -= (file_size() - last) % 65536;
        ck_assert_int_eq(heed_dict_set(run.extra, "bytes", heed_ones(HEED_BOOL, HEED_SHAPE(n))), HEED_OK);
        ck_assert_int_eq(heed_checkpoint_save(path, &run, NULL), HEED_OK);
        ck_assert_int_eq(file_size() % 65536, last);
        ck_assert_msg(heed_checkpoint_load(path, &run) == HEED_OK, "%s", heed_error_message());
    }
    heed_dict_free(run.extra);
}
END_TEST

/* Other programs can read the file, and heed can load only the module from it. */
START_TEST(is_a_safetensors_file)
{
    training t = training_new(HEED_F32, false);
    training_step(&t);
    save(&t);
    heed_dict *file = heed_io_safetensors_read(path, NULL);
    ck_assert_msg(file != NULL, "%s", heed_error_message());
    ck_assert_str_eq(heed_dict_text(file, "heed.checkpoint"), "1");
    ck_assert_int_eq(heed_item_i64(heed_dict_get(file, "run.step")), 1);
    ck_assert_str_eq(heed_dict_text(file, "optimizer.kind"), "adam");
    uint64_t expected = training_hash(&t);
    training_free(&t);
    t = training_new(HEED_F32, false);
    heed_dict_load_options o = {.prefix = "module."};
    ck_assert_int_eq(heed_module_load_state(t.run.module, file, &o), HEED_OK);
    heed_copy_(t.loss, heed_dict_get(file, "extra.loss"));
    ck_assert(training_hash(&t) == expected);
    heed_dict_free(file);
    training_free(&t);
}
END_TEST

/* -- Files that do not fit ---------------------------------------------------------------------------------------- */

/* Loading fails and leaves the run unchanged: its next steps are the same as without it. */
static void check_refused(training *t, heed_status code, const char *text)
{
    uint64_t seed, position, seed_after, position_after, hash = training_hash(t);
    heed_loader_state loader, loader_after;
    heed_progress_state progress, progress_after;
    int64_t step = t->run.step;
    heed_generator_get_state(heed_generator_default(), &seed, &position);
    heed_loader_get_state(t->loader, &loader);
    heed_progress_get_state(t->progress, &progress);
    ck_assert_int_eq(heed_checkpoint_load(path, &t->run), code);
    ck_assert_error(code, text);
    heed_generator_get_state(heed_generator_default(), &seed_after, &position_after);
    heed_loader_get_state(t->loader, &loader_after);
    heed_progress_get_state(t->progress, &progress_after);
    ck_assert(training_hash(t) == hash && t->run.step == step);
    ck_assert(seed == seed_after && position == position_after);
    ck_assert_mem_eq(&loader, &loader_after, sizeof loader);
    ck_assert_mem_eq(&progress, &progress_after, sizeof progress);
}

START_TEST(refuses_a_different_run)
{
    training saved = training_new(HEED_F32, false), t = training_new(HEED_F64, false);
    for (int i = 0; i < 3; i++)
        training_step(&saved);
    save(&saved);
    check_refused(&t, HEED_ERR_ARGUMENT, "module.0.weight is f32 (6, 3): must be f64 (6, 3)");
    training_free(&t);
    t = training_new(HEED_F32, true);
    training_step(&t);
    check_refused(&t, HEED_ERR_ARGUMENT, "kind is adam: must be sgd");
    training_free(&t);
    t = training_new(HEED_F32, false);
    training_step(&t);
    heed_dict_set(t.run.extra, "more", heed_zeros(HEED_F32, HEED_SHAPE(1)));
    check_refused(&t, HEED_ERR_ARGUMENT, "checkpoint_load: dict_load: 1 missing: extra.more");
    training_free(&t);
    t = training_new(HEED_F32, false);
    heed_schedule_free(t.schedule);
    t.schedule = NULL;
    check_refused(&t, HEED_ERR_ARGUMENT, "1 unexpected: schedule");
    training_free(&t);
    training_free(&saved);
}
END_TEST

START_TEST(refuses_missing_and_extra_components)
{
    training t = training_new(HEED_F32, false);
    training_step(&t);
    save(&t);
    heed_checkpoint partial = t.run;
    partial.optimizer = NULL;
    ck_assert_int_eq(heed_checkpoint_load(path, &partial), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT,
                    "unexpected: optimizer.lr optimizer.initial_lr optimizer.schedule optimizer.0.step");
    partial = t.run;
    partial.module = NULL;
    ck_assert_int_eq(heed_checkpoint_load(path, &partial), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "checkpoint_load: dict_load: 4 unexpected: module.0.weight");
    partial = t.run;
    partial.loader = NULL;
    ck_assert_int_eq(heed_checkpoint_save(path, &partial, NULL), HEED_OK);
    check_refused(&t, HEED_ERR_ARGUMENT, "checkpoint_load: dict_load: 1 missing: run.loader");
    partial = t.run;
    partial.optimizer = NULL;
    ck_assert_int_eq(heed_checkpoint_save(path, &partial, NULL), HEED_OK);
    check_refused(&t, HEED_ERR_ARGUMENT, "kind is missing: must be adam");
    training_free(&t);
}
END_TEST

START_TEST(refuses_files)
{
    training t = training_new(HEED_F32, false);
    check_refused(&t, HEED_ERR_IO, "checkpoint_load: cannot open");
    ck_assert(!heed_checkpoint_exists(path));
    heed_dict *module = heed_module_state(t.run.module);
    ck_assert_int_eq(heed_io_safetensors_write(path, module), HEED_OK);
    check_refused(&t, HEED_ERR_FORMAT, "is not a checkpoint, or is damaged");
    ck_assert(heed_checkpoint_exists(path));
    heed_dict_free(module);
#ifndef _WIN32
    ck_assert(unlink(path) == 0 && symlink(path, path) == 0);
    check_refused(&t, HEED_ERR_IO, "checkpoint_load: cannot open");
    ck_assert(unlink(path) == 0 && mkfifo(path, 0666) == 0);
    check_refused(&t, HEED_ERR_IO, "is a pipe or a device, not a regular file"); /* and loading does not block */
    ck_assert_int_eq(heed_checkpoint_save(path, &t.run, NULL), HEED_ERR_IO);
    ck_assert_error(HEED_ERR_IO, "checkpoint_save");
#endif
    training_free(&t);
    ck_assert_int_eq(heed_checkpoint_load("/tmp", &(heed_checkpoint){.step = 0}), HEED_ERR_IO);
    ck_assert_error(HEED_ERR_IO, "checkpoint_load: /tmp is a directory, not a regular file");
    ck_assert_int_eq(heed_checkpoint_save("/nowhere/run", &(heed_checkpoint){.step = 0}, NULL), HEED_ERR_IO);
    ck_assert_error(HEED_ERR_IO, "checkpoint_save");
}
END_TEST

START_TEST(refuses_arguments)
{
    heed_checkpoint run = {.step = 0};
    ck_assert_int_eq(heed_checkpoint_save(NULL, &run, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "checkpoint_save: the path is NULL");
    ck_assert_int_eq(heed_checkpoint_save(path, NULL, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "checkpoint_save: the checkpoint is NULL");
    ck_assert_int_eq(heed_checkpoint_save(path, &run, &(heed_checkpoint_options){.keep = -1}), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "keep is -1");
    run.step = -1;
    ck_assert_int_eq(heed_checkpoint_save(path, &run, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "step -1");
    ck_assert_int_eq(heed_checkpoint_load(NULL, &run), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "checkpoint_load: the path is NULL");
    ck_assert_int_eq(heed_checkpoint_load(path, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "checkpoint_load: the checkpoint is NULL");
    ck_assert(!heed_checkpoint_exists(NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "checkpoint_exists");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {resumes_with_the_same_bits,
                                  saving_does_not_change_the_run,
                                  empty_run,
                                  own_generator,
                                  is_a_safetensors_file,
                                  refuses_a_different_run,
                                  refuses_missing_and_extra_components,
                                  refuses_files,
                                  refuses_arguments,
                                  any_size};
    TCase *tcase = heed_test_case("checkpoint");
    tcase_add_checked_fixture(tcase, setup, teardown);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(tcase, tests[i]);
    return heed_run_case("checkpoint", tcase);
}
