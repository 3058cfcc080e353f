/* images/src/exif.c - the orientation in EXIF data.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "image.h"

#define ORIENTATION 0x0112
#define SHORT 3

/* EXIF data with their byte order. */
typedef struct exif_data {
    const unsigned char *bytes;
    size_t size;
    bool little;
} exif_data;

/* Returns the number of `count` bytes at an offset, or 0 if the data end before. */
static uint32_t number_at(const exif_data *d, size_t at, size_t count)
{
    uint32_t number = 0;
    if (at > d->size || d->size - at < count)
        return 0;
    for (size_t i = 0; i < count; i++)
        number = number << 8 | d->bytes[at + (d->little ? count - 1 - i : i)];
    return number;
}

int heed__exif_orientation(const unsigned char *exif, size_t size)
{
    const exif_data d = {exif, size, size > 0 && exif[0] == 'I'};
    const uint32_t order = number_at(&d, 0, 2);
    if ((order != 0x4949 && order != 0x4d4d) || number_at(&d, 2, 2) != 42)
        return 1;
    const size_t directory = number_at(&d, 4, 4);
    const uint32_t entries = number_at(&d, directory, 2);
    for (size_t i = 0; i < entries; i++) {
        const size_t entry = directory + 2 + 12 * i;
        const uint32_t value = number_at(&d, entry + 8, 2);
        if (number_at(&d, entry, 2) == ORIENTATION && number_at(&d, entry + 2, 2) == SHORT)
            return value >= 1 && value <= 8 ? (int)value : 1;
    }
    return 1;
}
