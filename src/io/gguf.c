/* io/gguf.c - reads .gguf files: a header, metadata, tensor descriptions, padding, and the elements.
 *
 *     "GGUF", version, tensors, keys; key, type and value of every key; name, dims, type and offset of every tensor
 *
 * The offset of the elements is known only after the last tensor's description, so the descriptions are read twice. The
 * first pass checks all of them. The second pass reads every description again, and then that tensor's elements. No
 * allocation is larger than the file's size allows: the bytes of a string, the bytes that a tensor's shape needs, and
 * the bytes of all tensors together must be in the file. */
#include <inttypes.h>
#include <string.h>

#include <heed/io.h>
#include <heed/memory.h>
#include <heed/scope.h>

#include "io/elements.h"
#include "io/file_format.h"
#include "io/gguf.h"
#include "io/ranges.h"

#define ALIGNMENT 32 /* default if general.alignment is missing */
#define Q8_0 8

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
} tensor_info;

static bool fail(const heed__gguf *g, const char *reason)
{
    return heed_fail_false(HEED_ERR_FORMAT, g->source->stream.where, "%s: tensor \"%s\" %s", g->source->stream.name,
                           heed__excerpt(g->name, strlen(g->name)).s, reason);
}

/* -- A tensor's description --------------------------------------------------------------------------------------- */

