/* tests/ops/long_sums.h - sums of a million numbers in f32 with a known exact sum, which test_long_sums.c and
 * test_long_attention.c compute with ops, forward and backward. They must not lose more digits than short sums.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_LONG_SUMS_H
#define HEED_TESTS_LONG_SUMS_H

#include "check_heed.h"
#include "from.h"

#include <stdio.h>

enum { N = 1000000, HALF = N / 2 };

static const double limit = 2e-6;

/* Positive numbers (N), and their sum. */
typedef struct terms {
    heed_tensor *x;
    double sum;
} terms;

enum { ONES, TENTHS, UNIFORM, KINDS };

static inline terms terms_of(int kind, int64_t n)
{
    heed_generator *generator = heed_generator_new(3);
    terms t = {.x = kind == UNIFORM ? FROM(generator, heed_rand(HEED_F32, HEED_SHAPE(n)))
                                    : heed_full(HEED_F32, HEED_SHAPE(n), kind == ONES ? 1 : 0.1)};
    const float *x = heed_data_f32(t.x);
    for (int64_t i = 0; i < n; i++)
        t.sum += (double)x[i];
    heed_generator_free(generator);
    return t;
}

/* -- Parts --------------------------------------------------------------------------------------------------------- */

static inline heed_tensor *column(heed_tensor *x)
{
    return heed_reshape(x, HEED_SHAPE(1, heed_numel(x), 1));
}

static inline heed_tensor *filled(heed_shape shape, double value)
{
    return heed_full(HEED_F32, shape, value);
}

/* 1, -1, 1, ... */
static inline heed_tensor *signs(heed_shape shape)
{
    heed_tensor *x = heed_empty(HEED_F32, shape);
    float *at = heed_mutable_f32(x);
    for (int64_t i = 0; i < heed_numel(x); i++)
        at[i] = i % 2 ? -1 : 1;
    return x;
}

/* The gradient of sum(y g) by x, which y depends on. */
static inline heed_tensor *gradient(heed_tensor *y, heed_tensor *g, heed_tensor *x)
{
    heed_tensor *dx = NULL;
    ck_assert_ptr_nonnull(y);
    ck_assert_int_eq(heed_grad(&y, 1, &x, 1, &dx, &(heed_grad_options){.grad_outputs = &g}), HEED_OK);
    return dx;
}

static inline heed_tensor *leaf(heed_tensor *x)
{
    return heed_set_requires_grad(x, true);
}

static inline double first(heed_tensor *t)
{
    ck_assert_msg(t != NULL, "%s", heed_error_message());
    return heed_item(heed_slice(heed_reshape(t, HEED_SHAPE(heed_numel(t))), 0, 0, 1, 1));
}

static inline double off(double got, double exact)
{
    return fabs(got / exact - 1);
}

typedef struct long_sum {
    const char *name;
    double (*error)(const terms *t); /* relative */
} long_sum;

/* Prints the errors, and requires all of them to be small. */
static inline void check_long_sums(const long_sum *sums, int count)
{
    printf("relative errors of sums of %d f32: ones, 0.1, uniform\n", N);
    for (int i = 0; i < count; i++) {
        double errors[KINDS];
        for (int kind = 0; kind < KINDS; kind++) {
            heed_scope *scope = heed_scope_begin();
            const terms t = terms_of(kind, N);
            errors[kind] = sums[i].error(&t);
            heed_scope_end(scope);
        }
        printf("%-40s %8.1e %8.1e %8.1e\n", sums[i].name, errors[ONES], errors[TENTHS], errors[UNIFORM]);
        (void)fflush(stdout);
        for (int kind = 0; kind < KINDS; kind++)
            ck_assert_msg(errors[kind] <= limit, "%s, terms %d: %g", sums[i].name, kind, errors[kind]);
    }
}

#endif
