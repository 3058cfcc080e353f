/* core/allocator.c - the current allocator: the default one or the program's. */

#include <inttypes.h>

#include "core/debug.h"
#include "core/memory.h"

static const heed_allocator system_memory = {heed__system_alloc, heed__system_free, NULL};
static heed_allocator current = {heed__system_alloc, heed__system_free, NULL};

void *heed__allocator_alloc(size_t bytes)
{
    return current.alloc(bytes, HEED_ALIGNMENT, current.user);
}

void heed__allocator_free(void *block, size_t bytes)
{
    current.free(block, bytes, current.user);
}

heed_status heed_set_allocator(const heed_allocator *allocator)
{
    if (allocator && (!allocator->alloc || !allocator->free))
        return heed_fail(HEED_ERR_ARGUMENT, "set_allocator", "%s is NULL", allocator->alloc ? "free" : "alloc");
    int64_t live = heed_memory_get_stats().live_objects;
    if (live != 0)
        return heed_fail(HEED_ERR_STATE, "set_allocator", "%" PRId64 " blocks are in use", live);
    heed_memory_trim();
    heed__debug_empty_quarantine();
    current = allocator ? *allocator : system_memory;
    return HEED_OK;
}
