/* tests/kernels/test_kernels_conv.c - tests the kernels of convolutions of every instruction set against their
 * reference: with patches, in bands, by channel and line by line.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "kernel_arrays.h"
#include "kernels/conv/reference.h"

static array x, w, bias, y, dw;
static double x_numbers[ARRAY_MAX], w_numbers[ARRAY_MAX], bias_numbers[ARRAY_MAX], g_numbers[ARRAY_MAX];
static double expected[ARRAY_MAX], expected_dw[ARRAY_MAX];
static double packed[1 << 19];
static _Alignas(64) double scratch[3 << 19];

/* -- Expected values ----------------------------------------------------------------------------------------------- */

static reference_conv reference_of(const heed__conv_args *s)
{
    reference_conv r = {.images = s->images, .channels = s->channels, .rows = s->rows};
    for (int i = 0; i < 2; i++) {
        const heed__conv_axis *a = &s->axis[i];
        r.size[i] = a->size;
        r.taps[i] = a->taps;
        r.positions[i] = a->positions;
        r.step[i] = a->step;
        r.first[i] = a->first;
        r.apart[i] = a->apart;
    }
    return r;
}

/* Computes the expected y, (images, rows, positions). */
static void expect_y(const table_walk *t, const heed__conv_args *s)
{
    const reference_conv r = reference_of(s);
    array_read(t->dtype, x.storage, s->images * s->x_image, x_numbers);
    array_read(t->dtype, w.storage, s->rows * heed__conv_terms(s), w_numbers);
    array_read(t->dtype, bias.storage, s->rows, bias_numbers);
    reference_convolve(&r, x_numbers, w_numbers, bias_numbers, expected);
}

/* The index in y of position (p, q) of a row of w. */
static int64_t place_of(const heed__conv_args *s, int64_t n, int64_t row, int64_t p, int64_t q)
{
    const heed__conv_axis *a = s->axis;
    return n * s->y_image + row * s->y_row + (a[0].out_first + p * a[0].out_step) * a[1].out_size + a[1].out_first +
           q * a[1].out_step;
}

/* -- Calls of the kernels ------------------------------------------------------------------------------------------ */

static heed__conv_pack_args pack_args_of(const heed__conv_args *s)
{
    const int64_t taps = s->axis[0].taps * s->axis[1].taps;
    return (heed__conv_pack_args){.rows = s->rows,
                                  .channels = s->channels,
                                  .taps = {s->axis[0].taps, s->axis[1].taps},
                                  .w = w.storage,
                                  .w_row = s->channels * taps,
                                  .w_channel = taps,
                                  .w_tap = {s->axis[1].taps, 1},
                                  .to = packed};
}

static void pack_w(const table_walk *t, const heed__conv_args *s, bool panels)
{
    heed__conv_pack_args pack = pack_args_of(s);
    pack.panels = panels;
    for (int64_t part = 0; part < 3; part++)
        t->kernels->conv_pack(&pack, part, 3);
}

/* Fills y with NaN, to check that every element is written and no others are. */
static void clear_y(const table_walk *t, const heed__conv_args *s)
{
    array_draw(t->dtype, y.storage, s->images * s->y_image, NAN, NAN, 0);
}

/* The value after a kernel's scratch, which must not change. */
static const double guard = 0x1.23456789abcdp5;

static double *end_of_scratch(int64_t bytes)
{
    double *end = scratch + (bytes + 7) / 8;
    ck_assert(end < scratch + sizeof scratch / sizeof *scratch);
    *end = guard;
    return end;
}

/* Computes y in ranges of a few positions and of rows. */
static void run_conv(const table_walk *t, const heed__conv_args *s)
{
    pack_w(t, s, false);
    clear_y(t, s);
    for (int64_t q = 0, all = heed__conv_positions(s); q < all; q += 96)
        for (int64_t part = 0; part < 2; part++) {
            const heed__conv_range range = {q, q + 96 < all ? q + 96 : all, part, 2};
            const double *end = end_of_scratch(t->kernels->conv(s, &range, NULL));
            t->kernels->conv(s, &range, scratch);
            ck_assert(*end == guard);
        }
}

