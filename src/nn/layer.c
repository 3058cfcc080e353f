/* nn/layer.c - helpers shared by layers. */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <heed/graph.h>
#include <heed/ops.h>

#include "nn/layer.h"
#include "nn/module.h"

/* -- Checks ------------------------------------------------------------------------------------------------------ */

bool heed__layer_check_size(const char *where, const char *name, int64_t size)
{
    if (size >= 1)
        return true;
    return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is %" PRId64 ": must be 1 or more", name, size);
}

bool heed__layer_check_dtype(const char *where, heed_dtype dtype)
{
    if (heed_dtype_is_float(dtype))
        return true;
    return heed_fail_false(HEED_ERR_DTYPE, where, "dtype is %s: must be f32 or f64", heed_dtype_name(dtype));
}

bool heed__layer_check_dropout(const char *where, double p)
{
    if (p >= 0.0 && p <= 1.0)
        return true;
    return heed_fail_false(HEED_ERR_ARGUMENT, where, "dropout is %g: must be in [0, 1]", p);
}

bool heed__layer_check_shape(const char *where, const heed_shape *shape)
{
    if (shape->rank < 1 || shape->rank > HEED_MAX_RANK)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "shape has rank %d: must be 1 to %d", shape->rank,
                               HEED_MAX_RANK);
    for (int i = 0; i < shape->rank; i++)
        if (!heed__layer_check_size(where, "a size of shape", shape->dims[i]))
            return false;
    return true;
}

bool heed__layer_check_eps(const char *where, double eps)
{
    if (isfinite(eps) && eps >= 0.0)
        return true;
    return heed_fail_false(HEED_ERR_ARGUMENT, where, "eps is %g: must be finite and 0 or more", eps);
}

bool heed__layer_check_given(const char *where, const void *net, const char *name, const heed_tensor *x)
{
    if (!heed__module_check(where, net))
        return false;
    return x || heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is NULL", name);
}

static bool shape_fits(heed_shape given, heed_shape expected)
{
    bool fits = given.rank == expected.rank;
    for (int i = 0; fits && i < expected.rank; i++)
        fits = expected.dims[i] == -1 || given.dims[i] == expected.dims[i];
    return fits;
}

bool heed__layer_check_attention(const char *where, const void *net, const heed_tensor *queries,
                                 const heed_tensor *keys, const heed_tensor *values)
{
    return heed__layer_check_given(where, net, "queries", queries) &&
           heed__layer_check_given(where, net, "keys", keys) && heed__layer_check_given(where, net, "values", values);
}

/* Formats a shape in which -1 matches any size: (-1, -1, 8) becomes "(any, any, 8)". */
static heed_text expected_text(heed_shape expected)
{
    heed_text text = {"("};
    for (int i = 0; i < expected.rank; i++) {
        size_t used = strlen(text.s);
        if (expected.dims[i] == -1)
            (void)snprintf(text.s + used, sizeof text.s - used, "%sany", i > 0 ? ", " : "");
        else
            (void)snprintf(text.s + used, sizeof text.s - used, "%s%" PRId64, i > 0 ? ", " : "", expected.dims[i]);
    }
    size_t used = strlen(text.s);
    (void)snprintf(text.s + used, sizeof text.s - used, ")");
    return text;
}

bool heed__layer_check_tensor(const char *where, const char *name, const heed_tensor *x, heed_dtype dtype,
                              heed_shape shape)
{
    if (!x)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is NULL", name);
    if (!shape_fits(heed_shape_of(x), shape))
        return heed_fail_false(HEED_ERR_SHAPE, where, "%s is %s: must be %s", name, heed_shape_text(heed_shape_of(x)).s,
                               expected_text(shape).s);
    if (heed_dtype_of(x) != dtype)
        return heed_fail_false(HEED_ERR_DTYPE, where, "%s is %s: must be %s", name, heed_dtype_name(heed_dtype_of(x)),
                               heed_dtype_name(dtype));
    return true;
}

bool heed__layer_lengths_inside(const heed_tensor *valid_lens, int64_t maximum, heed_shape *at)
{
    const int64_t batch = heed_dim(valid_lens, 0), rows = heed_rank(valid_lens) == 2 ? heed_dim(valid_lens, 1) : 1;
    const int64_t *lengths = heed_is_contiguous(valid_lens) ? heed_data_i64(valid_lens) : NULL;
    *at = (heed_shape){.rank = heed_rank(valid_lens)};
    for (int64_t i = 0; i < batch * rows; i++) {
        at->dims[0] = i / rows;
        at->dims[1] = at->rank == 2 ? i % rows : 0;
        const int64_t length = lengths ? lengths[i] : heed_get_i64(valid_lens, *at);
        if (length < 0 || length > maximum)
            return false;
    }
    return true;
}

