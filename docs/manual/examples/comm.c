/* comm.c - examples of heed/comm.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>

static void example_self(void)
{
    /* [heed_comm_self heed_comm_rank heed_comm_size heed_comm_bytes_sent heed_comm_free] */
    heed_comm *world = heed_comm_self(); /* heed_comm_mpi(MPI_COMM_WORLD, NULL) under mpirun */
    printf("process %d of %d, ", heed_comm_rank(world), heed_comm_size(world));
    printf("%d bytes sent\n", (int)heed_comm_bytes_sent(world)); /* -> process 0 of 1, 0 bytes sent */
    heed_comm_free(world);
    /* [] */
}

static void example_new(void)
{
    /* [heed_comm_new] */
    heed_transport alone = {.rank = 0, .size = 1}; /* a single process needs no functions */
    heed_comm *world = heed_comm_new(&alone, &(heed_comm_options){.timeout = 60.0});
    printf("%d process\n", heed_comm_size(world)); /* -> 1 process */
    heed_transport mute = {.rank = 0, .size = 2};
    if (!heed_comm_new(&mute, NULL))
        printf("%s\n", heed_error_message()); /* -> comm_new: send is NULL */
    heed_error_clear();
    heed_comm_free(world);
    /* [] */
}

int main(void)
{
    example_self();
    example_new();
    return 0;
}
