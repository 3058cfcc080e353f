/* io/checksum.h - a checksum that a file carries inside, and that covers every bit of it.
 *
 * It stands in the file as HEED_CHECKSUM_KEY and 8 hexadecimal digits: the CRC-32 (ISO 3309, as zlib's) of all bytes of
 * the file, with those digits taken as zeros. So each change of one bit, or of bits within 32 next to each other, is
 * found: of a digit, because the number is another; of the key, because it is not there; elsewhere by the CRC.
 */
#ifndef HEED_IO_CHECKSUM_H
#define HEED_IO_CHECKSUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/part.h"
#include "io/stream.h"

#define HEED_CHECKSUM_KEY "\"checksum\":\""
#define HEED_CHECKSUM_ZEROS "00000000"
#define HEED_CHECKSUM_REACH 65536 /* it lies within this many bytes from the file's beginning */

/* Goes on with a CRC-32, which begins as 0, over a part of a file. */
uint32_t heed__part_crc(uint32_t crc, const heed__part *part);

/* Writes the checksum of a file's parts into the one that is `size` bytes at `header`, in the place
 * of HEED_CHECKSUM_ZEROS, if there is a key. */
void heed__checksum_stamp(char *header, size_t size, const heed__part *parts, size_t count);

typedef enum heed__checksum_state {
    HEED_CHECKSUM_GOOD,
    HEED_CHECKSUM_BAD,       /* there is none, or it is not the file's */
    HEED_CHECKSUM_UNREADABLE /* after heed_fail */
} heed__checksum_state;

/* Reads a source from its beginning to its end, with `buffer` of HEED_CHECKSUM_REACH bytes. */
heed__checksum_state heed__checksum_check(heed__source *source, char *buffer);

#endif
