/* plot/figure.h - shared code of all figures: size, numbers from tensors, PNG and output file.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_PLOT_FIGURE_H
#define HEED_PLOT_FIGURE_H

#include <heed/tensor.h>

#include "plot/draw.h"

#define HEED__MAX_PIXELS 16384 /* maximum width and height of a picture */

/* Replaces *scale by 1 if it is 0. Returns HEED_ERR_ARGUMENT if it is negative or not finite. */
heed_status heed__figure_scale(const char *where, double *scale);

/* Checks the option called `list`, such as "xticks", which is a list of names, and its length `count`, the option
 * "xtick_count". Returns HEED_ERR_ARGUMENT if only one of them is set, or if count differs from `expected`. A negative
 * `expected` allows every length. */
heed_status heed__figure_names(const char *where, const char *list, const char *const *names, int count,
                               int64_t expected);

/* Makes an empty picture for the file at `path`. Its size is width x height pixels, rounded. Fails with the code
 * `too_large` if a side exceeds HEED__MAX_PIXELS. */
heed_status heed__figure_begin(const char *where, heed__surface *surface, const char *path, double width, double height,
                               heed_status too_large);

/* Writes the picture to the file, unless a drawing function has failed, and frees the picture. Returns the error of the
 * first function that failed. */
heed_status heed__figure_end(const char *where, heed__surface *surface, const char *path);

/* Returns the elements of t as doubles, which are valid until the innermost scope ends. Returns NULL with an error
 * pending. */
const double *heed__figure_values(heed_tensor *t);

/* The elements of a grid of matrices. They are read block by block, because a view may have far more elements than its
 * memory. */
typedef struct heed__cells {
    heed_tensor *t;              /* the tensor, of rank 2 to 4 */
    int64_t rows, columns, q, k; /* rows x columns panels of q x k cells */
    heed_tensor *block;          /* the last block read, from one panel: f64 (block_rows, block_columns) */
    const double *values;        /* the elements of `block` */
    int64_t panel, row, column, block_rows, block_columns;
} heed__cells;

/* Returns the cells of a tensor (q, k), (columns, q, k) or (rows, columns, q, k). Does not read them yet. */
heed__cells heed__cells_of(heed_tensor *t);

/* Returns one cell, or NULL with an error pending. */
const double *heed__cells_get(heed__cells *cells, int64_t panel, int64_t row, int64_t column);

/* Calls `visit` for every cell of the panels from <= panel < end, row by row. Returns false with an error pending. */
bool heed__cells_visit(heed__cells *cells, int64_t from, int64_t end, void (*visit)(double value, void *context),
                       void *context);

/* Releases the last block. */
void heed__cells_drop(heed__cells *cells);

/* -- png.c ------------------------------------------------------------------------------------------------ */

/* Encodes width x height pixels of 1 channel (gray), 3 (RGB) or 4 (RGBA) as a PNG file in memory; free the result with
 * heed_free(bytes, *size). Returns NULL after heed_fail on behalf of `where`: HEED_ERR_ARGUMENT for a size below 1 or
 * above the encoder's limit (2^30 bytes of pixels), or HEED_ERR_NOMEM. */
uint8_t *heed__png_encode(const char *where, const uint8_t *pixels, int width, int height, int channels, size_t *size);

#endif
