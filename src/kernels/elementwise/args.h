/* kernels/elementwise/args.h - types of the elementwise kernels; part of kernels.h, which includes it.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ELEMENTWISE_ARGS_H
#define HEED_KERNELS_ELEMENTWISE_ARGS_H

#include <stdint.h>

typedef void heed__unary_kernel(int64_t n, const void *x, int64_t sx, void *y, const double *p);
typedef void heed__binary_kernel(int64_t n, const void *a, int64_t sa, const void *b, int64_t sb, void *y,
                                 const double *p);
typedef void heed__ternary_kernel(int64_t n, const void *a, int64_t sa, const void *b, int64_t sb, const void *c,
                                  int64_t sc, void *y);

/* Dropout: y[i] = 0 if the random word of element first + i is below the threshold, else x[i] factor;
 * kernels/elementwise/dropout.h defines the words. A threshold of p 2^32 drops with probability p. */
typedef struct heed__dropout_numbers {
    uint64_t seed, position;
    uint64_t threshold; /* 0 .. 2^32 */
    double factor;      /* rounded to the dtype before it is used */
} heed__dropout_numbers;
typedef void heed__dropout_kernel(const heed__dropout_numbers *args, int64_t first, int64_t n, const void *x, void *y);

#endif
