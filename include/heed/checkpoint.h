/* heed/checkpoint.h - saves a training run to one file and resumes it with bit-identical results.
 *
 *     heed_checkpoint run = {.module = &net->base, .optimizer = adam, .loader = loader};
 *     if (resume)
 *         heed_checkpoint_load("run.heed", &run);
 *     while (run.step < steps) {
 *         ...
 *         run.step++;
 *         if (run.step % 1000 == 0)
 *             heed_checkpoint_save("run.heed", &run, NULL);
 *     }
 *
 * The file is a safetensors file, which other programs can read: "module." and the path of every parameter and buffer,
 * "optimizer." and the names of heed_optimizer_state (including the schedule's step), "extra." and your own names, and
 * numbers under "run.". Its metadata has a CRC-32 of the whole file, computed with the checksum's own 8 digits as
 * zeros. The file replaces an older one atomically: if the process or the machine stops at any time, one of the two
 * exists, complete. heed/io.h describes links and folders. Several processes may save to one path and load from it,
 * even while some of them are killed; docs/saving-and-resuming.md lists the guarantees.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_CHECKPOINT_H
#define HEED_CHECKPOINT_H

#include <heed/data.h>
#include <heed/optim.h>
#include <heed/progress.h>

HEED_BEGIN_DECLS

/* The objects of a training run. The struct owns none of them, and any pointer may be NULL. The default generator's
 * state is always saved. */
typedef struct heed_checkpoint {
    heed_module *module;       /* heed_module_state: parameters and buffers */
    heed_optimizer *optimizer; /* heed_optimizer_state, with its schedule's step */
    heed_generator *generator; /* an additional generator; the default one is always saved */
    heed_loader *loader;       /* heed_loader_state: epoch and batch, not the data */
    heed_progress *progress;   /* heed_progress_state */
    heed_dict *extra;          /* your own tensors; loading writes into them, so they must not be expanded views */
    int64_t epoch, step;       /* counted by your program, 0 or more */
    HEED_RESERVED;
} heed_checkpoint;

/* Options of heed_checkpoint_save. */
typedef struct heed_checkpoint_options {
    int keep; /* 0: one file, `path`, which is replaced. n: one file per step, "run-000001000.heed" for "run.heed" at
                 step 1000. The n files with the highest steps and the one just saved are kept, others are removed if
                 possible. Folders and files that are not checkpoints are neither removed nor counted. HEED_ERR_IO if
                 `path` itself exists, because loading would prefer it */
    HEED_RESERVED;
} heed_checkpoint_options;

/* Writes the run's state to `path`, atomically (heed/io.h).
 * NULL options: one file. After a failure the old file is unchanged.
 * Errors: HEED_ERR_ARGUMENT for NULL, a negative epoch, step or keep; HEED_ERR_IO (path and cause);
 * HEED_ERR_UNSUPPORTED for more names than a header can hold (100 MB); HEED_ERR_NOMEM.
 * torch: torch.save */
HEED_API heed_status heed_checkpoint_save(const char *path, const heed_checkpoint *checkpoint,
                                          const heed_checkpoint_options *options);

/* Restores all objects in *checkpoint, and the default generator, to their saved state.
 * If `path` does not exist but files of the option `keep` do, the undamaged regular file with the highest step is
 * loaded, even if other processes save at the same time. *checkpoint must contain the same objects as when it was
 * saved: create the module, optimizer, schedule and loader as before, then load. After a failure nothing has changed,
 * except that a progress has restarted its clock.
 * Errors:
 *     HEED_ERR_IO          path and cause; also when one of the files of `keep` cannot be read
 *     HEED_ERR_FORMAT      the file is not a checkpoint, or is damaged: any single flipped bit is found
 *     HEED_ERR_ARGUMENT    NULL; names, dtypes or shapes that differ from *checkpoint, which are listed; a different
 *                          kind of optimizer; a loader of different samples. The message names the function that
 *                          failed
 *     HEED_ERR_NOMEM
 * torch: torch.load */
HEED_API heed_status heed_checkpoint_load(const char *path, heed_checkpoint *checkpoint);

/* Returns true if heed_checkpoint_load would find a file, damaged or not: `path`, or a file of `keep`.
 * It also returns true if this cannot be determined, as in a folder without read permission; loading then reports the
 * reason.
 * Errors: false with HEED_ERR_ARGUMENT for NULL, and with HEED_ERR_NOMEM. */
HEED_API bool heed_checkpoint_exists(const char *path);

HEED_END_DECLS

#endif