bool heed__layer_check_lengths(const char *where, const heed_tensor *valid_lens, int64_t batch, int64_t maximum)
{
    heed_shape at;
    if (!heed__layer_check_tensor(where, "valid_lens", valid_lens, HEED_I64, HEED_SHAPE(batch)))
        return false;
    return heed__layer_lengths_inside(valid_lens, maximum, &at) ||
           heed_fail_false(HEED_ERR_INDEX, where, "valid length %" PRId64 " at %s is outside 0 .. %" PRId64,
                           heed_get_i64(valid_lens, at), heed_shape_text(at).s, maximum);
}

/* -- Creation ------------------------------------------------------------------------------------------------------ */

heed_tensor *heed__layer_constant(heed_module *m, const char *name, heed_dtype dtype, heed_shape shape, double value)
{
    heed_scope *scope = heed_scope_begin(); /* releases the tensor, so that the module is its only owner */
    if (!scope)
        return NULL;
    heed_tensor *t = heed_module_parameter(m, name, heed_full(dtype, shape, value));
    heed_scope_end(scope);
    return t;
}

heed_tensor *heed__layer_uniform(heed_module *m, const char *name, heed_dtype dtype, heed_shape shape, double bound)
{
    heed_tensor *t = heed__layer_constant(m, name, dtype, shape, 0.0);
    return t && heed_nn_init_uniform_(t, -bound, bound) == HEED_OK ? t : NULL;
}

bool heed__layer_clear(heed_tensor *t)
{
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return false;
    heed_status status = heed_fill_(t, 0.0);
    heed_scope_end(scope);
    return status == HEED_OK;
}

bool heed__layer_affine(heed_module *m, heed_dtype dtype, heed_shape shape, heed_tensor **weight, heed_tensor **bias)
{
    if (weight && !(*weight = heed__layer_constant(m, "weight", dtype, shape, 1.0)))
        return false;
    return !bias || (*bias = heed__layer_constant(m, "bias", dtype, shape, 0.0));
}

void *heed__layer_child(heed_module *m, const char *name, void *child)
{
    if (!child || heed_module_child(m, name, child))
        return child;
    heed_module_free(child);
    return NULL;
}

void *heed__layer_finish(void *net, bool ok)
{
    if (ok)
        return net;
    heed_module_free(net);
    return NULL;
}

/* -- Forward passes ------------------------------------------------------------------------------------------------ */

heed_tensor *heed__layer_activate(const char *where, heed_activation activation, heed_tensor *x)
{
    heed_callback call = heed_callback_begin("the activation");
    heed_tensor *y = activation(x);
    if (!heed_callback_end(&call))
        return NULL;
    if (!y) /* even if the activation did not call heed_fail */
        heed_fail(HEED_ERR_STATE, where, "the activation returned NULL");
    return y;
}

/* Returns t, borrowed once more from the innermost scope. Returns NULL after heed_fail. */
static heed_tensor *borrow(heed_tensor *t)
{
    heed_scope *scope = heed_scope_begin();
    return scope ? heed_scope_return(scope, t) : NULL;
}

bool heed__scope_return_all(heed_scope *scope, heed_tensor **tensors, int n)
{
    bool ok = scope != NULL;
    for (int i = 0; i < n; i++)
        ok = heed_retain(tensors[i]) && ok;
    if (scope)
        heed_scope_end(scope);
    for (int i = 0; i < n; i++) {
        heed_tensor *owned = tensors[i];
        tensors[i] = ok ? borrow(owned) : NULL;
        heed_release(owned);
        ok = ok && tensors[i];
    }
    for (int i = 0; i < n && !ok; i++)
        tensors[i] = NULL; /* the caller's scope releases those borrowed before the failure */
    return ok;
}

heed_tensor *heed__scope_return_requested(heed_scope *scope, heed_tensor *result, heed_tensor *const *computed,
                                          heed_tensor **const *requested, int n)
{
    heed_tensor *out[4] = {result};
    for (int i = 0; i < n; i++)
        out[1 + i] = requested[i] ? computed[i] : result; /* `result` stands in for an output that is not requested */
    if (!heed__scope_return_all(scope, out, 1 + n))
        return NULL;
    for (int i = 0; i < n; i++)
        if (requested[i])
            *requested[i] = out[1 + i];
    return out[0];
}

void heed__clear_requested(heed_tensor **const *requested, int n)
{
    for (int i = 0; i < n; i++)
        if (requested[i])
            *requested[i] = NULL;
}
