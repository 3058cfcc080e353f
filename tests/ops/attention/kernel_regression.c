/* tests/ops/attention/kernel_regression.c - cases of heed_kernel_regression.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "functions.h"

enum { RESULT, WEIGHTS, BOTH };

#define OPTIONS(...) (&(heed_kernel_regression_options){__VA_ARGS__})

/* i[]: the kernel, log_width, leave_one_out, the tested output. */
static heed_tensor *run(heed_tensor *const *in, const op_case *c)
{
    heed_tensor *weights = NULL;
    heed_tensor *y = heed_kernel_regression(in[0], in[1], in[2], in[3],
                                            OPTIONS(.kernel = (heed_nw_kernel)c->i[0], .log_width = c->i[1],
                                                    .leave_one_out = c->i[2], .degree = (int)c->i[4]),
                                            c->i[3] ? &weights : NULL);
    if (!y || c->i[3] == RESULT)
        return y;
    return c->i[3] == WEIGHTS ? weights : heed_add(y, heed_sum(heed_square(weights)));
}

/* Queries and keys are apart, and all are in the window. */
#define POINTS(...)                                                                                                    \
    {                                                                                                                  \
        .shape = __VA_ARGS__, .low = -1.5, .high = 1.5, .distinct = true                                               \
    }
#define SIZES(...)                                                                                                     \
    {                                                                                                                  \
        .shape = __VA_ARGS__                                                                                           \
    }
#define WIDTHS(from, to, ...)                                                                                          \
    {                                                                                                                  \
        .shape = __VA_ARGS__, .low = from, .high = to                                                                  \
    }
#define CASE(name_, q, k, v, w, ...)                                                                                   \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 4, .in = {POINTS(q), POINTS(k), SIZES(v), WIDTHS(0.3, 1.5, w)},         \
        __VA_ARGS__                                                                                                    \
    }
#define IN_WINDOW(name_, q, k, v, w, ...)                                                                              \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 4, .in = {POINTS(q), POINTS(k), SIZES(v), WIDTHS(0.1, 0.2, w)},         \
        __VA_ARGS__                                                                                                    \
    }

/* -- Values -------------------------------------------------------------------------------------------------------- */

#define NUMBERS(dtype, n, ...) HEED_TENSOR(dtype, HEED_SHAPE(n), __VA_ARGS__)
#define ONE_WIDTH(dtype, w) heed_full(dtype, HEED_SHAPE(1), w)

GIVES(sample, heed_kernel_regression(NUMBERS(HEED_F64, 1, 57), NUMBERS(HEED_F64, 3, 51, 56, 58),
                                     NUMBERS(HEED_F64, 3, 40, 43, 48), ONE_WIDTH(HEED_F64, 1), NULL, NULL))
GIVES(by_log_width,
      heed_kernel_regression(NUMBERS(HEED_F64, 2, 0, 1), NUMBERS(HEED_F64, 2, 0, 1), NUMBERS(HEED_F64, 2, 0, 1),
                             ONE_WIDTH(HEED_F64, -0.34657359027997264), OPTIONS(.log_width = true), NULL))

/* The nearest key gets all the weight; f32, for which the squares of the distances overflow. */
GIVES(far, heed_kernel_regression(NUMBERS(HEED_F32, 3, 1e30, -1e38, 3e38), NUMBERS(HEED_F32, 3, -1e37, 1e37, 0),
                                  NUMBERS(HEED_F32, 3, 10, 20, 15), ONE_WIDTH(HEED_F32, 2), NULL, NULL))
GIVES(nan_query, heed_kernel_regression(NUMBERS(HEED_F32, 2, NAN, 0), NUMBERS(HEED_F32, 2, -1, 1),
                                        NUMBERS(HEED_F32, 2, 4, 8), ONE_WIDTH(HEED_F32, 1), NULL, NULL))
GIVES(nan_key, heed_kernel_regression(NUMBERS(HEED_F64, 1, 0), NUMBERS(HEED_F64, 3, -1, 1, NAN),
                                      NUMBERS(HEED_F64, 3, 4, 8, 0), ONE_WIDTH(HEED_F64, 1), NULL, NULL))
