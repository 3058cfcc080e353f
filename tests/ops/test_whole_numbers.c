/* tests/ops/test_whole_numbers.c - elementwise ops of i64: layouts, empty tensors, no gradients.
 * tests/ops/elementwise and tests/parity test their values.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

static heed_tensor *scale(heed_tensor *x)
{
    return heed_mul_scalar(x, -3);
}

static heed_tensor *add_scalar(heed_tensor *x)
{
    return heed_add_scalar(x, 7);
}

static heed_tensor *rsub(heed_tensor *x)
{
    return heed_rsub_scalar(x, 7);
}

static heed_tensor *cube(heed_tensor *x)
{
    return heed_pow_scalar(x, 3);
}

static heed_tensor *clamp(heed_tensor *x)
{
    return heed_clamp(x, -2, 4);
}

typedef struct unary {
    const char *name;
    heed_tensor *(*op)(heed_tensor *x);
} unary;

static const unary unaries[] = {{"neg", heed_neg},     {"abs", heed_abs},     {"square", heed_square},
                                {"sign", heed_sign},   {"mul_scalar", scale}, {"add_scalar", add_scalar},
                                {"rsub_scalar", rsub}, {"pow_scalar", cube},  {"clamp", clamp}};

#define UNARIES (sizeof unaries / sizeof unaries[0])

/* The op of x equals, element by element, the op of single elements. */
static void check_each(const unary *u, heed_tensor *x, const char *layout)
{
    heed_tensor *y = u->op(x);
    ck_assert_msg(y != NULL, "%s, %s: %s", u->name, layout, heed_error_message());
    ck_assert_int_eq(heed_dtype_of(y), HEED_I64);
    ck_assert(heed_shape_equal(heed_shape_of(y), heed_shape_of(x)));
    ck_assert(heed_is_contiguous(y) && !heed_requires_grad(y));
    for (int64_t i = 0; i < heed_dim(x, 0); i++)
        for (int64_t j = 0; j < heed_dim(x, 1); j++) {
            heed_tensor *one = heed_full(HEED_I64, HEED_SCALAR, heed_get(x, HEED_INDEX(i, j)));
            ck_assert_msg(heed_get_i64(y, HEED_INDEX(i, j)) == heed_item_i64(u->op(one)), "%s, %s, (%lld, %lld)",
                          u->name, layout, (long long)i, (long long)j);
        }
}

START_TEST(every_layout)
{
    heed_tensor *x = heed_randint(-9, 10, HEED_SHAPE(6, 11)), *row = heed_slice(x, 0, 2, 3, 1);
    for (size_t k = 0; k < UNARIES; k++) {
        check_each(&unaries[k], x, "dense");
        check_each(&unaries[k], heed_transpose(x, 0, 1), "transposed");
        check_each(&unaries[k], heed_slice(x, 1, 1, HEED_END, 3), "stepped");
        check_each(&unaries[k], heed_slice(x, 0, 2, HEED_END, 1), "offset");
        check_each(&unaries[k], heed_expand(row, HEED_SHAPE(4, 11)), "expanded");
        check_each(&unaries[k], heed_slice(x, 0, 3, 3, 1), "without rows");
        check_each(&unaries[k], heed_zeros(HEED_I64, HEED_SHAPE(2, 0)), "without columns");
    }
}
END_TEST

/* In several threads. */
START_TEST(many)
{
    heed_tensor *x = heed_arange(HEED_I64, -100000, 100000, 1), *y = heed_clamp(x, -50000, 70000);
    heed_tensor *odd = heed_sum(heed_sub(heed_square(heed_add_scalar(x, 1)), heed_square(x))); /* of 2 x + 1 */
    ck_assert_int_eq(heed_item_i64(odd), 0);
    ck_assert_int_eq(heed_item_i64(heed_min(y)), -50000);
    ck_assert_int_eq(heed_item_i64(heed_max(y)), 70000);
    ck_assert_int_eq(heed_item_i64(heed_sum(heed_sign(x))), -1);
}
END_TEST

HEED_TEST_MAIN("whole numbers", every_layout, many)
