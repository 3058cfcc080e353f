/* plot/replace.c - write, fsync, rename, fsync of the folder. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <heed/memory.h>

#include "plot/replace.h"

#define NAME_SIZE 64  /* of a temporary file's name, with its NUL */
#define MAX_NAMES 100 /* temporary names that are tried; one is taken only if a process died while writing */

typedef struct replacement {
    const char *where, *path;
    char *temporary; /* the folder of `path` and a name; `size` bytes */
    size_t size, folder;
    int fd;
} replacement;

static heed_status io_error(const replacement *r, const char *action, int cause)
{
    char text[128];
    if (strerror_r(cause, text, sizeof text) != 0)
        (void)snprintf(text, sizeof text, "error %d", cause);
    return heed_fail(HEED_ERR_IO, r->where, "cannot %s '%s': %s", action, r->path, text);
}

/* Opens r->temporary under a name that is not taken. */
static heed_status open_temporary(replacement *r, mode_t mode)
{
    int cause = EEXIST;
    for (int i = 0; i < MAX_NAMES && (cause == EEXIST || cause == EINTR); i++) {
        (void)snprintf(r->temporary + r->folder, r->size - r->folder, ".heed-%ld-%d.tmp", (long)getpid(), i);
        r->fd = open(r->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (r->fd >= 0)
            return HEED_OK;
        cause = errno;
    }
    return io_error(r, "make a temporary file beside", cause);
}

static bool write_all(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t n = write(fd, bytes, size < SSIZE_MAX ? size : SSIZE_MAX);
        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0) {
            bytes += n;
            size -= (size_t)n;
        }
    }
    return true;
}

static bool sync_file(int fd)
{
    int result;
    do
        result = fsync(fd);
    while (result != 0 && errno == EINTR);
    return result == 0;
}

/* Makes the new name last through a power cut. Whether or not the file system can do that, the file is in place and
 * whole, so a failure here is none of the call. */
static void sync_folder(replacement *r)
{
    r->temporary[r->folder] = '\0';
    int fd = open(r->folder > 0 ? r->temporary : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    (void)sync_file(fd);
    (void)close(fd);
}

/* Fills, closes and renames the temporary file. */
static heed_status commit(replacement *r, const void *bytes, size_t size)
{
    int cause = write_all(r->fd, bytes, size) && sync_file(r->fd) ? 0 : errno;
    if (close(r->fd) != 0 && cause == 0 && errno != EINTR)
        cause = errno;
    if (cause == 0 && rename(r->temporary, r->path) != 0)
        cause = errno;
    if (cause != 0) {
        (void)unlink(r->temporary);
        return io_error(r, "write", cause);
    }
    sync_folder(r);
    return HEED_OK;
}

heed_status heed__replace_file(const char *where, const char *path, const void *bytes, size_t size)
{
    struct stat old;
    bool exists = stat(path, &old) == 0;
    const char *slash = strrchr(path, '/');
    replacement r = {.where = where, .path = path, .folder = slash ? (size_t)(slash - path) + 1 : 0, .fd = -1};
    if (exists && !S_ISREG(old.st_mode))
        return heed_fail(HEED_ERR_IO, where, "cannot write '%s': it is not a regular file", path);
    r.size = r.folder + NAME_SIZE;
    r.temporary = heed_alloc(r.size);
    if (!r.temporary)
        return HEED_ERR_NOMEM;
    memcpy(r.temporary, path, r.folder);
    heed_status status = open_temporary(&r, 0666);
    if (status == HEED_OK) {
        if (exists)
            (void)fchmod(r.fd, old.st_mode & 07777);
        status = commit(&r, bytes, size);
    }
    heed_free(r.temporary, r.size);
    return status;
}
