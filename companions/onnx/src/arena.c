/* onnx/src/arena.c - an arena allocator.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "arena.h"

#include <stdalign.h>
#include <string.h>

#include <heed/memory.h>

enum { BLOCK = 16384 };

struct heed__arena_block {
    alignas(max_align_t) struct heed__arena_block *next;
    size_t size, used; /* in bytes, including this header */
};

static struct heed__arena_block *add_block(heed__arena *arena, size_t bytes)
{
    const size_t head = sizeof(struct heed__arena_block), size = head + bytes > BLOCK ? head + bytes : BLOCK;
    struct heed__arena_block *block = heed_calloc(1, size);
    if (block) {
        *block = (struct heed__arena_block){arena->blocks, size, head};
        arena->blocks = block;
    }
    return block;
}

void *heed__arena_alloc(heed__arena *arena, size_t count, size_t size)
{
    const size_t step = alignof(max_align_t);
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX)
        return heed_fail_null(HEED_ERR_NOMEM, "onnx", "cannot allocate %zu times %zu bytes", count, size);
    bytes = (bytes + step - 1) / step * step;
    struct heed__arena_block *block = arena->blocks;
    if (!block || block->size - block->used < bytes)
        block = add_block(arena, bytes);
    if (!block)
        return NULL;
    void *allocated = (char *)block + block->used;
    block->used += bytes;
    return allocated;
}

void *heed__arena_copy(heed__arena *arena, const void *bytes, size_t size)
{
    void *copy = bytes ? heed__arena_alloc(arena, 1, size) : NULL;
    return copy ? memcpy(copy, bytes, size) : NULL;
}

char *heed__arena_text(heed__arena *arena, const char *text)
{
    return text ? heed__arena_copy(arena, text, strlen(text) + 1) : NULL;
}

void heed__arena_free(heed__arena *arena)
{
    while (arena->blocks) {
        struct heed__arena_block *block = arena->blocks;
        arena->blocks = block->next;
        heed_free(block, block->size);
    }
}
