/* heed/memory.h - the allocator, and counters of the memory in use.
 *
 * The library allocates all memory with heed_alloc and heed_free. Freed blocks stay in a cache of the freeing thread,
 * so that after some training steps the system's allocator is not called any more. A size is rounded up to a multiple
 * of 64 bytes, and above 512 by at most an eighth; small blocks share slabs.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_MEMORY_H
#define HEED_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include <heed/error.h>

HEED_BEGIN_DECLS

/* Writes a report of the memory in use and its owners to `file`.
 * In debug mode (heed/debug.h), which must be on when the memory is allocated, it lists bytes in use by the line that
 * allocated them and by module, at most twenty of each, and the twenty largest blocks with their owners: "the graph of
 * train.c:57 (square)", "parameter or buffer net.3.weight", "the root scope". Otherwise it lists only the totals. In
 * debug mode no other thread may use the library during the call.
 * Errors: HEED_ERR_ARGUMENT for NULL, HEED_ERR_IO if writing fails.
 * torch: torch.cuda.memory_summary */
HEED_API heed_status heed_memory_report(FILE *file);

typedef struct heed_memory_stats {
    int64_t live_objects; /* blocks in use: one per tensor, storage, graph node or module */
    int64_t live_bytes;   /* bytes of those blocks, rounded up; the memory taken from the system is at most 15 % more */
    int64_t peak_objects; /* the maximum of live_objects since the last reset */
    int64_t peak_bytes;
    int64_t cached_bytes; /* bytes that the calling thread keeps for reuse */
    int64_t system_calls; /* calls of the allocator's alloc since the process began */
} heed_memory_stats;

/* Returns the counters, summed over all threads.
 * The peaks are exact with one thread; with several threads they are the sum of the peaks of all living threads, an
 * upper bound of the true peak. */
HEED_API heed_memory_stats heed_memory_get_stats(void);

/* Resets the peaks to the current values. */
HEED_API void heed_memory_reset_peak(void);

/* Sets the limit of bytes that the calling thread keeps for reuse, and returns the old limit.
 * Cached blocks beyond the limit return to the system at once, with 0 all of them. The default is 256 MiB. To return
 * the cached blocks and keep the limit, set it to 0 and then back:
 * heed_memory_set_cache_limit(heed_memory_set_cache_limit(0)). */
HEED_API size_t heed_memory_set_cache_limit(size_t bytes);

/* -- Expert calls: the allocator ----------------------------------------------------------------------------------- */

/* Alignment of every block in bytes. */
#define HEED_ALIGNMENT 64

/* Returns an uninitialised block of `size` bytes, aligned to HEED_ALIGNMENT; size 0 gives a unique block too.
 * It is for modules, readers and user-defined ops.
 * Errors: NULL with HEED_ERR_NOMEM if out of memory, or if no thread-specific key (pthread_key_create) was left in the
 * process when the library was loaded. */
HEED_API HEED_NODISCARD void *heed_alloc(size_t size);

/* Returns a zeroed block of count * size bytes, as heed_alloc does.
 * Errors: NULL with HEED_ERR_NOMEM, also if the product overflows. */
HEED_API HEED_NODISCARD void *heed_calloc(size_t count, size_t size);

/* Frees a block; `size` is the size passed to heed_alloc. NULL is ignored. */
HEED_API void heed_free(void *block, size_t size);

typedef struct heed_allocator {
    void *(*alloc)(size_t size, size_t alignment, void *user); /* returns NULL if out of memory */
    void (*free)(void *block, size_t size, void *user);
    void *user;
} heed_allocator;

/* Replaces the allocator of the whole process; NULL restores the system's.
 * The calling thread's cache is emptied first. Call it before other threads use the library.
 * Errors: HEED_ERR_STATE while any block is in use, HEED_ERR_ARGUMENT if a function of `allocator` is NULL. */
HEED_API HEED_NODISCARD heed_status heed_set_allocator(const heed_allocator *allocator);

HEED_END_DECLS

#endif
