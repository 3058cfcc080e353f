/* io/file_format.h - recognises the format of a file by its first bytes, so that a reader can name the actual format in
 * its error message: a compressed file, UTF-16, a web page, a Git LFS pointer, a spreadsheet. */
#ifndef HEED_IO_FILE_FORMAT_H
#define HEED_IO_FILE_FORMAT_H

#include "io/stream.h"

#define HEED_FORMAT_HEAD_BYTES 512 /* number of bytes of a file that are examined */

/* The formats that readers expect. */
typedef enum heed__file_format {
    HEED_FORMAT_OTHER,
    HEED_FORMAT_CSV,
    HEED_FORMAT_NPY,
    HEED_FORMAT_NPZ,
    HEED_FORMAT_SAFETENSORS,
    HEED_FORMAT_JSON,
    HEED_FORMAT_GGUF,
    HEED_FORMAT_IDX,
    HEED_FORMAT_CHECKPOINT
} heed__file_format;

/* Returns false after heed_fail with HEED_ERR_FORMAT if the first bytes of a file belong to a known format other than
 * the expected one: "a.csv is compressed by gzip (unpack it first), not a CSV file". */
bool heed__check_file_format(const char *where, const char *name, heed__file_format expected, const void *head,
                             size_t size);

/* Checks the format of a stream that was already partly read, as heed__check_file_format does. Examines the beginning
 * of a file or of memory. For a member of an archive, examines `head`, the bytes already read. */
bool heed__check_stream_format(heed__stream *stream, heed__file_format expected, const void *head, size_t size);

#endif
