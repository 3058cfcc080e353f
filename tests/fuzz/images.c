/* tests/fuzz/images.c - PNG and JPEG of libheed-images: any bytes, PNG files with correct checksums, and PNG files
 * whose rows the target compresses.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "fuzz.h"

#include <math.h>
#include <string.h>
#include <zlib.h>

#include <heed/images.h>

#define MAX_BYTES 4096
#define MAX_PIXELS 20000
#define CHUNK_BYTES 12 /* length, name and checksum */

/* -- PNG files ----------------------------------------------------------------------------------------------------- */

static uint32_t big_endian(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void put_big_endian(uint8_t *at, uint32_t number)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(number >> (24 - 8 * i));
}

static uint32_t checksum(const uint8_t *bytes, size_t size)
{
    return (uint32_t)crc32(crc32(0, NULL, 0), bytes, (unsigned)size);
}

/* Corrects the checksum of every chunk, so that mutations reach the code after it. */
static void correct_checksums(uint8_t *bytes, size_t size)
{
    for (size_t at = 8; at + CHUNK_BYTES <= size;) {
        const uint32_t length = big_endian(bytes + at);
        if (length > size - at - CHUNK_BYTES)
            return;
        put_big_endian(bytes + at + 8 + length, checksum(bytes + at + 4, length + 4));
        at += CHUNK_BYTES + length;
    }
}

static size_t add_chunk(uint8_t *to, size_t at, const char *name, const uint8_t *bytes, size_t size)
{
    put_big_endian(to + at, (uint32_t)size);
    memcpy(to + at + 4, name, 4);
    memcpy(to + at + 8, bytes, size);
    put_big_endian(to + at + 8 + size, checksum(to + at + 4, size + 4));
    return at + CHUNK_BYTES + size;
}

/* Makes a PNG file: five bytes are its header, some are the palette and transparency, and the others its rows. */
static size_t make_png(uint8_t *to, fuzz_input in)
{
    static const uint8_t types[] = {0, 2, 3, 4, 6}, depths[] = {1, 2, 4, 8, 16};
    static uint8_t packed[2 * MAX_BYTES];
    uint8_t header[13] = {0};
    uLongf size = sizeof packed;
    memcpy(to, "\x89PNG\r\n\x1a\n", 8);
    header[3] = fuzz_byte(&in) % 40;
    header[7] = fuzz_byte(&in) % 40;
    header[8] = depths[fuzz_byte(&in) % 5];
    const uint8_t type = fuzz_byte(&in), chunks = fuzz_byte(&in);
    header[9] = types[type % 5];
    header[12] = (type >> 4) & 1;
    size_t at = add_chunk(to, 8, "IHDR", header, sizeof header);
    const size_t colours = 3 * (size_t)(chunks % 17), alphas = (size_t)chunks >> 4;
    if (colours > 0 && in.size > colours)
        at = add_chunk(to, at, "PLTE", in.bytes, colours);
    if (alphas > 0 && in.size > alphas)
        at = add_chunk(to, at, "tRNS", in.bytes, alphas);
    if (compress(packed, &size, in.bytes, in.size) == Z_OK)
        at = add_chunk(to, at, "IDAT", packed, size);
    return add_chunk(to, at, "IEND", packed, 0);
}

/* -- Reading ------------------------------------------------------------------------------------------------------- */

static void check_image(heed_tensor *t, const heed_images_read_options *o)
{
    static const int64_t channels[] = {0, 1, 2, 3, 4};
    const heed_shape shape = heed_shape_of(t);
    FUZZ_CHECK(shape.rank == 3 && shape.dims[1] > 0 && shape.dims[2] > 0 && heed_dtype_of(t) == o->dtype);
    FUZZ_CHECK(o->mode == HEED_IMAGES_UNCHANGED ? shape.dims[0] >= 1 && shape.dims[0] <= 4
                                                : shape.dims[0] == channels[o->mode]);
    FUZZ_CHECK(shape.dims[1] * shape.dims[2] <= o->max_pixels);
    const double most = o->dtype == HEED_I64 ? 65535 : 1;
    for (int64_t i = 0; i < heed_numel(t); i++) {
        const double value = o->dtype == HEED_I64   ? (double)heed_data_i64(t)[i]
                             : o->dtype == HEED_F64 ? heed_data_f64(t)[i]
                                                    : (double)heed_data_f32(t)[i];
        FUZZ_CHECK(value >= 0 && value <= most);
    }
}

/* Two bytes: how to make the file, orientation and dtype; the channels. The file follows. */
void fuzz_target(fuzz_input in)
{
    static const heed_dtype dtypes[] = {HEED_F32, HEED_F64, HEED_I64};
    static uint8_t made[4 * MAX_BYTES];
    const uint8_t choice = fuzz_byte(&in), mode = fuzz_byte(&in);
    const heed_images_read_options o = {.mode = (heed_images_mode)(mode % 5),
                                        .dtype = dtypes[(choice >> 3) % 3],
                                        .exif_orientation = choice >> 7,
                                        .max_pixels = MAX_PIXELS};
    size_t size = in.size < MAX_BYTES ? in.size : MAX_BYTES;
    if ((choice & 3) == 3) {
        size = make_png(made, (fuzz_input){in.bytes, size});
    } else {
        memcpy(made, in.bytes, size);
        if ((choice & 3) != 0 && size > 8 && made[0] == 0x89)
            correct_checksums(made, size);
    }
    uint8_t *exact = malloc(size + 1); /* so that a sanitizer notices reads after the end */
    FUZZ_CHECK(exact != NULL);
    memcpy(exact, made, size);
    heed_tensor *t = heed_images_decode(exact, size, &o);
    if (fuzz_try_again(t != NULL))
        t = heed_images_decode(exact, size, &o);
    free(exact);
    FUZZ_CHECK(heed_error_code() != HEED_ERR_NOMEM || fuzz_refused());
    if (fuzz_outcome(t != NULL))
        check_image(t, &o);
}
