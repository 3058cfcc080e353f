/* plot/figure.h - shared code of all figures: size, numbers from tensors, output file. */
#ifndef HEED_PLOT_FIGURE_H
#define HEED_PLOT_FIGURE_H

#include <heed/tensor.h>

#include "plot/draw.h"

#define HEED__MAX_PIXELS 16384 /* maximum width and height of a picture */

/* Replaces a *scale of 0 by 1. Returns HEED_ERR_ARGUMENT unless it is finite and positive. */
heed_status heed__figure_scale(const char *where, double *scale);

/* Checks a list of names in an option called `list`, such as "xticks", and its length in "xtick_count". A negative
 * `expected` allows any length. Returns HEED_ERR_ARGUMENT if they do not match. */
heed_status heed__figure_names(const char *where, const char *list, const char *const *names, int count,
                               int64_t expected);

/* Makes an empty picture of width x height pixels, rounded, for the file at `path`. Fails with code `too_large` if it
 * exceeds HEED__MAX_PIXELS. */
heed_status heed__figure_begin(const char *where, heed__surface *surface, const char *path, double width, double height,
                               heed_status too_large);

/* Writes the picture unless a drawing function failed, and frees it. */
heed_status heed__figure_end(const char *where, heed__surface *surface, const char *path);

/* Returns the elements of t as doubles, which live until the innermost scope ends; NULL with an error pending. */
const double *heed__figure_values(heed_tensor *t);

#endif
