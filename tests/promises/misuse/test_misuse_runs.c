/* tests/promises/misuse/test_misuse_runs.c - heed/data.h, heed/checkpoint.h and the functions that save and load
 * states, misused.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "misuse.h"

/* -- Datasets and loaders ----------------------------------------------------------------------------------------- */

/* A result without an error, or NULL with an error. */
static void check_result(const void *result)
{
    ck_assert((result == NULL) == (heed_error_code() != HEED_OK));
    heed_error_clear();
}

static void use_dataset(const heed_dataset *d, const zoo *z)
{
    heed_tensor *batch[HEED_DATASET_MAX];
    heed_dataset *first = NULL, *second = NULL;
    for (int i = 0; i < ZOO_SIZE; i++) {
        heed_status status = heed_dataset_take(d, z->animals[i], batch);
        ck_assert_int_eq(status, heed_error_code());
        heed_error_clear();
        heed_dataset *part = heed_dataset_subset(d, z->animals[i]);
        check_result(part);
        heed_dataset_free(part);
    }
    for (int i = 0; i < COUNT_OF(hostile_doubles); i++) {
        heed_status status = heed_dataset_split(d, hostile_doubles[i], NULL, &first, &second);
        ck_assert_int_eq(status, heed_error_code());
        ck_assert((status == HEED_OK) == (first && second));
        heed_error_clear();
        heed_dataset_free(first);
        heed_dataset_free(second);
    }
}

START_TEST(datasets)
{
    zoo z;
    zoo_open(&z);
    for (int round = 0; round < 400; round++) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *list[HEED_DATASET_MAX];
        bool same = misuse_random() % 2;
        heed_tensor *one = ANY_OF(z.animals);
        for (int i = 0; i < HEED_DATASET_MAX; i++)
            list[i] = same ? one : ANY_OF(z.animals);
        heed_dataset *d = heed_dataset_new(list, same ? 1 + (int)(misuse_random() % 3) : ANY_OF(hostile_ints) % 17);
        check_result(d);
        if (d)
            use_dataset(d, &z);
        heed_dataset_free(d);
        heed_scope_end(scope);
    }
    for (int i = 0; i < COUNT_OF(hostile_ints); i++)
        ck_assert_null_fails("dataset_new", HEED_ERR_ARGUMENT, "NULL", heed_dataset_new(NULL, hostile_ints[i]));
    heed_tensor *batch[1];
    heed_dataset *first, *second;
    ck_assert_status_fails("dataset_take", HEED_ERR_ARGUMENT, "NULL", heed_dataset_take(NULL, z.animals[1], batch));
    ck_assert_status_fails("dataset_split", HEED_ERR_ARGUMENT, "NULL",
                           heed_dataset_split(NULL, 0.5, NULL, &first, &second));
}
END_TEST

START_TEST(loaders)
{
    heed_dataset *d = heed_dataset_new(HEED_TENSORS(heed_arange(HEED_F32, 0, 7, 1)));
    heed_tensor *batch[1];
    for (int round = 0; round < 4000; round++) {
        heed_scope *scope = heed_scope_begin();
        heed_loader_options o = {
            .batch_size = ANY_OF(hostile_counts), .shuffle = misuse_random() % 2, .drop_last = misuse_random() % 2};
        heed_loader *loader = heed_loader_new(d, &o);
        if (!loader)
            misuse_failed("loader_new");
        heed_loader_state state = {.seed = misuse_random() % 2 ? 0 : misuse_random(),
                                   .epoch = ANY_OF(hostile_counts),
                                   .batch = ANY_OF(hostile_counts),
                                   .samples = misuse_random() % 8 ? 7 : ANY_OF(hostile_counts),
                                   .batch_size = misuse_random() % 8 ? o.batch_size : ANY_OF(hostile_counts)};
        if (loader) {
            misuse_status("loader_set_state", heed_loader_set_state(loader, &state));
            for (int i = 0; i < 3; i++)
                misuse_status("loader_next", heed_loader_next(loader, batch));
            ck_assert(heed_loader_get_state(loader, &state) == HEED_OK && state.batch < heed_loader_batches(loader));
        }
        heed_loader_free(loader);
        heed_scope_end(scope);
    }
    heed_dataset_free(d);
}
END_TEST

/* -- Dicts, modules and optimizers -------------------------------------------------------------------------------- */

/* A dict of some animals under the names that an optimizer or a layer expects. */
static heed_dict *wild_dict(const zoo *z)
{
    static const char *const names[] = {"weight",    "bias",         "lr",     "initial_lr", "0.step",
                                        "0.exp_avg", "0.exp_avg_sq", "1.step", "schedule"};
    static const char *const kinds[] = {"adam", "sgd", "", "adam "};
    heed_dict *dict = heed_dict_new();
    for (int i = 0; i < COUNT_OF(names); i++)
        if (misuse_random() % 4)
            ck_assert_int_eq(heed_dict_set(dict, names[i], z->animals[1 + misuse_random() % (ZOO_SIZE - 1)]), HEED_OK);
    ck_assert_int_eq(heed_dict_set_text(dict, "kind", ANY_OF(kinds)), HEED_OK);
    return dict;
}

