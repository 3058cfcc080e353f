/* io/folder.c - the folder that a path's file is in, opened. */
#define _GNU_SOURCE /* O_PATH */

#include "io/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>

#include "io/file.h"

#define LOCK_TRIES 200

const char *heed__folder_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int open_as(int at, const char *path, char *room, int flags)
{
    size_t length = (size_t)(heed__folder_name(path) - path);
    if (length >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(room, path, length);
    room[length] = '\0';
    return heed__open(at, length > 0 ? room : ".", flags | O_DIRECTORY, 0);
}

int heed__folder_open(int at, const char *path, char *room)
{
    return open_as(at, path, room, O_RDONLY);
}

int heed__folder_open_any(int at, const char *path, char *room)
{
    int fd = heed__folder_open(at, path, room);
    return fd < 0 && errno == EACCES ? open_as(at, path, room, O_PATH) : fd;
}

void heed__folder_lock(int folder, int how)
{
    for (int i = 0; i < LOCK_TRIES && flock(folder, how | LOCK_NB) != 0; i++) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return;
        heed__folder_wait();
    }
}

void heed__folder_unlock(int folder)
{
    (void)flock(folder, LOCK_UN);
}

void heed__folder_wait(void)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}
