/* recurrence.c - examples of heed/ops/recurrence.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>

static void example_recurrence(void)
{
    /* [heed_recurrence] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(4, 1, 1), 1, 2, 3, 4), *w = heed_ones(HEED_F32, HEED_SHAPE(1, 1));
    heed_tensor *lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(1), 3), *final_state; /* three of the four steps count */
    heed_tensor *y =
        heed_recurrence(HEED_CELL_RELU, x, w, NULL, NULL, lens, false, &final_state); /* h = max(0, x + h) */
    heed_print(heed_reshape(y, HEED_SHAPE(4)), stdout); /* -> tensor([1., 3., 6., 0.], shape=(4), dtype=f32) */
    printf("%g\n", heed_item(final_state));             /* -> 6 */
    y = heed_recurrence(HEED_CELL_RELU, x, w, NULL, NULL, lens, true, NULL); /* from the third step to the first */
    heed_print(heed_reshape(y, HEED_SHAPE(4)), stdout); /* -> tensor([6., 5., 3., 0.], shape=(4), dtype=f32) */
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_recurrence();
    return 0;
}
