/* tests/np/test_np_differentiated.c - tests the criteria of heed/np.h as ops: heed_kernel_regression of ln h gives the
 * same values and derivatives, and also second derivatives.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "fit.h"

#include "np/search.h"

typedef struct problem {
    heed_tensor *x, *y;
    heed_np_criterion criterion;
    heed_kernel_regression_options options;
} problem;

/* The inputs are ln h (d) and, unless y is the problem's, y (n). */
static heed_tensor *criterion_of(const problem *p, heed_tensor *log_h, heed_tensor *y)
{
    const double n = (double)heed_numel(p->y);
    heed_kernel_regression_options o = p->options;
    heed_tensor *h = NULL; /* H, (n, n) */
    o.log_width = true;
    o.leave_one_out = p->criterion == HEED_NP_CV_LS;
    heed_tensor *m = heed_kernel_regression(p->x, p->x, y, log_h, &o, o.leave_one_out ? NULL : &h);
    heed_tensor *mean = heed_mean(heed_square(heed_sub(y, m)));
    if (o.leave_one_out)
        return mean;
    heed_tensor *trace = heed_mul_scalar(heed_sum(heed_diagonal(h, 0, 0, 1)), 1 / n); /* tr H / n */
    if (p->criterion == HEED_NP_GCV)
        return heed_div(mean, heed_square(heed_add_scalar(heed_neg(trace), 1)));
    heed_tensor *rest = heed_add_scalar(heed_neg(trace), 1 - 2 / n);
    return heed_add(heed_log(mean), heed_div(heed_add_scalar(trace, 1), rest));
}

static heed_tensor *of_widths(heed_tensor *const *in, void *user)
{
    const problem *p = user;
    return criterion_of(p, in[0], p->y);
}

static heed_tensor *of_widths_and_values(heed_tensor *const *in, void *user)
{
    return criterion_of(user, in[0], in[1]);
}

/* Returns the value of the criterion and its derivatives with respect to ln h, as heed/np.h computes them. */
static heed__np_value own_value(const problem *p, const double *h)
{
    heed__np_data data;
    heed__np_locals locals;
    heed__np_value value;
    ck_assert(heed__np_read(&data, p->x, p->y, &(heed_np_options){.degree = p->options.degree}));
    heed__np_smoother s = {.data = &data, .degree = p->options.degree, .kernel = p->options.kernel};
    memcpy(s.h, h, (size_t)data.columns * sizeof *h);
    ck_assert(heed__np_locals_new(&locals, data.columns, data.keys) &&
              heed__np_criterion(&s, p->criterion, true, &locals, &value));
    heed__np_locals_free(&locals);
    heed__np_data_free(&data);
    return value;
}

static void compare(problem *p, const double *h, int d)
{
    enum { MAX_COLUMNS = 3 };
    const double step = 1e-5;
    heed_tensor *log_h = heed_zeros(HEED_F64, HEED_SHAPE(d)), *gradient, *hessian;
    for (int c = 0; c < d; c++)
        heed_set_(log_h, HEED_INDEX(c), log(h[c]));
    const heed__np_value own = own_value(p, h);
    heed_tensor *value = heed_vjp(of_widths, p, &log_h, 1, NULL, &gradient, NULL);
    ck_assert_msg(value && heed_hessian(of_widths, p, &log_h, 1, &hessian, NULL), "%s", heed_error_message());
    near(heed_item(value), own.value, 1e-10, "the criterion");
    for (int c = 0; c < d; c++) {
        double above[MAX_COLUMNS], below[MAX_COLUMNS];
        memcpy(above, h, (size_t)d * sizeof *h);
        memcpy(below, h, (size_t)d * sizeof *h);
        above[c] *= exp(step);
        below[c] *= exp(-step);
        const heed__np_value high = own_value(p, above), low = own_value(p, below);
        near(at(gradient, c), own.slopes[c], 1e-10, "a derivative");
        for (int b = 0; b < d; b++)
            near(heed_get(hessian, HEED_INDEX(b, c)), (high.slopes[b] - low.slopes[b]) / (2 * step), 1e-6,
                 "a second derivative");
    }
}

