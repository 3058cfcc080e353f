/* optim/clip.h - what gradients are clipped by. */
#ifndef HEED_OPTIM_CLIP_H
#define HEED_OPTIM_CLIP_H

#include <heed/tensor.h>

/* Sums are made in lanes, element i in lane i mod HEED_LANES: they vectorise, and their order depends on the number of
 * elements alone. */
#define HEED_LANES 8

static inline double heed__sum_lanes(const double *lane)
{
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/* The sum of the squares of the elements begin .. end - 1 of a contiguous tensor, f32 or f64, in f64; of the elements
 * times a power of two. */
double heed__sum_of_squares(const heed_tensor *x, int64_t begin, int64_t end);
double heed__sum_of_scaled_squares(const heed_tensor *x, int64_t begin, int64_t end, double scale);

/* Returns false if a sum of `terms` squares has overflowed, or lost digits by underflow. */
bool heed__squares_fit(double sum, int64_t terms);

/* The largest magnitude of the elements and `largest`; NaN if one of them is NaN. */
double heed__largest_magnitude(const heed_tensor *x, double largest);

/* A power of two that brings the largest magnitude to about 1; 1 if that is 0, infinite or NaN. */
double heed__scale_for(double largest);

/* The 2-norm of a contiguous tensor. */
double heed__norm_of(const heed_tensor *x);

/* What gradients of that norm are multiplied by: 1, or less to bring it to max_norm. */
double heed__clip_factor(double norm, double max_norm);

/* x times a factor that may be below the smallest normal number of x's dtype. */
heed_tensor *heed__multiplied(heed_tensor *x, double factor);

#endif
