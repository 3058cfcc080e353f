/* heed/comm.h - processes that work together: who they are, and how bytes get from one to another.
 *
 *     heed_comm *world = heed_comm_self();                        one process; needs nothing
 *     heed_comm *world = heed_comm_mpi(MPI_COMM_WORLD, NULL);     many, with <heed/mpi.h> and libheed-mpi
 *
 * What is built on them (heed/data_parallel.h) is the same program either way.
 */
#ifndef HEED_COMM_H
#define HEED_COMM_H

#include <stddef.h>

#include <heed/error.h>

HEED_BEGIN_DECLS

typedef struct heed_comm heed_comm;

/* One process by itself, rank 0 of 1, so that one program runs alone and in a team. NULL with HEED_ERR_NOMEM. */
HEED_API heed_comm *heed_comm_self(void);

/* This process's number, 0 .. size - 1. -1 with HEED_ERR_ARGUMENT for NULL.
 * torch: torch.distributed.get_rank */
HEED_API int heed_comm_rank(const heed_comm *comm);

/* How many processes there are. 0 with HEED_ERR_ARGUMENT for NULL.
 * torch: torch.distributed.get_world_size */
HEED_API int heed_comm_size(const heed_comm *comm);

/* Bytes of tensors that this process has sent to others through `comm`. -1 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_comm_bytes_sent(const heed_comm *comm);

/* Frees it; what uses it must be gone. The other processes are told nothing. NULL is ignored. */
HEED_API void heed_comm_free(heed_comm *comm);

/* -- Ways from process to process ------------------------------------------------------------------------------------
 * For authors of a transport: MPI's is src/mpi/mpi.c, one over sockets tests/team/sockets.h. Each function returns
 * HEED_OK, or a status after heed_fail, mostly HEED_ERR_IO. All are called by the thread that uses the heed_comm. */

typedef struct heed_transport {
    int rank, size; /* this process, and how many there are */

    /* Starts to send `size` bytes, or to receive as many, and sets *request, which `test` is asked about until it is
     * done. The bytes stay as they are until then. Between two processes messages of one tag (0 .. 32767) arrive in
     * order. */
    heed_status (*send)(void *user, int to, int tag, const void *bytes, size_t size, void **request);
    heed_status (*receive)(void *user, int from, int tag, void *bytes, size_t size, void **request);

    /* Without waiting: *done tells whether the request is done; then it is gone. Another status than HEED_OK, without
     * heed_fail, means that the other process is lost; heed says so. */
    heed_status (*test)(void *user, void *request, bool *done);

    /* Ends what is under way. False where bytes of a message may still be read or written, which then are never freed.
     * May be NULL. */
    bool (*free)(void *user);
    void *user;
    HEED_RESERVED;
} heed_transport;

typedef struct heed_comm_options {
    double timeout; /* seconds without the end of a message, which may be a gigabyte, after which a process that
                       does not answer is given up by all others; 0: 300 */
    HEED_RESERVED;
} heed_comm_options;

/* A heed_comm over a transport, which is copied. NULL with HEED_ERR_ARGUMENT for NULL, a rank outside of 0 .. size - 1,
 * a function that is NULL (one process needs none), a timeout that is negative or not finite; HEED_ERR_NOMEM. */
HEED_API heed_comm *heed_comm_new(const heed_transport *transport, const heed_comm_options *options);

HEED_END_DECLS

#endif
