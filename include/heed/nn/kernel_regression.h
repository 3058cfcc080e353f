/* heed/nn/kernel_regression.h - Nadaraya-Watson kernel regression with a learned width. The module wraps
 * heed_kernel_regression (heed/ops/attention.h), f(q) = sum_i a_i(q) v_i; other functions help to train it. The book
 * Dive into Deep Learning describes it in "Attention Pooling". The rules in heed/nn.h hold here too.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NN_KERNEL_REGRESSION_H
#define HEED_NN_KERNEL_REGRESSION_H

#include <heed/module.h>
#include <heed/ops.h>

HEED_BEGIN_DECLS

/* Options of heed_nn_nw_kernel_regression_new. */
typedef struct heed_nn_nw_kernel_regression_options {
    heed_nw_kernel kernel; /* 0: HEED_NW_GAUSSIAN (heed/ops/attention.h) */
    bool non_parametric;   /* the width is fixed: a buffer, not a parameter */
    bool log_width;        /* the parameter is "log_h" = ln h instead of "w" = 1 / h, which may get stuck at w = 0 */
    double width;          /* initial h. 0: h = 1 with non_parametric or log_width; else w is drawn from U(0, 1), as in
                              the book */
    int64_t dim;           /* 0: one width for all components of the keys; d: one per component */
    heed_dtype dtype;      /* of the width, queries, keys and values; 0: f32 */
    bool leave_one_out;    /* while base.training, key i is hidden from query i; for n shared keys and n queries */
    int degree;            /* of the polynomial fitted around every query, 0 (a constant) to 3 */
    HEED_RESERVED;
} heed_nn_nw_kernel_regression_options;

/* A kernel regression module: f(q) = sum_i a_i(q) v_i, where the weight a_i depends on the distance from q to key i,
 * relative to the width. */
typedef struct heed_nn_nw_kernel_regression {
    heed_module base;                             /* the module */
    heed_nn_nw_kernel_regression_options options; /* leave_one_out may be set at any time */
    heed_tensor *width;                           /* (1) or (dim): the parameter or buffer "w" or "log_h" */
} heed_nn_nw_kernel_regression;

/* Makes a kernel regression module with the parameter "w" = 1 / h, or "log_h" = ln h, (1) or (dim). NULL options:
 * Gaussian, parametric, one width, f32.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a negative or non-finite width, a width whose 1 / h^2 the dtype cannot hold, a negative
 * dim, an unknown kernel or degree; HEED_ERR_SHAPE for a dim too large; HEED_ERR_DTYPE for a dtype other than f32 or
 * f64; HEED_ERR_NOMEM. */
HEED_API HEED_NODISCARD heed_nn_nw_kernel_regression *
heed_nn_nw_kernel_regression_new(const heed_nn_nw_kernel_regression_options *options);

/* Computes f(q) = sum_i a_i(q) v_i for every query. queries (n) or (n, d); keys (m) or (m, d), shared by all queries,
 * or (n, m) or (n, m, d), one set per query; values (m) or (m, v) with shared keys, (n, m) or (n, m, v) otherwise. The
 * result is (n) or (n, v). Unless `weights` is NULL, *weights receives all a_i(q): (n, m), differentiable.
 *
 * Returns NULL on failure.
 * Errors: as heed_kernel_regression: HEED_ERR_SHAPE; HEED_ERR_DTYPE unless all have the module's dtype;
 * HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_nn_nw_kernel_regression_forward(heed_nn_nw_kernel_regression *net, heed_tensor *queries,
                                                           heed_tensor *keys, heed_tensor *values,
                                                           heed_tensor **weights);

/* Makes row i of the result x without x[i]: x (n) or (n, d) -> (n, n-1) or (n, n-1, d), the book's X_tile. The option
 * leave_one_out has the same effect without copies.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE for a different rank; HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_nn_leave_one_out(heed_tensor *x);

/* Computes the width for x (n) by Silverman's rule of thumb: 0.9 min(sd, IQR / 1.34) n^(-1/5), as R's bw.nrd0. sd is
 * the standard deviation and IQR the interquartile range, which is ignored if it is 0.
 *
 * Returns NaN on failure.
 * Errors: HEED_ERR_SHAPE unless x has rank 1 with n >= 2; HEED_ERR_DTYPE unless x is f32 or f64; HEED_ERR_ARGUMENT for
 * NULL, if all elements are equal, if one is infinite or NaN, or if the width would not be finite and above 0;
 * HEED_ERR_NOMEM.
 * Reference: B. W. Silverman: Density Estimation (1986), eq. 3.31. */
HEED_API double heed_nn_silverman_width(heed_tensor *x);

HEED_END_DECLS

#endif
