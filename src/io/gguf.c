/* io/gguf.c - reads .gguf files: a header, metadata, tensor descriptions, padding, and the elements.
 *
 *     "GGUF", version, tensors, keys; key, type and value of every key; name, dims, type and offset of every tensor
 *
 * The offset of the elements is known only after the last tensor's description, so the descriptions are read twice. The
 * first pass checks all of them. The second pass reads every description again, and then that tensor's elements. No
 * allocation is larger than the file's size allows: the bytes of a string, the bytes that a tensor's shape needs, and
 * the bytes of all tensors together must be in the file.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include <heed/io.h>
#include <heed/memory.h>
#include <heed/scope.h>

#include "io/elements.h"
#include "io/gguf.h"

#define ALIGNMENT 32 /* default if general.alignment is missing */
#define Q8_0 8
#define BLOCK 32       /* elements that share a scale in Q8_0 */
#define BLOCK_BYTES 34 /* the scale, f16, and the elements, i8 */
#define CHUNK_BLOCKS 1024

/* The types of tensors, indexed by their numbers in the format. Unsupported types lack `element`; their name is for
 * messages. */
static const struct {
    const char *name, *element; /* name in safetensors */
} types[] = {[0] = {"F32", "F32"},     [1] = {"F16", "F16"},    [2] = {"Q4_0", NULL},     [3] = {"Q4_1", NULL},
             [6] = {"Q5_0", NULL},     [7] = {"Q5_1", NULL},    [Q8_0] = {"Q8_0", NULL},  [9] = {"Q8_1", NULL},
             [10] = {"Q2_K", NULL},    [11] = {"Q3_K", NULL},   [12] = {"Q4_K", NULL},    [13] = {"Q5_K", NULL},
             [14] = {"Q6_K", NULL},    [15] = {"Q8_K", NULL},   [16] = {"IQ2_XXS", NULL}, [17] = {"IQ2_XS", NULL},
             [18] = {"IQ3_XXS", NULL}, [19] = {"IQ1_S", NULL},  [20] = {"IQ4_NL", NULL},  [21] = {"IQ3_S", NULL},
             [22] = {"IQ2_S", NULL},   [23] = {"IQ4_XS", NULL}, [24] = {"I8", "I8"},      [25] = {"I16", "I16"},
             [26] = {"I32", "I32"},    [27] = {"I64", "I64"},   [28] = {"F64", "F64"},    [29] = {"IQ1_M", NULL},
             [30] = {"BF16", "BF16"},  [34] = {"TQ1_0", NULL},  [35] = {"TQ2_0", NULL},   [39] = {"MXFP4", NULL}};
#define N_TYPES (sizeof types / sizeof types[0])

/* Description of a tensor in the file; its name is g->name. */
typedef struct tensor_info {
    heed__file_layout layout;
    bool blocks; /* true for Q8_0; otherwise layout.element is the type */
    size_t bytes;
    uint64_t offset; /* relative to the beginning of the elements */
    bool requested;  /* if false, type and size are unknown */
} tensor_info;

static bool fail_info(const heed__gguf *g, const char *reason)
{
    return heed__tensor_fail(&g->stream, HEED_ERR_FORMAT, g->name, " %s", reason);
}

/* -- A tensor's description ---------------------------------------------------------------------------------------- */

/* Reads the dims of a tensor. The file lists the fastest axis first, so the order is reversed. */
static bool read_gguf_shape(heed__gguf *g, heed_shape *shape)
{
    uint64_t rank, size;
    if (!heed__gguf_number(g, 4, &rank))
        return false;
    if (rank > HEED_MAX_RANK)
        return heed__tensor_fail(&g->stream, HEED_ERR_UNSUPPORTED, g->name, " has %" PRIu64 " dims: must be at most %d",
                                 rank, HEED_MAX_RANK);
    *shape = (heed_shape){.rank = (int)rank};
    for (int i = shape->rank - 1; i >= 0; i--) {
        if (!heed__gguf_number(g, 8, &size))
            return false;
        if (size > INT64_MAX)
            return fail_info(g, "has a dim of 2^63 or more");
        shape->dims[i] = (int64_t)size;
    }
    return true;
}

static bool find_type(const heed__gguf *g, uint64_t type, tensor_info *p)
{
    char number[32];
    p->blocks = type == Q8_0;
    if (p->blocks ||
        (type < N_TYPES && types[type].element && heed__element_named(types[type].element, &p->layout.element)))
        return true;
    (void)snprintf(number, sizeof number, "number %" PRIu64, type);
    return heed__tensor_fail(&g->stream, HEED_ERR_UNSUPPORTED, g->name,
                             ": type %s is not supported: must be F32, F16, BF16, F64, Q8_0, I8, I16, I32 or I64",
                             type < N_TYPES && types[type].name ? types[type].name : number);
}

