/* tests/np/test_np_rules.c - tests bandwidths without a search, as far as oracle.csv does not cover them.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "fit.h"

static double bandwidth_of(heed_np *fit, int c, int count)
{
    double h[HEED_NP_MAX_COLUMNS];
    ck_assert_msg(heed_np_bandwidths(fit, h, count) == HEED_OK, "%s", heed_error_message());
    heed_np_free(fit);
    return h[c];
}

static void load_mcycle(heed_tensor **x, heed_tensor **y)
{
    load(HEED_SOURCE_DIR "/examples/data/mcycle.csv", "times", "accel", x, y);
}

/* The report has CV.LS at the bandwidth and no search. */
START_TEST(the_report)
{
    heed_tensor *x, *y;
    load_mcycle(&x, &y);
    for (heed_np_criterion rule = HEED_NP_RULE; rule <= HEED_NP_PLUG_IN; rule++) {
        heed_np *fit = fit_of(x, y, &(heed_np_options){.degree = 1, .criterion = rule});
        const heed_np_report r = heed_np_get_report(fit);
        const double h = bandwidth_of(fit, 0, 1);
        fit = fit_of(x, y, &(heed_np_options){.degree = 1, .bandwidths = &h});
        ck_assert(r.criterion == heed_np_get_report(fit).criterion && r.evaluations == 0 && r.minima == 0 &&
                  !r.stopped);
        heed_np_free(fit);
    }
}
END_TEST

/* The bandwidth scales with the unit of x and does not depend on the unit of y. */
START_TEST(units)
{
    heed_tensor *x, *y;
    load_mcycle(&x, &y);
    for (heed_np_criterion rule = HEED_NP_RULE; rule <= HEED_NP_PLUG_IN; rule++) {
        const heed_np_options options = {.degree = 1, .criterion = rule};
        const double h = bandwidth_of(fit_of(x, y, &options), 0, 1);
        near(bandwidth_of(fit_of(heed_mul_scalar(x, 1e6), heed_mul_scalar(y, 1e-200), &options), 0, 1) / 1e6, h, 1e-10,
             "h in another unit");
    }
}
END_TEST

/* h for the Epanechnikov kernel is the Gaussian's times the ratio of the canonical bandwidths, 15^(1/5) and (1 / (4
 * pi))^(1/10). */
START_TEST(a_different_kernel)
{
    heed_tensor *x, *y;
    load_mcycle(&x, &y);
    heed_np_options options = {.degree = 1, .criterion = HEED_NP_PLUG_IN};
    const double gauss = bandwidth_of(fit_of(x, y, &options), 0, 1);
    options.kernel = HEED_NW_EPANECHNIKOV;
    near(bandwidth_of(fit_of(x, y, &options), 0, 1), gauss * pow(15, 0.2) * pow(4 * 3.14159265358979323846, 0.1), 1e-12,
         "h of the Epanechnikov");
}
END_TEST

/* For normal columns the constant is Scott's; label columns get 0; a density gets the same bandwidths. */
START_TEST(columns_of_all_kinds)
{
    enum { N = 41 };
    heed_tensor *u = heed_linspace(HEED_F64, -1, 1, N), *v = heed_mul_scalar(u, 3);
    heed_tensor *x = heed_stack(HEED_TENSORS(u, v, heed_round(u)), 1);
    const heed_np_column kinds[] = {HEED_NP_CONTINUOUS, HEED_NP_CONTINUOUS, HEED_NP_ORDERED};
    const heed_np_options options = {.columns = kinds, .criterion = HEED_NP_RULE};
    const double deviation = heed_item(heed_std(u, HEED_ALL_AXES, 1, false)),
                 expected = deviation * pow(N, -1.0 / 6); /* (4 / (2 + 2))^(1 / 6) = 1 */
    near(bandwidth_of(fit_of(x, u, &options), 0, 3), expected, 1e-12, "h");
    near(bandwidth_of(fit_of(x, u, &options), 1, 3), 3 * expected, 1e-12, "h of three times as much");
    ck_assert(bandwidth_of(fit_of(x, u, &options), 2, 3) == 0);
    heed_np *density = heed_np_fit_density(x, &options);
    ck_assert_msg(density != NULL, "%s", heed_error_message());
    ck_assert(isfinite(heed_np_get_report(density).criterion));
    near(bandwidth_of(density, 0, 3), expected, 1e-12, "h of a density");
}
END_TEST

static void fails(heed_tensor *x, heed_tensor *y, const heed_np_options *options, heed_status status, const char *text)
{
    ck_assert(heed_np_fit(x, y, options) == NULL);
    ck_assert_msg(heed_error_code() == status && strstr(heed_error_message(), text), "%s", heed_error_message());
    heed_error_clear();
}

START_TEST(unsupported_uses)
{
    heed_tensor *x, *y;
    double h = 1;
    load_mcycle(&x, &y);
    heed_tensor *two = heed_stack(HEED_TENSORS(x, y), 1), *line = heed_linspace(HEED_F64, 0, 1, 50);
    fails(x, y, &(heed_np_options){.criterion = HEED_NP_PLUG_IN}, HEED_ERR_UNSUPPORTED, "degree 1");
    fails(two, y, &(heed_np_options){.degree = 1, .criterion = HEED_NP_PLUG_IN}, HEED_ERR_UNSUPPORTED,
          "single continuous");
    fails(x, y, &(heed_np_options){.degree = 1, .criterion = HEED_NP_PLUG_IN, .weights = x}, HEED_ERR_UNSUPPORTED,
          "weights");
    fails(x, y, &(heed_np_options){.criterion = HEED_NP_RULE, .bandwidths = &h}, HEED_ERR_ARGUMENT,
          "bandwidths must be NULL and nearest 0");
    fails(x, y, &(heed_np_options){.criterion = HEED_NP_RULE, .nearest = 0.5}, HEED_ERR_ARGUMENT,
          "bandwidths must be NULL and nearest 0");
    fails(heed_zeros_like(line), line, &(heed_np_options){.criterion = HEED_NP_RULE}, HEED_ERR_ARGUMENT,
          "in every row");
    fails(heed_slice(x, 0, 0, 10, 1), heed_slice(y, 0, 0, 10, 1),
          &(heed_np_options){.degree = 1, .criterion = HEED_NP_PLUG_IN}, HEED_ERR_ARGUMENT, "more than 10 rows");
    fails(line, heed_zeros_like(line), &(heed_np_options){.degree = 1, .criterion = HEED_NP_PLUG_IN}, HEED_ERR_ARGUMENT,
          "no bandwidth");
    ck_assert(heed_np_fit_density(x, &(heed_np_options){.criterion = HEED_NP_PLUG_IN}) == NULL);
    ck_assert_error(HEED_ERR_ARGUMENT, "np_fit_density: degree is 0, criterion 4, nearest 0, robust 0: must be 0 for a "
                                       "density, except criterion HEED_NP_RULE");
}
END_TEST

HEED_TEST_MAIN("np_rules", the_report, units, a_different_kernel, columns_of_all_kinds, unsupported_uses)
