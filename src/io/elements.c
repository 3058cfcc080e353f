/* io/elements.c - reads the elements of tensors.
 *
 * If elements have the same layout in the file as in memory, they are read directly into the tensor. Other elements are
 * read in chunks and converted one by one, so that at most one chunk is in memory in addition to the tensor. */
#include <inttypes.h>
#include <string.h>

#include <heed/memory.h>
#include <heed/scope.h>

#include "io/elements.h"

#define CHUNK_BYTES ((size_t)64 << 10) /* a multiple of all element sizes */

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ && __BYTE_ORDER__ != __ORDER_BIG_ENDIAN__
#error "numbers must lie in memory with their bytes in order, or in reverse order"
#endif

static const struct {
    const char *name; /* name of the type in safetensors */
    char kind;        /* kind of the type in .npy; 0 if .npy lacks the type */
    uint8_t size;
    heed_dtype dtype; /* dtype of tensors read from it */
} elements[] = {
    [HEED_ELEMENT_F16] = {"F16", 'f', 2, HEED_F32}, [HEED_ELEMENT_BF16] = {"BF16", 0, 2, HEED_F32},
    [HEED_ELEMENT_F32] = {"F32", 'f', 4, HEED_F32}, [HEED_ELEMENT_F64] = {"F64", 'f', 8, HEED_F64},
    [HEED_ELEMENT_I8] = {"I8", 'i', 1, HEED_I64},   [HEED_ELEMENT_I16] = {"I16", 'i', 2, HEED_I64},
    [HEED_ELEMENT_I32] = {"I32", 'i', 4, HEED_I64}, [HEED_ELEMENT_I64] = {"I64", 'i', 8, HEED_I64},
    [HEED_ELEMENT_U8] = {"U8", 'u', 1, HEED_I64},   [HEED_ELEMENT_U16] = {"U16", 'u', 2, HEED_I64},
    [HEED_ELEMENT_U32] = {"U32", 'u', 4, HEED_I64}, [HEED_ELEMENT_BOOL] = {"BOOL", 'b', 1, HEED_BOOL},
};
#define ELEMENTS (sizeof elements / sizeof elements[0])

bool heed__element_named(const char *name, heed__element *element)
{
    for (size_t i = 0; i < ELEMENTS; i++)
        if (strcmp(elements[i].name, name) == 0) {
            *element = (heed__element)i;
            return true;
        }
    return false;
}

bool heed__element_of_kind(char kind, size_t size, heed__element *element)
{
    for (size_t i = 0; i < ELEMENTS; i++)
        if (kind && elements[i].kind == kind && elements[i].size == size) { /* BF16 has kind 0 and never matches */
            *element = (heed__element)i;
            return true;
        }
    return false;
}

heed__element heed__element_of(heed_dtype dtype)
{
    static const heed__element written[] = {[HEED_F32] = HEED_ELEMENT_F32,
                                            [HEED_F64] = HEED_ELEMENT_F64,
                                            [HEED_I64] = HEED_ELEMENT_I64,
                                            [HEED_BOOL] = HEED_ELEMENT_BOOL};
    return written[dtype];
}

size_t heed__element_size(heed__element element)
{
    return elements[element].size;
}

const char *heed__element_name(heed__element element)
{
    return elements[element].name;
}

heed_dtype heed__element_dtype(heed__element element)
{
    return elements[element].dtype;
}

char heed__element_kind(heed__element element)
{
    return elements[element].kind;
}

bool heed__layout_bytes(const heed__stream *stream, const heed__file_layout *layout, size_t *bytes)
{
    int64_t numel = heed_shape_numel(layout->shape);
    if (numel >= 0 && !__builtin_mul_overflow(numel, elements[layout->element].size, bytes))
        return true;
    return heed_fail_false(HEED_ERR_FORMAT, stream->where, "%s: shape %s has too many elements", stream->name,
                           heed_shape_text(layout->shape).s);
}

/* -- One element -------------------------------------------------------------------------------------------------- */

static uint64_t bits_at(const uint8_t *bytes, size_t size, bool big_endian)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++)
        bits = bits << 8 | bytes[big_endian ? i : size - 1 - i];
    return bits;
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

