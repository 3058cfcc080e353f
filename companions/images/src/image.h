/* images/src/image.h - a decoded image before it becomes a tensor, and the functions that decode it.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_IMAGES_IMAGE_H
#define HEED_IMAGES_IMAGE_H

#include <heed/images.h>

/* Numbers of an image, row by row; a pixel has `step` numbers of `depth` bits, in the machine's byte order. */
typedef struct heed__image {
    const char *where, *name;         /* for messages: the function, and the path or "image" */
    heed_images_read_options options; /* with limits above 0 */
    const unsigned char *bytes;       /* the file */
    size_t file_size;
    int64_t width, height;
    int step, depth;    /* 1 to 4; 8 or 16 */
    bool colour, alpha; /* a pixel begins with red, green, blue, or with grey; it ends with alpha */
    int orientation;    /* of EXIF, 1 to 8; 1: as stored */
    void *pixels;       /* from heed_alloc; NULL before heed__image_alloc */
    size_t size;        /* bytes of pixels */
} heed__image;

/* Checks the limits and allocates the pixels of an image whose width, height, step and depth are set. Returns false
 * after heed_fail. */
bool heed__image_alloc(heed__image *image);

/* Calls heed_fail with a message that begins with the image's name. Always returns false. */
bool heed__image_fail(const heed__image *image, heed_status status, const char *format, ...) HEED_PRINTF(3, 4);

/* Decode the file and set all fields below `file_size`. Return false after heed_fail; the caller frees the pixels. */
bool heed__image_decode_png(heed__image *image);
bool heed__image_decode_jpeg(heed__image *image);

/* Returns the orientation of EXIF data, a TIFF header and its directories, or 1 if they contain no valid one. */
int heed__exif_orientation(const unsigned char *exif, size_t size);

/* Reads an image; the options are complete and checked. NULL after heed_fail. */
heed_tensor *heed__image_read(const char *where, const char *path, const heed_images_read_options *options);

/* Checks options and replaces zeros by their meanings. Returns false after heed_fail. */
bool heed__image_options(const char *where, const heed_images_read_options *given, heed_images_read_options *options);

#endif
