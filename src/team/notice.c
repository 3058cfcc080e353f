/* team/notice.c - determines which process is lost when a process waits in vain.
 *
 * A process may wait for a second one that itself waits for a third. The first process that gives up therefore sends
 * all others a notice that names the process it waited for. A process that receives a notice while waiting gives up too
 * and sends its own. A process counts as lost if others wait for it and it has sent no notice, or if its notice names
 * itself, which means that it has failed. */

#include "team/notice.h"

#include <sched.h>

#include <heed/memory.h>

#include "team/comm.h"

enum { TAG = 32767 }; /* the highest tag, reserved for notices */

typedef enum { LISTENED_TO, TOLD, GONE } state;

typedef struct notice {
    state state;
    int64_t partner,
        gone; /* valid when TOLD: the process waited for; `partner` and `gone` are sent as they are in memory */
    void *request;
} notice;

struct heed__notices {
    const heed_transport *transport;
    int listened_to; /* number of processes, from the first on, from which notices are being received */
    notice of[];     /* per process; this process's entry is the notice it sends */
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

bool heed__notices_listen(heed__notices *notices)
{
    const heed_transport *transport = notices->transport;
    for (int *i = &notices->listened_to; *i < transport->size; ++*i) {
        notice *n = &notices->of[*i];
        if (*i != transport->rank &&
            transport->receive(transport->user, *i, TAG, &n->partner, NOTICE_SIZE, &n->request) != HEED_OK)
            return false;
    }
    return true;
}

void heed__notices_free(heed__notices *notices)
{
    if (notices)
        heed_free(notices, notices_size(notices->transport));
}

static void listen_to(const heed_transport *transport, notice *n)
{
    bool done = false;
    if (n->state == LISTENED_TO && transport->test(transport->user, n->request, &done) != HEED_OK)
        n->state = GONE;
    else if (done)
        n->state = TOLD;
}

/* Polls every other process once. Returns the number of processes in the state `wanted`. */
static int count(heed__notices *notices, state wanted)
{
    const heed_transport *transport = notices->transport;
    int n = 0;
    for (int i = 0; i < transport->size; i++)
        if (i != transport->rank && i < notices->listened_to) {
            listen_to(transport, &notices->of[i]);
            n += notices->of[i].state == wanted;
        }
    return n;
}

bool heed__notices_heard(heed__notices *notices)
{
    return count(notices, TOLD) > 0;
}

void heed__notices_tell(heed__notices *notices, int partner, bool gone)
{
    const heed_transport *transport = notices->transport;
    notice *mine = &notices->of[transport->rank];
    *mine = (notice){.state = TOLD, .partner = partner, .gone = gone};
    for (int i = 0; i < transport->size; i++)
        if (i != transport->rank) /* a failure to send means that this process is lost too */
            (void)transport->send(transport->user, i, TAG, &mine->partner, NOTICE_SIZE, &mine->request);
}

/* Returns a process that has failed. Otherwise considers the awaited processes without a notice, and returns the first
 * one known to be gone, or else the first. */
static heed__lost find_lost(const heed__notices *notices, int partner)
{
    const heed_transport *transport = notices->transport;
    heed__lost lost = {.process = -1};
    bool given_up = false;
    for (int i = 0; i < transport->size; i++) {
        const notice *n = &notices->of[i];
        if (n->state != TOLD || n->partner < 0 || n->partner >= transport->size)
            continue;
        if (n->partner == i)
            return (heed__lost){i, HEED_LOST_FAILED};
        given_up = given_up || n->partner == transport->rank;
        if (notices->of[n->partner].state != TOLD && (lost.process < 0 || (n->gone && lost.how != HEED_LOST_GONE)))
            lost = (heed__lost){(int)n->partner, n->gone ? HEED_LOST_GONE : HEED_LOST_SILENT};
    }
    if (lost.process < 0)
        lost.process = given_up ? transport->rank : partner;
    return lost;
}

heed__lost heed__notices_give_up(heed__notices *notices, int partner, bool gone, double seconds)
{
    heed__notices_tell(notices, partner, gone);
    double since = heed__seconds();
    while (count(notices, LISTENED_TO) > 0 && heed__seconds() - since < seconds)
        sched_yield();
    return find_lost(notices, partner);
}
