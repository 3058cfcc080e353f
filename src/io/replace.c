/* io/replace.c - atomic replacement of a file: write, sync, rename, sync the folder. All operations use names in the
 * opened folder: a path extended by a temporary name, or by the name of a file of a series, might be too long.
 *
 * A writer holds a lock on its temporary file from creation until renaming, and the system drops the locks of a process
 * that ends. If a temporary file can be locked, its writer has ended and it may be removed. Between creating and
 * locking a file there is a moment in which a different writer, removing stale files, can lock or remove it. The writer
 * notices, because the file is then locked or lacks a name, and creates a new one. */
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <heed/memory.h>

#include "io/excerpt.h"
#include "io/file.h"
#include "io/folder.h"
#include "io/replace.h"
#include "system/files.h"
#include "system/system.h"

#define TARGET_MAX 180                 /* bytes of NAME in a temporary file's name, leaving space for the rest */
#define MAX_NAMES 100                  /* temporary names to try */
#define MAX_LINKS 40                   /* same as the Linux kernel */
#define BUFFER_SIZE ((size_t)64 << 10) /* small chunks are written together */

typedef struct heed__output {
    const char *where, *path;
    const char *series;   /* the path that NAME comes from */
    heed__writer *writer; /* produces the bytes */
    void *user;
    int folder;                        /* of the file to replace */
    char name[HEED_NAME_MAX + 1];      /* of that file */
    char temporary[HEED_NAME_MAX + 1]; /* ".NAME.heed-PID-N.tmp" */
    size_t stem;                       /* length of ".NAME.heed-" */
    int fd, lock;                      /* the temporary file; `lock` stays open until it is renamed */
    char *buffer;                      /* BUFFER_SIZE bytes, of which `used` are still to be written */
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

/* r->temporary begins with the name of the file or of its series, truncated if necessary. */
static void name_temporary(replacement *r)
{
    r->stem = (size_t)snprintf(r->temporary, sizeof r->temporary, ".%.*s.heed-", TARGET_MAX,
                               in_series(r) ? heed__name_in(r->series) : r->name);
}

/* Returns true if a name in the folder is a temporary file of this series. */
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

/* Removes a temporary file without a writer. Once the lock is held, checks that the name still refers to that file. */
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

/* Removes the temporary files of killed processes. This is only cleanup: failures here do not fail the call. */
static void remove_stale(const replacement *r)
{
    int fd = heed__open_folder(r->folder, ".");
    heed__listing *list = fd >= 0 ? heed__list(fd) : NULL;
    if (!list) {
        if (fd >= 0)
            (void)heed__close(fd);
        return;
    }
    for (const char *name; (name = heed__list_next(list));)
        if (is_temporary(r, name))
            remove_if_stale(fd, name);
    heed__list_end(list);
}

/* Locks a new file. Returns false if a different writer has locked or removed it. On a file system without locks no
 * lock is needed, because remove_if_stale cannot lock the file either. */
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
            (void)heed__close(r->fd); /* a different writer takes it for stale and removes it */
    }
    return io_error(r, "create a temporary file next to", cause);
}

/* -- Replacing ----------------------------------------------------------------------------------------------------- */

static bool flush(replacement *r)
{
    size_t used = r->used;
    r->used = 0;
    return heed__write_whole(r->fd, r->buffer, used);
}

bool heed__write(heed__output *r, const void *bytes, size_t size)
{
    if (size > BUFFER_SIZE - r->used && !flush(r))
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

/* Gives a file its final name. A file of a series is renamed under the folder's lock, so that processes listing the
 * series do not miss it. */
static int rename_final(const replacement *r)
{
    if (in_series(r))
        heed__folder_lock(r->folder, HEED_LOCK_EXCLUSIVE);
    int cause = heed__rename(r->folder, r->temporary, r->name) ? 0 : errno;
    if (in_series(r))
        heed__folder_unlock(r->folder);
    return cause;
}

/* Fills the temporary file and renames it. It is closed before renaming, because some file systems report failed writes
 * only on close; the second descriptor keeps the lock meanwhile. The final sync of the folder makes the name survive a
 * power failure. The file is complete and in place even if that sync is not supported, so its failure does not fail the
 * call. */
static heed_status commit(replacement *r)
{
    r->lock = heed__open_again(r->fd);
    int cause = r->lock >= 0 && r->writer(r, r->user) && flush(r) && heed__sync(r->fd) ? 0 : errno;
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

/* Opens the folder of a path and stores its file name. Returns 0 or an errno. */
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

/* If the name is a symbolic link, follows it to the file it refers to, so that the link stays. */
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

static heed_status replace(replacement *r)
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
    name_temporary(r);
    remove_stale(r);
    heed_status status = open_temporary(r, exists ? old.mode : 0666); /* a private file is never readable by others */
    if (status != HEED_OK)
        return status;
    if (exists)
        heed__set_mode(r->fd, old.mode); /* restores bits removed by the umask */
    return commit(r);
}

/* `series`, the path passed by the user, must be short enough to open; `path` may be longer. */
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
    status = cause == 0 ? replace(&r) : io_error(&r, "open the folder of", cause);
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
