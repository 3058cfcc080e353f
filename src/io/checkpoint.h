/* io/checkpoint.h - the files of checkpoints: a single file, or the series that heed_checkpoint_save writes with
 * options.keep, one file per step: "run-000001000.heed" for "run.heed" and step 1000.
 *
 * Several processes may save and load the files at once. A process removes a file only after finding `keep` files with
 * higher steps. The `keep` highest steps ever saved are therefore never removed, even if processes are killed or
 * stopped at any time. A process that lists the folder while names appear and disappear could still miss some of these
 * files, so names are created, removed and listed under the folder's lock.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_IO_CHECKPOINT_H
#define HEED_IO_CHECKPOINT_H

#include <heed/dict.h>

/* bytes needed for the name of a step's file in addition to strlen(path), with the NUL */
#define HEED_STEP_EXTRA_BYTES 24

/* Writes the name of a step's file to `name`. In all functions of this header, `name` has strlen(path) +
 * HEED_STEP_EXTRA_BYTES bytes. */
void heed__checkpoint_name(const char *path, int64_t step, char *name);

/* Reads the file `path` or, if it does not exist, the newest undamaged file of its series, and writes the name of that
 * file to `name`. Returns NULL after heed_fail on behalf of "checkpoint_load". */
heed_dict *heed__checkpoint_read(const char *path, char *name);

/* Returns true if the file or a file of its series exists, or if the system cannot tell. Overwrites `name`. */
bool heed__checkpoint_exists(const char *path, char *name);

/* Removes all checkpoints except the one just saved and those with the `keep` highest steps. (The checkpoint just saved
 * may have a lower step than the others, if a new run saves next to the files of an older run.) Files that are not
 * checkpoints stay and are not counted; a checkpoint that cannot be removed stays. Overwrites `name`. */
void heed__checkpoint_prune(const char *path, int keep, int64_t saved, char *name);

#endif
