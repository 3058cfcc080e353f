/* io/inflate.h - bytes in memory as a stream, which may be compressed by gzip (RFC 1952). */
#ifndef HEED_IO_INFLATE_H
#define HEED_IO_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/zlib.h"

typedef struct heed__inflate {
    const char *where, *source; /* for messages: the function, and the path or "idx" */
    z_stream stream;
    const uint8_t *bytes; /* compressed, those that zlib has not been given yet */
    size_t size;
    bool between; /* a member has ended, and none has begun behind it */
} heed__inflate;

/* Whether the bytes begin as gzip does. */
bool heed__is_gzip(const uint8_t *bytes, size_t size);

/* Opens a stream on bytes, which must outlive it. False after heed_fail with HEED_ERR_NOMEM,
 * HEED_ERR_UNSUPPORTED without zlib. */
bool heed__inflate_open(heed__inflate *s, const char *where, const char *source, const uint8_t *bytes, size_t size);

/* Up to `size` bytes of content, fewer only where it ends: *got. Members follow one another without a seam. False after
 * heed_fail with HEED_ERR_FORMAT for a stream that is broken, cut short or has something else behind it,
 * HEED_ERR_NOMEM. */
bool heed__inflate_read(heed__inflate *s, uint8_t *to, size_t size, size_t *got);

void heed__inflate_close(heed__inflate *s);

#endif
