/* io/file.c - loads files: opens, queries the size, allocates once, and reads in a loop. */

#include "io/file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>

#include <heed/io.h>
#include <heed/memory.h>

#include "io/excerpt.h"
#include "system/files.h"

bool heed__file_error(const char *where, const char *action, const char *path, int cause)
{
    char text[96];
    return heed_fail_false(HEED_ERR_IO, where, "cannot %s %s: %s", action, heed__path_excerpt(path).s,
                           heed__error_text(cause, text, sizeof text));
}

bool heed_io_same_file(const char *path, const char *other)
{
    static const char where[] = "io_same_file";
    HEED_ENTER(where);
    heed__file_facts facts, others;
    if (!path || !other)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s path is NULL", path ? "the other" : "the");
    return heed__facts_of_path(HEED_WORKING_FOLDER, path, &facts) &&
           heed__facts_of_path(HEED_WORKING_FOLDER, other, &others) && facts.device == others.device &&
           facts.number == others.number;
}

static bool get_size(const char *where, const char *path, int fd, size_t max_bytes, size_t *size)
{
    heed__file_facts facts;
    if (!heed__facts(fd, &facts))
        return heed__file_error(where, "read", path, errno);
    if (facts.kind != HEED_REGULAR)
        return heed_fail_false(HEED_ERR_IO, where, "%s is %s, not a regular file", heed__path_excerpt(path).s,
                               facts.kind == HEED_FOLDER ? "a directory" : "a pipe or a device");
    if ((uint64_t)facts.size > max_bytes || (uint64_t)facts.size >= SIZE_MAX)
        return heed_fail_false(HEED_ERR_UNSUPPORTED, where, "%s has %" PRId64 " bytes, more than the limit of %zu",
                               heed__path_excerpt(path).s, facts.size, max_bytes);
    *size = (size_t)facts.size;
    return true;
}

/* Reads file->size bytes and tries to read one more, into the spare byte, to check that the file has ended. */
static bool read_all(const char *where, const char *path, int fd, heed__file *file)
{
    size_t got = 0;
    while (got <= file->size) {
        int64_t n = heed__read(fd, file->bytes + got, file->size + 1 - got);
        if (n < 0)
            return heed__file_error(where, "read", path, errno);
        if (n == 0)
            break;
        got += (size_t)n;
    }
    if (got == file->size)
        return true;
    return heed_fail_false(HEED_ERR_IO, where, "%s changed its size while it was read: %zu bytes at first, now %s",
                           heed__path_excerpt(path).s, file->size, got > file->size ? "more" : "fewer");
}

bool heed__file_size(const char *where, const char *path, int fd, size_t max_bytes, size_t *size)
{
    if (get_size(where, path, fd, max_bytes, size))
        return true;
    (void)heed__close(fd);
    return false;
}

int heed__file_open(const char *where, const char *path, size_t max_bytes, size_t *size)
{
    if (!path) {
        heed_fail(HEED_ERR_ARGUMENT, where, "path is NULL");
        return -1;
    }
    int fd = heed__open_path(HEED_WORKING_FOLDER, path);
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
    (void)heed__close(fd); /* nothing was written, so closing cannot lose data */
    return loaded;
}

void heed__file_free(heed__file *file)
{
    heed_free(file->bytes, file->size + 1);
    *file = (heed__file){0};
}
