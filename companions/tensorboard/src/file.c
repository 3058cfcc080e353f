/* tensorboard/src/file.c - creates and writes the file of a log.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "file.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <heed/memory.h>

#include "io/file.h"
#include "system/files.h"

#define MAX_ATTEMPTS 100
#define HOST_SIZE 256
#define REST_SIZE 128 /* space for the other parts of the file's name */

/* -- Creating ----------------------------------------------------------------------------------------------------- */

static int make_folder(const char *path)
{
    int result;
    do
        result = mkdir(path, 0777);
    while (result != 0 && errno == EINTR);
    return result == 0 || errno == EEXIST ? 0 : errno;
}

/* Creates the folders of a path, outermost first; `buffer` must have the size of the path. Returns 0, or an errno. */
static int make_folders(const char *path, char *buffer)
{
    for (size_t i = 0;; i++) {
        const bool ends = path[i] == '\0' || (path[i] == '/' && i > 0 && path[i - 1] != '/');
        buffer[i] = '\0';
        const int cause = ends ? make_folder(buffer) : 0;
        if (cause != 0 || path[i] == '\0')
            return cause;
        buffer[i] = path[i];
    }
}

/* Gets the host name, with '/' replaced, because it becomes part of a file name. */
static void get_host(char host[HOST_SIZE])
{
    if (gethostname(host, HOST_SIZE) != 0 || host[0] == '\0')
        (void)snprintf(host, HOST_SIZE, "localhost");
    host[HOST_SIZE - 1] = '\0';
    for (char *at = strchr(host, '/'); at; at = strchr(at, '/'))
        *at = '_';
}

bool heed__tb_create(heed_tensorboard *log, const char *folder, const char *suffix)
{
    static atomic_uint number;
    static const char where[] = "tensorboard_open";
    char host[HOST_SIZE];
    log->path_size = strlen(folder) + strlen(suffix) + HOST_SIZE + REST_SIZE;
    log->path = heed_alloc(log->path_size);
    if (!log->path)
        return false;
    int cause = make_folders(folder, log->path);
    if (cause != 0)
        return heed__file_error(where, "make the folder", folder, cause);
    get_host(host);
    cause = EEXIST;
    for (int i = 0; i < MAX_ATTEMPTS && cause == EEXIST; i++) {
        (void)snprintf(log->path, log->path_size, "%s/events.out.tfevents.%010lld.%s.%ld.%u%s", folder,
                       (long long)time(NULL), host, (long)log->process, atomic_fetch_add(&number, 1), suffix);
        log->fd = heed__make_file(HEED_WORKING_FOLDER, log->path, 0666);
        cause = log->fd < 0 ? errno : 0;
    }
    return cause == 0 || heed__file_error(where, "make", log->path, cause);
}

void heed__tb_sync_folder(const char *folder)
{
    const int fd = heed__open_folder(HEED_WORKING_FOLDER, folder);
    if (fd < 0)
        return;
    (void)heed__sync(fd);
    (void)heed__close(fd);
}

/* -- Writing ------------------------------------------------------------------------------------------------------ */

static heed_status write_error(const heed_tensorboard *log, const char *where, int cause)
{
    (void)heed__file_error(where, "write", log->path, cause);
    return HEED_ERR_IO;
}

/* Truncates the file after the last whole record. Returns 0, or an errno. */
static int remove_torn_bytes(heed_tensorboard *log)
{
    int result;
    do
        result = ftruncate(log->fd, log->end);
    while (result != 0 && errno == EINTR);
    const int cause = result == 0 ? 0 : errno;
    log->torn = cause != 0;
    return cause;
}

static int write_at(int fd, const uint8_t *bytes, size_t size, off_t at)
{
    while (size > 0) {
        const ssize_t n = pwrite(fd, bytes, size < SSIZE_MAX ? size : SSIZE_MAX, at);
        if (n < 0 && errno != EINTR)
            return errno;
        if (n > 0) {
            bytes += n;
            size -= (size_t)n;
            at += n;
        }
    }
    return 0;
}

heed_status heed__tb_append(heed_tensorboard *log, const char *where, const uint8_t *bytes, size_t size)
{
    int cause = log->torn ? remove_torn_bytes(log) : 0;
    if (cause == 0 && (cause = write_at(log->fd, bytes, size, log->end)) != 0)
        (void)remove_torn_bytes(log);
    if (cause != 0)
        return write_error(log, where, cause);
    log->end += (off_t)size;
    return HEED_OK;
}

heed_status heed__tb_sync(heed_tensorboard *log, const char *where)
{
    int cause = log->torn ? remove_torn_bytes(log) : 0;
    if (cause == 0 && !heed__sync(log->fd))
        cause = errno;
    return cause == 0 ? HEED_OK : write_error(log, where, cause);
}

heed_status heed__tb_close(heed_tensorboard *log, const char *where)
{
    return heed__close(log->fd) ? HEED_OK : write_error(log, where, errno);
}
