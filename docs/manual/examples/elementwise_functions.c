/* elementwise_functions.c - more examples of heed/ops/elementwise.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include <heed/heed.h>

static void example_rounding(void)
{
    /* [heed_floor heed_ceil heed_round] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(4), -1.5, -0.2, 0.5, 2.7);
    heed_print(heed_floor(x), stdout); /* -> tensor([-2., -1.,  0.,  2.], shape=(4), dtype=f32) */
    heed_print(heed_ceil(x), stdout);  /* -> tensor([-1., -0.,  1.,  3.], shape=(4), dtype=f32) */
    heed_print(heed_round(x), stdout); /* -> tensor([-2., -0.,  0.,  3.], shape=(4), dtype=f32) */
    /* [] */
}

static void example_small(void)
{
    /* [heed_expm1 heed_log1p] */
    heed_tensor *rate = HEED_TENSOR(HEED_F32, HEED_SHAPE(1), 1e-9);                  /* 1 + rate is 1 in f32 */
    printf("%.2g %.2g\n", heed_item(heed_expm1(rate)), heed_item(heed_log1p(rate))); /* -> 1e-09 1e-09 */
    printf("%.2g\n", heed_item(heed_log(heed_add_scalar(rate, 1))));                 /* -> 0 */
    /* [] */
}

static void example_bases(void)
{
    /* [heed_log2 heed_log10 heed_rsqrt] */
    heed_tensor *x = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 1, 4, 1000);
    heed_print(heed_log2(x), stdout);  /* -> tensor([0.0000, 2.0000, 9.9658], shape=(3), dtype=f64) */
    heed_print(heed_log10(x), stdout); /* -> tensor([0.0000, 0.6021, 3.0000], shape=(3), dtype=f64) */
    heed_print(heed_rsqrt(x), stdout); /* -> tensor([1.0000, 0.5000, 0.0316], shape=(3), dtype=f64) */
    /* [] */
}

static void example_tan(void)
{
    /* [heed_tan] */
    heed_tensor *degrees = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), -30, 0, 60);
    heed_tensor *x = heed_mul_scalar(degrees, acos(-1) / 180);
    heed_print(heed_tan(x), stdout);
    /* -> tensor([-0.5774,  0.0000,  1.7321], shape=(3), dtype=f64) */
    /* [] */
}

static void example_angles(void)
{
    /* [heed_asin heed_acos heed_atan] */
    heed_tensor *x = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), -1, 0, 1);
    heed_print(heed_asin(x), stdout); /* -> tensor([-1.5708,  0.0000,  1.5708], shape=(3), dtype=f64) */
    heed_print(heed_acos(x), stdout); /* -> tensor([3.1416, 1.5708, 0.0000], shape=(3), dtype=f64) */
    heed_print(heed_atan(x), stdout); /* -> tensor([-0.7854,  0.0000,  0.7854], shape=(3), dtype=f64) */
    /* [] */
}

static void example_atan2(void)
{
    /* [heed_atan2] */
    heed_tensor *x = HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 1, -1, -1, 1);
    heed_tensor *y = HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 1, 1, -1, -1);
    heed_print(heed_mul_scalar(heed_atan2(y, x), 180 / acos(-1)), stdout); /* in degrees */
    /* -> tensor([  45.,  135., -135.,  -45.], shape=(4), dtype=f64) */
    /* [] */
}

static void example_hyperbolic(void)
{
    /* [heed_sinh heed_cosh] */
    heed_tensor *x = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), -1, 0, 2);
    heed_tensor *sinh = heed_sinh(x), *cosh = heed_cosh(x);
    heed_print(sinh, stdout);
    /* -> tensor([-1.1752,  0.0000,  3.6269], shape=(3), dtype=f64) */
    heed_print(heed_sub(heed_square(cosh), heed_square(sinh)), stdout);
    /* -> tensor([1.0000, 1.0000, 1.0000], shape=(3), dtype=f64) */
    /* [] */
}

static void example_leaky(void)
{
    /* [heed_leaky_relu heed_elu heed_selu] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), -2, 0, 3);
    heed_print(heed_leaky_relu(x, 0.01), stdout); /* -> tensor([-0.0200,  0.0000,  3.0000], shape=(3), dtype=f32) */
    heed_print(heed_elu(x, 1), stdout);           /* -> tensor([-0.8647,  0.0000,  3.0000], shape=(3), dtype=f32) */
    heed_print(heed_selu(x), stdout);             /* -> tensor([-1.5202,  0.0000,  3.1521], shape=(3), dtype=f32) */
    /* [] */
}

static void example_smooth(void)
{
    /* [heed_mish heed_hardswish] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(4), -4, -1, 0, 3);
    heed_print(heed_mish(x), stdout); /* -> tensor([-0.0726, -0.3034,  0.0000,  2.9865], shape=(4), dtype=f32) */
    heed_print(heed_hardswish(x), stdout);
    /* -> tensor([-0.0000, -0.3333,  0.0000,  3.0000], shape=(4), dtype=f32) */
    /* [] */
}

