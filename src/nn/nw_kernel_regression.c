/* nn/nw_kernel_regression.c - Nadaraya-Watson kernel regression as a module.
 *
 *     f(q) = sum_i a_i(q) v_i
 */

#include <float.h>
#include <math.h>

#include <heed/graph.h>
#include <heed/ops.h>
#include <heed/random.h>

#include "nn/nw_kernels.h"

typedef heed_nn_nw_kernel_regression nw;
typedef heed_nn_nw_kernel_regression_options nw_options;

static const char *const where_new = "nn_nw_kernel_regression_new";
static const char *const where_forward = "nn_nw_kernel_regression_forward";

static void release_weights(heed_module *m)
{
    heed_release(((nw *)m)->attention_weights);
}

static heed_status check_options(const nw_options *o)
{
    if (o->dtype != HEED_F32 && o->dtype != HEED_F64)
        return heed_fail(HEED_ERR_DTYPE, where_new, "dtype %s: wants f32 or f64", heed_dtype_name(o->dtype));
    if ((int)o->kernel < HEED_NN_NW_GAUSSIAN || o->kernel > HEED_NN_NW_CONSTANT)
        return heed_fail(HEED_ERR_ARGUMENT, where_new, "no kernel has the number %d", (int)o->kernel);
    if (o->dim < 0)
        return heed_fail(HEED_ERR_ARGUMENT, where_new, "dim %lld: wants 0 or more", (long long)o->dim);
    double smallest = o->dtype == HEED_F32 ? (double)FLT_MIN : DBL_MIN;
    double largest = o->dtype == HEED_F32 ? (double)FLT_MAX : DBL_MAX;
    double w2 = 1.0 / (o->width * o->width);
    if (o->width != 0.0 && !(o->width > 0.0 && w2 >= smallest && w2 <= largest))
        return heed_fail(HEED_ERR_ARGUMENT, where_new, "width %g: wants 0 for the default, or from %.2g to %.2g",
                         o->width, 1.0 / sqrt(largest), 1.0 / sqrt(smallest));
    return HEED_OK;
}

/* w or ln h at the start. */
static heed_tensor *initial_width(const nw_options *o)
{
    heed_shape shape = HEED_SHAPE(o->dim > 0 ? o->dim : 1);
    if (o->width == 0.0 && !o->non_parametric && !o->log_width)
        return heed_rand(o->dtype, shape);
    double h = o->width == 0.0 ? 1.0 : o->width;
    return heed_full(o->dtype, shape, o->log_width ? log(h) : 1.0 / h);
}