GIVES(infinite_key, heed_kernel_regression(NUMBERS(HEED_F64, 1, 0), NUMBERS(HEED_F64, 3, -1, 1, INFINITY),
                                           NUMBERS(HEED_F64, 3, 4, 8, 0), ONE_WIDTH(HEED_F64, 1), NULL, NULL))
GIVES(width_0, heed_kernel_regression(NUMBERS(HEED_F32, 1, 1e30), NUMBERS(HEED_F32, 2, -1e30, 1),
                                      NUMBERS(HEED_F32, 2, 4, 8), ONE_WIDTH(HEED_F32, 0), NULL, NULL))
GIVES(no_keys, heed_kernel_regression(heed_ones(HEED_F32, HEED_SHAPE(2)), heed_ones(HEED_F32, HEED_SHAPE(0)),
                                      heed_ones(HEED_F32, HEED_SHAPE(0, 2)), ONE_WIDTH(HEED_F32, 1), NULL, NULL))
GIVES(alone, heed_kernel_regression(NUMBERS(HEED_F64, 1, NAN), NUMBERS(HEED_F64, 1, NAN), NUMBERS(HEED_F64, 1, NAN),
                                    ONE_WIDTH(HEED_F64, 1), OPTIONS(.leave_one_out = true), NULL))
GIVES(empty_window,
      heed_kernel_regression(NUMBERS(HEED_F64, 2, 9, 0.25), NUMBERS(HEED_F64, 2, 0, 0.5), NUMBERS(HEED_F64, 2, 4, 8),
                             ONE_WIDTH(HEED_F64, 1), OPTIONS(.kernel = HEED_NW_EPANECHNIKOV), NULL))

/* Query 1 does not see key 1 and value 1, which are NaN; the other queries do. */
static heed_tensor *beside_nan(heed_nw_kernel kernel, bool weights)
{
    heed_tensor *x = NUMBERS(HEED_F64, 3, 0, NAN, 2), *y = NUMBERS(HEED_F64, 3, 4, NAN, 8), *found = NULL;
    heed_tensor *f = heed_kernel_regression(NUMBERS(HEED_F64, 3, 0, 1, 2), x, y, ONE_WIDTH(HEED_F64, 0.1),
                                            OPTIONS(.kernel = kernel, .leave_one_out = true), weights ? &found : NULL);
    return weights ? found : f;
}

GIVES(gaussian_beside_nan, beside_nan(HEED_NW_GAUSSIAN, false))
GIVES(boxcar_beside_nan, beside_nan(HEED_NW_BOXCAR, false))
GIVES(weights_beside_nan, heed_select(beside_nan(HEED_NW_GAUSSIAN, true), 0, 1))

/* n points on a line, their values a wave. */
static heed_tensor *line(heed_dtype dtype, int64_t n)
{
    return heed_mul_scalar(counting(dtype, HEED_SHAPE(n)), 5.0 / (double)n);
}

/* The largest difference, scaled to the rounding errors. */
static heed_tensor *difference(heed_tensor *a, heed_tensor *b)
{
    return heed_max(heed_abs(heed_sub(a, b)));
}

/* Leave-one-out by index and by copies, with the derivatives by all inputs. */
static heed_tensor *left_out_twice(heed_dtype dtype, int64_t n, bool copies)
{
    heed_tensor *in[4] = {line(dtype, n), heed_clone(line(dtype, n)), heed_sin(line(dtype, n)), ONE_WIDTH(dtype, 3)};
    heed_tensor *g[4] = {NULL};
    for (int i = 0; i < 4; i++)
        heed_set_requires_grad(in[i], true);
    heed_tensor *f = copies ? heed_kernel_regression(in[0], heed_nn_leave_one_out(in[1]), heed_nn_leave_one_out(in[2]),
                                                     in[3], NULL, NULL)
                            : heed_kernel_regression(in[0], in[1], in[2], in[3], OPTIONS(.leave_one_out = true), NULL);
    heed_tensor *y = heed_sum(heed_mul(f, heed_cos(line(dtype, n))));
    if (!y || heed_grad(&y, 1, in, 4, g, NULL) != HEED_OK)
        return NULL;
    return heed_concat((heed_tensor *[]){f, g[0], g[1], g[2], g[3]}, 5, 0);
}

