/* tests/nn/test_nw_kernels.c - tests of kernel regression: every kernel and every combination of shapes against plain
 * loops, empty windows, far queries, errors.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

typedef heed_nn_nw_kernel_regression nw;
typedef heed_nn_nw_kernel_regression_options nw_options;

#define KERNELS 8

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

/* -- Against plain loops ---------------------------------------------------------------------------------------- */

static double kernel(heed_nw_kernel k, double u)
{
    switch (k) {
    case HEED_NW_GAUSSIAN:
        return exp(-u * u / 2.0);
    case HEED_NW_BOXCAR:
        return u <= 1.0 ? 1.0 : 0.0;
    case HEED_NW_TRIANGULAR:
        return u < 1.0 ? 1.0 - u : 0.0;
    case HEED_NW_EPANECHNIKOV:
        return u < 1.0 ? 0.75 * (1.0 - u * u) : 0.0;
    case HEED_NW_BIWEIGHT:
        return u < 1.0 ? pow(1.0 - u * u, 2) : 0.0;
    case HEED_NW_TRIWEIGHT:
        return u < 1.0 ? pow(1.0 - u * u, 3) : 0.0;
    case HEED_NW_TRICUBE:
        return u < 1.0 ? pow(1.0 - u * u * u, 3) : 0.0;
    default:
        return 1.0;
    }
}

/* A case: n queries, m keys of d components (0: scalars), values of v components (0: scalars); keys are shared, or one
 * set per query. */
typedef struct sizes {
    int n, m, d, v;
    bool shared, widths; /* one width per component */
} sizes;

static heed_tensor *draw(int axes, const int *dims, const bool *there)
{
    heed_shape shape = HEED_SCALAR;
    for (int i = 0; i < axes; i++)
        if (there[i])
            shape.dims[shape.rank++] = dims[i];
    return heed_mul_scalar(heed_rand(HEED_F64, shape), 3.0);
}

/* Returns component c of f(q_i), and the expected weights. */
static double plain(const nw *net, const sizes *s, const double *q, const double *k, const double *v, int i, int c,
                    double *weights)
{
    int d = s->d ? s->d : 1, vs = s->v ? s->v : 1;
    double sum = 0.0, result = 0.0;
    for (int j = 0; j < s->m; j++) {
        double u2 = 0.0;
        for (int e = 0; e < d; e++) {
            double p = heed_get(net->width, HEED_INDEX(s->widths ? e : 0)), w = net->options.log_width ? exp(-p) : p;
            double u = (q[i * d + e] - k[((s->shared ? 0 : i * s->m) + j) * d + e]) * w;
            u2 += u * u;
        }
        weights[j] = kernel(net->options.kernel, sqrt(u2));
        sum += weights[j];
    }
    for (int j = 0; j < s->m; j++) {
        weights[j] = sum > 0.0 ? weights[j] / sum : 0.0;
        result += weights[j] * v[((s->shared ? 0 : i * s->m) + j) * vs + c];
    }
    return result;
}

static void compare(const sizes *s, heed_nw_kernel k, bool log_width)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *q = draw(2, (int[]){s->n, s->d}, (bool[]){true, s->d > 0});
    heed_tensor *keys = draw(3, (int[]){s->n, s->m, s->d}, (bool[]){!s->shared, true, s->d > 0});
    heed_tensor *values = draw(3, (int[]){s->n, s->m, s->v}, (bool[]){!s->shared, true, s->v > 0});
    nw *net = net_new((nw_options){
        .kernel = k, .log_width = log_width, .width = 0.6, .dim = s->widths ? s->d : 0, .dtype = HEED_F64});
    heed_scope *no_grad = heed_no_grad_begin();
    for (int e = 0; s->widths && e < s->d; e++)
        heed_set_(net->width, HEED_INDEX(e), 0.7 + 0.4 * e);
    heed_scope_end(no_grad);
    heed_tensor *found = NULL, *y = heed_nn_nw_kernel_regression_forward(net, q, keys, values, &found);
    ck_assert_msg(y != NULL, "%s", heed_error_message());
    ck_assert_int_eq(heed_rank(y), s->v ? 2 : 1);
    ck_assert(heed_shape_equal(heed_shape_of(found), HEED_SHAPE(s->n, s->m)));
    double weights[16];
    for (int i = 0; i < s->n; i++)
        for (int c = 0; c < (s->v ? s->v : 1); c++) {
            double expected =
                plain(net, s, heed_data_f64(q), heed_data_f64(keys), heed_data_f64(values), i, c, weights);
            ck_assert_near(s->v ? heed_get(y, HEED_INDEX(i, c)) : heed_get(y, HEED_INDEX(i)), expected, 1e-13);
            for (int j = 0; j < s->m; j++)
                ck_assert_near(heed_get(found, HEED_INDEX(i, j)), weights[j], 1e-14);
        }
    heed_scope_end(scope);
    heed_module_free(&net->base);
}

