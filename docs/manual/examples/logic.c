/* logic.c - examples of heed/ops/logic.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include <heed/heed.h>

static void example_numbers(void)
{
    /* [heed_isnan heed_isinf heed_isfinite] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 1, NAN, -INFINITY);
    heed_print(heed_isnan(x), stdout);    /* -> tensor([False,  True, False], shape=(3), dtype=bool) */
    heed_print(heed_isinf(x), stdout);    /* -> tensor([False, False,  True], shape=(3), dtype=bool) */
    heed_print(heed_isfinite(x), stdout); /* -> tensor([ True, False, False], shape=(3), dtype=bool) */
    /* [] */
}

static void example_close(void)
{
    /* [heed_isclose heed_allclose] */
    heed_tensor *tenths = HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 0.1 + 0.2, 0.4);
    heed_tensor *expected = HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 0.3, 0.4001);
    heed_print(heed_isclose(tenths, expected, 1e-5, 1e-8, false), stdout);
    /* -> tensor([ True, False], shape=(2), dtype=bool) */
    printf("%d\n", heed_allclose(tenths, expected, 1e-5, 1e-8, false)); /* -> 0 */
    printf("%d\n", heed_allclose(tenths, expected, 1e-3, 1e-8, false)); /* -> 1 */
    /* [] */
}

static void example_logical(void)
{
    /* [heed_logical_and heed_logical_or heed_logical_xor heed_logical_not] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(4), -2, 0, 1, 3);
    heed_tensor *positive = heed_compare_scalar(x, HEED_COMPARE_GT, 0);
    heed_tensor *small = heed_compare_scalar(heed_abs(x), HEED_COMPARE_LT, 2);
    heed_print(heed_logical_and(positive, small), stdout);
    /* -> tensor([False, False,  True, False], shape=(4), dtype=bool) */
    heed_print(heed_logical_or(positive, small), stdout);
    /* -> tensor([False,  True,  True,  True], shape=(4), dtype=bool) */
    heed_print(heed_logical_xor(positive, small), stdout);
    /* -> tensor([False,  True, False,  True], shape=(4), dtype=bool) */
    heed_print(heed_logical_not(positive), stdout);
    /* -> tensor([ True,  True, False, False], shape=(4), dtype=bool) */
    /* [] */
}

static void example_any(void)
{
    /* [heed_any heed_all] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 1, NAN, 3, 4);
    heed_tensor *missing = heed_isnan(x);
    heed_print(heed_any(missing, HEED_ALL_AXES, false), stdout);
    /* -> tensor(True, shape=(), dtype=bool) */
    heed_print(heed_any(missing, HEED_AXES(-1), false), stdout);
    /* -> tensor([ True, False], shape=(2), dtype=bool) */
    heed_print(heed_all(heed_isfinite(x), HEED_ALL_AXES, false), stdout);
    /* -> tensor(False, shape=(), dtype=bool) */
    heed_print(heed_all(heed_isfinite(x), HEED_AXES(0), false), stdout);
    /* -> tensor([ True, False], shape=(2), dtype=bool) */
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_numbers();
    example_close();
    example_logical();
    example_any();
    return 0;
}
