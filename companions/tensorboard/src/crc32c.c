/* tensorboard/src/crc32c.c - computes CRC-32C, four bits at a time.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "crc32c.h"

#define MASK 0xa282ead8u

/* The CRC of every 4-bit number, for the polynomial 0x1EDC6F41 with bits reversed. */
static const uint32_t table[16] = {0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3,
                                   0x61c69362, 0x7198540d, 0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9,
                                   0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75};

uint32_t heed__crc32c(const uint8_t *bytes, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}

uint32_t heed__crc32c_masked(const uint8_t *bytes, size_t size)
{
    const uint32_t crc = heed__crc32c(bytes, size);
    return (crc >> 15 | crc << 17) + MASK;
}
