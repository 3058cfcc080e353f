/* nn/nw_kernel_regression.c - Nadaraya-Watson kernel regression as a module.
 *
 *     f(q) = sum_i a_i(q) v_i
 */

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

static heed_status check_options(const heed_nn_nw_kernel_regression_options *o)
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
    if (check_options(&o) != HEED_OK)
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

/* -- Forward ------------------------------------------------------------------------------------------------ */

static bool check_dtypes(const heed_nn_nw_kernel_regression *net, heed_tensor *const *in)
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
    if (!check_dtypes(net, in) || !check_components(net, queries, keys))
        return NULL;
    const heed_kernel_regression_options options = {.kernel = net->options.kernel,
                                                    .log_width = net->options.log_width,
                                                    .leave_one_out = net->options.leave_one_out && net->base.training,
                                                    .degree = net->options.degree};
    return heed_kernel_regression(queries, keys, values, net->width, &options, weights);
}
