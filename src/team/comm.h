/* team/comm.h - messages between processes, for the files of src/team.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TEAM_COMM_H
#define HEED_TEAM_COMM_H

#include <heed/comm.h>
#include <heed/tensor.h>

#include "system/system.h"

static inline double heed__seconds(void)
{
    return 1e-9 * (double)heed__nanoseconds();
}

/* A list of messages in transit. Every message carries some elements of a tensor. */
typedef struct heed__messages heed__messages;

/* Returns false after heed_fail if the comm is NULL or was freed. */
bool heed__comm_is_live(const char *where, const heed_comm *comm);

/* Like heed__comm_is_live, and false after heed_fail if no further messages can be sent: a message has failed before,
 * or this process has given up. */
bool heed__comm_check(const char *where, const heed_comm *comm);

/* Returns an empty list with capacity for n messages. Returns NULL after heed_fail if memory is exhausted or an earlier
 * exchange of this comm has failed. */
heed__messages *heed__messages_new(const char *where, heed_comm *comm, int n);

/* Start to send or receive the elements begin .. end - 1 of a contiguous tensor. An empty range sends no message. */
bool heed__messages_send(heed__messages *messages, int to, int tag, heed_tensor *t, int64_t begin, int64_t end);
bool heed__messages_receive(heed__messages *messages, int from, int tag, heed_tensor *t, int64_t begin, int64_t end);

/* Advances the messages without waiting. A failure is reported later, by heed__messages_finish. */
void heed__messages_poll(heed__messages *messages);

/* Waits until all messages are complete, and frees the list. Returns false after heed_fail, whose message names the
 * process that has failed, disconnected or been silent for too long; tensors still in transit are then kept until the
 * comm is freed. Returns false for NULL, the result of an earlier failure. */
bool heed__messages_finish(heed__messages *messages);

/* Abandons the messages. The comm sends and receives no further messages. Ignores NULL. */
void heed__messages_drop(heed__messages *messages);

/* Returns the number of passes over shards that this process has started, and then increments it. */
int64_t heed__comm_next_pass(heed_comm *comm);

/* Stops this process after its own failure and notifies all others. */
void heed__comm_give_up(heed_comm *comm);

/* Calls heed__comm_give_up unless the pending error is HEED_ERR_STATE. All processes detect that error alike; after any
 * other error this process alone may have failed. */
void heed__comm_notify_failure(heed_comm *comm);

#endif
