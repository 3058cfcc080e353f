/* tests/np/test_np_search.c - tests bandwidth searches against all bandwidths of a grid.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>

#include "data_sets.h"
#include "fit.h"

enum { GRID = 200 };

/* Returns the least criterion between a thousandth of the range of x and a hundred times the range. */
static double least_of_grid(heed_tensor *x, heed_tensor *y, heed_np_options options)
{
    const double range = heed_item(heed_max(x)) - heed_item(heed_min(x));
    double least = (double)INFINITY;
    for (int i = 0; i < GRID; i++) {
        const double h = range * exp(log(1e-3) + log(1e5) * i / (GRID - 1));
        options.bandwidths = &h;
        heed_np *fit = fit_of(x, y, &options);
        least = fmin(least, heed_np_get_report(fit).criterion);
        heed_np_free(fit);
    }
    return least;
}

/* Samples with minima far from the rule of thumb, narrower and wider, which a search from the first start alone
 * misses. */
START_TEST(no_bandwidth_is_better)
{
    static const int seeds[] = {1, 37, 41, 118, 199, 253, 307, 336};
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        const int seed = seeds[i], n = 12 + seed * 7 % 90;
        heed_manual_seed((uint64_t)seed);
        heed_tensor *x = seed % 3 ? heed_rand(HEED_F64, HEED_SHAPE(n)) : heed_randn(HEED_F64, HEED_SHAPE(n));
        heed_tensor *noise = heed_mul_scalar(heed_randn(HEED_F64, HEED_SHAPE(n)), 0.1 + 0.2 * (seed % 7));
        heed_tensor *y = heed_add(heed_sin(heed_mul_scalar(x, 1 + seed % 9)), noise);
        const heed_np_options options = {.degree = seed % 2, .criterion = (heed_np_criterion)(seed / 2 % 3)};
        heed_np *fit = fit_of(x, y, &options);
        const double found = heed_np_get_report(fit).criterion, least = least_of_grid(x, y, options);
        ck_assert_msg(found <= least + 1e-4 * fabs(least), "seed %d: %.9g, a grid has %.9g", seed, found, least);
        heed_np_free(fit);
    }
}
END_TEST

/* The expected values are the least of a grid of 200 bandwidths per column, refined; bench/np_minima.c computes them
 * and prints the searches that miss them. */
START_TEST(no_bandwidths_of_any_kernel_are_better)
{
    static const struct {
        int number;
        double least;
    } sets[] = {{9, 0.84045970466045894},     {34, 0.0010554563658219792}, {57, 0.030880588717496771},
                {66, 0.0074878887265059533},  {102, 0.029150890508870066}, {111, 1.579221691112304},
                {113, 0.0011651482966194755}, {148, 0.2994608276687129},   {218, 0.0012329651330593141},
                {234, 0.23810146967149615}};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        const data_set set = data_set_of(sets[i].number);
        heed_np *fit = fit_data_set(&set);
        ck_assert_msg(fit != NULL, "%s", heed_error_message());
        const double found = heed_np_get_report(fit).criterion;
        ck_assert_msg(found <= sets[i].least * (1 + 1e-6), "data set %d: %.9g, a grid has %.9g", set.number, found,
                      sets[i].least);
        heed_np_free(fit);
    }
}
END_TEST

/* At the widest start the criterion is nearly flat and concave. */
START_TEST(wide_starts_come_to_an_end)
{
    static const int64_t rows[] = {40, 300, 1000};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        heed_manual_seed((uint64_t)rows[i]);
        heed_tensor *x = heed_rand(HEED_F64, HEED_SHAPE(rows[i]));
        heed_tensor *noise = heed_mul_scalar(heed_randn(HEED_F64, HEED_SHAPE(rows[i])), 0.3);
        heed_tensor *y = heed_add(heed_sin(heed_mul_scalar(x, 12)), noise);
        for (int degree = 0; degree <= 3; degree++) {
            heed_np *fit = fit_of(x, y, &(heed_np_options){.degree = degree});
            const heed_np_report report = heed_np_get_report(fit);
            ck_assert_msg(!report.stopped && report.evaluations < 250, "%" PRId64 " rows, degree %d: %d evaluations",
                          rows[i], degree, report.evaluations);
            heed_np_free(fit);
        }
    }
}
END_TEST

HEED_TEST_MAIN("np_search", no_bandwidth_is_better, no_bandwidths_of_any_kernel_are_better, wide_starts_come_to_an_end)
