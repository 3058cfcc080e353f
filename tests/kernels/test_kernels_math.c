/* tests/kernels/test_kernels_math.c - how far exp, tanh and their like are off, for each instruction set: f32 against
 * libm in f64 at bit patterns from all of the range, f64 against long double. */

#include "kernel_list.h"

static array x, y;

static void check(const unary *f, const table_walk *t, int64_t n)
{
    unary_kernel(t->kernels, f)(n, x.room, 1, y.room, NULL);
    for (int64_t i = 0; i < n; i++) {
        double at = array_get(t->dtype, x.room, i), got = array_get(t->dtype, y.room, i);
        double off = ulps(t->dtype, got, f->exact(at, NULL));
        EXPECT(off <= f->limit, "%s %s of %.17g is %.17g, off by %g ULP", t->name, f->name, at, got, off);
    }
}

enum { CHUNK = 4096 };

/* Every `step`th of all 2^32 numbers in f32. */
static void check_all_f32(const unary *f, const table_walk *t, uint64_t step)
{
    int64_t n = 0;
    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += step) {
        uint32_t low = (uint32_t)bits;
        memcpy((float *)(void *)x.room + n, &low, sizeof low);
        if (++n == CHUNK || bits + step > UINT32_MAX) {
            check(f, t, n);
            n = 0;
        }
    }
}

/* Numbers drawn from low .. high. */
static void check_range(const unary *f, const table_walk *t, double low, double high)
{
    for (int part = 0; part < 8; part++) {
        array_draw(t->dtype, x.room, CHUNK, low, high, (uint64_t)part);
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

START_TEST(sin_and_cos_are_accurate)
{
    check_function("sin", -1e6, 1e6);
    check_function("cos", -1e6, 1e6);
    check_function("sin", 8000, 8400);
    check_function("cos", -1e16, 1e16);
}
END_TEST

HEED_TEST_MAIN("kernels of functions", exp_is_accurate, tanh_is_accurate, log_is_accurate, sigmoid_is_accurate,
               erf_is_accurate, gelu_is_accurate, sin_and_cos_are_accurate)
