/* mpi/src/mpi.c - libheed-mpi: communication between processes through MPI.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/mpi.h>

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

#include <heed/memory.h>

enum { BLOCK = 1 << 20 }; /* bytes of a block: MPI counts in int, so long messages are counted in blocks */

#define CANCEL_SECONDS 2.0 /* seconds that abandoned messages may take to finish */

/* A pending message: requests[0] is for its whole blocks, requests[1] for the remaining bytes. */
typedef struct mpi_message {
    MPI_Request requests[2];
    bool receives;
    struct mpi_message *next;
} mpi_message;

typedef struct mpi_comm {
    MPI_Comm comm;
    MPI_Datatype block; /* BLOCK bytes */
    mpi_message *pending;
} mpi_comm;

static heed_status fail_mpi(const char *what, int code)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    (void)MPI_Error_string(code, text, &length);
    return heed_fail(HEED_ERR_IO, "comm_mpi", "%s: %s", what, text);
}

/* Sets count[0] to the number of whole blocks in `size` bytes and count[1] to the number of remaining bytes. Returns
 * false after heed_fail if MPI cannot count the blocks. */
static bool split_size(size_t size, int count[2])
{
    if (size / BLOCK > INT_MAX)
        return heed_fail_false(HEED_ERR_UNSUPPORTED, "comm_mpi", "a message of %zu bytes is too large for MPI", size);
    count[0] = (int)(size / BLOCK);
    count[1] = (int)(size % BLOCK);
    return true;
}

static mpi_message *message_new(mpi_comm *m, bool receives)
{
    mpi_message *message = heed_alloc(sizeof *message);
    if (!message)
        return NULL;
    *message = (mpi_message){{MPI_REQUEST_NULL, MPI_REQUEST_NULL}, receives, m->pending};
    m->pending = message;
    return message;
}

static void message_free(mpi_comm *m, mpi_message *message)
{
    mpi_message **at = &m->pending;
    while (*at != message)
        at = &(*at)->next;
    *at = message->next;
    heed_free(message, sizeof *message);
}

/* Ends an abandoned message. Returns false while MPI still reads or writes its bytes. A message that MPI has already
 * matched cannot be cancelled and may continue until `deadline`. */
static bool message_cancel(mpi_comm *m, mpi_message *message, double deadline)
{
    for (int i = 0; i < 2 && message->receives; i++)
        if (message->requests[i] != MPI_REQUEST_NULL)
            (void)MPI_Cancel(&message->requests[i]);
    MPI_Status statuses[2];
    int complete = 0;
    while (MPI_Testall(2, message->requests, &complete, statuses) == MPI_SUCCESS && !complete && MPI_Wtime() < deadline)
        ;
    if (complete)
        message_free(m, message);
    return complete;
}

static heed_status begin_message(mpi_comm *m, int code, mpi_message *message, void **request)
{
    if (code == MPI_SUCCESS) {
        *request = message;
        return HEED_OK;
    }
    (void)message_cancel(m, message, MPI_Wtime());
    return fail_mpi("cannot start a message", code);
}

static heed_status mpi_send(void *user, int to, int tag, const void *bytes, size_t size, void **request)
{
    mpi_comm *m = user;
    int count[2] = {0, 0};
    mpi_message *message = split_size(size, count) ? message_new(m, false) : NULL;
    if (!message)
        return heed_error_code();
    const char *remainder = (const char *)bytes + (size_t)count[0] * BLOCK;
    int code = MPI_SUCCESS;
    if (count[0] > 0)
        code = MPI_Isend(bytes, count[0], m->block, to, tag, m->comm, &message->requests[0]);
    if (code == MPI_SUCCESS && count[1] > 0)
        code = MPI_Isend(remainder, count[1], MPI_BYTE, to, tag, m->comm, &message->requests[1]);
    return begin_message(m, code, message, request);
}

static heed_status mpi_receive(void *user, int from, int tag, void *bytes, size_t size, void **request)
{
    mpi_comm *m = user;
    int count[2] = {0, 0};
    mpi_message *message = split_size(size, count) ? message_new(m, true) : NULL;
    if (!message)
        return heed_error_code();
    char *remainder = (char *)bytes + (size_t)count[0] * BLOCK;
    int code = MPI_SUCCESS;
    if (count[0] > 0)
        code = MPI_Irecv(bytes, count[0], m->block, from, tag, m->comm, &message->requests[0]);
    if (code == MPI_SUCCESS && count[1] > 0)
        code = MPI_Irecv(remainder, count[1], MPI_BYTE, from, tag, m->comm, &message->requests[1]);
    return begin_message(m, code, message, request);
}

