/* team/comm.h - messages between processes, for the files of this room. */
#ifndef HEED_TEAM_COMM_H
#define HEED_TEAM_COMM_H

#include <heed/comm.h>
#include <heed/tensor.h>

#include "system/clock.h"

static inline double heed__seconds(void)
{
    return 1e-9 * (double)heed__nanoseconds();
}

/* Messages under way, each some elements of a tensor. */
typedef struct heed__messages heed__messages;

/* Returns false after heed_fail if the comm is NULL or was freed. */
bool heed__comm_is_live(const char *where, const heed_comm *comm);

/* The same, and false if a message has failed before or this process has given up: nothing is sent any more. */
bool heed__comm_check(const char *where, const heed_comm *comm);

/* Room for n messages. NULL after heed_fail: no memory, or an exchange of this comm has failed before. */
heed__messages *heed__messages_new(const char *where, heed_comm *comm, int n);

/* Start to send, or to receive, the elements begin .. end - 1 of a contiguous tensor; none is no message. */
bool heed__messages_send(heed__messages *messages, int to, int tag, heed_tensor *t, int64_t begin, int64_t end);
bool heed__messages_receive(heed__messages *messages, int from, int tag, heed_tensor *t, int64_t begin, int64_t end);

/* Lets them go on, without waiting. What goes wrong is for heed__messages_finish. */
void heed__messages_poll(heed__messages *messages);

/* Waits until all are done, and frees the list; NULL is a failure before. False after heed_fail, which names a process
 * that is silent for too long. Tensors that are still under way then are kept until the comm is freed. */
bool heed__messages_finish(heed__messages *messages);

/* Leaves them to themselves: the comm sends and receives nothing afterwards. NULL is ignored. */
void heed__messages_drop(heed__messages *messages);

/* How many passes over shards this process has begun before. */
int64_t heed__comm_next_pass(heed_comm *comm);

/* This process goes no further, after a failure of its own: all others are told. */
void heed__comm_give_up(heed_comm *comm);

/* The same after a failure that this process may have alone: any but HEED_ERR_STATE, which all find alike. */
void heed__comm_tell_failure(heed_comm *comm);

#endif
