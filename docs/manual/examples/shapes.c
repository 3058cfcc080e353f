/* shapes.c - examples of heed/shape.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>

static void example_numel(void)
{
    /* [heed_shape_numel] */
    printf("%lld ", (long long)heed_shape_numel(HEED_SHAPE(2, 3, 4)));
    printf("%lld ", (long long)heed_shape_numel(HEED_SCALAR));
    printf("%lld\n", (long long)heed_shape_numel(HEED_SHAPE(2, -3))); /* -> 24 1 -1 */
    /* [] */
}

static void example_equal(void)
{
    /* [heed_shape_equal] */
    heed_tensor *x = heed_zeros(HEED_F32, HEED_SHAPE(2, 3));
    heed_shape shape = heed_shape_of(heed_transpose(x, 0, 1));
    printf("%d %d\n", heed_shape_equal(shape, HEED_SHAPE(3, 2)), heed_shape_equal(shape, HEED_SHAPE(2, 3)));
    /* -> 1 0 */
    /* [] */
}

static void example_text(void)
{
    /* [heed_shape_text] */
    heed_tensor *x = heed_zeros(HEED_F32, HEED_SHAPE(2, 3, 4));
    heed_tensor *y = heed_permute(x, HEED_AXES(2, 0, 1));
    printf("%s\n", heed_shape_text(heed_shape_of(y)).s); /* -> (4, 2, 3) */
    /* [] */
}

static void example_broadcast(void)
{
    /* [heed_shape_broadcast] */
    heed_shape shape;
    if (heed_shape_broadcast(HEED_SHAPE(32, 1, 64), HEED_SHAPE(10, 64), &shape))
        printf("%s\n", heed_shape_text(shape).s); /* -> (32, 10, 64) */
    if (!heed_shape_broadcast(HEED_SHAPE(3), HEED_SHAPE(4), &shape))
        printf("no\n"); /* -> no */
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_numel();
    example_equal();
    example_text();
    example_broadcast();
    return 0;
}
