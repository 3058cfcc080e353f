/* inspect/numbers.h - finds NaN and infinities in tensors. */
#ifndef HEED_INSPECT_NUMBERS_H
#define HEED_INSPECT_NUMBERS_H

#include <heed/tensor.h>

/* Kinds of non-finite numbers, combined with |. */
enum { HEED__NAN = 1, HEED__INFINITE = 2 };

typedef struct heed__numbers {
    int64_t count, nans, infinities;
    int64_t first;      /* row-major position of the first non-finite number */
    double first_value; /* its value */
    double low, high;   /* range of the finite numbers; low > high without any */
} heed__numbers;

/* Returns true if every number of t is finite. Fast, and allocates nothing for contiguous tensors. Also returns true
 * for dtypes other than f32 and f64, for NULL, and after heed_fail. */
bool heed__numbers_finite(heed_tensor *t);

/* Computes all statistics of an f32 or f64 tensor. Returns false after heed_fail. */
bool heed__numbers_of(heed_tensor *t, heed__numbers *numbers);

/* Returns the kinds of t's non-finite numbers; 0 for other dtypes, for NULL, and after heed_fail. */
unsigned heed__numbers_kinds(heed_tensor *t);

/* Returns a copy of t with 1 in place of non-finite numbers, or NULL after heed_fail. Returns t itself if all numbers
 * are finite, if the dtype is neither f32 nor f64, or if t is NULL. */
heed_tensor *heed__numbers_cleaned(heed_tensor *t);

#endif
