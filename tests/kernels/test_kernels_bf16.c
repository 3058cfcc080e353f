/* tests/kernels/test_kernels_bf16.c - tests matmul with pairs of bf16, and with a matrix unit with one or two bf16 per
 * number: exact products of rounded factors, special numbers computed in f32, equal bits for any ranges, and the CPU's
 * instructions against their emulation, to the last bit.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "kernel_arrays.h"
#include "kernels/matmul/reference.h"
#include "system/system.h"

heed__matmul_kernel emulated_matmul;

static array x, y, z, again, plain;
static _Alignas(64) unsigned char scratch[1 << 22];

/* The CPU's variants follow the emulated ones in the same order, if the CPU has them. */
typedef struct variant {
    const char *name, *isa;
    heed__matmul_kernel *kernel;
    int unit;    /* heed__matmul_args.unit */
    int columns; /* columns of B that switch to f32 together */
} variant;
enum { EMULATED = 3 };
static variant variants[2 * EMULATED] = {{"emulated pairs", "scalar", emulated_matmul, 0, 8},
                                         {"emulated unit", "scalar", emulated_matmul, 1, 32},
                                         {"emulated unit, two pieces", "scalar", emulated_matmul, 2, 32},
                                         {"pairs", "avx512", NULL, 0, 32},
                                         {"unit", "avx512", NULL, 1, 32},
                                         {"unit, two pieces", "avx512", NULL, 2, 32}};

/* Random products per test; HEED_ROUNDS raises the number (scripts/torture). */
static int rounds(void)
{
    const char *text = getenv("HEED_ROUNDS");
    return text ? atoi(text) : 30;
}

static int count_variants(void)
{
    const char *named;
    heed__matmul_kernel *kernel = heed__choose_isa(&named) ? heed__matmul_bf16() : NULL;
    variants[3].kernel = variants[4].kernel = variants[5].kernel = kernel;
    return !kernel ? EMULATED : heed__has_matrix_unit() && heed__request_matrix_unit() ? 2 * EMULATED : EMULATED + 1;
}

static void multiply(const variant *by, heed__matmul_args *s, array *c, heed__matmul_range part)
{
    s->unit = by->unit;
    s->c = c->storage;
    const size_t bytes = (size_t)by->kernel(s, &part, NULL);
    ck_assert_uint_lt(bytes, sizeof scratch);
    scratch[bytes] = 0x5a;
    by->kernel(s, &part, scratch);
    EXPECT(scratch[bytes] == 0x5a, "%s: %dx%dx%d writes behind its scratch", by->name, (int)s->m, (int)s->k, (int)s->n);
}

static heed__matmul_range all_of(const heed__matmul_args *s)
{
    return (heed__matmul_range){0, s->m, 0, s->n};
}

static bool same_bits(const array *a, const array *b, int64_t n)
{
    return memcmp(a->storage, b->storage, (size_t)n * sizeof(float)) == 0;
}

static int64_t draw_size(uint64_t *state, int64_t most)
{
    return 1 + (int64_t)(draw(state) * (double)most);
}

/* Makes rows or columns contiguous, or neither. */
static void lay_out(uint64_t *state, int64_t rows, int64_t columns, int64_t *row, int64_t *column)
{
    const double u = draw(state);
    *row = u < 0.4 ? columns : u < 0.8 ? 1 : 2 * columns + 1;
    *column = u < 0.4 ? 1 : u < 0.8 ? rows : 2;
}

static heed__matmul_args draw_product(uint64_t *state, int64_t most)
{
    heed__matmul_args s = {.m = 48 + draw_size(state, most),
                           .k = 31 + draw_size(state, most),
                           .n = 48 + draw_size(state, most),
                           .a = x.storage,
                           .b = z.storage,
                           .c = y.storage,
                           .batches = 1};
    lay_out(state, s.m, s.k, &s.a_row, &s.a_col);
    lay_out(state, s.k, s.n, &s.b_row, &s.b_col);
    return s;
}

/* Draws numbers around 2^size, larger or smaller by a factor of up to 2^(spread / 2). */
static void fill(array *a, uint64_t *state, int size, int spread)
{
    for (int64_t i = 0; i < 2 * ARRAY_MAX; i++) /* the array's capacity is for f64 */
        array_set(HEED_F32, a->storage, i, ldexp(draw(state) - 0.5, size + (int)((draw(state) - 0.5) * spread)));
}

/* The pieces of a number: the nearest bf16, then the bf16 nearest to the rest. */
static double pieces[2][2][2 * ARRAY_MAX]; /* of x and z */

static void split(const array *a, double of[2][2 * ARRAY_MAX])
{
    for (int64_t i = 0; i < 2 * ARRAY_MAX; i++) {
        const double number = array_get(HEED_F32, a->storage, i);
        of[0][i] = bf16_of(number);
        of[1][i] = bf16_of(number - of[0][i]);
    }
}

/* Returns element `at` of the product of the factors as this variant rounds them; the product of second pieces is left
 * out. Adds up the magnitudes of the terms. */
