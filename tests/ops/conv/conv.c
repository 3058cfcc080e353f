/* tests/ops/conv/conv.c - cases of heed_conv.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "convs.h"

RUN(run, heed_conv(in[0], in[1], c->n_inputs > 2 ? in[2] : NULL, &(heed_conv_options[]){conv_options(c)}[0]))

/* The book's examples: a kernel on 0 .. 8, and one that finds edges. Then those of texts: 0 .. 6 by 1, 2. */
GIVES(book,
      heed_conv(counting(HEED_F64, HEED_SHAPE(1, 1, 3, 3)), counting(HEED_F64, HEED_SHAPE(1, 1, 2, 2)), NULL, NULL))
GIVES(edges, heed_conv(HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 1, 1, 6), 1, 1, 0, 0, 0, 1),
                       HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 1, 1, 2), 1, -1), NULL, NULL))
GIVES(line,
      heed_conv(counting(HEED_F64, HEED_SHAPE(1, 1, 7)), HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 1, 2), 1, 2), NULL, NULL))
GIVES(long_line, heed_mean(heed_conv(heed_ones(HEED_F32, HEED_SHAPE(1, 1, 100003)),
                                     heed_ones(HEED_F32, HEED_SHAPE(1, 1, 5)), NULL, NULL)))
GIVES(same_even,
      heed_conv(counting(HEED_F64, HEED_SHAPE(1, 1, 1, 3)), ONES(1, 1, 1, 2), NULL, &(heed_conv_options){.same = true}))
GIVES(padded, heed_conv(ONES(1, 1, 1, 1), counting(HEED_F64, HEED_SHAPE(1, 1, 3, 3)), NULL,
                        &(heed_conv_options){.padding = HEED_SHAPE(2)}))
GIVES(far_padding,
      heed_conv(ONES(1, 1, 1, 1), ONES(1, 1, 1, 1), HEED_TENSOR(HEED_F64, HEED_SHAPE(1), 3),
                &(heed_conv_options){.padding = HEED_SHAPE(INT64_C(1) << 50), .stride = HEED_SHAPE(INT64_C(1) << 50)}))
GIVES(no_images, heed_conv(ONES(0, 2, 3, 3), ONES(1, 2, 2, 2), NULL, NULL))
GIVES(no_channels, heed_conv(ONES(1, 0, 1, 2), ONES(1, 0, 1, 1), HEED_TENSOR(HEED_F64, HEED_SHAPE(1), 3), NULL))

/* A sum of 9 * 700 terms of 0.1. */
GIVES(long_sum, heed_conv(heed_full(HEED_F32, HEED_SHAPE(1, 700, 3, 3), 0.1),
                          heed_ones(HEED_F32, HEED_SHAPE(1, 700, 3, 3)), NULL, NULL))

typedef heed_tensor *function_of_two(heed_tensor *x, heed_tensor *w);

static heed_tensor *padded_by_1(heed_tensor *x, heed_tensor *w)
{
    return heed_conv(x, w, NULL, &(heed_conv_options){.padding = HEED_SHAPE(1)});
}

static heed_tensor *with_a_stride(heed_tensor *x, heed_tensor *w)
{
    return heed_conv(x, w, NULL, &(heed_conv_options){.padding = HEED_SHAPE(1), .stride = HEED_SHAPE(1, 2)});
}

/* padded_by_1 as a product. */
static heed_tensor *by_columns(heed_tensor *x, heed_tensor *w)
{
    const int64_t rows = heed_dim(w, 0);
    heed_tensor *columns = heed_unfold(x, HEED_SHAPE(3), &(heed_unfold_options){.padding = HEED_SHAPE(1)});
    return heed_reshape(heed_matmul(heed_reshape(w, HEED_SHAPE(rows, -1)), columns),
                        HEED_SHAPE(heed_dim(x, 0), rows, heed_dim(x, 2), heed_dim(x, 3)));
}

/* y and both gradients of mean y^2. */
static heed_tensor *with_gradients(function_of_two *f, heed_tensor *x, heed_tensor *w)
{
    heed_tensor *in[2] = {heed_set_requires_grad(x, true), heed_set_requires_grad(w, true)}, *d[2] = {NULL};
    heed_tensor *y = f(in[0], in[1]), *loss = heed_mean(heed_square(y));
    return loss && heed_grad(&loss, 1, in, 2, d, NULL) == HEED_OK
               ? heed_concat((heed_tensor *[]){heed_reshape(heed_detach(y), HEED_SHAPE(-1)),
                                               heed_reshape(d[0], HEED_SHAPE(-1)), heed_reshape(d[1], HEED_SHAPE(-1))},
                             3, 0)
               : NULL;
}

