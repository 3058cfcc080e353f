/* tests/promises/memory/test_oom_gradients.c - allocations that only larger tensors and fused gradients need.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "oom_inputs.h"

/* The sum of heed_grad's result for one leaf. */
static bool take_gradient(heed_tensor *loss, heed_tensor *leaf, double *value)
{
    heed_tensor *g = NULL;
    if (!loss || heed_grad(&loss, 1, &leaf, 1, &g, NULL) != HEED_OK)
        return false;
    heed_tensor *sum = heed_sum(g);
    *value += sum ? heed_item(sum) : 0.0;
    return sum != NULL;
}

/* A rule with more inputs than a pass can store without an allocation. */
static bool many_inputs(double *value)
{
    heed_tensor *list[20];
    for (int i = 0; i < 20; i++)
        list[i] = oom.w;
    return take_gradient(heed_sum(heed_square(heed_concat(list, 20, 0))), oom.w, value);
}

static bool norm_of_layers(double *value)
{
    heed_tensor *y = heed_layer_norm(oom.batch, HEED_SHAPE(3), oom.v, oom.v, 1e-5);
    return take_gradient(heed_sum(heed_square(y)), oom.v, value);
}

/* A sum in chunks, and in two steps. */
static bool large_sums(double *value)
{
    heed_tensor *x = heed_expand(oom.one, HEED_SHAPE(200000)), *all = heed_sum(heed_contiguous(x));
    heed_tensor *rows = heed_contiguous(heed_expand(oom.one, HEED_SHAPE(70000, 2)));
    heed_tensor *first = rows ? heed_sum_axes(rows, HEED_AXES(0), false) : NULL;
    return oom_take(all, value) && oom_take(first, value);
}

/* Attention whose keys are cut into chunks, with a gradient of the queries per chunk. */
static bool long_attention(double *value)
{
    heed_manual_seed(2);
    heed_tensor *q = heed_set_requires_grad(heed_rand(HEED_F32, HEED_SHAPE(1, 300, 32)), true);
    heed_tensor *loss = q ? heed_sum(heed_dot_product_attention(q, q, q, NULL, NULL)) : NULL;
    return loss && take_gradient(loss, q, value);
}

/* Additive attention whose parameter w_v is a column of a matrix: the gradient also needs a contiguous copy of w_v. */
static bool attention_by_a_column(double *value)
{
    heed_tensor *x = oom.batch, *column = heed_reshape(heed_slice(oom.w, 1, 0, 1, 1), HEED_SHAPE(3));
    heed_tensor *y = heed_additive_attention(x, x, x, oom.w, oom.w, column, NULL, NULL);
    return take_gradient(heed_sum(heed_square(y)), oom.w, value);
}

/* Kernel regression whose keys are cut into chunks, with gradients of the queries per chunk. */
static bool many_keys(double *value)
{
    heed_manual_seed(2);
    heed_tensor *x = heed_set_requires_grad(heed_rand(HEED_F32, HEED_SHAPE(800)), true);
    heed_tensor *width = heed_ones(HEED_F32, HEED_SHAPE(1));
    heed_tensor *y = x && width ? heed_kernel_regression(x, x, x, width, NULL, NULL) : NULL;
    heed_tensor *loss = y ? heed_sum(heed_square(y)) : NULL;
    return loss && take_gradient(loss, x, value);
}

static bool lines_of_keys(double *value)
{
    heed_tensor *x = oom.w, *width = heed_ones(heed_dtype_of(x), HEED_SHAPE(1));
    const heed_kernel_regression_options line = {.degree = 1};
    heed_tensor *y = width ? heed_kernel_regression(x, x, x, width, &line, NULL) : NULL;
    return y && take_gradient(heed_sum(heed_square(y)), x, value);
}

/* Two leaves without a gradient get the same gradient from backward. Either both receive a copy of it or neither does.
 * */
static bool new_gradients(double *value)
{
    heed_tensor *leaves[2] = {heed_set_requires_grad(heed_clone(oom.plain), true),
                              heed_set_requires_grad(heed_clone(oom.plain), true)};
    bool ok = leaves[0] && leaves[1] && heed_backward(heed_sum(heed_add(leaves[0], leaves[1]))) == HEED_OK;
    for (int i = 0; i < 2; i++) {
        ck_assert(ok || !leaves[i] || !heed_grad_of(leaves[i]));
        ok = ok && oom_take(heed_grad_of(leaves[i]), value);
    }
    return ok;
}

static bool two_outputs(double *value)
{
    heed_tensor *outputs[] = {heed_sum(heed_square(oom.w)), heed_sum(heed_square(oom.v))};
    heed_tensor *leaves[] = {oom.w, oom.v}, *g[2];
    if (!outputs[0] || !outputs[1] || heed_grad(outputs, 2, leaves, 2, g, NULL) != HEED_OK)
        return false;
    return oom_take(g[0], value) && oom_take(g[1], value);
}

static heed_tensor *turned(heed_tensor *const *in, void *user)
{
    (void)user;
    return heed_transpose(in[0], 0, 1);
}

/* A check whose gradients are views, and one with an input without a gradient. */
static bool check_of_views(double *value)
{
    heed_tensor *in[2];
    for (int i = 0; i < 2; i++)
        in[i] = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2, 2)), true);
    heed_gradcheck_options options = {.random_projection = true};
    heed_gradcheck_result r = {.compared = 0};
    bool ok = in[0] && in[1] && heed_gradgradcheck(turned, NULL, in, 2, &options, &r) == HEED_OK;
    *value = (double)r.compared + r.max_error;
    return ok;
}

OOM_MAIN("oom_gradients", OOM(many_inputs), OOM(norm_of_layers), OOM(large_sums), OOM(long_attention),
         OOM(attention_by_a_column), OOM(many_keys), OOM(lines_of_keys), OOM(new_gradients), OOM(two_outputs),
         OOM(check_of_views))
