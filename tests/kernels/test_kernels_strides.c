/* tests/kernels/test_kernels_strides.c - tests the kernels that gather the elements a stride reads, and that spread the
 * gradient with respect to x, of every instruction set. Convolutions with a stride are in test_kernels_conv.c.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "kernel_arrays.h"
#include "kernels/conv/reference.h"

static array x, w, bias, y;
static double y_numbers[ARRAY_MAX], w_numbers[ARRAY_MAX], expected[ARRAY_MAX];
static double packed[1 << 17];
static _Alignas(64) double scratch[1 << 18];

/* Gathers positions and spreads them back with the bias between them; neither result contains NaN. */
static void check_planes(const table_walk *t, const heed__conv_planes *p, bool with_bias)
{
    const int64_t plane = p->size[0] * p->size[1], together = p->positions[0] * p->positions[1], channels = 3;
    heed__conv_planes biased = *p;
    biased.bias = with_bias ? bias.storage : NULL;
    biased.channels = channels;
    array_draw(t->dtype, x.storage, 7 * plane, -1, 1, 1);
    array_draw(t->dtype, bias.storage, channels, 2, 3, 2);
    array_draw(t->dtype, w.storage, 7 * together + 1, NAN, NAN, 0);
    array_draw(t->dtype, y.storage, 7 * plane + 1, NAN, NAN, 0);
    for (int64_t i = 0; i < 7; i += 2) {
        t->kernels->conv_gather(p, i, i + 2 < 7 ? i + 2 : 7, x.storage, w.storage);
        t->kernels->conv_spread(&biased, i, i + 2 < 7 ? i + 2 : 7, w.storage, y.storage);
    }
    int64_t wrong = 0;
    for (int64_t i = 0; i < 7 * plane; i++) {
        const int64_t a = i % plane / p->size[1], b = i % p->size[1];
        const bool is = a % p->step[0] == 0 && a / p->step[0] < p->positions[0] && b % p->step[1] == 0 &&
                        b / p->step[1] < p->positions[1];
        const double between = with_bias ? array_get(t->dtype, bias.storage, i / plane % channels) : 0;
        const int64_t at = i / plane * together + a / p->step[0] * p->positions[1] + b / p->step[1];
        wrong += array_get(t->dtype, y.storage, i) != (is ? array_get(t->dtype, x.storage, i) : between);
        wrong += is && array_get(t->dtype, w.storage, at) != array_get(t->dtype, x.storage, i);
    }
    ck_assert_int_eq(wrong, 0);
    ck_assert(isnan(array_get(t->dtype, y.storage, 7 * plane)) && isnan(array_get(t->dtype, w.storage, 7 * together)));
}

START_TEST(positions_are_put_together_and_back)
{
    static const int64_t steps[][2] = {{2, 2}, {1, 2}, {3, 1}, {2, 3}};
    FOR_EACH_TABLE(t)
    for (int64_t width = 1; width <= 70; width += width < 36 ? 1 : 11)
        for (int i = 0; i < 4; i++) {
            heed__conv_planes p = {.size = {5, width}, .step = {steps[i][0], steps[i][1]}};
            for (int axis = 0; axis < 2; axis++)
                p.positions[axis] = (p.size[axis] - 1) / p.step[axis] + 1;
            check_planes(&t, &p, width % 2 == 0);
            p.size[0] += 4; /* more than the last position needs */
            p.size[1] += 37;
            check_planes(&t, &p, true);
        }
}
END_TEST

/* -- By Winograd's algorithm --------------------------------------------------------------------------------------- */

