/* io/kind.h - recognises the format of a file by its first bytes, so that a reader can name the actual format in its
 * error: compressed, in UTF-16, a web page, a Git LFS pointer, a spreadsheet. */
#ifndef HEED_IO_KIND_H
#define HEED_IO_KIND_H

#include "io/stream.h"

#define HEED_KIND_BYTES 512 /* how many bytes of a file are examined */

/* The formats that readers expect. */
typedef enum heed__kind {
    HEED_KIND_OTHER,
    HEED_KIND_CSV,
    HEED_KIND_NPY,
    HEED_KIND_NPZ,
    HEED_KIND_SAFETENSORS,
    HEED_KIND_JSON,
    HEED_KIND_GGUF,
    HEED_KIND_IDX,
    HEED_KIND_CHECKPOINT
} heed__kind;

/* Returns false if the first bytes of a file belong to a known format other than the expected one, after heed_fail with
 * HEED_ERR_FORMAT: "a.csv is compressed by gzip (unpack it first), not a CSV file". */
bool heed__check_kind(const char *where, const char *name, heed__kind expected, const void *head, size_t size);

/* The same for a stream already partly read. For a file or memory it examines the beginning; for a member of an
 * archive, the bytes `head` that were read from it. */
bool heed__check_stream_kind(heed__stream *stream, heed__kind expected, const void *head, size_t size);

#endif
