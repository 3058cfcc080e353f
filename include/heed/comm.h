/* heed/comm.h - teams of processes: ranks, and the transport of bytes between processes.
 *
 *     heed_comm *world = heed_comm_self();                        one process, without dependencies
 *     heed_comm *world = heed_comm_mpi(MPI_COMM_WORLD, NULL);     several, with <heed/mpi.h> and libheed-mpi
 *
 * A program that uses a heed_comm (heed/data_parallel.h) is the same in both cases.
 *
 * Stability: experimental
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_COMM_H
#define HEED_COMM_H

#include <stddef.h>

#include <heed/error.h>

HEED_BEGIN_DECLS

typedef struct heed_comm heed_comm;

/* Returns a team of this process alone, rank 0 of 1, so that the same program can run alone and in a team.
 * Errors: NULL with HEED_ERR_NOMEM. */
HEED_API heed_comm *heed_comm_self(void);

/* Returns this process's rank, 0 .. size - 1.
 * Errors: -1 with HEED_ERR_ARGUMENT for NULL.
 * torch: torch.distributed.get_rank */
HEED_API int heed_comm_rank(const heed_comm *comm);

/* Returns the number of processes.
 * Errors: 0 with HEED_ERR_ARGUMENT for NULL.
 * torch: torch.distributed.get_world_size */
HEED_API int heed_comm_size(const heed_comm *comm);

/* Returns the bytes of tensors that this process has sent to others through `comm`.
 * Errors: -1 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_comm_bytes_sent(const heed_comm *comm);

/* Frees a comm; all objects that use it must be freed before. The other processes are not notified. NULL is ignored. */
HEED_API void heed_comm_free(heed_comm *comm);

/* -- Transports ------------------------------------------------------------------------------------------------------
 * For authors of a transport: companions/mpi/src/mpi.c uses MPI, tests/team/sockets.h uses sockets. Unless a field says
 * otherwise, a function returns HEED_OK, or a status after heed_fail, usually HEED_ERR_IO. All functions are called by
 * the thread that uses the heed_comm. */

typedef struct heed_transport {
    int rank, size; /* the rank of this process, and the number of processes */

    /* These two start to send or receive `size` bytes and set *request, which heed passes to `test` until the request
     * is done. Until then heed does not touch the buffer. Messages of one tag (0 .. 32767) between two processes must
     * arrive in order. */
    heed_status (*send)(void *user, int to, int tag, const void *bytes, size_t size, void **request);
    heed_status (*receive)(void *user, int from, int tag, void *bytes, size_t size, void **request);

    /* Sets *done, without waiting, if the request is done; the request is then invalid. If the other process is lost,
     * it returns a status other than HEED_OK. It does not call heed_fail: heed reports the error. */
    heed_status (*test)(void *user, void *request, bool *done);

    /* Cancels pending requests. Returns false if the buffers of a message may still be read or written; heed then never
     * frees these buffers. May be NULL. */
    bool (*free)(void *user);
    void *user;
    HEED_RESERVED;
} heed_transport;

typedef struct heed_comm_options {
    double timeout; /* after this number of seconds without a completed message, all other processes give up on a
                       process that does not answer. A message may have a gigabyte. 0: 300 */
    HEED_RESERVED;
} heed_comm_options;

/* Returns a team of processes that communicate over a transport, which is copied.
 * Errors: NULL with HEED_ERR_ARGUMENT for NULL, a rank outside 0 .. size - 1, a function that is NULL (a single process
 * may omit them), a negative or non-finite timeout; HEED_ERR_NOMEM. */
HEED_API heed_comm *heed_comm_new(const heed_transport *transport, const heed_comm_options *options);

HEED_END_DECLS

#endif
