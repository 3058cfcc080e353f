/* optim/partial.h - optimizers that update, and have state for, only a range of every parameter: one process's share of
 * an update that several processes divide (heed/data_parallel.h). Parameters are numbered through all groups. */
#ifndef HEED_OPTIM_PARTIAL_H
#define HEED_OPTIM_PARTIAL_H

#include "optim/optimizer.h"

/* Restricts a whole optimizer to the elements ranges[i].begin .. ranges[i].end - 1 of every parameter i. Keeps only
 * these elements of the buffers. On failure returns false after heed_fail and changes nothing. */
bool heed__optimizer_set_ranges(heed_optimizer *o, const heed__element_range *ranges);

/* Returns buffer k of parameter i, with the length of its range, or NULL. */
heed_tensor *heed__optimizer_buffer(const heed_optimizer *o, int i, int k);

/* Swaps buffer k of every parameter i with buffers[i * HEED_OPTIMIZER_BUFFERS + k], and sets whether the optimizer is
 * partial. A second call restores the first state. */
void heed__optimizer_swap(heed_optimizer *o, heed_tensor **buffers, bool partial);

/* Returns the elements of t that the optimizer updates: t itself or a view of it. t has the shape of the slot's
 * parameter. NULL after heed_fail. */
heed_tensor *heed__slot_slice(const heed_optimizer *o, const heed__slot *slot, heed_tensor *t);

/* Like heed_optimizer_step, but accepts a partial optimizer, too. */
heed_status heed__optimizer_update(heed_optimizer *o);

#endif
