/* tests/ops/test_linalg.c - linear algebra: refused memory in the products of large matrices, and batches of small
 * matrices, which several threads share.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "fail_alloc.h"

enum { MATRICES = 40000, ROWS = 3, LARGE = 40 };

/* Symmetric positive definite matrices without a pattern. */
static heed_tensor *definite(heed_shape shape)
{
    const int64_t n = shape.dims[shape.rank - 1];
    heed_tensor *x = heed_rand(HEED_F64, shape);
    return heed_add(heed_matmul(x, heed_transpose(x, -2, -1)), heed_eye(HEED_F64, n, n));
}

/* -- Refused memory ------------------------------------------------------------------------------------------------ */

static heed_tensor *a, *b;

static heed_tensor *factor(void)
{
    return heed_cholesky(a, false);
}

static heed_tensor *triangle(void)
{
    return heed_solve_triangular(a, b, &(heed_triangular_options){.upper = true});
}

static heed_tensor *system_of_all(void)
{
    return heed_solve(a, b);
}

static heed_tensor *inverse(void)
{
    return heed_inverse(a);
}

static heed_tensor *determinant(void)
{
    heed_tensor *sign, *y = heed_slogdet(a, &sign);
    return heed_add(y, sign);
}

static heed_tensor *(*const functions[])(void) = {factor, triangle, system_of_all, inverse, determinant};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };
static int chosen;

/* The sum of a result and of its gradient. */
static bool run_chosen(double *value)
{
    heed_tensor *result = functions[chosen](), *y, *da = NULL;
    ck_assert_msg(!result || heed_error_code() == HEED_OK, "a result and \"%s\"", heed_error_message());
    y = heed_sum(result);
    if (!y || heed_grad(&y, 1, &a, 1, &da, NULL) != HEED_OK)
        return false;
    heed_tensor *both = heed_add(y, heed_sum(heed_sin(da)));
    *value = both ? heed_item(both) : 0.0;
    return both != NULL;
}

START_TEST(every_allocation_may_fail)
{
    chosen = _i;
    fail_alloc_install();
    heed_manual_seed(1);
    a = heed_retain(heed_set_requires_grad(heed_clone(heed_detach(definite(HEED_SHAPE(LARGE, LARGE)))), true));
    b = heed_retain(heed_rand(HEED_F64, HEED_SHAPE(LARGE, 2)));
    fail_alloc_sweep(run_chosen);
    heed_release(a);
    heed_release(b);
    fail_alloc_uninstall();
}
END_TEST

/* -- Batches of small matrices ------------------------------------------------------------------------------------- */

static heed_tensor *of_batch(int function, heed_tensor *matrices, heed_tensor *sides)
{
    return function == 0   ? heed_cholesky(matrices, false)
           : function == 1 ? heed_solve_triangular(matrices, sides, NULL)
           : function == 2 ? heed_solve(matrices, sides)
           : function == 3 ? heed_inverse(matrices)
                           : heed_logdet(matrices);
}

START_TEST(threads_share_a_batch)
{
    heed_manual_seed(2);
    heed_tensor *matrices = definite(HEED_SHAPE(MATRICES, ROWS, ROWS));
    heed_tensor *sides = heed_rand(HEED_F64, HEED_SHAPE(MATRICES, ROWS, 2));
    ck_assert_int_eq(heed_set_num_threads(1), HEED_OK);
    heed_tensor *one = of_batch(_i, matrices, sides);
    ck_assert_int_eq(heed_set_num_threads(4), HEED_OK);
    heed_tensor *four = of_batch(_i, matrices, sides);
    ck_assert_msg(four != NULL, "%s", heed_error_message());
    ck_assert(heed_item(heed_all(heed_compare(one, HEED_COMPARE_EQ, four), HEED_ALL_AXES, false)) == 1);
    /* every matrix has its own result */
    for (int64_t i = 0; i < MATRICES; i += MATRICES / 7) {
        heed_tensor *alone = of_batch(_i, heed_select(matrices, 0, i), heed_select(sides, 0, i));
        heed_tensor *same = heed_compare(alone, HEED_COMPARE_EQ, heed_select(four, 0, i));
        ck_assert(heed_item(heed_all(same, HEED_ALL_AXES, false)) == 1);
    }
}
END_TEST

/* The error names the first matrix that fails, with any number of threads. */
START_TEST(first_failure_of_a_batch_is_named)
{
    heed_manual_seed(3);
    heed_tensor *matrices = definite(HEED_SHAPE(MATRICES, ROWS, ROWS));
    for (int64_t i = MATRICES - 1; i > 20000; i -= 1777)
        for (int64_t j = 0; j < ROWS; j++)
            ck_assert_int_eq(heed_set_(matrices, HEED_INDEX(i, ROWS - 1, j), 0), HEED_OK);
    const int64_t first = MATRICES - 1 - (MATRICES - 1 - 20001) / 1777 * 1777;
    char expected[64];
    (void)snprintf(expected, sizeof expected, "matrix %lld of a (40000, 3, 3) is", (long long)first);
    for (int threads = 1; threads <= 4; threads += 3) {
        ck_assert_int_eq(heed_set_num_threads(threads), HEED_OK);
        ck_assert_ptr_null(of_batch(_i, matrices, heed_ones(HEED_F64, HEED_SHAPE(ROWS, 1))));
        ck_assert_msg(strstr(heed_error_message(), expected) != NULL, "%s", heed_error_message());
        ck_assert_msg(strstr(heed_error_message(), ": pivot 2 is ") != NULL, "%s", heed_error_message());
        heed_error_clear();
    }
}
END_TEST

int main(void)
{
    TCase *tcase = heed_test_case("linear algebra");
    tcase_add_loop_test(tcase, every_allocation_may_fail, 0, FUNCTIONS);
    tcase_add_loop_test(tcase, threads_share_a_batch, 0, 5);
    tcase_add_loop_test(tcase, first_failure_of_a_batch_is_named, 0, 4); /* heed_logdet has a result, -infinity */
    return heed_run_case("linear algebra", tcase);
}
