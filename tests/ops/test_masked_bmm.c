/* tests/ops/test_masked_bmm.c - the private products of attention against plain loops, and their derivatives.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include "ops/attention/attention.h"

enum { N = 2, Q = 3, K = 4, D = 2, SCORES = 0, POOL, SPREAD, PRODUCTS };

static const int64_t by_row[N][Q] = {{2, 0, 4}, {0, 4, 3}};
static const int64_t by_batch[N] = {3, 1};

static heed_tensor *(*const products[])(heed_tensor *, heed_tensor *, heed_tensor *,
                                        bool) = {heed__masked_scores, heed__masked_pool, heed__masked_spread};

static heed_tensor *lens_of(bool rows)
{
    return rows ? heed_from_array(HEED_I64, HEED_SHAPE(N, Q), by_row, N * Q)
                : heed_from_array(HEED_I64, HEED_SHAPE(N), by_batch, N);
}

static bool is_visible(bool rows, int64_t n, int64_t i, int64_t j)
{
    return j < (rows ? by_row[n][i] : by_batch[n]);
}

static double at(heed_tensor *t, int64_t n, int64_t i, int64_t j)
{
    return heed_get(t, HEED_INDEX(n, i, j));
}

/* Element (n, a, b) of the product of x and y. */
static double expected(int product, bool rows, heed_tensor *x, heed_tensor *y, int64_t n, int64_t a, int64_t b)
{
    double sum = 0;
    if (product == SCORES)
        for (int64_t d = 0; d < D && is_visible(rows, n, a, b); d++)
            sum += at(x, n, a, d) * at(y, n, b, d);
    else
        for (int64_t o = 0; o < (product == POOL ? K : Q); o++) {
            int64_t i = product == POOL ? a : o, j = product == POOL ? o : a;
            if (is_visible(rows, n, i, j))
                sum += at(x, n, i, j) * at(y, n, o, b);
        }
    return sum;
}

static void draw(int product, heed_tensor **x, heed_tensor **y)
{
    heed_manual_seed(6);
    *x = heed_randn(HEED_F64, HEED_SHAPE(N, Q, product == SCORES ? D : K));
    *y = heed_randn(HEED_F64, HEED_SHAPE(N, product == SPREAD ? Q : K, D));
}

/* (N, Q, K) with 0 at masked elements. */
static heed_tensor *masked(heed_tensor *w, bool rows)
{
    heed_tensor *mask = heed_zeros(HEED_BOOL, HEED_SHAPE(N, Q, K));
    for (int64_t n = 0; n < N; n++)
        for (int64_t i = 0; i < Q; i++)
            for (int64_t j = 0; j < K; j++)
                heed_set_(mask, HEED_INDEX(n, i, j), is_visible(rows, n, i, j));
    return heed_where(mask, w, heed_zeros(heed_dtype_of(w), HEED_SCALAR));
}

static void check_values(int product, bool rows, heed_tensor *x, heed_tensor *y)
{
    heed_tensor *z = products[product](x, y, lens_of(rows), false);
    ck_assert_msg(z != NULL, "%s", heed_error_message());
    for (int64_t n = 0; n < N; n++)
        for (int64_t a = 0; a < heed_dim(z, 1); a++)
            for (int64_t b = 0; b < heed_dim(z, 2); b++) {
                double e = expected(product, rows, x, y, n, a, b), got = at(z, n, a, b);
                ck_assert_msg(got == e || fabs(got - e) <= 1e-6 * (1 + fabs(e)) || (isnan(got) && isnan(e)),
                              "product %d, [%d][%d][%d]: %g, expected %g", product, (int)n, (int)a, (int)b, got, e);
            }
}

START_TEST(values)
{
    static const double bad[] = {1, (double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int product = 0; product < PRODUCTS; product++)
        for (int rows = 0; rows < 2; rows++)
            for (int i = 0; i < 4; i++) {
                heed_tensor *x, *y;
                draw(product, &x, &y);
                x = product == SCORES ? x : masked(x, rows);
                heed_set_(y, HEED_INDEX(0, 2, 1), bad[i]);
                heed_set_(y, HEED_INDEX(1, 1, 0), bad[i]);
                check_values(product, rows, x, y);
                check_values(product, rows, heed_to_dtype(x, HEED_F32), heed_to_dtype(y, HEED_F32));
            }
}
END_TEST

typedef struct checked {
    int product;
    bool rows;
} checked;

static heed_tensor *run(heed_tensor *const *in, void *user)
{
    const checked *c = user;
    heed_tensor *lens = lens_of(c->rows);
    if (c->product == SCORES)
        return masked(products[SCORES](in[0], in[1], lens, false), c->rows);
    return products[c->product](masked(in[0], c->rows), in[1], lens, false);
}

START_TEST(derivatives)
{
    for (int product = 0; product < PRODUCTS; product++)
        for (int rows = 0; rows < 2; rows++) {
            heed_tensor *in[2];
            draw(product, &in[0], &in[1]);
            checked c = {product, rows};
            for (int i = 0; i < 2; i++)
                heed_set_requires_grad(in[i], true);
            ck_assert_msg(heed_gradcheck(run, &c, in, 2, NULL, NULL) == HEED_OK, "%s", heed_error_message());
            ck_assert_msg(heed_gradgradcheck(run, &c, in, 2, NULL, NULL) == HEED_OK, "%s", heed_error_message());
        }
}
END_TEST

START_TEST(without_lengths)
{
    for (int product = 0; product < PRODUCTS; product++) {
        heed_tensor *x, *y;
        draw(product, &x, &y);
        heed_tensor *all = products[product](x, y, heed_full(HEED_I64, HEED_SHAPE(N), K), false);
        heed_tensor *plain = products[product](x, y, NULL, false);
        for (int64_t i = 0; i < heed_numel(all); i++)
            ck_assert_same(heed_data_f64(all)[i], heed_data_f64(plain)[i]);
    }
}
END_TEST

/* Two heads that share a length, and causal products, are compared with equivalent lengths per query. */
START_TEST(heads_and_causal)
{
    static const int64_t short_lens[] = {4, 2}, all_lens[][Q] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 2}, {1, 2, 2}};
    heed_tensor *lens = heed_from_array(HEED_I64, HEED_SHAPE(2), short_lens, 2);
    heed_tensor *all = heed_from_array(HEED_I64, HEED_SHAPE(4, Q), all_lens, (size_t)4 * Q);
    for (int product = 0; product < PRODUCTS; product++) {
        heed_tensor *x = heed_randn(HEED_F64, HEED_SHAPE(4, Q, product == SCORES ? D : K));
        heed_tensor *y = heed_randn(HEED_F64, HEED_SHAPE(4, product == SPREAD ? Q : K, D));
        const heed__visibility visibility = heed__visibility_of_lengths(lens, 4, K, true);
        x = product == SCORES ? x : heed__where_visible(x, &visibility, 0);
        heed_tensor *got = products[product](x, y, lens, true), *reference = products[product](x, y, all, false);
        ck_assert_mem_eq(heed_data_f64(got), heed_data_f64(reference), (size_t)heed_numel(reference) * sizeof(double));
    }
}
END_TEST

HEED_TEST_MAIN("masked products", values, derivatives, without_lengths, heads_and_causal)
