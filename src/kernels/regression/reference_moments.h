/* kernels/regression/reference_moments.h - weighted sums for local polynomials as plain loops. The kernel moments
 * computes the same up to rounding. The tests take expected values from here. The library does not contain this file.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_REGRESSION_REFERENCE_MOMENTS_H
#define HEED_KERNELS_REGRESSION_REFERENCE_MOMENTS_H

#include <math.h>

/* The kernel K(u) with slope d ln K / d ln h: e^(-u^2 / 2) if `power` is 0, else (1 - |u|^power)^times for |u| <= 1. */
static inline double reference_kernel(int power, int times, double u, double *slope)
{
    const long double size = fabsl(u), to_power = powl(size, power);
    *slope = (double)(power == 0 ? size * size : times > 0 ? power * times * to_power / (1 - to_power) : 0);
    return (double)(power == 0 ? expl(-size * size / 2) : size <= 1 ? powl(1 - to_power, times) : 0);
}

/* Adds one key of weight W to S_jk = sum of W b_j b_k, k <= j, row by row, followed by T_j = sum of W b_j y, for
 * n powers b. Adds the magnitudes of the terms to sizes. Returns the number of sums. */
static inline int reference_add_key(int n, double weight, const double *b, double y, double *sums, double *sizes)
{
    int at = 0;
    for (int j = 0; j < n; j++)
        for (int k = 0; k <= j; k++, at++) {
            sums[at] += weight * b[j] * b[k];
            sizes[at] += fabs(weight * b[j] * b[k]);
        }
    for (int j = 0; j < n; j++, at++) {
        sums[at] += weight * b[j] * y;
        sizes[at] += fabs(weight * b[j] * y);
    }
    return at;
}

#endif
