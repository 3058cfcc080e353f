/* tests/np/test_np_quantile.c - tests quantiles around a query, against linear programs (quantiles.py) and by their
 * definition.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "fit.h"

static heed_tensor *quantiles(const heed_np *fit, heed_tensor *x, double level)
{
    heed_tensor *found = heed_np_quantile(fit, x, level);
    ck_assert_msg(found != NULL, "%s", heed_error_message());
    return found;
}

static heed_np *motorcycles(const heed_np_options *options)
{
    heed_tensor *x, *y;
    load(HEED_SOURCE_DIR "/examples/data/mcycle.csv", "times", "accel", &x, &y);
    return fit_of(x, y, options);
}

/* Equal times are one key; all of its rows count. */
START_TEST(one_column)
{
    static const double levels[] = {0.1, 0.5, 0.9};
    static const double expected[3][4] = {{-8.295238095, -127.9184211, -27.468, -19.8537037},
                                          {-2.7, -108.75, 30.88846154, 1.575},
                                          {-0.3108695652, -60.00641026, 72.21923077, 10.7}};
    heed_np *fit = motorcycles(&(heed_np_options){.degree = 1, .bandwidths = (double[]){2.0}});
    heed_tensor *q = HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 10.3, 21.7, 35.1, 50.9);
    for (int i = 0; i < 3; i++) {
        heed_tensor *found = quantiles(fit, q, levels[i]);
        for (int j = 0; j < 4; j++)
            near(at(found, j), expected[i][j], 1e-9, "a quantile");
    }
    heed_np_free(fit);
}
END_TEST

START_TEST(two_columns)
{
    heed_io_csv *csv = heed_io_csv_read(HEED_SOURCE_DIR "/examples/data/airquality.csv", NULL);
    ck_assert_int_eq(heed_io_csv_skip_missing(csv, HEED_NAMES("Ozone", "Wind", "Temp")), HEED_OK);
    heed_tensor *x = heed_io_csv_matrix(csv, HEED_NAMES("Wind", "Temp"), HEED_F64),
                *y = heed_io_csv_column(csv, "Ozone", HEED_F64);
    heed_io_csv_free(csv);
    heed_np *fit = fit_of(x, y, &(heed_np_options){.degree = 1, .bandwidths = (double[]){3.0, 6.0}});
    heed_tensor *q = HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 2), 8.3, 80.2);
    near(heed_item(quantiles(fit, q, 0.25)), 30.92183288, 1e-9, "25 %");
    near(heed_item(quantiles(fit, q, 0.75)), 54.46208531, 1e-9, "75 %");
    heed_np_free(fit);
}
END_TEST

/* For degree 0 the quantile is one of the y: rows at or below it have at least the share `level` of the weight, rows
 * below it have at most that share. */
START_TEST(constants)
{
    heed_tensor *x, *y;
    load(HEED_SOURCE_DIR "/examples/data/mcycle.csv", "times", "accel", &x, &y);
    heed_np *fit = fit_of(x, y, &(heed_np_options){.bandwidths = (double[]){1.5}});
    for (double level = 0.05; level < 1; level += 0.15) {
        const double found = heed_item(quantiles(fit, heed_full(HEED_F64, HEED_SHAPE(1), 30.0), level));
        double below = 0, at_level = 0, all = 0;
        for (int i = 0; i < 133; i++) {
            const double u = (at(x, i) - 30) / 1.5, w = exp(-u * u / 2);
            all += w;
            below += at(y, i) < found ? w : 0;
            at_level += at(y, i) == found ? w : 0;
        }
        ck_assert_double_lt(below, level * all * (1 + 1e-9));
        ck_assert_double_ge(below + at_level, level * all * (1 - 1e-9));
        ck_assert_double_gt(at_level, 0);
    }
    heed_np_free(fit);
}
END_TEST

/* Units, a shift far from 0 and the number of threads do not matter. */
static heed_tensor *in_units(double unit, double offset)
{
    heed_tensor *x, *y;
    load(HEED_SOURCE_DIR "/examples/data/mcycle.csv", "times", "accel", &x, &y);
    heed_np *fit = fit_of(heed_add_scalar(x, offset), heed_mul_scalar(y, unit),
                          &(heed_np_options){.degree = 1, .bandwidths = (double[]){2.0}, .robust = 1});
    heed_tensor *found = quantiles(fit, heed_add_scalar(HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 11, 21, 70), offset), 0.3);
    heed_np_free(fit);
    return heed_mul_scalar(found, 1 / unit);
}

