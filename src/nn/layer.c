/* nn/layer.c - helpers shared by layers.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <heed/graph.h>
#include <heed/memory.h>
#include <heed/ops.h>

#include "nn/kv_cache.h"
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

bool heed__layer_check_numbers(const char *where, const char *name, int axes, const heed_shape *numbers,
                               int64_t minimum)
{
    if (numbers->rank < 0 || numbers->rank > axes)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s has %d numbers: must be at most %d", name, numbers->rank,
                               axes);
    for (int i = 0; i < numbers->rank; i++)
        if (numbers->dims[i] < minimum)
            return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is %" PRId64 ": must be %" PRId64 " or more", name,
                                   numbers->dims[i], minimum);
    return true;
}

bool heed__layer_check_kernel(const char *where, const char *name, int axes, const heed_shape *kernel)
{
    if (kernel->rank == 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is (): must have at least one number", name);
    return heed__layer_check_numbers(where, name, axes, kernel, 1);
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
    const heed_shape given = heed_shape_of(x);
    bool fits = given.rank == shape.rank;
    for (int i = 0; fits && i < shape.rank; i++)
        fits = shape.dims[i] == -1 || given.dims[i] == shape.dims[i];
    if (!fits)
        return heed_fail_false(HEED_ERR_SHAPE, where, "%s is %s: must be %s", name, heed_shape_text(given).s,
                               expected_text(shape).s);
    if (heed_dtype_of(x) != dtype)
        return heed_fail_false(HEED_ERR_DTYPE, where, "%s is %s: must be %s", name, heed_dtype_name(heed_dtype_of(x)),
                               heed_dtype_name(dtype));
    return true;
}

bool heed__layer_check_lengths(const char *where, const heed_tensor *valid_lens, int64_t batch, int64_t maximum)
{
    if (!heed__layer_check_tensor(where, "valid_lens", valid_lens, HEED_I64, HEED_SHAPE(batch)))
        return false;
    for (int64_t b = 0; b < batch; b++) {
        const int64_t length = heed_get_i64(valid_lens, HEED_INDEX(b));
        if (length < 0 || length > maximum)
            return heed_fail_false(HEED_ERR_INDEX, where, "valid length %" PRId64 " at %s is outside 0 .. %" PRId64,
                                   length, heed_shape_text(HEED_INDEX(b)).s, maximum);
    }
    return true;
}

/* -- Names --------------------------------------------------------------------------------------------------------- */

bool heed__layer_name_ends_in(const char *name, const char *tail)
{
    const size_t length = strlen(name), n = strlen(tail);
    return length >= n && strcmp(name + length - n, tail) == 0;
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

void heed__layer_write(heed_tensor *to, const heed_tensor *value)
{
    void *bytes = heed_mutable_bytes(to);
    if (bytes)
        memcpy(bytes, heed_data_bytes(value), (size_t)heed_numel(value) * heed_dtype_size(heed_dtype_of(value)));
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

bool heed__scope_return_all(heed_scope *scope, heed_tensor **tensors, int n)
{
    bool ok = scope != NULL;
    for (int i = 0; i < n; i++)
        ok = heed_retain(tensors[i]) && ok;
    if (scope)
        heed_scope_end(scope);
    for (int i = 0; i < n; i++) {
        heed_tensor *owned = tensors[i];
        heed_scope *inner = ok ? heed_scope_begin() : NULL; /* heed_scope_return borrows from the enclosing scope */
        tensors[i] = inner ? heed_scope_return(inner, owned) : NULL;
        heed_release(owned);
        ok = ok && tensors[i];
    }
    for (int i = 0; i < n && !ok; i++)
        tensors[i] = NULL; /* the caller's scope releases those borrowed before the failure */
    return ok;
}

heed_tensor *heed__scope_return_outputs(heed_scope *scope, heed_tensor *result, const heed__layer_output *outputs,
                                        int n)
{
    heed_tensor *all[4] = {result};
    for (int i = 0; i < n; i++)
        all[1 + i] = outputs[i].to ? outputs[i].computed : result; /* in place of an unrequested output */
    if (!heed__scope_return_all(scope, all, 1 + n))
        return NULL;
    for (int i = 0; i < n; i++)
        if (outputs[i].to)
            *outputs[i].to = all[1 + i];
    return all[0];
}

bool heed__attention_call_begin(const char *where, const heed_nn_attention_call *call, unsigned supported)
{
    const struct {
        const char *name;
        const void *value;
        unsigned needs;
    } fields[] = {{"cache", call->cache, HEED__CALL_CACHE},
                  {"memory_lens", call->memory_lens, HEED__CALL_MEMORY},
                  {"memory_mask", call->memory_mask, HEED__CALL_MEMORY},
                  {"memory_bias", call->memory_bias, HEED__CALL_MEMORY},
                  {"memory_weights", call->memory_weights, HEED__CALL_MEMORY},
                  {"encoder_mask", call->encoder_mask, HEED__CALL_ENCODER},
                  {"encoder_bias", call->encoder_bias, HEED__CALL_ENCODER},
                  {"encoder_weights", call->encoder_weights, HEED__CALL_ENCODER}};
    heed__clear_output(call->weights);
    heed__clear_output(call->memory_weights);
    heed__clear_output(call->encoder_weights);
    if (call->cache && !heed__kv_cache_check(where, call->cache))
        return false;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (fields[i].value && !(supported & fields[i].needs))
            return heed_fail_false(HEED_ERR_ARGUMENT, where, "call->%s is given: must be NULL for this layer",
                                   fields[i].name);
    if (call->cache && call->valid_lens && !(supported & HEED__CALL_CACHED_LENS))
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "call->valid_lens is given: must be NULL with a cache");
    return true;
}

/* -- Steps --------------------------------------------------------------------------------------------------------- */

#define MAX_STEPS (1 << 20) /* limit of heed_concat */

/* Halves x repeatedly until every slice is one step; until then steps[i] is the slice that begins with step i. The
 * gradient of a slice is as large as the tensor that it was cut from, so backward costs T log T. T slices of x itself
 * would cost T^2. */
static bool split_in_halves(heed_tensor *x, heed_tensor **steps, int64_t T)
{
    int64_t half = 1;
    while (half < T)
        half *= 2;
    if (T > 0)
        steps[0] = x;
    for (half /= 2; half >= 1; half /= 2)
        for (int64_t i = 0; i + half < T; i += 2 * half) {
            heed_tensor *whole = steps[i];
            steps[i] = heed_slice(whole, 0, 0, half, 1);
            steps[i + half] = heed_slice(whole, 0, half, HEED_END, 1);
            if (!steps[i] || !steps[i + half])
                return false;
        }
    return true;
}

heed_tensor **heed__steps_split(const char *where, heed_tensor *x)
{
    if (!x)
        return NULL;
    int64_t T = heed_dim(x, 0);
    if (T > MAX_STEPS)
        return heed_fail_null(HEED_ERR_UNSUPPORTED, where, "%" PRId64 " steps: must be at most %d", T, MAX_STEPS);
    heed_tensor **steps = heed_alloc((size_t)T * sizeof *steps);
    if (steps && !split_in_halves(x, steps, T)) {
        heed__steps_free(steps, T);
        return NULL;
    }
    return steps;
}

void heed__steps_free(heed_tensor **steps, int64_t T)
{
    heed_free(steps, (size_t)T * sizeof *steps);
}
