/* kernels/regression/args.h - arguments of the kernels for kernel regression and its moments; part of kernels.h, which
 * includes it.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_REGRESSION_ARGS_H
#define HEED_KERNELS_REGRESSION_ARGS_H

#include <stdbool.h>
#include <stdint.h>

/* -- Nadaraya-Watson kernel regression ----------------------------------------------------------------------------- */

/* For n queries q of d components, m keys k of d and values of v components:
 *
 *     f = sum_j a_j v_j    a_j = e^((top - u_j) / r^2) factor    u_j = sum_c (r w_c)^2 (d_jc^2 - near_c^2) / 2
 *     d_jc = q_c - k_jc    near_c = min_j |d_jc|    top = min_j u_j    1 / factor = sum_j e^((top - u_j) / r^2)
 *
 * Subtracting near_c^2 does not change the weights; without it a query far from every key would lose its digits, or
 * overflow. r is 1, unless every u_j would then be infinite; in this case r is a power of 2 for which at least one u_j
 * is finite. The keys (d, m) and values (v, m) are shared by all queries, or every query has its own set. */
typedef struct heed__regression_args {
    int64_t n, m, d, v;
    bool shared;
    bool leave_one_out; /* query i does not see key i, which is not read; requires shared, and n = m */
    const void *queries;
    const void *keys, *values;
    const void *widths; /* (d), 1 / h: finite and not negative */
} heed__regression_args;

enum { HEED_REGRESSION_SAVED = 3 }; /* numbers saved per query in addition to the d numbers near_c: top, r and factor */

typedef struct heed__regression_results {
    void *f;      /* (n, v) */
    void *rows;   /* (n, d + 3): near, top, r and factor */
    void *slopes; /* (n, v), the derivative of f by ln w^2 when all widths grow by the same factor; NULL: not needed */
} heed__regression_results;

/* Computes the results of queries begin .. end - 1. A query that sees no key has zeros. */
typedef int64_t heed__regression_kernel(const heed__regression_args *args, int64_t begin, int64_t end,
                                        const heed__regression_results *to, void *scratch);

/* Results of the forward kernel, and g (n, v), the gradient of f. */
typedef struct heed__regression_saved {
    const void *f, *rows, *g;
} heed__regression_saved;

/* The gradients for a range of queries and a range of keys. dq (n, d) and moments (n, d) are written for these queries,
 * as sums over these keys only. dk and dv, with the shapes of the keys and values, are written for these keys, as sums
 * over these queries only. Query i contributes -moments[i, c] to the gradient of ln w_c^2. NULL results are not
 * computed. */
typedef struct heed__regression_range {
    int64_t row_begin, row_end, key_begin, key_end;
} heed__regression_range;
typedef struct heed__regression_grads {
    void *dq, *moments, *dk, *dv;
} heed__regression_grads;
typedef int64_t heed__regression_grad_kernel(const heed__regression_args *args, const heed__regression_saved *saved,
                                             const heed__regression_range *range, const heed__regression_grads *grads,
                                             void *scratch);

/* -- Moments, from which the caller computes local polynomials ----------------------------------------------------- */

/* Weighted sums over the keys around a query. With u_c = (x_c - q_c) w_c for every column c, the weight of a key is
 *
 *     W = factor prod_c K(u_c),   K(u) = e^(-u^2 / 2), or (1 - |u|^power)^times for |u| <= 1
 *
 * A key has `powers` numbers b: b_0 = 1, then u_c for every column c, then products of these, b_k = b_i u_c with i =
 * parents[k] and c = column[k]. The results are
 *
 *     S_jk = sum W b_j b_k for k <= j, row by row, then T_j = sum W b_j y
 *
 * The same sums follow with g W instead of W for each of the `slopes` numbers g of a key: d ln K / d ln h for every
 * column, then the elements of the given arrays. A key of weight 0 adds 0, however far it is. */
typedef struct heed__moments_args {
    int columns, powers, slopes; /* slopes: 0, or `columns` plus the number of given arrays */
    int power, times;            /* power 0: K(u) is e^(-u^2 / 2) */
    const void *const *x;        /* (columns) arrays */
    const void *factors, *y;
    const void *const *given;    /* (slopes - columns) arrays */
    const int *parents, *column; /* (powers) */
} heed__moments_args;

#define HEED_MOMENTS_COLUMNS 6 /* the maximum of `columns`, and of `slopes` */
#define HEED_MOMENTS_POWERS 10

static inline int heed__moments_count(const heed__moments_args *args)
{
    return (1 + args->slopes) * (args->powers * (args->powers + 1) / 2 + args->powers);
}

/* A query, and n ranges of keys, of which range i has the keys ranges[2 i] .. ranges[2 i + 1] - 1. */
typedef struct heed__moments_query {
    const void *q, *w; /* (columns) */
    int64_t n;
    const int64_t *ranges;
} heed__moments_query;

/* Computes the sums over the keys of the ranges. */
typedef int64_t heed__moments_kernel(const heed__moments_args *args, const heed__moments_query *query, void *sums,
                                     void *scratch);

#endif