/* Returns a convolution and its gradients, computed with `threads` threads. The cases below use patches, then patches
 * with channels that fill registers, then tiles of 2 x 2 results. */
static heed_tensor *by_threads(function_of_two *f, int64_t channels, int64_t rows, int threads)
{
    const int before = heed_num_threads();
    (void)heed_set_num_threads(threads);
    heed_tensor *all = with_gradients(f, waves(HEED_F32, HEED_SHAPE(5, channels, 19, 23)),
                                      waves(HEED_F32, HEED_SHAPE(rows, channels, 3, 3)));
    (void)heed_set_num_threads(before);
    return all;
}

GIVES(threads_agree, differences(by_threads(with_a_stride, 20, 67, 1), by_threads(with_a_stride, 20, 67, 5)))
GIVES(threads_agree_by_channel, differences(by_threads(with_a_stride, 32, 64, 1), by_threads(with_a_stride, 32, 64, 5)))
GIVES(threads_agree_in_tiles, differences(by_threads(padded_by_1, 20, 67, 1), by_threads(padded_by_1, 20, 67, 5)))

/* The number of elements that are neither equal, close, nor both NaN. */
static heed_tensor *numbers_apart(heed_tensor *a, heed_tensor *b)
{
    heed_tensor *distance = heed_abs(heed_sub(a, b)), *far = heed_compare_scalar(distance, HEED_COMPARE_GT, 1e-11);
    heed_tensor *differ = heed_logical_xor(heed_isfinite(a), heed_isfinite(b)),
                *nan = heed_logical_xor(heed_isnan(a), heed_isnan(b));
    return heed_sum(heed_to_dtype(heed_logical_or(heed_logical_or(far, differ), nan), HEED_F64));
}

/* Compares tiles of 2 x 2 results, the last of which is partial, with a product. */
static heed_tensor *tiles_and_columns(int64_t height, int64_t width)
{
    heed_tensor *x = waves(HEED_F64, HEED_SHAPE(3, 37, height, width)), *w = waves(HEED_F64, HEED_SHAPE(53, 37, 3, 3));
    return numbers_apart(with_gradients(padded_by_1, x, w), with_gradients(by_columns, x, w));
}

GIVES(tiles, tiles_and_columns(6, 6))
GIVES(tiles_cut, tiles_and_columns(9, 35))

/* Compares a bias inside the convolution with a bias added later. w has so many rows that the product computes them in
 * several groups. */
static heed_tensor *product_with_bias(void)
{
    heed_tensor *x = waves(HEED_F64, HEED_SHAPE(2, 5, 8, 8)), *w = waves(HEED_F64, HEED_SHAPE(300, 5, 1, 1)),
                *bias = waves(HEED_F64, HEED_SHAPE(300));
    return numbers_apart(heed_conv(x, w, bias, NULL),
                         heed_add(heed_conv(x, w, NULL, NULL), heed_reshape(bias, HEED_SHAPE(300, 1, 1))));
}

/* f32 against f64, for channels of very different magnitudes: the number of elements with an error above 24 times
 * 2^-24 of the sum of their terms' absolute values. */
static heed_tensor *rounding(function_of_two *f, heed_shape x_shape, heed_shape w_shape)
{
    heed_tensor *scale = heed_exp(heed_mul_scalar(waves(HEED_F32, HEED_SHAPE(1, x_shape.dims[1], 1, 1)), 9));
    heed_tensor *x = heed_mul(waves(HEED_F32, x_shape), scale), *w = waves(HEED_F32, w_shape);
    heed_tensor *x_64 = heed_to_dtype(x, HEED_F64), *w_64 = heed_to_dtype(w, HEED_F64);
    heed_tensor *error = heed_abs(heed_sub(heed_to_dtype(f(x, w), HEED_F64), f(x_64, w_64)));
    heed_tensor *most = heed_mul_scalar(f(heed_abs(x_64), heed_abs(w_64)), 24 * 0x1p-24);
    return heed_sum(heed_to_dtype(heed_compare(error, HEED_COMPARE_GT, most), HEED_F64));
}

