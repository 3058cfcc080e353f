/* reduce.c - examples of heed/ops/reduce.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include <heed/heed.h>

static void example_sum(void)
{
    /* [heed_sum] */
    heed_tensor *x = heed_set_requires_grad(HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 1, 2, 3, 4), true);
    heed_tensor *total = heed_sum(x);
    heed_backward(total);
    printf("%g\n", heed_item(total)); /* -> 10 */
    heed_print(heed_grad_of(x), stdout);
    /* -> tensor([[1., 1.],
     *            [1., 1.]], shape=(2, 2), dtype=f32) */
    /* [] */
}

static void example_sum_axes(void)
{
    /* [heed_sum_axes] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), 1, 2, 3, 4, 5, 6);
    heed_print(heed_sum_axes(x, HEED_AXES(0), false), stdout); /* -> tensor([5., 7., 9.], shape=(3), dtype=f32) */
    heed_print(heed_sum_axes(x, HEED_AXES(-1), true), stdout);
    /* -> tensor([[ 6.],
     *            [15.]], shape=(2, 1), dtype=f32) */
    heed_print(heed_sum_axes(x, HEED_AXES(0, 1), false), stdout); /* -> tensor(21., shape=(), dtype=f32) */
    /* [] */
}

static void example_mean(void)
{
    /* [heed_mean] */
    heed_tensor *x = heed_set_requires_grad(HEED_TENSOR(HEED_F32, HEED_SHAPE(4), 1, 2, 3, 4), true);
    heed_tensor *mean = heed_mean(x);
    heed_backward(mean);
    printf("%g\n", heed_item(mean));     /* -> 2.5 */
    heed_print(heed_grad_of(x), stdout); /* -> tensor([0.2500, 0.2500, 0.2500, 0.2500], shape=(4), dtype=f32) */
    /* [] */
}

static void example_mean_axes(void)
{
    /* [heed_mean_axes] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(3, 2), 1, 10, 2, 20, 3, 30);
    heed_tensor *mean = heed_mean_axes(x, HEED_AXES(0), true); /* (1, 2) */
    heed_tensor *variance = heed_mean_axes(heed_square(heed_sub(x, mean)), HEED_AXES(0), true);
    heed_print(mean, stdout);     /* -> tensor([[ 2., 20.]], shape=(1, 2), dtype=f32) */
    heed_print(variance, stdout); /* -> tensor([[ 0.6667, 66.6667]], shape=(1, 2), dtype=f32) */
    /* [] */
}

static void example_nansum(void)
{
    /* [heed_nansum heed_nanmean] */
    heed_tensor *days = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), 1, NAN, 3, 2, 6, NAN); /* NaN: not measured */
    heed_print(heed_nansum(days, HEED_AXES(1), false), stdout);  /* -> tensor([4., 8.], shape=(2), dtype=f32) */
    heed_print(heed_nanmean(days, HEED_AXES(1), false), stdout); /* -> tensor([2., 4.], shape=(2), dtype=f32) */
    /* [] */
}

static void example_max(void)
{
    /* [heed_max] */
    heed_tensor *x = heed_set_requires_grad(HEED_TENSOR(HEED_F32, HEED_SHAPE(4), 1, 5, 5, 2), true);
    heed_tensor *largest = heed_max(x);
    heed_backward(largest);
    printf("%g\n", heed_item(largest));  /* -> 5 */
    heed_print(heed_grad_of(x), stdout); /* -> tensor([0.0000, 0.5000, 0.5000, 0.0000], shape=(4), dtype=f32) */
    /* [] */
}

static void example_max_axes(void)
{
    /* [heed_max_axes] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), 1, 8, 3, 4, 5, NAN);
    heed_print(heed_max_axes(x, HEED_AXES(1), false), stdout); /* -> tensor([8., nan], shape=(2), dtype=f32) */
    heed_print(heed_max_axes(x, HEED_AXES(0), true), stdout);  /* -> tensor([[4., 8., nan]], shape=(1, 3), dtype=f32) */
    /* [] */
}