heed_nn_nw_kernel_regression *heed_nn_nw_kernel_regression_new(const nw_options *options)
{
    nw_options o = options ? *options : (nw_options){0};
    if (check_options(&o) != HEED_OK)
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    nw *net = heed_module_new("nw_kernel_regression", sizeof *net);
    heed_tensor *width = initial_width(&o);
    if (net) {
        const char *name = o.log_width ? "log_h" : "w";
        net->options = o;
        net->base.on_free = release_weights;
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

static bool check_dtypes(const nw *net, heed_tensor *const *in)
{
    static const char *const names[] = {"queries", "keys", "values"};
    for (int i = 0; i < 3; i++) {
        if (!in[i]) {
            heed_fail(HEED_ERR_ARGUMENT, where_forward, "%s is NULL", names[i]);
            return false;
        }
        if (heed_dtype_of(in[i]) != net->options.dtype) {
            heed_fail(HEED_ERR_DTYPE, where_forward, "%s is %s, the module %s", names[i],
                      heed_dtype_name(heed_dtype_of(in[i])), heed_dtype_name(net->options.dtype));
            return false;
        }
    }
    return true;
}

static bool shapes_agree(const heed_shape *q, const heed_shape *k, const heed_shape *v)
{
    if (q->rank < 1 || q->rank > 2 || k->rank < q->rank || k->rank > q->rank + 1)
        return false;
    int m_axis = k->rank - q->rank; /* 0 for shared keys; else axis 0 is the query */
    if (v->rank < m_axis + 1 || v->rank > m_axis + 2 || v->dims[m_axis] != k->dims[m_axis])
        return false;
    if (m_axis == 1 && (k->dims[0] != q->dims[0] || v->dims[0] != q->dims[0]))
        return false;
    return q->rank == 1 || k->dims[k->rank - 1] == q->dims[1];
}

static bool check_shapes(const nw *net, heed_tensor *const *in)
{
    heed_shape q = heed_shape_of(in[0]), k = heed_shape_of(in[1]), v = heed_shape_of(in[2]);
    if (!shapes_agree(&q, &k, &v)) {
        char text[3][96];
        heed_shape_format(q, text[0], sizeof text[0]);
        heed_shape_format(k, text[1], sizeof text[1]);
        heed_shape_format(v, text[2], sizeof text[2]);
        heed_fail(HEED_ERR_SHAPE, where_forward,
                  "queries %s, keys %s, values %s: want (n), (m), (m[, v]), or (n), (n, m), (n, m[, v]); "
                  "vectors have one more axis d at the end of queries and keys",
                  text[0], text[1], text[2]);
        return false;
    }
    int64_t components = q.rank == 2 ? q.dims[1] : 1;
    if (net->options.dim != 0 && net->options.dim != components) {
        heed_fail(HEED_ERR_SHAPE, where_forward, "keys have %lld components, the module %lld widths",
                  (long long)components, (long long)net->options.dim);
        return false;
    }
    return true;
}

/* sum_i a_i v_i: weights (n, m), values (m[, v]) shared or (n, m[, v]) one set per query -> (n[, v]). */
static heed_tensor *pool(heed_tensor *weights, heed_tensor *values, bool shared)
{
    if (shared)
        return heed_matmul(weights, values);
    if (heed_rank(values) == 2)
        return heed_sum_axes(heed_mul(weights, values), HEED_AXES(1), false);
    return heed_squeeze(heed_bmm(heed_unsqueeze(weights, 1), values), 1);
}

/* Keeps the weights; leaves the old ones on failure. */
static bool keep_weights(nw *net, heed_tensor *weights)
{
    heed_tensor *kept = heed_retain(heed_detach(weights));
    if (!kept)
        return false;
    heed_release(net->attention_weights);
    net->attention_weights = kept;
    return true;
}

/* t is contiguous. */
static bool has_nan(const heed_tensor *t)
{
    const float *f32 = heed_dtype_of(t) == HEED_F32 ? heed_data_f32(t) : NULL;
    const double *f64 = heed_dtype_of(t) == HEED_F64 ? heed_data_f64(t) : NULL;
    for (int64_t i = 0; i < heed_numel(t); i++)
        if (f32 ? isnan(f32[i]) : isnan(f64[i]))
            return true;
    return false;
}

heed_tensor *heed_nn_nw_kernel_regression_forward(nw *net, heed_tensor *queries, heed_tensor *keys, heed_tensor *values)
{
    if (!net) {
        heed_fail(HEED_ERR_ARGUMENT, where_forward, "the module is NULL");
        return NULL;
    }
    heed_tensor *const in[] = {queries, keys, values};
    if (!check_dtypes(net, in) || !check_shapes(net, in))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    bool shared = heed_rank(keys) == heed_rank(queries);
    heed_tensor *weights = heed__nw_weights(net, queries, keys, false);
    heed_tensor *result = pool(weights, values, shared);
    if (result && net->options.kernel == HEED_NN_NW_GAUSSIAN && has_nan(result)) { /* every u^2 of a row overflowed? */
        weights = heed__nw_weights(net, queries, keys, true);
        result = pool(weights, values, shared);
    }
    if (result && !net->options.drop_weights && !keep_weights(net, weights))
        result = NULL;
    return heed_scope_return(scope, result);
}
