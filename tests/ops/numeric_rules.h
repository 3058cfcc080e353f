/* tests/ops/numeric_rules.h - the rules about special numbers as data, and one check for all of them.
 *
 * A rule is a row of four numbers of which the first `length` are valid, the expected results, and the expected
 * gradient for the incoming gradient 1 3 5 7. A subject is any op that converts such numbers to weights.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_NUMERIC_RULES_H
#define HEED_TESTS_NUMERIC_RULES_H

#include "check_heed.h"

#include <float.h>

enum { WIDTH = 4 };

typedef struct rule {
    const char *name;
    double x[WIDTH];
    int64_t length;
    double y[WIDTH], dx[WIDTH];
    double factor; /* w_v of additive attention */
    bool f64_only;
} rule;

/* RULE("length 0", ROW(1, 2, 3, 4), 0, ROW(0, 0, 0, 0), ROW(0, 0, 0, 0)) */
#define ROW(a, b, c, d)                                                                                                \
    {                                                                                                                  \
        a, b, c, d                                                                                                     \
    }
#define RULE(name_, x_, length_, y_, dx_)                                                                              \
    {                                                                                                                  \
        .name = name_, .x = x_, .length = length_, .y = y_, .dx = dx_                                                  \
    }
#define F64_RULE(name_, x_, length_, y_, dx_)                                                                          \
    {                                                                                                                  \
        .name = name_, .x = x_, .length = length_, .y = y_, .dx = dx_, .f64_only = true                                \
    }
#define KEY_RULE(name_, factor_, x_, length_, y_, dx_)                                                                 \
    {                                                                                                                  \
        .name = name_, .x = x_, .length = length_, .y = y_, .dx = dx_, .factor = factor_                               \
    }

typedef struct subject {
    const char *name;
    heed_tensor *(*run)(heed_tensor *x, const rule *r); /* x (4) -> 4 numbers, of any rank */
    bool unmasked;                                      /* for rules of length 4 only */
    bool mixes;                                         /* results are sums over the row: one NaN spreads to all */
} subject;

static const heed_dtype float_dtypes[] = {HEED_F32, HEED_F64};

/* i64 (1): the rule's length. */
static inline heed_tensor *rule_lens(const rule *r)
{
    return heed_from_array(HEED_I64, HEED_SHAPE(1), &r->length, 1);
}

static inline bool has_nan(const double *values)
{
    bool found = false;
    for (int i = 0; i < WIDTH; i++)
        found = found || isnan(values[i]);
    return found;
}

/* 0 and NaN must match exactly; `all_nan`: all must be NaN. */
static inline void expect_row(heed_tensor *got, const double *expected, bool all_nan, const char *where)
{
    ck_assert_msg(got != NULL, "%s: %s", where, heed_error_message());
    ck_assert_int_eq(heed_numel(got), WIDTH);
    heed_tensor *row = heed_reshape(got, HEED_SHAPE(WIDTH));
    bool f32 = heed_dtype_of(got) == HEED_F32;
    double eps = f32 ? (double)FLT_EPSILON : DBL_EPSILON;
    for (int i = 0; i < WIDTH; i++) {
        double value = heed_get(row, HEED_INDEX(i)), target = all_nan ? (double)NAN
                                                              : f32   ? (double)(float)expected[i]
                                                                      : expected[i];
        bool right = value == target || (isnan(value) && isnan(target)) ||
                     (isfinite(target) && target != 0 && fabs(value - target) <= 8 * eps * fabs(target));
        ck_assert_msg(right, "%s: element %d is %.9g, expected %.9g", where, i, value, target);
    }
}

/* The gradient of sum(a dx), which is a second derivative, is also exactly 0 at masked elements. */
static inline void expect_second_masked(heed_tensor *x, heed_tensor *dx, const rule *r, const char *where)
{
    heed_tensor *second = NULL, *a = heed_reshape(heed_linspace(heed_dtype_of(x), -1, 2, WIDTH), heed_shape_of(dx));
    heed_tensor *sum = heed_sum(heed_mul(dx, a));
    heed_grad_options options = {.allow_unused = true};
    if (sum && !heed_requires_grad(sum)) /* dx does not depend on x */
        return;
    ck_assert_msg(sum && heed_grad(&sum, 1, &x, 1, &second, &options) == HEED_OK, "%s: %s", where,
                  heed_error_message());
    for (int64_t i = r->length; second && i < WIDTH; i++)
        ck_assert_msg(heed_get(second, HEED_INDEX(i)) == 0, "%s: second derivative at %d", where, (int)i);
}

/* Checks forward, backward by the fused rules, backward by the composed ones, and the second backward. */
static inline void check_rule(const rule *r, const subject *s, heed_dtype dtype)
{
    char where[160];
    (void)snprintf(where, sizeof where, "%s, %s, %s", r->name, s->name, heed_dtype_name(dtype));
    if ((r->f64_only && dtype == HEED_F32) || (s->unmasked && r->length < WIDTH))
        return;
    heed_scope *scope = heed_scope_begin();
    heed_tensor *x = heed_set_requires_grad(heed_from_values(dtype, HEED_SHAPE(WIDTH), r->x, WIDTH), true);
    heed_tensor *y = s->run(x, r);
    expect_row(y, r->y, s->mixes && has_nan(r->y), where);
    heed_tensor *g = heed_reshape(HEED_TENSOR(dtype, HEED_SHAPE(WIDTH), 1, 3, 5, 7), heed_shape_of(y)), *dx = NULL;
    for (int composed = 0; composed < 2; composed++) {
        heed_grad_options options = {.grad_outputs = &g, .retain_graph = true, .create_graph = composed};
        ck_assert_msg(heed_grad(&y, 1, &x, 1, &dx, &options) == HEED_OK, "%s: %s", where, heed_error_message());
        expect_row(dx, r->dx, false, where);
    }
    expect_second_masked(x, dx, r, where);
    heed_scope_end(scope);
}

/* Checks every rule on every subject in both dtypes. */
#define CHECK_RULES(rules, subjects)                                                                                   \
    for (size_t r_ = 0; r_ < sizeof(rules) / sizeof(rules)[0]; r_++)                                                   \
        for (size_t s_ = 0; s_ < sizeof(subjects) / sizeof(subjects)[0]; s_++)                                         \
            for (int d_ = 0; d_ < 2; d_++)                                                                             \
    check_rule(&(rules)[r_], &(subjects)[s_], float_dtypes[d_])

#endif
