/* tests/ops/test_conv_slices.c - convolutions against sums of slices, one per tap: depthwise, strided, of many sizes
 * and options, with both gradients.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

/* x (B, C, H, W), w (rows, C, T, U), or (C, 1, T, U) with a group per channel if rows is 0. The default number of
 * channels is 3. */
typedef struct sample {
    int64_t x[4], rows, w[2];
    int64_t stride[2], padding[2], dilation[2];
} sample;

static heed_shape pair(const int64_t numbers[2])
{
    return HEED_SHAPE(numbers[0], numbers[1]);
}

static heed_tensor *of_conv(heed_tensor *x, heed_tensor *w, const sample *s)
{
    return heed_conv(x, w, NULL,
                     &(heed_conv_options){.stride = pair(s->stride),
                                          .padding = pair(s->padding),
                                          .dilation = pair(s->dilation),
                                          .groups = s->rows == 0 ? s->x[1] : 1});
}

/* The elements that tap t of an axis reads. */
static heed_tensor *slice_of(heed_tensor *x, const sample *s, int i, int64_t t)
{
    const int64_t padded = heed_dim(x, 2 + i),
                  positions = (padded - (s->w[i] - 1) * s->dilation[i] - 1) / s->stride[i] + 1;
    const int64_t first = t * s->dilation[i];
    return heed_slice(x, 2 + i, first, first + (positions - 1) * s->stride[i] + 1, s->stride[i]);
}

/* tap (C, 1) times x per channel, or tap (rows, C) times x. */
static heed_tensor *term_of(heed_tensor *tap, heed_tensor *x, const sample *s)
{
    if (s->rows == 0)
        return heed_mul(heed_reshape(tap, HEED_SHAPE(1, s->x[1], 1, 1)), x);
    heed_tensor *y = heed_matmul(tap, heed_reshape(x, HEED_SHAPE(s->x[0], s->x[1], -1)));
    return heed_reshape(y, HEED_SHAPE(s->x[0], s->rows, heed_dim(x, 2), heed_dim(x, 3)));
}

static heed_tensor *of_slices(heed_tensor *x, heed_tensor *w, const sample *s)
{
    const int64_t down = s->padding[0], across = s->padding[1];
    heed_tensor *y = NULL, *padded = heed_pad(x, HEED_SHAPE(across, across, down, down), HEED_PAD_CONSTANT, 0);
    for (int64_t t = 0; t < s->w[0]; t++)
        for (int64_t u = 0; u < s->w[1]; u++) {
            heed_tensor *tap = heed_slice(heed_slice(w, 2, t, t + 1, 1), 3, u, u + 1, 1);
            heed_tensor *term = term_of(heed_reshape(tap, HEED_SHAPE(heed_dim(w, 0), heed_dim(w, 1))),
                                        slice_of(slice_of(padded, s, 0, t), s, 1, u), s);
            y = y ? heed_add(y, term) : term;
        }
    return y;
}

static heed_tensor *waves(heed_shape shape)
{
    heed_tensor *n = heed_arange(HEED_F64, 0, (double)heed_shape_numel(shape), 1);
    return heed_reshape(heed_sin(heed_mul_scalar(n, 0.7)), shape);
}

/* y, and the gradients by x and w of a function that is linear in y, so that non-finite numbers spread no
 * further than necessary. */
typedef heed_tensor *function(heed_tensor *x, heed_tensor *w, const sample *s);

static void results_of(function *f, heed_tensor *x, heed_tensor *w, const sample *s, heed_tensor *results[3])
{
    heed_tensor *in[2] = {heed_set_requires_grad(heed_detach(x), true), heed_set_requires_grad(heed_detach(w), true)};
    results[0] = f(in[0], in[1], s);
    heed_tensor *loss = heed_sum(heed_mul(results[0], waves(heed_shape_of(results[0]))));
    ck_assert_msg(heed_grad(&loss, 1, in, 2, results + 1, NULL) == HEED_OK, "%s", heed_error_message());
}

