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

/* The sum of the squares of the elements begin .. end - 1 of a contiguous tensor, f32 or f64, in f64. */
double heed__sum_of_squares(const heed_tensor *x, int64_t begin, int64_t end);

/* What gradients of that norm are multiplied by: 1, or less to bring it to max_norm. */
double heed__clip_factor(double norm, double max_norm);

#endif
