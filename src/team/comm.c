/* team/comm.c - a group of one or more processes, and the messages between them.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "team/comm.h"

#include <math.h>
#include <sched.h>

#include <heed/debug.h>
#include <heed/memory.h>
#include <heed/scope.h>

#include "base/mark.h"

#define DEFAULT_TIMEOUT 300.0
#define POLL_SECONDS 50e-6 /* seconds without progress before a waiting process yields the processor */
#define NOTICE_SECONDS 2.0 /* maximum time in which processes that have given up waiting exchange notices */

/* -- Notices that determine which process is lost ------------------------------------------------------------------ */

/* A process may wait for a second process that itself waits for a third. The first process that gives up therefore
 * sends all others a notice that names the process it waited for. A waiting process that receives a notice gives up,
 * too, and sends its own notice. A process counts as lost if others wait for it and it has sent no notice. It also
 * counts as lost if its notice names itself, which means that it has failed. */

enum { NOTICE_TAG = 32767 }; /* the highest tag, reserved for notices */

typedef struct lost_process {
    int process;
    enum { LOST_SILENT, LOST_DISCONNECTED, LOST_FAILED } how;
} lost_process;

typedef enum { PENDING, RECEIVED, DISCONNECTED } notice_state;

typedef struct notice {
    notice_state state;
    /* The content of the notice, whose bytes are sent as they are in memory: the process that the sender waited for,
     * and whether that process is known to be disconnected. Valid if `state` is RECEIVED. */
    int64_t peer, disconnected;
    void *request;
} notice;

typedef struct notice_list {
    const heed_transport *transport;
    int n_receiving; /* notices are being received from processes 0 .. n_receiving - 1 */
    notice list[];   /* one per process; the entry of this process is the notice that it sends */
} notice_list;

enum { NOTICE_SIZE = 2 * sizeof(int64_t) };

static size_t notices_size(const heed_transport *transport)
{
    return sizeof(notice_list) + (size_t)transport->size * sizeof(notice);
}

/* Starts to receive notices from the other processes; later calls do nothing. Returns false after heed_fail. */
static bool receive_notices(notice_list *notices)
{
    const heed_transport *transport = notices->transport;
    for (int *i = &notices->n_receiving; *i < transport->size; ++*i) {
        notice *n = &notices->list[*i];
        if (*i != transport->rank &&
            transport->receive(transport->user, *i, NOTICE_TAG, &n->peer, NOTICE_SIZE, &n->request) != HEED_OK)
            return false;
    }
    return true;
}

static void poll_notice(const heed_transport *transport, notice *n)
{
    bool done = false;
    if (n->state == PENDING && transport->test(transport->user, n->request, &done) != HEED_OK)
        n->state = DISCONNECTED;
    else if (done)
        n->state = RECEIVED;
}

/* Polls the notice of every other process once. Returns the number of processes whose state is `counted`. */
static int poll_all(notice_list *notices, notice_state counted)
{
    const heed_transport *transport = notices->transport;
    int n = 0;
    for (int i = 0; i < transport->size; i++)
        if (i != transport->rank && i < notices->n_receiving) {
            poll_notice(transport, &notices->list[i]);
            n += notices->list[i].state == counted;
        }
    return n;
}

/* Returns true if a notice has arrived: some process has given up. */
static bool notice_has_arrived(notice_list *notices)
{
    return poll_all(notices, RECEIVED) > 0;
}

/* Notifies all other processes that this process has waited in vain for `peer`. `peer` is this process itself if this
 * process has failed. */
static void send_notices(notice_list *notices, int peer, bool disconnected)
{
    const heed_transport *transport = notices->transport;
    notice *local = &notices->list[transport->rank];
    *local = (notice){.state = RECEIVED, .peer = peer, .disconnected = disconnected};
    for (int i = 0; i < transport->size; i++)
        if (i != transport->rank) /* a failure to send is ignored: process i is then lost, too */
            (void)transport->send(transport->user, i, NOTICE_TAG, &local->peer, NOTICE_SIZE, &local->request);
}

