/* io/zlib.h - zlib with memory from heed_alloc, and gzip data as a stream. If HEED_NO_ZLIB is defined, declares
 * replacements for the functions that heed calls: checksums still work, and opening a stream fails with
 * Z_VERSION_ERROR.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_IO_ZLIB_H
#define HEED_IO_ZLIB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if !defined(HEED_NO_ZLIB)

#define ZLIB_CONST /* makes zlib's input pointers const */
#include <zlib.h>

#else

typedef unsigned uInt;
typedef unsigned long uLong;

typedef struct z_stream {
    const uint8_t *next_in;
    uint8_t *next_out;
    uInt avail_in, avail_out;
    uLong total_out;
    const char *msg;
    void *(*zalloc)(void *user, unsigned items, unsigned size);
    void (*zfree)(void *user, void *block);
} z_stream;

enum { Z_OK, Z_STREAM_END, Z_STREAM_ERROR = -2, Z_MEM_ERROR = -4, Z_BUF_ERROR = -5, Z_VERSION_ERROR = -6 };
enum { Z_NO_FLUSH, Z_FINISH = 4, Z_DEFLATED = 8, Z_DEFAULT_STRATEGY = 0, Z_DEFAULT_COMPRESSION = -1 };

#define inflateInit2(stream, bits) ((void)(stream), Z_VERSION_ERROR)
#define inflate(stream, flush) ((void)(stream), Z_STREAM_ERROR)
#define inflateReset(stream) ((void)(stream), Z_STREAM_ERROR)
#define inflateEnd(stream) ((void)(stream), Z_STREAM_ERROR)
#define deflateInit2(stream, level, method, bits, memory, strategy) ((void)(stream), Z_VERSION_ERROR)
#define deflate(stream, flush) ((void)(stream), (void)(flush), Z_STREAM_ERROR)
#define deflateBound(stream, size) ((void)(stream), (uLong)(size))
#define deflateEnd(stream) ((void)(stream), Z_STREAM_ERROR)

/* Computes the CRC-32 (ISO 3309), four bits at a time. */
static inline uLong crc32_z(uLong crc, const void *bytes, size_t size)
{
    static const uint32_t table[16] = {0,          0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                       0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                       0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    const uint8_t *at = bytes;
    uint32_t r = ~(uint32_t)crc;
    for (size_t i = 0; at && i < size; i++) {
        r ^= at[i];
        r = table[r & 15] ^ (r >> 4);
        r = table[r & 15] ^ (r >> 4);
    }
    return at ? (uint32_t)~r : 0;
}

#endif

/* The functions for zalloc and zfree of a z_stream. */
void *heed__zlib_alloc(void *unused, unsigned items, unsigned size);
void heed__zlib_free(void *unused, void *payload);

/* Calls heed_fail for the zlib code Z_MEM_ERROR or Z_VERSION_ERROR, with the file or member `name` in the message:
 * HEED_ERR_NOMEM, or HEED_ERR_UNSUPPORTED if heed was built without zlib. Returns false. */
bool heed__zlib_fail(const char *where, const char *name, int code);

/* -- gzip (RFC 1952) ----------------------------------------------------------------------------------------------- */

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
