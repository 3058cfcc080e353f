/* io/replace.c - write, fsync, rename, fsync of the folder.
 *
 * A writer holds a lock (flock) on its temporary file from its making until its renaming, and the system drops the lock
 * of a process that ends. So a temporary file that can be locked is one that nobody writes any more, and may be removed.
 * Between making and locking a file there is a moment in which a sweep can take it: the writer notices, since the file
 * is then locked or has no name any more, and makes another one.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <heed/memory.h>

#include "io/replace.h"
#include "io/text.h"

#define TAIL_SIZE 64                   /* of a temporary file's name: what is behind the target's, with the NUL */
#define TARGET_MAX 180                 /* bytes of NAME in it: names end at 255 */
#define MAX_NAMES 100                  /* temporary names that are tried */
#define BUFFER_SIZE ((size_t)64 << 10) /* small parts are written together */

typedef struct replacement {
    const char *where, *path;
    const char *series; /* the path that NAME is of */
    char *temporary;    /* "folder/.NAME.heed-PID-N.tmp": `size` bytes */
    size_t size;
    size_t folder, stem; /* lengths of "folder/" and of "folder/.NAME.heed-" */
    int fd, lock;        /* the temporary file; `lock` is open until it has its new name */
    char *buffer;        /* BUFFER_SIZE bytes, `used` of them waiting to be written */
    size_t used;
} replacement;

static heed_status io_error(const replacement *r, const char *action, int cause)
{
    char text[128] = "";
    (void)strerror_r(cause, text, sizeof text);
    return heed_fail(HEED_ERR_IO, r->where, "cannot %s '%s': %s", action, heed__path_text(r->path).s, text);
}

/* -- System calls that a signal may interrupt ---------------------------------------------------------------------- */

static int open_file(const char *path, int flags, mode_t mode)
{
    int fd;
    do
        fd = open(path, flags | O_CLOEXEC, mode);
    while (fd < 0 && errno == EINTR);
    return fd;
}

static int lock_file(int fd)
{
    int result;
    do
        result = flock(fd, LOCK_EX | LOCK_NB);
    while (result != 0 && errno == EINTR);
    return result;
}

static bool sync_file(int fd)
{
    int result;
    do
        result = fsync(fd);
    while (result != 0 && errno == EINTR);
    return result == 0;
}

static int rename_file(const char *from, const char *to)
{
    int result;
    do
        result = rename(from, to);
    while (result != 0 && errno == EINTR);
    return result;
}

static void remove_file(const char *path)
{
    while (unlink(path) != 0 && errno == EINTR)
        ;
}

/* On Linux a descriptor is closed even when close is interrupted. */
static bool close_file(int fd)
{
    return close(fd) == 0 || errno == EINTR;
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

/* -- Temporary files ----------------------------------------------------------------------------------------------- */

/* r->temporary begins with the folder and the name of the series, as much of it as a name has room for. */
static bool name_temporary(replacement *r)
{
    const char *slash = strrchr(r->series, '/');
    r->folder = slash ? (size_t)(slash - r->series) + 1 : 0;
    const char *name = r->series + r->folder;
    r->size = r->folder + TARGET_MAX + TAIL_SIZE;
    r->temporary = heed_alloc(r->size);
    if (!r->temporary)
        return false;
    memcpy(r->temporary, r->series, r->folder);
    int length = snprintf(r->temporary + r->folder, r->size - r->folder, ".%.*s.heed-", TARGET_MAX, name);
    r->stem = r->folder + (size_t)length;
    return true;
}

/* Whether a name in the folder is one of a temporary file of this series: ".NAME.heed-PID-N.tmp". */
static bool is_temporary(const replacement *r, const char *name)
{
    size_t stem = r->stem - r->folder, rest;
    if (strncmp(name, r->temporary + r->folder, stem) != 0)
        return false;
    name += stem;
    rest = strspn(name, "0123456789");
    if (rest == 0 || name[rest] != '-')
        return false;
    name += rest + 1;
    rest = strspn(name, "0123456789");
    return rest > 0 && strcmp(name + rest, ".tmp") == 0;
}

/* Removes a temporary file if nobody writes it. Its name must still be its own once the lock is held. */
static void sweep_one(int folder, const char *name)
{
    struct stat file, named;
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return;
    if (fstat(fd, &file) == 0 && S_ISREG(file.st_mode) && lock_file(fd) == 0 &&
        fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && named.st_ino == file.st_ino &&
        named.st_dev == file.st_dev)
        (void)unlinkat(folder, name, 0);
    (void)close(fd);
}

/* The folder of the target: "." for a bare name. */
static int open_folder(const replacement *r)
{
    r->temporary[r->folder] = '\0';
    int fd = open_file(r->folder > 0 ? r->temporary : ".", O_RDONLY | O_DIRECTORY, 0);
    r->temporary[r->folder] = '.';
    return fd;
}

/* Removes what killed processes left. It is tidying up: what goes wrong with it is no failure of the call. */
static void sweep(const replacement *r)
{
    int fd = open_folder(r);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    if (!folder) {
        if (fd >= 0)
            (void)close(fd);
        return;
    }
    for (struct dirent *it = readdir(folder); it; it = readdir(folder))
        if (is_temporary(r, it->d_name))
            sweep_one(fd, it->d_name);
    (void)closedir(folder);
}

/* Whether the new file is locked and has its name. Where a file system has no locks, no sweep can hold one either. */
static bool hold(int fd)
{
    struct stat status;
    if (lock_file(fd) != 0 && errno == EWOULDBLOCK)
        return false;
    return fstat(fd, &status) != 0 || status.st_nlink > 0;
}

/* Opens and locks r->temporary under a name that is not taken. */
static heed_status open_temporary(replacement *r, mode_t mode)
{
    static atomic_uint number;
    int cause = EEXIST;
    for (int i = 0; i < MAX_NAMES && cause == EEXIST; i++) {
        (void)snprintf(r->temporary + r->stem, r->size - r->stem, "%ld-%u.tmp", (long)getpid(),
                       atomic_fetch_add(&number, 1));
        r->fd = open_file(r->temporary, O_WRONLY | O_CREAT | O_EXCL, mode);
        if (r->fd >= 0 && hold(r->fd))
            return HEED_OK;
        cause = r->fd >= 0 ? EEXIST : errno;
        if (r->fd >= 0)
            (void)close(r->fd); /* a sweep has taken it, and removes it */
    }
    return io_error(r, "make a temporary file beside", cause);
}

/* -- Replacing ----------------------------------------------------------------------------------------------------- */

static bool flush(replacement *r)
{
    size_t used = r->used;
    r->used = 0;
    return write_all(r->fd, r->buffer, used);
}

static bool write_parts(replacement *r, const heed_part *parts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (parts[i].size > BUFFER_SIZE - r->used && !flush(r))
            return false;
        if (parts[i].size > BUFFER_SIZE) {
            if (!write_all(r->fd, parts[i].bytes, parts[i].size))
                return false;
        } else if (parts[i].size > 0) {
            memcpy(r->buffer + r->used, parts[i].bytes, parts[i].size);
            r->used += parts[i].size;
        }
    }
    return flush(r);
}