/* Returns a process whose notice says that it has failed, if there is one. Otherwise considers the awaited processes
 * that have sent no notice: returns the first one known to be disconnected, or else the first one. */
static lost_process judge_notices(const notice_list *notices, int peer)
{
    const heed_transport *transport = notices->transport;
    lost_process lost = {.process = -1};
    bool given_up = false;
    for (int i = 0; i < transport->size; i++) {
        const notice *n = &notices->list[i];
        if (n->state != RECEIVED || n->peer < 0 || n->peer >= transport->size)
            continue;
        if (n->peer == i)
            return (lost_process){i, LOST_FAILED};
        given_up = given_up || n->peer == transport->rank;
        if (notices->list[n->peer].state != RECEIVED &&
            (lost.process < 0 || (n->disconnected && lost.how != LOST_DISCONNECTED)))
            lost = (lost_process){(int)n->peer, n->disconnected ? LOST_DISCONNECTED : LOST_SILENT};
    }
    if (lost.process < 0)
        lost.process = given_up ? transport->rank : peer;
    return lost;
}

/* Gives up waiting for `peer`: notifies all other processes, receives their notices for at most `seconds` seconds, and
 * returns the lost process. The lost process is this process itself if the others have given up waiting for it. */
static lost_process find_lost_process(notice_list *notices, int peer, bool disconnected, double seconds)
{
    send_notices(notices, peer, disconnected);
    double since = heed__seconds();
    while (poll_all(notices, PENDING) > 0 && heed__seconds() - since < seconds)
        sched_yield();
    return judge_notices(notices, peer);
}

/* -- The comm ------------------------------------------------------------------------------------------------------ */

typedef struct message {
    heed_tensor *t; /* retained until the message is complete */
    void *request;
    int peer;
} message;

struct heed__messages {
    heed_comm *comm;
    const char *where;
    heed__messages *next; /* in the comm's list of failed messages */
    bool broken;          /* a message could not be started */
    int failed_peer;      /* the peer of a failed message, or -1 */
    int n, capacity;
    message list[];
};

struct heed_comm {
    heed_transport transport;
    double timeout;
    int64_t bytes_sent;
    notice_list *notices;   /* NULL before the first message */
    heed__messages *failed; /* failed messages, whose tensors the transport may still access */
    bool closed;            /* no further messages are sent or received */
    bool notified;          /* the other processes have been notified */
    int64_t passes;         /* number of passes over shards already started */
    uint64_t mark;
};

HEED_MARK_OUTLIVES_FREE(heed_comm);

/* -- Creation and freeing ------------------------------------------------------------------------------------------ */

static bool check_transport(const heed_transport *t)
{
    if (!t)
        return heed_fail_false(HEED_ERR_ARGUMENT, "comm_new", "the transport is NULL");
    if (t->size < 1 || t->rank < 0 || t->rank >= t->size)
        return heed_fail_false(HEED_ERR_ARGUMENT, "comm_new", "rank is %d and size is %d: must be 0 <= rank < size",
                               t->rank, t->size);
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
    comm->mark = HEED_MARK(HEED_COMM, 0);
    comm->transport = *transport;
    comm->timeout = timeout;
    return comm;
}

heed_comm *heed_comm_self(void)
{
    HEED_ENTER("comm_self");
    return heed_comm_new(&(heed_transport){.size = 1}, NULL);
}

static size_t messages_size(int n)
{
    return sizeof(heed__messages) + (size_t)n * sizeof(message);
}

static void messages_free(heed__messages *messages)
{
    for (int i = 0; i < messages->n; i++)
        heed_release(messages->list[i].t);
    heed_free(messages, messages_size(messages->capacity));
}

