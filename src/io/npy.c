/* io/npy.c - reads and writes .npy (numpy.lib.format): "\x93NUMPY", two bytes of version, the size of the header in two
 * bytes (version 1) or four (2 and 3), the header, the elements. */

#include "io/npy.h"

#include <inttypes.h>
#include <string.h>

#include <heed/io.h>
#include <heed/memory.h>
#include <heed/scope.h>

#include "io/file_format.h"
#include "io/npy_header.h"
#include "io/replace.h"
#include "io/rows.h"

#define MAGIC "\x93NUMPY"
#define MAGIC_SIZE 6
#define HEADER_MAX 10000 /* NumPy's own limit */
#define ALIGNMENT 64     /* the elements' offset in the file is a multiple of this */

/* -- Reading ------------------------------------------------------------------------------------------------------ */

/* Reads the magic number and version. Returns the number of bytes of the header's size, or 0 after heed_fail. */
static size_t read_magic(heed__stream *stream)
{
    uint8_t magic[MAGIC_SIZE + 2];
    if (!heed__stream_read(stream, magic, sizeof magic))
        return 0;
    if (memcmp(magic, MAGIC, MAGIC_SIZE) != 0) {
        if (heed__check_stream_format(stream, HEED_FORMAT_NPY, magic, sizeof magic))
            heed_fail(HEED_ERR_FORMAT, stream->where, "%s is not an .npy file: it does not begin with \"\\x93NUMPY\"",
                      stream->name);
        return 0;
    }
    if (magic[6] < 1 || magic[6] > 3 || magic[7] != 0) {
        heed_fail(HEED_ERR_UNSUPPORTED, stream->where, "%s: version is %d.%d: must be 1.0, 2.0 or 3.0", stream->name,
                  magic[6], magic[7]);
        return 0;
    }
    return magic[6] == 1 ? 2 : 4;
}

static bool read_header(heed__stream *stream, heed__file_layout *layout)
{
    uint8_t size_bytes[4] = {0};
    size_t count = read_magic(stream);
    if (count == 0 || !heed__stream_read(stream, size_bytes, count))
        return false;
    uint32_t size =
        size_bytes[0] | (uint32_t)size_bytes[1] << 8 | (uint32_t)size_bytes[2] << 16 | (uint32_t)size_bytes[3] << 24;
    if (size > HEADER_MAX)
        return heed_fail_false(HEED_ERR_FORMAT, stream->where,
                               "%s has a header of %" PRIu32 " bytes: must be at most %d", stream->name, size,
                               HEADER_MAX);
    char *text = heed_alloc(HEADER_MAX);
    bool read = text && heed__stream_read(stream, text, size) && heed__npy_parse_header(stream, text, size, layout);
    heed_free(text, HEADER_MAX);
    return read;
}

bool heed__npy_layout(heed__stream *stream, heed__file_layout *layout, size_t *bytes)
{
    if (!read_header(stream, layout) || !heed__layout_bytes(stream, layout, bytes))
        return false;
    return *bytes == stream->left ||
           heed_fail_false(HEED_ERR_FORMAT, stream->where, "%s has %zu bytes of elements, but shape %s needs %zu",
                           stream->name, stream->left, heed_shape_text(layout->shape).s, *bytes);
}

heed_tensor *heed__npy_read(heed__stream *stream, size_t *remaining)
{
    heed__file_layout layout;
    size_t bytes;
    return heed__npy_layout(stream, &layout, &bytes) ? heed__read_tensor(stream, &layout, bytes, remaining) : NULL;
}

static heed_tensor *read_source(heed__source *source, size_t limit, const heed_io_read_options *options)
{
    source->stream.rows = heed__read_rows(options);
    heed_tensor *t = heed__npy_read(&source->stream, &limit);
    heed__source_close(source);
    return t;
}

heed_tensor *heed_io_npy_read(const char *path, const heed_io_read_options *options)
{
    HEED_ENTER("io_npy_read");
    size_t limit = heed__read_limit(options);
    heed__source source;
    return heed__source_open(&source, "io_npy_read", path, limit) ? read_source(&source, limit, options) : NULL;
}

heed_tensor *heed_io_npy_parse(const void *bytes, size_t size, const heed_io_read_options *options)
{
    HEED_ENTER("io_npy_parse");
    size_t limit = heed__read_limit(options);
    heed__source source;
    return heed__source_memory(&source, "io_npy_parse", "npy", bytes, size, limit)
               ? read_source(&source, limit, options)
               : NULL;
}

heed_dataset *heed_io_npy_dataset(const char *path)
{
    HEED_ENTER("io_npy_dataset");
    heed__source source;
    heed__rows_tensor t = {.converted = false};
    size_t bytes;
    if (!heed__source_open(&source, "io_npy_dataset", path, SIZE_MAX))
        return NULL;
    if (!heed__npy_layout(&source.stream, &t.layout, &bytes)) {
        heed__source_close(&source);
        return NULL;
    }
    t.offset = source.size - bytes;
    return heed__rows_dataset(&source, &t, 1);
}

/* -- Writing ------------------------------------------------------------------------------------------------------ */

/* Writes a shape as a Python tuple, "(3, 4)", and returns its length. A tuple of one element has a comma: "(3,)". */
static size_t format_shape(heed_shape shape, char *text, size_t size)
{
    size_t length = heed_shape_format(shape, text, size);
    if (shape.rank == 1) {
        text[length - 1] = ',';
        text[length++] = ')';
        text[length] = '\0';
    }
    return length;
}

size_t heed__npy_header(heed_dtype dtype, heed_shape shape, char header[HEED_NPY_HEADER_MAX])
{
    char dims[192];
    heed__element element = heed__element_of(dtype);
    (void)format_shape(shape, dims, sizeof dims);
    const size_t prefix = MAGIC_SIZE + 4;
    int length = snprintf(header + prefix, HEED_NPY_HEADER_MAX - prefix,
                          "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': %s, }", dtype == HEED_BOOL ? '|' : '<',
                          heed__element_kind(element), heed__element_size(element), dims);
    size_t used = prefix + (size_t)length, size = (used + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    memset(header + used, ' ', size - used);
    header[size - 1] = '\n';
    memcpy(header, MAGIC "\x01\x00", MAGIC_SIZE + 2);
    header[8] = (char)((size - prefix) & 0xFF);
    header[9] = (char)((size - prefix) >> 8);
    return size;
}

heed_status heed_io_npy_write(const char *path, heed_tensor *t)
{
    static const char where[] = "io_npy_write";
    HEED_ENTER(where);
    if (!path || !t)
        return heed_fail(HEED_ERR_ARGUMENT, where, "%s is NULL", path ? "the tensor" : "path");
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return HEED_ERR_NOMEM;
    char header[HEED_NPY_HEADER_MAX];
    heed__file_chunk chunks[2] = {
        {.bytes = header, .size = heed__npy_header(heed_dtype_of(t), heed_shape_of(t), header)}};
    heed_status status =
        heed__file_chunk_of(where, t, &chunks[1]) ? heed__replace_file(where, path, chunks, 2) : heed_error_code();
    heed_scope_end(scope);
    return status;
}
