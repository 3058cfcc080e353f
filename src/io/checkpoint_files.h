/* io/checkpoint_files.h - the files of a checkpoint that keeps its last ones: "run-000001000.heed" for "run.heed" and step
 * 1000. */
#ifndef HEED_IO_CHECKPOINT_FILES_H
#define HEED_IO_CHECKPOINT_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HEED_STEP_ROOM 24 /* bytes that the name of a step's file is longer, at most; with a NUL */

/* Writes the file of a step to `name`, which has strlen(path) + HEED_STEP_ROOM bytes, here and below. */
void heed__checkpoint_name(const char *path, int64_t step, char *name);

/* The steps that have files: how many, and the lowest and the highest of those above `above` up to `last` (-1: none). `name`
 * is written over. */
typedef struct heed_checkpoint_steps {
    int64_t count, lowest, highest;
    int cause; /* an errno: the folder could not be read, or not to its end. 0 where there is none */
} heed_checkpoint_steps;
heed_checkpoint_steps heed__checkpoint_steps(const char *path, int64_t above, int64_t last, char *name);

/* Removes all files but those of the `keep` highest steps and of the one just saved, which is the lowest where a run began
 * anew beside the files of an older one. What cannot be removed stays. */
void heed__checkpoint_prune(const char *path, int keep, int64_t saved, char *name);

#endif
