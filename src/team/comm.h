/* team/comm.h - messages between processes, for the files of src/team. */
#ifndef HEED_TEAM_COMM_H
#define HEED_TEAM_COMM_H

#include <heed/comm.h>
#include <heed/tensor.h>

#include "system/system.h"

static inline double heed__seconds(void)
{
    return 1e-9 * (double)heed__nanoseconds();
}

/* Messages in transit; each carries some elements of a tensor. */
typedef struct heed__messages heed__messages;

/* Returns false after heed_fail if the comm is NULL or was freed. */
bool heed__comm_is_live(const char *where, const heed_comm *comm);

/* The same, and false if a message has failed before or this process has given up: no further messages are sent. */
bool heed__comm_check(const char *where, const heed_comm *comm);

/* Returns an empty list with capacity for n messages. Returns NULL after heed_fail: out of memory, or an earlier
 * exchange of this comm failed. */
heed__messages *heed__messages_new(const char *where, heed_comm *comm, int n);

/* Start to send or receive the elements begin .. end - 1 of a contiguous tensor. An empty range sends no message. */
bool heed__messages_send(heed__messages *messages, int to, int tag, heed_tensor *t, int64_t begin, int64_t end);
bool heed__messages_receive(heed__messages *messages, int from, int tag, heed_tensor *t, int64_t begin, int64_t end);

/* Advances the messages without waiting. heed__messages_finish reports failures. */
void heed__messages_poll(heed__messages *messages);

/* Waits until all messages are complete, and frees the list. NULL stands for an earlier failure. Returns false after
 * heed_fail, which names a process that was silent for too long. Tensors still in transit are then kept until the comm
 * is freed. */
bool heed__messages_finish(heed__messages *messages);

/* Abandons the messages: the comm sends and receives nothing afterwards. NULL is ignored. */
void heed__messages_drop(heed__messages *messages);

/* Returns how many passes over shards this process has started before, and counts one more. */
int64_t heed__comm_next_pass(heed_comm *comm);

/* Stops this process after its own failure and notifies all others. */
void heed__comm_give_up(heed_comm *comm);

/* The same after a failure that may affect this process alone: any except HEED_ERR_STATE, which all processes detect
 * alike. */
void heed__comm_notify_failure(heed_comm *comm);

#endif
