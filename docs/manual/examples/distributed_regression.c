/* distributed_regression.c - examples of heed/distributed_regression.h. docs/manual/README.md says what the marks
 * mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>

static void example_tensors(heed_comm *world, heed_tensor *queries, heed_tensor *keys, heed_tensor *width)
{
    /* [heed_kernel_regression_by_queries heed_kernel_regression_by_keys] */
    heed_tensor *values = heed_square(keys); /* at 0, 0.25 ... 2 */
    heed_print(heed_kernel_regression_by_queries(world, 2, queries, keys, values, width, NULL), stdout);
    /* -> tensor([0.3136, 1.0625], shape=(2), dtype=f32, requires_grad=True) */
    heed_tensor *f = heed_kernel_regression_by_keys(world, 3, queries, keys, values, width, NULL);
    heed_print(f, stdout); /* -> tensor([0.3136, 1.0625], shape=(2), dtype=f32, requires_grad=True) */
    heed_backward(heed_sum(f));
    heed_print(heed_grad_of(width), stdout); /* -> tensor([-0.0649], shape=(1), dtype=f32) */
    /* [] */
}

static void example_data(heed_comm *world, heed_tensor *queries, heed_tensor *keys, heed_tensor *width)
{
    /* [heed_kernel_regression_by_data] */
    heed_dataset *points = heed_dataset_new(HEED_TENSORS(keys, heed_square(keys))); /* or heed_io_npz_dataset */
    heed_tensor *f = heed_kernel_regression_by_data(world, 3, queries, points, width, NULL);
    heed_print(f, stdout); /* -> tensor([0.3136, 1.0625], shape=(2), dtype=f32) */
    heed_dataset_free(points);
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_comm *world = heed_comm_self();
    heed_tensor *queries = HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 0.5, 1.0), *keys = heed_linspace(HEED_F32, 0.0, 2.0, 9);
    heed_tensor *width = heed_full(HEED_F32, HEED_SHAPE(1), 4.0);
    example_data(world, queries, keys, width);
    example_tensors(world, queries, keys, heed_set_requires_grad(width, true));
    heed_comm_free(world);
    return 0;
}
