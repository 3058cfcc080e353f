/* io/replace.c - atomic replacement of a file: write, sync, rename, sync the folder. All operations use names relative
 * to the opened folder, because the full path of a temporary file, or of a file of a series, might be too long.
 *
 * A writer holds a lock on its temporary file from creation until renaming, and the system drops the locks of a process
 * that ends. If a temporary file can be locked, its writer has ended and it may be removed. In the moment between
 * creating and locking a temporary file, a second writer that removes stale files may lock or remove it. The first
 * writer notices, because the file is then locked or has no name, and creates a new one.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <heed/memory.h>
#include <heed/ops.h>

#include "io/elements.h"
#include "io/file.h"
#include "io/replace.h"
#include "system/files.h"
#include "system/system.h"

/* maximum bytes of NAME in a temporary file's name, which also contains a prefix and numbers */
#define TARGET_MAX 180
#define MAX_NAMES 100                  /* temporary names to try */
#define MAX_LINKS 40                   /* same as the Linux kernel */
#define BUFFER_SIZE ((size_t)64 << 10) /* small chunks are written together */

/* -- The chunks of a file ------------------------------------------------------------------------------------------ */

bool heed__file_chunk_of(const char *where, heed_tensor *t, heed__file_chunk *chunk)
{
    const size_t element = heed_dtype_size(heed_dtype_of(t));
    int64_t size;
    if (__builtin_mul_overflow(heed_numel(t), (int64_t)element, &size) || size > INT64_MAX / 2)
        return heed_fail_false(HEED_ERR_UNSUPPORTED, where, "a view of shape %s has too many elements for a file",
                               heed_shape_text(heed_shape_of(t)).s);
    heed_tensor *rows = heed_contiguous(t);
    if (!rows)
        return false;
    *chunk = (heed__file_chunk){
        .bytes = heed_data_bytes(rows), .size = (size_t)size, .reversed = HEED_BIG_ENDIAN && element > 1 ? element : 0};
    return chunk->bytes != NULL;
}

static void reverse_bytes(const uint8_t *from, size_t size, size_t element, uint8_t *to)
{
    for (size_t at = 0; at < size; at += element)
        for (size_t i = 0; i < element; i++)
            to[at + i] = from[at + element - 1 - i];
}

bool heed__file_chunk_emit(const heed__file_chunk *chunk, heed__byte_sink *sink, void *user)
{
    uint8_t piece[2048]; /* a multiple of all element sizes */
    if (chunk->reversed == 0)
        return chunk->size == 0 || sink(user, chunk->bytes, chunk->size);
    for (size_t at = 0, n; at < chunk->size; at += n) {
        n = chunk->size - at < sizeof piece ? chunk->size - at : sizeof piece;
        reverse_bytes((const uint8_t *)chunk->bytes + at, n, chunk->reversed, piece);
        if (!sink(user, piece, n))
            return false;
    }
    return true;
}

/* -- The state of a replacement ------------------------------------------------------------------------------------ */

typedef struct heed__output {
    const char *where, *path;
    const char *series;   /* the path that NAME comes from */
    heed__writer *writer; /* produces the bytes */
    void *user;
    int folder;                        /* the opened folder of the file to replace */
    char name[HEED_NAME_MAX + 1];      /* name of the file to replace */
    char temporary[HEED_NAME_MAX + 1]; /* ".NAME.heed-PID-N.tmp" */
    size_t stem;                       /* length of ".NAME.heed-" */
    /* descriptors of the temporary file; `lock` stays open until the file is renamed */
    int fd, lock;
    char *buffer; /* BUFFER_SIZE bytes, of which `used` are still to be written */
    size_t used;
} replacement;

static heed_status io_error(const replacement *r, const char *action, int cause)
{
    (void)heed__file_error(r->where, action, r->path, cause);
    return HEED_ERR_IO;
}

static int lock_file(int fd)
{
    int result;
    do
        result = heed__lock_file(fd, HEED_LOCK_EXCLUSIVE);
    while (result != 0 && errno == EINTR);
    return result;
}

/* -- Temporary files ----------------------------------------------------------------------------------------------- */

/* Returns true if the file belongs to a series. */
static bool in_series(const replacement *r)
{
    return r->series != r->path;
}

/* Returns true if `name` is the name of a temporary file for this file or series. */
static bool is_temporary(const replacement *r, const char *name)
{
    if (strncmp(name, r->temporary, r->stem) != 0)
        return false;
    name += r->stem;
    size_t rest = strspn(name, "0123456789");
    if (rest == 0 || name[rest] != '-')
        return false;
    name += rest + 1;
    rest = strspn(name, "0123456789");
    return rest > 0 && strcmp(name + rest, ".tmp") == 0;
}

