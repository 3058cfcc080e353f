/* io/checkpoint.h - what saving and loading a checkpoint share: its numbers, and how the file says what it is. */
#ifndef HEED_IO_CHECKPOINT_H
#define HEED_IO_CHECKPOINT_H

#include <heed/checkpoint.h>

#define HEED_CHECKPOINT_KEY "heed.checkpoint"
#define HEED_CHECKPOINT_VERSION "1"

/* Returns false after heed_fail if an object of the checkpoint was freed. Callers ask this first: a block that they
 * request later may be the freed object's. */
bool heed__checkpoint_check(const heed_checkpoint *checkpoint);

/* The run's own numbers, as they are now:
 *
 *     epoch, step          i64 ()
 *     default_generator    i64 (2)    seed and position
 *     generator            i64 (2)    of a run that has one of its own
 *     loader               i64 (5)    seed, epoch, batch, samples, batch size
 *     progress             i64 (2)    epoch and step
 *     progress_loss        f64 ()
 *
 * NULL after heed_fail. */
heed_dict *heed__checkpoint_numbers(const heed_checkpoint *checkpoint);

/* Sets a loader and a progress by such numbers: false after heed_fail, with nothing changed. Then the rest, which
 * cannot fail. */
bool heed__checkpoint_set_loader(heed_loader *loader, const heed_dict *numbers);
bool heed__checkpoint_set_progress(heed_progress *progress, const heed_dict *numbers);
void heed__checkpoint_set_rest(heed_checkpoint *checkpoint, const heed_dict *numbers);

#endif
