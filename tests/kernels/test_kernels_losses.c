/* tests/kernels/test_kernels_losses.c - tests the kernels of losses and of dropout of every instruction set against
 * their reference.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "kernel_arrays.h"
#include "kernels/elementwise/reference.h"
#include "kernels/rows/reference.h"

#define LN_2 0.69314718055994530942
#define LN_3 1.0986122886681098

static array x, y, z, again;

/* -- Pairs --------------------------------------------------------------------------------------------------------- */

static void check_pairs(const table_walk *t, int64_t n, int64_t sa, int64_t sb, const double *beta)
{
    double eps = epsilon(t->dtype);
    array_draw(t->dtype, x.storage, 2 * n + 1, -3, 3, (uint64_t)n);
    array_draw(t->dtype, z.storage, 2 * n + 1, 0, 1, (uint64_t)n + 1);
    t->kernels->smooth_l1(n, x.storage, sa, z.storage, sb, y.storage, beta);
    t->kernels->binary_cross_entropy(n, x.storage, sa, z.storage, sb, again.storage, NULL);
    for (int64_t i = 0; i < n; i++) {
        double a = array_get(t->dtype, x.storage, i * sa), b = array_get(t->dtype, z.storage, i * sb);
        double near = array_get(t->dtype, y.storage, i), entropy = array_get(t->dtype, again.storage, i);
        EXPECT(fabsl(near - reference_smooth_l1(a, b, *beta)) <= 16 * eps, "%s: smooth_l1(%.17g, %.17g, %g) is %.17g",
               t->name, a, b, *beta, near);
        EXPECT(fabsl(entropy - reference_binary_cross_entropy(a, b)) <= 8 * eps,
               "%s: binary_cross_entropy(%.17g, %.17g) is %.17g", t->name, a, b, entropy);
    }
}

START_TEST(pairs_are_right)
{
    static const int64_t strides[][2] = {{1, 1}, {1, 0}, {0, 1}, {2, 1}};
    static const double betas[] = {1, 0.25, 1e-3, 100};
    FOR_EACH_TABLE(t)
    for (int l = 0; l < LENGTHS; l++)
        for (int s = 0; s < 4; s++)
            for (int b = 0; b < 4; b++)
                check_pairs(&t, lengths[l], strides[s][0], strides[s][1], &betas[b]);
}
END_TEST

/* Large logits keep their accuracy, and infinite ones give limits. */
START_TEST(binary_cross_entropy_is_stable)
{
    const double inf = INFINITY;
    const double cases[][3] = {{1e4, 0, 1e4},  {1e4, 1, 0},    {-1e4, 1, 1e4},  {-1e4, 0, 0},        {1e4, 0.25, 7500},
                               {inf, 1, 0},    {-inf, 0, 0},   {inf, 0, inf},   {-inf, 1, inf},      {inf, 0.5, inf},
                               {NAN, 0, NAN},  {NAN, 1, NAN},  {1, NAN, NAN},   {3e38, 0.5, 1.5e38}, {0, 7, LN_2},
                               {-1e4, 2, 2e4}, {1e4, -1, 2e4}, {-3e38, 1, 3e38}};
    FOR_EACH_TABLE(t)
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        array_set(t.dtype, x.storage, 0, cases[i][0]);
        array_set(t.dtype, z.storage, 0, cases[i][1]);
        t.kernels->binary_cross_entropy(1, x.storage, 1, z.storage, 1, y.storage, NULL);
        double got = array_get(t.dtype, y.storage, 0), expected = cases[i][2];
        EXPECT(same(got, expected) || fabs(got - expected) <= 2 * epsilon(t.dtype) * (1 + fabs(expected)),
               "%s: (%g, %g) gives %.17g, not %g", t.name, cases[i][0], cases[i][1], got, expected);
    }
    FOR_EACH_TABLE(t)
    {
        array_set(t.dtype, x.storage, 0, -30);
        array_set(t.dtype, z.storage, 0, 0);
        t.kernels->binary_cross_entropy(1, x.storage, 1, z.storage, 1, y.storage, NULL);
        ck_assert_near(array_get(t.dtype, y.storage, 0), log1p(exp(-30)), 4 * epsilon(t.dtype) * exp(-30));
    }
}
END_TEST

