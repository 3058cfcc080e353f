/* onnx/src/arena.h - an arena: memory for many small objects freed together.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_ONNX_ARENA_H
#define HEED_ONNX_ARENA_H

#include <stddef.h>

/* A zero-initialised arena is empty. */
typedef struct heed__arena {
    struct heed__arena_block *blocks;
} heed__arena;

/* Allocates `count` objects of `size` bytes, zeroed, which live until the arena is freed. Returns NULL after
 * heed_fail. */
void *heed__arena_alloc(heed__arena *arena, size_t count, size_t size);

/* heed__arena_text copies a string, heed__arena_copy copies bytes. They return NULL after heed_fail, or if the argument
 * is NULL. */
char *heed__arena_text(heed__arena *arena, const char *text);
void *heed__arena_copy(heed__arena *arena, const void *bytes, size_t size);

void heed__arena_free(heed__arena *arena);

#endif