/* Makes the new name last through a power cut. Whether or not the file system can do that, the file is in place and
 * whole, so a failure here is none of the call. */
static void sync_folder(const replacement *r)
{
    int fd = open_folder(r);
    if (fd < 0)
        return;
    (void)sync_file(fd);
    (void)close(fd);
}

/* Fills the temporary file and gives it its new name. It is closed before, since closing can be where a file system
 * says that a write failed; the second descriptor keeps the lock meanwhile. */
static heed_status commit(replacement *r, const heed_part *parts, size_t count)
{
    r->lock = fcntl(r->fd, F_DUPFD_CLOEXEC, 0);
    int cause = r->lock >= 0 && write_parts(r, parts, count) && sync_file(r->fd) ? 0 : errno;
    if (!close_file(r->fd) && cause == 0)
        cause = errno;
    if (cause == 0 && rename_file(r->temporary, r->path) != 0)
        cause = errno;
    if (cause != 0)
        remove_file(r->temporary);
    if (r->lock >= 0)
        (void)close(r->lock);
    if (cause != 0)
        return io_error(r, "write", cause);
    sync_folder(r);
    return HEED_OK;
}

static heed_status replace(replacement *r, const heed_part *parts, size_t count)
{
    struct stat old;
    bool exists = stat(r->path, &old) == 0;
    if (!exists && errno != ENOENT)
        return io_error(r, "write", errno);
    if (exists && !S_ISREG(old.st_mode))
        return heed_fail(HEED_ERR_IO, r->where, "cannot write '%s': it is not a regular file",
                         heed__path_text(r->path).s);
    sweep(r);
    heed_status status =
        open_temporary(r, exists ? old.st_mode & 0777 : 0666); /* nobody else ever reads a private one */
    if (status != HEED_OK)
        return status;
    if (exists)
        (void)fchmod(r->fd, old.st_mode & 07777); /* what the umask has taken */
    return commit(r, parts, count);
}

heed_status heed__replace_file(const char *where, const char *path, const heed_part *parts, size_t count)
{
    return heed__replace_one_of(where, path, path, parts, count);
}

heed_status heed__replace_one_of(const char *where, const char *series, const char *path, const heed_part *parts,
                                 size_t count)
{
    if (!path)
        return heed_fail(HEED_ERR_ARGUMENT, where, "path is NULL");
    replacement r = {.where = where, .path = path, .series = series, .fd = -1, .lock = -1};
    heed_status status = HEED_ERR_NOMEM;
    r.buffer = heed_alloc(BUFFER_SIZE);
    if (r.buffer && name_temporary(&r))
        status = replace(&r, parts, count);
    heed_free(r.temporary, r.size);
    heed_free(r.buffer, BUFFER_SIZE);
    return status;
}
