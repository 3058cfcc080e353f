/* nn/init.c - initialises tensors in place.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <float.h>
#include <math.h>

#include <heed/nn.h>
#include <heed/ops.h>
#include <heed/random.h>
#include <heed/scope.h>

static bool check_float(const char *where, const heed_tensor *t)
{
    if (!t)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the tensor is NULL");
    if (heed_dtype_is_float(heed_dtype_of(t)))
        return true;
    return heed_fail_false(HEED_ERR_DTYPE, where, "the tensor is %s: must be f32 or f64",
                           heed_dtype_name(heed_dtype_of(t)));
}

/* Returns true if the dtype of t can represent the number. */
static bool is_representable(const heed_tensor *t, double value)
{
    return fabs(value) <= (heed_dtype_of(t) == HEED_F32 ? (double)FLT_MAX : DBL_MAX);
}

/* Sets t = scale * draw(dtype, shape) + shift. */
static heed_status write_scaled(heed_tensor *t, heed_tensor *(*draw)(heed_dtype, heed_shape), double scale,
                                double shift)
{
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return HEED_ERR_NOMEM;
    heed_tensor *drawn = draw(heed_dtype_of(t), heed_shape_of(t));
    heed_tensor *values = heed_add_scalar(heed_mul_scalar(drawn, scale), shift);
    heed_status status = values ? heed_copy_(t, values) : heed_error_code();
    heed_scope_end(scope);
    return status;
}

heed_status heed_nn_init_uniform_(heed_tensor *t, double low, double high)
{
    const char *where = "nn_init_uniform_";
    HEED_ENTER(where);
    if (!check_float(where, t))
        return heed_error_code();
    if (!(low <= high && is_representable(t, low) && is_representable(t, high) && is_representable(t, high - low)))
        return heed_fail(HEED_ERR_ARGUMENT, where,
                         "low is %g, high is %g: must be finite in %s, as must their difference, and low at most high",
                         low, high, heed_dtype_name(heed_dtype_of(t)));
    return write_scaled(t, heed_rand, high - low, low);
}

heed_status heed_nn_init_normal_(heed_tensor *t, double mean, double std)
{
    const char *where = "nn_init_normal_";
    HEED_ENTER(where);
    if (!check_float(where, t))
        return heed_error_code();
    if (!(is_representable(t, mean) && is_representable(t, std) && std >= 0.0))
        return heed_fail(HEED_ERR_ARGUMENT, where, "mean is %g, std is %g: must be finite in %s, and std 0 or more",
                         mean, std, heed_dtype_name(heed_dtype_of(t)));
    return write_scaled(t, heed_randn, std, mean);
}

/* -- Initialisation by fan ----------------------------------------------------------------------------------------- */

/* The numbers of connections into and out of a unit of a weight (out, in, ...). The axes after `in` are the receptive
 * field. */
typedef struct fans {
    double in, out;
} fans;

static bool find_fans(const char *where, const heed_tensor *t, fans *f)
{
    if (!check_float(where, t))
        return false;
    heed_shape shape = heed_shape_of(t);
    if (shape.rank < 2)
        return heed_fail_false(HEED_ERR_SHAPE, where, "the tensor is %s: must be (out, in, ...)",
                               heed_shape_text(shape).s);
    double field = 1.0;
    for (int i = 2; i < shape.rank; i++)
        field *= (double)shape.dims[i];
    *f = (fans){.in = (double)shape.dims[1] * field, .out = (double)shape.dims[0] * field};
    return true;
}

/* Fills t from U(-a, a) with a = sqrt(6 / fan). Leaves an empty tensor, whose fan may be 0, unchanged. */
static heed_status write_by_fan(heed_tensor *t, double fan)
{
    double a = sqrt(6.0 / fan);
    return heed_numel(t) > 0 ? write_scaled(t, heed_rand, 2.0 * a, -a) : HEED_OK;
}

heed_status heed_nn_init_xavier_uniform_(heed_tensor *t)
{
    HEED_ENTER("nn_init_xavier_uniform_");
    fans f;
    return find_fans("nn_init_xavier_uniform_", t, &f) ? write_by_fan(t, f.in + f.out) : heed_error_code();
}

heed_status heed_nn_init_kaiming_uniform_(heed_tensor *t)
{
    HEED_ENTER("nn_init_kaiming_uniform_");
    fans f;
    return find_fans("nn_init_kaiming_uniform_", t, &f) ? write_by_fan(t, f.in) : heed_error_code();
}
