/* core/memory.h - the memory door's ties to the rest of core. */
#ifndef HEED_CORE_MEMORY_H
#define HEED_CORE_MEMORY_H

#include <heed/memory.h>

/* heed_alloc whose error names `where`. */
void *heed__alloc(const char *where, size_t size);

/* What is to be called when a thread that used the library ends, and when the process exits. */
void heed__at_thread_end(void (*cleanup)(void));

#endif
