/* images/src/read.c - heed_images_read and heed_images_decode: options, format, limits, and the tensor of an image.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <heed/memory.h>

#include "image.h"
#include "io/file.h"

#define MAX_SIDE 65500 /* of JPEG */
#define MAX_PIXELS (INT64_C(1) << 27)
#define MAX_BYTES ((size_t)1 << 30)

/* -- Options and limits -------------------------------------------------------------------------------------------- */

bool heed__image_options(const char *where, const heed_images_read_options *given, heed_images_read_options *options)
{
    heed_images_read_options o = given ? *given : (heed_images_read_options){0};
    if ((int)o.mode < HEED_IMAGES_UNCHANGED || (int)o.mode > HEED_IMAGES_RGBA)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "mode must be one of HEED_IMAGES_*, not %d", (int)o.mode);
    if (o.dtype != HEED_F32 && o.dtype != HEED_F64 && o.dtype != HEED_I64)
        return heed_fail_false(HEED_ERR_DTYPE, where, "dtype is %s: must be f32, f64 or i64", heed_dtype_name(o.dtype));
    if (o.max_width < 0 || o.max_height < 0 || o.max_pixels < 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where,
                               "max_width, max_height and max_pixels are %" PRId64 ", %" PRId64 " and %" PRId64
                               ": must be 0 or more",
                               o.max_width, o.max_height, o.max_pixels);
    o.max_width = o.max_width ? o.max_width : MAX_SIDE;
    o.max_height = o.max_height ? o.max_height : MAX_SIDE;
    o.max_pixels = o.max_pixels ? o.max_pixels : MAX_PIXELS;
    o.max_bytes = o.max_bytes ? o.max_bytes : MAX_BYTES;
    *options = o;
    return true;
}

bool heed__image_fail(const heed__image *image, heed_status status, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return heed_fail_false(status, image->where, "%s: %s", heed__path_excerpt(image->name).s, text);
}

bool heed__image_alloc(heed__image *image)
{
    const heed_images_read_options *o = &image->options;
    int64_t pixels, numbers, size;
    if (image->width > o->max_width || image->height > o->max_height)
        return heed__image_fail(image, HEED_ERR_UNSUPPORTED,
                                "%" PRId64 " x %" PRId64 " pixels are more than the limit of %" PRId64 " x %" PRId64
                                ": raise max_width or max_height",
                                image->width, image->height, o->max_width, o->max_height);
    if (__builtin_mul_overflow(image->width, image->height, &pixels) || pixels > o->max_pixels)
        return heed__image_fail(image, HEED_ERR_UNSUPPORTED,
                                "%" PRId64 " x %" PRId64 " pixels are more than the limit of %" PRId64
                                " in all: raise max_pixels",
                                image->width, image->height, o->max_pixels);
    if (__builtin_mul_overflow(pixels, (int64_t)image->step, &numbers) ||
        __builtin_mul_overflow(numbers, (int64_t)(image->depth / 8), &size) || (uint64_t)size > SIZE_MAX / 2)
        return heed__image_fail(image, HEED_ERR_NOMEM, "the image does not fit into memory");
    image->size = (size_t)size;
    image->pixels = heed_alloc(image->size);
    return image->pixels != NULL;
}

/* -- Channels ------------------------------------------------------------------------------------------------------ */

/* Replaces red by the luminance in every pixel. */
static void luminance(const heed__image *image)
{
    const int64_t numbers = image->width * image->height * image->step;
    uint8_t *narrow = image->pixels;
    uint16_t *wide = image->pixels;
    for (int64_t i = 0; i < numbers; i += image->step) {
        if (image->depth == 8)
            narrow[i] = (uint8_t)((19595U * narrow[i] + 38470U * narrow[i + 1] + 7471U * narrow[i + 2] + 32768U) >> 16);
        else
            wide[i] = (uint16_t)((UINT64_C(19595) * wide[i] + UINT64_C(38470) * wide[i + 1] +
                                  UINT64_C(7471) * wide[i + 2] + 32768U) >>
                                 16);
    }
}

/* Sets from[k] to the position in a pixel of the tensor's channel k, or to -1 for opaque alpha. Returns the number of
 * channels. */
static int choose_channels(const heed__image *image, int from[4])
{
    const heed_images_mode mode = image->options.mode;
    const bool as_stored = mode == HEED_IMAGES_UNCHANGED;
    const bool colour = as_stored ? image->colour : mode == HEED_IMAGES_RGB || mode == HEED_IMAGES_RGBA;
    const bool alpha = as_stored ? image->alpha : mode == HEED_IMAGES_GRAY_ALPHA || mode == HEED_IMAGES_RGBA;
    int channels = 0;
    if (image->colour && !colour)
        luminance(image);
    for (int k = 0; k < (colour ? 3 : 1); k++)
        from[channels++] = image->colour ? k : 0;
    if (alpha)
        from[channels++] = image->alpha ? image->step - 1 : -1;
    return channels;
}

/* -- The tensor ---------------------------------------------------------------------------------------------------- */

/* Copies a channel of row y, or opaque alpha, to `row`. */
static void copy_row(const heed__image *image, int64_t y, int from, uint16_t *row)
{
    const int64_t begin = y * image->width * image->step + from;
    const uint8_t *narrow = image->pixels;
    const uint16_t *wide = image->pixels;
    for (int64_t x = 0; x < image->width; x++)
        row[x] = from < 0            ? UINT16_MAX
                 : image->depth == 8 ? narrow[begin + x * image->step]
                                     : wide[begin + x * image->step];
}

