/* heed/mpi.h - communication between processes through MPI. It is a separate library, libheed-mpi, so that heed itself
 * does not depend on MPI.
 *
 *     MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
 *     heed_comm *world = heed_comm_mpi(MPI_COMM_WORLD, NULL);
 *     ...
 *     heed_comm_free(world);
 *     MPI_Finalize();
 *
 * Stability: experimental
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_MPI_H
#define HEED_MPI_H

#include <mpi.h>

#include <heed/comm.h>

HEED_BEGIN_DECLS

/* Makes a heed_comm from an MPI communicator. It duplicates `comm`, so that the program's own messages on `comm` do not
 * mix with heed's. All processes of `comm` must call it. heed sends only point-to-point messages; errors of MPI are
 * reported as HEED_ERR_IO and do not abort the program.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_STATE before MPI_Init_thread and after MPI_Finalize; if MPI was initialised without
 * MPI_THREAD_FUNNELED, which heed's own threads need; and if several processes were started but are not connected,
 * because a different MPI's mpirun started them. HEED_ERR_ARGUMENT for MPI_COMM_NULL and for invalid arguments of
 * heed_comm_new; HEED_ERR_IO if MPI fails; HEED_ERR_NOMEM. */
HEED_API heed_comm *heed_comm_mpi(MPI_Comm comm, const heed_comm_options *options);

HEED_END_DECLS

#endif