static int64_t numbers_in_y(const table_walk *t, const heed__conv_args *s)
{
    int64_t n = 0;
    for (int64_t i = 0; i < s->images * s->y_image; i++)
        n += !isnan(array_get(t->dtype, y.storage, i));
    return n;
}

/* Checks y against `expected`. Elements in the gaps of y must be unchanged, except that `others` of them are
 * numbers. */
static void check_y_beside(const table_walk *t, const heed__conv_args *s, int64_t others)
{
    const double limit = 4 * epsilon(t->dtype) * (double)(heed__conv_terms(s) + 2), *next = expected;
    ck_assert_int_eq(numbers_in_y(t, s), heed__conv_positions(s) * s->rows + others);
    for (int64_t n = 0; n < s->images; n++)
        for (int64_t row = 0; row < s->rows; row++)
            for (int64_t p = 0; p < s->axis[0].positions; p++)
                for (int64_t q = 0; q < s->axis[1].positions; q++)
                    ck_assert_near(array_get(t->dtype, y.storage, place_of(s, n, row, p, q)), *next++, limit);
}

#define check_y(t, s) check_y_beside(t, s, 0)
typedef void run_bands_fn(const table_walk *t, const heed__conv_args *s, const heed__conv_bands *bands);

/* Checks bands of every height, a few at a time. */
static void check_bands(const table_walk *t, const heed__conv_args *s, run_bands_fn *run)
{
    for (int64_t height = 1; height <= s->axis[0].positions; height += 2) {
        const int64_t bands = s->images * ((s->axis[0].positions + height - 1) / height);
        clear_y(t, s);
        for (int64_t i = 0; i < bands; i += 2)
            run(t, s, &(heed__conv_bands){i, i + 2 < bands ? i + 2 : bands, height});
        check_y(t, s);
    }
}

static void run_band(const table_walk *t, const heed__conv_args *s, const heed__conv_bands *bands)
{
    const double *end = end_of_scratch(t->kernels->conv_band(s, bands, NULL));
    t->kernels->conv_band(s, bands, scratch);
    ck_assert(*end == guard);
}

static void run_by_channel(const table_walk *t, const heed__conv_args *s, const heed__conv_bands *bands)
{
    for (int64_t part = 0; part < 3; part++) {
        const double *end = end_of_scratch(t->kernels->conv_by_channel(s, bands, part, 3, NULL));
        t->kernels->conv_by_channel(s, bands, part, 3, scratch);
        ck_assert(*end == guard);
    }
}

/* Every row of w is a group, and all groups read the same x. Computes the positions of some subsets, all with the same
 * w. */
static void run_lines(const table_walk *t, const heed__conv_args *s, int64_t parts, const heed__conv_axis *across,
                      int64_t height)
{
    const int64_t taps = s->axis[0].taps * across->taps, terms = s->channels * taps;
    heed__conv_lines_args lines = {.args = *s,
                                   .groups = s->rows,
                                   .w_group = terms,
                                   .y_group = s->y_row,
                                   .w_channel = taps,
                                   .bands = (s->axis[0].positions + height - 1) / height,
                                   .height = height,
                                   .n = parts,
                                   .terms = parts * terms};
    lines.args.w = w.storage;
    for (int64_t i = 0; i < parts; i++)
        lines.subset[i] = (heed__conv_lines){.axis = {s->axis[0], across[i]}, .w_tap = {across->taps, 1}};
    const double *end = end_of_scratch(t->kernels->conv_lines(&lines, 0, 0, NULL));
    clear_y(t, s);
    for (int64_t i = 0, all = s->images * s->rows * lines.bands; i < all; i += 3)
        t->kernels->conv_lines(&lines, i, i + 3 < all ? i + 3 : all, scratch);
    ck_assert(*end == guard);
}

