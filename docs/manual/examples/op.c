/* op.c - examples of include/heed/op.h. docs/manual/README.md says what the marks mean. examples/custom_op.c is a whole
 * op.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/heed.h>

static bool negate_forward(const heed_call *call, heed_tensor *const *out)
{
    const double *x = heed_data_f64(call->inputs[0]);
    double *y = heed_mutable_f64(out[0]);
    for (int64_t i = 0; x && y && i < heed_numel(out[0]); i++)
        y[i] = -x[i];
    return x && y;
}

static void negate_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    (void)call;
    dx[0] = heed_neg(g[0]);
}

/* [heed_apply heed_infer_same] */
static const heed_op negate_op = {.name = "negate",
                                  .n_inputs = 1,
                                  .n_outputs = 1,
                                  .contiguous = true,
                                  .infer = heed_infer_same,
                                  .forward = negate_forward,
                                  .backward = negate_backward};
/* [] */

static void example_apply(void)
{
    /* [heed_apply heed_infer_same] */
    heed_tensor *x = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1, -2);
    heed_print(heed_apply(&negate_op, &x, 1, NULL), stdout); /* -> tensor([-1.,  2.], shape=(2), dtype=f64) */
    /* [] */
}

static bool add_forward(const heed_call *call, heed_tensor *const *out)
{
    return heed_copy_(out[0], heed_add(call->inputs[0], call->inputs[1])) == HEED_OK;
}

/* [heed_call_needs] */
static void add_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    for (int i = 0; i < 2; i++)
        if (heed_call_needs(call, i))
            dx[i] = heed_clone(g[0]); /* the engine sums it to the shape of input i */
}
/* [] */

/* [heed_infer_broadcast] */
static const heed_op add_op = {.name = "add_mine",
                               .n_inputs = 2,
                               .n_outputs = 1,
                               .infer = heed_infer_broadcast,
                               .forward = add_forward,
                               .backward = add_backward};
/* [] */

static void example_broadcast(void)
{
    heed_tensor *row = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(3)), true);
    /* [heed_infer_broadcast] */
    heed_tensor *in[] = {heed_ones(HEED_F64, HEED_SHAPE(2, 3)), row};
    heed_tensor *y = heed_apply(&add_op, in, 2, NULL);
    printf("%s\n", heed_shape_text(heed_shape_of(y)).s); /* -> (2, 3) */
    /* [] */
    /* [heed_call_needs] */
    heed_backward(heed_sum(y));            /* y (2, 3) is the sum of a (2, 3) and a row (3) */
    heed_print(heed_grad_of(row), stdout); /* -> tensor([2., 2., 2.], shape=(3), dtype=f64) */
    /* [] */
}

/* [heed_apply_all heed_call_shape heed_call_dtype] */
static bool halves_infer(const heed_call *call, heed_meta *out)
{
    out[0] = out[1] = (heed_meta){heed_call_dtype(call, 0), heed_call_shape(call, 0)};
    out[0].shape.dims[0] = out[1].shape.dims[0] /= 2;
    return true;
}
/* [] */

static bool halves_forward(const heed_call *call, heed_tensor *const *out)
{
    const int64_t n = heed_dim(out[0], 0);
    return heed_copy_(out[0], heed_slice(call->inputs[0], 0, 0, n, 1)) == HEED_OK &&
           heed_copy_(out[1], heed_slice(call->inputs[0], 0, n, 2 * n, 1)) == HEED_OK;
}

static const heed_op halves_op = {
    .name = "halves", .n_inputs = 1, .n_outputs = 2, .infer = halves_infer, .forward = halves_forward};

static void example_outputs(void)
{
    /* [heed_apply_all heed_call_shape heed_call_dtype] */
    heed_tensor *x = HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 1, 2, 3, 4), *parts[2];
    if (heed_apply_all(&halves_op, &x, 1, NULL, parts))
        heed_print(parts[1], stdout); /* -> tensor([3., 4.], shape=(2), dtype=f64) */
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_apply();
    example_broadcast();
    example_outputs();
    return 0;
}
