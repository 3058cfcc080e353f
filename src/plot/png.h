/* plot/png.h - pictures as PNG files. */
#ifndef HEED_PLOT_PNG_H
#define HEED_PLOT_PNG_H

#include <stddef.h>
#include <stdint.h>

#include <heed/error.h>

/* A block from heed_alloc with the PNG file of width x height pixels in it, of 1 channel (gray), 3 (RGB) or 4 (RGBA);
 * free it with heed_free(bytes, *size). NULL with HEED_ERR_ARGUMENT, on behalf of `where`, for a size below 1 or beyond
 * what the encoder counts with (2^30 bytes of pixels); HEED_ERR_NOMEM. */
uint8_t *heed__png_encode(const char *where, const uint8_t *pixels, int width, int height, int channels, size_t *size);

/* Encodes, and replaces the file at `path`. */
heed_status heed__png_write(const char *where, const char *path, const uint8_t *rgb, int width, int height);

#endif
