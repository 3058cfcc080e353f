/* tests/kernels/test_kernels.c - tests the elementwise kernels of every instruction set, one by one, against the
 * formulas in kernels.def.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "kernel_list.h"

/* -- One input ----------------------------------------------------------------------------------------------------- */

/* Writes difficult numbers, then random ones: n numbers, `stride` apart, or a single one if stride is 0. */
static void fill(int dtype, void *x, int64_t n, int64_t stride, uint64_t seed)
{
    const double tiny = smallest(dtype), max = dtype == HEED_F32 ? (double)FLT_MAX : DBL_MAX;
    const double hard[] = {0,        -0.0,      1,      -1,       0.5,       -0.5, tiny, -tiny, 3 * tiny,
                           INFINITY, -INFINITY, NAN,    1e-8,     -1e-8,     3,    -3,   40,    -40,
                           88.5,     -88.5,     103,    -104,     709.5,     -745, 1e10, -1e10, max,
                           -max,     0.625,     -0.625, 0x1p-126, -0x1p-127, 2,    1e-20};
    const int64_t n_hard = sizeof hard / sizeof hard[0];
    for (int64_t i = 0; i < n; i++) {
        int64_t which = (int64_t)(draw(&seed) * (double)(2 * n_hard));
        array_set(dtype, x, i * stride, which < n_hard ? hard[which] : draw(&seed) * 10 - 5);
    }
}

/* Returns the index of the array element where a loop with this stride starts. */
static int64_t first_of(int64_t n, int64_t stride)
{
    return stride < 0 && n > 0 ? (n - 1) * -stride : 0;
}

static array x, y, z, expected;

static const double exponents[][2] = {{0.5, 2}, {2, 3},   {3, 3},  {-1, 1},     {0, 0},
                                      {1, 1},   {2.5, 3}, {-2, 4}, {-0.5, 0.25}};

/* Powers are computed by the C library, which is less accurate on Windows. */
static double limit_of(const unary *u)
{
#ifdef _WIN32
    if (u->exact == exact_pow_scalar)
        return 2.0;
#endif
    return u->limit;
}

/* Whether the kernel belongs to the op that HEED_OP chooses (check_heed.h): selu and selu_grad to the op selu. */
static bool is_chosen(const char *kernel)
{
    const char *only = getenv("HEED_OP");
    const size_t length = only ? strlen(only) : 0;
    return !only || (strncmp(kernel, only, length) == 0 && (kernel[length] == '\0' || kernel[length] == '_'));
}

/* The largest error of a kernel found up to now; printed if HEED_SHOW_ERRORS or HEED_OP is set. */
static struct {
    double ulps, at;
} worst;

static void note_error(double off, double at)
{
    if (!(off <= worst.ulps)) {
        worst.ulps = off;
        worst.at = at;
    }
}

static void show_error(const char *kernel, const char *table, double limit)
{
    if (getenv("HEED_SHOW_ERRORS") || getenv("HEED_OP"))
        printf("%-16s %-12s %8.3f ULP at %-24.17g limit %g\n", kernel, table, worst.ulps, worst.at, limit);
    worst.ulps = worst.at = 0;
}

static void check_unary(const unary *u, const table_walk *t, int64_t n, int64_t stride, const double *p)
{
    int dtype = t->dtype;
    void *in = array_at(dtype, x.storage, first_of(n, stride));
    fill(dtype, in, stride == 0 && n > 0 ? 1 : n, stride, (uint64_t)(n + stride));
    array_set(dtype, y.storage, n, 1234);
    unary_kernel(t->kernels, u)(n, in, stride, y.storage, p);
    for (int64_t i = 0; i < n; i++) {
        double at = array_get(dtype, in, i * stride), got = array_get(dtype, y.storage, i);
        double off = ulps(dtype, got, u->exact(at, p));
        note_error(off, at);
        EXPECT(off <= limit_of(u), "%s %s: f(%.17g) = %.17g, off by %g ULP (n %d, stride %d, p %g)", u->name, t->name,
               at, got, off, (int)n, (int)stride, p[0]);
    }
    ck_assert_double_eq(array_get(dtype, y.storage, n), 1234);
    if (stride == 1) {
        unary_kernel(t->kernels, u)(n, in, 1, in, p);
        EXPECT(memcmp(in, y.storage, (size_t)n * element_size(dtype)) == 0, "%s %s in place", u->name, t->name);
    }
}

START_TEST(unary_kernels_are_right)
{
    static const int64_t strides[] = {1, 2, -1, 0};
    FOR_EACH_TABLE(t)
    for (int k = 0; k < UNARIES; k++) {
        if (!is_chosen(unaries[k].name))
            continue;
        for (int n = 0; n < LENGTHS; n++)
            for (int s = 0; s < 4; s++)
                for (size_t e = 0; e < (strcmp(unaries[k].name, "pow_scalar") == 0 ? 9 : 2); e++)
                    check_unary(&unaries[k], &t, lengths[n], strides[s], exponents[e]);
        show_error(unaries[k].name, t.name, unaries[k].limit);
    }
}
END_TEST

