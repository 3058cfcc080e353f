/* team/failure_notices.c - determines which process is lost when a process waits in vain.
 *
 * A process may wait for a second process that itself waits for a third. The first process that gives up therefore
 * sends all others a notice that names the process it waited for. A waiting process that receives a notice gives up,
 * too, and sends its own notice. A process counts as lost if others wait for it and it has sent no notice. It also
 * counts as lost if its notice names itself, which means that it has failed. */

#include "team/failure_notices.h"

#include <sched.h>

#include <heed/memory.h>

#include "team/comm.h"

enum { NOTICE_TAG = 32767 }; /* the highest tag, reserved for notices */

typedef enum { PENDING, RECEIVED, DISCONNECTED } state;

typedef struct notice {
    state state;
    /* The content of the notice, whose bytes are sent as they are in memory: the process that the sender waited for,
     * and whether that process is known to be disconnected. Valid if `state` is RECEIVED. */
    int64_t peer, disconnected;
    void *request;
} notice;

struct heed__notices {
    const heed_transport *transport;
    int n_receiving; /* notices are being received from processes 0 .. n_receiving - 1 */
    notice list[];   /* one per process; the entry of this process is the notice that it sends */
};

enum { NOTICE_SIZE = 2 * sizeof(int64_t) };

static size_t notices_size(const heed_transport *transport)
{
    return sizeof(heed__notices) + (size_t)transport->size * sizeof(notice);
}

heed__notices *heed__notices_new(const heed_transport *transport)
{
    heed__notices *notices = heed_calloc(1, notices_size(transport));
    if (notices)
        notices->transport = transport;
    return notices;
}

bool heed__notices_receive(heed__notices *notices)
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

void heed__notices_free(heed__notices *notices)
{
    if (notices)
        heed_free(notices, notices_size(notices->transport));
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
static int poll_all(heed__notices *notices, state counted)
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

bool heed__notices_arrived(heed__notices *notices)
{
    return poll_all(notices, RECEIVED) > 0;
}

void heed__notices_send(heed__notices *notices, int peer, bool disconnected)
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
static heed__lost find_lost(const heed__notices *notices, int peer)
{
    const heed_transport *transport = notices->transport;
    heed__lost lost = {.process = -1};
    bool given_up = false;
    for (int i = 0; i < transport->size; i++) {
        const notice *n = &notices->list[i];
        if (n->state != RECEIVED || n->peer < 0 || n->peer >= transport->size)
            continue;
        if (n->peer == i)
            return (heed__lost){i, HEED_LOST_FAILED};
        given_up = given_up || n->peer == transport->rank;
        if (notices->list[n->peer].state != RECEIVED &&
            (lost.process < 0 || (n->disconnected && lost.how != HEED_LOST_DISCONNECTED)))
            lost = (heed__lost){(int)n->peer, n->disconnected ? HEED_LOST_DISCONNECTED : HEED_LOST_SILENT};
    }
    if (lost.process < 0)
        lost.process = given_up ? transport->rank : peer;
    return lost;
}

heed__lost heed__notices_give_up(heed__notices *notices, int peer, bool disconnected, double seconds)
{
    heed__notices_send(notices, peer, disconnected);
    double since = heed__seconds();
    while (poll_all(notices, PENDING) > 0 && heed__seconds() - since < seconds)
        sched_yield();
    return find_lost(notices, peer);
}
