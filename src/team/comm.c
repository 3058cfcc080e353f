/* team/comm.c - one process or many, and the messages between them. */

#include "team/comm.h"

#include <math.h>
#include <sched.h>
#include <time.h>

#include <heed/memory.h>

#define DEFAULT_TIMEOUT 300.0
#define POLLING 50e-6 /* seconds of looking before the processor is left to others */

struct heed_comm {
    heed_transport transport;
    double timeout;
    int64_t bytes_sent;
};

typedef struct heed__message {
    void *request;
    int partner;
    bool done;
} heed__message;

/* -- Making -------------------------------------------------------------------------------------------------------- */

static bool check_transport(const heed_transport *t)
{
    if (!t)
        return heed_fail_false(HEED_ERR_ARGUMENT, "comm_new", "the transport is NULL");
    if (t->size < 1 || t->rank < 0 || t->rank >= t->size)
        return heed_fail_false(HEED_ERR_ARGUMENT, "comm_new", "rank %d of %d processes", t->rank, t->size);
    if (t->size > 1 && (!t->send || !t->receive || !t->test))
        return heed_fail_false(HEED_ERR_ARGUMENT, "comm_new", "%s is NULL",
                               !t->send      ? "send"
                               : !t->receive ? "receive"
                                             : "test");
    return true;
}

heed_comm *heed_comm_new(const heed_transport *transport, const heed_comm_options *options)
{
    HEED_ENTER("comm_new");
    double timeout = options && options->timeout != 0.0 ? options->timeout : DEFAULT_TIMEOUT;
    if (!check_transport(transport))
        return NULL;
    if (!isfinite(timeout) || timeout < 0.0)
        return heed_fail_null(HEED_ERR_ARGUMENT, "comm_new", "timeout is %g: must be finite and above 0", timeout);
    heed_comm *comm = heed_calloc(1, sizeof *comm);
    if (!comm)
        return NULL;
    comm->transport = *transport;
    comm->timeout = timeout;
    return comm;
}

heed_comm *heed_comm_self(void)
{
    HEED_ENTER("comm_self");
    return heed_comm_new(&(heed_transport){.size = 1}, NULL);
}

void heed_comm_free(heed_comm *comm)
{
    if (comm && comm->transport.free)
        comm->transport.free(comm->transport.user);
    heed_free(comm, sizeof *comm);
}

static bool check_comm(const char *where, const heed_comm *comm)
{
    return comm || heed_fail_false(HEED_ERR_ARGUMENT, where, "the comm is NULL");
}

int heed_comm_rank(const heed_comm *comm)
{
    return check_comm("comm_rank", comm) ? comm->transport.rank : -1;
}

int heed_comm_size(const heed_comm *comm)
{
    return check_comm("comm_size", comm) ? comm->transport.size : 0;
}

int64_t heed_comm_bytes_sent(const heed_comm *comm)
{
    return check_comm("comm_bytes_sent", comm) ? comm->bytes_sent : -1;
}

/* -- Messages ------------------------------------------------------------------------------------------------------ */

bool heed__messages_begin(heed__messages *messages, heed_comm *comm, int n)
{
    *messages = (heed__messages){.comm = comm};
    messages->list = heed_calloc((size_t)n, sizeof(heed__message));
    messages->capacity = messages->list ? n : 0;
    return messages->list != NULL;
}

bool heed__messages_send(heed__messages *messages, int to, int tag, const void *bytes, size_t size)
{
    heed_transport *t = &messages->comm->transport;
    heed__message *m = &messages->list[messages->n];
    m->partner = to;
    if (t->send(t->user, to, tag, bytes, size, &m->request) != HEED_OK)
        return false;
    messages->n++;
    messages->comm->bytes_sent += (int64_t)size;
    return true;
}

bool heed__messages_receive(heed__messages *messages, int from, int tag, void *bytes, size_t size)
{
    heed_transport *t = &messages->comm->transport;
    heed__message *m = &messages->list[messages->n];
    m->partner = from;
    if (t->receive(t->user, from, tag, bytes, size, &m->request) != HEED_OK)
        return false;
    messages->n++;
    return true;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Asks about all that are not done: how many these are afterwards, or -1 after heed_fail; *progress if any became so. */
static int test_all(heed__messages *messages, bool *progress)
{
    heed_transport *t = &messages->comm->transport;
    int waiting = 0;
    for (int i = 0; i < messages->n; i++) {
        heed__message *m = &messages->list[i];
        if (m->done)
            continue;
        if (t->test(t->user, m->request, &m->done) != HEED_OK)
            return -1;
        *progress = *progress || m->done;
        waiting += !m->done;
    }
    return waiting;
}

static int first_waiting(const heed__messages *messages)
{
    int i = 0;
    while (messages->list[i].done)
        i++;
    return messages->list[i].partner;
}

static bool wait_all(heed__messages *messages, const char *where)
{
    double since = now();
    for (;;) {
        bool progress = false;
        int waiting = test_all(messages, &progress);
        if (waiting <= 0)
            return waiting == 0;
        double quiet = now() - since;
        if (progress)
            since = now();
        else if (quiet > messages->comm->timeout)
            return heed_fail_false(HEED_ERR_IO, where, "process %d of %d has not answered for %g s",
                                   first_waiting(messages), messages->comm->transport.size, messages->comm->timeout);
        else if (quiet > POLLING)
            sched_yield();
    }
}

bool heed__messages_finish(heed__messages *messages, const char *where)
{
    bool ok = wait_all(messages, where);
    heed_free(messages->list, (size_t)messages->capacity * sizeof(heed__message));
    return ok;
}
