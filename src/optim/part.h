/* optim/part.h - an optimizer that keeps state for, and updates, some elements of each parameter: one process's part of
 * an update that several share (heed/data_parallel.h). Parameters are counted through all groups.
 */
#ifndef HEED_OPTIM_PART_H
#define HEED_OPTIM_PART_H

#include "optim/optimizer.h"

/* Leaves the elements parts[i].begin .. parts[i].end - 1 of each parameter i to the optimizer, which was whole; what
 * belongs to these is kept of its buffers. False after heed_fail, with all as it was. */
bool heed__optimizer_set_parts(heed_optimizer *o, const heed__part_range *parts);

/* Buffer k of parameter i, as long as its part; NULL if there is none. */
heed_tensor *heed__optimizer_buffer(const heed_optimizer *o, int i, int k);

/* Exchanges buffer k of each parameter i with buffers[i * HEED_OPTIMIZER_BUFFERS + k], and whether they are parts: done
 * twice, all is as before. */
void heed__optimizer_swap(heed_optimizer *o, heed_tensor **buffers, bool partial);

/* Those elements of t, shaped like the slot's parameter, that are the optimizer's: t itself, or a view of it. NULL
 * after heed_fail. */
heed_tensor *heed__slot_part(const heed_optimizer *o, const heed__slot *slot, heed_tensor *t);

/* heed_optimizer_step, which refuses an optimizer that has only parts. */
heed_status heed__optimizer_update(heed_optimizer *o);

#endif
