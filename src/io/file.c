/* io/file.c - opens and loads files, opens and locks the folders that contain them, and formats paths and contents for
 * messages.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "io/file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <heed/io.h>
#include <heed/memory.h>

#include "base/escape.h"
#include "system/files.h"

/* -- Excerpts for messages ----------------------------------------------------------------------------------------- */

static const char dots[] = "...";

#define DOTS (sizeof dots - 1)
#define EXCERPT_BYTES 40

/* Returns the size of a text after escaping. */
static size_t escaped_size(const char *text, size_t size)
{
    size_t escaped = 0;
    for (size_t at = 0; at < size;) {
        const heed__escape_piece p = heed__escape_next(text + at, size - at);
        escaped += p.size;
        at += p.consumed;
    }
    return escaped;
}

heed__path_excerpt_text heed__path_excerpt(const char *path)
{
    heed__path_excerpt_text text;
    path = *path ? path : "\"\"";
    size_t size = strlen(path), escaped = escaped_size(path, size), used = 0;
    if (escaped >= sizeof text.s) {
        memcpy(text.s, dots, DOTS);
        used = DOTS;
    }
    while (escaped >= sizeof text.s - used) {
        const heed__escape_piece p = heed__escape_next(path, size);
        path += p.consumed;
        size -= p.consumed;
        escaped -= p.size;
    }
    (void)heed__escape_copy(path, size, text.s + used, sizeof text.s - used);
    return text;
}

heed__excerpt_text heed__excerpt(const char *text, size_t size)
{
    heed__excerpt_text excerpt;
    size_t line = 0;
    while (line < size && text[line] != '\n' && text[line] != '\r')
        line++;
    if (heed__escape_copy(text, line, excerpt.s, EXCERPT_BYTES + 1) < size)
        memcpy(excerpt.s + strlen(excerpt.s), dots, sizeof dots);
    return excerpt;
}

/* -- Files --------------------------------------------------------------------------------------------------------- */

bool heed__file_error(const char *where, const char *action, const char *path, int cause)
{
    char text[96];
    return heed_fail_false(HEED_ERR_IO, where, "cannot %s %s: %s", action, heed__path_excerpt(path).s,
                           heed__error_text(cause, text, sizeof text));
}

/* Reads file->size bytes and tries to read one more, into the spare byte, to check that the file has ended. */
static bool read_whole_file(const char *where, const char *path, int fd, heed__file *file)
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
    heed__file_facts facts;
    if (!heed__facts(fd, &facts)) {
        heed__file_error(where, "read", path, errno);
    } else if (facts.kind != HEED_REGULAR) {
        heed_fail(HEED_ERR_IO, where, "%s is %s, not a regular file", heed__path_excerpt(path).s,
                  facts.kind == HEED_FOLDER ? "a directory" : "a pipe or a device");
    } else if ((uint64_t)facts.size > max_bytes || (uint64_t)facts.size >= SIZE_MAX) {
        heed_fail(HEED_ERR_UNSUPPORTED, where, "%s has %" PRId64 " bytes, more than the limit of %zu",
                  heed__path_excerpt(path).s, facts.size, max_bytes);
    } else {
        *size = (size_t)facts.size;
        return true;
    }
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

bool heed__file_load(const char *where, const char *path, size_t max_bytes, heed__file *file)
{
    *file = (heed__file){0};
    int fd = heed__file_open(where, path, max_bytes, &file->size);
    if (fd < 0)
        return false;
    file->bytes = heed_alloc(file->size + 1);
    bool loaded = file->bytes && read_whole_file(where, path, fd, file);
    (void)heed__close(fd); /* nothing was written, so closing cannot lose data */
    if (!loaded)
        heed__file_free(file);
    return loaded;
}

void heed__file_free(heed__file *file)
{
    heed_free(file->bytes, file->size + 1);
    *file = (heed__file){0};
}

/* -- Folders ------------------------------------------------------------------------------------------------------- */

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

heed__listing *heed__folder_list(int folder)
{
    heed__listing *list = folder >= 0 ? heed__list(folder) : NULL;
    const int cause = errno;
    if (!list && folder >= 0)
        (void)heed__close(folder);
    errno = cause;
    return list;
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
