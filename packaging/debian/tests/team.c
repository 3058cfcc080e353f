/* debian/tests/team.c - counts the processes started by MPI.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>
#include <heed/mpi.h>

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    heed_comm *world = heed_comm_mpi(MPI_COMM_WORLD, NULL);
    int size = heed_comm_size(world);
    printf("process %d of %d\n", heed_comm_rank(world), size);
    heed_comm_free(world);
    MPI_Finalize();
    return size == 2 ? 0 : 1;
}
