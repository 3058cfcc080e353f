/* team/notice.h - who is really lost, when a process waits in vain. */
#ifndef HEED_TEAM_NOTICE_H
#define HEED_TEAM_NOTICE_H

#include <heed/comm.h>

/* What the processes have told each other of their waiting. */
typedef struct heed__notices heed__notices;

typedef struct heed__lost {
    int process;
    enum { HEED_LOST_SILENT, HEED_LOST_GONE, HEED_LOST_FAILED } how;
} heed__lost;

/* The transport must outlive it. NULL after heed_fail. */
heed__notices *heed__notices_new(const heed_transport *transport);

/* Begins to listen to the other processes, once. False after heed_fail. */
bool heed__notices_listen(heed__notices *notices);

/* After the transport was freed, which may write to it until then. */
void heed__notices_free(heed__notices *notices);

/* Whether another process has given up. */
bool heed__notices_heard(heed__notices *notices);

/* Tells all others for whom this process has waited in vain; for itself, where it has failed. */
void heed__notices_tell(heed__notices *notices, int partner, bool gone);

/* Gives up waiting for `partner`: tells all others, listens to them for so many seconds at most, and says who is lost;
 * this process itself where the others have given it up. */
heed__lost heed__notices_give_up(heed__notices *notices, int partner, bool gone, double seconds);

#endif
