/* elementwise.c - examples of heed/ops/elementwise.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include <heed/heed.h>

static void example_add(void)
{
    /* [heed_add] */
    heed_tensor *rows = heed_arange(HEED_F32, 0, 3, 1);
    heed_tensor *column = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 1), 10, 20);
    heed_print(heed_add(rows, column), stdout);
    /* -> tensor([[10., 11., 12.],
     *            [20., 21., 22.]], shape=(2, 3), dtype=f32) */
    /* [] */
}

static void example_sub(void)
{
    /* [heed_sub] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 1, 2, 3, 6);
    heed_tensor *centred = heed_sub(x, heed_mean_axes(x, HEED_AXES(0), true));
    heed_print(centred, stdout);
    /* -> tensor([[-1., -2.],
     *            [ 1.,  2.]], shape=(2, 2), dtype=f32) */
    /* [] */
}

static void example_mul(void)
{
    /* [heed_mul] */
    heed_tensor *a = heed_set_requires_grad(HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 2, 3), true);
    heed_tensor *b = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 10, 20);
    heed_tensor *y = heed_mul(a, b);
    heed_backward(heed_sum(y));
    heed_print(y, stdout);               /* -> tensor([20., 60.], shape=(2), dtype=f64, requires_grad=True) */
    heed_print(heed_grad_of(a), stdout); /* -> tensor([10., 20.], shape=(2), dtype=f64) */
    /* [] */
}

static void example_div(void)
{
    /* [heed_div] */
    heed_tensor *counts = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 1, 3, 4, 4);
    heed_tensor *shares = heed_div(counts, heed_sum_axes(counts, HEED_AXES(-1), true));
    heed_print(shares, stdout);
    /* -> tensor([[0.2500, 0.7500],
     *            [0.5000, 0.5000]], shape=(2, 2), dtype=f32) */
    /* [] */
}

static void example_maximum(void)
{
    /* [heed_maximum] */
    heed_tensor *a = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 1, 5, NAN);
    heed_tensor *b = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 4, 2, 0);
    heed_print(heed_maximum(a, b), stdout); /* -> tensor([4., 5., nan], shape=(3), dtype=f32) */
    /* [] */
}

static void example_minimum(void)
{
    /* [heed_minimum] */
    heed_tensor *a = heed_set_requires_grad(HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 1, 5, 3), true);
    heed_tensor *limit = HEED_TENSOR(HEED_F32, HEED_SHAPE(1), 3);
    heed_tensor *y = heed_minimum(a, limit);
    heed_backward(heed_sum(y));
    heed_print(y, stdout);               /* -> tensor([1., 3., 3.], shape=(3), dtype=f32, requires_grad=True) */
    heed_print(heed_grad_of(a), stdout); /* -> tensor([1.0000, 0.0000, 0.5000], shape=(3), dtype=f32) */
    /* [] */
}

static void example_where(void)
{
    /* [heed_where] */
    heed_tensor *x = heed_set_requires_grad(HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 0, 1, 4), true);
    heed_tensor *positive = heed_compare(x, HEED_COMPARE_GT, HEED_TENSOR(HEED_F64, HEED_SHAPE(1), 0));
    heed_tensor *safe = heed_where(positive, x, heed_ones(HEED_F64, HEED_SHAPE(3))); /* avoids ln 0 */
    heed_tensor *y = heed_where(positive, heed_log(safe), heed_zeros(HEED_F64, HEED_SHAPE(3)));
    heed_backward(heed_sum(y));
    heed_print(y, stdout); /* -> tensor([0.0000, 0.0000, 1.3863], shape=(3), dtype=f64, requires_grad=True) */
    heed_print(heed_grad_of(x), stdout); /* -> tensor([0.0000, 1.0000, 0.2500], shape=(3), dtype=f64) */
    /* [] */
}

static void example_compare(void)
{
    /* [heed_compare] */
    heed_tensor *guesses = HEED_TENSOR(HEED_I64, HEED_SHAPE(4), 0, 2, 1, 1);
    heed_tensor *classes = HEED_TENSOR(HEED_I64, HEED_SHAPE(4), 0, 2, 2, 1);
    heed_tensor *right = heed_compare(guesses, HEED_COMPARE_EQ, classes);
    heed_print(right, stdout); /* -> tensor([ True,  True, False,  True], shape=(4), dtype=bool) */
    printf("accuracy %g\n", heed_item(heed_mean(heed_to_dtype(right, HEED_F64)))); /* -> accuracy 0.75 */
    /* [] */
}