static bool find_size(const heed__gguf *g, tensor_info *p)
{
    const heed_shape shape = p->layout.shape;
    if (!p->blocks)
        return heed__layout_bytes(&g->stream, &p->layout, &p->bytes);
    if (shape.rank == 0 || shape.dims[shape.rank - 1] % BLOCK != 0)
        return fail_info(g, "has a last dim that is not a multiple of 32, the block size of Q8_0");
    const int64_t count = heed_shape_numel(shape);
    return (count >= 0 && !__builtin_mul_overflow(count / BLOCK, BLOCK_BYTES, &p->bytes)) ||
           fail_info(g, "has too many elements");
}

static bool read_tensor_info(heed__gguf *g, tensor_info *p)
{
    uint64_t type;
    if (!heed__gguf_name(g, "tensor") || !read_gguf_shape(g, &p->layout.shape) || !heed__gguf_number(g, 4, &type) ||
        !heed__gguf_number(g, 8, &p->offset))
        return false;
    p->requested = heed__is_requested(&g->source->stream, g->name, strlen(g->name));
    if (p->requested && (!find_type(g, type, p) || !find_size(g, p)))
        return false;
    return p->offset % g->alignment == 0 ||
           heed__tensor_fail(&g->stream, HEED_ERR_FORMAT, g->name,
                             " has offset %" PRIu64 ": must be a multiple of the alignment, %zu", p->offset,
                             g->alignment);
}

/* -- Q8_0: blocks of 32 elements, stored as a scale in f16 and 32 factors in i8 ------------------------------------ */

static bool read_blocks(heed__stream *stream, float *out, size_t count)
{
    const size_t chunk_bytes = (size_t)CHUNK_BLOCKS * BLOCK_BYTES;
    uint8_t *chunk = heed_alloc(chunk_bytes);
    bool done = chunk != NULL;
    for (size_t n; done && count > 0; count -= n) {
        n = count < CHUNK_BLOCKS ? count : CHUNK_BLOCKS;
        done = heed__stream_read(stream, chunk, n * BLOCK_BYTES);
        for (size_t i = 0; done && i < n; i++, out += BLOCK) {
            const uint8_t *block = chunk + i * BLOCK_BYTES;
            const float scale = heed__f16_value((uint32_t)heed__little_endian(block, 2));
            for (int k = 0; k < BLOCK; k++)
                out[k] = scale * (float)(int8_t)block[2 + k];
        }
    }
    heed_free(chunk, chunk_bytes);
    return done;
}

/* Restricts a shape to the requested rows, and sets *before to the number of elements before these rows. Returns false
 * after heed_fail. */
static bool choose_blocks(const heed__stream *stream, heed_shape *shape, int64_t *before)
{
    heed__row_range rows = stream->rows;
    const int64_t all = heed_shape_numel(*shape), row = shape->dims[0] > 0 ? all / shape->dims[0] : 0;
    *before = 0;
    if (rows.first == 0 && rows.count == 0)
        return true;
    if (!heed__choose_rows(stream->where, stream->name, shape, &rows))
        return false;
    *before = rows.first * row;
    if (*before % BLOCK == 0 && rows.count * row % BLOCK == 0)
        return true;
    return heed__stream_fail(stream, HEED_ERR_UNSUPPORTED,
                             ": first is %" PRId64 " and rows is %" PRId64
                             ": must be multiples of %d, the block size of Q8_0",
                             rows.first, rows.count, BLOCK);
}

/* Reads the rows stream->rows of a Q8_0 tensor as f32. The file must contain all its blocks. The tensor is borrowed
 * from the innermost scope. Returns NULL with the errors of heed__read_tensor, and with HEED_ERR_UNSUPPORTED if the
 * rows begin or end within a block. */
static heed_tensor *read_q8_0(heed__stream *stream, heed_shape shape)
{
    int64_t before;
    if (!choose_blocks(stream, &shape, &before))
        return NULL;
    const size_t count = (size_t)heed_shape_numel(shape), first = (size_t)(before / BLOCK);
    heed_scope *scope = heed__charge_memory(stream, count * sizeof(float)) ? heed_scope_begin() : NULL;
    if (!scope)
        return NULL;
    heed_tensor *t = heed_empty(HEED_F32, shape);
    float *data = t ? heed_mutable_f32(t) : NULL;
    if (!data || !heed__stream_skip(stream, first * BLOCK_BYTES) || !read_blocks(stream, data, count / BLOCK))
        t = NULL;
    return heed_scope_return(scope, t);
}

/* -- Tensors ------------------------------------------------------------------------------------------------------- */

/* The part of the file with the elements of all tensors: its offset and the ranges that tensors claim in it. */
typedef struct tensor_data {
    size_t begin;
    heed__ranges ranges;
} tensor_data;