/* Keeps memory that the transport may still access: such memory is never freed. */
void heed_comm_free(heed_comm *comm)
{
    if (!comm || !heed__comm_is_live("comm_free", comm))
        return;
    heed_callback call = heed_callback_begin("the free function of the transport");
    const bool ended = !comm->transport.free || comm->transport.free(comm->transport.user);
    const bool free_ok = heed_callback_end(&call);
    (void)free_ok; /* an error of the callback stays pending after heed_comm_free */
    for (heed__messages *next; ended && comm->failed; comm->failed = next) {
        next = comm->failed->next;
        messages_free(comm->failed);
    }
    if (ended && comm->notices) /* the transport may write to them until it is freed */
        heed_free(comm->notices, notices_size(&comm->transport));
    comm->mark = 0;
    heed_free(comm, sizeof *comm);
}

bool heed__comm_is_live(const char *where, const heed_comm *comm)
{
    if (!comm)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the comm is NULL");
    return heed__is_marked(comm->mark, HEED_COMM) || heed_fail_freed(where, "the comm", comm);
}

int heed_comm_rank(const heed_comm *comm)
{
    return heed__comm_is_live("comm_rank", comm) ? comm->transport.rank : -1;
}

int heed_comm_size(const heed_comm *comm)
{
    return heed__comm_is_live("comm_size", comm) ? comm->transport.size : 0;
}

int64_t heed_comm_bytes_sent(const heed_comm *comm)
{
    return heed__comm_is_live("comm_bytes_sent", comm) ? comm->bytes_sent : -1;
}

/* -- Messages ------------------------------------------------------------------------------------------------------ */

bool heed__comm_check(const char *where, const heed_comm *comm)
{
    if (!heed__comm_is_live(where, comm))
        return false;
    return !comm->closed || heed_fail_false(HEED_ERR_STATE, where,
                                            "an earlier message of the comm has failed: it sends no more messages");
}

heed__messages *heed__messages_new(const char *where, heed_comm *comm, int n)
{
    if (!heed__comm_check(where, comm))
        return NULL;
    if (!comm->notices && (comm->notices = heed_calloc(1, notices_size(&comm->transport))))
        comm->notices->transport = &comm->transport;
    heed__messages *messages =
        comm->notices && receive_notices(comm->notices) ? heed_calloc(1, messages_size(n)) : NULL;
    if (!messages)
        return NULL;
    messages->comm = comm;
    messages->where = where;
    messages->capacity = n;
    messages->failed_peer = -1;
    return messages;
}

static message *next_message(heed__messages *messages, int peer, heed_tensor *t)
{
    message *m = &messages->list[messages->n++];
    *m = (message){.t = heed_retain(t), .peer = peer};
    return m;
}

static bool check_started(heed__messages *messages, heed_status status)
{
    messages->broken = status != HEED_OK;
    if (messages->broken)
        heed_release(messages->list[--messages->n].t);
    return !messages->broken;
}

bool heed__messages_send(heed__messages *messages, int to, int tag, heed_tensor *t, int64_t begin, int64_t end)
{
    if (begin == end)
        return true;
    const heed_transport *transport = &messages->comm->transport;
    size_t element = heed_dtype_size(heed_dtype_of(t)), size = (size_t)(end - begin) * element;
    message *m = next_message(messages, to, t);
    const char *bytes = (const char *)heed_data_bytes(t) + (size_t)begin * element;
    if (!check_started(messages, transport->send(transport->user, to, tag, bytes, size, &m->request)))
        return false;
    messages->comm->bytes_sent += (int64_t)size;
    return true;
}

bool heed__messages_receive(heed__messages *messages, int from, int tag, heed_tensor *t, int64_t begin, int64_t end)
{
    if (begin == end)
        return true;
    const heed_transport *transport = &messages->comm->transport;
    size_t element = heed_dtype_size(heed_dtype_of(t));
    message *m = next_message(messages, from, t);
    char *bytes = (char *)heed_mutable_bytes(t) + (size_t)begin * element;
    return check_started(
        messages, transport->receive(transport->user, from, tag, bytes, (size_t)(end - begin) * element, &m->request));
}

