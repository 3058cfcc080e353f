/* examples/attention_pooling.c - shows how the kernel and its width affect attention pooling (Nadaraya-Watson
 * regression): the weights as heatmaps, the fits as curves. From the chapter on attention pooling of "Dive into Deep
 * Learning". Shares training.c (command line, pictures) with other examples.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <stdio.h>

#include "training.h"

static const char about[] = "Pools 50 noisy points of 2 sin(x) + x^0.8 with five kernels (kernels.png,\n"
                            "kernels_weights.png) and with Gaussians of four widths (widths.png,\n"
                            "widths_weights.png), and prints the mean squared error of every fit.";

#define MOST 5

typedef struct dataset {
    heed_tensor *x, *y;          /* (50), sorted by x */
    heed_tensor *x_test, *truth; /* (50) */
} dataset;

typedef struct choice {
    const char *name;
    heed_nw_kernel kernel;
    double width;
} choice;

static const choice kernels[] = {
    {"Gaussian", HEED_NW_GAUSSIAN, 0.5},         {"Boxcar", HEED_NW_BOXCAR, 0.5},
    {"Constant", HEED_NW_CONSTANT, 0.5},         {"Triangular", HEED_NW_TRIANGULAR, 0.5},
    {"Epanechnikov", HEED_NW_EPANECHNIKOV, 0.5},
};
static const choice widths[] = {
    {"h = 0.1", HEED_NW_GAUSSIAN, 0.1},
    {"h = 0.2", HEED_NW_GAUSSIAN, 0.2},
    {"h = 0.5", HEED_NW_GAUSSIAN, 0.5},
    {"h = 1", HEED_NW_GAUSSIAN, 1.0},
};

/* 2 sin x + x^0.8 */
static heed_tensor *f(heed_tensor *x)
{
    return heed_add(heed_mul_scalar(heed_sin(x), 2.0), heed_pow_scalar(x, 0.8));
}

static dataset make_data(void)
{
    dataset d = {.x_test = heed_arange(HEED_F64, 0.0, 5.0, 0.1)};
    d.truth = f(d.x_test);
    d.x = heed_sort(heed_mul_scalar(heed_rand(HEED_F64, HEED_SHAPE(50)), 5.0));
    d.y = heed_add(f(d.x), heed_mul_scalar(heed_randn(HEED_F64, HEED_SHAPE(50)), 0.5));
    return d;
}

/* Returns the fit (50) and its weights (50, 50). */
static heed_tensor *pool(const dataset *d, const choice *c, heed_tensor **weights)
{
    heed_nn_nw_kernel_regression *net = heed_nn_nw_kernel_regression_new(&(heed_nn_nw_kernel_regression_options){
        .kernel = c->kernel, .width = c->width, .non_parametric = true, .dtype = HEED_F64});
    heed_tensor *y_hat = heed_nn_nw_kernel_regression_forward(net, d->x_test, d->x, d->y, weights);
    heed_module_free(&net->base);
    return y_hat;
}

static void compare(const dataset *d, const choice *choices, int n, const char *fits_name, const char *weights_name)
{
    const char *titles[MOST];
    heed_tensor *weights[MOST];
    heed_plot_series series[MOST + 2] = {
        {.x = d->x, .y = d->y, .style = HEED_LINE_NONE, .marker = HEED_MARKER_CIRCLE, .color = 0xff7f0e, .alpha = 0.4},
        {.x = d->x_test, .y = d->truth, .label = "Truth", .style = HEED_LINE_DASHED, .color = 0x010101},
    };
    for (int i = 0; i < n; i++) {
        heed_tensor *y_hat = pool(d, &choices[i], &weights[i]);
        titles[i] = choices[i].name;
        series[i + 2] = (heed_plot_series){.x = d->x_test, .y = y_hat, .label = choices[i].name};
        printf("%-12s mean squared error %.4f\n", titles[i],
               heed_item(heed_mse_loss(y_hat, d->truth, HEED_REDUCTION_MEAN)));
    }
    heed_plot_heatmap(heed_stack(weights, n, 0), training_picture(weights_name),
                      &(heed_plot_heatmap_options){.xlabel = "Sorted training inputs",
                                                   .ylabel = "Sorted testing inputs",
                                                   .titles = titles,
                                                   .title_count = n,
                                                   .vmax = 0.3});
    heed_plot_lines(series, n + 2, training_picture(fits_name),
                    &(heed_plot_lines_options){.xlabel = "x", .ylabel = "y", .xlim = {0, 5}});
}

int main(int argc, char **argv)
{
    training_begin(argc, argv, about, NULL, 0);
    dataset d = make_data();
    compare(&d, kernels, 5, "kernels.png", "kernels_weights.png");
    compare(&d, widths, 4, "widths.png", "widths_weights.png");
    heed_thread_cleanup();
    return 0;
}
