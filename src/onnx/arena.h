/* onnx/arena.h - memory for many small things that go together. */
#ifndef HEED_ONNX_ARENA_H
#define HEED_ONNX_ARENA_H

#include <stddef.h>

/* All zeros: empty. */
typedef struct heed__arena {
    struct heed__arena_block *blocks;
} heed__arena;

/* count things of `size` bytes each, zeroed, which live until the arena is freed. NULL after heed_fail. */
void *heed__arena_take(heed__arena *arena, size_t count, size_t size);

/* A copy of a text, or of any bytes. NULL after heed_fail, and for NULL. */
char *heed__arena_text(heed__arena *arena, const char *text);
void *heed__arena_copy(heed__arena *arena, const void *bytes, size_t size);

void heed__arena_free(heed__arena *arena);

#endif