/* The gradient of heed_conv(x, w) with respect to w, with a kernel of two sizes, for the gradient g of the result. */
static heed_tensor *conv_weight(heed_tensor *x, heed_tensor *g, heed_shape kernel, const heed_conv_options *options)
{
    const heed_shape shape = HEED_SHAPE(heed_dim(g, 1), heed_dim(x, 1), kernel.dims[0], kernel.dims[1]);
    heed_tensor *w = heed_set_requires_grad(heed_zeros(heed_dtype_of(x), shape), true), *dw = NULL;
    heed_tensor *y = heed_conv(x, w, NULL, options);
    return heed_grad(&y, 1, &w, 1, &dw, &(heed_grad_options){.grad_outputs = &g}) == HEED_OK ? dw : NULL;
}

GIVES(counted_weight, conv_weight(counting(HEED_F64, HEED_SHAPE(1, 1, 3, 3)), ONES(1, 1, 2, 2), HEED_SHAPE(2, 2), NULL))

/* 100000 equal terms. */
GIVES(long_sum_weight, conv_weight(heed_full(HEED_F32, HEED_SHAPE(10, 1, 100, 100), 0.1),
                                   heed_ones(HEED_F32, HEED_SHAPE(10, 1, 100, 100)), HEED_SHAPE(1, 1), NULL))

/* Enough rows that a few images are processed at a time; and all as lines of one image. */
static heed_tensor *images_as_one(void)
{
    heed_tensor *x = waves(HEED_F64, HEED_SHAPE(7, 3, 8, 8)), *g = waves(HEED_F64, HEED_SHAPE(7, 130, 8, 8));
    heed_tensor *x_1 = heed_reshape(heed_transpose(x, 0, 1), HEED_SHAPE(1, 3, 56, 8)),
                *g_1 = heed_reshape(heed_transpose(g, 0, 1), HEED_SHAPE(1, 130, 56, 8));
    return heed_max(
        heed_abs(heed_sub(conv_weight(x, g, HEED_SHAPE(1, 1), NULL), conv_weight(x_1, g_1, HEED_SHAPE(1, 1), NULL))));
}

/* Sums of two of these, which tiles of 2 x 2 results compute as intermediates, are not finite. */
static heed_tensor *far_sums_weight(void)
{
    heed_tensor *x = heed_full(HEED_F64, HEED_SHAPE(1, 16, 8, 8), 1e308),
                *g = heed_full(HEED_F64, HEED_SHAPE(1, 16, 6, 6), 1e-308);
    return heed_max(heed_abs(heed_add_scalar(conv_weight(x, g, HEED_SHAPE(3, 3), NULL), -36)));
}

GIVES(no_images_weight, conv_weight(ONES(0, 1, 2, 2), ONES(0, 1, 2, 2), HEED_SHAPE(1, 1), NULL))
static heed_tensor *by_weights(heed_tensor *x, heed_tensor *g)
{
    return conv_weight(x, g, HEED_SHAPE(3, 3), &(heed_conv_options){.padding = HEED_SHAPE(1)});
}

static heed_tensor *halved(heed_tensor *x, heed_tensor *w)
{
    return heed_conv(x, w, NULL, &(heed_conv_options){.padding = HEED_SHAPE(1), .stride = HEED_SHAPE(2)});
}

static heed_tensor *doubled(heed_tensor *x, heed_tensor *w)
{
    return heed_conv_transpose(x, w, NULL,
                               &(heed_conv_transpose_options){
                                   .padding = HEED_SHAPE(1), .stride = HEED_SHAPE(2), .output_padding = HEED_SHAPE(1)});
}

static heed_tensor *halved_by_weights(heed_tensor *x, heed_tensor *g)
{
    return conv_weight(x, g, HEED_SHAPE(3, 3), &(heed_conv_options){.padding = HEED_SHAPE(1), .stride = HEED_SHAPE(2)});
}