static double product_of(const variant *by, const heed__matmul_args *s, int64_t at, double *size)
{
    static const int used[][2] = {{0, 0}, {0, 1}, {1, 0}};
    static double magnitudes[2][512];
    double sum = 0, part;
    *size = 0;
    for (int p = 0; p < (by->unit == 2 ? 3 : 1); p++) {
        const reference_matrix a = {pieces[0][used[p][0]] + at / s->n * s->a_row, s->a_row, s->a_col};
        const reference_matrix b = {pieces[1][used[p][1]] + at % s->n * s->b_col, s->b_row, s->b_col};
        reference_matmul(1, s->k, 1, a, b, NULL, &part);
        sum += part;
        for (int64_t k = 0; k < s->k; k++) {
            magnitudes[0][k] = fabs(a.at[k * a.column]);
            magnitudes[1][k] = fabs(b.at[k * b.row]);
        }
        reference_matmul(1, s->k, 1, (reference_matrix){magnitudes[0], 0, 1}, (reference_matrix){magnitudes[1], 1, 0},
                         NULL, &part);
        *size += part;
    }
    return sum;
}

/* The only remaining error is the rounding of sums in f32. */
START_TEST(sums_of_rounded_factors)
{
    uint64_t state = 3;
    const int count = count_variants();
    for (int round = 0; round < rounds(); round++) {
        const variant *by = &variants[round % count];
        heed__matmul_args s = draw_product(&state, 90);
        fill(&x, &state, 0, 20);
        fill(&z, &state, 0, 20);
        split(&x, pieces[0]);
        split(&z, pieces[1]);
        multiply(by, &s, &y, all_of(&s));
        for (int64_t at = 0; at < s.m * s.n; at += 7) {
            double size, expected = product_of(by, &s, at, &size), got = array_get(HEED_F32, y.storage, at);
            EXPECT(fabs(got - expected) <= (double)FLT_EPSILON * size * (1 + (double)s.k / 8),
                   "%s: %dx%dx%d, strides %d %d, %d %d: element %d is %.9g, not %.9g", by->name, (int)s.m, (int)s.k,
                   (int)s.n, (int)s.a_row, (int)s.a_col, (int)s.b_row, (int)s.b_col, (int)at, got, expected);
        }
    }
}
END_TEST

/* Sums are large, or temporarily denormal; two pieces can represent all numbers. */
START_TEST(instruction_and_emulation_agree)
{
    uint64_t state = 5;
    const int count = count_variants();
    for (int round = 0; round < rounds(); round++) {
        const int size = round % 3 == 0 ? -60 : 0, spread = round % 3 == 1 ? 100 : 50;
        heed__matmul_args s = draw_product(&state, round % 20 == 0 ? 200 : 60);
        for (int i = EMULATED; i < count; i++) {
            const bool two = variants[i].unit == 2;
            fill(&x, &state, two ? size / 2 : size, two ? 50 : spread);
            fill(&z, &state, two ? size / 2 : size, two ? 50 : spread);
            multiply(&variants[i - EMULATED], &s, &y, all_of(&s));
            multiply(&variants[i], &s, &again, all_of(&s));
            EXPECT(same_bits(&y, &again, s.m * s.n), "%s: %dx%dx%d, round %d", variants[i].name, (int)s.m, (int)s.k,
                   (int)s.n, round);
        }
    }
}
END_TEST

static void put(array *a, int64_t row, int64_t column, int64_t i, int64_t j, double number)
{
    array_set(HEED_F32, a->storage, i * row + j * column, number);
}

/* Groups of 16 rows, or of the columns in two registers, that contain such numbers have the bits of f32; other groups
 * do not. */
START_TEST(numbers_that_bf16_cannot_represent)
{
    static const double numbers[] = {NAN, INFINITY, -INFINITY, 0x1.01p126, -0x1p127, 0x1p-127, -0x1p-149, FLT_MIN / 2};
    uint64_t state = 7;
    const int count = count_variants();
    for (int round = 0; round < rounds(); round++) {
        heed__matmul_args s = draw_product(&state, 90);
        const variant *by = &variants[round % count];
        const double number = by->unit == 2 && round % 8 == 7 ? 0x1p-101 : numbers[round % 8];
        const int64_t row = draw_size(&state, s.m) - 1, column = draw_size(&state, s.n) - 1;
        fill(&x, &state, 0, 5);
        fill(&z, &state, 0, 5);
        put(&x, s.a_row, s.a_col, row, draw_size(&state, s.k) - 1, number);
        if (round % 2)
            put(&z, s.b_row, s.b_col, draw_size(&state, s.k) - 1, column, number);
        const variant f32 = {"f32", by->isa, kernels_of(by->isa, HEED_F32)->matmul, 0, 0};
        multiply(by, &s, &y, all_of(&s));
        multiply(&f32, &s, &plain, all_of(&s));
        int64_t same_elements = 0, others = 0;
        for (int64_t at = 0; at < s.m * s.n; at++) {
            const bool odd = at / s.n / 16 == row / 16 || (round % 2 && at % s.n / by->columns == column / by->columns);
            const float a = ((float *)y.storage)[at], b = ((float *)plain.storage)[at];
            const bool equal = memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)); /* NaN: the sign may differ */
            EXPECT(!odd || equal, "%s, %g: element %d differs from f32", by->name, number, (int)at);
            same_elements += !odd && equal;
            others += !odd;
        }
        EXPECT(same_elements <= others / 20 + 3, "%s, %g: the rest is f32, too", by->name, number);
    }
}
END_TEST

