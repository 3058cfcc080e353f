/* io/file.h - opens and loads files, opens and locks folders, and formats paths and contents for messages.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_IO_FILE_H
#define HEED_IO_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "system/files.h"

/* -- Excerpts for messages: short, on one line, with terminal control characters escaped (base/escape.h) ----------- */

/* The end of a path, because paths mostly differ at their ends. Use it as heed__path_excerpt(path).s. */
typedef struct heed__path_excerpt_text {
    char s[160];
} heed__path_excerpt_text;
heed__path_excerpt_text heed__path_excerpt(const char *path);

/* The first characters of a text, at most up to the end of its line. Use it as heed__excerpt(text, size).s. */
typedef struct heed__excerpt_text {
    char s[48];
} heed__excerpt_text;
heed__excerpt_text heed__excerpt(const char *text, size_t size);

/* -- Files --------------------------------------------------------------------------------------------------------- */

/* A file's bytes, in a block of size + 1 bytes from heed_alloc. The caller may use the last byte for a NUL. */
typedef struct heed__file {
    char *bytes;
    size_t size;
} heed__file;

/* Sets *size to the size of the open file `fd`, which must be regular and have at most max_bytes. On failure closes the
 * file and returns false with the errors of heed__file_load. */
bool heed__file_size(const char *where, const char *path, int fd, size_t max_bytes, size_t *size);

/* Opens a regular file of at most max_bytes for reading and sets *size. Returns a descriptor, which the caller closes,
 * or -1 with the errors of heed__file_load. */
int heed__file_open(const char *where, const char *path, size_t max_bytes, size_t *size);

/* Calls heed_fail with HEED_ERR_IO and a message that names the failed action ("read") and its cause, an errno. Always
 * returns false. */
bool heed__file_error(const char *where, const char *action, const char *path, int cause);

/* Loads a regular file of at most max_bytes. Refuses other kinds of files, because a pipe, a terminal or a device has
 * no size that could be checked, and may block for ever. Returns false after heed_fail with HEED_ERR_IO (path and
 * cause; also if the size changes while reading), HEED_ERR_UNSUPPORTED (larger), HEED_ERR_NOMEM or HEED_ERR_ARGUMENT (a
 * NULL path). */
bool heed__file_load(const char *where, const char *path, size_t max_bytes, heed__file *file);

void heed__file_free(heed__file *file);

/* -- Folders ------------------------------------------------------------------------------------------------------- */

/* Functions that take an open folder need only the file's own name, without the path. */

/* Opens the folder of a path relative to the folder `at`, or to HEED_WORKING_FOLDER. `buffer` receives
 * the folder's path and has min(strlen(path) + 1, HEED_PATH_MAX) bytes. Returns a descriptor, or -1 with errno. */
int heed__folder_open(int at, const char *path, char *buffer);

/* Opens the folder as heed__folder_open does, but if the process may not list it, opens it only for searching. That is
 * enough to access files by name. */
int heed__folder_open_any(int at, const char *path, char *buffer);

/* Begins to list an opened folder, which the listing owns. On failure closes the folder and returns NULL with errno. A
 * folder that could not be opened is -1; errno then stays. */
heed__listing *heed__folder_list(int folder);

/* Locks the folder, with HEED_LOCK_SHARED to list it and with HEED_LOCK_EXCLUSIVE to change it, so that a listing shows
 * its content at one moment. The lock is not guaranteed: the function returns without it if the file system lacks
 * locks, or if a different process holds a lock for longer than 0.2 s (because it is stopped, or locks folders for a
 * different purpose). */
void heed__folder_lock(int folder, heed__file_lock mode);
void heed__folder_unlock(int folder);

/* Sleeps a millisecond to let another process finish. */
void heed__folder_wait(void);

#endif