static void example_mul_scalar(void)
{
    /* [heed_mul_scalar] */
    heed_tensor *metres = heed_set_requires_grad(HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 1, 2, 5), true);
    heed_tensor *centimetres = heed_mul_scalar(metres, 100);
    heed_backward(heed_sum(centimetres));
    heed_print(heed_detach(centimetres), stdout); /* -> tensor([100., 200., 500.], shape=(3), dtype=f32) */
    heed_print(heed_grad_of(metres), stdout);     /* -> tensor([100., 100., 100.], shape=(3), dtype=f32) */
    /* [] */
}

static void example_add_scalar(void)
{
    /* [heed_add_scalar] */
    heed_tensor *celsius = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), -40, 0, 100);
    heed_tensor *fahrenheit = heed_add_scalar(heed_mul_scalar(celsius, 1.8), 32);
    heed_print(fahrenheit, stdout); /* -> tensor([-40.,  32., 212.], shape=(3), dtype=f32) */
    /* [] */
}

static void example_rsub_scalar(void)
{
    /* [heed_rsub_scalar] */
    heed_tensor *p = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 0, 0.25, 1);
    heed_tensor *otherwise = heed_rsub_scalar(p, 1); /* 1 - p */
    heed_print(otherwise, stdout);                   /* -> tensor([1.0000, 0.7500, 0.0000], shape=(3), dtype=f32) */
    /* [] */
}

static void example_pow_scalar(void)
{
    /* [heed_pow_scalar] */
    heed_tensor *x = heed_set_requires_grad(HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 1, 2, 3), true);
    heed_tensor *y = heed_pow_scalar(x, 3);
    heed_backward(heed_sum(y));
    heed_print(y, stdout);               /* -> tensor([ 1.,  8., 27.], shape=(3), dtype=f64, requires_grad=True) */
    heed_print(heed_grad_of(x), stdout); /* 3 x^2 */
    /* -> tensor([ 3., 12., 27.], shape=(3), dtype=f64) */
    /* [] */
}

static void example_clamp(void)
{
    /* [heed_clamp] */
    heed_tensor *x = heed_set_requires_grad(HEED_TENSOR(HEED_F32, HEED_SHAPE(4), -3, 0.5, 1, 7), true);
    heed_tensor *y = heed_clamp(x, 0, 1);
    heed_backward(heed_sum(y));
    heed_print(y, stdout);
    /* -> tensor([0.0000, 0.5000, 1.0000, 1.0000], shape=(4), dtype=f32,
     *           requires_grad=True) */
    heed_print(heed_grad_of(x), stdout);             /* -> tensor([0., 1., 1., 0.], shape=(4), dtype=f32) */
    heed_print(heed_clamp(x, -INFINITY, 1), stdout); /* only an upper limit */
    /* -> tensor([-3.0000,  0.5000,  1.0000,  1.0000], shape=(4), dtype=f32,
     *           requires_grad=True) */
    /* [] */
}

static void example_neg(void)
{
    /* [heed_neg] */
    heed_tensor *p = HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 0.5, 0.125);
    heed_tensor *surprise = heed_neg(heed_log(p));
    heed_print(surprise, stdout); /* -> tensor([0.6931, 2.0794], shape=(2), dtype=f32) */
    /* [] */
}

static void example_square(void)
{
    /* [heed_square] */
    heed_tensor *x = heed_set_requires_grad(HEED_TENSOR(HEED_F64, HEED_SHAPE(3), -1, 2, 3), true);
    heed_tensor *length_squared = heed_sum(heed_square(x));
    heed_backward(length_squared);
    printf("%g\n", heed_item(length_squared)); /* -> 14 */
    heed_print(heed_grad_of(x), stdout);       /* -> tensor([-2.,  4.,  6.], shape=(3), dtype=f64) */
    /* [] */
}

static void example_sqrt(void)
{
    /* [heed_sqrt] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 3, 4, 6, 8);
    heed_tensor *lengths = heed_sqrt(heed_sum_axes(heed_square(x), HEED_AXES(-1), false));
    heed_print(lengths, stdout); /* -> tensor([ 5., 10.], shape=(2), dtype=f32) */
    /* [] */
}

