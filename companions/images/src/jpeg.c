/* images/src/jpeg.c - decodes JPEG files with libjpeg.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <limits.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jerror.h>
#include <jpeglib.h>

#include <heed/memory.h>

#include "image.h"

/* Each scan of a progressive file goes through the whole image. Encoders write about ten. */
#define MAX_SCANS 500
/* libjpeg's memory: a fixed number of bytes, and bytes per pixel, of which the coefficients of a progressive file with
 * four components take 8. */
#define BASE_MEMORY (INT64_C(16) << 20)
#define PIXEL_MEMORY 16
#define EXIF_HEADER 6 /* bytes of "Exif\0\0" */

/* The state of a call of libjpeg. It is in memory, not in registers, when libjpeg returns by longjmp. */
typedef struct decoder {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    heed__image *image;
    jmp_buf jump;
} decoder;

/* -- Callbacks of libjpeg ------------------------------------------------------------------------------------------ */

static heed_status status_of(int code)
{
    switch (code) {
    case JERR_OUT_OF_MEMORY:
        return HEED_ERR_NOMEM;
    case JERR_BAD_PRECISION:
    case JERR_SOF_UNSUPPORTED:
    case JERR_NO_BACKING_STORE:
    case JERR_ARITH_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_CONVERSION_NOTIMPL:
        return HEED_ERR_UNSUPPORTED;
    default:
        return HEED_ERR_FORMAT;
    }
}

static _Noreturn void on_error(j_common_ptr jpeg)
{
    decoder *d = jpeg->client_data;
    char message[JMSG_LENGTH_MAX];
    jpeg->err->format_message(jpeg, message);
    heed__image_fail(d->image, status_of(jpeg->err->msg_code), "libjpeg: %s", message);
    longjmp(d->jump, 1);
}

/* A negative level is a warning: libjpeg would continue, mostly with grey pixels. Those without an effect on the pixels
 * are ignored. */
static void on_message(j_common_ptr jpeg, int level)
{
    const int code = jpeg->err->msg_code;
    if (level < 0 && code != JWRN_EXTRANEOUS_DATA && code != JWRN_ADOBE_XFORM && code != JWRN_JFIF_MAJOR &&
        code != JWRN_BOGUS_ICC)
        on_error(jpeg);
}

static void print_nothing(j_common_ptr jpeg)
{
    (void)jpeg;
}

static void on_progress(j_common_ptr jpeg)
{
    decoder *d = jpeg->client_data;
    if (d->jpeg.input_scan_number <= MAX_SCANS)
        return;
    heed__image_fail(d->image, HEED_ERR_UNSUPPORTED, "the file has more than %d scans", MAX_SCANS);
    longjmp(d->jump, 1);
}

/* -- Decoding ------------------------------------------------------------------------------------------------------ */

static void create(decoder *d)
{
    d->jpeg.err = jpeg_std_error(&d->errors);
    d->errors.error_exit = on_error;
    d->errors.emit_message = on_message;
    d->errors.output_message = print_nothing;
    d->jpeg.client_data = d;
    jpeg_create_decompress(&d->jpeg); /* keeps err and client_data */
    d->progress.progress_monitor = on_progress;
    d->jpeg.progress = &d->progress;
}

static void read_orientation(decoder *d)
{
    for (jpeg_saved_marker_ptr m = d->jpeg.marker_list; m; m = m->next)
        if (m->data_length > EXIF_HEADER && memcmp(m->data, "Exif\0", EXIF_HEADER) == 0) {
            d->image->orientation = heed__exif_orientation(m->data + EXIF_HEADER, m->data_length - EXIF_HEADER);
            return;
        }
}

/* Selects the colours that libjpeg computes. Returns false after heed_fail. */
static bool choose_colours(decoder *d)
{
    heed__image *image = d->image;
    const heed_images_mode mode = image->options.mode;
    const bool grey = mode == HEED_IMAGES_GRAY || mode == HEED_IMAGES_GRAY_ALPHA;
    const int components = d->jpeg.num_components;
    if (components != 1 && components != 3 && components != 4)
        return heed__image_fail(image, HEED_ERR_UNSUPPORTED, "the file has %d components: must be 1, 3 or 4",
                                components);
    image->colour = components == 4 || (components == 3 && !grey);
    image->alpha = false;
    image->depth = 8;
    image->step = components == 4 ? 4 : image->colour ? 3 : 1;
    d->jpeg.out_color_space = components == 4 ? JCS_CMYK : image->colour ? JCS_RGB : JCS_GRAYSCALE;
    return true;
}

static bool read_header(decoder *d)
{
    heed__image *image = d->image;
    jpeg_mem_src(&d->jpeg, image->bytes, (unsigned long)image->file_size);
    if (image->options.exif_orientation)
        jpeg_save_markers(&d->jpeg, JPEG_APP0 + 1, 0xffff);
    (void)jpeg_read_header(&d->jpeg, TRUE);
    read_orientation(d);
    image->width = d->jpeg.image_width;
    image->height = d->jpeg.image_height;
    return choose_colours(d) && heed__image_alloc(image);
}

/* Replaces cyan, magenta and yellow by red, green and blue. Adobe's programs store all four colours inverted, so that
 * red is cyan times black. */
static void convert_cmyk(const heed__image *image)
{
    uint8_t *pixel = image->pixels;
    for (int64_t i = 0; i < image->width * image->height; i++, pixel += 4)
        for (int k = 0; k < 3; k++) {
            const int product = pixel[3] * (UINT8_MAX - pixel[k]) + 128;
            pixel[k] = (uint8_t)(pixel[3] - ((product >> 8) + product) / 256);
        }
}

/* Returns false after heed_fail. */
static bool decode_guarded(decoder *d)
{
    if (setjmp(d->jump) != 0)
        return false;
    create(d);
    if (!read_header(d))
        return false;
    const heed__image *image = d->image;
    const int64_t memory = BASE_MEMORY + PIXEL_MEMORY * image->width * image->height;
    d->jpeg.mem->max_memory_to_use = memory < LONG_MAX ? (long)memory : LONG_MAX;
    (void)jpeg_start_decompress(&d->jpeg);
    const size_t row = image->size / (size_t)image->height;
    while (d->jpeg.output_scanline < d->jpeg.output_height) {
        JSAMPROW to = (JSAMPROW)image->pixels + d->jpeg.output_scanline * row;
        (void)jpeg_read_scanlines(&d->jpeg, &to, 1);
    }
    (void)jpeg_finish_decompress(&d->jpeg);
    return true;
}

bool heed__image_decode_jpeg(heed__image *image)
{
    const size_t size = sizeof(decoder);
    decoder *d = heed_calloc(1, size);
    if (!d)
        return false;
    d->image = image;
    const bool ok = decode_guarded(d);
    if (ok && image->step == 4)
        convert_cmyk(image);
    jpeg_destroy_decompress(&d->jpeg);
    heed_free(d, size);
    return ok;
}
