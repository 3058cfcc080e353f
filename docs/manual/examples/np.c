/* np.c - examples of heed/np.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>

static void example_fit(heed_tensor *x, heed_tensor *y)
{
    /* [heed_np_fit heed_np_free heed_np_bandwidths heed_np_get_report] */
    heed_np *fit = heed_np_fit(x, y, &(heed_np_options){.degree = 1, .criterion = HEED_NP_AICC});
    double h;
    heed_np_bandwidths(fit, &h, 1);
    heed_np_report report = heed_np_get_report(fit);
    printf("h %.4f, R2 %.4f, %.2f parameters\n", h, report.r2,
           report.trace); /* -> h 0.0874, R2 0.9991, 15.22 parameters */
    heed_np_free(fit);
    /* [] */
}

static void example_rows(heed_np *fit)
{
    /* [heed_np_fitted heed_np_residuals heed_np_leverages heed_np_robust_weights] */
    heed_print(heed_max(heed_abs(heed_np_residuals(fit))), stdout);    /* -> tensor(0.0111, shape=(), dtype=f64) */
    heed_tensor *most = heed_argmax(heed_np_leverages(fit), 0, false); /* the most influence on its own fit */
    heed_print(heed_index_select(heed_np_fitted(fit), 0, heed_unsqueeze(most, 0)), stdout);
    /* -> tensor([-0.0056], shape=(1), dtype=f64) */
    heed_print(heed_min(heed_np_robust_weights(fit)), stdout); /* -> tensor(1., shape=(), dtype=f64) */
    /* [] */
}

static void example_minima(heed_np *fit)
{
    /* [heed_np_minimum] */
    const int minima = heed_np_get_report(fit).minima;
    for (int i = 0; i < minima; i++) {
        double h, value = heed_np_minimum(fit, i, &h, 1);
        printf("h %.4f: %.6f\n", h, value); /* -> h 0.0366: 0.000132 */
    }
    /* [] */
}

static void example_predict(heed_np *fit)
{
    /* [heed_np_predict] */
    heed_tensor *grid = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 0.5, 1.5, 2.5);
    heed_np_prediction at;
    heed_np_predict(fit, grid, &(heed_np_predict_options){.band = HEED_NP_BAND_SIMULTANEOUS, .seed = 1}, &at);
    heed_print(at.mean, stdout); /* -> tensor([0.4780, 0.9950, 0.5970], shape=(3), dtype=f64) */
    heed_print(at.se, stdout);   /* -> tensor([0.0058, 0.0058, 0.0058], shape=(3), dtype=f64) */
    heed_print(at.slopes, stdout);
    /* -> tensor([[ 1.0391],
     *            [ 0.0568],
     *            [-0.7355]], shape=(3, 1), dtype=f64) */
    /* [] */
}

static void example_quantile(heed_tensor *x)
{
    /* [heed_np_quantile] */
    heed_tensor *y = heed_mul(x, heed_rand_like(x)); /* uniform in 0 .. x */
    heed_np *fit = heed_np_fit(x, y, &(heed_np_options){.degree = 1, .bandwidths = (double[]){0.5}});
    heed_tensor *at = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 0.5, 1.5, 2.5);
    heed_print(heed_np_quantile(fit, at, 0.1), stdout); /* -> tensor([0.0559, 0.1366, 0.2553], shape=(3), dtype=f64) */
    heed_print(heed_np_quantile(fit, at, 0.9), stdout); /* -> tensor([0.4413, 1.3262, 2.1771], shape=(3), dtype=f64) */
    heed_np_free(fit);
    /* [] */
}

static void example_bootstrap(heed_np *fit)
{
    /* [heed_np_bootstrap] */
    heed_tensor *grid = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 0.5, 1.5);
    heed_tensor *draws = heed_np_bootstrap(fit, grid, &(heed_np_bootstrap_options){.draws = 2000, .seed = 1});
    heed_print(heed_std(draws, HEED_AXES(0), 1, false), stdout); /* standard errors */
    /* -> tensor([0.0040, 0.0047], shape=(2), dtype=f64) */
    heed_tensor *sorted = heed_sort_axis(draws, 0, false, NULL);
    heed_print(heed_select(sorted, 0, 50), stdout); /* 2.5 % of the 2,000 draws are below */
    /* -> tensor([0.4713, 0.9872], shape=(2), dtype=f64) */
    heed_print(heed_select(sorted, 0, 1949), stdout); /* -> tensor([0.4847, 1.0026], shape=(2), dtype=f64) */
    /* [] */
}

static void example_significance(heed_tensor *x, heed_tensor *y)
{
    /* [heed_np_significance] */
    heed_tensor *both = heed_stack(HEED_TENSORS(x, heed_randn_like(x)), 1); /* with a column of noise */
    heed_np *fit = heed_np_fit(both, y, &(heed_np_options){.degree = 1});
    for (int column = 0; column < 2; column++)
        printf("column %d: p = %.4f\n", column, heed_np_significance(fit, column, NULL));
    heed_np_free(fit);
    /* -> column 0: p = 0.0025
     *    column 1: p = 0.2150 */
    /* [] */
}

static void example_density(heed_tensor *x)
{
    /* [heed_np_fit_density] */
    heed_np *fit = heed_np_fit_density(x, NULL);
    heed_np_prediction at;
    heed_np_predict(fit, HEED_TENSOR(HEED_F64, HEED_SHAPE(3), -2, 0, 2), NULL, &at);
    heed_print(at.mean, stdout); /* -> tensor([0.0804, 0.3620, 0.0617], shape=(3), dtype=f64) */
    heed_print(at.se, stdout);   /* -> tensor([0.0099, 0.0163, 0.0082], shape=(3), dtype=f64) */
    heed_np_free(fit);
    /* [] */
}

static void example_classes(void)
{
    /* [heed_np_fit_classes heed_np_classify heed_np_classes] */
    heed_tensor *length = HEED_TENSOR(HEED_F64, HEED_SHAPE(8), 1.4, 1.7, 1.3, 1.5, 4.7, 4.5, 4.9, 4.0);
    heed_tensor *kind = HEED_TENSOR(HEED_I64, HEED_SHAPE(8), 3, 3, 3, 3, 7, 7, 7, 7);
    heed_np *fit = heed_np_fit_classes(length, kind, &(heed_np_options){.bandwidths = (double[]){0.5, 0.02}});
    heed_tensor *p, *found = heed_np_classify(fit, HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 2, 3), &p);
    heed_print(heed_np_classes(fit), stdout); /* -> tensor([3, 7], shape=(2), dtype=i64) */
    heed_print(found, stdout);                /* -> tensor([3, 7], shape=(2), dtype=i64) */
    heed_print(p, stdout);
    /* -> tensor([[0.9803, 0.0197],
     *            [0.2744, 0.7256]], shape=(2, 2), dtype=f64) */
    heed_np_free(fit);
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_manual_seed(1);
    heed_tensor *x = heed_linspace(HEED_F64, 0.0, 3.0, 61);
    heed_tensor *y = heed_add(heed_sin(x), heed_mul_scalar(heed_randn(HEED_F64, HEED_SHAPE(61)), 0.01));
    heed_np *fit = heed_np_fit(x, y, &(heed_np_options){.degree = 1});
    example_fit(x, y);
    example_rows(fit);
    example_minima(fit);
    example_predict(fit);
    example_bootstrap(fit);
    example_quantile(heed_linspace(HEED_F64, 0.0, 3.0, 2000));
    example_significance(x, y);
    example_density(heed_randn(HEED_F64, HEED_SHAPE(500)));
    example_classes();
    heed_np_free(fit);
    return 0;
}