static void check_lines(const table_walk *t, const heed__conv_args *s)
{
    for (int64_t height = 1; height <= s->axis[0].positions; height += 2) {
        run_lines(t, s, 1, &s->axis[1], height);
        check_y(t, s);
    }
}

static bool is_for_winograd(const heed__conv_args *s)
{
    const int64_t step = s->axis[0].step;
    bool is = step <= 2;
    for (int i = 0; i < 2; i++)
        is = is && s->axis[i].taps == 3 && s->axis[i].step == step && s->axis[i].apart == 1 && s->axis[i].out_step == 1;
    return is;
}

static heed__winograd_form form_of(const heed__conv_args *s)
{
    return s->axis[0].step == 1 ? HEED_WINOGRAD_PLAIN : HEED_WINOGRAD_STRIDED;
}

/* Computes y in ranges of a few tiles and of rows. */
static void check_winograd(const table_walk *t, const heed__conv_args *s)
{
    const heed__conv_pack_args pack = pack_args_of(s);
    const heed__winograd_form form = form_of(s);
    const int64_t all = heed__winograd_tiles(s, form);
    atomic_bool odd[8] = {false};
    clear_y(t, s);
    for (int64_t part = 0; part < 3; part++)
        t->kernels->winograd_pack(&pack, form, part, 3);
    for (int64_t q = 0; q < all; q += 35)
        for (int64_t part = 0; part < 2; part++) {
            const heed__conv_range range = {q, q + 35 < all ? q + 35 : all, part, 2};
            const double *end = end_of_scratch(t->kernels->winograd(s, form, &range, NULL, NULL));
            t->kernels->winograd(s, form, &range, odd, scratch);
            ck_assert(*end == guard);
        }
    check_y(t, s);
    for (int64_t i = 0; i < s->images; i++)
        ck_assert(!odd[i]);
}

static void check_conv(const table_walk *t, const heed__conv_args *s)
{
    expect_y(t, s);
    if (is_for_winograd(s))
        check_winograd(t, s);
    run_conv(t, s);
    check_y(t, s);
    check_bands(t, s, run_band);
    check_lines(t, s);
    pack_w(t, s, true);
    check_bands(t, s, run_by_channel);
}

static void check_dw(const table_walk *t, const heed__conv_args *s)
{
    expect_all_near(t, "dw", &dw, expected_dw, s->rows * heed__conv_terms(s), 4 * (double)(heed__conv_positions(s) + 2),
                    0);
}

static void check_weight(const table_walk *t, const heed__conv_args *s)
{
    const int64_t terms = heed__conv_terms(s), all = heed__conv_positions(s);
    const reference_conv r = reference_of(s);
    array_draw(t->dtype, y.storage, s->images * s->y_image, -1, 1, 7);
    array_read(t->dtype, y.storage, s->images * s->y_image, g_numbers);
    reference_convolve_grad_w(&r, x_numbers, g_numbers, expected_dw);
    for (int64_t k = 0; k < terms; k += HEED_CONV_TERMS) {
        const int64_t end = k + HEED_CONV_TERMS < terms ? k + HEED_CONV_TERMS : terms;
        const heed__conv_weight_range range = {0, all, 0, s->rows, k, end};
        const double *end_of = end_of_scratch(t->kernels->conv_weight(s, &range, NULL, NULL));
        t->kernels->conv_weight(s, &range, dw.storage, scratch);
        ck_assert(*end_of == guard);
    }
    check_dw(t, s);
    if (is_for_winograd(s)) {
        atomic_bool odd = false;
        const int64_t tiles = heed__winograd_tiles(s, form_of(s)), most = 20;
        for (int64_t row = 0; row < s->rows; row += most) {
            const int64_t row_end = row + most < s->rows ? row + most : s->rows;
            const heed__conv_weight_range range = {0, tiles, row, row_end, 0, s->channels};
            const double *end = end_of_scratch(t->kernels->winograd_weight(s, form_of(s), &range, NULL, NULL, NULL));
            t->kernels->winograd_weight(s, form_of(s), &range, dw.storage, &odd, scratch);
            ck_assert(*end == guard && !odd);
        }
        check_dw(t, s);
    }
    for (int64_t height = 1; height <= s->axis[0].positions; height += 2) {
        const int64_t bands = s->images * ((s->axis[0].positions + height - 1) / height);
        const heed__conv_bands range = {0, bands, height};
        const double *end = end_of_scratch(t->kernels->conv_weight_band(s, &range, NULL, NULL, NULL));
        t->kernels->conv_weight_band(s, &range, &(heed__conv_groups){.n = 1}, dw.storage, scratch);
        ck_assert(*end == guard);
        check_dw(t, s);
    }
}

