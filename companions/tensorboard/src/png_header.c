/* tensorboard/src/png_header.c - reads the header of a PNG file (ISO/IEC 15948): an 8-byte signature, a first chunk
 * IHDR, and a last chunk IEND.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "png_header.h"

#include <string.h>

/* WIDTH, HEIGHT and COLOR are offsets in the file, HEADER and TRAILER the sizes of its beginning and end. */
enum { WIDTH = 16, HEIGHT = 20, COLOR = 25, HEADER = 33, TRAILER = 12 };

static uint32_t read_u32(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

bool heed__tb_png_read(heed__tb_png *header, const uint8_t *bytes, size_t size)
{
    static const uint8_t signature[WIDTH] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n',
                                             0,    0,   0,   13,  'I',  'H',  'D',  'R'};
    /* The number of channels after decoding, for a colour type of the header: gray, RGB, or either with alpha. A
     * palette decodes to RGB. 0 for unknown types. */
    static const uint8_t channels[] = {1, 0, 3, 3, 2, 0, 4};
    static const uint8_t trailer[TRAILER] = {0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xae, 0x42, 0x60, 0x82};
    if (size < HEADER + TRAILER || memcmp(bytes, signature, WIDTH) != 0 ||
        memcmp(bytes + size - TRAILER, trailer, TRAILER) != 0)
        return false;
    const uint32_t width = read_u32(bytes + WIDTH), height = read_u32(bytes + HEIGHT);
    const uint8_t color = bytes[COLOR];
    *header = (heed__tb_png){(int32_t)width, (int32_t)height, color < sizeof channels ? channels[color] : 0};
    return header->width > 0 && header->height > 0 && header->channels > 0;
}