START_TEST(agrees_with_plain_loops)
{
    static const sizes all[] = {
        {.n = 6, .m = 9, .shared = true},
        {.n = 6, .m = 9, .v = 2, .shared = true},
        {.n = 5, .m = 9, .d = 3, .shared = true},
        {.n = 5, .m = 9, .d = 2, .v = 3, .shared = true},
        {.n = 5, .m = 9, .d = 2, .v = 3, .shared = true, .widths = true},
        {.n = 6, .m = 5},
        {.n = 6, .m = 5, .v = 2},
        {.n = 4, .m = 7, .d = 1},
        {.n = 4, .m = 7, .d = 3, .widths = true},
        {.n = 4, .m = 7, .d = 2, .v = 2, .widths = true},
        {.n = 4, .m = 1, .v = 1},
        {.n = 1, .m = 4, .d = 2, .shared = true},
        {.n = 3, .m = 0, .shared = true},
        {.n = 3, .m = 0, .d = 2, .v = 2},
        {.n = 0, .m = 4, .shared = true},
        {.n = 0, .m = 4, .d = 2},
    };
    heed_manual_seed(1);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        for (int k = 0; k < KERNELS; k++)
            for (int log_width = 0; log_width < 2; log_width++)
                compare(&all[i], (heed_nw_kernel)k, log_width);
}
END_TEST

/* -- Edges
 * ---------------------------------------------------------------------------------------------------------- */

START_TEST(empty_windows_give_zeros)
{
    static const heed_nw_kernel window[] = {HEED_NW_BOXCAR,   HEED_NW_TRIANGULAR, HEED_NW_EPANECHNIKOV,
                                            HEED_NW_BIWEIGHT, HEED_NW_TRIWEIGHT,  HEED_NW_TRICUBE};
    for (int i = 0; i < 6; i++)
        for (int d = 1; d <= 2; d++) {
            nw *net = net_new((nw_options){.kernel = window[i], .width = 1.0, .dtype = HEED_F64});
            heed_shape shape = {.rank = d, .dims = {2, 1}};
            heed_tensor *q = heed_set_requires_grad(heed_from_values(HEED_F64, shape, (double[]){9, 0.25}, 2), true);
            heed_tensor *keys = heed_from_values(HEED_F64, shape, (double[]){0, 1}, 2);
            heed_tensor *values = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 4, 8), *weights = NULL;
            heed_tensor *y = heed_nn_nw_kernel_regression_forward(net, q, keys, values, &weights);
            ck_assert_double_eq(heed_get(y, HEED_INDEX(0)), 0.0);
            ck_assert(heed_get(y, HEED_INDEX(1)) > 4.0);
            ck_assert_double_eq(heed_get(weights, HEED_INDEX(0, 0)), 0.0);
            ck_assert_double_eq(heed_get(weights, HEED_INDEX(0, 1)), 0.0);
            ck_assert_int_eq(heed_backward(heed_select(y, 0, 0)), HEED_OK);
            ck_assert_double_eq(heed_item(heed_sum(heed_abs(heed_grad_of(q)))), 0.0);
            ck_assert_double_eq(heed_item(heed_grad_of(net->width)), 0.0);
            heed_module_free(&net->base);
        }
}
END_TEST

START_TEST(boxcar_counts_its_edge)
{
    for (int i = 1; i < 200; i++) { /* widths i 2^-3: the reciprocal is exact if i is a power of 2, otherwise rounded */
        double h = i * 0.125;
        nw *net = net_new((nw_options){.kernel = HEED_NW_BOXCAR, .width = h, .dtype = HEED_F64});
        double at = heed_item(net->width) * h <= 1.0 ? 1.0 : 0.0;
        heed_tensor *keys = heed_from_values(HEED_F64, HEED_SHAPE(2), (double[]){0, h}, 2), *weights = NULL;
        heed_nn_nw_kernel_regression_forward(net, heed_zeros(HEED_F64, HEED_SHAPE(1)), keys,
                                             heed_ones(HEED_F64, HEED_SHAPE(2)), &weights);
        ck_assert_double_eq(heed_get(weights, HEED_INDEX(0, 1)), at / (1.0 + at));
        heed_module_free(&net->base);
    }
}
END_TEST

