/* dlpack.c - examples of include/heed/dlpack.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/heed.h>

static void example_exchange(void)
{
    /* [heed_to_dlpack heed_from_dlpack] */
    heed_tensor *x = heed_zeros(HEED_F32, HEED_SHAPE(2, 2));
    struct DLManagedTensor *managed = heed_to_dlpack(x); /* for NumPy, PyTorch and others */
    heed_tensor *y = heed_from_dlpack(managed);          /* from them; here from heed itself */
    heed_fill_(y, 3);
    heed_print(x, stdout); /* the same memory */
    /* -> tensor([[3., 3.],
     *            [3., 3.]], shape=(2, 2), dtype=f32) */
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_exchange();
    return 0;
}
