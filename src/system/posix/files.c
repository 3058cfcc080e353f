/* system/posix/files.c - files and folders, by openat and related calls.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "system/posix/more.h"

#include "system/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#if HEED_FLOCK
#include <sys/file.h>
#endif
#include <sys/stat.h>
#include <unistd.h>

/* Repeats a call while a signal interrupts it. */
#define REPEAT_INTERRUPTED(result, call)                                                                               \
    do                                                                                                                 \
        (result) = (call);                                                                                             \
    while ((result) < 0 && errno == EINTR)

static int at_folder(int folder)
{
    return folder == HEED_WORKING_FOLDER ? AT_FDCWD : folder;
}

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
    return fill_facts(fstatat(at_folder(folder), path, &status, 0), &status, facts);
}

bool heed__facts_of_name(int folder, const char *name, heed__file_facts *facts)
{
    struct stat status;
    return fill_facts(fstatat(at_folder(folder), name, &status, AT_SYMLINK_NOFOLLOW), &status, facts);
}

int64_t heed__read_link(int folder, const char *name, char *to, size_t size)
{
    return readlinkat(at_folder(folder), name, to, size);
}

/* -- Opening ------------------------------------------------------------------------------------------------------ */

static int open_at(int folder, const char *path, int flags, unsigned mode)
{
    int fd;
    REPEAT_INTERRUPTED(fd, openat(at_folder(folder), path, flags | O_CLOEXEC, (mode_t)mode));
    return fd;
}

/* A file is known to be a pipe only after it has been opened: hence O_NONBLOCK. */
int heed__open_path(int folder, const char *path)
{
    return open_at(folder, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
}

int heed__open_name(int folder, const char *name)
{
    return open_at(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
}

int heed__make_file(int folder, const char *name, unsigned mode)
{
    return open_at(folder, name, O_WRONLY | O_CREAT | O_EXCL, mode);
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
    REPEAT_INTERRUPTED(n, read(fd, to, size));
    return n;
}

int64_t heed__read_at(int fd, void *to, size_t size, size_t offset)
{
    ssize_t n;
    REPEAT_INTERRUPTED(n, pread(fd, to, size, (off_t)offset));
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
    REPEAT_INTERRUPTED(result, fsync(fd));
    return result == 0;
}

/* -- Names -------------------------------------------------------------------------------------------------------- */

bool heed__rename(int folder, const char *from, const char *to)
{
    int result;
    REPEAT_INTERRUPTED(result, renameat(at_folder(folder), from, at_folder(folder), to));
    return result == 0;
}

bool heed__remove(int folder, const char *name)
{
    int result;
    REPEAT_INTERRUPTED(result, unlinkat(at_folder(folder), name, 0));
    return result == 0;
}

const char *heed__name_in(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* -- Folders ------------------------------------------------------------------------------------------------------- */

/* A folder is opened for searching with Linux's O_PATH or with POSIX's O_SEARCH, which few systems have. */
#if HEED_O_PATH
#define TO_SEARCH O_PATH
#elif defined(O_SEARCH)
#define TO_SEARCH O_SEARCH
#endif

int heed__open_folder(int at, const char *path)
{
    return open_at(at, path, O_RDONLY | O_DIRECTORY, 0);
}

int heed__open_to_search(int at, const char *path)
{
#if defined(TO_SEARCH)
    return open_at(at, path, TO_SEARCH | O_DIRECTORY, 0);
#else
    (void)at;
    (void)path;
    errno = EACCES;
    return -1;
#endif
}

/* A listing is a DIR. */
static DIR *of(heed__listing *list)
{
    return (DIR *)(void *)list;
}

heed__listing *heed__list(int folder)
{
    return (heed__listing *)(void *)fdopendir(folder);
}

int heed__list_folder(heed__listing *list)
{
    return dirfd(of(list));
}

void heed__list_end(heed__listing *list)
{
    (void)closedir(of(list));
}

const char *heed__list_next(heed__listing *list)
{
    errno = 0;
    const struct dirent *entry = readdir(of(list));
    return entry ? entry->d_name : NULL;
}

void heed__list_again(heed__listing *list)
{
    rewinddir(of(list));
}

/* -- Locks --------------------------------------------------------------------------------------------------------- */

/* flock, because POSIX's record locks belong to the process: a thread that closes a file would release the lock of a
 * different thread. */
int heed__lock_file(int fd, heed__file_lock how)
{
#if HEED_FLOCK
    static const int operations[] = {LOCK_UN, LOCK_SH | LOCK_NB, LOCK_EX | LOCK_NB};
    return flock(fd, operations[how]);
#else
    (void)fd;
    (void)how;
    errno = ENOSYS;
    return -1;
#endif
}

/* -- Errors -------------------------------------------------------------------------------------------------------- */

/* strerror_r returns a number in POSIX's version and the text in GNU's; the program's feature macros select one. */
static const char *from_posix(int failed, const char *text)
{
    (void)failed;
    return text;
}

static const char *from_gnu(const char *gnu_text, const char *text)
{
    (void)text;
    return gnu_text;
}

#define TEXT_OF_ERROR(returned, text) _Generic((returned), int : from_posix, char * : from_gnu)((returned), (text))

const char *heed__error_text(int cause, char *buffer, size_t size)
{
    buffer[0] = '\0';
    return TEXT_OF_ERROR(strerror_r(cause, buffer, size), buffer);
}
