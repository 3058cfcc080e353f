/* io/gguf.h - shared by the gguf_ files: the state of the reader and its functions. */
#ifndef HEED_IO_GGUF_H
#define HEED_IO_GGUF_H

#include <heed/dict.h>

#include "io/stream.h"

/* maximum bytes of a key in the format, which is more than the maximum of a tensor's name */
#define HEED_GGUF_NAME_MAX 65535
#define HEED_GGUF_BLOCK 32       /* elements that share a scale in Q8_0 */
#define HEED_GGUF_BLOCK_BYTES 34 /* the scale, f16, and the elements, i8 */

typedef struct heed__gguf {
    heed__source *source;
    heed_dict *dict, *arrays; /* dict: the result; arrays: only the keys of arrays, whose values are skipped */
    size_t remaining;         /* remaining memory limit in bytes */
    size_t alignment;         /* the elements of every tensor are aligned to this many bytes in the file */
    size_t next, filled;      /* offset in `buffer` of the next unread byte, and number of bytes in `buffer` */
    uint8_t buffer[4096];     /* avoids a system call for each of a header's many small numbers */
    char name[HEED_GGUF_NAME_MAX + 1];
} heed__gguf;

/* -- Bytes: io/gguf_bytes.c. The functions return false after heed_fail -------------------------------------------- */

/* heed__gguf_position returns the offset in the file of the next unread byte, and heed__gguf_seek changes it. */
size_t heed__gguf_position(const heed__gguf *g);
void heed__gguf_seek(heed__gguf *g, size_t position);

bool heed__gguf_read(heed__gguf *g, void *to, size_t size);
bool heed__gguf_skip(heed__gguf *g, uint64_t size);

/* Reads an unsigned number of `size` bytes. Returns false after heed_fail. */
bool heed__gguf_number(heed__gguf *g, size_t size, uint64_t *number);

/* Reads the length of a string and checks that its bytes are in the file. Returns false after heed_fail. */
bool heed__gguf_length(heed__gguf *g, size_t *size);

/* Checks a text of `size` bytes, followed by a NUL. Returns NULL if a dict can hold it, else the problem, for a
 * message: "is not UTF-8". */
const char *heed__gguf_text_problem(const char *text, size_t size);

/* Reads a name into g->name. `what` is "key" or "tensor", for messages. Returns false after heed_fail. */
bool heed__gguf_name(heed__gguf *g, const char *what);

/* -- Metadata: io/gguf_values.c ------------------------------------------------------------------------------------ */

/* Reads a key and its value. Stores the value as a text of the dict, or skips it if it is an array. Returns false after
 * heed_fail. */
bool heed__gguf_read_value(heed__gguf *g);

/* -- Q8_0: io/gguf_blocks.c ---------------------------------------------------------------------------------------- */

/* Reads the rows stream->rows of a Q8_0 tensor as f32. The file must contain all its blocks. The tensor is borrowed
 * from the innermost scope. Returns NULL with the errors of heed__read_tensor, and with HEED_ERR_UNSUPPORTED if the
 * rows begin or end within a block. */
heed_tensor *heed__gguf_read_blocks(heed__stream *stream, heed_shape shape, size_t *remaining);

#endif
