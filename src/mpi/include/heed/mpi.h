/* heed/mpi.h - processes that talk through MPI. In a library of its own, libheed-mpi, so that heed itself depends on no
 * MPI.
 *
 *     MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
 *     heed_comm *world = heed_comm_mpi(MPI_COMM_WORLD, NULL);
 *     ...
 *     heed_comm_free(world);
 *     MPI_Finalize();
 */
#ifndef HEED_MPI_H
#define HEED_MPI_H

#include <mpi.h>

#include <heed/comm.h>

HEED_BEGIN_DECLS

/* The processes of an MPI communicator, which is duplicated: the program's own messages on `comm` do not mix with
 * heed's. Only messages from one process to another are used, and errors of MPI are returned. All processes of `comm`
 * must call it.
 * NULL with HEED_ERR_STATE before MPI_Init_thread, after MPI_Finalize, where MPI was begun without MPI_THREAD_FUNNELED,
 * which heed's own threads need, and where several processes were started that MPI does not bring together, as by the
 * mpirun of another MPI; HEED_ERR_ARGUMENT for MPI_COMM_NULL and what heed_comm_new refuses; HEED_ERR_IO where MPI
 * fails; HEED_ERR_NOMEM. */
HEED_API heed_comm *heed_comm_mpi(MPI_Comm comm, const heed_comm_options *options);

HEED_END_DECLS

#endif
