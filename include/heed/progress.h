/* heed/progress.h - how far a training run is: one line that is written over on a terminal, plain lines elsewhere.
 *
 *     heed_progress *progress = heed_progress_new(stdout, &(heed_progress_options){
 *         .epochs = 10, .steps = 938, .unit = "samples"});
 *     for (int epoch = 1; epoch <= 10; epoch++)
 *         for (int step = 1; step <= 938; step++) {
 *             ...
 *             heed_progress_step(progress, heed_item(loss), 64);
 *         }
 *     heed_progress_free(progress);
 *
 *     epoch 3/10  step 412/938  loss 0.3412  52,100 samples/s  0:02:10 left
 */
#ifndef HEED_PROGRESS_H
#define HEED_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <heed/error.h>

HEED_BEGIN_DECLS

typedef struct heed_progress heed_progress;

typedef struct heed_progress_options {
    int64_t epochs;   /* 0: 1 */
    int64_t steps;    /* of an epoch, at least 1 */
    const char *unit; /* of what a step works through, "samples", "tokens"; NULL: "steps", one each */
    double interval;  /* seconds between plain lines within an epoch; 0: 10. The end of an epoch always has a line. */
    bool plain;       /* plain lines on a terminal, too */
} heed_progress_options;

/* Writes to `file`, and asks nothing of it but to be open until heed_progress_free. NULL with HEED_ERR_ARGUMENT for a
 * NULL file or options, or numbers out of range; HEED_ERR_NOMEM. */
HEED_API heed_progress *heed_progress_new(FILE *file, const heed_progress_options *options);

/* One more step, with its loss and the units it worked through (ignored without a unit). The loss shown is the mean of
 * the epoch so far; rate and time left are worked out from the whole run so far. On a terminal the line is drawn again
 * at most ten times a second, and at the end of each epoch, where it stays. HEED_ERR_STATE after the last step of the
 * last epoch, HEED_ERR_IO when the file does not take it. */
HEED_API heed_status heed_progress_step(heed_progress *progress, double loss, int64_t units);

/* The mean loss of the epoch so far: of the one just ended, until the next one's first step. NaN before any step. */
HEED_API double heed_progress_loss(const heed_progress *progress);

/* How far it is, and back to there, where a run goes on: rate and time left are worked out from the steps after that.
 * HEED_ERR_ARGUMENT for NULL, and for a place that this progress never has. */
typedef struct heed_progress_state {
    int64_t epoch, step; /* 1 .. epochs and 1 .. steps, the last step that was done; 0 and 0 before the first */
    double loss;         /* the sum over the steps of that epoch */
} heed_progress_state;
HEED_API heed_status heed_progress_get_state(const heed_progress *progress, heed_progress_state *state);
HEED_API heed_status heed_progress_set_state(heed_progress *progress, const heed_progress_state *state);

/* Ends a line begun on a terminal. NULL is ignored. */
HEED_API void heed_progress_free(heed_progress *progress);

HEED_END_DECLS

#endif
