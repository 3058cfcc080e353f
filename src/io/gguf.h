/* io/gguf.h - shared by the gguf_ files: the state of the reader and its functions. */
#ifndef HEED_IO_GGUF_H
#define HEED_IO_GGUF_H

#include <heed/dict.h>

#include "io/stream.h"

#define HEED_GGUF_NAME_MAX 65535 /* maximum bytes of a key in the format; more than a tensor's name may have */
#define HEED_GGUF_BLOCK 32       /* elements that share a scale in Q8_0 */
#define HEED_GGUF_BLOCK_BYTES 34 /* the scale, f16, and the elements, i8 */

typedef struct heed__gguf {
    heed__source *source;
    heed_dict *dict, *arrays; /* the result; keys of arrays, whose values are not kept */
    size_t remaining;         /* remaining memory limit in bytes */
    size_t alignment;         /* of tensors' elements in the file */
    size_t next, filled;      /* in the buffer: offset of the next unread byte, and number of bytes */
    uint8_t buffer[4096];     /* a header is a million small numbers: avoids one system call per number */
    char name[HEED_GGUF_NAME_MAX + 1];
} heed__gguf;

/* -- Bytes: io/gguf_bytes.c. The functions return false after heed_fail -------------------------------------------- */

/* The number of bytes read so far, and a jump to a different position. */
size_t heed__gguf_position(const heed__gguf *g);
void heed__gguf_seek(heed__gguf *g, size_t position);

bool heed__gguf_read(heed__gguf *g, void *to, size_t size);
bool heed__gguf_skip(heed__gguf *g, uint64_t size);

/* Reads a number of `size` bytes. */
bool heed__gguf_number(heed__gguf *g, size_t size, uint64_t *number);

/* Reads the length of a string and checks that its bytes are in the file. */
bool heed__gguf_length(heed__gguf *g, size_t *size);

/* Returns why `size` bytes and a NUL are not a valid text for a dict, for a message; NULL if they are valid. */
const char *heed__gguf_text_problem(const char *text, size_t size);

/* Reads a string into g->name; `what` is "key" or "tensor", for messages. */
bool heed__gguf_name(heed__gguf *g, const char *what);

/* -- Metadata: io/gguf_values.c ------------------------------------------------------------------------------------ */

/* Reads a key and its value, and stores the value as a text of the dict unless it is an array. Returns false after
 * heed_fail. */
bool heed__gguf_read_value(heed__gguf *g);

/* -- Q8_0: io/gguf_blocks.c ---------------------------------------------------------------------------------------- */

/* Reads a tensor of f32, borrowed from the innermost scope, from blocks known to be in the file; stream->rows only.
 * Returns NULL like heed__read_tensor, and with HEED_ERR_UNSUPPORTED if the rows end within a block. */
heed_tensor *heed__gguf_read_blocks(heed__stream *stream, heed_shape shape, size_t *remaining);

#endif