/* Computes x in ranges of a few tiles and of rows. */
static void run_by_x(const table_walk *t, const heed__conv_args *s)
{
    const heed__conv_pack_args pack = {.rows = s->rows,
                                       .channels = s->channels,
                                       .flipped = true,
                                       .w = w.storage,
                                       .w_row = 9,
                                       .w_channel = 9 * s->rows,
                                       .to = packed};
    const int64_t all = heed__winograd_tiles(s, HEED_WINOGRAD_SPREAD);
    const heed__conv_range whole = {.q_end = all, .chunks = 1};
    const int64_t bytes = t->kernels->winograd(s, HEED_WINOGRAD_SPREAD, &whole, NULL, NULL);
    atomic_bool odd[8] = {false};
    double *end = scratch + (bytes + 7) / 8;
    ck_assert(end < scratch + sizeof scratch / sizeof *scratch);
    double *end_of_packed = packed + (heed__winograd_packed(s) * (int64_t)element_size(t->dtype) + 7) / 8;
    ck_assert(end_of_packed < packed + sizeof packed / sizeof *packed);
    *end = *end_of_packed = 1;
    for (int64_t part = 0; part < 3; part++)
        t->kernels->winograd_pack(&pack, HEED_WINOGRAD_SPREAD, part, 3);
    for (int64_t q = 0; q < all; q += 35)
        for (int64_t part = 0; part < 2; part++)
            t->kernels->winograd(s, HEED_WINOGRAD_SPREAD, &(heed__conv_range){q, q + 35 < all ? q + 35 : all, part, 2},
                                 odd, scratch);
    ck_assert(*end == 1 && *end_of_packed == 1 && !odd[0] && !odd[1]);
}

/* y is the gradient of a convolution with 3 x 3 taps, a stride of 2 and a padding of 1, from `rows` to `channels`
 * channels. */
static void check_by_x(const table_walk *t, int64_t channels, int64_t rows, const int64_t size[2])
{
    const reference_conv strided = {.images = 2,
                                    .channels = rows,
                                    .rows = channels,
                                    .size = {size[0], size[1]},
                                    .taps = {3, 3},
                                    .positions = {(size[0] + 1) / 2, (size[1] + 1) / 2},
                                    .step = {2, 2},
                                    .first = {-1, -1},
                                    .apart = {1, 1}};
    heed__conv_args s = {.images = 2, .channels = channels, .rows = rows, .x = y.storage, .w = packed, .y = x.storage};
    s.bias = bias.storage;
    for (int i = 0; i < 2; i++)
        s.axis[i] = (heed__conv_axis){.size = (size[i] + 1) / 2,
                                      .out_size = size[i],
                                      .taps = 3,
                                      .positions = size[i],
                                      .step = 1,
                                      .apart = 1,
                                      .out_step = 1};
    s.x_channel = s.axis[0].size * s.axis[1].size;
    s.x_image = channels * s.x_channel;
    s.y_row = size[0] * size[1];
    s.y_image = rows * s.y_row;
    array_draw(t->dtype, y.storage, 2 * s.x_image, -1, 1, 3);
    array_draw(t->dtype, w.storage, rows * channels * 9, -1, 1, 4);
    array_draw(t->dtype, bias.storage, rows, -1, 1, 5);
    array_draw(t->dtype, x.storage, 2 * s.y_image + 1, NAN, NAN, 0);
    run_by_x(t, &s);
    array_read(t->dtype, y.storage, 2 * s.x_image, y_numbers);
    array_read(t->dtype, w.storage, rows * channels * 9, w_numbers);
    for (int64_t i = 0; i < 2 * s.y_image; i++)
        expected[i] = array_get(t->dtype, bias.storage, i % s.y_image / s.y_row);
    reference_convolve_grad_x(&strided, w_numbers, y_numbers, expected);
    describe_case("%dx%d, %d channels, %d rows", (int)size[0], (int)size[1], (int)channels, (int)rows);
    expect_all_near(t, "x", &x, expected, 2 * s.y_image, 4 * (double)(9 * channels + 2), 0);
    ck_assert(isnan(array_get(t->dtype, x.storage, 2 * s.y_image)));
}

START_TEST(a_gradient_by_x_is_right)
{
    FOR_EACH_TABLE(t)
    for (int64_t width = 1; width <= 140; width += width < 40 ? 1 : 7)
        check_by_x(&t, 1 + width % 5, 1 + width % 3, (const int64_t[]){1 + width % 9, width});
}
END_TEST

START_TEST(a_gradient_by_x_of_many_channels_is_right)
{
    FOR_EACH_TABLE(t)
    check_by_x(&t, 37, 29, (const int64_t[]){13, 22});
}
END_TEST

HEED_TEST_MAIN("kernels of strides", positions_are_put_together_and_back, a_gradient_by_x_is_right,
               a_gradient_by_x_of_many_channels_is_right)
