/* precision.c - examples of heed/precision.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>

static void example_precision(void)
{
    /* [heed_set_matmul_precision heed_matmul_precision] */
    heed_scope *step = heed_scope_begin();
    heed_set_matmul_precision(HEED_PRECISION_MEDIUM); /* for forward and backward of this step */
    bool inside = heed_matmul_precision() == HEED_PRECISION_MEDIUM;
    heed_scope_end(step);
    bool outside = heed_matmul_precision() == HEED_PRECISION_MEDIUM;
    printf("inside %d, outside %d\n", inside, outside); /* -> inside 1, outside 0 */
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_precision();
    return 0;
}