static void example_exp(void)
{
    /* [heed_exp] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), -INFINITY, 0, 1);
    heed_print(heed_exp(x), stdout);           /* -> tensor([0.0000, 1.0000, 2.7183], shape=(3), dtype=f32) */
    heed_print(heed_log(heed_exp(x)), stdout); /* -> tensor([-inf, 0., 1.], shape=(3), dtype=f32) */
    /* [] */
}

static void example_log(void)
{
    /* [heed_log] */
    heed_tensor *x = heed_set_requires_grad(HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 0.5, 1, 2), true);
    heed_tensor *y = heed_log(x);
    heed_backward(heed_sum(y));
    heed_print(y, stdout); /* -> tensor([-0.6931,  0.0000,  0.6931], shape=(3), dtype=f64, requires_grad=True) */
    heed_print(heed_grad_of(x), stdout); /* -> tensor([2.0000, 1.0000, 0.5000], shape=(3), dtype=f64) */
    /* [] */
}

static void example_sin(void)
{
    /* [heed_sin heed_cos] */
    heed_tensor *x = heed_set_requires_grad(HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 0, 1, 2), true);
    heed_tensor *y = heed_sin(x);
    heed_backward(heed_sum(y));
    heed_print(y, stdout); /* -> tensor([0.0000, 0.8415, 0.9093], shape=(3), dtype=f64, requires_grad=True) */
    heed_print(heed_grad_of(x), stdout);          /* -> tensor([ 1.0000,  0.5403, -0.4161], shape=(3), dtype=f64) */
    heed_print(heed_cos(heed_detach(x)), stdout); /* -> tensor([ 1.0000,  0.5403, -0.4161], shape=(3), dtype=f64) */
    /* [] */
}

static void example_tanh(void)
{
    /* [heed_tanh] */
    heed_tensor *x = heed_set_requires_grad(HEED_TENSOR(HEED_F64, HEED_SHAPE(3), -1, 0, 100), true);
    heed_tensor *y = heed_tanh(x);
    heed_backward(heed_sum(y));
    heed_print(y, stdout); /* -> tensor([-0.7616,  0.0000,  1.0000], shape=(3), dtype=f64, requires_grad=True) */
    heed_print(heed_grad_of(x), stdout); /* -> tensor([0.4200, 1.0000, 0.0000], shape=(3), dtype=f64) */
    /* [] */
}

static void example_sigmoid(void)
{
    /* [heed_sigmoid] */
    heed_tensor *logits = HEED_TENSOR(HEED_F32, HEED_SHAPE(4), -1000, 0, 2, 1000);
    heed_tensor *p = heed_sigmoid(logits);
    heed_print(p, stdout); /* -> tensor([0.0000, 0.5000, 0.8808, 1.0000], shape=(4), dtype=f32) */
    /* [] */
}

static void example_relu(void)
{
    /* [heed_relu] */
    heed_tensor *x = heed_set_requires_grad(HEED_TENSOR(HEED_F32, HEED_SHAPE(3), -2, 0, 3), true);
    heed_tensor *y = heed_relu(x);
    heed_backward(heed_sum(y));
    heed_print(y, stdout);               /* -> tensor([0., 0., 3.], shape=(3), dtype=f32, requires_grad=True) */
    heed_print(heed_grad_of(x), stdout); /* -> tensor([0., 0., 1.], shape=(3), dtype=f32) */
    /* [] */
}

static void example_abs(void)
{
    /* [heed_abs heed_sign] */
    heed_tensor *x = heed_set_requires_grad(HEED_TENSOR(HEED_F32, HEED_SHAPE(3), -2, 0, 3), true);
    heed_backward(heed_sum(heed_abs(x)));
    heed_print(heed_abs(x), stdout); /* -> tensor([2., 0., 3.], shape=(3), dtype=f32, requires_grad=True) */
    heed_print(heed_sign(heed_detach(x)), stdout); /* -> tensor([-1.,  0.,  1.], shape=(3), dtype=f32) */
    heed_print(heed_grad_of(x), stdout);           /* -> tensor([-1.,  0.,  1.], shape=(3), dtype=f32) */
    /* [] */
}

static void example_erf(void)
{
    /* [heed_erf] */
    heed_tensor *sigmas = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 1, 2, 3);
    heed_tensor *within = heed_erf(heed_mul_scalar(sigmas, 1 / sqrt(2))); /* probabilities of a normal distribution */
    heed_print(within, stdout); /* -> tensor([0.6827, 0.9545, 0.9973], shape=(3), dtype=f64) */
    /* [] */
}