/* Checks that elements are almost equal, or that both are the same infinity or NaN. */
static void check_same(heed_tensor *a, heed_tensor *b)
{
    ck_assert(heed_shape_equal(heed_shape_of(a), heed_shape_of(b)));
    const double *of_a = heed_data_f64(heed_contiguous(a)), *of_b = heed_data_f64(heed_contiguous(b));
    for (int64_t i = 0; i < heed_numel(a); i++)
        if (isfinite(of_b[i]))
            ck_assert_near(of_a[i], of_b[i], 1e-10 * (1 + fabs(of_b[i])));
        else
            ck_assert(of_a[i] == of_b[i] || (isnan(of_a[i]) && isnan(of_b[i])));
}

static void check_sample(heed_tensor *x, heed_tensor *w, const sample *s)
{
    heed_tensor *by_conv[3], *by_slices[3];
    results_of(of_conv, x, w, s, by_conv);
    results_of(of_slices, x, w, s, by_slices);
    for (int i = 0; i < 3; i++)
        check_same(by_conv[i], by_slices[i]);
}

/* Returns the sample with images of this height and width. */
static sample sized(const sample *options, int64_t height, int64_t width)
{
    sample s = *options;
    const int64_t x[4] = {2, s.x[1] == 0 ? 3 : s.x[1], height, width};
    memcpy(s.x, x, sizeof x);
    return s;
}

static heed_tensor *x_of(const sample *s)
{
    return waves(HEED_SHAPE(s->x[0], s->x[1], s->x[2], s->x[3]));
}

static heed_tensor *w_of(const sample *s)
{
    return s->rows == 0 ? waves(HEED_SHAPE(s->x[1], 1, s->w[0], s->w[1]))
                        : waves(HEED_SHAPE(s->rows, s->x[1], s->w[0], s->w[1]));
}

static const sample options[] = {
    {.w = {3, 3}, .stride = {1, 1}, .padding = {1, 1}, .dilation = {1, 1}},
    {.w = {3, 3}, .stride = {2, 2}, .padding = {1, 1}, .dilation = {1, 1}},
    {.w = {5, 5}, .stride = {2, 2}, .padding = {2, 2}, .dilation = {1, 1}},
    {.w = {2, 4}, .stride = {1, 2}, .padding = {0, 3}, .dilation = {1, 1}},
    {.w = {3, 1}, .stride = {2, 1}, .padding = {1, 0}, .dilation = {2, 1}},
    {.w = {3, 3}, .stride = {2, 2}, .padding = {0, 0}, .dilation = {1, 1}},
    {.w = {3, 2}, .stride = {2, 2}, .padding = {3, 2}, .dilation = {2, 3}},
    {.w = {2, 3}, .stride = {3, 3}, .padding = {1, 2}, .dilation = {1, 1}},
    {.w = {3, 2}, .stride = {1, 4}, .padding = {2, 1}, .dilation = {1, 3}},
    {.w = {1, 1}, .stride = {2, 2}, .padding = {0, 0}, .dilation = {1, 1}},
    {.w = {2, 2}, .stride = {2, 2}, .padding = {1, 1}, .dilation = {1, 1}},
    {.rows = 5, .w = {1, 1}, .stride = {2, 2}, .padding = {0, 0}, .dilation = {1, 1}},
    {.rows = 2, .w = {1, 1}, .stride = {3, 1}, .padding = {0, 0}, .dilation = {1, 1}},
    {.rows = 4, .w = {1, 1}, .stride = {1, 2}, .padding = {0, 0}, .dilation = {1, 1}},
    {.rows = 3, .w = {1, 1}, .stride = {1, 3}, .padding = {0, 0}, .dilation = {1, 1}},
};
enum { OPTIONS = sizeof options / sizeof options[0] };

