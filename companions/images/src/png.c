/* images/src/png.c - decodes PNG files with libpng.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <setjmp.h>
#include <string.h>

#include <png.h>

#include <heed/memory.h>

#include "image.h"

/* Limits of libpng for the chunks that it stores: their number, and the bytes per chunk. */
#define MAX_CHUNKS 1000
#define MAX_CHUNK_BYTES ((png_alloc_size_t)8 << 20)

/* The state of a call of libpng. It is in memory, not in registers, when libpng returns by longjmp. */
typedef struct decoder {
    heed__image *image;
    png_structp png;
    png_infop info;
    size_t position; /* in the file */
    bool refused;    /* memory; libpng may have continued without it */
    jmp_buf jump;
} decoder;

/* -- Callbacks of libpng ------------------------------------------------------------------------------------------- */

static PNG_NORETURN void on_error(png_structp png, png_const_charp message)
{
    decoder *d = png_get_error_ptr(png);
    heed__image_fail(d->image, HEED_ERR_FORMAT, "libpng: %s", message);
    longjmp(d->jump, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void on_read(png_structp png, png_bytep to, size_t size)
{
    decoder *d = png_get_io_ptr(png);
    if (size > d->image->file_size - d->position)
        png_error(png, "the file ends too early");
    memcpy(to, d->image->bytes + d->position, size);
    d->position += size;
}

/* A block begins with its size, because heed_free needs it. */
static png_voidp on_alloc(png_structp png, png_alloc_size_t size)
{
    decoder *d = png_get_mem_ptr(png);
    char *block = size <= SIZE_MAX - HEED_ALIGNMENT ? heed_alloc(size + HEED_ALIGNMENT) : NULL;
    d->refused = d->refused || !block;
    if (!block)
        return NULL;
    memcpy(block, &size, sizeof size);
    return block + HEED_ALIGNMENT;
}

static void on_free(png_structp png, png_voidp memory)
{
    (void)png;
    png_alloc_size_t size;
    char *block = (char *)memory - HEED_ALIGNMENT;
    memcpy(&size, block, sizeof size);
    heed_free(block, size + HEED_ALIGNMENT);
}

/* -- Decoding ------------------------------------------------------------------------------------------------------ */

/* Skips text and colour profiles, which libpng would decompress. */
static void set_limits(png_structp png)
{
    static const png_byte ignored[] = "iCCP\0iTXt\0tEXt\0zTXt";
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX); /* heed__image_alloc checks them */
    png_set_chunk_cache_max(png, MAX_CHUNKS);
    png_set_chunk_malloc_max(png, MAX_CHUNK_BYTES);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, ignored, 4);
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
}

/* Reads the header and selects the transformations: palettes become colours, tRNS becomes alpha, and numbers have 8 or
 * 16 bits. */
static void read_header(decoder *d)
{
    heed__image *image = d->image;
    png_read_info(d->png, d->info);
    png_set_expand(d->png);
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    if (first == 1)
        png_set_swap(d->png); /* PNG is big-endian */
    image->width = png_get_image_width(d->png, d->info);
    image->height = png_get_image_height(d->png, d->info);
    const int type = png_get_color_type(d->png, d->info);
    const bool transparent = png_get_valid(d->png, d->info, PNG_INFO_tRNS) != 0;
    image->depth = png_get_bit_depth(d->png, d->info) == 16 ? 16 : 8;
    image->colour = (type & PNG_COLOR_MASK_COLOR) != 0;
    image->alpha = (type & PNG_COLOR_MASK_ALPHA) != 0 || transparent;
    image->step = (image->colour ? 3 : 1) + image->alpha;
}

static void read_rows(decoder *d)
{
    const heed__image *image = d->image;
    const int passes = png_set_interlace_handling(d->png);
    png_read_update_info(d->png, d->info);
    const size_t row = image->size / (size_t)image->height;
    if (png_get_rowbytes(d->png, d->info) != row)
        png_error(d->png, "rows have an unexpected size");
    for (int pass = 0; pass < passes; pass++)
        for (int64_t y = 0; y < image->height; y++)
            png_read_row(d->png, (png_bytep)image->pixels + (size_t)y * row, NULL);
}

static void read_orientation(decoder *d)
{
    png_uint_32 size;
    png_bytep exif;
    if (d->image->options.exif_orientation && png_get_eXIf_1(d->png, d->info, &size, &exif) != 0)
        d->image->orientation = heed__exif_orientation(exif, size);
}

/* Returns false if libpng called on_error. */
static bool decode_guarded(decoder *d)
{
    if (setjmp(d->jump) != 0)
        return false;
    set_limits(d->png);
    png_set_read_fn(d->png, d, on_read);
    read_header(d);
    if (!heed__image_alloc(d->image))
        return false;
    memset(d->image->pixels, 0, d->image->size);
    read_rows(d);
    png_read_end(d->png, d->info);
    read_orientation(d);
    return !d->refused;
}

bool heed__image_decode_png(heed__image *image)
{
    decoder d = {.image = image};
    if (setjmp(d.jump) != 0) /* png_create_read_struct_2 sets its own, and fails by returning NULL */
        return false;
    d.png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &d, on_error, on_warning, &d, on_alloc, on_free);
    d.info = d.png ? png_create_info_struct(d.png) : NULL;
    const bool ok = d.info && decode_guarded(&d);
    if (!d.info && !d.refused)
        heed__image_fail(image, HEED_ERR_UNSUPPORTED, "libpng %s cannot be used: heed was built with %s",
                         png_get_libpng_ver(NULL), PNG_LIBPNG_VER_STRING);
    png_destroy_read_struct(&d.png, &d.info, NULL);
    return ok;
}
