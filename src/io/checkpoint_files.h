/* io/checkpoint_files.h - the files of a checkpoint that keeps its last ones: "run-000001000.heed" for "run.heed" and
 * step
 * 1000. Several processes may save them and load them at once.
 *
 * A file is removed only by a process that has seen `keep` others with higher steps. So of all that were ever saved,
 * the `keep` highest are never removed by anybody, whoever is killed or stopped at whatever moment. All the same, a
 * process that lists the folder while names come and go could miss them: so names are given, removed and listed under
 * the folder's lock. */
#ifndef HEED_IO_CHECKPOINT_FILES_H
#define HEED_IO_CHECKPOINT_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "system/folders.h"

#define HEED_STEP_ROOM 24 /* bytes by which the name of a step's file is longer than `path`, at most, with its NUL */

/* Whether there is a file `path` itself, which is loaded in preference to the others. True if that cannot be known. */
bool heed__checkpoint_has_file(const char *path);

/* Writes the file of a step to `name`, which has strlen(path) + HEED_STEP_ROOM bytes, here and below. */
void heed__checkpoint_name(const char *path, int64_t step, char *name);

/* The folder of a path, opened to look for its files. */
typedef struct heed__file_series {
    heed__listing *folder;
    const char *path, *stem, *ending; /* the path, and within it the name and its ending: '.' and what follows, or "" */
    size_t stem_length;
} heed__file_series;

/* 0, or an errno: ENOENT, too, for a path without a name of a file. `name` is written over. */
int heed__series_open(heed__file_series *series, const char *path, char *name);
void heed__series_close(const heed__file_series *series);

/* The steps that have regular files: their number, and the highest step up to `last`. */
typedef struct heed__series_steps {
    int64_t count, highest; /* -1: none */
    int cause;              /* an errno: the folder could not be read to its end; else 0 */
} heed__series_steps;

/* Lists them. The file with the highest step is named, and opened: *fd is -1, with errno, where there is none to
 * open. */
heed__series_steps heed__series_last(const heed__file_series *series, int64_t last, char *name, int *fd);

/* Removes all checkpoints except the one just saved and those with the `keep` highest steps. (The one just saved has
 * the lowest step if a run began anew next to the files of an older run.) Files that are not checkpoints stay and do
 * not count; a checkpoint that cannot be removed stays. `name` is written over. */
void heed__checkpoint_prune(const char *path, int keep, int64_t saved, char *name);

#endif
