/* tests/nn/test_nw_gradients.c - tests first and second derivatives of kernel regression through the module.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

typedef heed_nn_nw_kernel_regression nw;
typedef heed_nn_nw_kernel_regression_options nw_options;

static heed_tensor *forward(nw *net, heed_tensor *q, heed_tensor *k, heed_tensor *v)
{
    return heed_nn_nw_kernel_regression_forward(net, q, k, v, NULL);
}

static nw *net_new(const nw_options *options)
{
    nw *net = heed_nn_nw_kernel_regression_new(options);
    ck_assert_msg(net != NULL, "%s", heed_error_message());
    return net;
}

/* in: queries, keys, values, width */
static heed_tensor *checked(heed_tensor *const *in, void *user)
{
    nw *net = user;
    heed_tensor *own = net->width;
    net->width = in[3];
    heed_tensor *y = forward(net, in[0], in[1], in[2]);
    net->width = own;
    return y;
}

/* Checks first and second derivatives by all inputs and the width. */
static void check_gradients_at(const nw_options *options, heed_tensor *q, heed_tensor *k, heed_tensor *v)
{
    nw *net = net_new(options);
    heed_tensor *in[4] = {q, k, v, heed_add_scalar(heed_rand(HEED_F64, heed_shape_of(net->width)), 0.1)};
    for (int i = 0; i < 4; i++) {
        in[i] = heed_detach(in[i]);
        heed_set_requires_grad(in[i], true);
    }
    heed_gradcheck_options check = {.seed = 5};
    heed_gradcheck_result result;
    ck_assert_msg(heed_gradcheck(checked, net, in, 4, &check, &result) == HEED_OK, "%s", heed_error_message());
    ck_assert_msg(heed_gradgradcheck(checked, net, in, 4, &check, &result) == HEED_OK, "%s", heed_error_message());
    heed_module_free(&net->base);
}

static void check_gradients(const nw_options *options, heed_shape q, heed_shape k, heed_shape v)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *values = heed_rand(HEED_F64, v), *keys = heed_rand(HEED_F64, k);
    check_gradients_at(options, heed_rand(HEED_F64, q), keys, values);
    heed_scope_end(scope);
}

START_TEST(gradients)
{
    static const heed_nw_kernel smooth[] = {HEED_NW_GAUSSIAN, HEED_NW_TRIANGULAR, HEED_NW_EPANECHNIKOV,
                                            HEED_NW_BIWEIGHT, HEED_NW_TRIWEIGHT,  HEED_NW_TRICUBE};
    heed_manual_seed(3);
    for (int i = 0; i < 6; i++)
        for (int log_width = 0; log_width < 2; log_width++) {
            nw_options o = {.kernel = smooth[i], .log_width = log_width, .dtype = HEED_F64};
            check_gradients(&o, HEED_SHAPE(3), HEED_SHAPE(4), HEED_SHAPE(4));
            check_gradients(&o, HEED_SHAPE(3), HEED_SHAPE(3, 4), HEED_SHAPE(3, 4));
            check_gradients(&o, HEED_SHAPE(2, 2), HEED_SHAPE(3, 2), HEED_SHAPE(3, 2));
            o.dim = 2;
            check_gradients(&o, HEED_SHAPE(2, 2), HEED_SHAPE(2, 3, 2), HEED_SHAPE(2, 3, 2));
        }
}
END_TEST

/* The query is at a key, where the row's smallest |q - k| switches to a different key. */
START_TEST(gaussian_at_a_key)
{
    nw_options o = {.dtype = HEED_F64};
    heed_tensor *keys = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 0, 0.5, 1), *values = heed_square(keys);
    check_gradients_at(&o, keys, keys, values);
    check_gradients_at(&o, HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 0.25, 0.75), keys, values);
    keys = HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 0, 0.5, 1, 0.5);
    o.log_width = true;
    check_gradients_at(&o, keys, keys, HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1, 2));
}
END_TEST

