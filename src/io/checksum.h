/* io/checksum.h - a checksum embedded in a file, which covers every bit of it.
 *
 * The file holds HEED_CHECKSUM_KEY followed by 8 hexadecimal digits: the CRC-32 (ISO 3309, the one zlib computes) of
 * all bytes of the file, with those digits read as zeros. It detects every change of one bit and of bits within 32
 * adjacent ones: in a digit, because the number differs; in the key, because the key is then missing; elsewhere, by the
 * CRC. */
#ifndef HEED_IO_CHECKSUM_H
#define HEED_IO_CHECKSUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/file_chunk.h"
#include "io/stream.h"

#define HEED_CHECKSUM_KEY "\"checksum\":\""
#define HEED_CHECKSUM_ZEROS "00000000"
#define HEED_CHECKSUM_SEARCH_BYTES 65536 /* the checksum lies within this many bytes of the file's beginning */

/* Continues a CRC-32, which begins as 0, over a chunk of a file. */
uint32_t heed__file_chunk_crc(uint32_t crc, const heed__file_chunk *chunk);

/* Writes the checksum of a file's chunks over HEED_CHECKSUM_ZEROS in the first chunk, which is `size` bytes at
 * `header`. Does nothing if the key is missing. */
void heed__checksum_stamp(char *header, size_t size, const heed__file_chunk *chunks, size_t count);

typedef enum heed__checksum_state {
    HEED_CHECKSUM_GOOD,
    HEED_CHECKSUM_BAD,       /* missing or wrong */
    HEED_CHECKSUM_UNREADABLE /* after heed_fail */
} heed__checksum_state;

/* Reads a source from beginning to end through `buffer` of HEED_CHECKSUM_SEARCH_BYTES bytes. */
heed__checksum_state heed__checksum_check(heed__source *source, char *buffer);

#endif
