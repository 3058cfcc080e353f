/* io/gguf.h - the state of the .gguf reader, and reading the header's numbers, names and metadata.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_IO_GGUF_H
#define HEED_IO_GGUF_H

#include <heed/dict.h>

#include "io/stream.h"

/* maximum bytes of a key in the format, which is more than the maximum of a tensor's name */
#define HEED_GGUF_NAME_MAX 65535

typedef struct heed__gguf {
    heed__stream stream; /* the header: reads from `buffer` */
    heed__source *source;
    heed_dict *dict, *arrays; /* dict: the result; arrays: only the keys of arrays, whose values are skipped */
    size_t alignment;         /* the elements of every tensor are aligned to this many bytes in the file */
    size_t begin, filled;     /* offset of the buffer's first byte in the file, and number of bytes in the buffer */
    uint8_t buffer[4096];     /* avoids a system call for each of a header's many small numbers */
    char name[HEED_GGUF_NAME_MAX + 1];
} heed__gguf;

/* Begins to read the header of a source. */
void heed__gguf_begin(heed__gguf *g, heed__source *source);

/* The functions below return false after heed_fail. */

/* Reads an unsigned number of `size` bytes. */
bool heed__gguf_number(heed__gguf *g, size_t size, uint64_t *number);

/* Reads a name into g->name. `what` is "key" or "tensor", for messages. */
bool heed__gguf_name(heed__gguf *g, const char *what);

/* Reads a key and its value. Stores the value as a text of the dict, or skips it if it is an array. */
bool heed__gguf_read_value(heed__gguf *g);

#endif
