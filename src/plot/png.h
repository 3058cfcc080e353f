/* plot/png.h - writes PNG files. */
#ifndef HEED_PLOT_PNG_H
#define HEED_PLOT_PNG_H

#include <stddef.h>
#include <stdint.h>

#include <heed/error.h>

/* Encodes width x height pixels of 1 channel (gray), 3 (RGB) or 4 (RGBA) as a PNG file in memory; free the result with
 * heed_free(bytes, *size). Returns NULL after heed_fail on behalf of `where`: HEED_ERR_ARGUMENT for a size below 1 or
 * above the encoder's limit (2^30 bytes of pixels), or HEED_ERR_NOMEM. */
uint8_t *heed__png_encode(const char *where, const uint8_t *pixels, int width, int height, int channels, size_t *size);

/* Encodes the pixels and writes or replaces the file at `path`. */
heed_status heed__png_write(const char *where, const char *path, const uint8_t *rgb, int width, int height);

#endif