static heed_status mpi_test(void *user, void *request, bool *done)
{
    mpi_comm *m = user;
    mpi_message *message = request;
    MPI_Status statuses[2];
    int complete = 0, code = MPI_Testall(2, message->requests, &complete, statuses);
    *done = code == MPI_SUCCESS && complete;
    if (*done)
        message_free(m, message);
    return code == MPI_SUCCESS ? HEED_OK : HEED_ERR_IO;
}

static bool cancel_all(mpi_comm *m)
{
    const double deadline = MPI_Wtime() + CANCEL_SECONDS;
    bool cancelled = true;
    for (mpi_message *message = m->pending, *next; message; message = next) {
        next = message->next;
        cancelled = message_cancel(m, message, deadline) && cancelled;
    }
    if (cancelled)
        (void)MPI_Type_free(&m->block);
    (void)MPI_Comm_free(&m->comm);
    return cancelled;
}

static bool mpi_free(void *user)
{
    mpi_comm *m = user;
    int finalized = 0;
    (void)MPI_Finalized(&finalized);
    while (finalized && m->pending)
        message_free(m, m->pending);
    if (!finalized && !cancel_all(m))
        return false;
    heed_free(m, sizeof *m);
    return true;
}

#ifdef OPEN_MPI
static const char implementation[] = "Open MPI";
#elif defined(MPICH_VERSION)
static const char implementation[] = "MPICH";
#else
static const char implementation[] = "a different MPI";
#endif

/* Checks that MPI connects the processes. If a different MPI's mpirun started them, or srun without --mpi, every
 * process would do all the work and write the same files. Launchers set one of the variables to the number of
 * processes. */
static bool check_launcher(void)
{
    static const char *const variables[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
    const char *expected = NULL;
    for (size_t i = 0; i < sizeof variables / sizeof variables[0] && !expected; i++)
        expected = getenv(variables[i]);
    int size = 0;
    (void)MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > 1 || !expected || strtol(expected, NULL, 10) <= 1)
        return true;
    return heed_fail_false(HEED_ERR_STATE, "comm_mpi",
                           "%s processes were started, but MPI does not connect them: this program was built with %s "
                           "and must be started by its mpirun (or srun --mpi)",
                           expected, implementation);
}

static bool check_mpi(MPI_Comm comm)
{
    int initialized = 0, finalized = 0, provided = MPI_THREAD_SINGLE;
    (void)MPI_Initialized(&initialized);
    (void)MPI_Finalized(&finalized);
    if (!initialized || finalized)
        return heed_fail_false(HEED_ERR_STATE, "comm_mpi", "%s",
                               initialized ? "called after MPI_Finalize"
                                           : "MPI is not initialised: call MPI_Init_thread first");
    (void)MPI_Query_thread(&provided);
    if (provided < MPI_THREAD_FUNNELED)
        return heed_fail_false(HEED_ERR_STATE, "comm_mpi",
                               "MPI was initialised without MPI_THREAD_FUNNELED: use MPI_Init_thread");
    if (comm == MPI_COMM_NULL)
        return heed_fail_false(HEED_ERR_ARGUMENT, "comm_mpi", "comm is MPI_COMM_NULL");
    return check_launcher();
}

static bool set_up(mpi_comm *m, MPI_Comm comm)
{
    int code = MPI_Comm_dup(comm, &m->comm);
    if (code != MPI_SUCCESS)
        return fail_mpi("MPI_Comm_dup", code) == HEED_OK;
    code = MPI_Comm_set_errhandler(m->comm, MPI_ERRORS_RETURN);
    if (code == MPI_SUCCESS)
        code = MPI_Type_contiguous(BLOCK, MPI_BYTE, &m->block);
    if (code == MPI_SUCCESS)
        code = MPI_Type_commit(&m->block);
    if (code == MPI_SUCCESS)
        return true;
    (void)MPI_Comm_free(&m->comm);
    return fail_mpi("cannot make the datatype of blocks", code) == HEED_OK;
}

heed_comm *heed_comm_mpi(MPI_Comm comm, const heed_comm_options *options)
{
    HEED_ENTER("comm_mpi");
    if (!check_mpi(comm))
        return NULL;
    mpi_comm *m = heed_calloc(1, sizeof *m);
    if (!m || !set_up(m, comm)) {
        heed_free(m, sizeof *m);
        return NULL;
    }
    heed_transport transport = {
        .send = mpi_send, .receive = mpi_receive, .test = mpi_test, .free = mpi_free, .user = m};
    (void)MPI_Comm_rank(m->comm, &transport.rank);
    (void)MPI_Comm_size(m->comm, &transport.size);
    heed_comm *result = heed_comm_new(&transport, options);
    if (!result)
        (void)mpi_free(m);
    return result;
}
