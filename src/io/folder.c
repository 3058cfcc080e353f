/* io/folder.c - opens and locks the folder that contains a file. */

#include "io/folder.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "system/files.h"

#define LOCK_ATTEMPTS 200

static int open_folder_of(int at, const char *path, char *buffer, bool to_list)
{
    size_t length = (size_t)(heed__name_in(path) - path);
    if (length >= HEED_PATH_MAX) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(buffer, path, length);
    buffer[length] = '\0';
    const char *folder = length > 0 ? buffer : ".";
    return to_list ? heed__open_folder(at, folder) : heed__open_to_search(at, folder);
}

int heed__folder_open(int at, const char *path, char *buffer)
{
    return open_folder_of(at, path, buffer, true);
}

int heed__folder_open_any(int at, const char *path, char *buffer)
{
    int fd = heed__folder_open(at, path, buffer);
    return fd < 0 && errno == EACCES ? open_folder_of(at, path, buffer, false) : fd;
}

void heed__folder_lock(int folder, heed__file_lock mode)
{
    for (int i = 0; i < LOCK_ATTEMPTS && heed__lock_file(folder, mode) != 0; i++) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return;
        heed__folder_wait();
    }
}

void heed__folder_unlock(int folder)
{
    (void)heed__lock_file(folder, HEED_UNLOCK);
}

void heed__folder_wait(void)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}
