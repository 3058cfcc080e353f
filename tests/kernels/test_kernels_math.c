/* tests/kernels/test_kernels_math.c - tests the errors of exp, tanh and similar kernels for every instruction set: f32
 * against libm in f64 at bit patterns of the whole range, f64 against long double.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "kernel_list.h"

static array x, y, z;

static void check(const unary *f, const table_walk *t, int64_t n)
{
    static const double p[2] = {0.75, 0};
    unary_kernel(t->kernels, f)(n, x.storage, 1, y.storage, p);
    for (int64_t i = 0; i < n; i++) {
        double at = array_get(t->dtype, x.storage, i), got = array_get(t->dtype, y.storage, i);
        double off = ulps(t->dtype, got, f->exact(at, p));
        EXPECT(off <= f->limit, "%s %s of %.17g is %.17g, off by %g ULP", t->name, f->name, at, got, off);
    }
}

enum { CHUNK = 4096 };

/* Tests every `step`th of all 2^32 numbers in f32. */
static void check_all_f32(const unary *f, const table_walk *t, uint64_t step)
{
    int64_t n = 0;
    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += step) {
        uint32_t low = (uint32_t)bits;
        memcpy((float *)(void *)x.storage + n, &low, sizeof low);
        if (++n == CHUNK || bits + step > UINT32_MAX) {
            check(f, t, n);
            n = 0;
        }
    }
}

/* Tests random numbers in low .. high. */
static void check_range(const unary *f, const table_walk *t, double low, double high)
{
    for (int part = 0; part < 8; part++) {
        array_draw(t->dtype, x.storage, CHUNK, low, high, (uint64_t)part);
        check(f, t, CHUNK);
    }
}

static void check_function(const char *name, double low, double high)
{
    const unary *f = unary_named(name);
    FOR_EACH_TABLE(t)
    {
        if (t.dtype == HEED_F32)
            check_all_f32(f, &t, 15013);
        check_range(f, &t, low, high);
        check_range(f, &t, -1, 1);
        check_range(f, &t, 0.5, 2);
        check_range(f, &t, -10, 10);
        check_range(f, &t, -1e-4, 1e-4);
    }
}

START_TEST(exp_is_accurate)
{
    check_function("exp", -746, 710);
}
END_TEST

START_TEST(tanh_is_accurate)
{
    check_function("tanh", -22, 22);
}
END_TEST

START_TEST(log_is_accurate)
{
    check_function("log", 0, 1e300);
    check_function("log", 0, 1e-307);
    check_function("log2", 0, 1e300);
    check_function("log2", 0, 1e-307);
    check_function("log10", 0, 1e300);
    check_function("log10", 0, 1e-307);
}
END_TEST

START_TEST(sigmoid_is_accurate)
{
    check_function("sigmoid", -746, 40);
}
END_TEST

START_TEST(erf_is_accurate)
{
    check_function("erf", -7, 7);
}
END_TEST

START_TEST(gelu_is_accurate)
{
    check_function("gelu", -38.4, 0);
}
END_TEST

START_TEST(mish_is_accurate)
{
    check_function("mish", -746, 50);
}
END_TEST

/* The long double versions on Windows use x87's value of pi and are too inaccurate for this test. */
START_TEST(sin_cos_and_tan_are_accurate)
{
#ifndef _WIN32
    check_function("sin", -1e6, 1e6);
    check_function("cos", -1e6, 1e6);
    check_function("sin", 8000, 8400);
    check_function("cos", -1e16, 1e16);
    check_function("tan", -1e6, 1e6);
    check_function("tan", 8000, 8400);
    check_function("tan", -1e16, 1e16);
#endif
}
END_TEST

START_TEST(expm1_sinh_and_cosh_are_accurate)
{
    check_function("expm1", -746, 710);
    check_function("elu", -746, 10);
    check_function("sinh", -711, 711);
    check_function("cosh", -711, 711);
}
END_TEST

START_TEST(log1p_is_accurate)
{
    check_function("log1p", -1, 1e300);
    check_function("log1p", -1, 3);
    check_function("log1p", -1e-15, 1e-15);
}
END_TEST

START_TEST(inverse_functions_are_accurate)
{
    check_function("atan", -1e3, 1e3);
    check_function("asin", -1, 1);
    check_function("asin", 0.9999, 1.0001);
#ifndef _WIN32 /* where acosl is less accurate */
    check_function("acos", -1, 1);
    check_function("acos", 0.9999, 1.0001);
#endif
}
END_TEST

static void check_atan2(const table_walk *t, int64_t n)
{
    t->kernels->atan2(n, y.storage, 1, x.storage, 1, z.storage, NULL);
    for (int64_t i = 0; i < n; i++) {
        double a = array_get(t->dtype, x.storage, i), b = array_get(t->dtype, y.storage, i),
               got = array_get(t->dtype, z.storage, i);
        double off = ulps(t->dtype, got, atan2l((long double)b, (long double)a));
        EXPECT(off <= 2.5 && (isnan(got) || signbit(got) == signbit(b)),
               "%s: atan2 of %.17g, %.17g is %.17g, off by %g ULP", t->name, b, a, got, off);
    }
}

/* Checks the kernel hypot for the numbers of x and y. */
static void check_hypot(const table_walk *t, int64_t n)
{
    t->kernels->hypot(n, x.storage, 1, y.storage, 1, z.storage, NULL);
    for (int64_t i = 0; i < n; i++) {
        double a = array_get(t->dtype, x.storage, i), b = array_get(t->dtype, y.storage, i),
               got = array_get(t->dtype, z.storage, i);
        double off = ulps(t->dtype, got, hypotl((long double)a, (long double)b));
        EXPECT(off <= 1.5, "%s: hypot of %.17g, %.17g is %.17g, off by %g ULP", t->name, a, b, got, off);
    }
}

/* Tests every quadrant, near 0 and near overflow, and all pairs of special numbers. */
START_TEST(atan2_and_hypot_are_accurate)
{
    static const double scales[][2] = {{1, 1}, {1e-3, 1}, {1, 1e-3}, {1e38, 1e38}, {1e-42, 1e-42}, {1e-44, 1}};
    static const double special[] = {0, -0.0, 1, -1, INFINITY, -INFINITY, NAN, 1e-45, -1e-40, 3e38};
    enum { SPECIAL = sizeof special / sizeof special[0] };
    FOR_EACH_TABLE(t)
    {
        for (unsigned s = 0; s < sizeof scales / sizeof scales[0]; s++) {
            array_draw(t.dtype, x.storage, CHUNK, -scales[s][0], scales[s][0], s);
            array_draw(t.dtype, y.storage, CHUNK, -scales[s][1], scales[s][1], s + 100);
            check_atan2(&t, CHUNK);
            check_hypot(&t, CHUNK);
        }
        for (int i = 0; i < SPECIAL * SPECIAL; i++) {
            array_set(t.dtype, x.storage, i, special[i % SPECIAL]);
            array_set(t.dtype, y.storage, i, special[i / SPECIAL]);
        }
        check_atan2(&t, (int64_t)SPECIAL * SPECIAL);
        check_hypot(&t, (int64_t)SPECIAL * SPECIAL);
    }
}
END_TEST

HEED_TEST_MAIN("kernels of functions", exp_is_accurate, tanh_is_accurate, log_is_accurate, sigmoid_is_accurate,
               erf_is_accurate, gelu_is_accurate, mish_is_accurate, sin_cos_and_tan_are_accurate,
               expm1_sinh_and_cosh_are_accurate, log1p_is_accurate, inverse_functions_are_accurate,
               atan2_and_hypot_are_accurate)