/* The nearest key gets all the weight, and two equally near keys share it, at any distance. */
START_TEST(far_queries_stay_finite)
{
    static const double far[] = {1e3, -1e6, 1e18, -1e30, 1e38};
    for (int dtype = HEED_F32; dtype <= HEED_F64; dtype++)
        for (int i = 0; i < 5; i++) {
            nw *net = net_new((nw_options){.width = 0.5, .dtype = (heed_dtype)dtype});
            heed_tensor *q = heed_set_requires_grad(heed_full((heed_dtype)dtype, HEED_SHAPE(1), far[i]), true);
            double spread = fabs(far[i]) / 8.0;
            heed_tensor *keys = HEED_TENSOR((heed_dtype)dtype, HEED_SHAPE(3), -spread, spread, 0);
            heed_tensor *y = forward(net, q, keys, HEED_TENSOR((heed_dtype)dtype, HEED_SHAPE(3), 10, 20, 15));
            ck_assert_double_eq(heed_get(y, HEED_INDEX(0)), far[i] < 0 ? 10.0 : 20.0);
            ck_assert_int_eq(heed_backward(heed_sum(y)), HEED_OK);
            ck_assert_double_eq(heed_item(heed_grad_of(q)), 0.0);
            ck_assert(fabs(far[i]) > 1e18 || isfinite(heed_item(heed_grad_of(net->width))));
            y = forward(net, q, heed_zeros((heed_dtype)dtype, HEED_SHAPE(2)),
                        HEED_TENSOR((heed_dtype)dtype, HEED_SHAPE(2), 1, 2));
            ck_assert_double_eq(heed_get(y, HEED_INDEX(0)), 1.5);
            heed_module_free(&net->base);
        }
}
END_TEST

/* A NaN query gives NaN; the other queries are unaffected. */
START_TEST(nan_is_not_hidden)
{
    for (int k = 0; k < KERNELS - 1; k++)
        for (int d = 1; d <= 2; d++) {
            nw *net = net_new((nw_options){.kernel = (heed_nw_kernel)k, .width = 2.0, .dtype = HEED_F64});
            heed_shape shape = {.rank = d, .dims = {2, 1}};
            heed_tensor *q = heed_from_values(HEED_F64, shape, (double[]){(double)NAN, 0.5}, 2);
            heed_tensor *y = forward(net, q, heed_from_values(HEED_F64, shape, (double[]){0, 1}, 2),
                                     HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 4, 8));
            ck_assert_double_nan(heed_get(y, HEED_INDEX(0)));
            ck_assert_double_eq(heed_get(y, HEED_INDEX(1)), 6.0);
            heed_module_free(&net->base);
        }
}
END_TEST

/* -- The module
 * -------------------------------------------------------------------------------------------------------- */

START_TEST(width_is_a_parameter_or_a_buffer)
{
    nw *net = heed_nn_nw_kernel_regression_new(NULL);
    ck_assert_ptr_eq(heed_module_find(&net->base, "w"), net->width);
    ck_assert_int_eq(heed_dtype_of(net->width), HEED_F32);
    ck_assert(heed_requires_grad(net->width) && heed_item(net->width) >= 0.0 && heed_item(net->width) < 1.0);
    heed_module_free(&net->base);
    net = net_new((nw_options){.non_parametric = true, .width = 4.0, .dim = 3});
    ck_assert_int_eq(heed_module_parameter_count(&net->base), 0);
    ck_assert_ptr_eq(heed_module_find(&net->base, "w"), net->width);
    ck_assert(heed_shape_equal(heed_shape_of(net->width), HEED_SHAPE(3)));
    ck_assert_double_eq(heed_get(net->width, HEED_INDEX(2)), 0.25);
    heed_module_free(&net->base);
    net = net_new((nw_options){.log_width = true, .dtype = HEED_F64});
    ck_assert_ptr_eq(heed_module_find(&net->base, "log_h"), net->width);
    ck_assert_double_eq(heed_item(net->width), 0.0);
    heed_module_free(&net->base);
}
END_TEST

