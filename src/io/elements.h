/* io/elements.h - element types in files, reading tensors from them, and the byte ranges that tensors occupy.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_IO_ELEMENTS_H
#define HEED_IO_ELEMENTS_H

#include <math.h>

#include <heed/tensor.h>

#include "io/stream.h"

typedef enum heed__element {
    HEED_ELEMENT_F16,
    HEED_ELEMENT_BF16,
    HEED_ELEMENT_F32,
    HEED_ELEMENT_F64,
    HEED_ELEMENT_I8,
    HEED_ELEMENT_I16,
    HEED_ELEMENT_I32,
    HEED_ELEMENT_I64,
    HEED_ELEMENT_U8,
    HEED_ELEMENT_U16,
    HEED_ELEMENT_U32,
    HEED_ELEMENT_BOOL,
    HEED_ELEMENTS /* number of types */
} heed__element;

typedef struct heed__element_type {
    const char *name; /* name of the type in safetensors */
    char kind;        /* kind of the type in .npy; 0 if .npy lacks the type */
    size_t size;
    heed_dtype dtype; /* dtype of tensors read from it */
} heed__element_type;
extern const heed__element_type heed__elements[HEED_ELEMENTS]; /* indexed by heed__element */

/* True if numbers in memory are big-endian. Files are little-endian unless a layout says otherwise. */
#define HEED_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/* How a tensor is stored in a file. */
typedef struct heed__file_layout {
    heed__element element;
    bool big_endian;
    bool fortran; /* column-major: the first axis varies fastest */
    heed_shape shape;
} heed__file_layout;

/* heed__element_named finds the element type of a safetensors name ("BF16"), heed__element_of_kind the one of a NumPy
 * kind and size ('f', 2). They return false if the type is unknown. heed__element_of returns the type in which tensors
 * of a dtype are written. */
bool heed__element_named(const char *name, heed__element *element);
bool heed__element_of_kind(char kind, size_t size, heed__element *element);
heed__element heed__element_of(heed_dtype dtype);

/* Returns the value of an IEEE 754 binary16 number: 1 sign bit, 5 exponent bits, 10 fraction bits. */
float heed__f16_value(uint32_t half);

/* Returns the integer that the bits of an element other than a float stand for. */
int64_t heed__element_integer(heed__element element, uint64_t bits);

/* Returns the number that an element's bytes in a file stand for. */
double heed__element_number(heed__element element, const uint8_t *bytes, bool big_endian);

/* Returns true if an i64 can hold a number. */
static inline bool heed__fits_i64(double value)
{
    return value >= -0x1p63 && value < 0x1p63 && value == floor(value);
}

/* Computes the size of the elements in the file. Returns false after heed_fail with HEED_ERR_FORMAT on overflow. */
bool heed__layout_bytes(const heed__stream *stream, const heed__file_layout *layout, size_t *bytes);

/* Restricts a shape to the requested rows and sets range->count. Returns false after heed_fail: HEED_ERR_ARGUMENT for a
 * negative number, HEED_ERR_SHAPE for a scalar, HEED_ERR_INDEX for rows that do not exist. */
bool heed__choose_rows(const char *where, const char *name, heed_shape *shape, heed__row_range *range);

/* Upper bounds on the bytes of a dict entry for a tensor and for a text, without elements and strings. They include the
 * growth of the dict's table, when the old and the new table are both in memory (144 bytes per entry), and for a tensor
 * the record of its byte range in the file (48 bytes). */
#define HEED_TENSOR_COST 576
#define HEED_RANGE_COST 48
#define HEED_TEXT_COST 160

/* Reads the rows stream->rows of a tensor from the next `bytes` of the stream, which must be available. Charges
 * the memory of its elements. The tensor is borrowed from the innermost scope. Returns NULL with the
 * errors of heed__choose_rows, HEED_ERR_UNSUPPORTED, HEED_ERR_FORMAT for a broken stream, HEED_ERR_IO or
 * HEED_ERR_NOMEM; the tensor's memory is then already freed. */
heed_tensor *heed__read_tensor(heed__stream *stream, const heed__file_layout *layout, size_t bytes);

/* Reads all elements of a tensor from the next `bytes` of the stream into `data`, which has capacity for them in their
 * dtype in memory. Returns false after heed_fail. */
bool heed__read_elements(heed__stream *stream, const heed__file_layout *layout, void *data, size_t bytes);

/* -- Byte ranges --------------------------------------------------------------------------------------------------- */

/* Calls heed_fail because of the tensor `name` of a file. The message begins with both names. Returns false. */
bool heed__tensor_fail(const heed__stream *stream, heed_status status, const char *name, const char *format, ...)
    HEED_PRINTF(4, 5);

/* The bytes of a file that a tensor occupies. */
typedef struct heed__range {
    size_t begin, end;
} heed__range;

/* The ranges of a file's tensors, which together claim at most `size` bytes. */
typedef struct heed__ranges {
    heed__range *list;
    size_t count, capacity, size, claimed;
} heed__ranges;

/* Records the range of the tensor `name`. Returns false after heed_fail: HEED_ERR_FORMAT if all tensors so far claim
 * more bytes than the file holds, or HEED_ERR_NOMEM. */
bool heed__ranges_claim(heed__ranges *ranges, const heed__stream *stream, const char *name, heed__range range);
void heed__ranges_free(heed__ranges *ranges);

/* Sorts by `begin` and then by `end`, in place, in O(n log n) for every input. */
void heed__sort_ranges(heed__range *ranges, size_t count);

#endif
