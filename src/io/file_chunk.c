/* io/file_chunk.c - the chunks of a file to be written. */

#include "io/file_chunk.h"

#include <stdint.h>

#include <heed/ops.h>

#include "io/elements.h"

bool heed__file_chunk_of(const char *where, heed_tensor *t, heed__file_chunk *chunk)
{
    const size_t element = heed_dtype_size(heed_dtype_of(t));
    int64_t size;
    if (__builtin_mul_overflow(heed_numel(t), (int64_t)element, &size) || size > INT64_MAX / 2)
        return heed_fail_false(HEED_ERR_UNSUPPORTED, where, "a view of shape %s has too many elements for a file",
                               heed_shape_text(heed_shape_of(t)).s);
    heed_tensor *rows = heed_contiguous(t);
    if (!rows)
        return false;
    *chunk = (heed__file_chunk){
        .bytes = heed_data_bytes(rows), .size = (size_t)size, .reversed = HEED_BIG_ENDIAN && element > 1 ? element : 0};
    return chunk->bytes != NULL;
}

static void reverse(const uint8_t *from, size_t size, size_t element, uint8_t *to)
{
    for (size_t at = 0; at < size; at += element)
        for (size_t i = 0; i < element; i++)
            to[at + i] = from[at + element - 1 - i];
}

bool heed__file_chunk_emit(const heed__file_chunk *chunk, heed__byte_sink *sink, void *user)
{
    uint8_t piece[2048]; /* a multiple of all element sizes */
    if (chunk->reversed == 0)
        return chunk->size == 0 || sink(user, chunk->bytes, chunk->size);
    for (size_t at = 0, n; at < chunk->size; at += n) {
        n = chunk->size - at < sizeof piece ? chunk->size - at : sizeof piece;
        reverse((const uint8_t *)chunk->bytes + at, n, chunk->reversed, piece);
        if (!sink(user, piece, n))
            return false;
    }
    return true;
}