START_TEST(weights_on_request)
{
    nw *net = net_new((nw_options){.width = 1.0});
    heed_tensor *x = heed_rand(HEED_F32, HEED_SHAPE(4)), *y = heed_ones(HEED_F32, HEED_SHAPE(4)), *weights = y;
    ck_assert_ptr_nonnull(heed_nn_nw_kernel_regression_forward(net, heed_slice(x, 0, 0, 2, 1), x, y, &weights));
    ck_assert(heed_shape_equal(heed_shape_of(weights), HEED_SHAPE(2, 4)));
    ck_assert(heed_requires_grad(weights));
    ck_assert_near(heed_item(heed_sum(weights)), 2.0, 1e-6);
    heed_tensor *const bad[] = {heed_ones(HEED_F32, HEED_SHAPE(5)), heed_ones(HEED_F64, HEED_SHAPE(4)), NULL};
    for (int i = 0; i < 3; i++) { /* errors from the op and from the module */
        weights = y;
        ck_assert_ptr_null(heed_nn_nw_kernel_regression_forward(net, x, x, bad[i], &weights));
        ck_assert_ptr_null(weights);
        heed_error_clear();
    }
    heed_module_free(&net->base);
}
END_TEST

/* The result has the same bits whether the weights are requested or not. */
START_TEST(weights_change_nothing)
{
    nw *net = net_new((nw_options){.width = 0.3, .dtype = HEED_F32});
    heed_tensor *x = heed_rand(HEED_F32, HEED_SHAPE(61)), *y = heed_rand(HEED_F32, HEED_SHAPE(61));
    heed_tensor *weights, *with = heed_nn_nw_kernel_regression_forward(net, x, x, y, &weights);
    heed_tensor *without = forward(net, x, x, y);
    ck_assert_mem_eq(heed_data_f32(with), heed_data_f32(without), 61 * sizeof(float));
    heed_module_free(&net->base);
}
END_TEST

/* Training leaves out query i's own key with every kernel, like the tiled copies; evaluation does not. */
START_TEST(leaves_one_out_in_training)
{
    heed_tensor *x = heed_rand(HEED_F64, HEED_SHAPE(9)), *y = heed_rand(HEED_F64, HEED_SHAPE(9));
    heed_tensor *keys = heed_nn_leave_one_out(x), *values = heed_nn_leave_one_out(y);
    for (int k = 0; k < KERNELS; k++) {
        nw *net =
            net_new((nw_options){.kernel = (heed_nw_kernel)k, .width = 0.7, .leave_one_out = true, .dtype = HEED_F64});
        nw *plain = net_new((nw_options){.kernel = (heed_nw_kernel)k, .width = 0.7, .dtype = HEED_F64});
        heed_tensor *weights = NULL, *tiled = forward(plain, x, keys, values);
        heed_tensor *out = heed_nn_nw_kernel_regression_forward(net, x, x, y, &weights);
        for (int i = 0; i < 9; i++) {
            ck_assert_near(heed_get(out, HEED_INDEX(i)), heed_get(tiled, HEED_INDEX(i)), 1e-14);
            ck_assert_double_eq(heed_get(weights, HEED_INDEX(i, i)), 0.0);
        }
        ck_assert_ptr_null(forward(net, heed_slice(x, 0, 0, 4, 1), x, y));
        ck_assert_error(HEED_ERR_SHAPE, "leave_one_out");
        heed_module_eval(&net->base);
        out = heed_nn_nw_kernel_regression_forward(net, x, x, y, &weights);
        ck_assert_mem_eq(heed_data_f64(out), heed_data_f64(forward(plain, x, x, y)), 9 * sizeof(double));
        ck_assert(heed_get(weights, HEED_INDEX(4, 4)) > 0.0);
        heed_module_free(&net->base);
        heed_module_free(&plain->base);
    }
}
END_TEST

