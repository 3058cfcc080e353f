/* examples/saving.h - training that can be stopped and resumed: --checkpoint, --resume, --every, and signals.
 *
 *     static const training_option options[] = {..., SAVING_OPTIONS};
 *     ...
 *     heed_checkpoint run = {.module = &net->base, .optimizer = adam};
 *     saving_extra(&run, "losses", losses);
 *     for (saving_begin(&run); saving_goes_on(&run, steps); run.step++) {
 *         ...
 *     }
 *     saving_end(&run);
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef SAVING_H
#define SAVING_H

#include "training.h"

typedef struct saving_options {
    const char *file; /* NULL: does not save, and signals keep their default effect */
    bool resume;
    double every;    /* seconds */
    bool only_reads; /* for a process whose team leader saves, and stops all on a signal */
} saving_options;
extern saving_options saving;

#define SAVING_OPTIONS                                                                                                 \
    {"checkpoint", "FILE", "save the training run in this file, also on Ctrl-C or SIGTERM (exit code 130 or 143)",     \
     .text = &saving.file},                                                                                            \
        {"resume", "", "continue from the --checkpoint file, if it exists", .flag = &saving.resume},                   \
    {                                                                                                                  \
        "every", "S", "seconds between two saves", .number = &saving.every                                             \
    }

/* With --resume, loads the file, if it exists. From here on SIGINT and SIGTERM wait for the end of the current step;
 * a second signal does not wait. */
void saving_begin(heed_checkpoint *run);

/* Returns whether there are steps left. Saves when --every seconds have passed, and at the end, after which signals
 * have their default effect again. After a signal it saves and ends the process with code 128 + the signal's number:
 * 130 for SIGINT, 143 for SIGTERM. */
bool saving_goes_on(heed_checkpoint *run, int64_t steps);

/* Frees the optimizer, the generator, the loader, the progress and the extra tensors of the run, but not its module. */
void saving_end(heed_checkpoint *run);

/* Adds a tensor to be saved with the run. */
void saving_extra(heed_checkpoint *run, const char *name, heed_tensor *t);

#endif
