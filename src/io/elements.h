/* io/elements.h - element types in files, and reading tensors from them. */
#ifndef HEED_IO_ELEMENTS_H
#define HEED_IO_ELEMENTS_H

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
} heed__element;

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

size_t heed__element_size(heed__element element);
const char *heed__element_name(heed__element element);
char heed__element_kind(heed__element element);
heed_dtype heed__element_dtype(heed__element element); /* dtype of tensors read from it */

/* Returns the value of an IEEE 754 binary16 number: 1 sign bit, 5 exponent bits, 10 fraction bits. */
float heed__f16_value(uint32_t half);

/* Computes the size of the elements in the file. Returns false after heed_fail with HEED_ERR_FORMAT on overflow. */
bool heed__layout_bytes(const heed__stream *stream, const heed__file_layout *layout, size_t *bytes);

/* Restricts a shape to the requested rows and sets range->count. Returns false after heed_fail: HEED_ERR_ARGUMENT for a
 * negative number, HEED_ERR_SHAPE for a scalar, HEED_ERR_INDEX for rows that do not exist. */
bool heed__choose_rows(const char *where, const char *name, heed_shape *shape, heed__row_range *range);

/* Upper bounds on the bytes of a dict entry for a tensor and for a text, without elements and strings. They include the
 * growth of the dict's table, when the old and the new table are both in memory (144 bytes per entry), and for a tensor
 * the record of its byte range in the file (48 bytes). */
#define HEED_TENSOR_COST 576
#define HEED_TEXT_COST 160

/* Subtracts `bytes` from *remaining, the unused part of the memory limit. Returns false after heed_fail with
 * HEED_ERR_UNSUPPORTED if too little remains. */
bool heed__charge_memory(const heed__stream *stream, size_t *remaining, size_t bytes);

/* Allocates a temporary block of `bytes`, used only while reading, and charges it as heed__charge_memory does. Returns
 * NULL after heed_fail. heed__charged_free frees the block and adds its size to *remaining. */
void *heed__charged_alloc(const heed__stream *stream, size_t *remaining, size_t bytes);
void heed__charged_free(size_t *remaining, void *block, size_t bytes);

/* Reads the rows stream->rows of a tensor from the next `bytes` of the stream, which must be available. Subtracts the
 * size of the tensor's elements from *remaining. The tensor is borrowed from the innermost scope. Returns NULL with the
 * errors of heed__choose_rows, HEED_ERR_UNSUPPORTED, HEED_ERR_FORMAT for a broken stream, HEED_ERR_IO or
 * HEED_ERR_NOMEM; the tensor's memory is then already freed. */
heed_tensor *heed__read_tensor(heed__stream *stream, const heed__file_layout *layout, size_t bytes, size_t *remaining);

/* Reads all elements of a tensor from the next `bytes` of the stream into `data`, which has capacity for them in their
 * dtype in memory. Returns false after heed_fail. */
bool heed__read_elements(heed__stream *stream, const heed__file_layout *layout, void *data, size_t bytes);

#endif