/* -- Two inputs ---------------------------------------------------------------------------------------------------- */

/* Every formula in the dtype itself; the results must have the same bits. */
#define T float
#define TYPED(name) name##_f32
#define LIBM(name) name##f
#include "binary_formulas.h"
#undef T
#undef TYPED
#undef LIBM
#define T double
#define TYPED(name) name##_f64
#define LIBM(name) name
#include "binary_formulas.h"
#undef T
#undef TYPED
#undef LIBM

typedef struct binary {
    const char *name;
    size_t offset;
    float (*f32)(float a, float b, const double *p);
    double (*f64)(double a, double b, const double *p);
} binary;

static const binary binaries[] = {
#define BINARY(name, numbers, formula)                                                                                 \
    {#name, offsetof(kernel_table, name), reference_##name##_f32, reference_##name##_f64},
#include "kernels/kernels.def"
};
enum { BINARIES = sizeof binaries / sizeof binaries[0] };

static double binary_at(const binary *f, int dtype, double a, double b, const double *p)
{
    return dtype == HEED_F32 ? (double)f->f32((float)a, (float)b, p) : f->f64(a, b, p);
}

static void check_binary(const binary *f, const table_walk *t, int64_t n, int64_t sa, int64_t sb)
{
    int dtype = t->dtype;
    static const double p[2] = {-0.75, 2};
    void *a = array_at(dtype, x.storage, first_of(n, sa)), *b = array_at(dtype, z.storage, first_of(n, sb));
    heed__binary_kernel *kernel = *(heed__binary_kernel *const *)(const void *)((const char *)t->kernels + f->offset);
    fill(dtype, a, sa == 0 ? 1 : n, sa, (uint64_t)n);
    fill(dtype, b, sb == 0 ? 1 : n, sb, (uint64_t)n + 1);
    array_set(dtype, y.storage, n, 1234);
    kernel(n, a, sa, b, sb, y.storage, p);
    for (int64_t i = 0; i < n; i++) {
        double at_a = array_get(dtype, a, i * sa), at_b = array_get(dtype, b, i * sb),
               got = array_get(dtype, y.storage, i);
        double reference_value = binary_at(f, dtype, at_a, at_b, p);
        EXPECT(same(got, reference_value), "%s %s: f(%g, %g) = %.17g, not %.17g", f->name, t->name, at_a, at_b, got,
               reference_value);
    }
    ck_assert_double_eq(array_get(dtype, y.storage, n), 1234);
    memcpy(expected.storage, y.storage, (size_t)n * element_size(dtype));
    if (sa == 1) {
        kernel(n, a, 1, b, sb, a, p);
        EXPECT(memcmp(a, expected.storage, (size_t)n * element_size(dtype)) == 0, "%s in place of a", f->name);
    } else if (sb == 1) {
        kernel(n, a, sa, b, 1, b, p);
        EXPECT(memcmp(b, expected.storage, (size_t)n * element_size(dtype)) == 0, "%s in place of b", f->name);
    }
}

START_TEST(binary_kernels_are_right)
{
    static const int64_t strides[][2] = {{1, 1}, {1, 0}, {0, 1}, {0, 0}, {2, 1}, {1, -1}, {-1, 2}, {-2, 1}};
    FOR_EACH_TABLE(t)
    for (int k = 0; k < BINARIES; k++)
        for (int n = 0; n < LENGTHS && is_chosen(binaries[k].name); n++)
            for (int s = 0; s < 8; s++)
                check_binary(&binaries[k], &t, lengths[n], strides[s][0], strides[s][1]);
}
END_TEST

typedef struct gradient {
    const char *name;
    size_t offset;
    long double (*exact)(long double a, long double b, const double *p);
    double limit; /* ULP of the result or of b */
} gradient;

#define BINARY_VEC(name, given, formula, ulps, exact)                                                                  \
    static long double exact_##name(long double a, long double b, const double *p)                                     \
    {                                                                                                                  \
        (void)p;                                                                                                       \
        return exact;                                                                                                  \
    }
#include "kernels/kernels.def"

static const gradient gradients[] = {
#define BINARY_VEC(name, given, formula, ulps, exact) {#name, offsetof(kernel_table, name), exact_##name, ulps},
#include "kernels/kernels.def"
};
enum { GRADIENTS = sizeof gradients / sizeof gradients[0] };

static void check_gradient(const gradient *f, const table_walk *t, int64_t n, int64_t sa, int64_t sb)
{
    int dtype = t->dtype;
    void *a = array_at(dtype, x.storage, first_of(n, sa)), *b = array_at(dtype, z.storage, first_of(n, sb));
    heed__binary_kernel *kernel = *(heed__binary_kernel *const *)(const void *)((const char *)t->kernels + f->offset);
    fill(dtype, a, sa == 0 ? 1 : n, sa, (uint64_t)n);
    for (int64_t i = 0; i < n; i++)
        array_set(dtype, b, i * sb, (double)(i % 7) - 2.75);
    static const double p[2] = {0.75, 2};
    kernel(n, a, sa, b, sb, y.storage, p);
    for (int64_t i = 0; i < n; i++) {
        double at = array_get(dtype, a, i * sa), g = array_get(dtype, b, i * sb), got = array_get(dtype, y.storage, i);
        double reference_value = (double)f->exact(at, g, p),
               unit = epsilon(dtype) * fmax(fabs(reference_value), fabs(g));
        double allowed = f->limit * unit;
        note_error(same(got, reference_value) ? 0 : fabs(got - reference_value) / unit, at);
        EXPECT(same(got, reference_value) || fabs(got - reference_value) <= allowed,
               "%s %s: f(%g, %g) = %.17g, not %.17g", f->name, t->name, at, g, got, reference_value);
    }
}

START_TEST(gradients_in_registers_are_right)
{
    static const int64_t strides[][2] = {{1, 1}, {1, 0}, {0, 1}, {2, 1}, {-1, 2}};
    FOR_EACH_TABLE(t)
    for (int k = 0; k < GRADIENTS; k++) {
        if (!is_chosen(gradients[k].name))
            continue;
        for (int n = 0; n < LENGTHS; n++)
            for (int s = 0; s < 5; s++)
                check_gradient(&gradients[k], &t, lengths[n], strides[s][0], strides[s][1]);
        show_error(gradients[k].name, t.name, gradients[k].limit);
    }
}
END_TEST

START_TEST(where_takes_one_of_two)
{
    static bool condition[2 * 1009];
    static const int64_t strides[][3] = {{1, 1, 1}, {1, 1, 0}, {1, 0, 1}, {2, 1, 1}, {0, 1, 1}, {1, 2, 0}};
    FOR_EACH_TABLE(t)
    for (int n = 0; n < LENGTHS; n++)
        for (int s = 0; s < 6; s++) {
            const int64_t *by = strides[s];
            int dtype = t.dtype;
            uint64_t seed = 3;
            for (int i = 0; i < 2 * 1009; i++)
                condition[i] = draw(&seed) < 0.5;
            fill(dtype, x.storage, 2018, 1, 1);
            fill(dtype, z.storage, 2018, 1, 2);
            t.kernels->where(lengths[n], condition, by[0], x.storage, by[1], z.storage, by[2], y.storage);
            for (int64_t i = 0; i < lengths[n]; i++) {
                double reference_value = condition[i * by[0]] ? array_get(dtype, x.storage, i * by[1])
                                                              : array_get(dtype, z.storage, i * by[2]);
                EXPECT(same(array_get(dtype, y.storage, i), reference_value), "%s: element %d", t.name, (int)i);
            }
        }
}
END_TEST

/* Plain arithmetic gives the same bits on every instruction set; a kernel gives an element the same bits next to
 * any elements. */
START_TEST(elementwise_kernels_agree)
{
    FOR_EACH_TABLE(t)
    for (int k = 0; k < UNARIES; k++) {
        if (!is_chosen(unaries[k].name))
            continue;
        int dtype = t.dtype;
        heed__unary_kernel *kernel = unary_kernel(t.kernels, &unaries[k]);
        fill(dtype, x.storage, 1009, 1, 11);
        kernel(1009, x.storage, 1, y.storage, exponents[6]);
        unary_kernel(kernels_of("scalar", (unsigned)dtype), &unaries[k])(1009, x.storage, 1, expected.storage,
                                                                         exponents[6]);
        for (int64_t i = 0; i < 1009; i++) {
            kernel(1, array_at(dtype, x.storage, i), 1, z.storage, exponents[6]);
            EXPECT(same(array_get(dtype, y.storage, i), array_get(dtype, z.storage, 0)), "%s %s: element %d alone",
                   unaries[k].name, t.name, (int)i);
            EXPECT(unaries[k].limit > 0.5 ||
                       same(array_get(dtype, y.storage, i), array_get(dtype, expected.storage, i)),
                   "%s %s: element %d", unaries[k].name, t.name, (int)i);
        }
    }
}
END_TEST

HEED_TEST_MAIN("kernels", unary_kernels_are_right, binary_kernels_are_right, gradients_in_registers_are_right,
               where_takes_one_of_two, elementwise_kernels_agree)
