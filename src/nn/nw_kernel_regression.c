/* nn/nw_kernel_regression.c - Nadaraya-Watson kernel regression as a module, Silverman's rule of thumb for its width,
 * and leave-one-out training data.
 *
 *     f(q) = sum_i a_i(q) v_i
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <float.h>
#include <inttypes.h>
#include <math.h>

#include <heed/graph.h>
#include <heed/nn.h>
#include <heed/ops.h>
#include <heed/random.h>

#include "nn/module.h"

static const char where_new[] = "nn_nw_kernel_regression_new";
static const char where_forward[] = "nn_nw_kernel_regression_forward";

static heed_status check_regression_options(const heed_nn_nw_kernel_regression_options *o)
{
    if (!heed_dtype_is_float(o->dtype))
        return heed_fail(HEED_ERR_DTYPE, where_new, "dtype is %s: must be f32 or f64", heed_dtype_name(o->dtype));
    if ((int)o->kernel < HEED_NW_GAUSSIAN || o->kernel > HEED_NW_CONSTANT)
        return heed_fail(HEED_ERR_ARGUMENT, where_new, "kernel is %d: must be one of HEED_NW_*", (int)o->kernel);
    if (o->degree < 0 || o->degree > 3)
        return heed_fail(HEED_ERR_ARGUMENT, where_new, "degree is %d: must be 0 to 3", o->degree);
    if (o->dim < 0)
        return heed_fail(HEED_ERR_ARGUMENT, where_new, "dim is %" PRId64 ": must be 0 or more", o->dim);
    double smallest = o->dtype == HEED_F32 ? (double)FLT_MIN : DBL_MIN;
    double largest = o->dtype == HEED_F32 ? (double)FLT_MAX : DBL_MAX;
    double w2 = 1.0 / (o->width * o->width);
    if (o->width != 0.0 && !(o->width > 0.0 && w2 >= smallest && w2 <= largest))
        return heed_fail(HEED_ERR_ARGUMENT, where_new, "width is %g: must be 0, or from %.2g to %.2g", o->width,
                         1.0 / sqrt(largest), 1.0 / sqrt(smallest));
    return HEED_OK;
}

/* Returns the initial width parameter: ln h with log_width, else w = 1 / h. */
static heed_tensor *initial_width(const heed_nn_nw_kernel_regression_options *o)
{
    heed_shape shape = HEED_SHAPE(o->dim > 0 ? o->dim : 1);
    if (o->width == 0.0 && !o->non_parametric && !o->log_width)
        return heed_rand(o->dtype, shape);
    double h = o->width == 0.0 ? 1.0 : o->width;
    return heed_full(o->dtype, shape, o->log_width ? log(h) : 1.0 / h);
}

heed_nn_nw_kernel_regression *heed_nn_nw_kernel_regression_new(const heed_nn_nw_kernel_regression_options *options)
{
    HEED_ENTER(where_new);
    heed_nn_nw_kernel_regression_options o = options ? *options : (heed_nn_nw_kernel_regression_options){0};
    if (check_regression_options(&o) != HEED_OK)
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_nn_nw_kernel_regression *net = heed_module_new("nw_kernel_regression", sizeof *net);
    heed_tensor *width = initial_width(&o);
    if (net) {
        const char *name = o.log_width ? "log_h" : "w";
        net->options = o;
        net->width = o.non_parametric ? heed_module_buffer(&net->base, name, width)
                                      : heed_module_parameter(&net->base, name, width);
        if (!net->width) {
            heed_module_free(&net->base);
            net = NULL;
        }
    }
    heed_scope_end(scope);
    return net;
}

/* -- Forward ------------------------------------------------------------------------------------------------------- */

static bool check_input_dtypes(const heed_nn_nw_kernel_regression *net, heed_tensor *const *in)
{
    static const char *const names[] = {"queries", "keys", "values"};
    for (int i = 0; i < 3; i++) {
        if (!in[i])
            return heed_fail_false(HEED_ERR_ARGUMENT, where_forward, "%s is NULL", names[i]);
        if (heed_dtype_of(in[i]) != net->options.dtype)
            return heed_fail_false(HEED_ERR_DTYPE, where_forward, "%s is %s: must be %s", names[i],
                                   heed_dtype_name(heed_dtype_of(in[i])), heed_dtype_name(net->options.dtype));
    }
    return true;
}

/* Checks that the queries have `dim` components if the module has one width per component. The op checks all other
 * shapes. */
