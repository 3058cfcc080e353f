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
 * and numbers under "run.". Its metadata has a CRC-32 of the whole file, taken with the checksum's own 8 digits as zeros.
 * It is written beside the old file and takes its place at once: whenever the process or the machine stops, one of the
 * two is there, whole. Links and folders: as for all files (heed/io.h). Several processes may save to one path and load
 * from it, also while some of them are killed; docs/saving-and-resuming.md says what then holds.
 */
#ifndef HEED_CHECKPOINT_H
#define HEED_CHECKPOINT_H

#include <heed/data.h>
#include <heed/optim.h>
#include <heed/progress.h>

HEED_BEGIN_DECLS

/* What is saved; NULL where there is none. The default generator is saved always. */
typedef struct heed_checkpoint {
    heed_module *module;
    heed_optimizer *optimizer; /* and its schedule */
    heed_generator *generator; /* one besides the default */
    heed_loader *loader;       /* its place, not its data */
    heed_progress *progress;   /* how far it is, not how fast */
    heed_dict *extra;          /* tensors of your own, not expanded */
    int64_t epoch, step;       /* yours to count, 0 or above */
} heed_checkpoint;

typedef struct heed_checkpoint_options {
    int keep; /* 0: replaces `path`. n: "run.heed" becomes "run-000001000.heed" after step 1000, and after a save all but
                 the n with the highest steps are removed, and never the one just saved; what cannot be removed stays.
                 `path` itself must not be there, since loading takes that first: HEED_ERR_IO */
} heed_checkpoint_options;

/* HEED_ERR_IO (path and cause) with the old file as it was; HEED_ERR_ARGUMENT, HEED_ERR_NOMEM. */
HEED_API heed_status heed_checkpoint_save(const char *path, const heed_checkpoint *run,
                                          const heed_checkpoint_options *options);

/* Brings everything in *run to what was saved, and sets epoch and step. Where there is no file `path` but files of a
 * `keep`, the one with the highest step that is whole is loaded, also while other processes save. HEED_ERR_IO, also for
 * one of them that cannot be read; HEED_ERR_FORMAT for a file that is no checkpoint, or is damaged: a flip of any one bit
 * is found; HEED_ERR_ARGUMENT when what was saved is not what *run has: other names, dtypes or shapes (which are listed),
 * another kind of optimizer, a loader of other samples. HEED_ERR_NOMEM. What the optimizer or the loader refuses, it
 * refuses in the name of its own function. After a failure nothing has changed, but that a progress counts its rate
 * anew. */
HEED_API heed_status heed_checkpoint_load(const char *path, heed_checkpoint *run);

/* True when there is something for heed_checkpoint_load to read, whole or not: a file `path`, or one of a `keep`. True, too,
 * where it cannot be told, as in a folder that may not be read: loading says why. False with HEED_ERR_ARGUMENT for NULL,
 * with HEED_ERR_NOMEM. */
HEED_API bool heed_checkpoint_exists(const char *path);

HEED_END_DECLS

#endif
