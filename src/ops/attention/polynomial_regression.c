/* ops/attention/polynomial_regression.c - local polynomials: the weights that fit a polynomial around every query.
 *
 * Let p_0 = 1, p_1, ... be polynomials of the keys that are orthonormal under the kernel's weights a: the sum over j of
 * a_j p_i(k_j) p_r(k_j) is 1 if i = r, else 0. Then the fit at query q is sum_j l_j v_j with the weights
 *     l_j = a_j sum_i p_i(q) p_i(k_j)
 * The polynomials are built by Gram-Schmidt: every polynomial begins as one of lower degree times a component of k. If
 * all weights of a query are 0 (an empty window), they stay 0.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "ops/attention/regression.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

#define MOST_POWERS 1000

/* A polynomial's values at the keys (n, m) and the queries (n, 1). */
typedef struct polynomial {
    heed_tensor *keys, *queries;
    int64_t component; /* the component of the polynomial's last factor */
} polynomial;

/* The components of keys and queries, relative to the centre of a query's keys and scaled so that the farthest key is
 * at distance 1: sums of powers then neither overflow nor cancel. Centre and scale are treated as constants in the
 * derivatives because the fit does not depend on them. */
typedef struct coordinates {
    heed_tensor *keys, *queries; /* (n, m, d), (n, 1, d) */
} coordinates;

static coordinates normalise_coordinates(heed_tensor *a, heed_tensor *queries, heed_tensor *keys)
{
    const double most = queries->dtype == HEED_F64 ? DBL_MAX / 4 : (double)FLT_MAX / 4;
    heed_tensor *weights = heed_unsqueeze(heed_detach(a), 2), *zero = heed_zeros(queries->dtype, HEED_SCALAR);
    heed_tensor *has_weight = heed_compare(weights, HEED_COMPARE_GT, zero);
    heed_tensor *clamped = heed_where(has_weight, heed_clamp(heed_detach(keys), -most, most), zero);
    heed_tensor *middle = heed_sum_axes(heed_mul(weights, clamped), HEED_AXES(1), true);
    heed_tensor *offsets = heed_where(has_weight, heed_sub(keys, middle), zero);
    heed_tensor *farthest = heed_max_axes(heed_abs(heed_detach(offsets)), HEED_AXES(1), true);
    heed_tensor *one = heed_ones(queries->dtype, HEED_SCALAR);
    heed_tensor *scale = heed_where(heed_compare(farthest, HEED_COMPARE_GT, zero), farthest, one);
    return (coordinates){heed_div(offsets, scale), heed_div(heed_sub(queries, middle), scale)};
}

/* Returns the inner product of x and y under the weights a: (n, 1). */
static heed_tensor *product(heed_tensor *a, heed_tensor *x, heed_tensor *y)
{
    return heed_sum_axes(heed_mul(a, heed_mul(x, y)), HEED_AXES(1), true);
}

/* Returns p made orthogonal to the n polynomials in `before`, with norm 1. Returns 0 if p is a linear combination of
 * these polynomials up to rounding. */
static polynomial orthonormal(heed_tensor *a, polynomial p, const polynomial *before, int n)
{
    const heed_dtype dtype = heed_dtype_of(a);
    heed_tensor *whole = heed_detach(product(a, p.keys, p.keys));
    for (int i = 0; i < 2 * n; i++) { /* twice, to remove the rounding errors of the first pass */
        heed_tensor *share = product(a, p.keys, before[i % n].keys);
        p.keys = heed_sub(p.keys, heed_mul(share, before[i % n].keys));
        p.queries = heed_sub(p.queries, heed_mul(share, before[i % n].queries));
    }
    heed_tensor *square = product(a, p.keys, p.keys), *one = heed_ones(dtype, HEED_SCALAR);
    heed_tensor *least = heed_mul_scalar(whole, dtype == HEED_F64 ? DBL_EPSILON : (double)FLT_EPSILON);
    heed_tensor *is_own = heed_compare(heed_detach(square), HEED_COMPARE_GT,
                                       heed_clamp(least, dtype == HEED_F64 ? 1e-160 : 1e-20, (double)INFINITY));
    heed_tensor *norm = heed_sqrt(heed_where(is_own, square, one)), *zero = heed_zeros(dtype, HEED_SCALAR);
    return (polynomial){heed_where(is_own, heed_div(p.keys, norm), zero),
                        heed_where(is_own, heed_div(p.queries, norm), zero), p.component};
}

/* -- The basis ----------------------------------------------------------------------------------------------------- */

/* The polynomials so far, ordered by degree. For the next degree, every polynomial of the current degree is multiplied
 * by its last component and by every later component, so that every product of powers occurs once. */
typedef struct basis {
    polynomial *list;
    int n;
} basis;

/* Returns the number of products of powers of d components up to a degree: (d + degree)! / (d! degree!). */
static int64_t count_powers(int64_t d, int degree)
{
    int64_t n = 1;
    for (int i = 1; i <= degree; i++)
        n = n * (d + i) / i;
    return n;
}

bool heed__regression_check_powers(int64_t d, int degree)
{
    if (degree == 0 || (d < MOST_POWERS && count_powers(d, degree) <= MOST_POWERS))
        return true;
    return heed_fail_false(HEED_ERR_UNSUPPORTED, "kernel_regression",
                           "degree %d with %" PRId64 " components: must give at most %d powers", degree, d,
                           MOST_POWERS);
}

static heed_tensor *column(heed_tensor *x, int64_t c)
{
    return heed_select(x, 2, c);
}

/* Adds the polynomials of the next degree; those of the current degree begin at `first`. Returns false after
 * heed_fail. */
static bool extend(basis *b, int first, heed_tensor *a, const coordinates *x)
{
    const int end = b->n;
    for (int from = first; from < end; from++)
        for (int64_t c = b->list[from].component; c < heed_dim(x->keys, 2); c++) {
            const polynomial p = {heed_mul(b->list[from].keys, column(x->keys, c)),
                                  heed_mul(b->list[from].queries, column(x->queries, c)), c};
            b->list[b->n] = orthonormal(a, p, b->list, b->n);
            if (!b->list[b->n++].queries)
                return false;
        }
    return true;
}

static heed_tensor *weigh(basis *b, heed_tensor *a, const coordinates *x, int degree)
{
    heed_tensor *sum = heed_full(heed_dtype_of(a), heed_shape_of(a), 1);
    b->list[b->n++] = (polynomial){sum, heed_ones(heed_dtype_of(a), HEED_SHAPE(heed_dim(a, 0), 1)), 0};
    for (int k = 1, first = 0; k <= degree; k++) {
        const int next = b->n;
        if (!extend(b, first, a, x))
            return NULL;
        first = next;
    }
    for (int i = 1; i < b->n; i++)
        sum = heed_add(sum, heed_mul(b->list[i].queries, b->list[i].keys));
    return heed_mul(a, sum);
}

heed_tensor *heed__regression_polynomial(heed_tensor *weights, heed_tensor *queries, heed_tensor *keys, int degree)
{
    if (!weights || !queries || !keys)
        return NULL;
    const size_t capacity = (size_t)count_powers(heed_dim(queries, 2), degree);
    basis b = {.list = heed_alloc(capacity * sizeof *b.list)};
    const coordinates x = normalise_coordinates(weights, queries, keys);
    heed_tensor *found = b.list && x.keys && x.queries ? weigh(&b, weights, &x, degree) : NULL;
    heed_free(b.list, capacity * sizeof *b.list);
    return found;
}