/* images, channels, rows; per axis size, taps, step, first, distance of taps; distance of results */
typedef struct geometry {
    int64_t images, channels, rows;
    int64_t axis[2][5];
    int64_t spread;
} geometry;

static const geometry geometries[] = {
    {1, 1, 1, {{1, 1, 1, 0, 1}, {1, 1, 1, 0, 1}}, 1},     {2, 3, 17, {{5, 3, 1, -1, 1}, {7, 3, 1, -1, 1}}, 1},
    {3, 2, 5, {{9, 2, 2, -1, 3}, {33, 4, 2, -2, 1}}, 1},  {1, 37, 29, {{6, 3, 1, 0, 1}, {5, 3, 1, 0, 1}}, 1},
    {2, 2, 3, {{8, 2, 3, 0, 1}, {11, 1, 3, 0, 1}}, 1},    {2, 3, 4, {{4, 2, 1, 1, -1}, {5, 2, 1, 1, -1}}, 2},
    {1, 1, 2, {{9, 4, 2, -3, 1}, {70, 3, 3, -2, 2}}, 1},  {2, 1, 7, {{7, 3, 4, 0, 6}, {23, 3, 1, -4, 4}}, 1},
    {1, 1, 1, {{2, 1, 1, 0, 1}, {1100, 3, 1, 0, 1}}, 1},  {2, 37, 2, {{3, 3, 1, -1, 1}, {4, 3, 1, -1, 1}}, 1},
    {1, 2, 2, {{3, 5, 1, -4, 1}, {2, 7, 1, -6, 1}}, 1},   {7, 1, 1, {{1, 1, 1, 0, 1}, {40, 5, 1, -2, 1}}, 3},
    {2, 3, 71, {{5, 3, 2, -1, 1}, {37, 3, 2, -1, 1}}, 1}, {2, 1, 1, {{9, 3, 2, -1, 1}, {40, 3, 2, -1, 1}}, 1},
    {1, 2, 1, {{8, 4, 3, -2, 1}, {155, 5, 2, -2, 1}}, 1}, {1, 1, 1, {{9, 3, 2, 0, 1}, {37, 1, 2, 0, 1}}, 1},
    {2, 1, 1, {{9, 3, 2, -1, 2}, {50, 3, 2, -2, 1}}, 1},  {2, 3, 1, {{5, 2, 1, 0, 1}, {77, 2, 2, 0, 1}}, 1},
    {2, 2, 1, {{4, 2, 1, 1, -1}, {153, 3, 1, 2, -1}}, 2}, {1, 1, 1, {{3, 1, 1, 0, 1}, {33, 2, 1, 1, -1}}, 2},
    {1, 3, 9, {{2, 1, 1, 0, 1}, {61, 2, 1, 1, -1}}, 2},   {2, 3, 39, {{4, 3, 1, -1, 1}, {6, 3, 1, -1, 1}}, 1},
    {1, 2, 16, {{9, 3, 2, -1, 1}, {14, 3, 2, -1, 1}}, 1}, {7, 5, 3, {{7, 3, 1, -1, 1}, {9, 3, 1, -2, 1}}, 1},
    {2, 1, 3, {{4, 3, 1, -5, 1}, {130, 3, 1, 0, 1}}, 1},  {1, 1, 2, {{33, 3, 1, 0, 1}, {70, 3, 1, 0, 1}}, 1},
    {5, 3, 17, {{13, 1, 2, 0, 1}, {14, 1, 2, 0, 1}}, 1},  {3, 4, 5, {{7, 1, 1, 0, 1}, {7, 1, 1, 0, 1}}, 2},
    {2, 3, 4, {{9, 1, 2, 0, 1}, {40, 1, 2, 0, 1}}, 1},    {2, 3, 4, {{5, 1, 1, 1, 1}, {6, 1, 2, 1, 1}}, 1},
    {2, 3, 4, {{7, 1, 3, 0, 1}, {10, 1, 3, 0, 1}}, 1},
};

