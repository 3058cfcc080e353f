/* tensorboard/crc32c.h - the checksum of records. */
#ifndef HEED_TENSORBOARD_CRC32C_H
#define HEED_TENSORBOARD_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* CRC-32C (Castagnoli; RFC 3720, B.4): of "123456789" it is 0xE3069283. zlib's crc32 has another polynomial. */
uint32_t heed__crc32c(const uint8_t *bytes, size_t size);

/* As TFRecord stores it, so that the checksum of bytes that hold a checksum is not a special one. */
uint32_t heed__crc32c_masked(const uint8_t *bytes, size_t size);

#endif
