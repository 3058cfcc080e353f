/* mpi/tests/survivor.c - a program that a test kills and restarts, alone or under mpirun.
 *
 * "survivor CHECKPOINT STEPS [sharded]" resumes from the checkpoint, which it writes after every third step, and prints
 * the hash at the end. Each process reports on standard error that it is about to call MPI_Finalize.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <stdio.h>

#include <heed/mpi.h>

#include "team/training.h"

int main(int argc, char **argv)
{
    int provided;
    if (argc < 3)
        return 2;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    run r = {.samples = 100, .batch = 32, .shards = 8, .dropout = 0.3, .every = 3};
    r.checkpoint = argv[1];
    r.sharded = argc > 3;
    r.to = atoi(argv[2]);
    heed_comm *world = heed_comm_mpi(MPI_COMM_WORLD, &(heed_comm_options){.timeout = 3.0});
    if (!world) {
        fprintf(stderr, "%s\n", heed_error_message());
        return 1;
    }
    uint64_t hash = train(world, &r);
    int rank = heed_comm_rank(world);
    if (rank == 0)
        printf("hash %016llx\n", (unsigned long long)hash);
    heed_comm_free(world);
    fprintf(stderr, "trained %d\n", rank);
    MPI_Finalize();
    return 0;
}