static void example_glu(void)
{
    /* [heed_glu] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 4), 1, 2, 0, 200, 3, 4, 0, -200);
    heed_tensor *y = heed_glu(x, 1);
    heed_print(y, stdout);
    /* -> tensor([[0.5000, 2.0000],
     *            [1.5000, 0.0000]], shape=(2, 2), dtype=f32) */
    /* [] */
}

static void example_prelu(void)
{
    /* [heed_prelu] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), -1, -1, 2, -2);
    heed_tensor *slope = heed_set_requires_grad(HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 0.25, 0.5), true);
    heed_tensor *y = heed_prelu(x, slope); /* a slope per column */
    heed_backward(heed_sum(y));
    heed_print(heed_detach(y), stdout);
    /* -> tensor([[-0.2500, -0.5000],
     *            [ 2.0000, -1.0000]], shape=(2, 2), dtype=f32) */
    heed_print(heed_grad_of(slope), stdout); /* -> tensor([-1., -3.], shape=(2), dtype=f32) */
    /* [] */
}

static void example_hardtanh(void)
{
    /* [heed_hardtanh] */
    heed_tensor *x = heed_set_requires_grad(HEED_TENSOR(HEED_F32, HEED_SHAPE(3), -2, 0.5, 1), true);
    heed_tensor *y = heed_hardtanh(x, -1, 1);
    heed_backward(heed_sum(y));
    heed_print(heed_detach(y), stdout);  /* -> tensor([-1.0000,  0.5000,  1.0000], shape=(3), dtype=f32) */
    heed_print(heed_grad_of(x), stdout); /* -> tensor([0., 1., 0.], shape=(3), dtype=f32) */
    /* [] */
}

static void example_quotients(void)
{
    /* [heed_floor_divide heed_remainder] */
    heed_tensor *hours = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 30, 7.5, -1);
    heed_tensor *day = heed_full(HEED_F64, HEED_SCALAR, 24);
    heed_print(heed_floor_divide(hours, day), stdout); /* -> tensor([ 1.,  0., -1.], shape=(3), dtype=f64) */
    heed_print(heed_remainder(hours, day), stdout);
    /* -> tensor([ 6.0000,  7.5000, 23.0000], shape=(3), dtype=f64) */
    /* [] */
}

static void example_pow(void)
{
    /* [heed_pow] */
    heed_tensor *growth = HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 1), 1.02, 1.05);
    heed_tensor *years = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 0, 1, 10);
    heed_print(heed_pow(growth, years), stdout);
    /* -> tensor([[1.0000, 1.0200, 1.2190],
     *            [1.0000, 1.0500, 1.6289]], shape=(2, 3), dtype=f64) */
    /* [] */
}

static void example_hypot(void)
{
    /* [heed_hypot] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 3, 3e30);
    heed_tensor *y = HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 4, 4e30);
    heed_print(heed_hypot(x, y), stdout);
    /* -> tensor([5.0000e+00, 5.0000e+30], shape=(2), dtype=f32) */
    /* [] */
}

static void example_logaddexp(void)
{
    /* [heed_logaddexp] */
    heed_tensor *a = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), -1000, -INFINITY); /* e^-1000 is 0 in f64 */
    heed_tensor *b = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), -1000, -INFINITY);
    heed_print(heed_logaddexp(a, b), stdout); /* -> tensor([-999.3069,      -inf], shape=(2), dtype=f64) */
    /* [] */
}

static void example_lerp(void)
{
    /* [heed_lerp heed_lerp_scalar] */
    heed_tensor *a = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 0, 10, 20),
                *b = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 1, 30, 0);
    heed_print(heed_lerp_scalar(a, b, 0.25), stdout); /* -> tensor([ 0.2500, 15.0000, 15.0000], shape=(3), dtype=f32) */
    heed_tensor *weight = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 0, 0.5, 1);
    heed_print(heed_lerp(a, b, weight), stdout); /* -> tensor([ 0., 20.,  0.], shape=(3), dtype=f32) */
    /* [] */
}

static void example_compare_scalar(void)
{
    /* [heed_compare_scalar] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(4), -1, 0, 0.5, NAN);
    heed_tensor *positive = heed_compare_scalar(x, HEED_COMPARE_GT, 0);
    heed_print(positive, stdout); /* -> tensor([False, False,  True, False], shape=(4), dtype=bool) */
    heed_print(heed_where(positive, x, heed_zeros(HEED_F32, HEED_SCALAR)), stdout);
    /* -> tensor([0.0000, 0.0000, 0.5000, 0.0000], shape=(4), dtype=f32) */
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_rounding();
    example_small();
    example_bases();
    example_tan();
    example_angles();
    example_atan2();
    example_hyperbolic();
    example_leaky();
    example_smooth();
    example_glu();
    example_prelu();
    example_hardtanh();
    example_quotients();
    example_pow();
    example_hypot();
    example_logaddexp();
    example_lerp();
    example_compare_scalar();
    return 0;
}