/* Checks all samples with `heights` heights, the first of which is `height`, and with these widths. */
static void check_sizes(const sample *all, int n, int64_t height, int64_t heights, const int64_t *widths,
                        int64_t n_widths)
{
    for (int i = 0; i < n; i++)
        for (int64_t j = 0; j < n_widths; j++) {
            heed_scope *scope = heed_scope_begin();
            const sample s = sized(&all[i], height + j % heights, widths[j]);
            check_sample(x_of(&s), w_of(&s), &s);
            heed_scope_end(scope);
        }
}

START_TEST(any_width)
{
    static const int64_t widths[] = {5, 7, 8, 9, 14, 16, 17, 28, 31, 33, 56, 65, 127, 130, 140};
    check_sizes(options, OPTIONS, 5, 7, widths, sizeof widths / sizeof widths[0]);
}
END_TEST

START_TEST(planes_of_several_bands)
{
    static const int some[] = {0, 1, 2, 11, 14};
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        heed_scope *scope = heed_scope_begin();
        sample s = sized(&options[some[i]], 301, 211);
        s.x[0] = 7;
        check_sample(x_of(&s), w_of(&s), &s);
        heed_scope_end(scope);
    }
}
END_TEST

/* These samples have enough channels and positions to be computed in tiles of results. */
static const sample tiled[] = {
    {.x = {0, 16}, .rows = 16, .w = {3, 3}, .stride = {1, 1}, .padding = {1, 1}, .dilation = {1, 1}},
    {.x = {0, 16}, .rows = 17, .w = {3, 3}, .stride = {2, 2}, .padding = {1, 1}, .dilation = {1, 1}},
    {.x = {0, 21}, .rows = 16, .w = {3, 3}, .stride = {2, 2}, .padding = {0, 0}, .dilation = {1, 1}},
    {.x = {0, 16}, .rows = 16, .w = {3, 3}, .stride = {2, 2}, .padding = {2, 1}, .dilation = {1, 1}},
};
enum { TILED = sizeof tiled / sizeof tiled[0] };

START_TEST(any_width_in_tiles)
{
    static const int64_t widths[] = {29, 30, 31, 32, 33, 38, 56, 65, 131, 261};
    check_sizes(tiled, TILED, 29, 4, widths, sizeof widths / sizeof widths[0]);
}
END_TEST

/* At positions that one of two results computed together reads, or both. */
static void check_neighbours(const sample *s, double number)
{
    for (int64_t i = 4; i < 8; i++) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *x = x_of(s);
        ck_assert(heed_set_(x, HEED_SHAPE(1, 1, i, i + 5), number) == HEED_OK);
        check_sample(x, w_of(s), s);
        heed_scope_end(scope);
    }
}

START_TEST(nonfinite_numbers_do_not_spread)
{
    for (int i = 0; i < OPTIONS + TILED; i++) {
        const sample s = i < OPTIONS ? sized(&options[i], 17, 33) : sized(&tiled[i - OPTIONS], 30, 31);
        check_neighbours(&s, NAN);
        check_neighbours(&s, INFINITY);
    }
}
END_TEST

/* f(2^-1000 a, 2^1023) is finite, though the sum of two of the latter, which tiles of results compute, is not. */
static void check_far(function *f, heed_tensor *a, heed_shape b, const sample *s)
{
    heed_tensor *one = heed_ones(HEED_F64, b);
    heed_tensor *far = f(heed_mul_scalar(a, 0x1p-1000), heed_mul_scalar(one, 0x1p1023), s);
    check_same(heed_mul_scalar(far, 0x1p-23), f(a, one, s));
}

static heed_tensor *by_x(heed_tensor *g, heed_tensor *w, const sample *s)
{
    return heed_conv_transpose(g, w, NULL,
                               &(heed_conv_transpose_options){.stride = pair(s->stride), .padding = pair(s->padding)});
}

