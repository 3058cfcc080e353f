/* core/memory.h - the allocator's interface to the rest of the core. */
#ifndef HEED_CORE_MEMORY_H
#define HEED_CORE_MEMORY_H

#include <stdbool.h>

#include <heed/memory.h>

/* Under AddressSanitizer freed blocks are not cached, because reuse would hide uses after free. */
#if defined(__SANITIZE_ADDRESS__)
#define HEED_KEEP_BLOCKS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HEED_KEEP_BLOCKS 0
#endif
#endif
#ifndef HEED_KEEP_BLOCKS
#define HEED_KEEP_BLOCKS 1
#endif

/* Like heed_alloc, but errors name `where`. One function per kind of block. */
void *heed__alloc(const char *where, size_t size);
void *heed__alloc_tensor(const char *where, size_t size);
void *heed__alloc_node(const char *where, size_t size);

/* Turns the caching of freed blocks on or off in all threads. Debug mode turns it off to see every block. */
void heed__memory_set_caching(bool on);

/* Sets the function to call when a thread that used the library ends and when the process exits. */
void heed__at_thread_end(void (*cleanup)(void));

/* -- core/allocator.c ---------------------------------------------------------------------------------------------- */

/* The current allocator: the program's or the default one. */
void *heed__allocator_alloc(size_t bytes);
void heed__allocator_free(void *block, size_t bytes);

/* The default allocator. */
void *heed__system_alloc(size_t size, size_t alignment, void *user);
void heed__system_free(void *block, size_t size, void *user);

/* Makes every later block a separate allocation of the C library, which memory debuggers can tell apart. Must precede
 * the first allocation. */
void heed__system_without_slabs(void);

/* Lock and unlock the default allocator around a fork, so that the child finds it in a consistent state. */
void heed__system_lock(void);
void heed__system_unlock(void);

#endif
