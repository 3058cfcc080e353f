/* tests/np/test_np_oracle.c - tests heed/np.h against R's lm, loess, lowess, locfit, sm and KernSmooth. oracle.csv is
 * made by oracle.R, which documents where the definitions differ.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <stdlib.h>

#include "fit.h"

enum { NAME, DATA, DEGREE, KERNEL, BANDWIDTH, NEAREST, ROBUST, QUANTITY, AT, VALUE, TOLERANCE };

static const struct {
    const char *name, *path, *x, *y;
} data_sets[] = {
    {"mcycle", HEED_SOURCE_DIR "/examples/data/mcycle.csv", "times", "accel"},
    {"faithful", HEED_SOURCE_DIR "/examples/data/faithful.csv", "waiting", "eruptions"},
    {"cars", HEED_SOURCE_DIR "/tests/np/cars.csv", "speed", "dist"},
};

static const char *const kernels[] = {"gaussian", "boxcar",    "triangular", "epanechnikov",
                                      "biweight", "triweight", "tricube",    NULL};

static const char *text(const heed_io_csv *csv, int64_t row, int column)
{
    const char *field = heed_io_csv_field(csv, row, column);
    ck_assert_msg(field != NULL, "%s", heed_error_message());
    return field;
}

static double number(const heed_io_csv *csv, int64_t row, int column)
{
    char *end;
    const double value = strtod(text(csv, row, column), &end);
    ck_assert_msg(!*end, "row %d: %s is no number", (int)row, text(csv, row, column));
    return value;
}

static void load_named(const char *name, heed_tensor **x, heed_tensor **y)
{
    size_t i = 0;
    while (i < sizeof data_sets / sizeof *data_sets && strcmp(data_sets[i].name, name) != 0)
        i++;
    ck_assert_msg(i < sizeof data_sets / sizeof *data_sets, "there is no data %s", name);
    load(data_sets[i].path, data_sets[i].x, data_sets[i].y, x, y);
}

static heed_nw_kernel kernel_named(const char *name)
{
    int i = 0;
    while (kernels[i] && strcmp(kernels[i], name) != 0)
        i++;
    ck_assert_msg(kernels[i] != NULL, "there is no kernel %s", name);
    return (heed_nw_kernel)i;
}

static heed_np *fit_of_row(const heed_io_csv *csv, int64_t row)
{
    heed_tensor *x, *y;
    const double h = number(csv, row, BANDWIDTH);
    const bool is_plug_in = strncmp(text(csv, row, NAME), "dpill", 5) == 0,
               is_rule = strcmp(text(csv, row, NAME), "rule") == 0;
    load_named(text(csv, row, DATA), &x, &y);
    return fit_of(x, y,
                  &(heed_np_options){.degree = (int)number(csv, row, DEGREE),
                                     .kernel = kernel_named(text(csv, row, KERNEL)),
                                     .criterion = is_plug_in ? HEED_NP_PLUG_IN
                                                  : is_rule  ? HEED_NP_RULE
                                                             : HEED_NP_CV_LS,
                                     .bandwidths = h > 0 ? &h : NULL,
                                     .nearest = number(csv, row, NEAREST),
                                     .robust = (int)number(csv, row, ROBUST)});
}

static double quantity_of(const heed_np *fit, const char *name, double query)
{
    const heed_np_report r = heed_np_get_report(fit);
    heed_np_prediction p;
    double h;
    ck_assert_int_eq(heed_np_bandwidths(fit, &h, 1), HEED_OK);
    ck_assert_int_eq(heed_np_predict(fit, HEED_TENSOR(HEED_F64, HEED_SHAPE(1), query), NULL, &p), HEED_OK);
    const struct {
        const char *name;
        double value;
    } quantities[] = {
        {"h", h},
        {"trace", r.trace},
        {"trace_squared", r.trace_squared},
        {"sigma", r.sigma},
        {"mean", at(p.mean, 0)},
        {"se", at(p.se, 0)},
        {"norm", at(p.se, 0) / r.sigma},
        {"slope_norm", heed_get(p.slope_se, HEED_INDEX(0, 0)) / r.sigma},
        {"slope", heed_get(p.slopes, HEED_INDEX(0, 0))},
        {"slope_se", heed_get(p.slope_se, HEED_INDEX(0, 0))},
    };
    for (size_t i = 0; i < sizeof quantities / sizeof *quantities; i++)
        if (strcmp(quantities[i].name, name) == 0)
            return quantities[i].value;
    ck_abort_msg("there is no quantity %s", name);
    return 0;
}

/* Checks every row of the file and names all that differ. */
START_TEST(numbers_of_r)
{
    heed_io_csv *csv = heed_io_csv_read(HEED_SOURCE_DIR "/tests/np/oracle.csv", NULL);
    ck_assert_msg(csv != NULL, "%s", heed_error_message());
    int differ = 0;
    ck_assert(heed_io_csv_get_facts(csv).rows > 500 && strcmp(heed_io_csv_name(csv, TOLERANCE), "tolerance") == 0);
    for (int64_t row = 0; row < heed_io_csv_get_facts(csv).rows; row++) {
        heed_scope *scope = heed_scope_begin();
        heed_np *fit = fit_of_row(csv, row);
        const double expected = number(csv, row, VALUE);
        const double got = quantity_of(fit, text(csv, row, QUANTITY), number(csv, row, AT));
        if (!(fabs(got - expected) <= number(csv, row, TOLERANCE) * (1 + fabs(expected)))) {
            differ++;
            fprintf(stderr, "line %d, %s of %s, degree %s, %s, %s at %s: %.15g, not %.15g\n", (int)row + 2,
                    text(csv, row, NAME), text(csv, row, DATA), text(csv, row, DEGREE), text(csv, row, KERNEL),
                    text(csv, row, QUANTITY), text(csv, row, AT), got, expected);
        }
        heed_np_free(fit);
        heed_scope_end(scope);
    }
    heed_io_csv_free(csv);
    ck_assert_int_eq(differ, 0);
}
END_TEST

int main(void)
{
    TCase *tcase = heed_test_case("np_oracle");
    tcase_add_test(tcase, numbers_of_r);
    return heed_run_case("np_oracle", tcase);
}