/* Tests all incomplete messages. Returns how many remain incomplete. Sets *progress to true if a message was
 * completed. */
static int test_all(heed__messages *messages, bool *progress)
{
    const heed_transport *transport = &messages->comm->transport;
    int waiting = 0;
    for (int i = 0; i < messages->n && messages->failed_peer < 0; i++) {
        message *m = &messages->list[i];
        bool done = false;
        if (!m->t)
            continue;
        if (transport->test(transport->user, m->request, &done) != HEED_OK)
            messages->failed_peer = m->peer;
        *progress = *progress || done;
        waiting += !done;
        if (done) {
            heed_release(m->t);
            m->t = NULL;
        }
    }
    return waiting;
}

void heed__messages_poll(heed__messages *messages)
{
    bool progress = false;
    if (!messages->broken)
        (void)test_all(messages, &progress);
}

/* Calls heed_fail with the process that caused the failure and returns false. The processes determine that process
 * together, by notices. */
static bool fail_lost(const heed__messages *messages, int peer, bool disconnected)
{
    heed_comm *comm = messages->comm;
    const int rank = comm->transport.rank, size = comm->transport.size;
    comm->notified = true;
    lost_process lost = find_lost_process(comm->notices, peer, disconnected, fmin(comm->timeout, NOTICE_SECONDS));
    if (lost.process == rank)
        return heed_fail_false(HEED_ERR_IO, messages->where,
                               "the other processes have stopped waiting for this one, process %d of %d", rank, size);
    if (lost.how != LOST_SILENT)
        return heed_fail_false(HEED_ERR_IO, messages->where, "process %d of %d %s", lost.process, size,
                               lost.how == LOST_DISCONNECTED ? "has disconnected"
                                                             : "has failed: see its error message");
    return heed_fail_false(HEED_ERR_IO, messages->where, "process %d of %d has not answered for %g s", lost.process,
                           size, comm->timeout);
}

static bool wait_all(heed__messages *messages)
{
    double since = heed__seconds();
    for (;;) {
        bool progress = false;
        int waiting = test_all(messages, &progress);
        if (messages->failed_peer >= 0)
            return fail_lost(messages, messages->failed_peer, true);
        if (waiting == 0)
            return true;
        double time = heed__seconds();
        if (progress)
            since = time;
        if (time - since < POLL_SECONDS)
            continue;
        if (time - since > messages->comm->timeout || notice_has_arrived(messages->comm->notices)) {
            const message *first = messages->list; /* the first incomplete message */
            while (!first->t)
                first++;
            return fail_lost(messages, first->peer, false);
        }
        sched_yield();
    }
}

void heed__messages_drop(heed__messages *messages)
{
    if (!messages)
        return;
    messages->next = messages->comm->failed;
    messages->comm->failed = messages;
    messages->comm->closed = true;
}

bool heed__messages_finish(heed__messages *messages)
{
    if (!messages)
        return false;
    if (!messages->broken && wait_all(messages)) {
        messages_free(messages);
        return true;
    }
    heed__messages_drop(messages);
    return false;
}

void heed__comm_give_up(heed_comm *comm)
{
    if (comm->notices && !comm->notified) {
        comm->notified = true;
        send_notices(comm->notices, comm->transport.rank, false);
        (void)notice_has_arrived(comm->notices); /* some transports make progress only when polled */
    }
    comm->closed = comm->transport.size > 1;
}

void heed__comm_notify_failure(heed_comm *comm)
{
    if (heed_error_code() != HEED_ERR_STATE)
        heed__comm_give_up(comm);
}

int64_t heed__comm_next_pass(heed_comm *comm)
{
    return comm->passes++;
}