/* -- Rows ---------------------------------------------------------------------------------------------------------- */

enum { IGNORED = 1 };

static int64_t targets[64];
static double numbers[7 * 1009], losses[7], slopes[7 * 1009];

static void draw_rows(int dtype, int64_t rows, int64_t n, double size)
{
    uint64_t seed = (uint64_t)(n + rows);
    array_draw(dtype, x.storage, rows * n, -size, size, seed);
    array_draw(dtype, z.storage, rows, -1, 1, seed + 1);
    for (int64_t row = 0; row < rows; row++) {
        targets[row] = (int64_t)(draw(&seed) * (double)n);
        for (int64_t i = row * n; n > 1 && targets[row] == IGNORED && i < (row + 1) * n; i++)
            array_set(dtype, x.storage, i, NAN);
    }
}

static void check_rows(const table_walk *t, int64_t rows, int64_t n, double size, double smoothing)
{
    heed__cross_entropy_args a = {.n = n, .ignored = n > 1 ? IGNORED : -1, .smoothing = smoothing};
    draw_rows(t->dtype, rows, n, size);
    array_set(t->dtype, y.storage, rows, 1234);
    array_set(t->dtype, again.storage, rows * n, 1234);
    t->kernels->cross_entropy(&a, rows, x.storage, targets, y.storage);
    t->kernels->cross_entropy_grad(&a, rows, x.storage, targets, z.storage, again.storage);
    ck_assert_double_eq(array_get(t->dtype, y.storage, rows), 1234);
    ck_assert_double_eq(array_get(t->dtype, again.storage, rows * n), 1234);
    memset(losses, 0, sizeof losses);
    memset(slopes, 0, sizeof slopes);
    array_read(t->dtype, x.storage, rows * n, numbers);
    for (int64_t row = 0; row < rows; row++)
        if (targets[row] != a.ignored)
            losses[row] = reference_cross_entropy(n, numbers + row * n, targets[row], smoothing,
                                                  array_get(t->dtype, z.storage, row), slopes + row * n);
    describe_case("rows of %d", (int)n);
    expect_all_near(t, "y", &y, losses, rows, 16, 16);
    expect_all_near(t, "dx", &again, slopes, rows * n, 16, 0);
    for (int64_t i = 0; i < rows * n; i++)
        EXPECT(targets[i / n] != a.ignored ||
                   (array_get(t->dtype, again.storage, i) == 0 && array_get(t->dtype, y.storage, i / n) == 0),
               "%s: an ignored row", t->name);
}

START_TEST(class_rows_are_right)
{
    static const double smoothings[] = {0, 0.1, 1};
    FOR_EACH_TABLE(t)
    for (int l = 1; l < LENGTHS; l++)
        for (int s = 0; s < 3; s++) {
            check_rows(&t, 0, lengths[l], 1, smoothings[s]);
            check_rows(&t, 7, lengths[l], 4, smoothings[s]);
            check_rows(&t, 3, lengths[l], 700, smoothings[s]);
        }
}
END_TEST

/* NaN and +inf fill their row; -inf has weight 0, unless it is the target. */
START_TEST(special_logits)
{
    const double inf = INFINITY;
    const double cases[][4] = {{NAN, 1, 2, NAN},  {inf, 1, 2, NAN},   {-inf, -inf, -inf, NAN}, {-inf, 1, 1, LN_2},
                               {1, -inf, 1, inf}, {-1e7, 0, -1e7, 0}, {3e38, 3e38, 3e38, LN_3}};
    FOR_EACH_TABLE(t)
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const heed__cross_entropy_args a = {.n = 3, .ignored = -1};
        for (int64_t c = 0; c < 3; c++)
            array_set(t.dtype, x.storage, c, cases[i][c]);
        array_set(t.dtype, z.storage, 0, 1);
        t.kernels->cross_entropy(&a, 1, x.storage, (const int64_t[]){1}, y.storage);
        t.kernels->cross_entropy_grad(&a, 1, x.storage, (const int64_t[]){1}, z.storage, again.storage);
        double expected = cases[i][3], got = array_get(t.dtype, y.storage, 0);
        EXPECT(same(got, expected) || fabs(got - expected) <= 4 * epsilon(t.dtype), "%s: case %zu: %.17g, not %g",
               t.name, i, got, expected);
        EXPECT(isnan(array_get(t.dtype, again.storage, 0)) == isnan(expected), "%s: gradient of case %zu", t.name, i);
    }
}
END_TEST

