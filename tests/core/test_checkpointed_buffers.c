/* tests/core/test_checkpointed_buffers.c - tests heed_checkpointed on a function that reads a tensor that changes
 * before the backward pass.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

/* The buffer changes between the runs, like running statistics of a batch norm in evaluation mode that the program
 * updates. */
static heed_tensor *scaled_by_buffer(heed_tensor *const *in, void *user)
{
    return heed_mul(heed_square(in[0]), user);
}

START_TEST(a_buffer_that_moved_on_shows)
{
    heed_tensor *x = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(1000)), true);
    heed_tensor *buffer = heed_full(HEED_F32, HEED_SHAPE(1000), 2);
    for (int64_t at = 0; at < 1000; at += 333) {
        heed_tensor *y = heed_sum(heed_checkpointed(scaled_by_buffer, buffer, &x, 1));
        ck_assert_int_eq(heed_set_(buffer, HEED_INDEX(at), 3 + (double)at), HEED_OK);
        ck_assert_int_eq(heed_backward(y), HEED_ERR_STATE);
        ck_assert_error(HEED_ERR_STATE, "returned different numbers in f32 (1000) in its second run");
        ck_assert(!heed_has_grad(x));
    }
    heed_tensor *nans = heed_full(HEED_F32, HEED_SHAPE(1000), (double)NAN);
    ck_assert_int_eq(heed_backward(heed_sum(heed_checkpointed(scaled_by_buffer, nans, &x, 1))), HEED_OK);
}
END_TEST

HEED_TEST_MAIN("checkpointed_buffers", a_buffer_that_moved_on_shows)
