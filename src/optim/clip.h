/* optim/clip.h - what gradients are clipped by. */
#ifndef HEED_OPTIM_CLIP_H
#define HEED_OPTIM_CLIP_H

#include <heed/tensor.h>

/* x_0^2 + ... + x_(n-1)^2 of a contiguous tensor, f32 or f64, in f64: the order of the sum depends on n alone. */
double heed__sum_of_squares(const heed_tensor *x);

/* What gradients of that norm are multiplied by: 1, or less to bring it to max_norm. */
double heed__clip_factor(double norm, double max_norm);

#endif
