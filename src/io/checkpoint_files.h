/* io/checkpoint_files.h - the file series of a checkpoint that keeps its last steps: "run-000001000.heed" for
 * "run.heed" and step 1000.
 *
 * Several processes may save and load the files at once. A process removes a file only after finding `keep` files with
 * higher steps. The `keep` highest steps ever saved are therefore never removed, whichever process is killed or stopped
 * and whenever. A process that lists the folder while names appear and disappear could still miss them, so names are
 * created, removed and listed under the folder's lock. */
#ifndef HEED_IO_CHECKPOINT_FILES_H
#define HEED_IO_CHECKPOINT_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "system/files.h"

#define HEED_STEP_EXTRA_BYTES 24 /* maximum bytes, with the NUL, by which the name of a step's file exceeds `path` */

/* Returns true if a file `path` itself exists (it is loaded in preference to the series) or if that cannot be
 * determined. */
bool heed__checkpoint_has_file(const char *path);

/* Writes the name of a step's file to `name`, which has strlen(path) + HEED_STEP_EXTRA_BYTES bytes, here and below. */
void heed__checkpoint_name(const char *path, int64_t step, char *name);

/* The folder that contains `path`, opened to list the series. */
typedef struct heed__file_series {
    heed__listing *folder;
    const char *path, *stem, *extension; /* the path; within it, the file name, and the extension from its '.', or "" */
    size_t stem_length;
} heed__file_series;

/* Returns 0 or an errno; ENOENT also for a path without a file name. Overwrites `name`. */
int heed__series_open(heed__file_series *series, const char *path, char *name);
void heed__series_close(const heed__file_series *series);

/* The steps that have regular files: their number, and the highest step up to `limit`. */
typedef struct heed__series_steps {
    int64_t count, highest; /* -1 if no step qualifies */
    int cause;              /* errno if the folder could not be listed to its end, else 0 */
} heed__series_steps;

/* Lists the steps, writes the name of the file with the highest step and opens it. *fd is -1, with errno, if no file
 * could be opened. */
heed__series_steps heed__series_open_highest(const heed__file_series *series, int64_t limit, char *name, int *fd);

/* Removes all checkpoints except the one just saved and those with the `keep` highest steps. (The one just saved has
 * the lowest step if a run started again next to the files of an older run.) Files that are not checkpoints stay and
 * are not counted; a checkpoint that cannot be removed stays. Overwrites `name`. */
void heed__checkpoint_prune(const char *path, int keep, int64_t saved, char *name);

#endif
