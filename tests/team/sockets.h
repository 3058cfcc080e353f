/* tests/team/sockets.h - processes that talk over sockets: a transport for tests, without anything to install.
 *
 *     uint64_t results[3];
 *     run_team(3, job, &argument, results);      job(comm, argument) runs in three processes; what each returns
 */
#ifndef SOCKETS_H
#define SOCKETS_H

#include "check_heed.h"

#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TEAM_MOST = 16 };

static double team_timeout = 20.0; /* seconds */

/* A message under way. Between two processes they go in the order in which they were begun. */
typedef struct socket_message {
    struct socket_message *next;
    char *bytes;
    size_t size, moved;
    int64_t header[2], received[2]; /* tag and size; those that came */
    size_t header_moved;
    bool done;
} socket_message;

typedef struct socket_peer {
    int fd;
    socket_message *out, *in; /* queues */
} socket_peer;

typedef struct socket_team {
    int size;
    socket_peer peers[TEAM_MOST];
} socket_team;

/* Moves what can be moved without waiting: 1 all of it, 0 a part, -1 the other end is gone. */
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

static inline int move_queue(int fd, socket_message **queue, bool out)
{
    while (*queue) {
        socket_message *m = *queue;
        char *header = out ? (char *)m->header : (char *)m->received;
        int state = move_bytes(fd, header, sizeof m->header, &m->header_moved, out);
        if (state == 1 && !out)
            ck_assert_msg(m->received[0] == m->header[0] && m->received[1] == m->header[1],
                          "a message of tag %ld and %ld bytes, expected tag %ld and %ld bytes", (long)m->received[0],
                          (long)m->received[1], (long)m->header[0], (long)m->header[1]);
        if (state == 1)
            state = move_bytes(fd, m->bytes, m->size, &m->moved, out);
        if (state != 1)
            return state;
        *queue = m->next;
        m->done = true;
    }
    return 1;
}

static inline heed_status socket_begin(socket_message **queue, int tag, const void *bytes, size_t size, void **request)
{
    socket_message *m = calloc(1, sizeof *m);
    ck_assert_ptr_nonnull(m);
    m->bytes = (char *)(uintptr_t)bytes; /* of what is sent nothing is written */
    m->size = size;
    m->header[0] = tag;
    m->header[1] = (int64_t)size;
    while (*queue)
        queue = &(*queue)->next;
    *queue = m;
    *request = m;
    return HEED_OK;
}

static inline heed_status socket_send(void *user, int to, int tag, const void *bytes, size_t size, void **request)
{
    return socket_begin(&((socket_team *)user)->peers[to].out, tag, bytes, size, request);
}

static inline heed_status socket_receive(void *user, int from, int tag, void *bytes, size_t size, void **request)
{
    return socket_begin(&((socket_team *)user)->peers[from].in, tag, bytes, size, request);
}

static inline heed_status socket_test(void *user, void *request, bool *done)
{
    socket_team *team = user;
    for (int i = 0; i < team->size; i++) {
        socket_peer *peer = &team->peers[i];
        if (peer->fd >= 0 && (move_queue(peer->fd, &peer->out, true) < 0 || move_queue(peer->fd, &peer->in, false) < 0))
            return heed_fail(HEED_ERR_IO, "socket_test", "process %d is gone", i);
    }
    *done = ((socket_message *)request)->done;
    if (*done)
        free(request);
    return HEED_OK;
}

typedef uint64_t (*team_job)(heed_comm *comm, void *argument);

static inline uint64_t run_member(int rank, int size, int fds[TEAM_MOST][TEAM_MOST], team_job job, void *argument)
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
                                                      .user = &team},
                                    &(heed_comm_options){.timeout = team_timeout});
    ck_assert_ptr_nonnull(comm);
    uint64_t result = job(comm, argument);
    heed_comm_free(comm);
    return result;
}

static inline void run_team(int size, team_job job, void *argument, uint64_t *results)
{
    int fds[TEAM_MOST][TEAM_MOST];
    int pipes[2];
    ck_assert_int_eq(pipe(pipes), 0);
    for (int i = 0; i < size; i++)
        for (int k = 0; k < i; k++) {
            int pair[2];
            ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
            fds[i][k] = pair[0];
            fds[k][i] = pair[1];
        }
    for (int rank = 0; rank < size; rank++) {
        pid_t child = fork();
        ck_assert_int_ge(child, 0);
        if (child == 0) {
            const uint64_t result[2] = {(uint64_t)rank, run_member(rank, size, fds, job, argument)};
            ck_assert_int_eq(write(pipes[1], result, sizeof result), sizeof result);
            _exit(0);
        }
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
