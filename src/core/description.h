/* core/description.h - descriptions of blocks for debug mode's messages. */
#ifndef HEED_CORE_DESCRIPTION_H
#define HEED_CORE_DESCRIPTION_H

#include "core/blocks.h"

#define HEED_DESCRIPTION_MAX 384

/* A string builder on a buffer of fixed size. It truncates text that does not fit. */
typedef struct heed__string_builder {
    char *text;
    size_t size, used;
} heed__string_builder;

void heed__append(heed__string_builder *builder, const char *format, ...) HEED_PRINTF(2, 3);

/* Appends "12.3 MB". */
void heed__append_bytes(heed__string_builder *builder, size_t bytes);

/* Appends the functions that allocated: "nn_linear_forward: linear". */
void heed__append_functions(heed__string_builder *builder, const heed__block_origin *origin);

/* Appends "f32 (8)" for a tensor, the size for other blocks. */
void heed__append_kind(heed__string_builder *builder, const heed__block *block);

/* Writes the whole description: "f32 (8), made by add at train.c:24 in net.3; its scope, begun at train.c:21, ended at
 * train.c:27". Requires the table's lock. */
void heed__describe_block(const heed__block *block, char *text, size_t size);

#endif
