/* tensorboard/src/crc32c.h - the checksum of TFRecord.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TENSORBOARD_CRC32C_H
#define HEED_TENSORBOARD_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* CRC-32C (Castagnoli; RFC 3720, B.4): 0xE3069283 for "123456789". zlib's crc32 uses a different polynomial. */
uint32_t heed__crc32c(const uint8_t *bytes, size_t size);

/* The checksum in the masked form that TFRecord stores. The mask makes checksums of bytes that contain checksums work
 * as well as others. */
uint32_t heed__crc32c_masked(const uint8_t *bytes, size_t size);

#endif
