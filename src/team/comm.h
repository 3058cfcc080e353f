/* team/comm.h - messages between processes, for the files of this room. */
#ifndef HEED_TEAM_COMM_H
#define HEED_TEAM_COMM_H

#include <heed/comm.h>

/* Messages under way. Starts as {0}. */
typedef struct heed__messages {
    heed_comm *comm;
    struct heed__message *list; /* n */
    int n, capacity;
} heed__messages;

/* Room for n messages; false after heed_fail. heed__messages_finish is due in either case. */
bool heed__messages_begin(heed__messages *messages, heed_comm *comm, int n);

/* Start one. The bytes must stay until heed__messages_finish. */
bool heed__messages_send(heed__messages *messages, int to, int tag, const void *bytes, size_t size);
bool heed__messages_receive(heed__messages *messages, int from, int tag, void *bytes, size_t size);

/* Waits until all are done; false after heed_fail, which names a process that is silent for too long. `where` is for
 * messages. */
bool heed__messages_finish(heed__messages *messages, const char *where);

#endif