GIVES(rounded_halved, rounding(halved, HEED_SHAPE(2, 150, 29, 30), HEED_SHAPE(40, 150, 3, 3)))
GIVES(rounded_doubled, rounding(doubled, HEED_SHAPE(2, 150, 13, 12), HEED_SHAPE(150, 40, 3, 3)))
GIVES(rounded_halved_by_weights, rounding(halved_by_weights, HEED_SHAPE(2, 40, 61, 65), HEED_SHAPE(2, 50, 31, 33)))
GIVES(rounded, rounding(padded_by_1, HEED_SHAPE(2, 150, 9, 11), HEED_SHAPE(40, 150, 3, 3)))
GIVES(rounded_by_weights, rounding(by_weights, HEED_SHAPE(2, 40, 31, 33), HEED_SHAPE(2, 50, 31, 33)))

/* A non-finite number affects only the results that read it. */
static heed_tensor *beside(double number)
{
    heed_tensor *x = waves(HEED_F64, HEED_SHAPE(4, 16, 6, 7)), *w = waves(HEED_F64, HEED_SHAPE(16, 16, 3, 3));
    return heed_set_(x, HEED_SHAPE(1, 3, 2, 2), number) == HEED_OK
               ? numbers_apart(with_gradients(padded_by_1, x, w), with_gradients(by_columns, x, w))
               : NULL;
}

GIVES(infinity, beside(INFINITY))
GIVES(not_a_number, beside(NAN))

/* Sums of three of these are not finite, though all results are. */
static heed_tensor *far_sums(void)
{
    heed_tensor *x = heed_full(HEED_F64, HEED_SHAPE(1, 16, 8, 8), 1e308),
                *w = heed_full(HEED_F64, HEED_SHAPE(16, 16, 3, 3), 1e-308);
    return heed_max(heed_abs(heed_add_scalar(heed_conv(x, w, NULL, NULL), -9 * 16)));
}

/* An image has the same bits for any other images in the batch. */
static heed_tensor *alone_and_in_company(int64_t channels, int64_t rows)
{
    heed_tensor *x = waves(HEED_F32, HEED_SHAPE(7, channels, 8, 9)),
                *w = waves(HEED_F32, HEED_SHAPE(rows, channels, 3, 3));
    return differences(heed_conv(heed_slice(x, 0, 4, 5, 1), w, NULL, NULL),
                       heed_slice(heed_conv(x, w, NULL, NULL), 0, 4, 5, 1));
}

GIVES(company, alone_and_in_company(5, 11))
GIVES(company_by_channel, alone_and_in_company(5, 16))
GIVES(company_in_tiles, alone_and_in_company(20, 16))

GIVES(null, heed_conv(NULL, ONES(1, 1, 1, 1), NULL, NULL))
GIVES(null_w, heed_conv(ONES(1, 1, 1, 1), NULL, NULL, NULL))
GIVES(rank, heed_conv(ONES(1, 1, 1), ONES(1, 1, 1, 1), NULL, NULL))
GIVES(rank_of_line, heed_conv(ONES(1, 1, 1, 1), ONES(1, 1, 1), NULL, NULL))
GIVES(rank_2, heed_conv(ONES(1, 1), ONES(1, 1), NULL, NULL))
GIVES(rank_5, heed_conv(ONES(1, 1, 1, 1, 1), ONES(1, 1, 1, 1, 1), NULL, NULL))
GIVES(channels, heed_conv(ONES(1, 3, 4, 4), ONES(2, 2, 3, 3), NULL, NULL))
GIVES(mixed, heed_conv(ONES(1, 1, 4, 4), heed_ones(HEED_F32, HEED_SHAPE(1, 1, 1, 1)), NULL, NULL))
GIVES(bias, heed_conv(ONES(1, 1, 4, 4), ONES(2, 1, 1, 1), ONES(3), NULL))
GIVES(bias_of_line, heed_conv(ONES(1, 1, 4), ONES(1, 1, 3), ONES(2), NULL))
GIVES(too_long, heed_conv(ONES(1, 1, 4), ONES(1, 1, 3), NULL, &(heed_conv_options){.dilation = HEED_SHAPE(2)}))
GIVES(two, heed_conv(ONES(1, 1, 4), ONES(1, 1, 3), NULL, &(heed_conv_options){.stride = HEED_SHAPE(1, 1)}))
GIVES(too_large, heed_conv(ONES(1, 1, 2, 4), ONES(1, 1, 3, 3), NULL,
                           &(heed_conv_options){.dilation = HEED_SHAPE(2, 1), .padding = HEED_SHAPE(1)}))
