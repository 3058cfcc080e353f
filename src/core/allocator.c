/* core/allocator.c - the current allocator: the program's, or the default one on top of the C library's.
 *
 * For a small block at an address divisible by 64 the C library uses about 128 additional bytes, so that a block of 64
 * bytes takes three times its size. Small blocks are therefore cut from slabs of one block size each. A slab has 128
 * KiB and an address divisible by its size, so a block's address leads to its slab. An empty slab is freed unless it is
 * the only one of its size with free blocks.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/instrumentation.h"
#include "core/memory.h"
#include "system/system.h"

#define SLAB_SIZE ((size_t)128 << 10)
#define UNIT ((size_t)HEED_ALIGNMENT)

typedef struct slab {
    struct slab *next, *previous; /* links slabs of the same block size that have free blocks */
    void **freed;                 /* list of freed blocks, linked through the blocks */
    char *unused;                 /* start of the blocks that were never allocated */
    size_t in_use;
} slab;

static size_t small = HEED_KEEP_BLOCKS ? 16 * UNIT : 0; /* larger blocks cost at most an eighth more */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static slab *available[16]; /* slabs with free blocks of 1, 2, ... 16 units */

void heed__system_without_slabs(void)
{
    small = 0;
}

void heed__system_lock(void)
{
    pthread_mutex_lock(&lock);
}

void heed__system_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

/* -- Slabs -- */

static bool has_free_block(slab *s, size_t size)
{
    return s->freed || s->unused + size <= (char *)s + SLAB_SIZE;
}

static void link_slab(slab *s, slab **list)
{
    s->previous = NULL;
    s->next = *list;
    if (s->next)
        s->next->previous = s;
    *list = s;
}

static void unlink_slab(slab *s, slab **list)
{
    *(s->previous ? &s->previous->next : list) = s->next;
    if (s->next)
        s->next->previous = s->previous;
}

/* Returns a block from a slab that has free blocks. */
static void *take_block(slab *s, size_t size)
{
    void **block = s->freed;
    if (block) {
        s->freed = *block;
    } else {
        block = (void **)(void *)s->unused;
        s->unused += size;
    }
    s->in_use++;
    return block;
}

static void *small_alloc(size_t size)
{
    slab **list = &available[size / UNIT - 1];
    void *block = NULL;
    pthread_mutex_lock(&lock);
    slab *s = *list;
    if (!s && (s = heed__aligned(SLAB_SIZE, SLAB_SIZE))) {
        *s = (slab){.unused = (char *)s + UNIT};
        link_slab(s, list);
    }
    if (s) {
        block = take_block(s, size);
        if (!has_free_block(s, size))
            unlink_slab(s, list);
    }
    pthread_mutex_unlock(&lock);
    return block;
}

static void small_free(void *block, size_t size)
{
    slab **list = &available[size / UNIT - 1];
    slab *s = (slab *)((uintptr_t)block & ~(uintptr_t)(SLAB_SIZE - 1));
    pthread_mutex_lock(&lock);
    if (!has_free_block(s, size))
        link_slab(s, list);
    *(void **)block = s->freed;
    s->freed = block;
    bool spare = --s->in_use == 0 && (s->next || s->previous);
    if (spare)
        unlink_slab(s, list);
    pthread_mutex_unlock(&lock);
    if (spare)
        heed__aligned_free(s);
}

/* -- The default allocator -- */

void *heed__system_alloc(size_t size, size_t alignment, void *user)
{
    (void)user;
    if (size <= small)
        return small_alloc(size);
    if (size < 2 * HEED_HUGE_PAGE)
        return heed__aligned(alignment, size);
    void *block = heed__aligned(HEED_HUGE_PAGE, (size + HEED_HUGE_PAGE - 1) / HEED_HUGE_PAGE * HEED_HUGE_PAGE);
    if (block)
        heed__advise_huge_pages(block, size);
    return block;
}

void heed__system_free(void *block, size_t size, void *user)
{
    (void)user;
    if (size <= small)
        small_free(block, size);
    else
        heed__aligned_free(block);
}

/* -- The current allocator -- */

static const heed_allocator default_allocator = {heed__system_alloc, heed__system_free, NULL};
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
    heed__memory_trim();
    const heed__debugger *debugger = heed__debugger_if_on();
    if (debugger)
        debugger->empty_quarantine();
    current = allocator ? *allocator : default_allocator;
    return HEED_OK;
}
