/* system/posix/files.c - files, by openat and related calls. */

#include "system/posix/more.h"

#include "system/files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "system/posix/at.h"

/* -- Facts -------------------------------------------------------------------------------------------------------- */

static bool fill_facts(int failed, const struct stat *status, heed__file_facts *facts)
{
    if (failed != 0)
        return false;
    *facts = (heed__file_facts){.kind = S_ISREG(status->st_mode)   ? HEED_REGULAR
                                        : S_ISDIR(status->st_mode) ? HEED_FOLDER
                                                                   : HEED_NO_FILE,
                                .mode = status->st_mode & 0777,
                                .size = status->st_size,
                                .changed = status->st_mtim.tv_sec,
                                .changed_ns = status->st_mtim.tv_nsec,
                                .device = status->st_dev,
                                .number = status->st_ino,
                                .links = status->st_nlink};
    return true;
}

bool heed__facts(int fd, heed__file_facts *facts)
{
    struct stat status;
    return fill_facts(fstat(fd, &status), &status, facts);
}

bool heed__facts_of_path(int folder, const char *path, heed__file_facts *facts)
{
    struct stat status;
    return fill_facts(fstatat(heed__at(folder), path, &status, 0), &status, facts);
}

bool heed__facts_of_name(int folder, const char *name, heed__file_facts *facts)
{
    struct stat status;
    return fill_facts(fstatat(heed__at(folder), name, &status, AT_SYMLINK_NOFOLLOW), &status, facts);
}

int64_t heed__read_link(int folder, const char *name, char *to, size_t size)
{
    return readlinkat(heed__at(folder), name, to, size);
}

/* -- Opening ------------------------------------------------------------------------------------------------------ */

int heed__open_at(int folder, const char *path, int flags, unsigned mode)
{
    int fd;
    do
        fd = openat(heed__at(folder), path, flags | O_CLOEXEC, (mode_t)mode);
    while (fd < 0 && errno == EINTR);
    return fd;
}

/* A file is known to be a pipe only after it has been opened: hence O_NONBLOCK. */
int heed__open_path(int folder, const char *path)
{
    return heed__open_at(folder, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
}

int heed__open_name(int folder, const char *name)
{
    return heed__open_at(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
}

int heed__make_file(int folder, const char *name, unsigned mode)
{
    return heed__open_at(folder, name, O_WRONLY | O_CREAT | O_EXCL, mode);
}

int heed__open_again(int fd)
{
    return fcntl(fd, F_DUPFD_CLOEXEC, 0);
}

/* Linux closes a descriptor even if close is interrupted. */
bool heed__close(int fd)
{
    return close(fd) == 0 || errno == EINTR;
}

/* -- Reading and writing ------------------------------------------------------------------------------------------ */

int64_t heed__read(int fd, void *to, size_t size)
{
    ssize_t n;
    do
        n = read(fd, to, size);
    while (n < 0 && errno == EINTR);
    return n;
}

int64_t heed__read_at(int fd, void *to, size_t size, size_t offset)
{
    ssize_t n;
    do
        n = pread(fd, to, size, (off_t)offset);
    while (n < 0 && errno == EINTR);
    return n;
}

bool heed__write_whole(int fd, const void *bytes, size_t size)
{
    for (const char *at = bytes; size > 0;) {
        ssize_t n = write(fd, at, size < SSIZE_MAX ? size : SSIZE_MAX);
        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0) {
            at += n;
            size -= (size_t)n;
        }
    }
    return true;
}

void heed__set_mode(int fd, unsigned mode)
{
    (void)fchmod(fd, (mode_t)mode);
}

bool heed__sync(int fd)
{
    int result;
    do
        result = fsync(fd);
    while (result != 0 && errno == EINTR);
    return result == 0;
}

/* -- Names -------------------------------------------------------------------------------------------------------- */

bool heed__rename(int folder, const char *from, const char *to)
{
    int result;
    do
        result = renameat(heed__at(folder), from, heed__at(folder), to);
    while (result != 0 && errno == EINTR);
    return result == 0;
}

bool heed__remove(int folder, const char *name)
{
    int result;
    do
        result = unlinkat(heed__at(folder), name, 0);
    while (result != 0 && errno == EINTR);
    return result == 0;
}
