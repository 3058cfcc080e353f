/* tests/ops/test_parts.c - heed_split, heed_meshgrid and heed_meshgrid_xy: views, PyTorch's results, gradients of
 * both orders, and bad arguments.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "reference/parts_reference.h"

#include <limits.h>

#define MAX_PARTS 8

static heed_tensor *counting(heed_shape shape)
{
    return heed_reshape(heed_arange(HEED_F64, 0, (double)heed_shape_numel(shape), 1), shape);
}

/* The parts have these sizes on the axis, are views of x and, joined, equal x. */
static void check_parts(heed_tensor *x, int axis, heed_tensor *const *parts, const int64_t *sizes, int n)
{
    for (int i = 0; i < n; i++) {
        ck_assert_int_eq(heed_dim(parts[i], axis), sizes[i]);
        ck_assert(heed_shares_storage(parts[i], x));
    }
    heed_tensor *joined = heed_concat(parts, n, axis);
    ck_assert(heed_shape_equal(heed_shape_of(joined), heed_shape_of(x)));
    if (heed_numel(x) > 0)
        ck_assert_same(heed_item(heed_max(heed_abs(heed_sub(joined, x)))), 0);
}

/* As in PyTorch's chunk: parts of ceil(size / n), if that makes n. */
START_TEST(parts_without_sizes_are_pytorchs)
{
    static const struct {
        int64_t whole, sizes[MAX_PARTS];
        int n;
    } cases[] = {{7, {3, 3, 1}, 3}, {6, {2, 2, 2}, 3}, {5, {5}, 1}, {5, {1, 1, 1, 1, 1}, 5}, {0, {0}, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        heed_tensor *parts[MAX_PARTS], *x = heed_transpose(counting(HEED_SHAPE(cases[i].whole, 2)), 0, 1);
        ck_assert_int_eq(heed_split(x, -1, NULL, parts, cases[i].n), HEED_OK);
        check_parts(x, -1, parts, cases[i].sizes, cases[i].n);
    }
}
END_TEST

START_TEST(parts_have_the_given_sizes)
{
    static const int64_t sizes[] = {2, 0, 3};
    heed_tensor *parts[3], *x = counting(HEED_SHAPE(2, 5));
    ck_assert_int_eq(heed_split(x, 1, sizes, parts, 3), HEED_OK);
    check_parts(x, 1, parts, sizes, 3);
    ck_assert_int_eq(heed_split(heed_zeros(HEED_BOOL, HEED_SHAPE(0)), 0, sizes, parts, 0), HEED_OK);
}
END_TEST

START_TEST(meshgrid_varies_on_one_axis_each)
{
    heed_tensor *a = counting(HEED_SHAPE(2)), *b = heed_arange(HEED_I64, 5, 8, 1), *grids[3] = {a, b, a};
    ck_assert_int_eq(heed_meshgrid(grids, 3, grids), HEED_OK); /* input and output list may be the same */
    for (int64_t i = 0; i < 12; i++) {
        heed_shape at = HEED_INDEX(i / 6, i / 2 % 3, i % 2);
        ck_assert_same(heed_get(grids[0], at), (double)(i / 6));
        ck_assert_same(heed_get(grids[1], at), (double)(5 + i / 2 % 3));
        ck_assert_same(heed_get(grids[2], at), (double)(i % 2));
    }
    ck_assert(heed_shares_storage(grids[1], b));
    ck_assert_int_eq(heed_meshgrid(HEED_TENSORS(heed_zeros(HEED_F32, HEED_SHAPE(0))), grids), HEED_OK);
    ck_assert_int_eq(heed_numel(grids[0]), 0);
}
END_TEST

/* One vector has no second axis to swap with. */
START_TEST(meshgrid_xy_of_one)
{
    heed_tensor *a = counting(HEED_SHAPE(3)), *grids[1];
    ck_assert_int_eq(heed_meshgrid_xy(&a, 1, grids), HEED_OK);
    ck_assert(heed_shape_equal(heed_shape_of(grids[0]), HEED_SHAPE(3)) && heed_shares_storage(grids[0], a));
}
END_TEST

/* -- PyTorch's ----------------------------------------------------------------------------------------------------- */

static heed_status call(const struct parts_of_torch *of, heed_tensor *const *in, heed_tensor **parts)
{
    const char *name = of->function;
    return strcmp(name, "split") == 0      ? heed_split(in[0], of->axis, of->sizes, parts, of->n)
           : strcmp(name, "chunk") == 0    ? heed_split(in[0], of->axis, NULL, parts, of->n)
           : strcmp(name, "meshgrid") == 0 ? heed_meshgrid(in, of->n, parts)
                                           : heed_meshgrid_xy(in, of->n, parts);
}

static void assert_numbers(const char *name, heed_tensor *t, const double *numbers)
{
    heed_tensor *values = heed_contiguous(heed_detach(t));
    for (int64_t i = 0; i < heed_numel(values); i++)
        ck_assert_msg(heed_data_f64(values)[i] == numbers[i], "%s: %g at %d, PyTorch has %g", name,
                      heed_data_f64(values)[i], (int)i, numbers[i]);
}

/* Values, shapes, and gradients of the sum of i + 1 times the squares of part i. */
START_TEST(parts_are_pytorchs)
{
    const struct parts_of_torch *of = &parts_of_torch[_i];
    const bool grid = strncmp(of->function, "meshgrid", 8) == 0;
    heed_tensor *in[3], *dx[3], *parts[MAX_PARTS], *loss = heed_zeros(HEED_F64, HEED_SCALAR);
    for (int i = 0; i < (grid ? 3 : 1); i++)
        in[i] = heed_set_requires_grad(counting(grid ? HEED_SHAPE(2 + i % 2) : HEED_SHAPE(2, 5, 3)), true);
    ck_assert_msg(call(of, in, parts) == HEED_OK, "%s", heed_error_message());
    const double *values = of->values, *gradients = of->gradients;
    for (int i = 0; i < of->n; i++) {
        ck_assert_int_eq(heed_rank(parts[i]), of->rank);
        for (int axis = 0; axis < of->rank; axis++)
            ck_assert_int_eq(heed_dim(parts[i], axis), of->shapes[i][axis]);
        assert_numbers(of->function, parts[i], values);
        values += heed_numel(parts[i]);
        loss = heed_add(loss, heed_mul_scalar(heed_sum(heed_square(parts[i])), i + 1));
    }
    ck_assert_int_eq(heed_grad(&loss, 1, in, grid ? 3 : 1, dx, NULL), HEED_OK);
    for (int i = 0; i < (grid ? 3 : 1); gradients += heed_numel(dx[i++]))
        assert_numbers(of->function, dx[i], gradients);
}
END_TEST

/* -- Gradients ----------------------------------------------------------------------------------------------------- */

static heed_tensor *of_parts(heed_tensor *const *in, void *user)
{
    static const int64_t sizes[] = {1, 3};
    heed_tensor *a[2], *b[2], *c[2], *e[2], *f[2], *row = heed_select(in[0], 0, 1);
    (void)user;
    if (heed_split(in[0], 1, NULL, a, 2) != HEED_OK || heed_split(in[0], 1, sizes, b, 2) != HEED_OK ||
        heed_split(in[0], 0, NULL, c, 2) != HEED_OK ||
        heed_meshgrid(HEED_TENSORS(heed_select(in[0], 1, 0), row), e) != HEED_OK ||
        heed_meshgrid_xy(HEED_TENSORS(heed_select(in[0], 1, 2), row), f) != HEED_OK)
        return NULL;
    heed_tensor *products = heed_add(heed_sum(heed_mul(a[0], a[1])), heed_sum(heed_mul(b[0], b[1])));
    heed_tensor *others = heed_add(heed_sum(heed_mul(c[0], c[1])), heed_sum(heed_square(row)));
    heed_tensor *grids = heed_add(heed_sum(heed_mul(heed_square(e[0]), e[1])), heed_sum(heed_mul(f[0], f[1])));
    return heed_add(heed_add(products, others), grids);
}

START_TEST(gradients_of_both_orders)
{
    heed_manual_seed(1);
    heed_tensor *x = heed_set_requires_grad(heed_randn(HEED_F64, HEED_SHAPE(2, 4)), true);
    heed_gradcheck_result result;
    ck_assert_msg(heed_gradcheck(of_parts, NULL, &x, 1, NULL, &result) == HEED_OK, "%s", heed_error_message());
    ck_assert_msg(heed_gradgradcheck(of_parts, NULL, &x, 1, NULL, &result) == HEED_OK, "%s", heed_error_message());
}
END_TEST

/* -- Errors -------------------------------------------------------------------------------------------------------- */

#define ck_assert_refused(call, code, text)                                                                            \
    do {                                                                                                               \
        parts[0] = x;                                                                                                  \
        ck_assert_int_eq(call, code);                                                                                  \
        ck_assert_error(code, text);                                                                                   \
        ck_assert_ptr_eq(parts[0], x);                                                                                 \
    } while (0)

START_TEST(bad_numbers)
{
    static const int64_t sizes[] = {2, -1, INT64_MAX, INT64_MAX};
    heed_tensor *parts[MAX_PARTS], *x = counting(HEED_SHAPE(2, 5));
    ck_assert_refused(heed_split(x, 1, NULL, parts, 4), HEED_ERR_ARGUMENT,
                      "split: n is 4, but axis 1 of (2, 5) makes 3 parts");
    ck_assert_refused(heed_split(x, 1, NULL, parts, 0), HEED_ERR_ARGUMENT, "split: n is 0 without sizes");
    ck_assert_refused(heed_split(x, 1, NULL, parts, INT_MAX), HEED_ERR_ARGUMENT, "split: n is 2147483647, but");
    ck_assert_refused(heed_split(x, 1, sizes, parts, -1), HEED_ERR_ARGUMENT, "split: n is -1: must be at least 0");
    ck_assert_refused(heed_split(x, 1, sizes, parts, 1), HEED_ERR_SHAPE,
                      "split: the 1 sizes add up to 2, but axis 1 of (2, 5) has 5");
    ck_assert_refused(heed_split(x, 1, sizes, parts, 2), HEED_ERR_ARGUMENT, "split: size 1 is -1");
    ck_assert_refused(heed_split(x, 1, sizes + 2, parts, 2), HEED_ERR_ARGUMENT, "split: size 1 is 9223");
}
END_TEST

START_TEST(bad_tensors)
{
    heed_tensor *parts[MAX_PARTS], *x = counting(HEED_SHAPE(2, 5));
    ck_assert_refused(heed_split(NULL, 0, NULL, parts, 1), HEED_ERR_ARGUMENT, "split:");
    ck_assert_refused(heed_split(x, 0, NULL, NULL, 2), HEED_ERR_ARGUMENT, "split: parts is NULL");
    ck_assert_refused(heed_split(x, 2, NULL, parts, 2), HEED_ERR_SHAPE, "split: there is no axis 2");
    ck_assert_refused(heed_split(x, INT_MIN, NULL, parts, 2), HEED_ERR_SHAPE, "split: there is no axis -2147483648");
    ck_assert_refused(heed_split(heed_ones(HEED_F32, HEED_SCALAR), 0, NULL, parts, 1), HEED_ERR_SHAPE, "split:");
    ck_assert_refused(heed_meshgrid(HEED_TENSORS(x), parts), HEED_ERR_SHAPE,
                      "meshgrid: tensor 0 is (2, 5): must be of rank 1");
    ck_assert_refused(heed_meshgrid(NULL, 1, parts), HEED_ERR_ARGUMENT, "meshgrid: tensors is NULL");
    ck_assert_refused(heed_meshgrid(HEED_TENSORS(x), NULL), HEED_ERR_ARGUMENT, "meshgrid: grids is NULL");
    ck_assert_refused(heed_meshgrid(HEED_TENSORS(x, x, x, x, x, x, x, x, x), parts), HEED_ERR_ARGUMENT,
                      "meshgrid: n is 9: must be at most 8");
    ck_assert_refused(heed_meshgrid_xy(HEED_TENSORS(x), parts), HEED_ERR_SHAPE, "meshgrid_xy: tensor 0 is (2, 5)");
    ck_assert_refused(heed_meshgrid_xy(NULL, 1, parts), HEED_ERR_ARGUMENT, "meshgrid_xy: tensors is NULL");
}
END_TEST

int main(void)
{
    TCase *tcase = heed_test_case("parts");
    tcase_add_test(tcase, parts_without_sizes_are_pytorchs);
    tcase_add_test(tcase, parts_have_the_given_sizes);
    tcase_add_test(tcase, meshgrid_varies_on_one_axis_each);
    tcase_add_test(tcase, meshgrid_xy_of_one);
    tcase_add_loop_test(tcase, parts_are_pytorchs, 0, (int)(sizeof parts_of_torch / sizeof parts_of_torch[0]));
    tcase_add_test(tcase, gradients_of_both_orders);
    tcase_add_test(tcase, bad_numbers);
    tcase_add_test(tcase, bad_tensors);
    return heed_run_case("parts", tcase);
}
