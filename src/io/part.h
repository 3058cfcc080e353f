/* io/part.h - the parts of which a file is put together. */
#ifndef HEED_IO_PART_H
#define HEED_IO_PART_H

#include <stdbool.h>
#include <stddef.h>

#include <heed/tensor.h>

/* A file's bytes are those of its parts, one after another: what is large need not be copied together. */
typedef struct heed__part {
    const void *bytes;
    size_t size;
    size_t reversed; /* bytes of an element, where the elements lie in the file the other way round; 0: none do */
} heed__part;

/* A tensor's elements in row-major order, as a part of a file. Where they do not lie so, the part is a copy, which
 * belongs to the innermost scope. False after heed_fail with HEED_ERR_NOMEM, or HEED_ERR_UNSUPPORTED for a view of more
 * elements than there can be bytes. */
bool heed__io_part(const char *where, heed_tensor *t, heed__part *part);

/* Gives a part's bytes to `take`, as they are in the file: at once, or where they are reversed in small pieces. False
 * where `take` says so, which ends it. */
typedef bool heed__take_bytes(void *user, const void *bytes, size_t size);
bool heed__part_each(const heed__part *part, heed__take_bytes *take, void *user);

#endif
