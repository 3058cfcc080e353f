/* tests/np/test_np_search.c - searches for bandwidths, against all bandwidths of a grid. */

#include <inttypes.h>

#include "fit.h"

enum { GRID = 200 };

/* The least of the criterion between a thousandth of the range of x and a hundred times it. */
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

/* Samples with minima far from the rule of thumb, narrower and wider, which the first start alone misses. */
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

/* The widest start lies where the criterion is nearly flat, and bends the other way. */
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

HEED_TEST_MAIN("np_search", no_bandwidth_is_better, wide_starts_come_to_an_end)
