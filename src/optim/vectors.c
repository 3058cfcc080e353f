/* optim/vectors.c - f64 vector arithmetic for L-BFGS. The order of additions in a sum depends only on the vectors'
 * length. */

#include <math.h>

#include "optim/clip.h"
#include "optim/lbfgs.h"

double heed__dot(const heed_tensor *a, const heed_tensor *b)
{
    const double *x = heed_data_f64(a), *y = heed_data_f64(b);
    const int64_t n = heed_numel(a);
    double lane[HEED_LANES] = {0.0};
    int64_t i = 0;
    for (; i <= n - HEED_LANES; i += HEED_LANES)
        for (int k = 0; k < HEED_LANES; k++)
            lane[k] += x[i + k] * y[i + k];
    for (int k = 0; i < n; i++, k++)
        lane[k] += x[i] * y[i];
    return heed__sum_lanes(lane);
}

double heed__abs_max(const heed_tensor *a)
{
    const double *x = heed_data_f64(a);
    double maximum = 0.0;
    for (int64_t i = 0, n = heed_numel(a); i < n; i++)
        maximum = fmax(maximum, fabs(x[i]));
    return maximum;
}

double heed__abs_sum(const heed_tensor *a)
{
    const double *x = heed_data_f64(a);
    double sum = 0.0;
    for (int64_t i = 0, n = heed_numel(a); i < n; i++)
        sum += fabs(x[i]);
    return sum;
}

heed_tensor *heed__linear_combination(double a, const heed_tensor *x, double b, const heed_tensor *y)
{
    heed_tensor *z = heed_empty(HEED_F64, heed_shape_of(x));
    if (!z)
        return NULL;
    const double *from = heed_data_f64(x), *and = heed_data_f64(y);
    double *to = heed_mutable_f64(z);
    for (int64_t i = 0, n = heed_numel(x); i < n; i++)
        to[i] = a * from[i] + b * and[i];
    return z;
}

void heed__add_scaled_(heed_tensor *y, double a, const heed_tensor *x)
{
    const double *from = heed_data_f64(x);
    double *to = heed_mutable_f64(y);
    for (int64_t i = 0, n = heed_numel(y); i < n; i++)
        to[i] += a * from[i];
}
