/* heed/checkpoint.h - a training run in one file: what is needed to go on as if it had never stopped, bit for bit.
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
 * The file is a safetensors file, which other programs read: "module." and a path for each parameter and buffer,
 * "optimizer." and the names of heed_optimizer_state (the schedule's step is among them), "extra." and your own names,
 * and numbers under "run.". Its metadata has a CRC-32 of the whole file, taken with the checksum's own 8 digits as
 * zeros. It is written beside the old file and takes its place at once: whenever the process or the machine stops, one
 * of the two is there, whole. Links and folders: as for all files (heed/io.h). Several processes may save to one path
 * and load from it, also while some of them are killed; docs/saving-and-resuming.md says what then holds.
 */
#ifndef HEED_CHECKPOINT_H
#define HEED_CHECKPOINT_H

#include <heed/data.h>
#include <heed/optim.h>
#include <heed/progress.h>

HEED_BEGIN_DECLS

/* What a training run consists of: nothing here is owned, and any pointer may be NULL. The default generator's
 * state is always saved. */
typedef struct heed_checkpoint {
    heed_module *module;       /* heed_module_state: parameters and buffers */
    heed_optimizer *optimizer; /* heed_optimizer_state, with its schedule's step */
    heed_generator *generator; /* another generator than the default one */
    heed_loader *loader;       /* heed_loader_state: epoch and batch, not the data */
    heed_progress *progress;   /* heed_progress_state */
    heed_dict *extra;          /* tensors of your own; loading writes into them, so none may be expanded */
    int64_t epoch, step;       /* yours to count, 0 or more */
    HEED_RESERVED;
} heed_checkpoint;

/* What heed_checkpoint_save may be told. */
typedef struct heed_checkpoint_options {
    int keep; /* 0: one file, `path`, which is replaced. n: a file for each step, "run-000001000.heed" for "run.heed" at
                 step 1000, of which the n with the highest steps are kept, and the one just saved; one that cannot be
                 removed stays. Folders, and files that are not checkpoints, stay and do not count.
                 HEED_ERR_IO if `path` itself exists: loading would prefer it */
    HEED_RESERVED;
} heed_checkpoint_options;

/* Writes the run's state to `path`, atomically (heed/io.h). NULL options: one file. HEED_ERR_ARGUMENT for NULL, a
 * negative epoch, step or keep; HEED_ERR_IO (path and cause), HEED_ERR_UNSUPPORTED for more names than a header holds
 * (100 MB), HEED_ERR_NOMEM. After a failure the old file is as it was.
 * torch: torch.save */
HEED_API heed_status heed_checkpoint_save(const char *path, const heed_checkpoint *checkpoint,
                                          const heed_checkpoint_options *options);

/* Sets everything in *checkpoint, and the default generator, to what was saved. If there is no file `path` but there
 * are files of `keep`, the undamaged regular file with the highest step is loaded, even while other processes save.
 * What *checkpoint has must be what was saved: make the module, optimizer, schedule and loader as before, then load.
 *     HEED_ERR_IO          path and cause; also when one of the files of `keep` cannot be read
 *     HEED_ERR_FORMAT      the file is not a checkpoint, or is damaged: any single flipped bit is found
 *     HEED_ERR_ARGUMENT    NULL; other names, dtypes or shapes than *checkpoint has, which are listed; another kind of
 *                          optimizer; a loader of other samples. The message names the function that refused
 *     HEED_ERR_NOMEM
 * After a failure nothing has changed, except that a progress has started its clock again.
 * torch: torch.load */
HEED_API heed_status heed_checkpoint_load(const char *path, heed_checkpoint *checkpoint);

/* Whether heed_checkpoint_load would find a file, damaged or not: `path`, or one of `keep`. Also true if that
 * cannot be known, as in a folder without permission to read: loading then says why. False with HEED_ERR_ARGUMENT
 * for NULL, and with HEED_ERR_NOMEM. */
HEED_API bool heed_checkpoint_exists(const char *path);

HEED_END_DECLS

#endif