static void example_gelu(void)
{
    /* [heed_gelu] */
    heed_tensor *x = heed_set_requires_grad(HEED_TENSOR(HEED_F32, HEED_SHAPE(4), -3, -1, 0, 1), true);
    heed_tensor *y = heed_gelu(x);
    heed_backward(heed_sum(y));
    heed_print(heed_detach(y), stdout);  /* -> tensor([-0.0040, -0.1587,  0.0000,  0.8413], shape=(4), dtype=f32) */
    heed_print(heed_grad_of(x), stdout); /* -> tensor([-0.0119, -0.0833,  0.5000,  1.0833], shape=(4), dtype=f32) */
    /* [] */
}

static void example_gelu_tanh(void)
{
    /* [heed_gelu_tanh] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(4), -3, -1, 0, 1);
    heed_print(heed_gelu_tanh(x), stdout); /* -> tensor([-0.0036, -0.1588,  0.0000,  0.8412], shape=(4), dtype=f32) */
    heed_print(heed_gelu(x), stdout);      /* -> tensor([-0.0040, -0.1587,  0.0000,  0.8413], shape=(4), dtype=f32) */
    /* [] */
}

static void example_softplus(void)
{
    /* [heed_softplus] */
    heed_tensor *x = heed_set_requires_grad(HEED_TENSOR(HEED_F32, HEED_SHAPE(3), -2, 0, 100), true);
    heed_tensor *y = heed_softplus(x);
    heed_backward(heed_sum(y));
    heed_print(heed_detach(y), stdout);  /* -> tensor([  0.1269,   0.6931, 100.0000], shape=(3), dtype=f32) */
    heed_print(heed_grad_of(x), stdout); /* -> tensor([0.1192, 0.5000, 1.0000], shape=(3), dtype=f32) */
    /* [] */
}

static void example_silu(void)
{
    /* [heed_silu] */
    heed_tensor *x = heed_set_requires_grad(HEED_TENSOR(HEED_F32, HEED_SHAPE(4), -3, -1, 0, 1), true);
    heed_tensor *y = heed_silu(x);
    heed_backward(heed_sum(y));
    heed_print(heed_detach(y), stdout);  /* -> tensor([-0.1423, -0.2689,  0.0000,  0.7311], shape=(4), dtype=f32) */
    heed_print(heed_grad_of(x), stdout); /* -> tensor([-0.0881,  0.0723,  0.5000,  0.9277], shape=(4), dtype=f32) */
    /* [] */
}

static void example_clone(void)
{
    /* [heed_clone] */
    heed_tensor *x = heed_arange(HEED_F32, 0, 3, 1);
    heed_tensor *copy = heed_clone(x);
    heed_fill_(x, 7);
    heed_print(copy, stdout);                     /* -> tensor([0., 1., 2.], shape=(3), dtype=f32) */
    printf("%d\n", heed_shares_storage(x, copy)); /* -> 0 */
    /* [] */
}

static void example_contiguous(void)
{
    /* [heed_contiguous] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), 1, 2, 3, 4, 5, 6);
    heed_tensor *columns = heed_transpose(x, 0, 1); /* a view */
    const float *values = heed_data_f32(heed_contiguous(columns));
    printf("%g %g %g\n", (double)values[0], (double)values[1], (double)values[2]); /* -> 1 4 2 */
    /* [] */
}

static void example_to_dtype(void)
{
    /* [heed_to_dtype] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(4), -1.5, 0, 0.9, 2);
    heed_print(heed_to_dtype(x, HEED_I64), stdout); /* -> tensor([-1,  0,  0,  2], shape=(4), dtype=i64) */
    heed_print(heed_to_dtype(x, HEED_BOOL), stdout);
    /* -> tensor([ True, False,  True,  True], shape=(4), dtype=bool) */
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_add();
    example_sub();
    example_mul();
    example_div();
    example_maximum();
    example_minimum();
    example_where();
    example_compare();
    example_mul_scalar();
    example_add_scalar();
    example_rsub_scalar();
    example_pow_scalar();
    example_clamp();
    example_neg();
    example_square();
    example_sqrt();
    example_exp();
    example_log();
    example_sin();
    example_tanh();
    example_sigmoid();
    example_relu();
    example_abs();
    example_erf();
    example_gelu();
    example_gelu_tanh();
    example_softplus();
    example_silu();
    example_clone();
    example_contiguous();
    example_to_dtype();
    return 0;
}
