/* optim/clip.h - norms and scaling for the clipping of gradients.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPTIM_CLIP_H
#define HEED_OPTIM_CLIP_H

#include <heed/tensor.h>

/* Sums are computed in lanes, element i in lane i mod HEED_LANES. They vectorise, and their order depends only on the
 * number of elements. */
#define HEED_LANES 8

static inline double heed__sum_lanes(const double *lane)
{
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/* Return the sum of squares, computed in f64, of the elements begin .. end - 1 of a contiguous f32 or f64 tensor. The
 * second function first multiplies every element by `scale`, a power of two. */
double heed__sum_of_squares(const heed_tensor *x, int64_t begin, int64_t end);
double heed__sum_of_scaled_squares(const heed_tensor *x, int64_t begin, int64_t end, double scale);

/* Returns false if a sum of `terms` squares has overflowed or lost digits by underflow. */
bool heed__squares_fit(double sum, int64_t terms);

/* Returns the maximum of `largest` and the magnitudes of all elements; NaN if one of these is NaN. */
double heed__largest_magnitude(const heed_tensor *x, double largest);

/* Returns a power of two that scales the magnitude `largest` to about 1; returns 1 if `largest` is 0, infinite or
 * NaN. */
double heed__scale_for(double largest);

/* Returns the 2-norm of a contiguous tensor. */
double heed__norm_of(const heed_tensor *x);

/* Returns the factor by which to scale gradients whose norm is `norm`: 1, or less if the norm exceeds max_norm. */
double heed__clip_factor(double norm, double max_norm);

/* Returns x times a factor, which may be below the smallest normal number of x's dtype. */
heed_tensor *heed__scaled(heed_tensor *x, double factor);

#endif
