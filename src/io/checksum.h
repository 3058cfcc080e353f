/* io/checksum.h - a checksum embedded in a file, which covers every bit of it.
 *
 * The file holds HEED_CHECKSUM_KEY followed by 8 hexadecimal digits: the CRC-32 (ISO 3309, the one zlib computes) of
 * all bytes of the file, with those digits read as zeros. It detects every change of a single bit, and of several bits
 * within 32 adjacent ones. A change in a digit makes the stored number differ, a change in the key makes the key
 * missing, and the CRC detects a change elsewhere.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_IO_CHECKSUM_H
#define HEED_IO_CHECKSUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/replace.h"
#include "io/stream.h"

#define HEED_CHECKSUM_KEY "\"checksum\":\""
#define HEED_CHECKSUM_ZEROS "00000000"
#define HEED_CHECKSUM_SEARCH_BYTES 65536 /* the checksum lies within this many bytes of the file's beginning */

/* Returns the CRC-32 of a file's bytes up to the end of `chunk`, where crc is the CRC-32 of the bytes before it (0 for
 * the first chunk). */
uint32_t heed__file_chunk_crc(uint32_t crc, const heed__file_chunk *chunk);

/* Computes the checksum of a file's chunks and replaces the zeros after HEED_CHECKSUM_KEY by it. The key is in the
 * first chunk, the `size` bytes at `header`. Does nothing if the header lacks the key. */
void heed__checksum_stamp(char *header, size_t size, const heed__file_chunk *chunks, size_t count);

typedef enum heed__checksum_state {
    HEED_CHECKSUM_GOOD,
    HEED_CHECKSUM_BAD,       /* missing or wrong */
    HEED_CHECKSUM_UNREADABLE /* after heed_fail */
} heed__checksum_state;

/* Reads a source from beginning to end and compares its checksum with the stored one. `buffer` has
 * HEED_CHECKSUM_SEARCH_BYTES bytes. */
heed__checksum_state heed__checksum_check(heed__source *source, char *buffer);

#endif
