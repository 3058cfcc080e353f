/* core/memory.h - the memory door's ties to the rest of core. */
#ifndef HEED_CORE_MEMORY_H
#define HEED_CORE_MEMORY_H

#include <heed/memory.h>

/* Under AddressSanitizer no freed block is kept for the next request: that would hide uses after free. */
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

/* heed_alloc whose error names `where`. */
void *heed__alloc(const char *where, size_t size);

/* The source of memory unless the program gives another (core/system_memory.c). */
void *heed__system_alloc(size_t size, size_t alignment, void *user);
void heed__system_free(void *block, size_t size, void *user);

/* Around a fork: the child must not find the source in the middle of another thread's change. */
void heed__system_lock(void);
void heed__system_unlock(void);

/* What is to be called when a thread that used the library ends, and when the process exits. */
void heed__at_thread_end(void (*cleanup)(void));

#endif
