/* io/elements.c - reads the elements of tensors.
 *
 * If elements have the same layout in the file as in memory, they are read directly into the tensor. Other elements are
 * read in chunks and converted one by one, so that at most one chunk is in memory in addition to the tensor.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <heed/memory.h>
#include <heed/scope.h>

#include "io/elements.h"

#define CHUNK_BYTES ((size_t)64 << 10) /* a multiple of all element sizes */

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ && __BYTE_ORDER__ != __ORDER_BIG_ENDIAN__
#error "numbers must lie in memory with their bytes in order, or in reverse order"
#endif

const heed__element_type heed__elements[HEED_ELEMENTS] = {
    [HEED_ELEMENT_F16] = {"F16", 'f', 2, HEED_F32}, [HEED_ELEMENT_BF16] = {"BF16", 0, 2, HEED_F32},
    [HEED_ELEMENT_F32] = {"F32", 'f', 4, HEED_F32}, [HEED_ELEMENT_F64] = {"F64", 'f', 8, HEED_F64},
    [HEED_ELEMENT_I8] = {"I8", 'i', 1, HEED_I64},   [HEED_ELEMENT_I16] = {"I16", 'i', 2, HEED_I64},
    [HEED_ELEMENT_I32] = {"I32", 'i', 4, HEED_I64}, [HEED_ELEMENT_I64] = {"I64", 'i', 8, HEED_I64},
    [HEED_ELEMENT_U8] = {"U8", 'u', 1, HEED_I64},   [HEED_ELEMENT_U16] = {"U16", 'u', 2, HEED_I64},
    [HEED_ELEMENT_U32] = {"U32", 'u', 4, HEED_I64}, [HEED_ELEMENT_BOOL] = {"BOOL", 'b', 1, HEED_BOOL},
};

bool heed__element_named(const char *name, heed__element *element)
{
    for (size_t i = 0; i < HEED_ELEMENTS; i++)
        if (strcmp(heed__elements[i].name, name) == 0) {
            *element = (heed__element)i;
            return true;
        }
    return false;
}