static heed_tensor *by_w(heed_tensor *x, heed_tensor *g, const sample *s)
{
    heed_tensor *w = heed_set_requires_grad(heed_zeros(HEED_F64, heed_shape_of(w_of(s))), true), *dw = NULL;
    heed_tensor *y = of_conv(x, w, s);
    ck_assert_int_eq(heed_grad(&y, 1, &w, 1, &dw, &(heed_grad_options){.grad_outputs = &g}), HEED_OK);
    return dw;
}

START_TEST(intermediate_overflow_does_not_matter)
{
    for (int i = 0; i < TILED; i++) {
        const sample s = sized(&tiled[i], 29, 29);
        heed_tensor *x = x_of(&s);
        const heed_shape w = heed_shape_of(w_of(&s)), y = heed_shape_of(of_conv(x, w_of(&s), &s));
        check_far(of_conv, x, w, &s);
        check_far(by_x, waves(y), w, &s);
        check_far(by_w, x, y, &s);
    }
}
END_TEST

/* Bits of all three results, computed by `threads` threads. */
static heed_tensor *by_threads(const sample *s, int threads)
{
    heed_tensor *results[3];
    const int before = heed_num_threads();
    ck_assert(heed_set_num_threads(threads) == HEED_OK);
    results_of(of_conv, x_of(s), w_of(s), s, results);
    ck_assert(heed_set_num_threads(before) == HEED_OK);
    for (int i = 0; i < 3; i++)
        results[i] = heed_reshape(heed_detach(results[i]), HEED_SHAPE(-1));
    return heed_concat(results, 3, 0);
}

START_TEST(threads_do_not_matter)
{
    for (int i = 0; i < OPTIONS + TILED; i++) {
        sample s = sized(i < OPTIONS ? &options[i] : &tiled[i - OPTIONS], 40, 60);
        s.x[1] = 29;
        const heed_tensor *one = by_threads(&s, 1), *five = by_threads(&s, 5);
        ck_assert_mem_eq(heed_data_f64(one), heed_data_f64(five), (size_t)heed_numel(one) * sizeof(double));
    }
}
END_TEST

/* More channels than are processed together. */
START_TEST(many_channels_in_tiles)
{
    static const int64_t channels[][2] = {{70, 150}, {330, 20}, {20, 330}};
    for (int i = 0; i < TILED; i++)
        for (size_t j = 0; j < sizeof channels / sizeof channels[0]; j++) {
            heed_scope *scope = heed_scope_begin();
            sample s = sized(&tiled[i], 29, 29);
            s.x[1] = channels[j][0];
            s.rows = channels[j][1];
            check_sample(x_of(&s), w_of(&s), &s);
            heed_scope_end(scope);
        }
}
END_TEST

static heed_tensor *of_two_groups(heed_tensor *x, heed_tensor *w, const sample *s)
{
    return heed_conv(x, w, NULL,
                     &(heed_conv_options){.stride = pair(s->stride), .padding = pair(s->padding), .groups = 2});
}

static heed_tensor *half_of(heed_tensor *t, int axis, int64_t half)
{
    const int64_t n = heed_dim(t, axis) / 2;
    return heed_slice(t, axis, half * n, (half + 1) * n, 1);
}

static heed_tensor *of_halves(heed_tensor *x, heed_tensor *w, const sample *s)
{
    heed_tensor *y[2];
    for (int64_t i = 0; i < 2; i++)
        y[i] = of_slices(half_of(x, 1, i), half_of(w, 0, i), s);
    return heed_concat(y, 2, 1);
}

START_TEST(groups_in_tiles)
{
    for (int i = 0; i < TILED; i++) {
        sample s = sized(&tiled[i], 30, 29);
        heed_tensor *by_groups[3], *by_halves[3], *w = waves(HEED_SHAPE(2 * s.rows, s.x[1], 3, 3));
        heed_tensor *x = waves(HEED_SHAPE(s.x[0], 2 * s.x[1], s.x[2], s.x[3]));
        results_of(of_two_groups, x, w, &s, by_groups);
        results_of(of_halves, x, w, &s, by_halves);
        for (int j = 0; j < 3; j++)
            check_same(by_groups[j], by_halves[j]);
    }
}
END_TEST