GIVES(left_out, difference(left_out_twice(HEED_F64, 101, false), left_out_twice(HEED_F64, 101, true)))
GIVES(left_out_f32, difference(left_out_twice(HEED_F32, 101, false), left_out_twice(HEED_F32, 101, true)))

/* Returns the derivatives with respect to all inputs, for keys that all queries share or, with `copies`, for a copy of
 * the keys per query. n or m is so large that the work is cut into chunks. */
static heed_tensor *shared_twice(int64_t n, int64_t m, bool copies)
{
    heed_tensor *in[4] = {line(HEED_F64, n), line(HEED_F64, m), heed_sin(line(HEED_F64, m)), ONE_WIDTH(HEED_F64, 3)};
    heed_tensor *g[4] = {NULL};
    for (int i = 0; i < 4; i++)
        in[i] = heed_set_requires_grad(heed_detach(in[i]), true);
    heed_tensor *k = copies ? heed_expand(in[1], HEED_SHAPE(n, m)) : in[1];
    heed_tensor *v = copies ? heed_expand(in[2], HEED_SHAPE(n, m)) : in[2];
    heed_tensor *f = heed_kernel_regression(in[0], k, v, in[3], NULL, NULL);
    heed_tensor *y = heed_sum(heed_mul(f, heed_cos(line(HEED_F64, n))));
    if (!y || heed_grad(&y, 1, in, 4, g, NULL) != HEED_OK)
        return NULL;
    return heed_concat(g, 4, 0);
}

GIVES(parts_of_keys, difference(shared_twice(203, 1301, false), shared_twice(203, 1301, true)))
GIVES(parts_of_queries, difference(shared_twice(1301, 203, false), shared_twice(1301, 203, true)))

/* Compares the result with the weights times the values, for enough keys that there are several blocks and ranges. */
static heed_tensor *against_weights(heed_dtype dtype, bool leave_one_out)
{
    heed_tensor *x = line(dtype, 2053), *y = heed_sin(x), *weights = NULL;
    heed_tensor *f =
        heed_kernel_regression(x, x, y, ONE_WIDTH(dtype, 40), OPTIONS(.leave_one_out = leave_one_out), &weights);
    return difference(f, heed_matmul(weights, y));
}

GIVES(many_keys, against_weights(HEED_F64, false))
GIVES(many_keys_left_out, against_weights(HEED_F64, true))
GIVES(many_keys_f32, against_weights(HEED_F32, true))

/* The second derivative by w at a point where the first is 0. */
static heed_tensor *bend_at_0(void)
{
    heed_tensor *w = heed_set_requires_grad(ONE_WIDTH(HEED_F64, 0), true), *slope = NULL, *bend = NULL;
    heed_tensor *f = heed_kernel_regression(NUMBERS(HEED_F64, 1, 0), NUMBERS(HEED_F64, 2, 1, 2),
                                            NUMBERS(HEED_F64, 2, 8, 0), w, NULL, NULL);
    if (heed_grad(&f, 1, &w, 1, &slope, &(heed_grad_options){.create_graph = true}) != HEED_OK)
        return NULL;
    return heed_grad(&slope, 1, &w, 1, &bend, NULL) == HEED_OK ? heed_concat((heed_tensor *[]){slope, bend}, 2, 0)
                                                               : NULL;
}

/* The derivatives by q and w for a far q: 0, and not infinity times 0; fused or not. */
static heed_tensor *far_slopes(bool create_graph)
{
    heed_tensor *by[2] = {heed_set_requires_grad(NUMBERS(HEED_F32, 1, 1e36), true),
                          heed_set_requires_grad(ONE_WIDTH(HEED_F32, 3), true)};
    heed_tensor *g[2] = {NULL}, *y = heed_kernel_regression(by[0], NUMBERS(HEED_F32, 2, -1e35, 1e35),
                                                            NUMBERS(HEED_F32, 2, 10, 20), by[1], NULL, NULL);
    heed_grad_options options = {.create_graph = create_graph};
    return y && heed_grad(&y, 1, by, 2, g, &options) == HEED_OK ? heed_concat(g, 2, 0) : NULL;
}

