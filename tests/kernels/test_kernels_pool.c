/* tests/kernels/test_kernels_pool.c - tests the kernels of pooling of every instruction set against their reference.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "kernel_arrays.h"
#include "kernels/conv/reference.h"

static array x, y, g, dx;
static double x_numbers[ARRAY_MAX], g_numbers[ARRAY_MAX], expected[ARRAY_MAX], expected_dx[ARRAY_MAX];

/* Size, taps, step, padding before, distance of taps; the windows are those that begin before the end. */
static const int64_t pools[][5] = {{1, 1, 1, 0, 1}, {7, 2, 2, 0, 1}, {8, 3, 1, 1, 1},  {9, 3, 2, 1, 2},
                                   {5, 5, 5, 0, 1}, {6, 4, 3, 2, 1}, {33, 3, 2, 1, 1}, {40, 2, 1, 1, 1}};
enum { POOLS = sizeof pools / sizeof pools[0], POOL_PLANES = 3 };

/* The windows of an axis, without the padding. `count` includes the padding if `padded`. */
static int64_t windows_of(const int64_t *axis, bool padded, heed__window *windows)
{
    const int64_t size = axis[0], taps = axis[1], apart = axis[4];
    int64_t n = 0;
    for (int64_t first = -axis[3]; first + (taps - 1) * apart < size + axis[3]; first += axis[2]) {
        heed__window *window = &windows[n++];
        *window = (heed__window){.begin = first, .end = first + taps * apart, .step = apart};
        while (window->begin < 0)
            window->begin += apart;
        window->end = window->end < size ? window->end : size;
        window->count = padded ? taps : (window->end - window->begin + apart - 1) / apart;
    }
    return n;
}

static reference_conv plane_of(const heed__pool_args *p, const int64_t *const axis[2])
{
    reference_conv r = {1, 1, 1, {0}, {0}, {0}, {0}, {0}, {0}};
    for (int i = 0; i < 2; i++) {
        r.size[i] = axis[i][0];
        r.taps[i] = axis[i][1];
        r.positions[i] = p->out[i];
        r.step[i] = axis[i][2];
        r.first[i] = -axis[i][3];
        r.apart[i] = axis[i][4];
    }
    return r;
}

/* Computes the planes in two ranges. */
static void check_max_pool(const table_walk *t, const heed__pool_args *p, const reference_conv *r)
{
    static int64_t index[ARRAY_MAX], expected_index[ARRAY_MAX];
    const int64_t size = p->size[0] * p->size[1], out = p->out[0] * p->out[1];
    for (int64_t plane = 0; plane < POOL_PLANES; plane++)
        reference_max_pool(r, x_numbers + plane * size, expected + plane * out, expected_index + plane * out);
    memset(expected_dx, 0, sizeof expected_dx);
    for (int64_t i = 0; i < POOL_PLANES * out; i++)
        expected_dx[i / out * size + expected_index[i]] += g_numbers[i];
    for (int64_t begin = 0; begin < POOL_PLANES; begin += 2) {
        const int64_t end = begin + 2 < POOL_PLANES ? begin + 2 : POOL_PLANES;
        t->kernels->max_pool(p, begin, end, x.storage, y.storage, index);
        t->kernels->max_pool_grad(p, begin, end, index, g.storage, dx.storage);
    }
    for (int64_t i = 0; i < POOL_PLANES * out; i++)
        EXPECT(same(array_get(t->dtype, y.storage, i), expected[i]) && index[i] == expected_index[i],
               "%s, %s: maximum %d", t->name, tested_case, (int)i);
    expect_all_near(t, "gradient of maxima", &dx, expected_dx, POOL_PLANES * size, (double)(r->taps[0] * r->taps[1]),
                    0);
}

static void check_avg_pool(const table_walk *t, const heed__pool_args *p, const reference_conv *r, bool padded)
{
    static double sums[64];
    const int64_t size = p->size[0] * p->size[1], out = p->out[0] * p->out[1];
    const int64_t divisor = padded ? r->taps[0] * r->taps[1] : p->divisor;
    memset(expected_dx, 0, sizeof expected_dx);
    for (int64_t plane = 0; plane < POOL_PLANES; plane++)
        reference_avg_pool(r, divisor, x_numbers + plane * size, g_numbers + plane * out, expected + plane * out,
                           expected_dx + plane * size);
    for (int64_t begin = 0; begin < POOL_PLANES; begin += 2) {
        const int64_t end = begin + 2 < POOL_PLANES ? begin + 2 : POOL_PLANES;
        t->kernels->avg_pool(p, begin, end, x.storage, y.storage, sums);
        t->kernels->avg_pool_grad(p, begin, end, g.storage, dx.storage, sums);
    }
    expect_all_near(t, "means", &y, expected, POOL_PLANES * out, 2, 0);
    expect_all_near(t, "gradient of means", &dx, expected_dx, POOL_PLANES * size, (double)(r->taps[0] * r->taps[1]), 0);
}

static void check_pools(const table_walk *t, const int64_t *const axis[2], bool padded, int64_t divisor)
{
    static heed__window windows[2][64];
    heed__pool_args p = {.size = {axis[0][0], axis[1][0]}, .window = {windows[0], windows[1]}, .divisor = divisor};
    for (int i = 0; i < 2; i++)
        p.out[i] = windows_of(axis[i], padded, windows[i]);
    const reference_conv r = plane_of(&p, axis);
    const int64_t size = POOL_PLANES * p.size[0] * p.size[1], out = POOL_PLANES * p.out[0] * p.out[1];
    array_draw(t->dtype, x.storage, size, -1, 1, (uint64_t)size);
    array_draw(t->dtype, g.storage, out, -1, 1, 2);
    array_read(t->dtype, g.storage, out, g_numbers);
    array_read(t->dtype, x.storage, size, x_numbers);
    describe_case("%dx%d with %dx%d taps, divisor %d", (int)p.size[0], (int)p.size[1], (int)r.taps[0], (int)r.taps[1],
                  (int)divisor);
    if (axis[0][4] == 1 && axis[1][4] == 1)
        check_avg_pool(t, &p, &r, padded && divisor == 0);
    for (int64_t i = 0; i < size; i += 17)
        array_set(t->dtype, x.storage, i, i % 2 ? NAN : INFINITY);
    array_read(t->dtype, x.storage, size, x_numbers);
    check_max_pool(t, &p, &r);
}

START_TEST(pools_are_right)
{
    FOR_EACH_TABLE(t)
    for (int i = 0; i < POOLS * POOLS; i++)
        for (int kind = 0; kind < 3; kind++)
            check_pools(&t, (const int64_t *const[]){pools[i / POOLS], pools[i % POOLS]}, kind == 1, kind == 2 ? 7 : 0);
}
END_TEST

HEED_TEST_MAIN("kernels of pooling", pools_are_right)
