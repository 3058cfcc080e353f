/* io/gguf_blocks.c - Q8_0: blocks of 32 elements, stored as a scale in f16 and 32 factors in i8. */

#include <inttypes.h>

#include <heed/memory.h>
#include <heed/scope.h>

#include "io/elements.h"
#include "io/gguf.h"

#define CHUNK_BLOCKS 1024

static void unpack(const uint8_t *block, float *out)
{
    const float scale = heed__f16_value((uint32_t)block[0] | (uint32_t)block[1] << 8);
    for (int i = 0; i < HEED_GGUF_BLOCK; i++)
        out[i] = scale * (float)(int8_t)block[2 + i];
}

static bool read_blocks(heed__stream *stream, float *out, size_t count)
{
    const size_t chunk_bytes = (size_t)CHUNK_BLOCKS * HEED_GGUF_BLOCK_BYTES;
    uint8_t *chunk = heed_alloc(chunk_bytes);
    bool done = chunk != NULL;
    for (size_t n; done && count > 0; count -= n) {
        n = count < CHUNK_BLOCKS ? count : CHUNK_BLOCKS;
        done = heed__stream_read(stream, chunk, n * HEED_GGUF_BLOCK_BYTES);
        for (size_t i = 0; done && i < n; i++, out += HEED_GGUF_BLOCK)
            unpack(chunk + i * HEED_GGUF_BLOCK_BYTES, out);
    }
    heed_free(chunk, chunk_bytes);
    return done;
}

/* Restricts a shape to the requested rows, and sets *before to the number of elements before these rows. Returns false
 * after heed_fail. */
static bool choose_rows(const heed__stream *stream, heed_shape *shape, int64_t *before)
{
    heed__row_range rows = stream->rows;
    const int64_t all = heed_shape_numel(*shape), row = shape->dims[0] > 0 ? all / shape->dims[0] : 0;
    *before = 0;
    if (rows.first == 0 && rows.count == 0)
        return true;
    if (!heed__choose_rows(stream->where, stream->name, shape, &rows))
        return false;
    *before = rows.first * row;
    if (*before % HEED_GGUF_BLOCK == 0 && rows.count * row % HEED_GGUF_BLOCK == 0)
        return true;
    return heed_fail_false(HEED_ERR_UNSUPPORTED, stream->where,
                           "%s: first is %" PRId64 " and rows is %" PRId64
                           ": must be multiples of %d, the block size of Q8_0",
                           stream->name, rows.first, rows.count, HEED_GGUF_BLOCK);
}

heed_tensor *heed__gguf_read_blocks(heed__stream *stream, heed_shape shape, size_t *remaining)
{
    int64_t before;
    if (!choose_rows(stream, &shape, &before))
        return NULL;
    const size_t count = (size_t)heed_shape_numel(shape), first = (size_t)(before / HEED_GGUF_BLOCK);
    heed_scope *scope = heed__charge_memory(stream, remaining, count * sizeof(float)) ? heed_scope_begin() : NULL;
    if (!scope)
        return NULL;
    heed_tensor *t = heed_empty(HEED_F32, shape);
    float *data = t ? heed_mutable_f32(t) : NULL;
    if (!data || !heed__stream_skip(stream, first * HEED_GGUF_BLOCK_BYTES) ||
        !read_blocks(stream, data, count / HEED_GGUF_BLOCK))
        t = NULL;
    return heed_scope_return(scope, t);
}
