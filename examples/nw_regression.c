/* examples/nw_regression.c - the chapter on attention pooling of "Dive into Deep Learning", section by section.
 *
 *     nw_regression --data mcycle.csv --x times --y accel --log-width      or without --data: the book's data
 *
 * nw_input.c has its command line and data. Shares training.c (common options, pictures) and saving.c (stopping and
 * resuming) with other examples.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "nw_input.h"

typedef heed_nn_nw_kernel_regression nw;
typedef heed_nn_nw_kernel_regression_options nw_options;

typedef struct dataset {
    heed_tensor *x, *y, *x_test; /* sorted; (n), (n), (k) */
    heed_tensor *truth;          /* (k); NULL if unknown */
} dataset;

/* 2 sin x + x^0.8 */
static heed_tensor *f(heed_tensor *x)
{
    return heed_add(heed_mul_scalar(heed_sin(x), 2.0), heed_pow_scalar(x, 0.8));
}

static dataset make_data(const nw_args *args)
{
    dataset d = {0};
    if (args->data) {
        nw_read_data(&d.x, &d.y);
        d.x_test = heed_linspace(HEED_F64, heed_get(d.x, HEED_INDEX(0)), heed_get(d.x, HEED_INDEX(-1)), 200);
    } else {
        d.x = heed_sort(heed_mul_scalar(heed_rand(HEED_F64, HEED_SHAPE(50)), 5.0));
        d.y = heed_add(f(d.x), heed_mul_scalar(heed_randn(HEED_F64, HEED_SHAPE(50)), 0.5));
        d.x_test = heed_arange(HEED_F64, 0.0, 5.0, 0.1);
        d.truth = f(d.x_test);
    }
    return d;
}

static void plot_fit(const nw_args *args, const dataset *d, heed_tensor *y_hat, const char *name)
{
    const heed_plot_series all[] = {
        {.x = d->x_test, .y = d->truth, .label = "Truth", .color = 0x1f77b4},
        {.x = d->x_test, .y = y_hat, .label = "Pred", .style = HEED_LINE_DASHED, .color = 0xbf00bf},
        {.x = d->x, .y = d->y, .style = HEED_LINE_NONE, .marker = HEED_MARKER_CIRCLE, .color = 0xff7f0e, .alpha = 0.5},
    };
    heed_plot_lines_options options = {.xlabel = "x", .ylabel = "y", .xlim = {0.0, 5.0}, .ylim = {-1.0, 5.0}};
    if (args->data)
        options = (heed_plot_lines_options){.xlabel = args->x, .ylabel = args->y};
    heed_plot_lines(all + !d->truth, 3 - !d->truth, training_picture(name), &options);
}

/* Beyond the chapter: a local linear fit, its bandwidth by leave-one-out, and a 95 % band (heed/np.h). */
static void fit_local_lines(const nw_args *args, const dataset *d)
{
    heed_np *fit = heed_np_fit(d->x, d->y, &(heed_np_options){.degree = 1});
    double h;
    heed_np_bandwidths(fit, &h, 1);
    printf("local linear: h = %.4f, leave-one-out error %.4f\n", h, heed_np_get_report(fit).criterion);
    heed_plot_lines_options axes = {.xlabel = args->data ? args->x : "x", .ylabel = args->data ? args->y : "y"};
    heed_plot_fit(fit, d->x, d->y, training_picture("local_linear.png"), &(heed_plot_fit_options){.lines = &axes});
    heed_np_free(fit);
}

static void plot_prediction(const nw_args *args, const dataset *d, nw *net, const char *fit, const char *weights)
{
    heed_module_eval(&net->base);
    heed_tensor *looks = NULL;
    plot_fit(args, d, heed_nn_nw_kernel_regression_forward(net, d->x_test, d->x, d->y, &looks), fit);
    heed_plot_heatmap(
        looks, training_picture(weights),
        &(heed_plot_heatmap_options){.xlabel = "Sorted training inputs", .ylabel = "Sorted testing inputs"});
}

