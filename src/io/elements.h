/* io/elements.h - types of elements in files, and tensors made of them. */
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

/* How numbers lie in memory. The only place that knows: files are little-endian, but for what a layout says. */
#define HEED_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/* How a tensor lies in a file. */
typedef struct heed__layout_in_file {
    heed__element element;
    bool big_endian;
    bool fortran; /* the first axis runs fastest */
    heed_shape shape;
} heed__layout_in_file;

/* The type of safetensors' name ("BF16"), of NumPy's kind and size ('f', 2), and of what a tensor is written as. False
 * where there is none. */
bool heed__element_named(const char *name, heed__element *element);
bool heed__element_of_kind(char kind, size_t size, heed__element *element);
heed__element heed__element_of(heed_dtype dtype);

size_t heed__element_size(heed__element element);
const char *heed__element_name(heed__element element);
char heed__element_kind(heed__element element);
heed_dtype heed__element_dtype(heed__element element); /* of tensors that are read of it */

/* Of IEEE 754's 16 bits: sign, 5 of exponent, 10 of fraction. */
float heed__f16_value(uint32_t half);

/* Bytes of the elements in the file. False after heed_fail with HEED_ERR_FORMAT when that is no number. */
bool heed__layout_bytes(const heed__stream *stream, const heed__layout_in_file *layout, size_t *bytes);

/* Leaves of a shape the rows that are wanted, and sets range->count. False after heed_fail: HEED_ERR_ARGUMENT for a
 * negative number, HEED_ERR_SHAPE for a scalar, HEED_ERR_INDEX for rows that are not there. */
bool heed__choose_rows(const char *where, const char *name, heed_shape *shape, heed__row_range *range);

/* Bytes that an entry of a dict takes at most, without elements and strings: also while the dict's table grows, when
 * the old and the new one are in memory (144 bytes per entry), and with the range that a tensor claims in the file
 * (48). */
#define HEED_TENSOR_COST 576
#define HEED_TEXT_COST 160

/* Lowers *room, how many bytes may still be taken. False after heed_fail with HEED_ERR_UNSUPPORTED when too few are. */
bool heed__take_room(const heed__stream *stream, size_t *room, size_t bytes);

/* The same for a block of `bytes` from heed_alloc, which is for the time of reading only. NULL after heed_fail. Freeing
 * it gives the room back. */
void *heed__alloc_in_room(const heed__stream *stream, size_t *room, size_t bytes);
void heed__free_in_room(size_t *room, void *block, size_t bytes);

/* Reads a tensor, borrowed from the innermost scope, from the next `bytes` of the stream, which are there, and takes
 * the room for its elements; of stream->rows only. NULL with what heed__choose_rows fails with, HEED_ERR_UNSUPPORTED,
 * HEED_ERR_FORMAT for a broken stream, HEED_ERR_IO, HEED_ERR_NOMEM. What fails gives its memory back at once. */
heed_tensor *heed__read_tensor(heed__stream *stream, const heed__layout_in_file *layout, size_t bytes, size_t *room);

/* The same to `data`, which has room for all elements as they are in memory. False after heed_fail. */
bool heed__read_elements(heed__stream *stream, const heed__layout_in_file *layout, void *data, size_t bytes);

#endif