float heed__f16_value(uint32_t half)
{
    uint32_t sign = (half & 0x8000u) << 16, exponent = half >> 10 & 31, fraction = half & 0x3FFu;
    if (exponent == 0) {
        float value = (float)fraction * 0x1p-24f;
        return sign ? -value : value;
    }
    return float_of(sign | (exponent == 31 ? 255 : exponent + 112) << 23 | fraction << 13);
}

static int64_t integer_of(heed__element element, uint64_t bits)
{
    switch (element) {
    case HEED_ELEMENT_I8:
        return (int8_t)bits;
    case HEED_ELEMENT_I16:
        return (int16_t)bits;
    case HEED_ELEMENT_I32:
        return (int32_t)bits;
    default:
        return (int64_t)bits;
    }
}

static void store(heed__element element, uint64_t bits, void *data, int64_t index)
{
    switch (element) {
    case HEED_ELEMENT_F16:
        ((float *)data)[index] = heed__f16_value((uint32_t)bits);
        return;
    case HEED_ELEMENT_BF16:
        ((float *)data)[index] = float_of((uint32_t)bits << 16);
        return;
    case HEED_ELEMENT_F32:
        ((float *)data)[index] = float_of((uint32_t)bits);
        return;
    case HEED_ELEMENT_F64:
        memcpy((double *)data + index, &bits, sizeof bits);
        return;
    case HEED_ELEMENT_BOOL:
        ((bool *)data)[index] = bits != 0;
        return;
    default:
        ((int64_t *)data)[index] = integer_of(element, bits);
    }
}

/* -- All elements -------------------------------------------------------------------------------------------------- */

/* Iterates over elements in the order of the file. `offset` is the current element's index in row-major order. */
typedef struct iterator {
    int rank;
    int64_t dims[HEED_MAX_RANK], strides[HEED_MAX_RANK], index[HEED_MAX_RANK];
    int64_t offset;
} iterator;

static iterator iterator_begin(const heed__file_layout *layout, int64_t numel)
{
    iterator it = {.rank = 1, .dims = {numel}, .strides = {1}};
    if (layout->fortran && layout->shape.rank > 1) {
        int64_t stride = 1;
        it.rank = layout->shape.rank;
        for (int i = it.rank - 1; i >= 0; i--) {
            it.dims[i] = layout->shape.dims[i];
            it.strides[i] = stride;
            stride *= it.dims[i];
        }
    }
    return it;
}

static void iterator_next(iterator *it)
{
    for (int i = 0; i < it->rank; i++) {
        it->offset += it->strides[i];
        if (++it->index[i] < it->dims[i])
            return;
        it->offset -= it->strides[i] * it->dims[i];
        it->index[i] = 0;
    }
}

static bool read_chunks(heed__stream *stream, const heed__file_layout *layout, void *data, size_t count, uint8_t *chunk)
{
    size_t size = elements[layout->element].size;
    iterator it = iterator_begin(layout, (int64_t)count);
    for (size_t done = 0, n; done < count; done += n) {
        n = count - done < CHUNK_BYTES / size ? count - done : CHUNK_BYTES / size;
        if (!heed__stream_read(stream, chunk, n * size))
            return false;
        for (size_t i = 0; i < n; i++, iterator_next(&it))
            store(layout->element, bits_at(chunk + i * size, size, layout->big_endian), data, it.offset);
    }
    return true;
}

static bool matches_memory_layout(const heed__file_layout *layout)
{
    bool same = layout->element == HEED_ELEMENT_F32 || layout->element == HEED_ELEMENT_F64 ||
                layout->element == HEED_ELEMENT_I64;
    return same && layout->big_endian == HEED_BIG_ENDIAN && !(layout->fortran && layout->shape.rank > 1);
}

bool heed__read_elements(heed__stream *stream, const heed__file_layout *layout, void *data, size_t bytes)
{
    if (matches_memory_layout(layout))
        return heed__stream_read(stream, data, bytes);
    uint8_t *chunk = heed_alloc(CHUNK_BYTES);
    bool read = chunk && read_chunks(stream, layout, data, bytes / elements[layout->element].size, chunk);
    heed_free(chunk, CHUNK_BYTES);
    return read;
}