GIVES(far_slopes_fused, far_slopes(false))
GIVES(far_slopes_composed, far_slopes(true))

/* Returns the derivatives with respect to the widths of two components, for a far query. */
static heed_tensor *far_widths(void)
{
    heed_tensor *w = heed_set_requires_grad(heed_full(HEED_F32, HEED_SHAPE(2), 3), true), *dw = NULL;
    heed_tensor *keys = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), -1e35, -1e35, 1e35, 1e35);
    heed_tensor *y = heed_kernel_regression(heed_full(HEED_F32, HEED_SHAPE(1, 2), 1e36), keys,
                                            NUMBERS(HEED_F32, 2, 10, 20), w, NULL, NULL);
    return y && heed_grad(&y, 1, &w, 1, &dw, NULL) == HEED_OK ? dw : NULL;
}

GIVES(slopes_of_widths_far_away, far_widths())

/* -- Errors -------------------------------------------------------------------------------------------------------- */

#define ONES(...) heed_ones(HEED_F64, HEED_SHAPE(__VA_ARGS__))
#define BAD(name, q, k, v, w, options) GIVES(name, heed_kernel_regression(q, k, v, w, options, NULL))

BAD(q_null, NULL, ONES(3), ONES(3), ONES(1), NULL)
BAD(w_null, ONES(3), ONES(3), ONES(3), NULL, NULL)
BAD(v_null_boxcar, ONES(3), ONES(3), NULL, ONES(1), OPTIONS(.kernel = HEED_NW_BOXCAR))
BAD(scalar_query, heed_ones(HEED_F64, HEED_SCALAR), ONES(3), ONES(3), ONES(1), NULL)
BAD(rank_3, ONES(2, 2, 2), ONES(3), ONES(3), ONES(1), NULL)
BAD(components, ONES(2, 3), ONES(3, 2), ONES(3), ONES(1), NULL)
BAD(value_count, ONES(2), ONES(3), ONES(4), ONES(1), OPTIONS(.kernel = HEED_NW_CONSTANT))
BAD(other_sets, ONES(2), ONES(3, 3), ONES(3, 3), ONES(1), NULL)
BAD(scalar_width, ONES(2), ONES(3), ONES(3), heed_ones(HEED_F64, HEED_SCALAR), NULL)
BAD(widths, ONES(2, 3), ONES(3, 3), ONES(3), ONES(2), NULL)
BAD(left_out_of_more, ONES(2), ONES(3), ONES(3), ONES(1), OPTIONS(.leave_one_out = true))
BAD(left_out_of_own, ONES(3), ONES(3, 3), ONES(3, 3), ONES(1), OPTIONS(.leave_one_out = true))
BAD(kernel_8, ONES(2), ONES(3), ONES(3), ONES(1), OPTIONS(.kernel = (heed_nw_kernel)8))
BAD(degree_4, ONES(2), ONES(3), ONES(3), ONES(1), OPTIONS(.degree = 4))
BAD(degree_below_0, ONES(2), ONES(3), ONES(3), ONES(1), OPTIONS(.degree = -1))
BAD(many_powers, ONES(2, 17), ONES(3, 17), ONES(3), ONES(1), OPTIONS(.degree = 3))
BAD(powers_without_end, ONES(0, WIDEST), ONES(0, WIDEST), ONES(0), ONES(1), OPTIONS(.degree = 3))
BAD(mixed, ONES(2), heed_ones(HEED_F32, HEED_SHAPE(3)), ONES(3), ONES(1), NULL)
BAD(i64, heed_ones(HEED_I64, HEED_SHAPE(2)), ONES(3), ONES(3), ONES(1), NULL)
BAD(too_many, ONES(1, 0), ONES(WIDEST, 0), ONES(WIDEST, 0), ONES(1), NULL)
BAD(width_f32, ONES(2), ONES(3), ONES(3), heed_ones(HEED_F32, HEED_SHAPE(1)), NULL)

/* Backward keeps a number per row for every component of keys and values. */
static heed_tensor *too_many_components(void)
{
    heed_tensor *none = heed_zeros(HEED_F64, HEED_SHAPE(0, INT64_C(1) << 62));
    heed_tensor *width = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(1)), true);
    return heed_kernel_regression(none, none, none, width, NULL, NULL);
}

