/* core/story.h - descriptions of blocks for debug mode's messages. */
#ifndef HEED_CORE_STORY_H
#define HEED_CORE_STORY_H

#include "core/blocks.h"

#define HEED_STORY_MAX 384

/* A string builder on a buffer of fixed size. It truncates text that does not fit. */
typedef struct heed__words {
    char *text;
    size_t size, used;
} heed__words;

void heed__say(heed__words *words, const char *format, ...) HEED_PRINTF(2, 3);

/* Appends "12.3 MB". */
void heed__say_bytes(heed__words *words, size_t bytes);

/* Appends the functions that allocated: "nn_linear_forward: linear". */
void heed__say_way(heed__words *words, const heed__block_origin *origin);

/* Appends "f32 (8)" for a tensor, the size for other blocks. */
void heed__say_kind(heed__words *words, const heed__block *block);

/* Writes the whole description: "f32 (8), made by add at train.c:24 in net.3; its scope, begun at train.c:21, ended at
 * train.c:27". Requires the table's lock. */
void heed__story(const heed__block *block, char *text, size_t size);

#endif
