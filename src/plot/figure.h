/* plot/figure.h - shared code of all figures: size, numbers from tensors, output file. */
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

#endif
