/* heed/memory.h - where memory comes from, and how much of it is in use.
 *
 * All memory of the library goes through one door: heed_alloc and heed_free. Freed blocks are kept in a cache of the
 * freeing thread, so that a training step settles down to no calls of the system's allocator. A size is rounded up to a
 * multiple of 64 bytes, above 512 by an eighth at most; small blocks lie together in slabs.
 */
#ifndef HEED_MEMORY_H
#define HEED_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include <heed/error.h>

HEED_BEGIN_DECLS

/* Alignment of every block, bytes. */
#define HEED_ALIGNMENT 64

typedef struct heed_allocator {
    void *(*alloc)(size_t size, size_t alignment, void *user); /* NULL when there is no memory */
    void (*free)(void *block, size_t size, void *user);
    void *user;
} heed_allocator;

/* Replaces the source of memory for the whole process; NULL restores the system's. The calling thread's
 * cache is emptied first. Fails with HEED_ERR_STATE while any block is in use, and with HEED_ERR_ARGUMENT
 * when a function of `allocator` is NULL. Call it before other threads use the library. */
HEED_API HEED_NODISCARD heed_status heed_set_allocator(const heed_allocator *allocator);

/* A block of `size` bytes, aligned to HEED_ALIGNMENT, not initialised; size 0 gives a unique block too.
 * NULL with HEED_ERR_NOMEM when there is no memory, or no thread-specific key (pthread_key_create) was left in the
 * process when the library was loaded. For modules, readers and user-defined ops. */
HEED_API HEED_NODISCARD void *heed_alloc(size_t size);

/* heed_alloc(count * size), zeroed; HEED_ERR_NOMEM when the product does not fit. */
HEED_API HEED_NODISCARD void *heed_calloc(size_t count, size_t size);

/* Frees a block; `size` is the size that was asked for. NULL is ignored. */
HEED_API void heed_free(void *block, size_t size);

typedef struct heed_memory_stats {
    int64_t live_objects; /* blocks in use: a tensor, a storage, a graph node, a module are one each */
    int64_t live_bytes;   /* bytes of those blocks, as sizes are rounded; the system's memory takes at most 15 % more */
    int64_t peak_objects; /* the most there were since the last reset */
    int64_t peak_bytes;
    int64_t cached_bytes; /* bytes the calling thread keeps for reuse */
    int64_t system_calls; /* calls of the allocator's alloc since the process began */
} heed_memory_stats;

/* Counts over all threads. The peaks are exact with one thread; with several they are the sum of the living
 * threads' own peaks, which is at least what those had in use at once. */
HEED_API heed_memory_stats heed_memory_get_stats(void);

/* Starts new peaks at the current figures. */
HEED_API void heed_memory_reset_peak(void);

/* Most bytes the calling thread keeps for reuse; 0 keeps nothing. Default 256 MiB. Returns the old limit. */
HEED_API size_t heed_memory_set_cache_limit(size_t bytes);

/* Returns the calling thread's cached blocks to the system. */
HEED_API void heed_memory_trim(void);

/* Writes what memory is used for. In debug mode (heed/debug.h), which has to be on when the memory is asked for: bytes
 * in use by the line that asked for them and by module, twenty of each at most, and the twenty largest blocks with what
 * keeps them: "the graph of train.c:57 (square)", "parameter or buffer net.3.weight", "the root scope". Otherwise the
 * totals alone. No other thread may use the library meanwhile, except without debug mode. HEED_ERR_ARGUMENT for NULL,
 * HEED_ERR_IO when writing fails.
 * torch: torch.cuda.memory_summary */
HEED_API heed_status heed_memory_report(FILE *file);

HEED_END_DECLS

#endif