/* Predicts every y from the others: loss sum (y_hat - y)^2 / 2, or ln mean (y_hat - y)^2, whose slope does not
 * depend on units. Returns the loss of every epoch (epochs). */
static heed_tensor *train(const nw_args *args, const dataset *d, nw *net)
{
    heed_tensor *losses = heed_zeros(HEED_F64, HEED_SHAPE(args->epochs));
    heed_optimizer *sgd = heed_optim_sgd(&net->base, &(heed_optim_sgd_options){.lr = args->lr});
    heed_checkpoint run = {.module = &net->base, .optimizer = sgd};
    saving_extra(&run, "losses", losses);
    for (saving_begin(&run); saving_goes_on(&run, args->epochs); run.step++) {
        heed_scope *step = heed_scope_begin();
        int64_t epoch = run.step + 1;
        heed_tensor *y_hat = heed_nn_nw_kernel_regression_forward(net, d->x, d->x, d->y, NULL);
        heed_tensor *loss = args->log_width ? heed_log(heed_mse_loss(y_hat, d->y, HEED_REDUCTION_MEAN))
                                            : heed_mul_scalar(heed_mse_loss(y_hat, d->y, HEED_REDUCTION_SUM), 0.5);
        if (!isfinite(heed_item(loss)))
            heed_fail(HEED_ERR_STATE, "train", "the loss of epoch %" PRId64 " is not finite: try a smaller --lr",
                      epoch);
        heed_set_(losses, HEED_INDEX(epoch - 1), heed_item(loss));
        if (args->epochs <= 10 || epoch == 1 || epoch % (args->epochs / 10) == 0)
            printf("epoch %" PRId64 ", loss %.6f\n", epoch, heed_item(loss));
        heed_optimizer_zero_grad(sgd);
        heed_backward(loss);
        heed_optimizer_step(sgd);
        heed_scope_end(step);
    }
    saving_end(&run);
    double h = args->log_width ? exp(heed_item(net->width)) : 1.0 / fabs(heed_item(net->width));
    heed_tensor *y_hat = heed_nn_nw_kernel_regression_forward(net, d->x, d->x, d->y, NULL);
    printf("h %.6f, leave-one-out mean squared error %.6f\n", h,
           heed_item(heed_mse_loss(y_hat, d->y, HEED_REDUCTION_MEAN)));
    return losses;
}

int main(int argc, char **argv)
{
    nw_args args = nw_begin(argc, argv);
    dataset d = make_data(&args);

    /* Average pooling */
    plot_fit(&args, &d, heed_expand(heed_mean(d.y), heed_shape_of(d.x_test)), "average.png");

    /* Non-parametric attention pooling */
    double rule = heed_nn_silverman_width(d.x);
    nw *fixed = heed_nn_nw_kernel_regression_new(
        &(nw_options){.non_parametric = true, .width = args.data ? rule : 1.0, .dtype = HEED_F64});
    plot_prediction(&args, &d, fixed, "nonparametric.png", "nonparametric_weights.png");

    /* Parametric attention pooling */
    nw *net = heed_nn_nw_kernel_regression_new(&(nw_options){
        .log_width = args.log_width, .width = args.log_width ? rule : 0.0, .leave_one_out = true, .dtype = HEED_F64});
    heed_plot_series losses = {.y = train(&args, &d, net),
                               .x = heed_arange(HEED_F64, 1.0, (double)args.epochs + 1.0, 1.0)};
    heed_plot_lines(&losses, 1, training_picture("loss.png"),
                    &(heed_plot_lines_options){.xlabel = "epoch", .ylabel = "loss"});
    plot_prediction(&args, &d, net, "parametric.png", "parametric_weights.png");

    fit_local_lines(&args, &d);

    printf("pictures in %s\n", training_folder());
    heed_module_free(&fixed->base);
    heed_module_free(&net->base);
    heed_thread_cleanup();
    return 0;
}
