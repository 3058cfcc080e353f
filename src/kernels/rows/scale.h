/* kernels/rows/scale.h - scaling by a power of two for numbers whose squares overflow or underflow.
 *
 * A normalisation sums squares in T. If the sum leaves the range of T, the numbers are multiplied by a power of two
 * that brings the largest magnitude to about 1, and eps by the square of this power. The normalised numbers do not
 * change; the gradient must then be multiplied by the same power of two. All other numbers are used unchanged.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ROWS_SCALE_H
#define HEED_KERNELS_ROWS_SCALE_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "kernels/simd/element.h"

/* A square that underflows has an error of at most half the smallest positive number: 2^-150 in f32, 2^-1075 in f64. If
 * spread = mean square + eps is at least LEAST_SPREAD, such an error is below a quarter of a unit in the last place of
 * spread. */
#define LEAST_SPREAD (IS_F32 ? 0x1p-124 : 0x1p-1020)

static inline bool spread_fits(double spread)
{
    return spread >= LEAST_SPREAD && spread <= DBL_MAX;
}

/* The maximum of `largest` and the magnitudes of n numbers; NaN if one of the numbers is NaN. */
static T largest_magnitude(int64_t n, const T *x, T largest)
{
    for (int64_t i = 0; i < n; i++) {
        const T size = LIBM(fabs)(x[i]);
        largest = size > largest || size != size ? size : largest;
    }
    return largest;
}

/* The power of two that brings the magnitude `largest` to about 1; 1 if `largest` is 0, infinite or NaN. */
static double power_of_two_for(T largest)
{
    enum { MOST = EXPONENT_BIAS - 3 };
    int exponent;
    if (!(largest > 0 && largest <= LARGEST))
        return 1;
    (void)frexp((double)largest, &exponent);
    return ldexp(1, exponent > MOST ? -MOST : exponent < -MOST ? MOST : -exponent);
}

static void multiply_by(int64_t n, const T *x, T scale, T *y)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] * scale;
}

#endif
