/* mpi/tests/team.c - one process of a team that MPI starts: prints the hash of the trained model. Without arguments
 * it runs the first training of test_data_parallel; with "shards steps [sharded|whole [timeout]]" different
 * ones, also with sharded state; the timeout is in seconds.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <string.h>

#include <heed/mpi.h>

#include "team/training.h"

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    run r = {.samples = 100,
             .batch = 32,
             .shards = argc > 1 ? atoi(argv[1]) : 8,
             .to = argc > 2 ? atoi(argv[2]) : 10,
             .dropout = 0.3,
             .sharded = argc > 3 && strcmp(argv[3], "sharded") == 0};
    heed_comm *world = heed_comm_mpi(MPI_COMM_WORLD, &(heed_comm_options){.timeout = argc > 4 ? atof(argv[4]) : 20.0});
    if (!world) {
        fprintf(stderr, "%s\n", heed_error_message());
        return 1;
    }
    uint64_t hash = train(world, &r);
    printf("%d of %d: %016llx, %lld bytes sent\n", heed_comm_rank(world), heed_comm_size(world),
           (unsigned long long)hash, (long long)heed_comm_bytes_sent(world));
    heed_comm_free(world);
    MPI_Finalize();
    return 0;
}
