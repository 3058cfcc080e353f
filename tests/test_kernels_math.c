/* tests/test_kernels_math.c - how far exp, tanh and their like are off, for each instruction set: f32 against libm in
 * f64 at bit patterns from all of the range, f64 against long double. */

#include "kernel_arrays.h"

static array x, y;

typedef struct function {
    const char *name;
    size_t offset; /* in heed_kernels */
    long double (*exact)(long double x);
    double limits[2];
} function;

static long double sigmoid_exact(long double at)
{
    return at < 0 ? expl(at) / (1 + expl(at)) : 1 / (1 + expl(-at));
}

static long double gelu_exact(long double at)
{
    return at == -INFINITY ? -0.0L : at / 2 * erfcl(-at * sqrtl(0.5L));
}

#define FUNCTION(name, exact, f32, f64)                                                                                \
    static const function name##_function = {#name, offsetof(heed_kernels, name), exact, {f32, f64}};

FUNCTION(exp, expl, 1.2, 1.2)
FUNCTION(tanh, tanhl, 2.6, 2.6)
FUNCTION(log, logl, 1, 1)
FUNCTION(sigmoid, sigmoid_exact, 2.4, 2.4)
FUNCTION(erf, erfl, 2.4, 2.4)
FUNCTION(gelu, gelu_exact, 8, 8)
FUNCTION(sin, sinl, 2, 2.1)
FUNCTION(cos, cosl, 2, 2.1)

static void check(const function *f, const table_walk *t, int64_t n)
{
    heed_unary_kernel *kernel = *(heed_unary_kernel *const *)(const void *)((const char *)t->kernels + f->offset);
    kernel(n, x.room, 1, y.room, NULL);
    for (int64_t i = 0; i < n; i++) {
        double at = array_get(t->dtype, x.room, i), got = array_get(t->dtype, y.room, i);
        double off = ulps(t->dtype, got, f->exact(at));
        EXPECT(off <= f->limits[t->dtype], "%s %s of %.17g is %.17g, off by %g ULP", t->name, f->name, at, got, off);
    }
}

enum { CHUNK = 4096 };

/* Every `step`th of all 2^32 numbers in f32. */
static void check_all_f32(const function *f, const table_walk *t, uint64_t step)
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
static void check_range(const function *f, const table_walk *t, double low, double high)
{
    for (int part = 0; part < 8; part++) {
        array_draw(t->dtype, x.room, CHUNK, low, high, (uint64_t)part);
        check(f, t, CHUNK);
    }
}

static void check_function(const function *f, double low, double high)
{
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
    check_function(&exp_function, -746, 710);
}
END_TEST

START_TEST(tanh_is_accurate)
{
    check_function(&tanh_function, -22, 22);
}
END_TEST

START_TEST(log_is_accurate)
{
    check_function(&log_function, 0, 1e300);
    check_function(&log_function, 0, 1e-307);
}
END_TEST

START_TEST(sigmoid_is_accurate)
{
    check_function(&sigmoid_function, -746, 40);
}
END_TEST

START_TEST(erf_is_accurate)
{
    check_function(&erf_function, -7, 7);
}
END_TEST

START_TEST(gelu_is_accurate)
{
    check_function(&gelu_function, -38.4, 0);
}
END_TEST

START_TEST(sin_and_cos_are_accurate)
{
    check_function(&sin_function, -1e6, 1e6);
    check_function(&cos_function, -1e6, 1e6);
    check_function(&sin_function, 8000, 8400);
    check_function(&cos_function, -1e16, 1e16);
}
END_TEST

HEED_TEST_MAIN("kernels of functions", exp_is_accurate, tanh_is_accurate, log_is_accurate, sigmoid_is_accurate,
               erf_is_accurate, gelu_is_accurate, sin_and_cos_are_accurate)
