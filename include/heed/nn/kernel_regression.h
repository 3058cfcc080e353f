/* heed/nn/kernel_regression.h - Nadaraya-Watson kernel regression. heed_kernel_regression (heed/ops/attention.h),
 * f(q) = sum_i a_i(q) v_i, with a width that is learned, and what else its training takes. Dive into Deep Learning,
 * "Attention Pooling". What heed/nn.h says of all layers holds here.
 */
#ifndef HEED_NN_KERNEL_REGRESSION_H
#define HEED_NN_KERNEL_REGRESSION_H

#include <heed/module.h>
#include <heed/ops.h>

HEED_BEGIN_DECLS

/* What heed_nn_nw_kernel_regression_new may be told. */
typedef struct heed_nn_nw_kernel_regression_options {
    heed_nw_kernel kernel; /* 0: HEED_NW_GAUSSIAN (heed/ops/attention.h) */
    bool non_parametric;   /* the width is fixed: a buffer, not a parameter */
    bool log_width;        /* the parameter is "log_h" = ln h instead of "w" = 1 / h, which may get stuck at w = 0 */
    double width;       /* h at the start; 0: 1 when fixed or log_width, else w is drawn from U(0, 1) as in the book */
    int64_t dim;        /* 0: one width for all components of the keys; d: one for each of the d components */
    heed_dtype dtype;   /* of the width, and of queries, keys and values; 0: f32 */
    bool leave_one_out; /* while base.training, query i does not see key i: shared keys, as many as queries */
    int degree;         /* of the polynomial that is fitted around each query, 0, a constant, to 3 */
    HEED_RESERVED;
} heed_nn_nw_kernel_regression_options;

/* f(q) = sum_i a_i(q) v_i, weights a by the distance from q to key i over the width. */
typedef struct heed_nn_nw_kernel_regression {
    heed_module base;                             /* the module */
    heed_nn_nw_kernel_regression_options options; /* leave_one_out may be set at any time */
    heed_tensor *width;                           /* (1) or (dim): "w", or "log_h" */
} heed_nn_nw_kernel_regression;

/* Kernel regression with parameter "w" = 1 / h, or "log_h" = ln h, (1) or (dim). NULL options: Gaussian,
 * parametric, one width, f32. NULL on failure: HEED_ERR_ARGUMENT for a width that is negative, not finite, or for
 * which the dtype cannot hold 1 / h^2, a negative dim, an unknown kernel or degree; HEED_ERR_SHAPE for a dim too large;
 * HEED_ERR_DTYPE for a dtype that is not floating-point; HEED_ERR_NOMEM. */
HEED_API HEED_NODISCARD heed_nn_nw_kernel_regression *
heed_nn_nw_kernel_regression_new(const heed_nn_nw_kernel_regression_options *options);

/* f(q) = sum_i a_i(q) v_i for each query. queries (n) or (n, d); keys (m) or (m, d), shared by all queries, or
 * (n, m) or (n, m, d), one set per query; values (m) or (m, v) with shared keys, (n, m) or (n, m, v) otherwise.
 * Returns (n) or (n, v). *weights receives a (n, m), differentiable; NULL: not wanted. NULL on failure, errors as
 * heed_kernel_regression: HEED_ERR_SHAPE, HEED_ERR_DTYPE unless all have the module's dtype, HEED_ERR_ARGUMENT for
 * NULL, HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_nn_nw_kernel_regression_forward(heed_nn_nw_kernel_regression *net, heed_tensor *queries,
                                                           heed_tensor *keys, heed_tensor *values,
                                                           heed_tensor **weights);

/* x (n) or (n, d) -> (n, n-1) or (n, n-1, d): row i is x without x[i], the book's X_tile. The option leave_one_out
 * does the same without copies. NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE for another rank,
 * HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_nn_leave_one_out(heed_tensor *x);

/* Silverman's rule of thumb for x (n): 0.9 min(sd, IQR / 1.34) n^(-1/5), R's bw.nrd0; without the IQR where that is 0.
 * NaN on failure: HEED_ERR_SHAPE unless rank 1 with n >= 2, HEED_ERR_DTYPE unless floating-point, HEED_ERR_ARGUMENT
 * for NULL, when all are equal, one is not finite, or the width would not be finite and above 0; HEED_ERR_NOMEM.
 * B. W. Silverman: Density Estimation (1986), eq. 3.31. */
HEED_API double heed_nn_silverman_width(heed_tensor *x);

HEED_END_DECLS

#endif