const op_cases heed_cases_kernel_regression = {
    .cases =
        (const op_case[]){
            CASE("shared", DIMS(3), DIMS(4), DIMS(4), DIMS(1), .i = {0}),
            CASE("shared, ln h", DIMS(3), DIMS(4), DIMS(4), DIMS(1), .i = {0, true}),
            CASE("one of each", DIMS(1), DIMS(1), DIMS(1), DIMS(1), .i = {0}),
            CASE("values in columns", DIMS(3), DIMS(4), DIMS(4, 2), DIMS(1), .i = {0}),
            CASE("vectors", DIMS(2, 3), DIMS(3, 3), DIMS(3), DIMS(1), .i = {0}),
            CASE("vectors, widths", DIMS(2, 2), DIMS(3, 2), DIMS(3, 2), DIMS(2), .i = {0}),
            CASE("vectors, widths, ln h", DIMS(2, 2), DIMS(3, 2), DIMS(3), DIMS(2), .i = {0, true}),
            CASE("vectors of one", DIMS(2, 1), DIMS(3, 1), DIMS(3, 1), DIMS(1), .i = {0}),
            CASE("own sets", DIMS(2), DIMS(2, 3), DIMS(2, 3), DIMS(1), .i = {0}),
            CASE("own sets, columns, ln h", DIMS(2), DIMS(2, 3), DIMS(2, 3, 2), DIMS(1), .i = {0, true}),
            CASE("own vectors", DIMS(2, 2), DIMS(2, 3, 2), DIMS(2, 3, 2), DIMS(1), .i = {0}),
            CASE("own vectors, widths", DIMS(2, 2), DIMS(2, 3, 2), DIMS(2, 3), DIMS(2), .i = {0}),
            CASE("left out", DIMS(4), DIMS(4), DIMS(4), DIMS(1), .i = {0, false, true}),
            CASE("left out, ln h, columns", DIMS(3), DIMS(3), DIMS(3, 2), DIMS(1), .i = {0, true, true}),
            CASE("left out, vectors, widths", DIMS(3, 2), DIMS(3, 2), DIMS(3), DIMS(2), .i = {0, false, true}),
            CASE("left out of one", DIMS(1), DIMS(1), DIMS(1), DIMS(1), .i = {0, false, true}),
            CASE("primes", DIMS(7), DIMS(37), DIMS(37), DIMS(1), .i = {0}, .max_order = 1),
            CASE("primes left out", DIMS(37), DIMS(37), DIMS(37), DIMS(1), .i = {0, false, true}, .max_order = 1),
            CASE("prime vectors left out", DIMS(19, 3), DIMS(19, 3), DIMS(19, 2), DIMS(3), .i = {0, false, true},
                 .max_order = 1),
            CASE("weights", DIMS(2), DIMS(3), DIMS(3), DIMS(1), .i = {0, false, false, BOTH}),
            CASE("weights, left out", DIMS(3), DIMS(3), DIMS(3), DIMS(1), .i = {0, true, true, BOTH}),
            CASE("no queries", DIMS(0), DIMS(3), DIMS(3), DIMS(1), .i = {0}),
            CASE("no queries, own sets", DIMS(0, 2), DIMS(0, 3, 2), DIMS(0, 3), DIMS(2), .i = {0}),
            CASE("no keys", DIMS(2), DIMS(0), DIMS(0), DIMS(1), .i = {0}),
            CASE("no keys, own sets", DIMS(2, 2), DIMS(2, 0, 2), DIMS(2, 0, 2), DIMS(1), .i = {0}),
            CASE("nobody left out", DIMS(0), DIMS(0), DIMS(0), DIMS(1), .i = {0, false, true}),
            CASE("values of no size", DIMS(2), DIMS(3), DIMS(3, 0), DIMS(1), .i = {0}),
            CASE("keys of no size", DIMS(2, 0), DIMS(3, 0), DIMS(3), DIMS(1), .i = {0}),
            IN_WINDOW("triangular", DIMS(3), DIMS(4), DIMS(4), DIMS(1), .i = {HEED_NW_TRIANGULAR}),
            IN_WINDOW("triangular, own vectors", DIMS(2, 2), DIMS(2, 3, 2), DIMS(2, 3, 2), DIMS(2),
                      .i = {HEED_NW_TRIANGULAR, false, false, BOTH}),
            IN_WINDOW("Epanechnikov", DIMS(3), DIMS(4), DIMS(4, 2), DIMS(1), .i = {HEED_NW_EPANECHNIKOV}),
            IN_WINDOW("Epanechnikov left out", DIMS(3), DIMS(3), DIMS(3), DIMS(1),
                      .i = {HEED_NW_EPANECHNIKOV, false, true, BOTH}),
            IN_WINDOW("biweight", DIMS(3), DIMS(4), DIMS(4), DIMS(1), .i = {HEED_NW_BIWEIGHT}),
            IN_WINDOW("triweight, vectors", DIMS(2, 2), DIMS(3, 2), DIMS(3), DIMS(1), .i = {HEED_NW_TRIWEIGHT}),
            IN_WINDOW("tricube, left out", DIMS(3), DIMS(3), DIMS(3), DIMS(1), .i = {HEED_NW_TRICUBE, true, true}),
            CASE("linear", DIMS(3), DIMS(6), DIMS(6), DIMS(1), .i = {0, false, false, RESULT, 1}),
            CASE("quadratic, left out, columns, ln h", DIMS(6), DIMS(6), DIMS(6, 2), DIMS(1),
                 .i = {0, true, true, BOTH, 2}),
            CASE("cubic", DIMS(2), DIMS(8), DIMS(8), DIMS(1), .i = {0, false, false, RESULT, 3}),
            CASE("linear, vectors, widths", DIMS(2, 2), DIMS(7, 2), DIMS(7), DIMS(2), .i = {0, false, false, BOTH, 1}),
            CASE("quadratic, own vectors", DIMS(2, 2), DIMS(2, 9, 2), DIMS(2, 9), DIMS(1),
                 .i = {0, false, false, RESULT, 2}),
            IN_WINDOW("tricube, linear", DIMS(3), DIMS(6), DIMS(6), DIMS(1),
                      .i = {HEED_NW_TRICUBE, false, false, RESULT, 1}),
            CASE("a line of the constant kernel", DIMS(3), DIMS(6), DIMS(6), DIMS(1),
                 .i = {HEED_NW_CONSTANT, false, false, RESULT, 1}, .max_order = -1),
            CASE("linear, no keys", DIMS(2), DIMS(0), DIMS(0), DIMS(1), .i = {0, false, false, RESULT, 1}),
            CASE("cubic, one key", DIMS(2), DIMS(1), DIMS(1), DIMS(1), .i = {0, false, false, BOTH, 3}),
            IN_WINDOW("boxcar", DIMS(2), DIMS(3), DIMS(3), DIMS(1), .i = {HEED_NW_BOXCAR}, .max_order = 1),
            IN_WINDOW("constant, left out", DIMS(3), DIMS(3), DIMS(3), DIMS(1), .i = {HEED_NW_CONSTANT, false, true},
                      .max_order = -1),
            {0}},
    .values =
        (const op_value[]){
            {"the sample", sample, DIMS(1), 1e-15, (const double[]){45.499999930947524}},
            {"ln h", by_log_width, DIMS(2), 1e-15, (const double[]){0.26894142136999512, 0.73105857863000488}},
            {"far queries", far, DIMS(3), 0, (const double[]){15, 10, 20}},
            {"NaN among the queries", nan_query, DIMS(2), 0, (const double[]){NAN, 6}},
            {"NaN among the keys", nan_key, DIMS(1), 0, (const double[]){NAN}},
            {"an infinite key", infinite_key, DIMS(1), 0, (const double[]){6}},
            {"width 0", width_0, DIMS(1), 0, (const double[]){6}},
            {"no keys", no_keys, DIMS(2, 2), 0, (const double[]){0, 0, 0, 0}},
            {"nobody else", alone, DIMS(1), 0, (const double[]){0}},
            {"nothing in the window", empty_window, DIMS(2), 1e-15, (const double[]){0, 6}},
            {"NaN left out", gaussian_beside_nan, DIMS(3), 1e-15, (const double[]){NAN, 6, NAN}},
            {"NaN left out, boxcar", boxcar_beside_nan, DIMS(3), 1e-15, (const double[]){NAN, 6, NAN}},
            {"weights of the left out", weights_beside_nan, DIMS(3), 1e-15, (const double[]){0.5, 0, 0.5}},
            {"left out by copies", left_out, NO_DIMS, 1e-12, (const double[]){0}},
            {"left out by copies, f32", left_out_f32, NO_DIMS, 1e-4, (const double[]){0}},
            {"parts of the keys", parts_of_keys, NO_DIMS, 1e-12, (const double[]){0}},
            {"parts of the queries", parts_of_queries, NO_DIMS, 1e-12, (const double[]){0}},
            {"2053 keys", many_keys, NO_DIMS, 1e-14, (const double[]){0}},
            {"2053 keys left out", many_keys_left_out, NO_DIMS, 1e-14, (const double[]){0}},
            {"2053 keys left out, f32", many_keys_f32, NO_DIMS, 2e-6, (const double[]){0}},
            {"second derivative at 0", bend_at_0, DIMS(2), 1e-15, (const double[]){0, 6}},
            {"slopes far away", far_slopes_fused, DIMS(2), 0, (const double[]){0, 0}},
            {"slopes far away, composed", far_slopes_composed, DIMS(2), 0, (const double[]){0, 0}},
            {"slopes far away, two widths", slopes_of_widths_far_away, DIMS(2), 0, (const double[]){0, 0}},
            {0}},
    .errors =
        (const op_error[]){
            {"queries NULL", q_null, HEED_ERR_ARGUMENT, "kernel_regression: argument 1 is NULL"},
            {"width NULL", w_null, HEED_ERR_ARGUMENT, "kernel_regression: argument 4 is NULL"},
            {"values NULL, boxcar", v_null_boxcar, HEED_ERR_ARGUMENT, "kernel_regression:"},
            {"a scalar query", scalar_query, HEED_ERR_SHAPE,
             "kernel_regression: queries (), keys (3), values (3): must be"},
            {"rank 3", rank_3, HEED_ERR_SHAPE, "queries (2, 2, 2)"},
            {"components", components, HEED_ERR_SHAPE, "queries (2, 3), keys (3, 2)"},
            {"values", value_count, HEED_ERR_SHAPE, "kernel_regression: queries (2), keys (3), values (4)"},
            {"sets", other_sets, HEED_ERR_SHAPE, "queries (2), keys (3, 3)"},
            {"a scalar width", scalar_width, HEED_ERR_SHAPE, "width (): must be (1)"},
            {"two widths for three", widths, HEED_ERR_SHAPE, "width (2): must be (1), or (3)"},
            {"components", too_many_components, HEED_ERR_SHAPE, "too many components"},
            {"leave one of more out", left_out_of_more, HEED_ERR_SHAPE, "queries (2), keys (3): leave_one_out needs"},
            {"leave out of own sets", left_out_of_own, HEED_ERR_SHAPE, "queries (3), keys (3, 3): leave_one_out"},
            {"kernel 8", kernel_8, HEED_ERR_ARGUMENT, "kernel_regression: kernel is 8: must be one of HEED_NW_*"},
            {"degree 4", degree_4, HEED_ERR_ARGUMENT, "kernel_regression: degree is 4: must be 0 to 3"},
            {"degree -1", degree_below_0, HEED_ERR_ARGUMENT, "kernel_regression: degree is -1: must be 0 to 3"},
            {"1140 powers", many_powers, HEED_ERR_UNSUPPORTED,
             "degree 3 with 17 components: must give at most 1000 powers"},
            {"powers without end", powers_without_end, HEED_ERR_UNSUPPORTED, "must give at most 1000 powers"},
            {"f64 and f32", mixed, HEED_ERR_DTYPE, "kernel_regression: queries are f64, keys f32"},
            {"i64", i64, HEED_ERR_DTYPE, "queries are i64, queries i64: must all be f32, or all f64"},
            {"keys without end", too_many, HEED_ERR_NOMEM,
             "kernel_regression: not enough memory for 4611686018427387903 keys"},
            {"width f32", width_f32, HEED_ERR_DTYPE, "queries are f64, width f32"},
            {0}},
};
