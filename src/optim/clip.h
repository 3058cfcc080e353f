/* optim/clip.h - what gradients are clipped by. */
#ifndef HEED_OPTIM_CLIP_H
#define HEED_OPTIM_CLIP_H

#include <heed/tensor.h>

/* The sum of the squares of the elements begin .. end - 1 of a contiguous tensor, f32 or f64, in f64: its order depends on
 * their number alone. */
double heed__sum_of_squares(const heed_tensor *x, int64_t begin, int64_t end);

/* What gradients of that norm are multiplied by: 1, or less to bring it to max_norm. */
double heed__clip_factor(double norm, double max_norm);

#endif