/* Smoothing uses every logit: the sum of large logits must not overflow if their mean is finite. */
START_TEST(smoothed_far_logits)
{
    static const struct {
        int64_t n;
        double others, last, smoothing, expected;
    } cases[] = {{3, 0, -3e38, 1, 3e38}, {600, 0, 0, 0.25, 0.25 * 3e38 / 600 * 599}, {2, 3e38, 0, 0.5, 7.5e37}};
    FOR_EACH_TABLE(t)
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const int64_t n = cases[i].n;
        const heed__cross_entropy_args a = {.n = n, .ignored = -1, .smoothing = cases[i].smoothing};
        for (int64_t c = 0; c < n; c++)
            array_set(t.dtype, x.storage, c, c == 0 ? 3e38 : c + 1 == n ? cases[i].last : cases[i].others);
        t.kernels->cross_entropy(&a, 1, x.storage, (const int64_t[]){0}, y.storage);
        double got = array_get(t.dtype, y.storage, 0), expected = cases[i].expected;
        EXPECT(fabs(got - expected) <= 4 * epsilon(t.dtype) * expected, "%s: case %zu: %.17g, not %g", t.name, i, got,
               expected);
    }
}
END_TEST

/* -- Dropout ------------------------------------------------------------------------------------------------------- */

static void check_dropout(const table_walk *t, const heed__dropout_numbers *a, int64_t first, int64_t n)
{
    int dtype = t->dtype;
    array_draw(dtype, x.storage, n, -1, 1, 5);
    array_set(dtype, y.storage, n, 1234);
    t->kernels->dropout(a, first, n, x.storage, y.storage);
    for (int64_t i = 0; i < n; i++) {
        double at = array_get(dtype, x.storage, i), got = array_get(dtype, y.storage, i);
        double kept = dtype == HEED_F32 ? (double)((float)at * (float)a->factor) : at * a->factor;
        EXPECT(got == (reference_dropout_word(a->seed, a->position, first + i) < a->threshold ? 0 : kept),
               "%s: element %lld of %d is %g from %g", t->name, (long long)(first + i), (int)n, got, at);
    }
    ck_assert_double_eq(array_get(dtype, y.storage, n), 1234);
    t->kernels->dropout(a, first, n, x.storage, x.storage);
    EXPECT(memcmp(x.storage, y.storage, (size_t)n * element_size(dtype)) == 0, "%s: in place", t->name);
}

START_TEST(dropout_follows_its_words)
{
    static const heed__dropout_numbers args[] = {
        {.seed = 42, .position = 7, .threshold = UINT64_C(1) << 31, .factor = 2},
        {.seed = UINT64_MAX, .position = UINT64_MAX, .threshold = 12345678, .factor = 1.0028},
        {.seed = 0x123456789abcdef0, .position = UINT64_C(1) << 32, .threshold = 4000000000, .factor = 14.5},
        {.seed = 1, .threshold = 0, .factor = 1},
        {.seed = 1, .threshold = UINT64_C(1) << 32, .factor = INFINITY},
    };
    static const int64_t firsts[] = {0, 1, 2, 3, 4, 1021, (INT64_C(1) << 34) - 10, (INT64_C(1) << 62) + 1};
    FOR_EACH_TABLE(t)
    for (size_t a = 0; a < sizeof args / sizeof args[0]; a++)
        for (size_t f = 0; f < sizeof firsts / sizeof firsts[0]; f++)
            for (int l = 0; l < LENGTHS; l++)
                check_dropout(&t, &args[a], firsts[f], lengths[l]);
}
END_TEST

HEED_TEST_MAIN("kernels of losses and dropout", pairs_are_right, binary_cross_entropy_is_stable, class_rows_are_right,
               special_logits, smoothed_far_logits, dropout_follows_its_words)
