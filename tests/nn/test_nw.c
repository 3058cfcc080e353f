/* tests/nn/test_nw.c - tests of kernel regression: the chapter's numbers, training, real data. The expected numbers are
 * computed with NumPy in float64 and checked against PyTorch and R.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include "fail_alloc.h"

typedef heed_nn_nw_kernel_regression nw;
typedef heed_nn_nw_kernel_regression_options nw_options;

static heed_tensor *forward(nw *net, heed_tensor *q, heed_tensor *k, heed_tensor *v)
{
    return heed_nn_nw_kernel_regression_forward(net, q, k, v, NULL);
}

static nw *net_new(nw_options options)
{
    nw *net = heed_nn_nw_kernel_regression_new(&options);
    ck_assert_msg(net != NULL, "%s", heed_error_message());
    return net;
}

/* Makes a net with a learned w that starts at this value. */
static nw *net_with_w(double w)
{
    return net_new((nw_options){.width = 1.0 / w, .dtype = HEED_F64});
}

/* Loads two columns of a file of the project, sorted by the first. */
static void load(const char *file, const char *x_name, const char *y_name, heed_tensor **x, heed_tensor **y)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", HEED_SOURCE_DIR, file);
    heed_io_csv *csv = heed_io_csv_read(path, NULL);
    ck_assert_msg(csv != NULL, "%s", heed_error_message());
    heed_tensor *order = NULL;
    *x = heed_sort_axis(heed_io_csv_column(csv, x_name, HEED_F64), 0, false, &order);
    *y = heed_index_select(heed_io_csv_column(csv, y_name, HEED_F64), 0, order);
    heed_io_csv_free(csv);
    ck_assert_msg(*y != NULL, "%s", heed_error_message());
}

/* The book's training set: x, y, and the leave-one-out keys and values. */
typedef struct book {
    heed_tensor *x, *y, *keys, *values;
} book;

static book book_data(void)
{
    book b;
    load("tests/reference/nw_splitmix42.csv", "x", "y", &b.x, &b.y);
    b.keys = heed_nn_leave_one_out(b.x);
    b.values = heed_nn_leave_one_out(b.y);
    return b;
}

static heed_tensor *book_loss(nw *net, const book *b)
{
    return heed_mul_scalar(heed_sum(heed_square(heed_sub(forward(net, b->x, b->keys, b->values), b->y))), 0.5);
}

/* Makes one step of training; returns the loss before it. */
static double book_epoch(nw *net, heed_optimizer *sgd, const book *b)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *loss = book_loss(net, b);
    double value = heed_item(loss);
    heed_optimizer_zero_grad(sgd);
    ck_assert_int_eq(heed_backward(loss), HEED_OK);
    ck_assert_int_eq(heed_optimizer_step(sgd), HEED_OK);
    heed_scope_end(scope);
    return value;
}

/* -- The sample ------------------------------------------------------------------------------------------------ */

START_TEST(sample)
{
    nw *net = net_new((nw_options){.non_parametric = true, .dtype = HEED_F64});
    heed_tensor *keys = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 51, 56, 58);
    heed_tensor *values = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 40, 43, 48);
    heed_tensor *q = heed_set_requires_grad(HEED_TENSOR(HEED_F64, HEED_SHAPE(1), 57), true);
    heed_tensor *found = NULL, *y = heed_nn_nw_kernel_regression_forward(net, q, keys, values, &found);
    ck_assert_near(heed_item(y), 45.499999930947524, 1e-13);
    const double weights[3] = {1.2554995621091991e-08, 0.4999999937225022, 0.4999999937225022};
    for (int i = 0; i < 3; i++)
        ck_assert_near(heed_get(found, HEED_INDEX(0, i)), weights[i], 1e-15);
    heed_backward(heed_sum(y));
    ck_assert_near(heed_get(heed_grad_of(q), HEED_INDEX(0)), 2.500000382927365, 1e-13);
    y = forward(net, HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 53, 60), keys, values);
    ck_assert_near(heed_get(y, HEED_INDEX(0)), 40.2277723245, 1e-10);
    ck_assert_near(heed_get(y, HEED_INDEX(1)), 47.9876368842, 1e-10);
    heed_module_free(&net->base);
}
END_TEST

/* -- The book's data -------------------------------------------------------------------------------------------- */

START_TEST(book_non_parametric)
{
    book b = book_data();
    nw *net = net_new((nw_options){.non_parametric = true, .dtype = HEED_F64});
    heed_tensor *y_hat = forward(net, heed_arange(HEED_F64, 0.0, 5.0, 0.1), b.x, b.y);
    static const int at[] = {0, 10, 25, 49};
    static const double expected[] = {2.031303064024, 2.470746924238, 2.733632999913, 1.761319131080};
    for (int i = 0; i < 4; i++)
        ck_assert_near(heed_get(y_hat, HEED_INDEX(at[i])), expected[i], 1e-12);
    heed_module_free(&net->base);
}
END_TEST

