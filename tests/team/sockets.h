/* tests/team/sockets.h - processes that communicate over sockets: a transport for tests, without any installation.
 *
 *     uint64_t results[3];
 *     run_team(3, job, &argument, results);      job(comm, argument) runs in three processes; returns their results
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef SOCKETS_H
#define SOCKETS_H

#include "check_heed.h"

#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TEAM_MAX = 16 };

static double team_timeout = 20.0; /* seconds */

/* A message in progress. Messages between two processes are sent in order, and received in order of the same tag. */
typedef struct socket_message {
    struct socket_message *next;        /* in its queue */
    struct socket_message *in_progress; /* among all messages not yet reported as done */
    char *bytes;
    size_t size, moved;
    int64_t header[2]; /* tag and size */
    size_t header_moved;
    int peer;
    bool done;
} socket_message;

typedef struct socket_peer {
    int fd;
    socket_message *out, *in; /* queues */
    int64_t header[2];        /* of the incoming message */
    size_t header_moved;
    bool disconnected;
} socket_peer;

typedef struct socket_team {
    int size;
    socket_message *in_progress;
    socket_peer peers[TEAM_MAX];
} socket_team;

/* Moves as many bytes as it can without waiting: returns 1 if all, 0 if a part, -1 if the other end is gone. */
static inline int move_bytes(int fd, char *bytes, size_t size, size_t *moved, bool out)
{
    while (*moved < size) {
        ssize_t n = out ? send(fd, bytes + *moved, size - *moved, MSG_DONTWAIT | MSG_NOSIGNAL)
                        : recv(fd, bytes + *moved, size - *moved, MSG_DONTWAIT);
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
            return 0;
        if (n <= 0)
            return -1;
        *moved += (size_t)n;
    }
    return 1;
}

/* Sends the messages of the queue, in order. */
static inline int send_queue(socket_peer *peer)
{
    while (peer->out) {
        socket_message *m = peer->out;
        int state = move_bytes(peer->fd, (char *)m->header, sizeof m->header, &m->header_moved, true);
        if (state == 1)
            state = move_bytes(peer->fd, m->bytes, m->size, &m->moved, true);
        if (state != 1)
            return state;
        peer->out = m->next;
        m->done = true;
    }
    return 1;
}

/* Receives incoming bytes while the first message's tag has a receiver. */
static inline int receive_queue(socket_peer *peer)
{
    for (;;) {
        int state = move_bytes(peer->fd, (char *)peer->header, sizeof peer->header, &peer->header_moved, false);
        if (state != 1)
            return state;
        socket_message **m = &peer->in;
        while (*m && (*m)->header[0] != peer->header[0])
            m = &(*m)->next;
        if (!*m)
            return 0;
        ck_assert_int_eq((*m)->header[1], peer->header[1]);
        state = move_bytes(peer->fd, (*m)->bytes, (*m)->size, &(*m)->moved, false);
        if (state != 1)
            return state;
        peer->header_moved = 0;
        (*m)->done = true;
        *m = (*m)->next;
    }
}

static inline heed_status socket_begin(socket_team *team, socket_message **queue, int peer, int tag, const void *bytes,
                                       size_t size, void **request)
{
    socket_message *m = calloc(1, sizeof *m);
    ck_assert_ptr_nonnull(m);
    m->bytes = (char *)(uintptr_t)bytes; /* sent bytes are only read */
    m->size = size;
    m->header[0] = tag;
    m->header[1] = (int64_t)size;
    m->peer = peer;
    m->in_progress = team->in_progress;
    team->in_progress = m;
    while (*queue)
        queue = &(*queue)->next;
    *queue = m;
    *request = m;
    return HEED_OK;
}

static inline heed_status socket_send(void *user, int to, int tag, const void *bytes, size_t size, void **request)
{
    return socket_begin(user, &((socket_team *)user)->peers[to].out, to, tag, bytes, size, request);
}

static inline heed_status socket_receive(void *user, int from, int tag, void *bytes, size_t size, void **request)
{
    return socket_begin(user, &((socket_team *)user)->peers[from].in, from, tag, bytes, size, request);
}

