/* core/memory.h - the memory door's ties to the rest of core. */
#ifndef HEED_CORE_MEMORY_H
#define HEED_CORE_MEMORY_H

#include <stdbool.h>

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

/* What a block is, for debug mode. */
typedef enum heed__block_kind { HEED_BLOCK_PLAIN, HEED_BLOCK_TENSOR, HEED_BLOCK_NODE } heed__block_kind;

/* heed_alloc whose error names `where`; the same for each kind. */
void *heed__alloc(const char *where, size_t size);
void *heed__alloc_tensor(const char *where, size_t size);
void *heed__alloc_node(const char *where, size_t size);

/* Whether freed blocks are kept for the next request, in all threads: debug mode wants to see each. */
void heed__memory_set_caching(bool on);

/* The source of memory, which the program may have given (core/source.c). */
void *heed__source_alloc(size_t bytes);
void heed__source_free(void *block, size_t bytes);

/* The source of memory unless the program gives another (core/system_memory.c). */
void *heed__system_alloc(size_t size, size_t alignment, void *user);
void heed__system_free(void *block, size_t size, void *user);

/* Each block is the C library's own from here on, which debuggers can tell apart. Before the first is asked for. */
void heed__system_without_slabs(void);

/* Around a fork: the child must not find the source in the middle of another thread's change. */
void heed__system_lock(void);
void heed__system_unlock(void);

/* What is to be called when a thread that used the library ends, and when the process exits. */
void heed__at_thread_end(void (*cleanup)(void));

#endif