GIVES(empty_kernel, heed_conv(ONES(1, 1, 2, 4), ONES(1, 1, 0, 3), NULL, NULL))
GIVES(groups, heed_conv(ONES(1, 4, 4, 4), ONES(3, 2, 3, 3), NULL, &(heed_conv_options){.groups = 2}))
GIVES(no_groups, heed_conv(ONES(1, 4, 4, 4), ONES(3, 4, 3, 3), NULL, &(heed_conv_options){.groups = -1}))
GIVES(stride, heed_conv(ONES(1, 1, 4, 4), ONES(1, 1, 1, 1), NULL, &(heed_conv_options){.stride = HEED_SHAPE(1, -2)}))
GIVES(stride_0, heed_conv(ONES(1, 1, 4, 4), ONES(1, 1, 1, 1), NULL, &(heed_conv_options){.stride = HEED_SHAPE(0)}))
GIVES(three, heed_conv(ONES(1, 1, 4, 4), ONES(1, 1, 1, 1), NULL, &(heed_conv_options){.stride = HEED_SHAPE(1, 1, 1)}))
GIVES(padding, heed_conv(ONES(1, 1, 4, 4), ONES(1, 1, 1, 1), NULL, &(heed_conv_options){.padding = HEED_SHAPE(-1)}))
GIVES(huge_padding,
      heed_conv(ONES(1, 1, 4, 4), ONES(1, 1, 1, 1), NULL, &(heed_conv_options){.padding = HEED_SHAPE(INT64_MAX)}))
GIVES(huge_result, heed_conv(ONES(1, 1, 4, 4), ONES(1, 1, 1, 1), NULL,
                             &(heed_conv_options){.padding = HEED_SHAPE(INT64_C(1) << 40)}))
GIVES(huge_dilation,
      heed_conv(ONES(1, 1, 4, 4), ONES(1, 1, 3, 3), NULL, &(heed_conv_options){.dilation = HEED_SHAPE(INT64_MAX / 8)}))
GIVES(same_padding_0, heed_conv(counting(HEED_F64, HEED_SHAPE(1, 1, 1, 3)), ONES(1, 1, 1, 2), NULL,
                                &(heed_conv_options){.same = true, .padding = HEED_SHAPE(0, 0)}))
GIVES(same_padding_1, heed_conv(ONES(1, 1, 4, 4), ONES(1, 1, 3, 3), NULL,
                                &(heed_conv_options){.same = true, .padding = HEED_SHAPE(0, 1)}))
GIVES(same_stride,
      heed_conv(ONES(1, 1, 4, 4), ONES(1, 1, 3, 3), NULL, &(heed_conv_options){.same = true, .stride = HEED_SHAPE(2)}))

