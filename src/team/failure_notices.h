/* team/failure_notices.h - determines which process is lost when a process waits in vain. */
#ifndef HEED_TEAM_FAILURE_NOTICES_H
#define HEED_TEAM_FAILURE_NOTICES_H

#include <heed/comm.h>

/* The notices that this process sends and receives. */
typedef struct heed__notices heed__notices;

typedef struct heed__lost {
    int process;
    enum { HEED_LOST_SILENT, HEED_LOST_DISCONNECTED, HEED_LOST_FAILED } how;
} heed__lost;

/* Returns empty notices; the transport must outlive them. Returns NULL after heed_fail. */
heed__notices *heed__notices_new(const heed_transport *transport);

/* Starts to receive notices from the other processes; later calls do nothing. Returns false after heed_fail. */
bool heed__notices_receive(heed__notices *notices);

/* Call this after freeing the transport, because until then the transport may write to the notices. */
void heed__notices_free(heed__notices *notices);

/* Returns true if a notice has arrived: some process has given up. */
bool heed__notices_arrived(heed__notices *notices);

/* Notifies all other processes that this process has waited in vain for `peer`. `peer` is this process itself if this
 * process has failed. */
void heed__notices_send(heed__notices *notices, int peer, bool disconnected);

/* Gives up waiting for `peer`: notifies all other processes, receives their notices for at most `seconds` seconds, and
 * returns the lost process. The lost process is this process itself if the others have given up waiting for it. */
heed__lost heed__notices_give_up(heed__notices *notices, int peer, bool disconnected, double seconds);

#endif