START_TEST(book_training)
{
    static const double losses[] = {21.685647762, 5.768145994, 5.767458232, 5.766857464, 5.766334007};
    static const double w[] = {5.296401099, 5.277548720, 5.259923488, 5.243466490, 5.228118924};
    book b = book_data();
    nw *net = net_with_w(0.5);
    heed_optimizer *sgd = heed_optim_sgd(&net->base, &(heed_optim_sgd_options){.lr = 0.5});
    for (int epoch = 1; epoch <= 50; epoch++) {
        double loss = book_epoch(net, sgd, &b);
        if (epoch > 5)
            continue;
        ck_assert_near(loss, losses[epoch - 1], 1e-9);
        ck_assert_near(heed_item(net->width), w[epoch - 1], 1e-9);
    }
    ck_assert_near(heed_item(net->width), 5.043995810, 1e-9);
    for (int epoch = 0; epoch < 500; epoch++)
        book_epoch(net, sgd, &b);
    ck_assert_near(heed_item(net->width), 5.039836829, 1e-9);
    ck_assert_near(heed_item(book_loss(net, &b)), 5.763102755, 1e-9);
    heed_optimizer_free(sgd);
    heed_module_free(&net->base);
}
END_TEST

START_TEST(book_derivatives)
{
    book b = book_data();
    nw *net = net_with_w(0.5);
    heed_scope *scope = heed_scope_begin();
    heed_tensor *loss = book_loss(net, &b), *d1 = NULL, *d2 = NULL;
    ck_assert_int_eq(heed_grad(&loss, 1, &net->width, 1, &d1, &(heed_grad_options){.create_graph = true}), HEED_OK);
    ck_assert_near(heed_item(d1), -9.592802197426, 1e-12);
    ck_assert_int_eq(heed_grad(&d1, 1, &net->width, 1, &d2, NULL), HEED_OK);
    ck_assert_near(heed_item(d2), -40.139722299186, 1e-11);
    heed_scope_end(scope);
    heed_module_free(&net->base);
}
END_TEST

/* Near w = 0 all weights are equal and the gradient vanishes. */
START_TEST(book_trap_at_zero)
{
    book b = book_data();
    nw *net = net_with_w(0.05);
    heed_optimizer *sgd = heed_optim_sgd(&net->base, &(heed_optim_sgd_options){.lr = 0.5});
    for (int epoch = 0; epoch < 100; epoch++)
        book_epoch(net, sgd, &b);
    ck_assert_near(heed_item(book_loss(net, &b)), 22.962685, 5e-7);
    ck_assert(fabs(heed_item(net->width)) < 1e-3);
    heed_optimizer_free(sgd);
    heed_module_free(&net->base);
}
END_TEST

/* -- Real data ---------------------------------------------------------------------------------------------------- */

START_TEST(mcycle_fit)
{
    heed_tensor *x, *y;
    load("examples/data/mcycle.csv", "times", "accel", &x, &y);
    nw *net = net_new((nw_options){.non_parametric = true, .width = 2.0, .dtype = HEED_F64});
    heed_tensor *fit = forward(net, HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 10, 20, 30, 40), x, y);
    static const double expected[] = {-4.0797682673, -93.682618076, 13.6686397484, 4.5781444909};
    for (int i = 0; i < 4; i++)
        ck_assert_near(heed_get(fit, HEED_INDEX(i)), expected[i], 1e-9);
    heed_module_free(&net->base);

    net = net_new((nw_options){.kernel = HEED_NW_CONSTANT, .non_parametric = true, .dtype = HEED_F64});
    fit = forward(net, x, heed_nn_leave_one_out(x), heed_nn_leave_one_out(y));
    ck_assert_near(heed_item(heed_mse_loss(fit, y, HEED_REDUCTION_MEAN)), 2352.7101, 5e-5);
    heed_module_free(&net->base);
}
END_TEST

/* Learns ln h from Silverman's rule by SGD on ln of the leave-one-out mean squared error, like
 * examples/nw_regression.c. `h` and `error` are the optimum, to 6 decimals. */
