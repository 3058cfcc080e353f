/* tests/ops/test_widths.c - kernel regression with widths at the ends of the range of f32 and f64: if the result is
 * finite, no intermediate product or square of a width may be infinite or 0. Forward, weights, and gradients, fused
 * and composed.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include <float.h>

static const heed_dtype dtypes[] = {HEED_F32, HEED_F64};

static double largest(heed_dtype dtype)
{
    return dtype == HEED_F32 ? (double)FLT_MAX : DBL_MAX;
}

static double smallest(heed_dtype dtype)
{
    return dtype == HEED_F32 ? (double)FLT_MIN : DBL_MIN;
}

/* -- One regression, in every way there is ------------------------------------------------------------------------- */

typedef struct problem {
    heed_dtype dtype;
    heed_nw_kernel kernel;
    bool log_width;
    heed_tensor *in[4]; /* queries, keys, values, width: leaves */
} problem;

static heed_tensor *run(const problem *p, heed_tensor **weights)
{
    heed_kernel_regression_options o = {.kernel = p->kernel, .log_width = p->log_width};
    heed_tensor *f = heed_kernel_regression(p->in[0], p->in[1], p->in[2], p->in[3], &o, weights);
    ck_assert_msg(f != NULL, "%s", heed_error_message());
    return f;
}

static void all_finite(const problem *p, const char *what, const heed_tensor *t)
{
    for (int64_t i = 0; i < heed_numel(t); i++) {
        heed_tensor *flat = heed_reshape(heed_detach((heed_tensor *)(uintptr_t)t), HEED_SHAPE(heed_numel(t)));
        double x = heed_get(flat, HEED_INDEX(i));
        ck_assert_msg(isfinite(x), "%s, kernel %d%s, width %g: %s %d is %g", heed_dtype_name(p->dtype), (int)p->kernel,
                      p->log_width ? ", ln h" : "", heed_get(p->in[3], HEED_INDEX(0)), what, (int)i, x);
    }
}

/* Returns the result; results, weights and gradients must be finite. Gradients are also taken by one input at a
 * time, because a width alone takes a different path. */
static heed_tensor *check(const problem *p)
{
    static const char *const names[] = {"dq", "dk", "dv", "dw"};
    heed_tensor *weights = NULL, *f = run(p, NULL);
    all_finite(p, "f", f);
    all_finite(p, "f with weights", run(p, &weights));
    all_finite(p, "weight", weights);
    for (int composed = 0; composed < 2; composed++)
        for (int i = 0; i < 4; i++) {
            heed_tensor *loss = heed_sum(run(p, NULL)), *leaf = p->in[i], *dx = NULL;
            heed_grad_options o = {.create_graph = composed, .allow_unused = true};
            ck_assert_msg(heed_grad(&loss, 1, &leaf, 1, &dx, &o) == HEED_OK, "%s", heed_error_message());
            if (dx)
                all_finite(p, names[i], dx);
        }
    return f;
}

static problem problem_of(heed_dtype dtype, heed_nw_kernel kernel, bool log_width, heed_tensor *q, heed_tensor *k,
                          double w, int64_t widths)
{
    heed_tensor *v = HEED_TENSOR(dtype, HEED_SHAPE(3), 1, 2, 4);
    problem p = {dtype, kernel, log_width, {q, k, v, heed_full(dtype, HEED_SHAPE(widths), log_width ? -log(w) : w)}};
    for (int i = 0; i < 4; i++)
        (void)heed_set_requires_grad(p.in[i], true);
    return p;
}

/* Queries on keys, between them, and next to them. */
static problem in_line(heed_dtype dtype, heed_nw_kernel kernel, bool log_width, double w)
{
    heed_tensor *q = HEED_TENSOR(dtype, HEED_SHAPE(4), -1, 0, 0.25, 3),
                *k = HEED_TENSOR(dtype, HEED_SHAPE(3), -1, 0, 1);
    return problem_of(dtype, kernel, log_width, q, k, w, 1);
}

/* -- Tests --------------------------------------------------------------------------------------------------------- */

START_TEST(huge_widths_leave_the_nearest)
{
    for (int d = 0; d < 2; d++)
        for (int log_width = 0; log_width < 2; log_width++)
            for (double part = 1; part > 1e-30; part /= 1e4) {
                double w = pow(largest(dtypes[d]), log_width ? 0.9 : 1) * part;
                const problem p = in_line(dtypes[d], HEED_NW_GAUSSIAN, log_width, w);
                static const double nearest[] = {1, 2, 2, 4};
                heed_tensor *f = check(&p);
                for (int i = 0; i < 4 && w > 1e9; i++)
                    ck_assert_double_eq(heed_get(f, HEED_INDEX(i)), nearest[i]);
            }
}
END_TEST

