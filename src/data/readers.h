/* data/readers.h - threads that read the batches of a loader ahead.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_DATA_READERS_H
#define HEED_DATA_READERS_H

#include <heed/data.h>

typedef struct heed__readers heed__readers;

/* Returns readers of a dataset, which must outlive them. At most `threads` threads start when the first batch is taken.
 * NULL after heed_fail. */
heed__readers *heed__readers_new(const heed_dataset *dataset, int threads);

/* Waits for the batches that are being read, ends the threads and frees the readers. Ignores NULL. */
void heed__readers_free(heed__readers *r);

/* Returns true if a further batch may be requested. */
bool heed__readers_have_space(heed__readers *r);

/* Requests the batch of these samples of an epoch; `numbers` is retained. If the source draws random numbers, they come
 * from a generator with this seed, from this position on. */
void heed__readers_request(heed__readers *r, heed_tensor *numbers, int64_t epoch, uint64_t seed, uint64_t position);

/* Waits for the batch that was requested first, and removes it. The tensors are borrowed from the innermost scope. If
 * reading fails, returns its error; the next call reads the same batch again. At least one batch must be requested. */
heed_status heed__readers_take(heed__readers *r, heed_tensor **batch);

/* Removes all requested batches. */
void heed__readers_drop(heed__readers *r);

#endif
