/* plot/figure.h - the beginning and the end of every figure: sizes, numbers from tensors, the file. */
#ifndef HEED_PLOT_FIGURE_H
#define HEED_PLOT_FIGURE_H

#include <heed/tensor.h>

#include "plot/draw.h"

#define HEED__MAX_PIXELS 16384 /* of a picture's width and height */

/* *scale is 1 where it was 0. HEED_ERR_ARGUMENT unless it is finite and positive. */
heed_status heed__figure_scale(const char *where, double *scale);

/* Checks a list of names in an option called `list`, such as "xticks", and its length in "xtick_count". `wanted` below
 * 0 allows any length. HEED_ERR_ARGUMENT. */
heed_status heed__figure_names(const char *where, const char *list, const char *const *names, int count,
                               int64_t wanted);

/* An empty picture of about width x height pixels for the file at `path`; `too_large` is the code for one beyond
 * HEED__MAX_PIXELS. */
heed_status heed__figure_begin(const char *where, heed__surface *surface, const char *path, double width, double height,
                               heed_status too_large);

/* Writes the picture unless a drawing function failed, and frees it. */
heed_status heed__figure_end(const char *where, heed__surface *surface, const char *path);

/* The elements of t as doubles; they live as long as the innermost scope. NULL with an error pending. */
const double *heed__figure_values(heed_tensor *t);

#endif
