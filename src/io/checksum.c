/* io/checksum.c - the checksum embedded in a file.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "io/checksum.h"

#include <stdio.h>
#include <string.h>

#include "io/zlib.h"

#define DIGITS (sizeof HEED_CHECKSUM_ZEROS - 1)

static bool crc_sink(void *user, const void *bytes, size_t size)
{
    uint32_t *crc = user;
    *crc = (uint32_t)crc32_z(*crc, bytes, size);
    return true;
}

uint32_t heed__file_chunk_crc(uint32_t crc, const heed__file_chunk *chunk)
{
    (void)heed__file_chunk_emit(chunk, crc_sink, &crc);
    return crc;
}

/* Returns the digits after the first HEED_CHECKSUM_KEY, or NULL if the key is missing. */
static char *find_digits(char *bytes, size_t size)
{
    static const char key[] = HEED_CHECKSUM_KEY;
    size_t length = sizeof key - 1;
    for (size_t i = 0; i + length + DIGITS <= size; i++)
        if (memcmp(bytes + i, key, length) == 0)
            return bytes + i + length;
    return NULL;
}

static void print_digits(char digits[DIGITS + 1], uint32_t crc)
{
    (void)snprintf(digits, DIGITS + 1, "%08lx", (unsigned long)crc);
}

void heed__checksum_stamp(char *header, size_t size, const heed__file_chunk *chunks, size_t count)
{
    char *position = find_digits(header, size), digits[DIGITS + 1];
    uint32_t crc = 0;
    for (size_t i = 0; i < count; i++)
        crc = heed__file_chunk_crc(crc, &chunks[i]);
    print_digits(digits, crc);
    if (position)
        memcpy(position, digits, DIGITS);
}

/* -- Checking ------------------------------------------------------------------------------------------------------ */

/* Fills the buffer with the next bytes and sets *n to their number, which is 0 at the end. Returns false after
 * heed_fail. */
static bool read_next(heed__source *source, char *buffer, size_t *n)
{
    *n = source->stream.left < HEED_CHECKSUM_SEARCH_BYTES ? source->stream.left : HEED_CHECKSUM_SEARCH_BYTES;
    return heed__stream_read(&source->stream, buffer, *n);
}

heed__checksum_state heed__checksum_check(heed__source *source, char *buffer)
{
    char found[DIGITS + 1] = "", expected[DIGITS + 1];
    size_t n;
    heed__source_seek(source, 0);
    if (!read_next(source, buffer, &n))
        return HEED_CHECKSUM_UNREADABLE;
    char *position = find_digits(buffer, n);
    if (!position)
        return HEED_CHECKSUM_BAD;
    memcpy(found, position, DIGITS);
    memcpy(position, HEED_CHECKSUM_ZEROS, DIGITS);
    uint32_t crc = 0;
    do {
        crc = (uint32_t)crc32_z(crc, (const uint8_t *)buffer, n);
        if (!read_next(source, buffer, &n))
            return HEED_CHECKSUM_UNREADABLE;
    } while (n > 0);
    print_digits(expected, crc);
    return strcmp(found, expected) == 0 ? HEED_CHECKSUM_GOOD : HEED_CHECKSUM_BAD;
}