static void example_min(void)
{
    /* [heed_min] */
    heed_tensor *x = heed_set_requires_grad(HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 3, -1, 2), true);
    heed_tensor *smallest = heed_min(x);
    heed_backward(smallest);
    printf("%g\n", heed_item(smallest)); /* -> -1 */
    heed_print(heed_grad_of(x), stdout); /* -> tensor([0., 1., 0.], shape=(3), dtype=f32) */
    /* [] */
}

static void example_min_axes(void)
{
    /* [heed_min_axes] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(3, 2), 3, 30, 1, 40, 2, 20);
    heed_tensor *low = heed_min_axes(x, HEED_AXES(0), true), *high = heed_max_axes(x, HEED_AXES(0), true);
    heed_print(heed_div(heed_sub(x, low), heed_sub(high, low)), stdout); /* scales columns to 0 .. 1 */
    /* -> tensor([[1.0000, 0.5000],
     *            [0.0000, 1.0000],
     *            [0.5000, 0.0000]], shape=(3, 2), dtype=f32) */
    /* [] */
}

static void example_argmax(void)
{
    /* [heed_argmax] */
    heed_tensor *logits = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), 0.1, 2, 1, 7, 0, 9);
    heed_print(heed_argmax(logits, -1, false), stdout); /* the class of every row */
    /* -> tensor([1, 2], shape=(2), dtype=i64) */
    int64_t place = heed_item_i64(heed_argmax(heed_flatten(logits, 0, -1), 0, false)); /* of all elements */
    printf("row %d, column %d\n", (int)(place / 3), (int)(place % 3));                 /* -> row 1, column 2 */
    /* [] */
}

static void example_sum_to(void)
{
    /* [heed_sum_to] */
    heed_tensor *g = heed_ones(HEED_F32, HEED_SHAPE(4, 2, 3));
    heed_tensor *of_bias = heed_sum_to(g, HEED_SHAPE(2, 1)); /* the gradient of a broadcast (2, 1) */
    heed_print(of_bias, stdout);
    /* -> tensor([[12.],
     *            [12.]], shape=(2, 1), dtype=f32) */
    /* [] */
}

static void example_var(void)
{
    /* [heed_var heed_std] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(3, 2), 1, 10, 2, 20, 3, 30);
    heed_print(heed_var(x, HEED_AXES(0), 1, false), stdout); /* -> tensor([  1., 100.], shape=(2), dtype=f32) */
    heed_tensor *centred = heed_sub(x, heed_mean_axes(x, HEED_AXES(0), true));
    heed_print(heed_div(centred, heed_std(x, HEED_AXES(0), 1, true)), stdout);
    /* -> tensor([[-1., -1.],
     *            [ 0.,  0.],
     *            [ 1.,  1.]], shape=(3, 2), dtype=f32) */
    printf("%.4f\n", heed_item(heed_std(heed_select(x, 1, 0), HEED_ALL_AXES, 0, false))); /* -> 0.8165 */
    /* [] */
}

static void example_norm(void)
{
    /* [heed_norm] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 3, -4, 5, 12);
    printf("%g\n", heed_item(heed_norm(x, 1, HEED_ALL_AXES, false)));        /* -> 24 */
    printf("%g\n", heed_item(heed_norm(x, INFINITY, HEED_ALL_AXES, false))); /* -> 12 */
    heed_tensor *lengths = heed_norm(x, 2, HEED_AXES(-1), true);
    heed_print(heed_div(x, lengths), stdout); /* rows of length 1 */
    /* -> tensor([[ 0.6000, -0.8000],
     *            [ 0.3846,  0.9231]], shape=(2, 2), dtype=f32) */
    /* [] */
}