bool heed__charge_memory(const heed__stream *stream, size_t *remaining, size_t bytes)
{
    bool fits = bytes <= *remaining;
    if (fits)
        *remaining -= bytes;
    else
        heed_fail(HEED_ERR_UNSUPPORTED, stream->where,
                  "%s needs %zu bytes of memory, but only %zu remain of the limit (max_bytes)", stream->name, bytes,
                  *remaining);
    return fits;
}

void *heed__charged_alloc(const heed__stream *stream, size_t *remaining, size_t bytes)
{
    if (!heed__charge_memory(stream, remaining, bytes))
        return NULL;
    void *block = heed_alloc(bytes);
    if (!block)
        *remaining += bytes;
    return block;
}

void heed__charged_free(size_t *remaining, void *block, size_t bytes)
{
    if (block)
        *remaining += bytes;
    heed_free(block, bytes);
}

bool heed__choose_rows(const char *where, const char *name, heed_shape *shape, heed__row_range *range)
{
    const int64_t n = shape->dims[0];
    if (range->first < 0 || range->count < 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "first is %" PRId64 ", rows is %" PRId64 ": must be 0 or more",
                               range->first, range->count);
    if (shape->rank == 0)
        return heed_fail_false(HEED_ERR_SHAPE, where, "%s: a scalar has no rows", name);
    if (range->first > n || range->count > n - range->first)
        return heed_fail_false(HEED_ERR_INDEX, where,
                               "%s: first is %" PRId64 " and rows is %" PRId64 ", but there are %" PRId64 " rows", name,
                               range->first, range->count, n);
    if (range->count == 0)
        range->count = n - range->first;
    shape->dims[0] = range->count;
    return true;
}

/* Restricts the layout to the requested rows, and skips the rows before them. On entry *bytes is the size of all rows;
 * on return it is the size of the requested rows. *after is set to the size of the rows after the requested ones. */
static bool skip_to_rows(heed__stream *stream, heed__file_layout *layout, size_t *bytes, size_t *after)
{
    heed__row_range range = stream->rows;
    const int64_t n = layout->shape.rank > 0 ? layout->shape.dims[0] : 0;
    if (!heed__choose_rows(stream->where, stream->name, &layout->shape, &range))
        return false;
    if (layout->fortran && layout->shape.rank > 1)
        return heed_fail_false(HEED_ERR_UNSUPPORTED, stream->where,
                               "%s is in Fortran order: rows can be read only in C order", stream->name);
    const size_t row = n > 0 ? *bytes / (size_t)n : 0, before = (size_t)range.first * row;
    *after = *bytes - before - (size_t)range.count * row;
    *bytes = (size_t)range.count * row;
    return heed__stream_skip(stream, before);
}

/* Reads a tensor whose layout is already restricted to the stream's rows. */
static heed_tensor *read_selected(heed__stream *stream, const heed__file_layout *layout, size_t bytes,
                                  size_t *remaining)
{
    heed_dtype dtype = elements[layout->element].dtype;
    size_t needed = bytes / elements[layout->element].size * heed_dtype_size(dtype); /* at most 8 times `bytes` */
    heed_scope *scope = heed__charge_memory(stream, remaining, needed) ? heed_scope_begin() : NULL;
    if (!scope)
        return NULL;
    heed_tensor *t = heed_empty(dtype, layout->shape);
    void *data = t ? heed_mutable_bytes(t) : NULL;
    if (!data || !heed__read_elements(stream, layout, data, bytes))
        t = NULL;
    return heed_scope_return(scope, t);
}

heed_tensor *heed__read_tensor(heed__stream *stream, const heed__file_layout *layout, size_t bytes, size_t *remaining)
{
    if (stream->rows.first == 0 && stream->rows.count == 0)
        return read_selected(stream, layout, bytes, remaining);
    heed__file_layout selected = *layout;
    size_t after = 0;
    if (!skip_to_rows(stream, &selected, &bytes, &after))
        return NULL;
    heed_tensor *t = read_selected(stream, &selected, bytes, remaining);
    return t && heed__stream_skip(stream, after) ? t : NULL;
}