static bool check_components(const heed_nn_nw_kernel_regression *net, heed_tensor *queries, heed_tensor *keys)
{
    int rank = heed_rank(queries);
    if (net->options.dim == 0 || rank < 1 || rank > 2 || heed_rank(keys) < rank)
        return true;
    int64_t components = rank == 2 ? heed_dim(queries, 1) : 1;
    if (components == net->options.dim)
        return true;
    return heed_fail_false(HEED_ERR_SHAPE, where_forward,
                           "keys have %" PRId64 " components: must be %" PRId64 ", one for each width", components,
                           net->options.dim);
}

heed_tensor *heed_nn_nw_kernel_regression_forward(heed_nn_nw_kernel_regression *net, heed_tensor *queries,
                                                  heed_tensor *keys, heed_tensor *values, heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_forward, net);
    if (weights)
        *weights = NULL;
    if (!heed__module_check(where_forward, (const heed_module *)net))
        return NULL;
    heed_tensor *const in[] = {queries, keys, values};
    if (!check_input_dtypes(net, in) || !check_components(net, queries, keys))
        return NULL;
    const heed_kernel_regression_options options = {.kernel = net->options.kernel,
                                                    .log_width = net->options.log_width,
                                                    .leave_one_out = net->options.leave_one_out && net->base.training,
                                                    .degree = net->options.degree};
    return heed_kernel_regression(queries, keys, values, net->width, &options, weights);
}

/* -- Silverman's rule ---------------------------------------------------------------------------------------------- */

static const char where_silverman[] = "nn_silverman_width";

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

static bool check_spread(const double *sorted, int64_t n)
{
    if (!isfinite(sorted[0]) || !isfinite(sorted[n - 1]))
        heed_fail(HEED_ERR_ARGUMENT, where_silverman, "x contains %g: must be finite",
                  isfinite(sorted[0]) ? sorted[n - 1] : sorted[0]);
    else if (sorted[0] == sorted[n - 1])
        heed_fail(HEED_ERR_ARGUMENT, where_silverman, "all %" PRId64 " values are %g: at least two must differ", n,
                  sorted[0]);
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
    heed_fail(HEED_ERR_ARGUMENT, where_silverman,
              "x ranges from %g to %g, which makes the width %g: must be finite and above 0", sorted[0], sorted[n - 1],
              width);
    return (double)NAN;
}

static bool check_sample(const heed_tensor *x)
{
    if (!x)
        return heed_fail_false(HEED_ERR_ARGUMENT, where_silverman, "x is NULL");
    if (!heed_dtype_is_float(heed_dtype_of(x)))
        return heed_fail_false(HEED_ERR_DTYPE, where_silverman, "x is %s: must be f32 or f64",
                               heed_dtype_name(heed_dtype_of(x)));
    if (heed_rank(x) != 1 || heed_dim(x, 0) < 2)
        return heed_fail_false(HEED_ERR_SHAPE, where_silverman, "x is %s: must be (n) with n >= 2",
                               heed_shape_text(heed_shape_of(x)).s);
    return true;
}

double heed_nn_silverman_width(heed_tensor *x)
{
    HEED_ENTER(where_silverman);
    double width = (double)NAN;
    if (!check_sample(x))
        return width;
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return width;
    const double *sorted = heed_data_f64(heed_contiguous(heed_sort(heed_to_dtype(x, HEED_F64))));
    if (sorted && check_spread(sorted, heed_numel(x)))
        width = rule_of_thumb(sorted, heed_numel(x));
    heed_scope_end(scope);
    return width;
}

/* -- Leave-one-out ------------------------------------------------------------------------------------------------- */

/* Returns i64 (n, n - 1). Row i contains the numbers 0 .. n - 1 without i. */
static heed_tensor *other_indices(int64_t n)
{
    heed_tensor *index = heed_empty(HEED_I64, HEED_SHAPE(n, n > 0 ? n - 1 : 0));
    int64_t *out = heed_mutable_i64(index);
    if (!out)
        return NULL;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n - 1; j++)
            *out++ = j < i ? j : j + 1;
    return index;
}

heed_tensor *heed_nn_leave_one_out(heed_tensor *x)
{
    HEED_ENTER("nn_leave_one_out");
    if (!x)
        return heed_fail_null(HEED_ERR_ARGUMENT, "nn_leave_one_out", "x is NULL");
    heed_shape shape = heed_shape_of(x);
    if (shape.rank != 1 && shape.rank != 2)
        return heed_fail_null(HEED_ERR_SHAPE, "nn_leave_one_out", "x is %s: must be (n) or (n, d)",
                              heed_shape_text(shape).s);
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *index = other_indices(shape.dims[0]);
    heed_tensor *rows = heed_index_select(x, 0, heed_reshape(index, HEED_SHAPE(heed_numel(index))));
    heed_shape result = {.rank = shape.rank + 1, .dims = {shape.dims[0], heed_dim(index, 1), shape.dims[1]}};
    return heed_scope_return(scope, heed_reshape(rows, result));
}