static inline void socket_end(socket_team *team, socket_message *m)
{
    socket_message **at = &team->in_progress;
    while (*at != m)
        at = &(*at)->in_progress;
    *at = m->in_progress;
    free(m);
}

static inline bool socket_free(void *user)
{
    socket_team *team = user;
    while (team->in_progress)
        socket_end(team, team->in_progress);
    return true;
}

static inline heed_status socket_test(void *user, void *request, bool *done)
{
    socket_team *team = user;
    socket_message *m = request;
    for (int i = 0; i < team->size; i++) {
        socket_peer *peer = &team->peers[i];
        if (peer->fd >= 0 && !peer->disconnected) {
            bool sent = send_queue(peer) >= 0;
            peer->disconnected = receive_queue(peer) < 0 || !sent; /* messages received before still count */
        }
    }
    *done = m->done;
    if (!m->done)
        return team->peers[m->peer].disconnected ? HEED_ERR_IO : HEED_OK;
    socket_end(team, m);
    return HEED_OK;
}

typedef uint64_t (*team_job)(heed_comm *comm, void *argument);

static inline uint64_t run_member(int rank, int size, int fds[TEAM_MAX][TEAM_MAX], team_job job, void *argument)
{
    socket_team team = {.size = size};
    for (int i = 0; i < size; i++) {
        team.peers[i].fd = i == rank ? -1 : fds[rank][i];
        for (int k = 0; k < size; k++)
            if (k != rank && i != k)
                close(fds[k][i]);
    }
    heed_comm *comm = heed_comm_new(&(heed_transport){.rank = rank,
                                                      .size = size,
                                                      .send = socket_send,
                                                      .receive = socket_receive,
                                                      .test = socket_test,
                                                      .free = socket_free,
                                                      .user = &team},
                                    &(heed_comm_options){.timeout = team_timeout});
    ck_assert_ptr_nonnull(comm);
    uint64_t result = job(comm, argument);
    heed_comm_free(comm);
    return result;
}

/* Runs a process of the team. It ends with `exit`, so that a sanitizer can report, and in error if objects are left. */
_Noreturn static inline void be_member(int rank, int size, int fds[TEAM_MAX][TEAM_MAX], team_job job, void *argument,
                                       int pipe)
{
    heed_thread_cleanup();
    int64_t before = heed_memory_get_stats().live_objects;
    const uint64_t result[2] = {(uint64_t)rank, run_member(rank, size, fds, job, argument)};
    ck_assert_int_eq(write(pipe, result, sizeof result), sizeof result);
    heed_thread_cleanup();
    int64_t left = heed_memory_get_stats().live_objects - before;
    if (left != 0)
        fprintf(stderr, "process %d leaves %lld objects\n", rank, (long long)left);
    exit(left != 0);
}

__attribute__((noinline, unused)) static void run_team(int size, team_job job, void *argument, uint64_t *results)
{
    int fds[TEAM_MAX][TEAM_MAX];
    int pipes[2];
    ck_assert_int_eq(pipe(pipes), 0);
    for (int i = 0; i < size; i++)
        for (int k = 0; k < i; k++) {
            int pair[2];
            ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
            fds[i][k] = pair[0];
            fds[k][i] = pair[1];
        }
    fflush(NULL); /* otherwise every process would write the buffered output */
    for (int rank = 0; rank < size; rank++) {
        pid_t child = fork();
        ck_assert_int_ge(child, 0);
        if (child == 0)
            be_member(rank, size, fds, job, argument, pipes[1]);
    }
    for (int i = 0; i < size; i++)
        for (int k = 0; k < size; k++)
            if (i != k)
                close(fds[i][k]);
    for (int rank = 0; rank < size; rank++) {
        int status;
        ck_assert_int_gt(wait(&status), 0);
        ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a process ended with status %x",
                      (unsigned)status);
    }
    for (int i = 0; i < size; i++) {
        uint64_t result[2];
        ck_assert_int_eq(read(pipes[0], result, sizeof result), sizeof result);
        results[result[0]] = result[1];
    }
    close(pipes[0]);
    close(pipes[1]);
}

#endif