/* Removes a temporary file if its writer has ended, which is the case if the file can be locked. After locking, checks
 * that the name still refers to the locked file. */
static void remove_if_stale(int folder, const char *name)
{
    heed__file_facts file, named;
    int fd = heed__open_name(folder, name);
    if (fd < 0)
        return;
    if (heed__facts(fd, &file) && file.kind == HEED_REGULAR && lock_file(fd) == 0 &&
        heed__facts_of_name(folder, name, &named) && named.number == file.number && named.device == file.device)
        (void)heed__remove(folder, name);
    (void)heed__close(fd);
}

/* Removes the temporary files of killed processes. Ignores errors, because the new file can be written anyway. */
static void remove_stale(const replacement *r)
{
    heed__listing *list = heed__folder_list(heed__open_folder(r->folder, "."));
    for (const char *name; list && (name = heed__list_next(list));)
        if (is_temporary(r, name))
            remove_if_stale(heed__list_folder(list), name);
    if (list)
        heed__list_end(list);
}

/* Locks a new file. Returns false if a different writer has locked or removed it. Returns true on a file system without
 * locks; there remove_if_stale cannot lock the file either, and so does not remove it. */
static bool lock_new(int fd)
{
    heed__file_facts facts;
    if (lock_file(fd) != 0 && errno == EWOULDBLOCK)
        return false;
    return !heed__facts(fd, &facts) || facts.links > 0;
}

/* Creates and locks r->temporary under an unused name. */
static heed_status open_temporary(replacement *r, unsigned mode)
{
    static atomic_uint number;
    int cause = EEXIST;
    for (int i = 0; i < MAX_NAMES && cause == EEXIST; i++) {
        (void)snprintf(r->temporary + r->stem, sizeof r->temporary - r->stem, "%d-%u.tmp", heed__process_id(),
                       atomic_fetch_add(&number, 1));
        r->fd = heed__make_file(r->folder, r->temporary, mode);
        if (r->fd >= 0 && lock_new(r->fd))
            return HEED_OK;
        cause = r->fd >= 0 ? EEXIST : errno;
        if (r->fd >= 0)
            (void)heed__close(r->fd); /* the writer that locked the file considers it stale and removes it */
    }
    return io_error(r, "create a temporary file next to", cause);
}

/* -- Replacing ----------------------------------------------------------------------------------------------------- */

static bool flush_output(replacement *r)
{
    size_t used = r->used;
    r->used = 0;
    return heed__write_whole(r->fd, r->buffer, used);
}

bool heed__write(heed__output *r, const void *bytes, size_t size)
{
    if (size > BUFFER_SIZE - r->used && !flush_output(r))
        return false;
    if (size > BUFFER_SIZE)
        return heed__write_whole(r->fd, bytes, size);
    if (size > 0)
        memcpy(r->buffer + r->used, bytes, size);
    r->used += size;
    return true;
}

typedef struct chunk_list {
    const heed__file_chunk *chunks;
    size_t count;
} chunk_list;

static bool write_piece(void *user, const void *bytes, size_t size)
{
    return heed__write(user, bytes, size);
}

static bool write_chunks(heed__output *r, void *user)
{
    const chunk_list *list = user;
    for (size_t i = 0; i < list->count; i++)
        if (!heed__file_chunk_emit(&list->chunks[i], write_piece, r))
            return false;
    return true;
}

/* Renames the temporary file to its final name. Returns 0 or an errno. A file of a series is renamed under the folder's
 * lock, so that a process that lists the series does not miss it. */
static int rename_final(const replacement *r)
{
    if (in_series(r))
        heed__folder_lock(r->folder, HEED_LOCK_EXCLUSIVE);
    int cause = heed__rename(r->folder, r->temporary, r->name) ? 0 : errno;
    if (in_series(r))
        heed__folder_unlock(r->folder);
    return cause;
}

/* Writes the content to the temporary file and renames it. Closes the file before renaming, because some file systems
 * report failed writes only on close. The second descriptor `lock` keeps the lock until then. The final sync of the
 * folder makes the name survive a power failure. An error of that sync is ignored, because the file already has its
 * name and content. */
static heed_status commit(replacement *r)
{
    r->lock = heed__open_again(r->fd);
    int cause = r->lock >= 0 && r->writer(r, r->user) && flush_output(r) && heed__sync(r->fd) ? 0 : errno;
    if (!heed__close(r->fd) && cause == 0)
        cause = errno;
    if (cause == 0)
        cause = rename_final(r);
    if (cause != 0)
        (void)heed__remove(r->folder, r->temporary);
    if (r->lock >= 0)
        (void)heed__close(r->lock);
    if (cause != 0)
        return io_error(r, "write", cause);
    (void)heed__sync(r->folder);
    return HEED_OK;
}

