/* tests/io/memory_use.h - measures the memory that a call takes in the library and in jansson.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_IO_MEMORY_USE_H
#define HEED_TESTS_IO_MEMORY_USE_H

#include <jansson.h>
#include <stddef.h>

#include "files.h"

/* jansson's bytes, which do not come from the library's allocator. The size of a block is stored in front of it. */
static int64_t tree_bytes, tree_peak;

static void *tree_alloc(size_t size)
{
    size_t *block = malloc(sizeof(max_align_t) + size);
    if (!block)
        return NULL;
    *block = size;
    tree_bytes += (int64_t)size;
    tree_peak = tree_bytes > tree_peak ? tree_bytes : tree_peak;
    return (max_align_t *)(void *)block + 1;
}

static void tree_free(void *payload)
{
    if (!payload)
        return;
    size_t *block = (size_t *)(void *)((max_align_t *)payload - 1);
    tree_bytes -= (int64_t)*block;
    free(block);
}

static int64_t bytes_before; /* in use when measuring began */

static void begin_measuring(void)
{
    json_set_alloc_funcs(tree_alloc, tree_free);
    tree_peak = tree_bytes = 0;
    heed_memory_reset_peak();
    bytes_before = heed_memory_get_stats().live_bytes;
}

/* Returns the peak since then: the sum of the library's peak and jansson's peak, whether they coincide or not. */
static int64_t end_measuring(void)
{
    json_set_alloc_funcs(malloc, free);
    ck_assert_int_eq(tree_bytes, 0);
    return heed_memory_get_stats().peak_bytes - bytes_before + tree_peak;
}

#endif