static void learn_width(const char *file, const char *x_name, const char *y_name, double h, double error)
{
    heed_tensor *x, *y;
    load(file, x_name, y_name, &x, &y);
    heed_tensor *keys = heed_nn_leave_one_out(x), *values = heed_nn_leave_one_out(y), *mse = NULL;
    nw *net = net_new((nw_options){.log_width = true, .width = heed_nn_silverman_width(x), .dtype = HEED_F64});
    heed_optimizer *sgd = heed_optim_sgd(&net->base, &(heed_optim_sgd_options){.lr = 2.0});
    for (int epoch = 0; epoch < 150; epoch++) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *loss = heed_log(heed_mse_loss(forward(net, x, keys, values), y, HEED_REDUCTION_MEAN));
        heed_optimizer_zero_grad(sgd);
        ck_assert_int_eq(heed_backward(loss), HEED_OK);
        heed_optimizer_step(sgd);
        heed_scope_end(scope);
    }
    ck_assert_near(exp(heed_item(net->width)), h, 6e-7);
    mse = heed_mse_loss(forward(net, x, keys, values), y, HEED_REDUCTION_MEAN);
    ck_assert_near(heed_item(mse), error, 6e-7);
    heed_optimizer_free(sgd);
    heed_module_free(&net->base);
}

START_TEST(mcycle_best_width)
{
    learn_width("examples/data/mcycle.csv", "times", "accel", 0.913829, 595.936344);
}
END_TEST

START_TEST(faithful_best_width)
{
    learn_width("examples/data/faithful.csv", "eruptions", "waiting", 0.261407, 32.296059);
}
END_TEST

/* The expected numbers are from R's bw.nrd0. */
START_TEST(silverman)
{
    heed_tensor *x, *y;
    load("examples/data/mcycle.csv", "times", "accel", &x, &y);
    ck_assert_near(heed_nn_silverman_width(x), 4.44431800106, 1e-11);
    load("examples/data/faithful.csv", "eruptions", "waiting", &x, &y);
    ck_assert_near(heed_nn_silverman_width(x), 0.334777034464, 1e-12);
    ck_assert_near(heed_nn_silverman_width(heed_flip(x, HEED_AXES(0))), 0.334777034464, 1e-12);
    ck_assert_near(heed_nn_silverman_width(heed_to_dtype(x, HEED_F32)), 0.334777034464, 1e-7);
    /* The middle half is one value, so only the standard deviation counts. */
    heed_tensor *flat = HEED_TENSOR(HEED_F64, HEED_SHAPE(7), -1, 0, 0, 0, 0, 0, 1);
    ck_assert_near(heed_nn_silverman_width(flat), 0.9 * sqrt(1.0 / 3.0) * pow(7.0, -0.2), 1e-15);
}
END_TEST

/* A width scales with the data. Squares of these data overflow or underflow, and so do differences. */
START_TEST(silverman_at_the_ends_of_the_range)
{
    heed_tensor *x = HEED_TENSOR(HEED_F64, HEED_SHAPE(5), -4, 0, 1, 2, 3.5);
    double width = heed_nn_silverman_width(x);
    for (int exponent = -1020; exponent <= 1020; exponent += 204)
        ck_assert_double_eq(heed_nn_silverman_width(heed_mul_scalar(x, ldexp(1, exponent))), ldexp(width, exponent));
    heed_tensor *tiny = HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 0, 1e-200, 2e-200, 3e-200);
    ck_assert_near(heed_nn_silverman_width(tiny) / 1e-200, 0.9 * (1.5 / 1.34) * pow(4, -0.2), 1e-14);
    heed_tensor *huge = HEED_TENSOR(HEED_F64, HEED_SHAPE(4), -1.5e308, -1e308, 1e308, 1.5e308);
    ck_assert_near(heed_nn_silverman_width(huge) / 1e308, 0.9 * sqrt(6.5 / 3) * pow(4, -0.2), 1e-14);
    heed_tensor *flat = HEED_TENSOR(HEED_F64, HEED_SHAPE(5), -1e200, 1, 1, 1, 1e200);
    ck_assert_near(heed_nn_silverman_width(flat) / 1e200, 0.9 * sqrt(0.5) * pow(5, -0.2), 1e-14);
    heed_tensor *far = HEED_TENSOR(HEED_F64, HEED_SHAPE(5), 0, 1e-200, 2e-200, 3e-200, 1e200);
    ck_assert_near(heed_nn_silverman_width(far) / 1e-200, 0.9 * (2 / 1.34) * pow(5, -0.2), 1e-14);
}
END_TEST

