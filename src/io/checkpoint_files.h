/* io/checkpoint_files.h - the series of files that heed_checkpoint_save writes with options.keep, one per step:
 * "run-000001000.heed" for "run.heed" and step 1000.
 *
 * Several processes may save and load the files at once. A process removes a file only after finding `keep` files with
 * higher steps. The `keep` highest steps ever saved are therefore never removed, even if processes are killed or
 * stopped at any time. A process that lists the folder while names appear and disappear could still miss some of these
 * files, so names are created, removed and listed under the folder's lock. */
#ifndef HEED_IO_CHECKPOINT_FILES_H
#define HEED_IO_CHECKPOINT_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "system/files.h"

/* bytes needed for the name of a step's file in addition to strlen(path), with the NUL */
#define HEED_STEP_EXTRA_BYTES 24

/* Returns true if a file named `path` itself exists, which is loaded in preference to the series, or if the system
 * cannot tell whether it exists. */
bool heed__checkpoint_has_file(const char *path);

/* Writes the name of a step's file to `name`. In all functions of this header, `name` has strlen(path) +
 * HEED_STEP_EXTRA_BYTES bytes. */
void heed__checkpoint_name(const char *path, int64_t step, char *name);

/* The folder that contains `path`, opened to list the series. */
typedef struct heed__file_series {
    heed__listing *folder;
    const char *path, *stem, *extension; /* stem: the file name in path; extension: from its '.', or "" */
    size_t stem_length;
} heed__file_series;

/* Opens the folder that contains `path`. Returns 0 or an errno, which is ENOENT also if the path lacks a file name.
 * Overwrites `name`. */
int heed__series_open(heed__file_series *series, const char *path, char *name);
void heed__series_close(const heed__file_series *series);

/* The steps that have regular files: the number of all of them, and the highest one that is at most `limit`. */
typedef struct heed__series_steps {
    int64_t count, highest; /* highest is -1 if no step is at most `limit` */
    int cause;              /* errno if the folder could not be listed to its end, else 0 */
} heed__series_steps;

/* Lists the steps and opens the file of the highest step up to `limit`. Writes the file's name to `name` and its
 * descriptor to *fd. *fd is -1, with errno, if no file could be opened. */
heed__series_steps heed__series_open_highest(const heed__file_series *series, int64_t limit, char *name, int *fd);

/* Removes all checkpoints except the one just saved and those with the `keep` highest steps. (The checkpoint just saved
 * may have a lower step than the others, if a new run saves next to the files of an older run.) Files that are not
 * checkpoints stay and are not counted; a checkpoint that cannot be removed stays. Overwrites `name`. */
void heed__checkpoint_prune(const char *path, int keep, int64_t saved, char *name);

#endif