static const heed_np_criterion criteria[] = {HEED_NP_CV_LS, HEED_NP_AICC, HEED_NP_GCV};

/* All degrees, and kernels whose windows end between keys for this h. */
START_TEST(one_column)
{
    static const heed_nw_kernel kernels[] = {HEED_NW_GAUSSIAN, HEED_NW_EPANECHNIKOV, HEED_NW_TRIWEIGHT};
    problem p = {.criterion = criteria[_i]};
    load(HEED_SOURCE_DIR "/examples/data/mcycle.csv", "times", "accel", &p.x, &p.y);
    for (int degree = 0; degree <= 2; degree++)
        for (int k = 0; k < 3; k++) {
            p.options = (heed_kernel_regression_options){.degree = degree, .kernel = kernels[k]};
            compare(&p, &(double){k == 0 ? 1.5 : 7.0311}, 1);
        }
}
END_TEST

/* A product of Gaussians is the Gaussian of the distance. */
START_TEST(three_columns)
{
    problem p = {.criterion = criteria[_i], .options = {.degree = 1}};
    heed_io_csv *csv = heed_io_csv_read(HEED_SOURCE_DIR "/examples/data/airquality.csv", NULL);
    ck_assert_int_eq(heed_io_csv_skip_missing(csv, HEED_NAMES("Ozone", "Solar.R", "Wind", "Temp")), HEED_OK);
    p.y = heed_io_csv_column(csv, "Ozone", HEED_F64);
    p.x = heed_io_csv_matrix(csv, HEED_NAMES("Solar.R", "Wind", "Temp"), HEED_F64);
    heed_io_csv_free(csv);
    compare(&p, (const double[]){120, 1.5, 3.4}, 3);
}
END_TEST

/* The derivative of the optimal bandwidth by a value of y: computed from the derivatives, and by fitting changed
 * values. */
START_TEST(the_minimum_moves)
{
    problem p = {.options = {.degree = 1}};
    load(HEED_SOURCE_DIR "/examples/data/mcycle.csv", "times", "accel", &p.x, &p.y);
    double h[3];
    heed_tensor *moved[] = {p.y, heed_clone(p.y), heed_clone(p.y)};
    for (int i = 1; i < 3; i++)
        heed_set_(moved[i], HEED_INDEX(40), at(p.y, 40) + (i == 1 ? 2 : -2));
    for (int i = 0; i < 3; i++) {
        heed_np *fit = fit_of(p.x, moved[i], &(heed_np_options){.degree = 1});
        ck_assert_int_eq(heed_np_bandwidths(fit, &h[i], 1), HEED_OK);
        heed_np_free(fit);
    }
    heed_tensor *inputs[] = {HEED_TENSOR(HEED_F64, HEED_SHAPE(1), log(h[0])), p.y};
    heed_tensor *along[] = {heed_ones(HEED_F64, HEED_SHAPE(1)), heed_zeros_like(p.y)}, *second[2];
    ck_assert_msg(heed_hvp(of_widths_and_values, &p, inputs, 2, along, second, NULL), "%s", heed_error_message());
    const double slope = -at(second[1], 40) / at(second[0], 0), measured = (log(h[1]) - log(h[2])) / 4;
    ck_assert_msg(fabs(slope - measured) < 0.01 * fabs(measured), "ln h moves by %g, not %g", measured, slope);
}
END_TEST

int main(void)
{
    TCase *tcase = heed_test_case("np_differentiated");
    tcase_add_loop_test(tcase, one_column, 0, 3);
    tcase_add_loop_test(tcase, three_columns, 0, 3);
    tcase_add_test(tcase, the_minimum_moves);
    return heed_run_case("np_differentiated", tcase);
}