START_TEST(silverman_errors)
{
    ck_assert_double_nan(heed_nn_silverman_width(NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "NULL");
    ck_assert_double_nan(heed_nn_silverman_width(heed_ones(HEED_F64, HEED_SHAPE(1))));
    ck_assert_error(HEED_ERR_SHAPE, "(1)");
    ck_assert_double_nan(heed_nn_silverman_width(heed_ones(HEED_F64, HEED_SHAPE(3, 1))));
    ck_assert_error(HEED_ERR_SHAPE, "(3, 1)");
    ck_assert_double_nan(heed_nn_silverman_width(heed_ones(HEED_I64, HEED_SHAPE(3))));
    ck_assert_error(HEED_ERR_DTYPE, "i64");
    ck_assert_double_nan(heed_nn_silverman_width(heed_full(HEED_F64, HEED_SHAPE(3), 2.5)));
    ck_assert_error(HEED_ERR_ARGUMENT, "all 3 values are 2.5");
    ck_assert_double_nan(heed_nn_silverman_width(HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 1, (double)NAN, 2)));
    ck_assert_error(HEED_ERR_ARGUMENT, "nan");
    ck_assert_double_nan(heed_nn_silverman_width(HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 1, -HUGE_VAL, 2)));
    ck_assert_error(HEED_ERR_ARGUMENT, "-inf");
    heed_tensor *ends = HEED_TENSOR(HEED_F64, HEED_SHAPE(4), -1.7e308, -1.7e308, 1.7e308, 1.7e308);
    ck_assert_double_nan(heed_nn_silverman_width(ends));
    ck_assert_error(HEED_ERR_ARGUMENT, "x ranges from -1.7e+308 to 1.7e+308, which makes the width inf");
}
END_TEST

/* -- Leave one out ------------------------------------------------------------------------------------------------ */

START_TEST(leave_one_out)
{
    heed_tensor *x = heed_set_requires_grad(HEED_TENSOR(HEED_F64, HEED_SHAPE(3, 2), 1, 2, 3, 4, 5, 6), true);
    heed_tensor *y = heed_nn_leave_one_out(x);
    ck_assert(heed_shape_equal(heed_shape_of(y), HEED_SHAPE(3, 2, 2)));
    static const double expected[] = {3, 4, 5, 6, 1, 2, 5, 6, 1, 2, 3, 4};
    for (int i = 0; i < 12; i++)
        ck_assert_double_eq(heed_data_f64(y)[i], expected[i]);
    heed_backward(heed_sum(heed_select(y, 0, 0)));
    ck_assert_double_eq(heed_get(heed_grad_of(x), HEED_INDEX(0, 0)), 0.0);
    ck_assert_double_eq(heed_get(heed_grad_of(x), HEED_INDEX(2, 1)), 1.0);

    y = heed_nn_leave_one_out(heed_arange(HEED_F32, 0, 4, 1));
    ck_assert(heed_shape_equal(heed_shape_of(y), HEED_SHAPE(4, 3)));
    ck_assert_double_eq(heed_get(y, HEED_INDEX(2, 2)), 3.0);
    y = heed_nn_leave_one_out(heed_ones(HEED_F32, HEED_SHAPE(1, 5)));
    ck_assert(heed_shape_equal(heed_shape_of(y), HEED_SHAPE(1, 0, 5)));
    y = heed_nn_leave_one_out(heed_ones(HEED_F32, HEED_SHAPE(0)));
    ck_assert(heed_shape_equal(heed_shape_of(y), HEED_SHAPE(0, 0)));
    ck_assert_ptr_null(heed_nn_leave_one_out(NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "NULL");
    ck_assert_ptr_null(heed_nn_leave_one_out(heed_ones(HEED_F32, HEED_SCALAR)));
    ck_assert_error(HEED_ERR_SHAPE, "()");
    ck_assert_ptr_null(heed_nn_leave_one_out(heed_ones(HEED_F32, HEED_SHAPE(2, 2, 2))));
    ck_assert_error(HEED_ERR_SHAPE, "(2, 2, 2)");
}
END_TEST

/* -- Out of memory
 * -------------------------------------------------------------------------------------------------- */

static bool training_step(double *value)
{
    heed_tensor *x = heed_linspace(HEED_F64, 0.0, 1.0, 5), *y = heed_square(x);
    nw *net = heed_nn_nw_kernel_regression_new(&(nw_options){.width = 0.5, .dtype = HEED_F64});
    heed_optimizer *sgd =
        net ? heed_optim_sgd(&net->base, &(heed_optim_sgd_options){.lr = 0.5, .momentum = 0.5}) : NULL;
    heed_tensor *y_hat = net ? forward(net, x, heed_nn_leave_one_out(x), heed_nn_leave_one_out(y)) : NULL;
    heed_tensor *loss = heed_log(heed_mse_loss(y_hat, y, HEED_REDUCTION_SUM));
    bool done = sgd && loss && heed_backward(loss) == HEED_OK && heed_optimizer_step(sgd) == HEED_OK;
    if (done)
        *value = heed_item(net->width) + heed_nn_silverman_width(x);
    done = done && isfinite(*value);
    heed_optimizer_free(sgd);
    if (net)
        heed_module_free(&net->base);
    return done;
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(training_step);
    fail_alloc_uninstall();
}
END_TEST

HEED_TEST_MAIN("nw", sample, book_non_parametric, book_training, book_derivatives, book_trap_at_zero, mcycle_fit,
               mcycle_best_width, faithful_best_width, silverman, silverman_at_the_ends_of_the_range, silverman_errors,
               leave_one_out, out_of_memory)