/* At a key, sqrt(sum u^2) has no derivative. */
START_TEST(windows_at_a_key)
{
    for (int k = HEED_NW_BOXCAR; k <= HEED_NW_TRICUBE; k++) {
        nw *net = net_new(&(nw_options){.kernel = (heed_nw_kernel)k, .width = 2.0, .dtype = HEED_F64});
        heed_tensor *keys = HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 0, 0, 1, 1), *g = NULL, *h = NULL;
        heed_tensor *q = heed_set_requires_grad(heed_zeros(HEED_F64, HEED_SHAPE(1, 2)), true);
        heed_tensor *y = heed_sum(forward(net, q, keys, HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1, 2)));
        ck_assert_int_eq(heed_grad(&y, 1, &q, 1, &g, &(heed_grad_options){.create_graph = true}), HEED_OK);
        g = heed_sum(g);
        ck_assert(isfinite(heed_item(g)));
        if (k != HEED_NW_BOXCAR) { /* whose gradient is 0 everywhere */
            ck_assert_int_eq(heed_grad(&g, 1, &q, 1, &h, NULL), HEED_OK);
            ck_assert(isfinite(heed_item(heed_sum(h))));
        }
        heed_module_free(&net->base);
    }
}
END_TEST

/* Computes d y[0] / d (q, w) and the gradient of the sum of these derivatives. */
static void derivatives(heed_tensor *y, heed_tensor *const by[2], heed_tensor **first, heed_tensor **second)
{
    heed_tensor *y0 = heed_select(y, 0, 0);
    ck_assert_int_eq(heed_grad(&y0, 1, by, 2, first, &(heed_grad_options){.create_graph = true}), HEED_OK);
    heed_tensor *sum = heed_add(heed_select(first[0], 0, 0), heed_sum(first[1]));
    ck_assert_int_eq(heed_grad(&sum, 1, by, 2, second, NULL), HEED_OK);
}

/* A far query makes the whole call use a shifted formula, which must have the same derivatives. */
START_TEST(with_a_far_query)
{
    nw *net = net_new(&(nw_options){.width = 0.8, .dtype = HEED_F64});
    heed_tensor *keys = HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 0, 0.4, 1, 1.7), *values = heed_sin(keys);
    heed_tensor *alone = heed_set_requires_grad(HEED_TENSOR(HEED_F64, HEED_SHAPE(1), 0.7), true);
    heed_tensor *beside = heed_set_requires_grad(HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 0.7, 1e160), true);
    heed_tensor *a[2], *a2[2], *b[2], *b2[2];
    derivatives(forward(net, alone, keys, values), (heed_tensor *[]){alone, net->width}, a, a2);
    derivatives(forward(net, beside, keys, values), (heed_tensor *[]){beside, net->width}, b, b2);
    for (int i = 0; i < 2; i++) {
        ck_assert_near(heed_get(b[i], HEED_INDEX(0)), heed_get(a[i], HEED_INDEX(0)), 1e-14);
        ck_assert_near(heed_get(b2[i], HEED_INDEX(0)), heed_get(a2[i], HEED_INDEX(0)), 1e-13);
    }
    heed_module_free(&net->base);
}
END_TEST

/* Only one of queries, keys, values and width needs a gradient; it must equal the gradient computed together with the
 * others. */
START_TEST(one_gradient_at_a_time)
{
    heed_manual_seed(4);
    heed_tensor *in[4] = {heed_rand(HEED_F64, HEED_SHAPE(5, 2)), heed_rand(HEED_F64, HEED_SHAPE(4, 2)),
                          heed_rand(HEED_F64, HEED_SHAPE(4)), heed_ones(HEED_F64, HEED_SHAPE(1))};
    heed_tensor *together[4];
    for (int i = 0; i < 4; i++)
        heed_set_requires_grad(in[i], true);
    heed_tensor *sum = heed_sum(heed_square(heed_kernel_regression(in[0], in[1], in[2], in[3], NULL, NULL)));
    ck_assert_int_eq(heed_grad(&sum, 1, in, 4, together, NULL), HEED_OK);
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 4; k++)
            heed_set_requires_grad(in[k], k == i);
        heed_tensor *alone = NULL;
        sum = heed_sum(heed_square(heed_kernel_regression(in[0], in[1], in[2], in[3], NULL, NULL)));
        ck_assert_msg(heed_grad(&sum, 1, &in[i], 1, &alone, NULL) == HEED_OK, "%s", heed_error_message());
        double error = heed_item(heed_sum(heed_square(heed_sub(alone, together[i]))));
        ck_assert_msg(error < 1e-24 && heed_item(heed_sum(heed_square(alone))) > 0, "input %d: %g", i, error);
    }
}
END_TEST

