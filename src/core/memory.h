/* core/memory.h - the memory door's ties to the rest of core. */
#ifndef HEED_CORE_MEMORY_H
#define HEED_CORE_MEMORY_H

#include <heed/memory.h>

/* heed_alloc whose error names `where`. */
void *heed__alloc(const char *where, size_t size);

/* The source of memory unless the program gives another (core/system_memory.c). */
void *heed__system_alloc(size_t size, size_t alignment, void *user);
void heed__system_free(void *block, size_t size, void *user);

/* What is to be called when a thread that used the library ends, and when the process exits. */
void heed__at_thread_end(void (*cleanup)(void));

#endif
