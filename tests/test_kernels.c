/* tests/test_kernels.c - the elementwise kernels of each instruction set against plain formulas, one by one from the
 * list kernels.def: a kernel without a formula here does not compile. And how kernels are chosen. */

#include "kernel_arrays.h"

#include <sys/wait.h>
#include <unistd.h>

/* -- Choice
 * ---------------------------------------------------------------------------------------------------------- */

/* What a new process takes when HEED_ISA is `wanted`: 0, 1 or 2; 7: nothing. */
static int choice(const char *wanted)
{
    pid_t child = fork();
    if (child == 0) {
        setenv("HEED_ISA", wanted, 1);
        const char *named;
        if (!heed__choose_kernels(&named))
            _exit(!heed__kernels_chosen() && strcmp(named, wanted) == 0 ? 7 : 8);
        const char *isa = heed__kernels_isa();
        for (int i = 0; i < ISAS; i++)
            if (strcmp(isa, isa_names[i]) == 0)
                _exit(heed__kernels(HEED_F64) == &heed__kernels_of(isa)[HEED_F64] ? i : 8);
        _exit(9);
    }
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Must be the first test: a process chooses once. */
START_TEST(obeys_the_environment)
{
    int best = 0;
    for (int i = 0; i < ISAS; i++)
        if (heed__kernels_of(isa_names[i]))
            best = i;
    ck_assert_int_eq(choice("scalar"), 0);
    for (int i = 0; i < ISAS; i++)
        ck_assert_int_eq(choice(isa_names[i]), heed__kernels_of(isa_names[i]) ? i : 7);
    ck_assert_int_eq(choice("sse9"), 7);
    ck_assert_int_eq(choice(""), best);
    ck_assert_ptr_null(heed__kernels_of("sse9"));
}
END_TEST

/* -- One input
 * ------------------------------------------------------------------------------------------------------- */

typedef long double exact_fn(long double x, const double *p);

/* EXACT(name, ulps, formula): the formula in long double, and how far off the kernel may be. */
#define EXACT(name, ulps, formula)                                                                                     \
    static const double limit_##name = (ulps);                                                                         \
    static long double exact_##name(long double x, const double *p)                                                    \
    {                                                                                                                  \
        (void)p;                                                                                                       \
        return formula;                                                                                                \
    }

EXACT(neg, 0.5, -x)
EXACT(scale, 0.5, (long double)p[0] * x)
EXACT(add_scalar, 0.5, x + (long double)p[0])
EXACT(rsub, 0.5, (long double)p[0] - x)
EXACT(pow_scalar, 1.5, powl(x, (long double)p[0]))
EXACT(square, 0.5, x *x)
EXACT(sqrt, 0.5, sqrtl(x))
EXACT(exp, 1.2, expl(x))
EXACT(log, 1, logl(x))
EXACT(sin, 2.1, sinl(x))
EXACT(cos, 2.1, cosl(x))
EXACT(tanh, 2.6, tanhl(x))
EXACT(sigmoid, 2.4, x < 0 ? expl(x) / (1 + expl(x)) : 1 / (1 + expl(-x)))
EXACT(relu, 0, x <= 0 ? 0 : x)
EXACT(erf, 2.4, erfl(x))
EXACT(gelu, 8, x == -INFINITY ? -0.0L : x / 2 * erfcl(-x * sqrtl(0.5L)))
EXACT(abs, 0, fabsl(x))
EXACT(sign, 0, x > 0 ? 1 : x < 0 ? -1 : x)
EXACT(clamp, 0, x<(long double)p[0] ? (long double)p[0] : x>(long double) p[1] ? (long double)p[1] : x)

typedef struct unary {
    const char *name;
    size_t offset; /* in heed_kernels */
    exact_fn *exact;
    const double *limit; /* ULP */
} unary;

static const unary unaries[] = {
#define UNARY(name) {#name, offsetof(heed_kernels, name), exact_##name, &limit_##name},
#define BINARY(name)
#define REDUCE(name)
#define ROWS(name)
#define ROWS_TO_ONE(name)
#define ROWS_GRAD(name)
#include "kernels/kernels.def"
#undef UNARY
#undef BINARY
};
enum { UNARIES = sizeof unaries / sizeof unaries[0] };

/* Numbers that are hard for someone, then random ones; `n` of them `stride` apart, stride 0 being one. */
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

/* Element `first` of the array is where a walk with this stride begins. */
static int64_t first_of(int64_t n, int64_t stride)
{
    return stride < 0 && n > 0 ? (n - 1) * -stride : 0;
}

static heed_unary_kernel *kernel_of(const heed_kernels *table, size_t offset)
{
    return *(heed_unary_kernel *const *)(const void *)((const char *)table + offset);
}

static array x, y, z, expected;

static const double exponents[][2] = {{0.5, 2}, {2, 3},   {3, 3},  {-1, 1},     {0, 0},
                                      {1, 1},   {2.5, 3}, {-2, 4}, {-0.5, 0.25}};

static void check_unary(const unary *u, const table_walk *t, int64_t n, int64_t stride, const double *p)
{
    int dtype = t->dtype;
    void *in = array_at(dtype, x.room, first_of(n, stride));
    fill(dtype, in, stride == 0 && n > 0 ? 1 : n, stride, (uint64_t)(n + stride));
    array_set(dtype, y.room, n, 1234);
    kernel_of(t->kernels, u->offset)(n, in, stride, y.room, p);
    for (int64_t i = 0; i < n; i++) {
        double at = array_get(dtype, in, i * stride), got = array_get(dtype, y.room, i);
        double off = ulps(dtype, got, u->exact(at, p));
        EXPECT(off <= *u->limit, "%s %s: f(%.17g) = %.17g, off by %g ULP (n %d, stride %d, p %g)", u->name, t->name, at,
               got, off, (int)n, (int)stride, p[0]);
    }
    ck_assert_double_eq(array_get(dtype, y.room, n), 1234);
    if (stride == 1) {
        kernel_of(t->kernels, u->offset)(n, in, 1, in, p);
        EXPECT(memcmp(in, y.room, (size_t)n * element_size(dtype)) == 0, "%s %s in place", u->name, t->name);
    }
}

START_TEST(unary_kernels_are_right)
{
    static const int64_t strides[] = {1, 2, -1, 0};
    FOR_EACH_TABLE(t)
    for (int k = 0; k < UNARIES; k++)
        for (int n = 0; n < LENGTHS; n++)
            for (int s = 0; s < 4; s++)
                for (size_t e = 0; e < (strcmp(unaries[k].name, "pow_scalar") == 0 ? 9 : 2); e++)
                    check_unary(&unaries[k], &t, lengths[n], strides[s], exponents[e]);
}
END_TEST

/* -- Two inputs
 * ------------------------------------------------------------------------------------------------------ */

/* SAME(name, formula): computed in the dtype itself, which must give the same bits. */
#define SAME(name, formula)                                                                                            \
    static float name##_f32(float a, float b, float p0, float p1)                                                      \
    {                                                                                                                  \
        (void)p0, (void)p1;                                                                                            \
        return formula;                                                                                                \
    }                                                                                                                  \
    static double name##_f64(double a, double b, double p0, double p1)                                                 \
    {                                                                                                                  \
        (void)p0, (void)p1;                                                                                            \
        return formula;                                                                                                \
    }

SAME(add, a + b)
SAME(sub, a - b)
SAME(mul, a *b)
SAME(div, a / b)
SAME(maximum, isnan(a) || a > b ? a : b)
SAME(minimum, isnan(a) || a < b ? a : b)
SAME(square_grad, 2 * a * b)
SAME(sqrt_grad, b / (2 * a))
SAME(tanh_grad, b *(1 - a * a))
SAME(sigmoid_grad, b *a *(1 - a))
SAME(relu_grad, a > 0 ? b : 0)
SAME(abs_grad, b *(a > 0 ? 1 : a < 0 ? -1 : a))
SAME(clamp_grad, a >= p0 && a <= p1 ? b : 0)

typedef struct binary {
    const char *name;
    size_t offset;
    float (*f32)(float, float, float, float);
    double (*f64)(double, double, double, double);
} binary;

#define gelu_grad_f32 NULL /* these have tests of their own: below, and in test_kernels_losses.c */
#define gelu_grad_f64 NULL
#define smooth_l1_f32 NULL
#define smooth_l1_f64 NULL
#define binary_cross_entropy_f32 NULL
#define binary_cross_entropy_f64 NULL

static const binary binaries[] = {
#define UNARY(name)
#define BINARY(name) {#name, offsetof(heed_kernels, name), name##_f32, name##_f64},
#include "kernels/kernels.def"
#undef UNARY
#undef BINARY
};
enum { BINARIES = sizeof binaries / sizeof binaries[0] };

static double binary_at(const binary *f, int dtype, double a, double b, const double *p)
{
    return dtype == HEED_F32 ? (double)f->f32((float)a, (float)b, (float)p[0], (float)p[1]) : f->f64(a, b, p[0], p[1]);
}

static void check_binary(const binary *f, const table_walk *t, int64_t n, int64_t sa, int64_t sb)
{
    int dtype = t->dtype;
    static const double p[2] = {-0.75, 2};
    void *a = array_at(dtype, x.room, first_of(n, sa)), *b = array_at(dtype, z.room, first_of(n, sb));
    heed_binary_kernel *kernel = *(heed_binary_kernel *const *)(const void *)((const char *)t->kernels + f->offset);
    fill(dtype, a, sa == 0 ? 1 : n, sa, (uint64_t)n);
    fill(dtype, b, sb == 0 ? 1 : n, sb, (uint64_t)n + 1);
    array_set(dtype, y.room, n, 1234);
    kernel(n, a, sa, b, sb, y.room, p);
    for (int64_t i = 0; i < n; i++) {
        double at_a = array_get(dtype, a, i * sa), at_b = array_get(dtype, b, i * sb),
               got = array_get(dtype, y.room, i);
        double want = binary_at(f, dtype, at_a, at_b, p);
        EXPECT(same(got, want), "%s %s: f(%g, %g) = %.17g, not %.17g", f->name, t->name, at_a, at_b, got, want);
    }
    ck_assert_double_eq(array_get(dtype, y.room, n), 1234);
    memcpy(expected.room, y.room, (size_t)n * element_size(dtype));
    if (sa == 1) {
        kernel(n, a, 1, b, sb, a, p);
        EXPECT(memcmp(a, expected.room, (size_t)n * element_size(dtype)) == 0, "%s in place of a", f->name);
    } else if (sb == 1) {
        kernel(n, a, sa, b, 1, b, p);
        EXPECT(memcmp(b, expected.room, (size_t)n * element_size(dtype)) == 0, "%s in place of b", f->name);
    }
}

START_TEST(binary_kernels_are_right)
{
    static const int64_t strides[][2] = {{1, 1}, {1, 0}, {0, 1}, {0, 0}, {2, 1}, {1, -1}, {-1, 2}, {-2, 1}};
    FOR_EACH_TABLE(t)
    for (int k = 0; k < BINARIES; k++)
        for (int n = 0; n < LENGTHS && binaries[k].f32; n++)
            for (int s = 0; s < 8; s++)
                check_binary(&binaries[k], &t, lengths[n], strides[s][0], strides[s][1]);
}
END_TEST

/* Phi + x phi cancels around -0.75: an absolute error. */
START_TEST(gelu_gradient_is_right)
{
    FOR_EACH_TABLE(t)
    {
        int dtype = t.dtype;
        fill(dtype, x.room, 1009, 1, 5);
        array_set(dtype, z.room, 0, 3);
        t.kernels->gelu_grad(1009, x.room, 1, z.room, 0, y.room, NULL);
        for (int64_t i = 0; i < 1009; i++) {
            long double at = array_get(dtype, x.room, i), far = at < -40 ? -40 : at > 40 ? 40 : at;
            long double density = expl(-far * far / 2) * 0.39894228040143267794L;
            double want = (double)(3 * (erfcl(-far * sqrtl(0.5L)) / 2 + far * density)),
                   got = array_get(dtype, y.room, i);
            EXPECT(same(got, want) || fabs(got - want) <= 8 * epsilon(dtype), "%s at %g: %g, not %g", t.name,
                   (double)at, got, want);
        }
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
            fill(dtype, x.room, 2018, 1, 1);
            fill(dtype, z.room, 2018, 1, 2);
            t.kernels->where(lengths[n], condition, by[0], x.room, by[1], z.room, by[2], y.room);
            for (int64_t i = 0; i < lengths[n]; i++) {
                double want =
                    condition[i * by[0]] ? array_get(dtype, x.room, i * by[1]) : array_get(dtype, z.room, i * by[2]);
                EXPECT(same(array_get(dtype, y.room, i), want), "%s: element %d", t.name, (int)i);
            }
        }
}
END_TEST

/* Plain arithmetic gives the same bits on every instruction set; each kernel gives an element the same bits whatever
 * stands beside it. */
START_TEST(elementwise_kernels_agree)
{
    FOR_EACH_TABLE(t)
    for (int k = 0; k < UNARIES; k++) {
        int dtype = t.dtype;
        heed_unary_kernel *kernel = kernel_of(t.kernels, unaries[k].offset);
        fill(dtype, x.room, 1009, 1, 11);
        kernel(1009, x.room, 1, y.room, exponents[6]);
        kernel_of(&heed__kernels_scalar[dtype], unaries[k].offset)(1009, x.room, 1, expected.room, exponents[6]);
        for (int64_t i = 0; i < 1009; i++) {
            kernel(1, array_at(dtype, x.room, i), 1, z.room, exponents[6]);
            EXPECT(same(array_get(dtype, y.room, i), array_get(dtype, z.room, 0)), "%s %s: element %d alone",
                   unaries[k].name, t.name, (int)i);
            EXPECT(*unaries[k].limit > 0.5 || same(array_get(dtype, y.room, i), array_get(dtype, expected.room, i)),
                   "%s %s: element %d", unaries[k].name, t.name, (int)i);
        }
    }
}
END_TEST

HEED_TEST_MAIN("kernels", obeys_the_environment, unary_kernels_are_right, binary_kernels_are_right,
               gelu_gradient_is_right, where_takes_one_of_two, elementwise_kernels_agree)