/* Returns which of f and the weights (bits 0 and 1) have a graph if only one of the inputs needs a gradient. The
 * gradient is checked as well. */
static int in_graph(const heed_kernel_regression_options *options, int64_t n, int64_t m, int input)
{
    heed_tensor *weights = NULL, *in[4] = {heed_rand(HEED_F64, HEED_SHAPE(n, 2)), heed_rand(HEED_F64, HEED_SHAPE(m, 2)),
                                           heed_rand(HEED_F64, HEED_SHAPE(m)), heed_rand(HEED_F64, HEED_SHAPE(1))};
    heed_set_requires_grad(in[input], true);
    heed_tensor *f = heed_kernel_regression(in[0], in[1], in[2], in[3], options, &weights), *both[] = {f, weights}, *g;
    heed_grad_options keep = {.retain_graph = true};
    int graph = heed_requires_grad(f) | heed_requires_grad(weights) << 1;
    for (int i = 0; i < 2; i++) {
        heed_tensor *sum = heed_sum(both[i]);
        if (!(graph >> i & 1))
            continue;
        ck_assert_int_eq(heed_grad(&sum, 1, &in[input], 1, &g, &keep), HEED_OK);
        ck_assert(heed_shape_equal(heed_shape_of(g), heed_shape_of(in[input])));
        ck_assert(m > 1 || heed_item(heed_sum(heed_abs(g))) == 0);
    }
    return graph;
}

/* With a single query that leaves itself out, or without keys, the weights are empty but still have a graph. */
START_TEST(without_keys)
{
    for (int kernel = HEED_NW_GAUSSIAN; kernel <= HEED_NW_CONSTANT; kernel++)
        for (int input = 0; input < 4; input++) {
            heed_kernel_regression_options all = {.kernel = (heed_nw_kernel)kernel}, others = all;
            others.leave_one_out = true;
            int graph = in_graph(&all, 3, 3, input);
            ck_assert_int_eq(in_graph(&others, 3, 3, input), graph);
            ck_assert_int_eq(in_graph(&others, 1, 1, input), graph);
            ck_assert_int_eq(in_graph(&others, 0, 0, input), graph);
            ck_assert_int_eq(in_graph(&all, 3, 0, input), graph);
        }
}
END_TEST

/* Without queries, keys get zero gradients; the sizes are possible only for tensors without elements. */
START_TEST(without_queries)
{
    static const int64_t sizes[][3] = {
        {5, 1, 2}, {0, 1, INT64_C(1) << 62}, {0, 0, INT64_C(1) << 61}, {INT64_C(1) << 40, 0, 0}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const int64_t m = sizes[i][0], d = sizes[i][1], v = sizes[i][2];
        heed_tensor *in[] = {heed_zeros(HEED_F32, HEED_SHAPE(0, d)), heed_ones(HEED_F32, HEED_SHAPE(m, d)),
                             heed_ones(HEED_F32, HEED_SHAPE(m, v))};
        heed_tensor *width = heed_ones(HEED_F32, HEED_SHAPE(1)), *grads[3] = {NULL};
        for (int j = 0; j < 3; j++)
            heed_set_requires_grad(in[j], true);
        heed_tensor *loss = heed_sum(heed_kernel_regression(in[0], in[1], in[2], width, NULL, NULL));
        ck_assert_int_eq(heed_grad(&loss, 1, in, 3, grads, NULL), HEED_OK);
        for (int j = 1; j < 3 && m == 5; j++)
            ck_assert(heed_item(heed_sum(heed_abs(grads[j]))) == 0);
    }
}
END_TEST

HEED_TEST_MAIN("nw_gradients", gradients, gaussian_at_a_key, windows_at_a_key, with_a_far_query, one_gradient_at_a_time,
               without_keys, without_queries)
