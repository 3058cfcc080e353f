/* io/gguf.h - what the parts of the reader of .gguf know of each other. */
#ifndef HEED_IO_GGUF_H
#define HEED_IO_GGUF_H

#include <heed/dict.h>

#include "io/stream.h"

#define HEED_GGUF_NAME_MAX 65535 /* bytes of a key, by the format; more than a tensor's name may have */
#define HEED_GGUF_BLOCK 32       /* elements that share a scale in Q8_0 */
#define HEED_GGUF_BLOCK_BYTES 34 /* the scale, f16, and the elements, i8 */

typedef struct heed__gguf {
    heed__source *source;
    heed_dict *dict, *arrays; /* the result; texts under the keys of arrays, whose values are not kept */
    size_t room;              /* bytes that may still be taken in memory */
    size_t alignment;         /* of tensors' elements in the file */
    size_t at, filled;
    uint8_t buffer[4096]; /* a header is a million small numbers: each is not to be a call of the system */
    char name[HEED_GGUF_NAME_MAX + 1];
} heed__gguf;

/* -- Bytes: io/gguf_bytes.c. All return false after heed_fail ------------------------------------------------------ */

/* How many have been read, and going on at another place. */
size_t heed__gguf_position(const heed__gguf *g);
void heed__gguf_seek(heed__gguf *g, size_t position);

bool heed__gguf_read(heed__gguf *g, void *to, size_t size);
bool heed__gguf_skip(heed__gguf *g, uint64_t size);

/* A number of `size` bytes. */
bool heed__gguf_number(heed__gguf *g, size_t size, uint64_t *number);

/* The length of a string, of which all bytes are there. */
bool heed__gguf_length(heed__gguf *g, size_t *size);

/* What keeps `size` bytes and a NUL from being a text that a dict takes, for a message; NULL: nothing. */
const char *heed__gguf_text_fault(const char *text, size_t size);

/* A string to g->name: of a "key", or of a "tensor". */
bool heed__gguf_name(heed__gguf *g, const char *what);

/* -- Metadata: io/gguf_values.c ------------------------------------------------------------------------------------ */

/* A key and its value, which becomes a text of the dict unless it is an array. False after heed_fail. */
bool heed__gguf_read_value(heed__gguf *g);

/* -- Q8_0: io/gguf_blocks.c ---------------------------------------------------------------------------------------- */

/* A tensor of f32, borrowed from the innermost scope, from blocks that are there; of stream->rows only. NULL as
 * heed__read_tensor, and with HEED_ERR_UNSUPPORTED for rows that end within a block. */
heed_tensor *heed__gguf_read_blocks(heed__stream *stream, heed_shape shape, size_t *room);

#endif
