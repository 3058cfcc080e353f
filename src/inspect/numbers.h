/* inspect/numbers.h - whether the numbers of a tensor are finite, and what they are. */
#ifndef HEED_INSPECT_NUMBERS_H
#define HEED_INSPECT_NUMBERS_H

#include <heed/tensor.h>

/* Kinds of numbers that are not finite, or-ed. */
enum { HEED__NAN = 1, HEED__INFINITE = 2 };

typedef struct heed__numbers {
    int64_t count, nans, infinities;
    int64_t first;      /* the first that is not finite, in row-major order */
    double first_value; /* of it */
    double low, high;   /* of those that are finite, if there are any */
} heed__numbers;

/* Whether every number of t is finite: quick, without memory where t is contiguous. True for other dtypes than f32 and
 * f64, for NULL, and after heed_fail. */
bool heed__numbers_finite(heed_tensor *t);

/* All about t, of f32 or f64. False after heed_fail. */
bool heed__numbers_of(heed_tensor *t, heed__numbers *numbers);

/* Kinds of t's numbers; 0 for what is not f32 or f64, for NULL, and after heed_fail. */
unsigned heed__numbers_kinds(heed_tensor *t);

/* A copy of t with 1 where it is not finite; t itself where all of it is, and where it is NULL or not f32 or f64. NULL
 * after heed_fail, or for NULL. */
heed_tensor *heed__numbers_cleaned(heed_tensor *t);

#endif
