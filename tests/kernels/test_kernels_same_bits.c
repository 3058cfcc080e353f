/* tests/kernels/test_kernels_same_bits.c - tests that elementwise kernels and rotary embedding give the same bits on
 * every instruction set with fma.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "kernel_arrays.h"
#include "kernel_list.h"

enum { CHUNK = 4096 };

static array a, b, y, expected;

static const double p[2] = {0.75, 2};

typedef struct binary {
    const char *name;
    size_t offset; /* in kernel_table */
} binary;

static const binary binaries[] = {
#define ENTRY(name) {#name, offsetof(kernel_table, name)},
#define BINARY(name, numbers, formula) ENTRY(name)
#define BINARY_VEC(name, locals, formula, ulps, exact) ENTRY(name)
#define BINARY_OWN(name) ENTRY(name)
#include "kernels/kernels.def"
#undef ENTRY
};
enum { BINARIES = sizeof binaries / sizeof binaries[0] };

static heed__binary_kernel *binary_kernel(const kernel_table *table, const binary *f)
{
    return *(heed__binary_kernel *const *)(const void *)((const char *)table + f->offset);
}

/* The first instruction set with fma, for this dtype. NULL if the CPU lacks fma. */
static const kernel_table *kernels_with_fma(int dtype)
{
    for (int i = 1; i < ISAS; i++)
        if (kernels_of(isa_names[i], (unsigned)dtype))
            return kernels_of(isa_names[i], (unsigned)dtype);
    return NULL;
}

/* Calls the statement for every table with fma other than `first`. */
#define FOR_EACH_OTHER_TABLE(t, first)                                                                                 \
    FOR_EACH_TABLE(t)                                                                                                  \
    for (const kernel_table *first = kernels_with_fma(t.dtype);                                                        \
         first && strcmp(t.isa, "scalar") != 0 && first != t.kernels; first = NULL)

/* Fills x with bit patterns: signs, exponents and mantissas are random. Every third element is in -16 .. 16. */
static void draw_bits(int dtype, void *x, int64_t n, uint64_t *state)
{
    for (int64_t i = 0; i < n; i++) {
        const double near = 32 * draw(state) - 16;
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        const uint32_t low = (uint32_t)(*state >> 32);
        if (i % 3 == 0)
            array_set(dtype, x, i, near);
        else if (dtype == HEED_F32)
            memcpy((float *)x + i, &low, sizeof low);
        else
            memcpy((double *)x + i, state, sizeof *state);
    }
}

/* NaN may have any sign and payload. */
static void expect_same_bits(const table_walk *t, const char *name, int64_t n)
{
    const size_t size = element_size(t->dtype);
    if (memcmp(y.storage, expected.storage, (size_t)n * size) == 0)
        return;
    for (int64_t i = 0; i < n; i++) {
        const double got = array_get(t->dtype, y.storage, i), other = array_get(t->dtype, expected.storage, i);
        EXPECT(same(got, other) && (isnan(got) || signbit(got) == signbit(other)),
               "%s %s of %.17g, %.17g is %.17g, not %.17g", t->name, name, array_get(t->dtype, a.storage, i),
               array_get(t->dtype, b.storage, i), got, other);
    }
}

START_TEST(one_input)
{
    FOR_EACH_OTHER_TABLE(t, first)
    for (int f = 0; f < UNARIES; f++) {
        uint64_t state = 7;
        for (int part = 0; part < 24; part++) {
            const int64_t n = CHUNK - part;
            draw_bits(t.dtype, a.storage, n, &state);
            unary_kernel(first, &unaries[f])(n, a.storage, 1, expected.storage, p);
            unary_kernel(t.kernels, &unaries[f])(n, a.storage, 1, y.storage, p);
            expect_same_bits(&t, unaries[f].name, n);
        }
    }
}
END_TEST

START_TEST(two_inputs)
{
    FOR_EACH_OTHER_TABLE(t, first)
    for (int f = 0; f < BINARIES; f++) {
        uint64_t state = 8;
        for (int part = 0; part < 12; part++) {
            const int64_t n = CHUNK - part;
            draw_bits(t.dtype, a.storage, n, &state);
            draw_bits(t.dtype, b.storage, n, &state);
            binary_kernel(first, &binaries[f])(n, a.storage, 1, b.storage, 1, expected.storage, p);
            binary_kernel(t.kernels, &binaries[f])(n, a.storage, 1, b.storage, 1, y.storage, p);
            expect_same_bits(&t, binaries[f].name, n);
        }
    }
}
END_TEST

START_TEST(rotary_embedding)
{
    FOR_EACH_OTHER_TABLE(t, first)
    for (int64_t pairs = 1; pairs < 70; pairs++)
        for (int way = 0; way < 4; way++) {
            const int64_t n = 2 * pairs + 3, rows = 5;
            const heed__rope_args args = {
                .n = n, .pairs = pairs, .table_row = 2 * pairs, .interleaved = way % 2 == 1, .back = way / 2 == 1};
            array_draw(t.dtype, a.storage, rows * n, -3, 3, (uint64_t)pairs);
            array_draw(t.dtype, b.storage, rows * 2 * pairs, -1, 1, (uint64_t)pairs + 1);
            first->rope(&args, rows, b.storage, a.storage, expected.storage);
            t.kernels->rope(&args, rows, b.storage, a.storage, y.storage);
            expect_same_bits(&t, "rope", rows * n);
        }
}
END_TEST

HEED_TEST_MAIN("kernels with the same bits", one_input, two_inputs, rotary_embedding)
