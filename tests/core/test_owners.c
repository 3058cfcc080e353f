/* tests/core/test_owners.c - tests of owner counts near and beyond 2^31 and 2^32: only the last release frees. The
 * counts are set directly in the struct instead of by real owners.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include "core/node.h"

static const int64_t many[] = {INT32_MAX, UINT32_MAX};

START_TEST(of_a_tensor)
{
    for (int i = 0; i < 2; i++) {
        heed_tensor *x = heed_retain(heed_full(HEED_F64, HEED_SHAPE(2), 7));
        atomic_fetch_add(&x->refs, many[i] - 2);
        ck_assert_ptr_eq(heed_retain(heed_retain(x)), x);
        for (int k = 0; k < 3; k++)
            heed_release(x);
        ck_assert(heed_get(x, HEED_INDEX(1)) == 7);
        ck_assert(x->refs == many[i] - 1);
        x->refs = 2;
        heed_release(x);
    }
}
END_TEST

START_TEST(of_elements)
{
    for (int i = 0; i < 2; i++) {
        heed_tensor *x = heed_full(HEED_F64, HEED_SHAPE(2), 7);
        atomic_fetch_add(&x->storage->refs, many[i] - 1);
        heed_scope *scope = heed_scope_begin();
        heed_tensor *y = heed_square(heed_detach(x)), *z = heed_slice(x, 0, 0, 1, 1);
        ck_assert(heed_item(heed_sum(y)) == 98 && heed_item(z) == 7);
        ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
        ck_assert(heed_get(x, HEED_INDEX(1)) == 7);
        ck_assert(x->storage->refs == many[i]);
        x->storage->refs = 1;
    }
}
END_TEST

START_TEST(of_a_node)
{
    for (int i = 0; i < 2; i++) {
        heed_tensor *x = heed_set_requires_grad(heed_full(HEED_F64, HEED_SHAPE(2), 7), true), *y = heed_square(x);
        atomic_fetch_add(&y->producer->refs, many[i] - 1);
        heed_scope *scope = heed_scope_begin();
        ck_assert_int_eq(heed_backward(heed_sum(heed_add(y, heed_neg(y)))), HEED_OK);
        ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
        ck_assert_str_eq(y->producer->op->name, "square");
        ck_assert(y->producer->refs == many[i]);
        y->producer->refs = 1;
    }
}
END_TEST

HEED_TEST_MAIN("owners", of_a_tensor, of_elements, of_a_node)