START_TEST(ranges_give_the_same_bits)
{
    uint64_t state = 11;
    const int count = count_variants();
    for (int round = 0; round < rounds(); round++) {
        heed__matmul_args s = draw_product(&state, 150);
        const variant *by = &variants[round % count];
        fill(&x, &state, 0, 5);
        fill(&z, &state, 0, 5);
        put(&x, s.a_row, s.a_col, draw_size(&state, s.m) - 1, 0, NAN);
        put(&z, s.b_row, s.b_col, 0, draw_size(&state, s.n) - 1, 0x1p-130);
        multiply(by, &s, &y, all_of(&s));
        const int64_t i = (draw_size(&state, s.m) - 1) / 16 * 16, j = (draw_size(&state, s.n) - 1) / 32 * 32;
        multiply(by, &s, &again, (heed__matmul_range){0, i, 0, j});
        multiply(by, &s, &again, (heed__matmul_range){i, s.m, 0, j});
        multiply(by, &s, &again, (heed__matmul_range){0, i, j, s.n});
        multiply(by, &s, &again, (heed__matmul_range){i, s.m, j, s.n});
        EXPECT(same_bits(&y, &again, s.m * s.n), "%s: %dx%dx%d cut at %d, %d", by->name, (int)s.m, (int)s.k, (int)s.n,
               (int)i, (int)j);
    }
}
END_TEST

START_TEST(bias_activation_and_batches)
{
    uint64_t state = 13;
    static const float bias[60] = {1, -2, 3};
    const int count = count_variants();
    fill(&x, &state, 0, 5);
    fill(&z, &state, 0, 5);
    for (int i = 0; i < count; i++) {
        heed__matmul_args s = {.m = 50,
                               .k = 33,
                               .n = 60,
                               .a = x.storage,
                               .a_row = 33,
                               .a_col = 1,
                               .b = z.storage,
                               .b_row = 60,
                               .b_col = 1,
                               .batches = 3,
                               .a_batch = 1650,
                               .b_batch = 0,
                               .c_batch = 3000};
        multiply(&variants[i], &s, &y, all_of(&s));
        s.bias = bias;
        s.activation = kernels_of(variants[i].isa, HEED_F32)->relu;
        multiply(&variants[i], &s, &again, all_of(&s));
        for (int64_t at = 0; at < 9000; at++) {
            const float sum = ((float *)y.storage)[at] + bias[at % 60], expected = sum > 0 ? sum : 0;
            EXPECT(((float *)again.storage)[at] == expected, "%s: element %d", variants[i].name, (int)at);
        }
    }
}
END_TEST

/* More terms than are packed at a time, more than HEED_LONG_SUM, more rows and columns than a strip has: the bits do
 * not depend on the ranges, and are the same on the CPU and emulated. */
START_TEST(large_sizes)
{
    static const int64_t sizes[][3] = {{50, 2500, 53}, {52, 4099, 50}, {1100, 40, 50}, {50, 41, 1100}};
    static array first[EMULATED];
    uint64_t state = 17;
    const int count = count_variants();
    fill(&x, &state, 0, 5);
    fill(&z, &state, 0, 5);
    for (int at = 0; at < 4; at++)
        for (int i = 0; i < count; i++) {
            const int64_t m = sizes[at][0], k = sizes[at][1], n = sizes[at][2];
            heed__matmul_args s = {.m = m,
                                   .k = k,
                                   .n = n,
                                   .a = x.storage,
                                   .a_row = k,
                                   .a_col = 1,
                                   .b = z.storage,
                                   .b_row = 1,
                                   .b_col = k,
                                   .batches = 1};
            array *emulated = &first[i % EMULATED];
            multiply(&variants[i], &s, i < EMULATED ? emulated : &again, all_of(&s));
            EXPECT(i < EMULATED || same_bits(emulated, &again, m * n), "%s: %dx%dx%d", variants[i].name, (int)m, (int)k,
                   (int)n);
            for (int64_t row = 0; row < m; row += 512)
                for (int64_t column = 0; column < n; column += 512)
                    multiply(&variants[i], &s, &y,
                             (heed__matmul_range){row, row + 512 < m ? row + 512 : m, column,
                                                  column + 512 < n ? column + 512 : n});
            EXPECT(same_bits(emulated, &y, m * n), "%s: %dx%dx%d in parts", variants[i].name, (int)m, (int)k, (int)n);
        }
}
END_TEST

HEED_TEST_MAIN("kernels_bf16", sums_of_rounded_factors, instruction_and_emulation_agree,
               numbers_that_bf16_cannot_represent, ranges_give_the_same_bits, bias_activation_and_batches, large_sizes)
