/* kernels/total.h - sums in double that carry along what rounding loses: many terms cost no digits. */
#ifndef HEED_KERNELS_TOTAL_H
#define HEED_KERNELS_TOTAL_H

#include <math.h>

/* Knuth's TwoSum: the old *sum + term = the new *sum + what is added to *lost, exactly. */
static inline void total_add(double *sum, double *lost, double term)
{
    double s = *sum + term;
    double taken = s - *sum;
    *lost += (*sum - (s - taken)) + (term - taken);
    *sum = s;
}

/* Once the sum is infinite, what was lost is NaN. */
static inline double total_value(double sum, double lost)
{
    return isfinite(sum) ? sum + lost : sum;
}

#endif