/* Reads the dims of a tensor. The file lists the fastest axis first, so the order is reversed. */
static bool read_shape(heed__gguf *g, heed_shape *shape)
{
    uint64_t rank, size;
    if (!heed__gguf_number(g, 4, &rank))
        return false;
    if (rank > HEED_MAX_RANK)
        return heed_fail_false(HEED_ERR_UNSUPPORTED, g->source->stream.where,
                               "%s: tensor \"%s\" has %" PRIu64 " dims: must be at most %d", g->source->stream.name,
                               heed__excerpt(g->name, strlen(g->name)).s, rank, HEED_MAX_RANK);
    *shape = (heed_shape){.rank = (int)rank};
    for (int i = shape->rank - 1; i >= 0; i--) {
        if (!heed__gguf_number(g, 8, &size))
            return false;
        if (size > INT64_MAX)
            return fail(g, "has a dim of 2^63 or more");
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
    return heed_fail_false(
        HEED_ERR_UNSUPPORTED, g->source->stream.where,
        "%s: tensor \"%s\": type %s is not supported: must be F32, F16, BF16, F64, Q8_0, I8, I16, I32 "
        "or I64",
        g->source->stream.name, heed__excerpt(g->name, strlen(g->name)).s,
        type < N_TYPES && types[type].name ? types[type].name : number);
}

static bool find_size(const heed__gguf *g, tensor_info *p)
{
    const heed_shape shape = p->layout.shape;
    if (!p->blocks)
        return heed__layout_bytes(&g->source->stream, &p->layout, &p->bytes);
    if (shape.rank == 0 || shape.dims[shape.rank - 1] % HEED_GGUF_BLOCK != 0)
        return fail(g, "has a last dim that is not a multiple of 32, the block size of Q8_0");
    const int64_t count = heed_shape_numel(shape);
    return (count >= 0 && !__builtin_mul_overflow(count / HEED_GGUF_BLOCK, HEED_GGUF_BLOCK_BYTES, &p->bytes)) ||
           fail(g, "has too many elements");
}

static bool read_tensor_info(heed__gguf *g, tensor_info *p)
{
    uint64_t type;
    if (!heed__gguf_name(g, "tensor") || !read_shape(g, &p->layout.shape) || !heed__gguf_number(g, 4, &type) ||
        !heed__gguf_number(g, 8, &p->offset) || !find_type(g, type, p) || !find_size(g, p))
        return false;
    return p->offset % g->alignment == 0 ||
           heed_fail_false(HEED_ERR_FORMAT, g->source->stream.where,
                           "%s: tensor \"%s\" has offset %" PRIu64 ": must be a multiple of the alignment, %zu",
                           g->source->stream.name, heed__excerpt(g->name, strlen(g->name)).s, p->offset, g->alignment);
}

/* -- Tensors ------------------------------------------------------------------------------------------------------ */

typedef struct elements {
    size_t begin, size, claimed; /* offset in the file; bytes; bytes that tensors read so far claim */
    heed__ranges ranges;
} elements;

/* Records the byte range of a tensor's elements. Returns false after heed_fail if the range is outside the file, or if
 * all tensors so far claim more bytes than the file holds. */
static bool claim_range(const heed__gguf *g, elements *e, const tensor_info *p)
{
    if (p->offset > e->size || p->bytes > e->size - p->offset)
        return fail(g, "has elements outside of the file");
    if (p->bytes > e->size - e->claimed)
        return fail(g, "overlaps a different tensor");
    e->claimed += p->bytes;
    const size_t begin = (size_t)p->offset;
    return p->bytes == 0 || heed__ranges_add(&e->ranges, (heed__range){begin, begin + p->bytes});
}

static bool load_tensor(heed__gguf *g, const elements *e, const tensor_info *p)
{
    heed__stream *stream = &g->source->stream;
    const size_t left = stream->left; /* unread bytes of the file after those in g->buffer */
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return false;
    heed__source_seek(g->source, e->begin + (size_t)p->offset);
    heed_tensor *t = p->blocks ? heed__gguf_read_blocks(stream, p->layout.shape, &g->remaining)
                               : heed__read_tensor(stream, &p->layout, p->bytes, &g->remaining);
    bool done = t && heed_dict_set(g->dict, g->name, t) == HEED_OK;
    heed_scope_end(scope);
    stream->left = left;
    return done;
}

static bool read_tensor(heed__gguf *g, elements *e)
{
    tensor_info p = {.offset = 0};
    if (!read_tensor_info(g, &p))
        return false;
    if (heed_dict_has(g->dict, g->name))
        return fail(g, "is duplicated");
    return claim_range(g, e, &p) &&
           heed__charge_memory(&g->source->stream, &g->remaining, HEED_TENSOR_COST + strlen(g->name)) &&
           load_tensor(g, e, &p);
}

static bool check_overlap(const heed__gguf *g, const heed__ranges *ranges)
{
    heed__sort_ranges(ranges->list, ranges->count);
    for (size_t i = 1; i < ranges->count; i++)
        if (ranges->list[i].begin < ranges->list[i - 1].end)
            return heed_fail_false(HEED_ERR_FORMAT, g->source->stream.where, "%s: its tensors overlap",
                                   g->source->stream.name);
    return true;
}

static bool read_tensors(heed__gguf *g, uint64_t count)
{
    const size_t first_info = heed__gguf_position(g), size = g->source->size;
    tensor_info p = {.offset = 0};
    for (uint64_t i = 0; i < count; i++)
        if (!read_tensor_info(g, &p))
            return false;
    const size_t end = heed__gguf_position(g), padding = (g->alignment - end % g->alignment) % g->alignment;
    elements e = {.begin = padding < size - end ? end + padding : size};
    e.size = size - e.begin;
    heed__gguf_seek(g, first_info);
    bool done = true;
    for (uint64_t i = 0; done && i < count; i++)
        done = read_tensor(g, &e);
    done = done && check_overlap(g, &e.ranges);
    heed__ranges_free(&e.ranges);
    return done;
}

/* -- Interface ---------------------------------------------------------------------------------------------------- */

static bool read_header(heed__gguf *g, uint64_t *tensors, uint64_t *keys)
{
    heed__stream *stream = &g->source->stream;
    char magic[4];
    uint64_t version;
    if (!heed__gguf_read(g, magic, sizeof magic))
        return false;
    if (memcmp(magic, "GGUF", sizeof magic) != 0)
        return heed__check_stream_format(stream, HEED_FORMAT_GGUF, NULL, 0) &&
               heed_fail_false(HEED_ERR_FORMAT, stream->where,
                               "%s is not a .gguf file: it does not begin with \"GGUF\"", stream->name);
    if (!heed__gguf_number(g, 4, &version))
        return false;
    if (version > 0 && version % 65536 == 0)
        return heed_fail_false(HEED_ERR_UNSUPPORTED, stream->where, "%s is big-endian: must be little-endian",
                               stream->name);
    if (version != 2 && version != 3)
        return heed_fail_false(HEED_ERR_UNSUPPORTED, stream->where, "%s: version is %" PRIu64 ": must be 2 or 3",
                               stream->name, version);
    return heed__gguf_number(g, 8, tensors) && heed__gguf_number(g, 8, keys);
}

static bool read_all(heed__gguf *g)
{
    uint64_t tensors = 0, keys = 0;
    if (!g->dict || !g->arrays || !read_header(g, &tensors, &keys))
        return false;
    for (uint64_t i = 0; i < keys; i++)
        if (!heed__gguf_read_value(g))
            return false;
    return read_tensors(g, tensors);
}

static heed_dict *read_source(heed__source *source, size_t limit, const heed_io_read_options *options)
{
    heed__gguf *g = heed_calloc(1, sizeof *g);
    heed_dict *dict = NULL;
    if (g) {
        g->source = source;
        g->remaining = limit;
        g->alignment = ALIGNMENT;
        source->stream.rows = heed__read_rows(options);
        dict = g->dict = heed_dict_new();
        g->arrays = dict ? heed_dict_new() : NULL;
        if (!read_all(g)) {
            heed_dict_free(dict);
            dict = NULL;
        }
        heed_dict_free(g->arrays);
        heed_free(g, sizeof *g);
    }
    heed__source_close(source);
    return dict;
}

heed_dict *heed_io_gguf_read(const char *path, const heed_io_read_options *options)
{
    HEED_ENTER("io_gguf_read");
    size_t limit = heed__read_limit(options);
    heed__source source;
    return heed__source_open(&source, "io_gguf_read", path, limit) ? read_source(&source, limit, options) : NULL;
}

heed_dict *heed_io_gguf_parse(const void *bytes, size_t size, const heed_io_read_options *options)
{
    HEED_ENTER("io_gguf_parse");
    size_t limit = heed__read_limit(options);
    heed__source source;
    return heed__source_memory(&source, "io_gguf_parse", "gguf", bytes, size, limit)
               ? read_source(&source, limit, options)
               : NULL;
}