const op_cases heed_cases_conv = {
    .cases = (const op_case[]){CONV("one number", DIMS(1, 1, 1, 1), DIMS(1, 1, 1, 1), 1, 0),
                               CONV("2 x 2", DIMS(1, 2, 3, 3), DIMS(2, 2, 2, 2), 2, 0),
                               CONV("3 x 3", DIMS(2, 2, 4, 3), DIMS(3, 2, 3, 3), 3, 0, 1),
                               CONV_NO_BIAS("no bias", DIMS(1, 2, 3, 4), DIMS(2, 2, 2, 3)),
                               CONV("stride", DIMS(1, 2, 5, 6), DIMS(2, 2, 2, 2), 2, 23, 10),
                               CONV("dilation", DIMS(1, 1, 6, 5), DIMS(2, 1, 2, 3), 2, 21, 2, 32),
                               CONV("groups", DIMS(2, 4, 3, 3), DIMS(2, 2, 2, 2), 2, 0, 0, 0, 2),
                               CONV("depthwise", DIMS(2, 3, 4, 3), DIMS(6, 1, 3, 2), 6, 0, 1, 0, 3),
                               CONV("depthwise, stride", DIMS(1, 3, 6, 7), DIMS(3, 1, 3, 3), 3, 2, 1, 0, 3),
                               CONV("same", DIMS(1, 2, 4, 3), DIMS(2, 2, 2, 3), 2, 0, 0, 21, 0, 1),
                               CONV("by channel", DIMS(1, 1, 2, 5), DIMS(16, 1, 2, 1), 16, 0),
                               CONV("1 x 1", DIMS(2, 3, 2, 3), DIMS(4, 3, 1, 1), 4, 0),
                               CONV("1 x 1, a product", DIMS(2, 3, 8, 8), DIMS(4, 3, 1, 1), 4, 0),
                               CONV("1 x 1, stride", DIMS(2, 2, 3, 4), DIMS(3, 2, 1, 1), 3, 2),
                               CONV("1 x 1, a product, stride", DIMS(3, 2, 17, 15), DIMS(3, 2, 1, 1), 3, 2),
                               CONV("line", DIMS(2, 2, 5), DIMS(3, 2, 3), 3, 0, 1),
                               CONV("line, stride, dilation", DIMS(1, 1, 9), DIMS(2, 1, 3), 2, 2, 3, 2),
                               CONV("line, groups", DIMS(2, 4, 3), DIMS(2, 2, 2), 2, 0, 0, 0, 2),
                               CONV("line, same", DIMS(1, 2, 4), DIMS(2, 2, 4), 2, 0, 0, 0, 0, 1),
                               CONV_NO_BIAS("line, no bias", DIMS(1, 2, 4), DIMS(2, 2, 2)),
                               CONV("no images", DIMS(0, 2, 3, 3), DIMS(2, 2, 2, 2), 2, 0),
                               CONV("padding alone", DIMS(1, 2, 0, 2), DIMS(2, 2, 2, 2), 2, 0, 1),
                               {0}},
    .values =
        (const op_value[]){
            {"book", book, DIMS(1, 1, 2, 2), 0, (const double[]){19, 25, 37, 43}},
            {"edges", edges, DIMS(1, 1, 1, 5), 0, (const double[]){0, 1, 0, 0, -1}},
            {"line", line, DIMS(1, 1, 6), 0, (const double[]){2, 5, 8, 11, 14, 17}},
            {"long line", long_line, NO_DIMS, 0, (const double[]){5}},
            {"same, even kernel", same_even, DIMS(1, 1, 1, 3), 0, (const double[]){1, 3, 2}},
            {"same, padding 0", same_padding_0, DIMS(1, 1, 1, 3), 0, (const double[]){1, 3, 2}},
            {"padding on one number", padded, DIMS(1, 1, 3, 3), 0, (const double[]){8, 7, 6, 5, 4, 3, 2, 1, 0}},
            {"far padding", far_padding, DIMS(1, 1, 3, 3), 0, (const double[]){3, 3, 3, 3, 4, 3, 3, 3, 3}},
            {"no images", no_images, DIMS(0, 1, 2, 2), 0, NULL},
            {"no channels", no_channels, DIMS(1, 1, 1, 2), 0, (const double[]){3, 3}},
            {"long sum", long_sum, DIMS(1, 1, 1, 1), 2e-6, (const double[]){630}},
            {"threads agree", threads_agree, NO_DIMS, 0, (const double[]){0}},
            {"threads agree, by channel", threads_agree_by_channel, NO_DIMS, 0, (const double[]){0}},
            {"threads agree, in tiles", threads_agree_in_tiles, NO_DIMS, 0, (const double[]){0}},
            {"in tiles, as a product", tiles, NO_DIMS, 0, (const double[]){0}},
            {"in tiles that are cut", tiles_cut, NO_DIMS, 0, (const double[]){0}},
            {"a product with a bias", product_with_bias, NO_DIMS, 0, (const double[]){0}},
            {"rounding in tiles", rounded, NO_DIMS, 0, (const double[]){0}},
            {"rounding in tiles, by the weights", rounded_by_weights, NO_DIMS, 0, (const double[]){0}},
            {"rounding in tiles, stride", rounded_halved, NO_DIMS, 0, (const double[]){0}},
            {"rounding in tiles, transposed", rounded_doubled, NO_DIMS, 0, (const double[]){0}},
            {"rounding in tiles, stride, by the weights", rounded_halved_by_weights, NO_DIMS, 0, (const double[]){0}},
            {"beside infinity", infinity, NO_DIMS, 0, (const double[]){0}},
            {"beside NaN", not_a_number, NO_DIMS, 0, (const double[]){0}},
            {"far sums", far_sums, NO_DIMS, 1e-10, (const double[]){0}},
            {"weight, counted", counted_weight, DIMS(1, 1, 2, 2), 0, (const double[]){8, 12, 20, 24}},
            {"weight, long sum", long_sum_weight, DIMS(1, 1, 1, 1), 2e-6, (const double[]){10000}},
            {"weight, images as one", images_as_one, NO_DIMS, 1e-12, (const double[]){0}},
            {"weight, far sums", far_sums_weight, NO_DIMS, 1e-10, (const double[]){0}},
            {"weight, no images", no_images_weight, DIMS(1, 1, 1, 1), 0, (const double[]){0}},
            {"company does not matter", company, NO_DIMS, 0, (const double[]){0}},
            {"company does not matter, by channel", company_by_channel, NO_DIMS, 0, (const double[]){0}},
            {"company does not matter, in tiles", company_in_tiles, NO_DIMS, 0, (const double[]){0}},
            {0}},
    .errors =
        (const op_error[]){
            {"NULL", null, HEED_ERR_ARGUMENT, "conv:"},
            {"by NULL", null_w, HEED_ERR_ARGUMENT, "conv:"},
            {"rank", rank, HEED_ERR_SHAPE,
             "conv: x is (1, 1, 1) and w is (1, 1, 1, 1): both must have rank 3 (one axis), or both rank 4 "
             "(two axes)"},
            {"rank of a line", rank_of_line, HEED_ERR_SHAPE, "conv: x is (1, 1, 1, 1) and w is (1, 1, 1): both must"},
            {"rank 2", rank_2, HEED_ERR_SHAPE, "conv: x is (1, 1) and w is (1, 1): both must"},
            {"rank 5", rank_5, HEED_ERR_SHAPE, "conv: x is (1, 1, 1, 1, 1) and w is (1, 1, 1, 1, 1): both must"},
            {"channels", channels, HEED_ERR_SHAPE,
             "conv: w (2, 2, 3, 3) takes 2 channels in each of 1 groups, x (1, 3, 4, 4) has 3"},
            {"f64 by f32", mixed, HEED_ERR_DTYPE, "conv: the tensors are f64"},
            {"bias", bias, HEED_ERR_SHAPE, "conv: the bias has shape (3): must be (2)"},
            {"bias of a line", bias_of_line, HEED_ERR_SHAPE, "conv: the bias has shape (2): must be (1)"},
            {"kernel too long", too_long, HEED_ERR_SHAPE,
             "conv: a kernel (3) with dilation (2) does not fit into (4) with padding (0)"},
            {"two numbers for a line", two, HEED_ERR_ARGUMENT, "conv: stride has 2 numbers: must be at most 1"},
            {"kernel too large", too_large, HEED_ERR_SHAPE,
             "conv: a kernel (3, 3) with dilation (2, 1) does not fit into (2, 4) with padding (1, 1)"},
            {"empty kernel", empty_kernel, HEED_ERR_SHAPE, "conv: the kernel of w (1, 1, 0, 3) is empty"},
            {"groups", groups, HEED_ERR_ARGUMENT, "conv: groups is 2: must be 1 or more and divide the 4 channels"},
            {"groups below 0", no_groups, HEED_ERR_ARGUMENT, "conv: groups is -1"},
            {"stride below 0", stride, HEED_ERR_ARGUMENT, "conv: stride is -2: must be 1 to "},
            {"stride 0", stride_0, HEED_ERR_ARGUMENT, "conv: stride is 0"},
            {"three numbers", three, HEED_ERR_ARGUMENT, "conv: stride has 3 numbers: must be at most 2"},
            {"padding below 0", padding, HEED_ERR_ARGUMENT, "conv: padding is -1"},
            {"huge padding", huge_padding, HEED_ERR_ARGUMENT, "conv: padding is 9223372036854775807"},
            {"huge result", huge_result, HEED_ERR_SHAPE, "conv:"},
            {"huge dilation", huge_dilation, HEED_ERR_SHAPE, "conv: a kernel (3, 3) with dilation"},
            {"same with a stride", same_stride, HEED_ERR_ARGUMENT,
             "conv: stride is (2, 2) and padding is (0, 0): with same, stride must be 1 and padding 0"},
            {"same with padding", same_padding_1, HEED_ERR_ARGUMENT,
             "conv: stride is (1, 1) and padding is (0, 1): with same, stride must be 1 and padding 0"},
            {0}},
};