START_TEST(a_bias_is_added_when_recomputed)
{
    for (int i = 0; i < TILED; i++) {
        const sample s = sized(&tiled[i], 29, 29);
        heed_tensor *g = waves(heed_shape_of(of_conv(x_of(&s), w_of(&s), &s))), *bias = waves(HEED_SHAPE(s.x[1]));
        ck_assert(heed_set_(g, HEED_SHAPE(1, 1, 4, 8), INFINITY) == HEED_OK);
        heed_tensor *all = heed_conv_transpose(
            g, w_of(&s), bias, &(heed_conv_transpose_options){.stride = pair(s.stride), .padding = pair(s.padding)});
        check_same(all, heed_add(by_x(g, w_of(&s), &s), heed_reshape(bias, HEED_SHAPE(s.x[1], 1, 1))));
    }
}
END_TEST

/* Checks that image 4 of 7 has the same bits alone and among the others. Image 5 begins with an infinity. */
static void check_company(function *f, heed_tensor *x, heed_tensor *w, const sample *s)
{
    ck_assert(heed_set_(x, HEED_SHAPE(5, 0, 0, 0), INFINITY) == HEED_OK);
    const heed_tensor *alone = f(heed_slice(x, 0, 4, 5, 1), w, s),
                      *among = heed_contiguous(heed_slice(f(x, w, s), 0, 4, 5, 1));
    ck_assert_mem_eq(heed_data_f64(alone), heed_data_f64(among), (size_t)heed_numel(alone) * sizeof(double));
}

START_TEST(company_does_not_matter)
{
    for (int i = 0; i < OPTIONS + TILED; i++) {
        heed_scope *scope = heed_scope_begin();
        sample s = sized(i < OPTIONS ? &options[i] : &tiled[i - OPTIONS], 30, 29);
        s.x[0] = 7;
        check_company(of_conv, x_of(&s), w_of(&s), &s);
        if (i >= OPTIONS)
            check_company(by_x, waves(heed_shape_of(of_conv(x_of(&s), w_of(&s), &s))), w_of(&s), &s);
        heed_scope_end(scope);
    }
}
END_TEST

/* The last numbers of two lines and the first of the next two, whose sum would be too large. Tiles of these lines
 * are computed together only if the image is alone. */
static heed_tensor *with_large_ends(heed_tensor *x)
{
    const double large = 0.3 * DBL_MAX;
    for (int64_t i = 0; i < 2; i++) {
        ck_assert(heed_set_(x, HEED_SHAPE(4, 0, 6 + i, 28), large) == HEED_OK);
        ck_assert(heed_set_(x, HEED_SHAPE(4, 0, 8 + i, 0), -large) == HEED_OK);
    }
    return x;
}

START_TEST(overflow_next_to_a_line_does_not_matter)
{
    sample s = sized(&tiled[0], 30, 29);
    s.x[0] = 7;
    heed_tensor *w = heed_mul_scalar(w_of(&s), 1e-10);
    check_company(of_conv, with_large_ends(x_of(&s)), w, &s);
    check_company(by_x, with_large_ends(waves(heed_shape_of(of_conv(x_of(&s), w, &s)))), w, &s);
}
END_TEST

HEED_TEST_MAIN("convolutions and slices", any_width, any_width_in_tiles, planes_of_several_bands,
               nonfinite_numbers_do_not_spread, intermediate_overflow_does_not_matter, many_channels_in_tiles,
               groups_in_tiles, a_bias_is_added_when_recomputed, threads_do_not_matter, company_does_not_matter,
               overflow_next_to_a_line_does_not_matter)