bool heed__element_of_kind(char kind, size_t size, heed__element *element)
{
    for (size_t i = 0; i < HEED_ELEMENTS; i++)
        if (kind && heed__elements[i].kind == kind &&
            heed__elements[i].size == size) { /* BF16 has kind 0 and never matches */
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

bool heed__layout_bytes(const heed__stream *stream, const heed__file_layout *layout, size_t *bytes)
{
    int64_t numel = heed_shape_numel(layout->shape);
    if (numel >= 0 && !__builtin_mul_overflow(numel, heed__elements[layout->element].size, bytes))
        return true;
    return heed__stream_fail(stream, HEED_ERR_FORMAT, ": shape %s has too many elements",
                             heed_shape_text(layout->shape).s);
}

/* -- One element --------------------------------------------------------------------------------------------------- */

static uint64_t bits_at(const uint8_t *bytes, size_t size, bool big_endian)
{
    return big_endian ? heed__big_endian(bytes, size) : heed__little_endian(bytes, size);
}

static float f32_of_bits(uint32_t bits)
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
    return f32_of_bits(sign | (exponent == 31 ? 255 : exponent + 112) << 23 | fraction << 13);
}

int64_t heed__element_integer(heed__element element, uint64_t bits)
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

static float f32_of(heed__element element, uint64_t bits)
{
    return element == HEED_ELEMENT_F16    ? heed__f16_value((uint32_t)bits)
           : element == HEED_ELEMENT_BF16 ? f32_of_bits((uint32_t)bits << 16)
                                          : f32_of_bits((uint32_t)bits);
}

static double f64_of_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double heed__element_number(heed__element element, const uint8_t *bytes, bool big_endian)
{
    const uint64_t bits = bits_at(bytes, heed__elements[element].size, big_endian);
    if (heed__elements[element].dtype == HEED_F32)
        return (double)f32_of(element, bits);
    return element == HEED_ELEMENT_F64 ? f64_of_bits(bits) : (double)heed__element_integer(element, bits);
}

static void store_element(heed__element element, uint64_t bits, void *data, int64_t index)
{
    switch (heed__elements[element].dtype) {
    case HEED_F32:
        ((float *)data)[index] = f32_of(element, bits);
        return;
    case HEED_F64:
        ((double *)data)[index] = f64_of_bits(bits);
        return;
    case HEED_BOOL:
        ((bool *)data)[index] = bits != 0;
        return;
    case HEED_I64:
    default:
        ((int64_t *)data)[index] = heed__element_integer(element, bits);
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
    size_t size = heed__elements[layout->element].size;
    iterator it = iterator_begin(layout, (int64_t)count);
    for (size_t done = 0, n; done < count; done += n) {
        n = count - done < CHUNK_BYTES / size ? count - done : CHUNK_BYTES / size;
        if (!heed__stream_read(stream, chunk, n * size))
            return false;
        for (size_t i = 0; i < n; i++, iterator_next(&it))
            store_element(layout->element, bits_at(chunk + i * size, size, layout->big_endian), data, it.offset);
    }
    return true;
}

/* Returns true if elements lie in the file as in memory. */
static bool matches_memory(const heed__file_layout *layout)
{
    bool same = layout->element == HEED_ELEMENT_F32 || layout->element == HEED_ELEMENT_F64 ||
                layout->element == HEED_ELEMENT_I64;
    return same && layout->big_endian == HEED_BIG_ENDIAN && !(layout->fortran && layout->shape.rank > 1);
}

bool heed__read_elements(heed__stream *stream, const heed__file_layout *layout, void *data, size_t bytes)
{
    if (matches_memory(layout))
        return heed__stream_read(stream, data, bytes);
    uint8_t *chunk = heed_alloc(CHUNK_BYTES);
    bool read = chunk && read_chunks(stream, layout, data, bytes / heed__elements[layout->element].size, chunk);
    heed_free(chunk, CHUNK_BYTES);
    return read;
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
        return heed__stream_fail(stream, HEED_ERR_UNSUPPORTED,
                                 " is in Fortran order: rows can be read only in C order");
    const size_t row = n > 0 ? *bytes / (size_t)n : 0, before = (size_t)range.first * row;
    *after = *bytes - before - (size_t)range.count * row;
    *bytes = (size_t)range.count * row;
    return heed__stream_skip(stream, before);
}

/* Reads a tensor whose layout is already restricted to the stream's rows. */
static heed_tensor *read_selected(heed__stream *stream, const heed__file_layout *layout, size_t bytes)
{
    heed_dtype dtype = heed__elements[layout->element].dtype;
    size_t needed = bytes / heed__elements[layout->element].size * heed_dtype_size(dtype); /* at most 8 times `bytes` */
    heed_scope *scope = heed__charge_memory(stream, needed) ? heed_scope_begin() : NULL;
    if (!scope)
        return NULL;
    heed_tensor *t = heed_empty(dtype, layout->shape);
    void *data = t ? heed_mutable_bytes(t) : NULL;
    if (!data || !heed__read_elements(stream, layout, data, bytes))
        t = NULL;
    return heed_scope_return(scope, t);
}

heed_tensor *heed__read_tensor(heed__stream *stream, const heed__file_layout *layout, size_t bytes)
{
    if (stream->rows.first == 0 && stream->rows.count == 0)
        return read_selected(stream, layout, bytes);
    heed__file_layout selected = *layout;
    size_t after = 0;
    if (!skip_to_rows(stream, &selected, &bytes, &after))
        return NULL;
    heed_tensor *t = read_selected(stream, &selected, bytes);
    return t && heed__stream_skip(stream, after) ? t : NULL;
}

/* -- Byte ranges --------------------------------------------------------------------------------------------------- */

/* The ranges come from a file, possibly an attacker's. Heapsort does not allocate and always takes O(n log n) time,
 * while qsort may allocate or be slow. */

static bool grow_ranges(heed__ranges *ranges)
{
    const size_t capacity = ranges->capacity > 0 ? 2 * ranges->capacity : 64;
    heed__range *list = heed_alloc(capacity * sizeof *list);
    if (!list)
        return false;
    if (ranges->count > 0)
        memcpy(list, ranges->list, ranges->count * sizeof *list);
    heed__ranges_free(ranges);
    ranges->list = list;
    ranges->capacity = capacity;
    return true;
}

bool heed__tensor_fail(const heed__stream *stream, heed_status status, const char *name, const char *format, ...)
{
    char text[HEED_ERROR_MESSAGE_MAX];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return heed__stream_fail(stream, status, ": tensor \"%s\"%s", heed__excerpt(name, strlen(name)).s, text);
}

bool heed__ranges_claim(heed__ranges *ranges, const heed__stream *stream, const char *name, heed__range range)
{
    if (range.end - range.begin > ranges->size - ranges->claimed)
        return heed__tensor_fail(stream, HEED_ERR_FORMAT, name, " overlaps a different tensor");
    if (ranges->count == ranges->capacity && !grow_ranges(ranges))
        return false;
    ranges->claimed += range.end - range.begin;
    ranges->list[ranges->count++] = range;
    return true;
}

void heed__ranges_free(heed__ranges *ranges)
{
    heed_free(ranges->list, ranges->capacity * sizeof *ranges->list);
}

static bool range_less(heed__range a, heed__range b)
{
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
}

/* Moves ranges[at] down the heap until neither child is larger. */
static void sift_down(heed__range *ranges, size_t at, size_t count)
{
    heed__range moved = ranges[at];
    for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && range_less(ranges[child], ranges[child + 1]))
            child++;
        if (!range_less(moved, ranges[child]))
            break;
        ranges[at] = ranges[child];
        at = child;
    }
    ranges[at] = moved;
}

void heed__sort_ranges(heed__range *ranges, size_t count)
{
    for (size_t i = count / 2; i-- > 0;)
        sift_down(ranges, i, count);
    for (size_t n = count; n-- > 1;) {
        heed__range largest = ranges[0];
        ranges[0] = ranges[n];
        ranges[n] = largest;
        sift_down(ranges, 0, n);
    }
}