/* Chooses the positions of a kernel that begins at `first`, with the same padding at the end, and `more` positions per
 * line. */
static heed__conv_args args_of(const geometry *g, int64_t more)
{
    heed__conv_args s = {.images = g->images,
                         .channels = g->channels,
                         .rows = g->rows,
                         .x = x.storage,
                         .w = packed,
                         .bias = bias.storage,
                         .y = y.storage};
    for (int i = 0; i < 2; i++) {
        const int64_t *a = g->axis[i], extent = (a[1] - 1) * (a[4] < 0 ? -a[4] : a[4]);
        const int64_t before = a[4] < 0 ? extent - a[3] : -a[3];
        s.axis[i] = (heed__conv_axis){.size = a[0], .taps = a[1], .step = a[2], .first = a[3], .apart = a[4]};
        s.axis[i].positions = (a[0] + 2 * before - extent - 1) / a[2] + 1 + i * more;
        s.axis[i].out_step = g->spread;
        s.axis[i].out_first = g->spread - 1;
        s.axis[i].out_size = s.axis[i].positions * g->spread;
    }
    s.x_channel = s.axis[0].size * s.axis[1].size;
    s.x_image = s.channels * s.x_channel;
    s.y_row = s.axis[0].out_size * s.axis[1].out_size;
    s.y_image = s.rows * s.y_row;
    return s;
}

static void check_geometry(const table_walk *t, const geometry *g, int64_t more, size_t seed)
{
    const heed__conv_args s = args_of(g, more);
    describe_case("geometry %d", (int)seed);
    array_draw(t->dtype, x.storage, s.images * s.x_image, -1, 1, seed);
    array_draw(t->dtype, w.storage, s.rows * heed__conv_terms(&s), -1, 1, seed + 1);
    array_draw(t->dtype, bias.storage, s.rows, -1, 1, seed + 2);
    check_conv(t, &s);
    if (g->spread == 1)
        check_weight(t, &s);
}

START_TEST(convolutions_are_right)
{
    FOR_EACH_TABLE(t)
    for (size_t i = 0; i < sizeof geometries / sizeof geometries[0]; i++)
        check_geometry(&t, &geometries[i], 0, i);
}
END_TEST

START_TEST(padding_may_be_uneven)
{
    static const geometry before = {2, 3, 4, {{5, 3, 1, -1, 1}, {8, 3, 1, -1, 1}}, 1},
                          behind = {2, 3, 4, {{5, 3, 1, -1, 1}, {6, 3, 1, 0, 1}}, 1},
                          one_before = {2, 3, 4, {{5, 1, 2, 0, 1}, {6, 1, 1, -1, 1}}, 1},
                          one_behind = {2, 3, 4, {{5, 1, 2, 0, 1}, {8, 1, 2, 0, 1}}, 1};
    FOR_EACH_TABLE(t)
    {
        check_geometry(&t, &before, -1, 1);
        check_geometry(&t, &behind, 1, 2);
        check_geometry(&t, &one_before, -1, 3);
        check_geometry(&t, &one_behind, 1, 4);
    }
}
END_TEST