START_TEST(options_are_checked)
{
    static const struct {
        nw_options options;
        heed_status status;
        const char *text;
    } wrong[] = {
        {{.width = -1.0}, HEED_ERR_ARGUMENT, "width is -1"},
        {{.width = HUGE_VAL}, HEED_ERR_ARGUMENT, "width is inf"},
        {{.width = 1e-25}, HEED_ERR_ARGUMENT, "width is 1e-25"},
        {{.width = 1e25}, HEED_ERR_ARGUMENT, "width is 1e+25"},
        {{.width = 1e200, .dtype = HEED_F64}, HEED_ERR_ARGUMENT, "width is 1e+200"},
        {{.dim = -2}, HEED_ERR_ARGUMENT, "dim is -2"},
        {{.kernel = (heed_nw_kernel)8}, HEED_ERR_ARGUMENT, "kernel is 8"},
        {{.degree = 4}, HEED_ERR_ARGUMENT, "degree is 4"},
        {{.degree = -1}, HEED_ERR_ARGUMENT, "degree is -1"},
        {{.kernel = (heed_nw_kernel)-1}, HEED_ERR_ARGUMENT, "kernel is -1"},
        {{.dtype = HEED_I64}, HEED_ERR_DTYPE, "i64"},
        {{.dtype = (heed_dtype)9}, HEED_ERR_DTYPE, "unknown"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ck_assert_ptr_null(heed_nn_nw_kernel_regression_new(&wrong[i].options));
        ck_assert_error(wrong[i].status, wrong[i].text);
    }
    ck_assert_ptr_null(heed_nn_nw_kernel_regression_new(&(nw_options){.width = (double)NAN}));
    ck_assert_error(HEED_ERR_ARGUMENT, "nan");
}
END_TEST

static void refused(nw *net, heed_shape q, heed_shape k, heed_shape v, const char *text)
{
    ck_assert_ptr_null(forward(net, heed_ones(HEED_F32, q), heed_ones(HEED_F32, k), heed_ones(HEED_F32, v)));
    ck_assert_error(HEED_ERR_SHAPE, text);
}

START_TEST(inputs_are_checked)
{
    nw *net = heed_nn_nw_kernel_regression_new(NULL), *two = net_new((nw_options){.dim = 2});
    refused(net, HEED_SCALAR, HEED_SHAPE(3), HEED_SHAPE(3), "queries (), keys (3)");
    refused(net, HEED_SHAPE(2, 2, 2), HEED_SHAPE(3), HEED_SHAPE(3), "queries (2, 2, 2)");
    refused(net, HEED_SHAPE(2, 2), HEED_SHAPE(3), HEED_SHAPE(3), "keys (3)");
    refused(net, HEED_SHAPE(2), HEED_SHAPE(2, 3, 1), HEED_SHAPE(2, 3), "keys (2, 3, 1)");
    refused(net, HEED_SHAPE(2), HEED_SHAPE(3), HEED_SHAPE(4), "values (4)");
    refused(net, HEED_SHAPE(2), HEED_SHAPE(3), HEED_SCALAR, "values ()");
    refused(net, HEED_SHAPE(2), HEED_SHAPE(3), HEED_SHAPE(3, 1, 1), "values (3, 1, 1)");
    refused(net, HEED_SHAPE(2), HEED_SHAPE(2, 3), HEED_SHAPE(3), "values (3)");
    refused(net, HEED_SHAPE(2), HEED_SHAPE(3, 3), HEED_SHAPE(3, 3), "keys (3, 3)");
    refused(net, HEED_SHAPE(2), HEED_SHAPE(2, 3), HEED_SHAPE(1, 3), "values (1, 3)");
    refused(net, HEED_SHAPE(2, 2), HEED_SHAPE(3, 3), HEED_SHAPE(3), "keys (3, 3)");
    refused(two, HEED_SHAPE(2), HEED_SHAPE(3), HEED_SHAPE(3), "1 components: must be 2, one for each width");
    refused(two, HEED_SHAPE(2, 3), HEED_SHAPE(3, 3), HEED_SHAPE(3), "3 components: must be 2, one for each width");
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(3)), *wide = heed_ones(HEED_F64, HEED_SHAPE(3));
    ck_assert_ptr_null(forward(net, x, wide, x));
    ck_assert_error(HEED_ERR_DTYPE, "keys is f64: must be f32");
    ck_assert_ptr_null(forward(net, x, x, heed_ones(HEED_I64, HEED_SHAPE(3))));
    ck_assert_error(HEED_ERR_DTYPE, "values is i64");
    ck_assert_ptr_null(forward(net, NULL, x, x));
    ck_assert_error(HEED_ERR_ARGUMENT, "queries is NULL");
    ck_assert_ptr_null(forward(NULL, x, x, x));
    ck_assert_error(HEED_ERR_ARGUMENT, "module is NULL");
    heed_module_free(&net->base);
    heed_module_free(&two->base);
}
END_TEST

HEED_TEST_MAIN("nw_kernels", agrees_with_plain_loops, empty_windows_give_zeros, boxcar_counts_its_edge,
               far_queries_stay_finite, nan_is_not_hidden, width_is_a_parameter_or_a_buffer, weights_on_request,
               weights_change_nothing, leaves_one_out_in_training, options_are_checked, inputs_are_checked)
