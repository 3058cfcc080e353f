/* tests/promises/misuse/test_misuse_every_checkpoint.c - every function of heed/checkpoint.h with hostile arguments
 * of every kind.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <glob.h>

#include "misuse_draw.h"

#define GIVEN(options) (one_in(8) ? NULL : &(options))

static char own[64];

/* A file of this test, or a path that cannot be written. */
static const char *any_path(void)
{
    static const char *const paths[] = {NULL, "", "/", ".", "/dev/full", "/nowhere/at/all", "/etc/passwd/x", "\xff/"};
    return one_in(2) ? ANY_OF(paths) : own;
}

/* Removes possible files of a save, with the numbers that `keep` adds to names. */
static void remove_files(void)
{
    char pattern[80];
    glob_t found;
    (void)snprintf(pattern, sizeof pattern, "%s*", own);
    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            ck_assert_int_eq(unlink(found.gl_pathv[i]), 0);
        globfree(&found);
    }
}

static void checkpoints(void)
{
    (void)snprintf(own, sizeof own, "/tmp/heed-misuse-checkpoint-%ld_", (long)getpid());
    heed_module *m = heed_module_new("mine", sizeof *m);
    POINTER(heed_module_parameter(m, "w", heed_ones(HEED_F32, HEED_SHAPE(2))));
    heed_optimizer *adam = heed_optim_adam(m, NULL);
    heed_generator *generator = heed_generator_new(any_u64());
    heed_dataset *data = heed_dataset_new(HEED_TENSORS(heed_rand(HEED_F32, HEED_SHAPE(5, 2))));
    heed_loader *loader = heed_loader_new(data, &(heed_loader_options){.batch_size = 2, .shuffle = any_flag()});
    heed_dict *extra = heed_dict_new();
    (void)heed_dict_set(extra, any_text(), one_in(2) ? any_tensor() : heed_ones(HEED_F64, HEED_SHAPE(3)));
    heed_error_clear();
    for (int i = 0; i < 2; i++) { /* the second iteration saves and loads different parts */
        heed_checkpoint run = {one_in(3) ? NULL : m,
                               one_in(3) ? NULL : adam,
                               one_in(3) ? NULL : generator,
                               one_in(3) ? NULL : loader,
                               NULL,
                               one_in(3) ? NULL : extra,
                               one_in(2) ? 1 : any_count(),
                               one_in(2) ? 1 : any_count(),
                               {0}};
        const char *destination = any_path();
        heed_checkpoint_options o = {.keep = one_in(2) ? 0 : any_int()};
        STATUS(heed_checkpoint_save(destination, one_in(8) ? NULL : &run, GIVEN(o)));
        VALUE(heed_checkpoint_exists(any_path()));
        run.loader = one_in(8) ? NULL : run.loader;
        STATUS(heed_checkpoint_load(any_path(), one_in(8) ? NULL : &run));
    }
    remove_files();
    heed_dict_free(extra);
    heed_loader_free(loader);
    heed_dataset_free(data);
    heed_generator_free(generator);
    heed_optimizer_free(adam);
    ck_assert_int_eq(heed_module_free(m), HEED_OK);
}

ROUNDS_OF(checkpoints)

MISUSE_MAIN("checkpoints misused", rounds_of_checkpoints)
