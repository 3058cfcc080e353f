/* shards.c - examples of heed/shards.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>

static void example_evaluation(heed_comm *world, heed_tensor *x)
{
    heed_tensor *sum, *squares;
    int64_t begin, end;
    /* [heed_shards_new heed_shards_next heed_shards_add heed_shards_put heed_shards_sum heed_shards_gather heed_shards_free] */
    heed_shards *pass = heed_shards_new(world, heed_dim(x, 0), 4);
    while (heed_shards_next(pass, &begin, &end)) { /* the shards of this process */
        heed_tensor *square = heed_square(heed_slice(x, 0, begin, end, 1));
        heed_shards_add(pass, HEED_TENSORS(heed_sum(square)));
        heed_shards_put(pass, HEED_TENSORS(square));
    }
    heed_shards_sum(pass, &sum, 1); /* the sum over all processes, in every process */
    heed_shards_gather(pass, &squares, 1);
    printf("%g\n", heed_item(sum)); /* -> 285 */
    heed_print(squares, stdout);
    /* -> tensor([ 0.,  1.,  4.,  9., 16., 25., 36., 49., 64., 81.], shape=(10),
     *           dtype=f32) */
    heed_shards_free(pass);
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_comm *world = heed_comm_self();
    example_evaluation(world, heed_arange(HEED_F32, 0, 10, 1));
    heed_comm_free(world);
    return 0;
}
