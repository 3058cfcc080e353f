/* tests/kernels/kernel_arrays.h - arrays of f32 or f64 behind one interface, for the tests of kernels.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_KERNEL_ARRAYS_H
#define HEED_TESTS_KERNEL_ARRAYS_H

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "check_heed.h"
#include "kernel_table.h"

enum { ARRAY_MAX = 1 << 17 };

/* Holds ARRAY_MAX elements of either dtype. */
typedef struct array {
    double storage[ARRAY_MAX];
} array;

static const int64_t lengths[] = {0, 1, 7, 8, 15, 16, 17, 31, 33, 64, 127, 1009};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };

static inline size_t element_size(int dtype)
{
    return dtype == HEED_F32 ? sizeof(float) : sizeof(double);
}

static inline double array_get(int dtype, const void *a, int64_t i)
{
    return dtype == HEED_F32 ? (double)((const float *)a)[i] : ((const double *)a)[i];
}

static inline void array_set(int dtype, void *a, int64_t i, double value)
{
    if (dtype == HEED_F32)
        ((float *)a)[i] = (float)value;
    else
        ((double *)a)[i] = value;
}

/* Returns a pointer to element i. */
static inline void *array_at(int dtype, void *a, int64_t i)
{
    return (char *)a + i * (int64_t)element_size(dtype);
}

/* Returns a number in 0 .. 1; the sequence is the same in every run. */
static inline double draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

static inline void array_draw(int dtype, void *a, int64_t n, double low, double high, uint64_t seed)
{
    for (int64_t i = 0; i < n; i++)
        array_set(dtype, a, i, low + (high - low) * draw(&seed));
}

/* Copies n elements to doubles, for the plain loops of src/kernels/FAMILY/reference.h. */
static inline void array_read(int dtype, const void *a, int64_t n, double *to)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = array_get(dtype, a, i);
}

static inline double epsilon(int dtype)
{
    return dtype == HEED_F32 ? (double)FLT_EPSILON : DBL_EPSILON;
}

static inline double smallest(int dtype)
{
    return dtype == HEED_F32 ? 0x1p-149 : 0x1p-1074;
}

/* Returns the nearest bf16. */
static inline double bf16_of(double number)
{
    uint32_t bits;
    float f = (float)number;
    memcpy(&bits, &f, sizeof bits);
    bits = (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* Returns the distance of y from the exact value in units in the last place; 0 also for an expected NaN. Zeros must
 * have the same sign, and an overflow must be infinite. */
static inline double ulps(int dtype, double y, long double exact)
{
    double rounded = dtype == HEED_F32 ? (double)(float)exact : (double)exact;
    if (isnan(y) || isnan(rounded))
        return isnan(y) && isnan(rounded) ? 0 : HUGE_VAL;
    if (isinf(y) || isinf(rounded))
        return y == rounded ? 0 : HUGE_VAL;
    if (y == 0 && rounded == 0)
        return signbit(y) == signbit(rounded) ? 0 : HUGE_VAL;
    double size = fabs(rounded);
    double unit =
        dtype == HEED_F32 ? (double)(nextafterf((float)size, INFINITY)) - size : nextafter(size, INFINITY) - size;
    return (double)(fabsl((long double)y - exact) / (long double)unit);
}

/* ck_assert_msg for inner loops, since Check writes to a pipe at every one of its assertions. */
#define EXPECT(condition, ...)                                                                                         \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            ck_abort_msg(__VA_ARGS__);                                                                                 \
    } while (0)

static inline bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* The instruction sets of this CPU, scalar first. */
static const char *const isa_names[] = {"scalar", "avx2", "avx512", "neon"};
enum { ISAS = sizeof isa_names / sizeof isa_names[0] };

/* Loops over their tables, for every dtype: FOR_EACH_TABLE(t) { t.kernels->exp(...); } */
typedef struct table_walk {
    int next;
    int dtype;
    const char *isa;
    const kernel_table *kernels;
    char name[16]; /* "avx2 f32" */
} table_walk;

static inline bool table_next(table_walk *t)
{
    for (; t->next < 2 * ISAS; t->next++) {
        t->isa = isa_names[t->next / 2];
        t->dtype = t->next % 2;
        t->kernels = kernels_of(t->isa, (unsigned)t->dtype);
        if (!t->kernels)
            continue;
        (void)snprintf(t->name, sizeof t->name, "%s %s", t->isa, heed_dtype_name((heed_dtype)t->dtype));
        t->next++;
        return true;
    }
    return false;
}

#define FOR_EACH_TABLE(t) for (table_walk t = {0}; table_next(&t);)

/* -- Comparisons with a reference ---------------------------------------------------------------------------------- */

/* The case that is being tested, for messages. */
static char tested_case[200];

__attribute__((format(printf, 1, 2))) static inline void describe_case(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(tested_case, sizeof tested_case, format, args);
    va_end(args);
}

static inline void expect_near(const table_walk *t, const char *what, double got, double expected, int64_t i,
                               double limit)
{
    EXPECT(fabs(got - expected) <= limit, "%s, %s: %s[%d] is %.17g, not %.17g to %.2g", t->name, tested_case, what,
           (int)i, got, expected, limit);
}

/* Errors of at most epsilon (absolute + relative |expected|). */
static inline void expect_all_near(const table_walk *t, const char *what, const array *got, const double *expected,
                                   int64_t n, double absolute, double relative)
{
    for (int64_t i = 0; i < n; i++)
        expect_near(t, what, array_get(t->dtype, got->storage, i), expected[i], i,
                    epsilon(t->dtype) * (absolute + relative * fabs(expected[i])));
}

/* Errors of at most `times` limits[i], where the limits are sums of magnitudes of terms. */
static inline void expect_all_within(const table_walk *t, const char *what, const array *got, const double *expected,
                                     const double *limits, int64_t n, double times)
{
    for (int64_t i = 0; i < n; i++)
        expect_near(t, what, array_get(t->dtype, got->storage, i), expected[i], i,
                    times * limits[i] + smallest(t->dtype));
}

#endif
