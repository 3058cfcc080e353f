/* core/story.h - what debug mode's table says of a block, in words. */
#ifndef HEED_CORE_STORY_H
#define HEED_CORE_STORY_H

#include "core/blocks.h"

#define HEED_STORY_MAX 384

/* A text that grows as long as there is room. */
typedef struct heed__words {
    char *text;
    size_t size, used;
} heed__words;

void heed__say(heed__words *words, const char *format, ...) HEED_PRINTF(2, 3);

/* "12.3 MB" */
void heed__say_bytes(heed__words *words, size_t bytes);

/* "nn_linear_forward: linear", what has asked for blocks. */
void heed__say_way(heed__words *words, const heed__block_origin *origin);

/* "f32 (8)" for a tensor, its size for another block. */
void heed__say_kind(heed__words *words, const heed__block *block);

/* The whole of it: "f32 (8), made by add at train.c:24 in net.3; its scope, begun at train.c:21, ended at train.c:27".
 * Under the table's lock. */
void heed__story(const heed__block *block, char *text, size_t size);

#endif
