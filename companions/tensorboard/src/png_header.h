/* tensorboard/src/png_header.h - reads the header of a PNG file.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TENSORBOARD_PNG_HEADER_H
#define HEED_TENSORBOARD_PNG_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct heed__tb_png {
    int32_t width, height, channels;
} heed__tb_png;

/* Returns false if the bytes do not begin and end like a PNG file, or the picture is empty. */
bool heed__tb_png_read(heed__tb_png *header, const uint8_t *bytes, size_t size);

#endif