static void example_prod(void)
{
    /* [heed_prod] */
    heed_tensor *x = heed_set_requires_grad(HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 2, 0, 5), true);
    heed_backward(heed_prod(x, HEED_ALL_AXES, false));
    heed_print(heed_grad_of(x), stdout); /* -> tensor([ 0., 10.,  0.], shape=(3), dtype=f32) */
    heed_tensor *sizes = HEED_TENSOR(HEED_I64, HEED_SHAPE(2, 3), 2, 3, 4, 5, 6, 7);
    heed_print(heed_prod(sizes, HEED_AXES(1), false), stdout); /* -> tensor([ 24, 210], shape=(2), dtype=i64) */
    /* [] */
}

static void example_cumsum(void)
{
    /* [heed_cumsum] */
    heed_tensor *shares = HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 0.1, 0.2, 0.3, 0.4);
    heed_print(heed_cumsum(shares, 0), stdout); /* -> tensor([0.1000, 0.3000, 0.6000, 1.0000], shape=(4), dtype=f64) */
    heed_tensor *x = HEED_TENSOR(HEED_I64, HEED_SHAPE(2, 3), 1, 2, 3, 4, 5, 6);
    heed_print(heed_cumsum(x, -1), stdout);
    /* -> tensor([[ 1,  3,  6],
     *            [ 4,  9, 15]], shape=(2, 3), dtype=i64) */
    /* [] */
}

static void example_cumprod(void)
{
    /* [heed_cumprod] */
    heed_tensor *survival = HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 1, 0.9, 0.5, 0.5); /* per year */
    heed_tensor *alive = heed_cumprod(survival, 0);
    heed_print(alive, stdout); /* -> tensor([1.0000, 0.9000, 0.4500, 0.2250], shape=(4), dtype=f64) */
    /* [] */
}

static void example_trapezoid(void)
{
    /* [heed_trapezoid] */
    heed_tensor *x = heed_linspace(HEED_F64, 0, acos(-1), 101);
    printf("%.4f\n", heed_item(heed_trapezoid(heed_sin(x), x, 0, 0)));                 /* -> 1.9998 */
    printf("%.4f\n", heed_item(heed_trapezoid(heed_sin(x), NULL, acos(-1) / 100, 0))); /* -> 1.9998 */
    /* [] */
}

static void example_argmin(void)
{
    /* [heed_argmin] */
    heed_tensor *distances = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), 3, 1, 2, 0, 5, 4);
    heed_tensor *nearest = heed_argmin(distances, -1, false); /* the index of the nearest point, per row */
    heed_print(nearest, stdout);
    /* -> tensor([1, 0], shape=(2), dtype=i64) */
    /* [] */
}

static void example_median(void)
{
    /* [heed_median] */
    heed_tensor *incomes = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 4), 31, 900, 28, 35, 40, 22, 27, 30), *indices;
    heed_print(heed_median(incomes, 1, false, &indices), stdout); /* -> tensor([31., 27.], shape=(2), dtype=f32) */
    heed_print(indices, stdout);                                  /* -> tensor([0, 2], shape=(2), dtype=i64) */
    /* [] */
}

static void example_quantile(void)
{
    /* [heed_quantile] */
    heed_tensor *x = HEED_TENSOR(HEED_F64, HEED_SHAPE(6), 2, 3, 5, 7, 11, 13);
    heed_tensor *quarters = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 0.25, 0.5, 0.75);
    heed_print(heed_quantile(x, quarters, 0, false, HEED_QUANTILE_LINEAR), stdout);
    /* -> tensor([ 3.5000,  6.0000, 10.0000], shape=(3), dtype=f64) */
    heed_print(heed_quantile(x, quarters, 0, false, HEED_QUANTILE_LOWER), stdout);
    /* -> tensor([3., 5., 7.], shape=(3), dtype=f64) */
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_sum();
    example_sum_axes();
    example_mean();
    example_mean_axes();
    example_nansum();
    example_max();
    example_max_axes();
    example_min();
    example_min_axes();
    example_argmax();
    example_sum_to();
    example_var();
    example_norm();
    example_prod();
    example_cumsum();
    example_cumprod();
    example_trapezoid();
    example_argmin();
    example_median();
    example_quantile();
    return 0;
}
