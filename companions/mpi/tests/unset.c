/* mpi/tests/unset.c - process 0 sends uninitialized bytes: memcheck.py requires valgrind to report them.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <stdlib.h>

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *bytes = malloc(64);
    if (bytes && rank == 0)
        MPI_Send(bytes, 64, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    else if (bytes && rank == 1)
        MPI_Recv(bytes, 64, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(bytes);
    MPI_Finalize();
    return 0;
}