/* Writes n numbers to every step-th element of `to`, which has the tensor's dtype, from element `begin` on. */
static void store_row(void *to, heed_dtype dtype, int64_t begin, int64_t step, const uint16_t *row, int64_t n,
                      unsigned max)
{
    float *f32 = to;
    double *f64 = to;
    int64_t *i64 = to;
    for (int64_t x = 0; x < n; x++) {
        const uint16_t v = row[x] < max ? row[x] : (uint16_t)max;
        if (dtype == HEED_F32)
            f32[begin + x * step] = (float)v / (float)max;
        else if (dtype == HEED_F64)
            f64[begin + x * step] = (double)v / (double)max;
        else
            i64[begin + x * step] = v;
    }
}

/* The position in a plane of the tensor of pixel (y, x): begin + y by_y + x by_x. */
typedef struct placement {
    int64_t height, width; /* of the tensor */
    int64_t begin, by_y, by_x;
} placement;

/* EXIF's orientations 2 to 8: mirrored, turned by 180 degrees, mirrored vertically, transposed, turned by 90 degrees
 * clockwise, transposed at the other diagonal, turned by 90 degrees counterclockwise. */
static placement place(const heed__image *image)
{
    const int64_t w = image->width, h = image->height;
    switch (image->orientation) {
    case 2:
        return (placement){h, w, w - 1, w, -1};
    case 3:
        return (placement){h, w, h * w - 1, -w, -1};
    case 4:
        return (placement){h, w, (h - 1) * w, -w, 1};
    case 5:
        return (placement){w, h, 0, 1, h};
    case 6:
        return (placement){w, h, h - 1, -1, h};
    case 7:
        return (placement){w, h, h * w - 1, -1, -h};
    case 8:
        return (placement){w, h, (w - 1) * h, 1, -h};
    default:
        return (placement){h, w, 0, w, 1};
    }
}

static void *elements(heed_tensor *t)
{
    switch (heed_dtype_of(t)) {
    case HEED_F32:
        return heed_mutable_f32(t);
    case HEED_F64:
        return heed_mutable_f64(t);
    default:
        return heed_mutable_i64(t);
    }
}

/* Returns the tensor (C, H, W) of the pixels. NULL after heed_fail. */
static heed_tensor *tensor_of(const heed__image *image)
{
    int from[4];
    const int channels = choose_channels(image, from);
    const placement p = place(image);
    const size_t row_size = (size_t)image->width * sizeof(uint16_t);
    const heed_dtype dtype = image->options.dtype;
    uint16_t *row = heed_alloc(row_size);
    heed_tensor *t = row ? heed_empty(dtype, HEED_SHAPE(channels, p.height, p.width)) : NULL;
    void *to = t ? elements(t) : NULL;
    for (int c = 0; to && c < channels; c++)
        for (int64_t y = 0; y < image->height; y++) {
            copy_row(image, y, from[c], row);
            store_row(to, dtype, c * p.height * p.width + p.begin + y * p.by_y, p.by_x, row, image->width,
                      image->depth == 8 ? UINT8_MAX : UINT16_MAX);
        }
    heed_free(row, row_size);
    return to ? t : NULL;
}

static heed_tensor *decode(heed__image *image)
{
    static const unsigned char png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'}, jpeg[] = {0xff, 0xd8, 0xff};
    bool ok = false;
    if (image->file_size >= sizeof png && memcmp(image->bytes, png, sizeof png) == 0)
        ok = heed__image_decode_png(image);
    else if (image->file_size >= sizeof jpeg && memcmp(image->bytes, jpeg, sizeof jpeg) == 0)
        ok = heed__image_decode_jpeg(image);
    else
        heed__image_fail(image, HEED_ERR_FORMAT, "neither a PNG nor a JPEG file: %s",
                         image->file_size == 0 ? "it is empty" : "its first bytes are different");
    heed_tensor *t = ok ? tensor_of(image) : NULL;
    heed_free(image->pixels, image->size);
    return t;
}

heed_tensor *heed__image_read(const char *where, const char *path, const heed_images_read_options *options)
{
    heed__file file;
    if (!heed__file_load(where, path, options->max_bytes, &file))
        return NULL;
    heed__image image = {.where = where,
                         .name = path,
                         .options = *options,
                         .bytes = (const unsigned char *)file.bytes,
                         .file_size = file.size,
                         .orientation = 1};
    heed_tensor *t = decode(&image);
    heed__file_free(&file);
    return t;
}

heed_tensor *heed_images_read(const char *path, const heed_images_read_options *options)
{
    static const char where[] = "images_read";
    HEED_ENTER(where);
    heed_images_read_options o = {0};
    return heed__image_options(where, options, &o) ? heed__image_read(where, path, &o) : NULL;
}

heed_tensor *heed_images_decode(const void *bytes, size_t size, const heed_images_read_options *options)
{
    static const char where[] = "images_decode";
    HEED_ENTER(where);
    heed_images_read_options o = {0};
    if (!heed__image_options(where, options, &o))
        return NULL;
    if (!bytes)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "bytes is NULL");
    if (size > o.max_bytes)
        return heed_fail_null(HEED_ERR_UNSUPPORTED, where, "image has %zu bytes, more than the limit of %zu", size,
                              o.max_bytes);
    heed__image image = {
        .where = where, .name = "image", .options = o, .bytes = bytes, .file_size = size, .orientation = 1};
    return decode(&image);
}