START_TEST(states)
{
    zoo z;
    zoo_open(&z);
    heed_nn_linear *net = heed_nn_linear_new(1, 1, NULL);
    heed_optimizer *adam = heed_optim_adam(&net->base, NULL);
    static const char *const prefixes[] = {NULL, "", "0.", "w", "kind", "\xff"};
    for (int round = 0; round < 3000; round++) {
        heed_dict *dict = wild_dict(&z), *other = wild_dict(&z), *skipped = heed_dict_new();
        heed_dict_load_options o = {.allow_missing = misuse_random() % 2,
                                    .allow_unexpected = misuse_random() % 2,
                                    .allow_unlike = misuse_random() % 2,
                                    .check_only = misuse_random() % 2,
                                    .prefix = ANY_OF(prefixes),
                                    .skipped = misuse_random() % 2 ? NULL : skipped};
        misuse_status("dict_load", heed_dict_load(other, dict, &o));
        misuse_status("module_load_state", heed_module_load_state(&net->base, dict, &o));
        misuse_status("optimizer_load_state", heed_optimizer_load_state(adam, dict, &o));
        heed_dict_free(dict);
        heed_dict_free(other);
        heed_dict_free(skipped);
    }
    heed_optimizer_free(adam);
    heed_module_free(&net->base);
}
END_TEST

/* -- Checkpoints and progress -------------------------------------------------------------------------------------- */

START_TEST(checkpoints)
{
    static const char *const paths[] = {
        "", "/", ".", "..", "/dev/null", "/dev/full", "/nowhere/at/all", "/etc/passwd/x"};
    heed_checkpoint run = {.step = 0};
    for (int i = 0; i < COUNT_OF(paths); i++)
        for (int keep = 0; keep < 2; keep++) {
            heed_checkpoint_options o = {.keep = keep};
            bool nowhere = strstr(paths[i], "at/all") || strstr(paths[i], "passwd");
            if (keep == 1 && !nowhere) /* would make files there */
                continue;
            ck_assert_fails("checkpoint_save", HEED_ERR_IO, "", heed_checkpoint_save(paths[i], &run, &o) != HEED_OK);
            ck_assert_fails("checkpoint_load", heed_error_code(), "", heed_checkpoint_load(paths[i], &run) != HEED_OK);
            (void)heed_checkpoint_exists(paths[i]);
            ck_assert_int_eq(heed_error_code(), HEED_OK);
        }
    for (int i = 0; i < COUNT_OF(hostile_counts); i++) {
        run = (heed_checkpoint){.epoch = ANY_OF(hostile_counts), .step = hostile_counts[i]};
        if (run.epoch >= 0 && run.step >= 0)
            continue;
        ck_assert_status_fails("checkpoint_save", HEED_ERR_ARGUMENT, "must be 0 or more",
                               heed_checkpoint_save("/tmp/x", &run, NULL));
    }
    run = (heed_checkpoint){.step = 0};
    for (int i = 0; i < COUNT_OF(hostile_ints); i++)
        if (hostile_ints[i] < 0)
            ck_assert_status_fails(
                "checkpoint_save", HEED_ERR_ARGUMENT, "keep is",
                heed_checkpoint_save("/tmp/x", &run, &(heed_checkpoint_options){.keep = hostile_ints[i]}));
    ck_assert_status_fails("checkpoint_save", HEED_ERR_ARGUMENT, "NULL", heed_checkpoint_save(NULL, NULL, NULL));
    ck_assert_status_fails("checkpoint_load", HEED_ERR_ARGUMENT, "NULL", heed_checkpoint_load(NULL, NULL));
}
END_TEST

START_TEST(progress_states)
{
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    for (int round = 0; round < 5000; round++) {
        heed_progress_options o = {.epochs = 1 + (int64_t)(misuse_random() % 3), .steps = ANY_OF(hostile_counts)};
        heed_progress *p = heed_progress_new(file, &o);
        if (!p)
            misuse_failed("progress_new");
        heed_progress_state state = {ANY_OF(hostile_counts), ANY_OF(hostile_counts), ANY_OF(hostile_doubles)};
        for (int i = 0; p && i < 3; i++) {
            misuse_status("progress_set_state", heed_progress_set_state(p, &state));
            misuse_status("progress_step", heed_progress_step(p, ANY_OF(hostile_doubles), 1));
        }
        heed_progress_free(p);
    }
    ck_assert_int_eq(fclose(file), 0);
}
END_TEST

MISUSE_MAIN("misuse of runs", datasets, loaders, states, checkpoints, progress_states)
