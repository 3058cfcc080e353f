/* examples/saving.h - training that can be stopped: --checkpoint, --resume and --every, and what a signal does.
 *
 *     static const training_option options[] = {..., SAVING_OPTIONS};
 *     ...
 *     heed_checkpoint run = {.module = &net->base, .optimizer = adam};
 *     saving_extra(&run, "losses", losses);
 *     for (saving_begin(&run); saving_goes_on(&run, steps); run.step++) {
 *         ...
 *     }
 *     saving_end(&run);
 */
#ifndef SAVING_H
#define SAVING_H

#include "training.h"

typedef struct saving_options {
    const char *file; /* NULL: nothing is saved, and signals do what they always do */
    bool resume;
    double every;    /* seconds */
    bool only_reads; /* one process of several, of which another one saves, and stops all at a signal */
} saving_options;
extern saving_options saving;

#define SAVING_OPTIONS                                                                                                 \
    {"checkpoint", "FILE", "save the training there; after Ctrl-C or SIGTERM too, then ending with code 130 or 143",   \
     .text = &saving.file},                                                                                            \
        {"resume", "", "go on from that file, if it exists", .flag = &saving.resume},                                  \
    {                                                                                                                  \
        "every", "S", "seconds between two saves", .number = &saving.every                                             \
    }

/* With --resume takes the run to where the file left it, if there is one. From here on SIGINT and SIGTERM wait for the
 * end of the current step; a second one does not. */
void saving_begin(heed_checkpoint *run);

/* Whether there are steps to do. Saves when --every seconds have passed, and at the end, after which signals do what
 * they always do. After a signal it saves and ends the process, with code 128 + the signal's number: 130 for SIGINT,
 * 143 for SIGTERM. */
bool saving_goes_on(heed_checkpoint *run, int64_t steps);

/* Frees the optimizer, the generator, the loader, the progress and the extra tensors of the run; not its module. */
void saving_end(heed_checkpoint *run);

/* One more tensor of the run's own, to be saved with it. */
void saving_extra(heed_checkpoint *run, const char *name, heed_tensor *t);

#endif
