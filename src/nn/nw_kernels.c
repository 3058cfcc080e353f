/* nn/nw_kernels.c - the weights of Nadaraya-Watson kernel regression, by kernel.
 *
 * Written in ops, so derivatives of any order come by themselves; `diff` is always q - k, (n, m) or (n, m, d). */

#include "nn/nw_kernels.h"

#include <heed/graph.h>
#include <heed/ops.h>

/* (1) or (d): w^p, where w = 1 / h and the parameter is w or ln h. */
static heed_tensor *width_power(const heed_nn_nw_kernel_regression *net, int p)
{
    if (net->options.log_width)
        return heed_exp(heed_scale(net->width, -(double)p));
    return p == 2 ? heed_square(net->width) : net->width;
}

/* d^2, or d^2 - e^2 as (d - e)(d + e), where e is the smallest |d| of its row and component. */
static heed_tensor *squares(heed_tensor *diff, bool shifted)
{
    if (!shifted)
        return heed_square(diff);
    heed_tensor *nearest = heed_min_axes(heed_abs(heed_detach(diff)), HEED_AXES(1), true);
    return heed_mul(heed_sub(diff, nearest), heed_add(diff, nearest));
}

/* softmax(-u^2 / 2), u^2 = sum_k d_k^2 w_k^2. Softmax does not change when a constant is added to a row, so d^2 may be
 * shifted; far from the keys nothing overflows or cancels then. e may count as a constant, because the result does not
 * depend on it. */
static heed_tensor *gaussian(const heed_nn_nw_kernel_regression *net, heed_tensor *diff, bool shifted)
{
    heed_tensor *d2 = squares(diff, shifted);
    heed_tensor *factor = heed_scale(width_power(net, 2), -0.5);
    heed_tensor *logits;
    if (heed_rank(d2) == 2)
        logits = heed_mul(d2, factor);
    else if (net->options.dim == 0)
        logits = heed_mul(heed_sum_axes(d2, HEED_AXES(2), false), factor);
    else
        logits = heed_sum_axes(heed_mul(d2, factor), HEED_AXES(2), false);
    return heed_softmax(logits, 1);
}

/* sqrt(sum_k u_k^2) with gradient 0 at u = 0, where the square root has none. */
static heed_tensor *norm(heed_tensor *u)
{
    heed_tensor *sum = heed_sum_axes(heed_square(u), HEED_AXES(2), false);
    heed_tensor *zero = heed_zeros(heed_dtype_of(u), HEED_SCALAR);
    heed_tensor *one = heed_ones(heed_dtype_of(u), HEED_SCALAR);
    heed_tensor *is_zero = heed_compare(sum, HEED_EQ, zero);
    return heed_where(is_zero, zero, heed_sqrt(heed_where(is_zero, one, sum)));
}

/* K(u), not normalised, for u >= 0. */
static heed_tensor *window(heed_nn_nw_kernel kernel, heed_tensor *u)
{
    if (kernel == HEED_NN_NW_BOXCAR) /* sign is 1 only beyond 1; unlike a comparison it keeps NaN */
        return heed_rsub(1.0, heed_relu(heed_sign(heed_add_scalar(u, -1.0))));
    if (kernel == HEED_NN_NW_TRIANGULAR)
        return heed_relu(heed_rsub(1.0, u));
    return heed_relu(heed_rsub(1.0, heed_square(u))); /* Epanechnikov; 3/4 goes with the sum */
}

/* x / sum of its row; a row of zeros stays one, with gradient 0. */
static heed_tensor *normalise(heed_tensor *x)
{
    heed_tensor *sum = heed_sum_axes(x, HEED_AXES(1), true);
    heed_dtype dtype = heed_dtype_of(x);
    heed_tensor *is_zero = heed_compare(sum, HEED_EQ, heed_zeros(dtype, HEED_SCALAR));
    return heed_div(x, heed_where(is_zero, heed_ones(dtype, HEED_SCALAR), sum));
}

heed_tensor *heed__nw_weights(const heed_nn_nw_kernel_regression *net, heed_tensor *queries, heed_tensor *keys,
                              bool shifted)
{
    heed_nn_nw_kernel kernel = net->options.kernel;
    int64_t n = heed_dim(queries, 0), m = heed_dim(keys, heed_rank(keys) == heed_rank(queries) ? 0 : 1);
    if (kernel == HEED_NN_NW_CONSTANT || m == 0)
        return heed_full(net->options.dtype, HEED_SHAPE(n, m), 1.0 / (double)(m > 0 ? m : 1));
    heed_tensor *diff = heed_sub(heed_unsqueeze(queries, 1), keys);
    if (kernel == HEED_NN_NW_GAUSSIAN)
        return gaussian(net, diff, shifted);
    heed_tensor *u = heed_mul(diff, width_power(net, 1));
    return normalise(window(kernel, heed_rank(u) == 2 ? heed_abs(u) : norm(u)));
}