START_TEST(units_and_lines)
{
    heed_tensor *plain = in_units(1, 0), *small = in_units(0x1p-600, 0), *far = in_units(1, 1048576);
    heed_set_num_threads(3);
    ck_assert(hash_tensor(HASH_BEGIN, plain) == hash_tensor(HASH_BEGIN, in_units(1, 0)));
    heed_set_num_threads(1);
    ck_assert(hash_tensor(HASH_BEGIN, plain) == hash_tensor(HASH_BEGIN, in_units(1, 0)));
    for (int i = 0; i < 3; i++) {
        near(at(small, i), at(plain, i), 1e-9, "in another unit");
        near(at(far, i), at(plain, i), 1e-6, "far from 0");
    }
    heed_tensor *x = heed_linspace(HEED_F64, 0, 1, 30), *y = heed_add_scalar(heed_mul_scalar(x, 3), 2);
    heed_np *fit = fit_of(x, y, &(heed_np_options){.degree = 1, .kernel = HEED_NW_TRICUBE, .nearest = 0.5});
    near(heed_item(quantiles(fit, HEED_TENSOR(HEED_F64, HEED_SHAPE(1), 0.4), 0.8)), 3.2, 1e-9, "a line");
    heed_np_free(fit);
}
END_TEST

/* The rows in the window do not determine a plane: one row, rows with the same x, two equal columns. */
START_TEST(few_rows)
{
    heed_tensor *x = HEED_TENSOR(HEED_F64, HEED_SHAPE(5), 0, 1, 1, 1, 5),
                *y = HEED_TENSOR(HEED_F64, HEED_SHAPE(5), 7, 1, 2, 3, 9);
    const heed_np_options options = {.degree = 1, .kernel = HEED_NW_EPANECHNIKOV, .bandwidths = (double[]){0.5}};
    heed_np *fit = fit_of(x, y, &options);
    heed_tensor *found = quantiles(fit, HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 0.1, 1.2, 3, 5.1), 0.5);
    const double expected[] = {7, 2, (double)NAN, 9};
    for (int i = 0; i < 4; i++)
        if (isnan(expected[i]))
            ck_assert(isnan(at(found, i)));
        else
            near(at(found, i), expected[i], 1e-9, "of few rows");
    heed_np_free(fit);

    heed_tensor *t = heed_linspace(HEED_F64, 0, 1, 40), *twice = heed_stack(HEED_TENSORS(t, t), 1);
    fit = fit_of(twice, heed_square(t), &(heed_np_options){.degree = 1, .bandwidths = (double[]){0.2, 0.2}});
    heed_np *once = fit_of(t, heed_square(t), &(heed_np_options){.degree = 1, .bandwidths = (double[]){0.2 / sqrt(2)}});
    near(heed_item(quantiles(fit, heed_full(HEED_F64, HEED_SHAPE(1, 2), 0.31), 0.7)),
         heed_item(quantiles(once, heed_full(HEED_F64, HEED_SHAPE(1), 0.31), 0.7)), 1e-9, "one column twice");
    heed_np_free(once);
    heed_np_free(fit);
}
END_TEST

START_TEST(mistakes)
{
    heed_np *fit = motorcycles(&(heed_np_options){.degree = 2, .bandwidths = (double[]){2.0}});
    heed_tensor *q = heed_ones(HEED_F64, HEED_SHAPE(1));
    ck_assert(!heed_np_quantile(fit, q, 0.5));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "np_quantile: degree is 2: must be 0 or 1");
    heed_np_free(fit);
    fit = motorcycles(&(heed_np_options){.bandwidths = (double[]){2.0}});
    ck_assert(!heed_np_quantile(fit, q, 1));
    ck_assert_error(HEED_ERR_ARGUMENT, "np_quantile: level is 1: must be above 0 and below 1");
    ck_assert(!heed_np_quantile(fit, NULL, 0.5));
    ck_assert_error(HEED_ERR_ARGUMENT, "np_quantile: the tensor is NULL");
    heed_np_free(fit);
}
END_TEST

HEED_TEST_MAIN("np_quantile", one_column, two_columns, constants, units_and_lines, few_rows, mistakes)