static bool load_tensor(heed__gguf *g, const tensor_data *data, const tensor_info *p)
{
    heed__stream *stream = &g->source->stream;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return false;
    heed__source_seek(g->source, data->begin + (size_t)p->offset);
    heed_tensor *t = p->blocks ? read_q8_0(stream, p->layout.shape) : heed__read_tensor(stream, &p->layout, p->bytes);
    bool done = t && heed_dict_set(g->dict, g->name, t) == HEED_OK;
    heed_scope_end(scope);
    return done;
}

static bool read_gguf_tensor(heed__gguf *g, tensor_data *data)
{
    tensor_info p = {.offset = 0};
    if (!read_tensor_info(g, &p))
        return false;
    if (!p.requested)
        return true;
    if (heed_dict_has(g->dict, g->name))
        return fail_info(g, "is duplicated");
    if (p.offset > data->ranges.size || p.bytes > data->ranges.size - p.offset)
        return fail_info(g, "has elements outside of the file");
    const heed__range range = {(size_t)p.offset, (size_t)p.offset + p.bytes};
    return (p.bytes == 0 || heed__ranges_claim(&data->ranges, &g->stream, g->name, range)) &&
           heed__charge_memory(&g->stream, HEED_TENSOR_COST + strlen(g->name)) && load_tensor(g, data, &p);
}

static bool check_overlap(const heed__gguf *g, const heed__ranges *ranges)
{
    heed__sort_ranges(ranges->list, ranges->count);
    for (size_t i = 1; i < ranges->count; i++)
        if (ranges->list[i].begin < ranges->list[i - 1].end)
            return heed__stream_fail(&g->stream, HEED_ERR_FORMAT, ": its tensors overlap");
    return true;
}

static bool read_gguf_tensors(heed__gguf *g, uint64_t count)
{
    const size_t infos = g->stream.left, size = g->source->size;
    tensor_info p = {.offset = 0};
    for (uint64_t i = 0; i < count; i++)
        if (!read_tensor_info(g, &p))
            return false;
    const size_t end = size - g->stream.left, padding = (g->alignment - end % g->alignment) % g->alignment;
    tensor_data data = {.begin = padding < size - end ? end + padding : size};
    data.ranges.size = size - data.begin;
    g->stream.left = infos;
    bool done = true;
    for (uint64_t i = 0; done && i < count; i++)
        done = read_gguf_tensor(g, &data);
    done = done && check_overlap(g, &data.ranges);
    heed__ranges_free(&data.ranges);
    return done;
}

/* -- The file ------------------------------------------------------------------------------------------------------ */

static bool read_gguf_header(heed__gguf *g, uint64_t *tensors, uint64_t *keys)
{
    char magic[4];
    uint64_t version;
    if (!heed__stream_read(&g->stream, magic, sizeof magic))
        return false;
    if (memcmp(magic, "GGUF", sizeof magic) != 0)
        return heed__check_stream_format(&g->source->stream, HEED_FORMAT_GGUF, NULL, 0) &&
               heed__stream_fail(&g->stream, HEED_ERR_FORMAT, " is not a .gguf file: it does not begin with \"GGUF\"");
    if (!heed__gguf_number(g, 4, &version))
        return false;
    if (version > 0 && version % 65536 == 0)
        return heed__stream_fail(&g->stream, HEED_ERR_UNSUPPORTED, " is big-endian: must be little-endian");
    if (version != 2 && version != 3)
        return heed__stream_fail(&g->stream, HEED_ERR_UNSUPPORTED, ": version is %" PRIu64 ": must be 2 or 3", version);
    return heed__gguf_number(g, 8, tensors) && heed__gguf_number(g, 8, keys);
}

static bool read_gguf_content(heed__gguf *g)
{
    uint64_t tensors = 0, keys = 0;
    if (!g->dict || !g->arrays || !read_gguf_header(g, &tensors, &keys))
        return false;
    for (uint64_t i = 0; i < keys; i++)
        if (!heed__gguf_read_value(g))
            return false;
    return read_gguf_tensors(g, tensors) && heed__check_requested(&g->source->stream, g->dict);
}

static void *read_gguf(heed__source *source)
{
    heed__gguf *g = heed_calloc(1, sizeof *g);
    if (!g)
        return NULL;
    heed__gguf_begin(g, source);
    g->alignment = ALIGNMENT;
    g->dict = heed_dict_new();
    g->arrays = g->dict ? heed_dict_new() : NULL;
    heed_dict *dict = read_gguf_content(g) ? g->dict : NULL;
    if (!dict)
        heed_dict_free(g->dict);
    heed_dict_free(g->arrays);
    heed_free(g, sizeof *g);
    return dict;
}

heed_dict *heed_io_gguf_read(const char *path, const heed_io_read_options *options)
{
    HEED_ENTER("io_gguf_read");
    return heed__read_source("io_gguf_read", "gguf", path, options, read_gguf);
}