START_TEST(long_sums_are_right)
{
    const geometry g = {2, 456, 17, {{3, 3, 1, -1, 1}, {5, 3, 1, -1, 1}}, 1};
    FOR_EACH_TABLE(t)
    {
        const heed__conv_args s = args_of(&g, 0);
        ck_assert(heed__is_long(heed__conv_terms(&s)));
        array_draw(t.dtype, x.storage, s.images * s.x_image, -1, 1, 1);
        array_draw(t.dtype, w.storage, s.rows * heed__conv_terms(&s), -1, 1, 2);
        array_draw(t.dtype, bias.storage, s.rows, -1, 1, 3);
        expect_y(&t, &s);
        run_conv(&t, &s);
        check_y(&t, &s);
        check_winograd(&t, &s);
        pack_w(&t, &s, true);
        check_bands(&t, &s, run_by_channel);
    }
}
END_TEST

/* As for a stride of 2: positions alternate between two remainders; the second has the same number of positions or one
 * fewer. */
START_TEST(remainders_take_turns)
{
    FOR_EACH_TABLE(t)
    for (int64_t width = 1; width <= 140; width += width < 40 ? 1 : 7) {
        heed__conv_args s = args_of(&(geometry){2, 2, 3, {{5, 3, 1, 1, -1}, {(width + 1) / 2, 3, 1, 2, -1}}, 1}, 0);
        s.axis[1].positions = (width + 1) / 2;
        s.axis[1].out_step = 2;
        s.axis[1].out_size = width;
        s.y_row = s.axis[0].out_size * width;
        s.y_image = s.rows * s.y_row;
        heed__conv_axis across[2] = {s.axis[1], s.axis[1]};
        s.axis[1].taps = 4; /* of both subsets together */
        for (int i = 0; i < 2; i++) {
            across[i].first = 1 + i;
            across[i].out_first = i;
            across[i].positions = (width + 1 - i) / 2;
        }
        array_draw(t.dtype, x.storage, s.images * s.x_image, -1, 1, 3);
        array_draw(t.dtype, w.storage, s.rows * 18, -1, 1, 4);
        array_draw(t.dtype, bias.storage, s.rows, -1, 1, 5);
        run_lines(&t, &s, 2, across, 3);
        for (int i = 0; i < 2; i++) {
            s.axis[1] = across[i];
            expect_y(&t, &s);
            check_y_beside(&t, &s, s.images * s.y_image - heed__conv_positions(&s) * s.rows);
        }
    }
}
END_TEST

/* The plain form of Winograd's algorithm computes convolutions. */
START_TEST(winograd_is_a_convolution)
{
    double numbers[9], two[2], four[4];
    array_draw(HEED_F64, numbers, 9, -1, 1, 1);
    const double *taps = numbers, *in = numbers + 3;
    reference_winograd_plain(taps, in, two);
    for (int p = 0; p < 2; p++)
        ck_assert_near(two[p], taps[0] * in[p] + taps[1] * in[p + 1] + taps[2] * in[p + 2], 1e-15);
    reference_winograd_strided(taps, in, two);
    for (int p = 0; p < 2; p++)
        ck_assert_near(two[p], taps[0] * in[2 * p] + taps[1] * in[2 * p + 1] + taps[2] * in[2 * p + 2], 1e-15);
    reference_winograd_spread(taps, in, four);
    for (int p = 0; p < 2; p++) {
        ck_assert_near(four[2 * p], taps[1] * in[p], 1e-15);
        ck_assert_near(four[2 * p + 1], taps[0] * in[p] + taps[2] * in[p + 1], 1e-15);
    }
}
END_TEST

HEED_TEST_MAIN("kernels of convolutions", convolutions_are_right, padding_may_be_uneven, long_sums_are_right,
               remainders_take_turns, winograd_is_a_convolution)