/* Sets r->folder to the opened folder of a path, and r->name to the path's file name. Returns 0 or an errno. */
static int enter_folder(replacement *r, const char *path)
{
    const char *name = heed__name_in(path);
    size_t size = strlen(name) + 1;
    if (size == 1 || size > sizeof r->name)
        return size == 1 ? EISDIR : ENAMETOOLONG;
    int folder = heed__folder_open_any(r->folder, path, r->buffer + HEED_PATH_MAX);
    if (folder < 0)
        return errno;
    if (r->folder >= 0)
        (void)heed__close(r->folder);
    r->folder = folder;
    memcpy(r->name, name, size);
    return 0;
}

/* If the name is a symbolic link, sets r->folder and r->name to the file that it refers to, so that the link itself is
 * not replaced. Returns 0 or an errno. */
static int follow_links(replacement *r)
{
    for (int i = 0; i < MAX_LINKS; i++) {
        int64_t n = heed__read_link(r->folder, r->name, r->buffer, HEED_PATH_MAX);
        if (n < 0)
            return errno == EINVAL || errno == ENOENT ? 0 : errno;
        r->buffer[n] = '\0';
        int cause = enter_folder(r, r->buffer);
        if (cause != 0)
            return cause;
    }
    return ELOOP;
}

static heed_status replace_file(replacement *r)
{
    heed__file_facts old;
    bool exists = heed__facts_of_path(r->folder, r->name, &old);
    if (!exists && errno != ENOENT)
        return io_error(r, "write", errno);
    if (exists && old.kind != HEED_REGULAR)
        return heed_fail(HEED_ERR_IO, r->where, "cannot write %s: it is not a regular file",
                         heed__path_excerpt(r->path).s);
    int cause = follow_links(r);
    if (cause != 0)
        return io_error(r, "write", cause);
    /* ".NAME.heed-", where NAME is the name of the file or of its series, truncated if necessary */
    r->stem = (size_t)snprintf(r->temporary, sizeof r->temporary, ".%.*s.heed-", TARGET_MAX,
                               in_series(r) ? heed__name_in(r->series) : r->name);
    remove_stale(r);
    heed_status status = open_temporary(r, exists ? old.mode : 0666); /* a private file is never readable by others */
    if (status != HEED_OK)
        return status;
    if (exists)
        heed__set_mode(r->fd, old.mode); /* restores bits removed by the umask */
    return commit(r);
}

/* Checks the lengths of the paths. r->series, the path that the user passed, must be short enough to open. r->path may
 * be longer, because its folder and its file name are used separately. */
static heed_status check_path(const replacement *r)
{
    if (!r->path)
        return heed_fail(HEED_ERR_ARGUMENT, r->where, "path is NULL");
    if (*heed__name_in(r->series) == '\0')
        return heed_fail(HEED_ERR_IO, r->where, "cannot write %s: the path has no file name",
                         heed__path_excerpt(r->series).s);
    bool fits = strlen(r->series) < HEED_PATH_MAX && strlen(heed__name_in(r->path)) < sizeof r->name;
    return fits ? HEED_OK : io_error(r, "write", ENAMETOOLONG);
}

static heed_status replace_by(const char *where, const char *series, const char *path, heed__writer *writer, void *user)
{
    replacement r = {.where = where,
                     .path = path,
                     .series = series,
                     .writer = writer,
                     .user = user,
                     .folder = HEED_WORKING_FOLDER,
                     .fd = -1,
                     .lock = -1};
    heed_status status = check_path(&r);
    if (status != HEED_OK)
        return status;
    r.buffer = heed_alloc(BUFFER_SIZE);
    if (!r.buffer)
        return HEED_ERR_NOMEM;
    int cause = enter_folder(&r, path);
    status = cause == 0 ? replace_file(&r) : io_error(&r, "open the folder of", cause);
    if (r.folder >= 0)
        (void)heed__close(r.folder);
    heed_free(r.buffer, BUFFER_SIZE);
    return status;
}

heed_status heed__replace_by(const char *where, const char *path, heed__writer *writer, void *user)
{
    return replace_by(where, path, path, writer, user);
}

heed_status heed__replace_file(const char *where, const char *path, const heed__file_chunk *chunks, size_t count)
{
    return heed__replace_by(where, path, write_chunks, &(chunk_list){chunks, count});
}

heed_status heed__replace_in_series(const char *where, const char *series, const char *path,
                                    const heed__file_chunk *chunks, size_t count)
{
    return replace_by(where, series, path, write_chunks, &(chunk_list){chunks, count});
}
