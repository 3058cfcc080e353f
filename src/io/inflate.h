/* io/inflate.h - decompresses gzip data (RFC 1952) in memory as a stream. */
#ifndef HEED_IO_INFLATE_H
#define HEED_IO_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/zlib.h"

typedef struct heed__inflate {
    const char *where, *source; /* for messages: the function, and the path or "idx" */
    z_stream stream;
    const uint8_t *bytes; /* compressed bytes not yet passed to zlib */
    size_t size;
    bool between_members; /* the last gzip member has ended, and no further one has begun */
} heed__inflate;

/* Returns true if the bytes begin like gzip data. */
bool heed__is_gzip(const uint8_t *bytes, size_t size);

/* Opens a stream on bytes, which must outlive it. Returns false after heed_fail with HEED_ERR_NOMEM, or
 * HEED_ERR_UNSUPPORTED without zlib. */
bool heed__inflate_open(heed__inflate *s, const char *where, const char *source, const uint8_t *bytes, size_t size);

/* Reads the next `size` bytes of content and sets *got to their number, which is smaller than `size` only at the end.
 * The contents of consecutive gzip members are concatenated. Returns false after heed_fail with HEED_ERR_FORMAT if the
 * stream is broken, truncated or followed by other data, or HEED_ERR_NOMEM. */
bool heed__inflate_read(heed__inflate *s, uint8_t *to, size_t size, size_t *got);

void heed__inflate_close(heed__inflate *s);

#endif
