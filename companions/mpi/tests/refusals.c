/* mpi/tests/refusals.c - prints the errors of heed_comm_mpi, one per line; started without or by mpirun.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <stdio.h>

#include <heed/heed.h>
#include <heed/mpi.h>

static void print_result(heed_comm *comm)
{
    printf("%s: %s\n", comm ? "a comm" : heed_status_name(heed_error_code()), heed_error_message());
    heed_error_clear();
    heed_comm_free(comm);
}

int main(int argc, char **argv)
{
    const bool funneled = argc > 1;
    int provided;
    print_result(heed_comm_mpi(MPI_COMM_WORLD, NULL));
    MPI_Init_thread(&argc, &argv, funneled ? MPI_THREAD_FUNNELED : MPI_THREAD_SINGLE, &provided);
    print_result(heed_comm_mpi(MPI_COMM_WORLD, NULL));
    print_result(heed_comm_mpi(MPI_COMM_NULL, NULL));
    print_result(heed_comm_mpi(MPI_COMM_WORLD, &(heed_comm_options){.timeout = -1.0}));
    MPI_Finalize();
    print_result(heed_comm_mpi(MPI_COMM_WORLD, NULL));
    return 0;
}
