/* nn/silverman.c - Silverman's rule of thumb for the width of a kernel. */

#include <inttypes.h>
#include <math.h>

#include <heed/graph.h>
#include <heed/nn.h>
#include <heed/ops.h>

static const char where[] = "nn_silverman_width";

/* Returns half of the quantile p of n sorted numbers, interpolated (R's type 7). Halving prevents the difference of two
 * quantiles from overflowing. */
static double half_quantile(const double *sorted, int64_t n, double p)
{
    double position = p * (double)(n - 1), lower = floor(position);
    int64_t i = (int64_t)lower;
    if (i + 1 >= n)
        return 0.5 * sorted[n - 1];
    return 0.5 * sorted[i] + (position - lower) * (0.5 * sorted[i + 1] - 0.5 * sorted[i]);
}

/* Returns the standard deviation. Scales the numbers by a power of two to magnitudes of at most 1 during the
 * computation, so that their squares neither overflow nor all underflow. */
static double deviation(const double *sorted, int64_t n)
{
    int exponent;
    (void)frexp(fmax(fabs(sorted[0]), fabs(sorted[n - 1])), &exponent);
    exponent = exponent < -1000 ? -1000 : exponent; /* keeps the factor finite */
    double factor = ldexp(1.0, -exponent), mean = 0.0, sum = 0.0;
    for (int64_t i = 0; i < n; i++)
        mean += factor * sorted[i] / (double)n;
    for (int64_t i = 0; i < n; i++)
        sum += (factor * sorted[i] - mean) * (factor * sorted[i] - mean);
    return ldexp(sqrt(sum / (double)(n - 1)), exponent);
}

static bool check_values(const double *sorted, int64_t n)
{
    if (!isfinite(sorted[0]) || !isfinite(sorted[n - 1]))
        heed_fail(HEED_ERR_ARGUMENT, where, "x contains %g: must be finite",
                  isfinite(sorted[0]) ? sorted[n - 1] : sorted[0]);
    else if (sorted[0] == sorted[n - 1])
        heed_fail(HEED_ERR_ARGUMENT, where, "all %" PRId64 " values are %g: at least two must differ", n, sorted[0]);
    else
        return true;
    return false;
}

/* Returns the width for n sorted numbers, or NaN after heed_fail. */
static double rule_of_thumb(const double *sorted, int64_t n)
{
    double spread = deviation(sorted, n);
    double range = (half_quantile(sorted, n, 0.75) - half_quantile(sorted, n, 0.25)) / 0.67; /* 1.34 / 2 */
    if (range > 0.0 && range < spread)
        spread = range;
    double width = 0.9 * spread * pow((double)n, -0.2);
    if (isfinite(width) && width > 0.0)
        return width;
    heed_fail(HEED_ERR_ARGUMENT, where, "x ranges from %g to %g, which makes the width %g: must be finite and above 0",
              sorted[0], sorted[n - 1], width);
    return (double)NAN;
}

static bool check_tensor(const heed_tensor *x)
{
    if (!x)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "x is NULL");
    if (!heed_dtype_is_float(heed_dtype_of(x)))
        return heed_fail_false(HEED_ERR_DTYPE, where, "x is %s: must be f32 or f64", heed_dtype_name(heed_dtype_of(x)));
    if (heed_rank(x) != 1 || heed_dim(x, 0) < 2)
        return heed_fail_false(HEED_ERR_SHAPE, where, "x is %s: must be (n) with n >= 2",
                               heed_shape_text(heed_shape_of(x)).s);
    return true;
}

double heed_nn_silverman_width(heed_tensor *x)
{
    HEED_ENTER(where);
    double width = (double)NAN;
    if (!check_tensor(x))
        return width;
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return width;
    const double *sorted = heed_data_f64(heed_contiguous(heed_sort(heed_to_dtype(x, HEED_F64))));
    if (sorted && check_values(sorted, heed_numel(x)))
        width = rule_of_thumb(sorted, heed_numel(x));
    heed_scope_end(scope);
    return width;
}
