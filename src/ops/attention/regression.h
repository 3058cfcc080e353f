/* ops/attention/regression.h - shared by the files of kernel regression.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_ATTENTION_REGRESSION_H
#define HEED_OPS_ATTENTION_REGRESSION_H

#include "ops/support.h"

typedef struct heed__regression_params {
    heed_nw_kernel kernel;
    bool log_width;
    bool leave_one_out;
    int degree;
    bool slopes; /* df / d ln w is computed with f */
} heed__regression_params;

/* n queries, m keys of d components, values of v components. */
typedef struct heed__regression_dims {
    int64_t n, m, d, v;
    int64_t widths; /* 1 or d */
    bool shared;    /* one set of keys and values for all queries; else one set per query */
    bool columns;   /* values have an axis for the v components */
} heed__regression_dims;

typedef struct heed__regression_inputs {
    heed_tensor *queries, *keys, *values, *width;
} heed__regression_inputs;

/* -- kernel_regression.c ------------------------------------------------------------------------------------------- */

/* Returns the sizes. The shapes must fit; the shape of the width may be NULL. */
heed__regression_dims heed__regression_sizes(const heed_shape *queries, const heed_shape *keys,
                                             const heed_shape *values, const heed_shape *width);

/* Checks dtypes and shapes. Returns false after heed_fail. */
bool heed__regression_check(const heed__regression_inputs *in, const heed__regression_params *params);

/* heed_op.multiply_adds of the Gaussian. */
int64_t heed__regression_multiply_adds(const heed_call *call);

/* -- composed_regression.c ----------------------------------------------------------------------------------------- */

/* Returns the weights (n, m), which do not depend on the values. NULL after heed_fail. */
heed_tensor *heed__regression_weights(const heed__regression_inputs *in, const heed__regression_params *params);

/* Returns f = sum_j a_j v_j (n[, v]), and stores the weights unless `weights` is NULL. NULL after heed_fail. */
heed_tensor *heed__regression_pool(const heed__regression_inputs *in, const heed__regression_params *params,
                                   heed_tensor **weights);

/* Sets the requested gradients of queries, keys, values and width for the Gaussian of degree 0, given g (n[, v]). */
void heed__regression_backward(const heed_call *call, heed_tensor *g, heed_tensor **dx);

/* -- polynomial_regression.c --------------------------------------------------------------------------------------- */

/* Checks that d components have at most MOST_POWERS powers up to `degree`. Returns false after heed_fail. */
bool heed__regression_check_powers(int64_t d, int degree);

/* Returns the weights (n, m) of a local polynomial of degree `degree`, given the weights of the kernel, queries (n, 1,
 * d) and keys (1 or n, m, d). NULL after heed_fail. */
heed_tensor *heed__regression_polynomial(heed_tensor *weights, heed_tensor *queries, heed_tensor *keys, int degree);

#endif
