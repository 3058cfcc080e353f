/* io/checkpoint.h - shared by saving and loading a checkpoint: its numbers, and the key that identifies the file. */
#ifndef HEED_IO_CHECKPOINT_H
#define HEED_IO_CHECKPOINT_H

#include <heed/checkpoint.h>

#define HEED_CHECKPOINT_KEY "heed.checkpoint"
#define HEED_CHECKPOINT_VERSION "1"

/* Returns false after heed_fail if an object of the checkpoint was freed. Callers check this before they allocate: a
 * block allocated later may reuse the freed object's memory. */
bool heed__checkpoint_check(const heed_checkpoint *checkpoint);

/* Returns the current numbers of the run, or NULL after heed_fail:
 *
 *     epoch, step           i64 ()
 *     default_generator     i64 (2)  seed and position
 *     generator             i64 (2)  if the run has its own generator
 *     loader                i64 (5)  seed, epoch, batch, samples, batch size
 *     progress              i64 (2)  epoch and step
 *     progress_loss         f64 () */
heed_dict *heed__checkpoint_numbers(const heed_checkpoint *checkpoint);

/* The first two functions set a loader and a progress from these numbers. They return false after heed_fail, with
 * nothing changed. heed__checkpoint_set_rest sets everything else and cannot fail. */
bool heed__checkpoint_set_loader(heed_loader *loader, const heed_dict *numbers);
bool heed__checkpoint_set_progress(heed_progress *progress, const heed_dict *numbers);
void heed__checkpoint_set_rest(heed_checkpoint *checkpoint, const heed_dict *numbers);

#endif