/* ln h beyond the range of 1 / h. */
START_TEST(infinite_widths_leave_the_nearest)
{
    for (int d = 0; d < 2; d++) {
        problem p = in_line(dtypes[d], HEED_NW_GAUSSIAN, true, 1);
        p.in[3] = heed_set_requires_grad(heed_full(dtypes[d], HEED_SHAPE(1), -5000), true);
        ck_assert_double_eq(heed_get(check(&p), HEED_INDEX(1)), 2);
    }
}
END_TEST

START_TEST(tiny_widths_average)
{
    for (int d = 0; d < 2; d++)
        for (int sign = -1; sign <= 1; sign += 2) {
            const double widths[] = {0, smallest(dtypes[d]), smallest(dtypes[d]) * 0x1p-20, sqrt(smallest(dtypes[d]))};
            for (int i = 0; i < 4; i++) {
                const problem p = in_line(dtypes[d], HEED_NW_GAUSSIAN, false, sign * widths[i]);
                ck_assert_near(heed_get(check(&p), HEED_INDEX(2)), 7.0 / 3, 1e-6);
            }
        }
}
END_TEST

/* The distances of the data and the widths are scaled by the same factor. f, the weights and w df / dw must stay the
 * same. */
START_TEST(widths_scale_with_the_data)
{
    for (int d = 0; d < 2; d++)
        for (int exponent = -90; exponent <= 90; exponent += 30) {
            double by = ldexp(1, dtypes[d] == HEED_F32 ? exponent : 10 * exponent);
            heed_tensor *dw[2];
            for (int scaled = 0; scaled < 2; scaled++) {
                problem p = in_line(dtypes[d], HEED_NW_GAUSSIAN, false, 0.75 / (scaled ? by : 1));
                for (int i = 0; i < 2; i++)
                    p.in[i] = heed_set_requires_grad(heed_mul_scalar(heed_detach(p.in[i]), scaled ? by : 1), true);
                heed_tensor *f = check(&p), *sum = heed_sum(f);
                ck_assert_int_eq(heed_grad(&sum, 1, &p.in[3], 1, &dw[scaled], NULL), HEED_OK);
                dw[scaled] = heed_mul(dw[scaled], heed_detach(p.in[3]));
            }
            ck_assert_near(heed_item(dw[1]), heed_item(dw[0]), 1e-6);
        }
}
END_TEST

/* Two components: no key is at distance 0 in both, and every u overflows. The nearest key still wins. */
START_TEST(huge_widths_of_vectors)
{
    for (int d = 0; d < 2; d++)
        for (int widths = 1; widths <= 2; widths++)
            for (double part = 1; part > 1e-30; part /= 1e4) {
                double w = largest(dtypes[d]) * part;
                heed_tensor *q = HEED_TENSOR(dtypes[d], HEED_SHAPE(2, 2), 0, 0, 3, 3);
                heed_tensor *k = HEED_TENSOR(dtypes[d], HEED_SHAPE(3, 2), 0, 5, 4, 0, 6, 6), *weights = NULL;
                const problem p = problem_of(dtypes[d], HEED_NW_GAUSSIAN, false, q, k, w, widths);
                heed_tensor *f = check(&p);
                ck_assert_double_eq(heed_get(f, HEED_INDEX(0)), 2);
                ck_assert_double_eq(heed_get(f, HEED_INDEX(1)), 2);
                (void)run(&p, &weights);
                ck_assert_double_eq(heed_get(weights, HEED_INDEX(0, 1)), 1);
            }
}
END_TEST

START_TEST(windows_of_any_width)
{
    static const heed_nw_kernel kernels[] = {HEED_NW_BOXCAR,   HEED_NW_TRIANGULAR, HEED_NW_EPANECHNIKOV,
                                             HEED_NW_BIWEIGHT, HEED_NW_TRIWEIGHT,  HEED_NW_TRICUBE};
    for (int d = 0; d < 2; d++)
        for (int i = 0; i < 6; i++)
            for (int log_width = 0; log_width < 2; log_width++) {
                const problem huge = in_line(dtypes[d], kernels[i], log_width, largest(dtypes[d]));
                const problem tiny = in_line(dtypes[d], kernels[i], log_width, smallest(dtypes[d]));
                ck_assert_double_eq(heed_get(check(&huge), HEED_INDEX(1)), 2);
                ck_assert_near(heed_get(check(&tiny), HEED_INDEX(1)), 7.0 / 3, 1e-6);
            }
}
END_TEST

HEED_TEST_MAIN("widths at the ends", huge_widths_leave_the_nearest, infinite_widths_leave_the_nearest,
               tiny_widths_average, widths_scale_with_the_data, huge_widths_of_vectors, windows_of_any_width)
