/* io/file.c - loads files: open, fstat, one allocation of the right size, a read loop. */

#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <heed/memory.h>

#include "io/text.h"

/* -- What strerror_r returns: POSIX's a number, GNU's, which a program may have asked for, the text's place ------- */

static const char *from_posix(int failed, const char *text)
{
    (void)failed;
    return text;
}

static const char *from_gnu(const char *said, const char *text)
{
    (void)text;
    return said;
}

#define SAID(returned, text) _Generic((returned), int : from_posix, char * : from_gnu)((returned), (text))

bool heed__file_error(const char *where, const char *what, const char *path, int cause)
{
    char text[96] = "";
    const char *said = SAID(strerror_r(cause, text, sizeof text), text);
    return heed_fail_false(HEED_ERR_IO, where, "cannot %s %s: %s", what, heed__path_text(path).s, said);
}

/* -- Reading ----------------------------------------------------------------------------------------------------- */

int heed__open(int folder, const char *path, int flags, mode_t mode)
{
    int fd;
    do
        fd = openat(folder, path, flags | O_CLOEXEC, mode);
    while (fd < 0 && errno == EINTR);
    return fd;
}

int heed__file_descriptor(int folder, const char *path)
{
    return heed__open(folder, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
}

static bool get_size(const char *where, const char *path, int fd, size_t max_bytes, size_t *size)
{
    struct stat status;
    if (fstat(fd, &status) != 0)
        return heed__file_error(where, "read", path, errno);
    if (!S_ISREG(status.st_mode))
        return heed_fail_false(HEED_ERR_IO, where, "%s is %s, not a regular file", heed__path_text(path).s,
                               S_ISDIR(status.st_mode) ? "a directory" : "a pipe or a device");
    if ((uintmax_t)status.st_size > max_bytes || (uintmax_t)status.st_size >= SIZE_MAX)
        return heed_fail_false(HEED_ERR_UNSUPPORTED, where, "%s has %" PRId64 " bytes, more than the limit of %zu",
                               heed__path_text(path).s, (int64_t)status.st_size, max_bytes);
    *size = (size_t)status.st_size;
    return true;
}

/* Reads file->size bytes and tries for one more, into the spare byte, to see that the file has ended. */
static bool read_all(const char *where, const char *path, int fd, heed__file *file)
{
    size_t got = 0;
    while (got <= file->size) {
        ssize_t n = read(fd, file->bytes + got, file->size + 1 - got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return heed__file_error(where, "read", path, errno);
        if (n == 0)
            break;
        got += (size_t)n;
    }
    if (got == file->size)
        return true;
    return heed_fail_false(HEED_ERR_IO, where, "%s changed its size while it was read: %zu bytes at first, now %s",
                           heed__path_text(path).s, file->size, got > file->size ? "more" : "fewer");
}

bool heed__file_size(const char *where, const char *path, int fd, size_t max_bytes, size_t *size)
{
    if (get_size(where, path, fd, max_bytes, size))
        return true;
    (void)close(fd);
    return false;
}

int heed__file_open(const char *where, const char *path, size_t max_bytes, size_t *size)
{
    if (!path) {
        heed_fail(HEED_ERR_ARGUMENT, where, "path is NULL");
        return -1;
    }
    int fd = heed__file_descriptor(AT_FDCWD, path);
    if (fd < 0)
        heed__file_error(where, "open", path, errno);
    return fd >= 0 && heed__file_size(where, path, fd, max_bytes, size) ? fd : -1;
}

static bool load(const char *where, const char *path, int fd, heed__file *file)
{
    file->bytes = heed_alloc(file->size + 1);
    if (!file->bytes)
        return false;
    if (read_all(where, path, fd, file))
        return true;
    heed__file_free(file);
    return false;
}

bool heed__file_load(const char *where, const char *path, size_t max_bytes, heed__file *file)
{
    *file = (heed__file){0};
    int fd = heed__file_open(where, path, max_bytes, &file->size);
    if (fd < 0)
        return false;
    bool loaded = load(where, path, fd, file);
    (void)close(fd); /* nothing was written that it could lose */
    return loaded;
}

void heed__file_free(heed__file *file)
{
    heed_free(file->bytes, file->size + 1);
    *file = (heed__file){0};
}
