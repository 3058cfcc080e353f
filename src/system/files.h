/* system/files.h - files and folders, accessed by descriptors. Programs that the process starts do not inherit the
 * descriptors. Paths are relative to the folder that a descriptor is open on, or to HEED_WORKING_FOLDER; they must be
 * UTF-8 on systems that do not accept arbitrary bytes. A function that fails returns -1, NULL or false and sets errno;
 * signals never cause a failure.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_SYSTEM_FILES_H
#define HEED_SYSTEM_FILES_H

#if !defined(_WIN32)
#include <limits.h>
#endif
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HEED_WORKING_FOLDER = -2 }; /* the working folder, instead of a descriptor */

typedef enum heed__file_kind {
    HEED_REGULAR,
    HEED_FOLDER,
    HEED_NO_FILE
} heed__file_kind; /* HEED_NO_FILE: pipes, devices, ... */

typedef struct heed__file_facts {
    heed__file_kind kind;
    unsigned mode; /* permissions, without set-user-ID, set-group-ID and sticky; 0 if the system lacks them */
    int64_t size;
    int64_t changed, changed_ns; /* time of the last change of the content: seconds, nanoseconds */
    uint64_t device, number;     /* identify the file */
    uint64_t links;              /* number of hard links; 0: the file has been removed */
} heed__file_facts;

/* True if size and time of change are equal, so that the content is most likely the same. */
static inline bool heed__same_content(const heed__file_facts *a, const heed__file_facts *b)
{
    return a->size == b->size && a->changed == b->changed && a->changed_ns == b->changed_ns;
}

/* Facts about an open file; about the file that a path leads to; and about the last component itself if it is a
 * link. */
bool heed__facts(int fd, heed__file_facts *facts);
bool heed__facts_of_path(int folder, const char *path, heed__file_facts *facts);
bool heed__facts_of_name(int folder, const char *name, heed__file_facts *facts);

/* Opens a file of any kind for reading; does not wait for the writer of a pipe. heed__open_name does not follow a
 * link. */
int heed__open_path(int folder, const char *path);
int heed__open_name(int folder, const char *name);

/* Creates a file for writing; fails with EEXIST if it exists. */
int heed__make_file(int folder, const char *name, unsigned mode);

/* Returns a second descriptor of the same open file, which shares its locks. */
int heed__open_again(int fd);

bool heed__close(int fd);

/* Read from the current position or from an offset. Return the number of bytes, 0 at the end of the file. */
int64_t heed__read(int fd, void *to, size_t size);
int64_t heed__read_at(int fd, void *to, size_t size, size_t offset);

bool heed__write_whole(int fd, const void *bytes, size_t size);

/* Sets the permission bits that the umask removed when the file was created. Errors are ignored. */
void heed__set_mode(int fd, unsigned mode);

/* Waits until the written data, or the names in a folder, would survive a power cut. */
bool heed__sync(int fd);

/* Renames a file atomically, replacing an existing file of the new name. */
bool heed__rename(int folder, const char *from, const char *to);
bool heed__remove(int folder, const char *name);

/* Reads the target of a symbolic link, without a NUL, and returns its length in bytes; EINVAL if the file is not a
 * link. */
int64_t heed__read_link(int folder, const char *name, char *to, size_t size);

/* -- Names --------------------------------------------------------------------------------------------------------- */

/* Maximal bytes of a path, with its NUL, and of a file name, without. */
#if defined(_WIN32)
enum { HEED_PATH_MAX = 4096, HEED_NAME_MAX = 765 }; /* 255 units of UTF-16, of three bytes each */
#else
enum { HEED_PATH_MAX = PATH_MAX, HEED_NAME_MAX = NAME_MAX };
#endif

/* Returns the text after the last separator: the file name, or "" if the path can only name a folder. */
const char *heed__name_in(const char *path);

/* -- Folders ------------------------------------------------------------------------------------------------------- */

/* Opens a folder in order to list it and to name files in it. */
int heed__open_folder(int at, const char *path);

/* Opens a folder only in order to name files in it, for which search permission is enough. Fails with EACCES also if
 * the system lacks such a mode. */
int heed__open_to_search(int at, const char *path);

/* A listing of a folder. heed__list takes over the descriptor, which heed__list_end closes; if it returns NULL, the
 * caller keeps it. */
typedef struct heed__listing heed__listing;
heed__listing *heed__list(int folder);
int heed__list_folder(heed__listing *list);
void heed__list_end(heed__listing *list);

/* Returns the next name, which is valid until the next call, or NULL after the last, with errno: 0 unless an error
 * occurred. */
const char *heed__list_next(heed__listing *list);
void heed__list_again(heed__listing *list);

/* -- Locks --------------------------------------------------------------------------------------------------------- */

typedef enum heed__file_lock { HEED_UNLOCK, HEED_LOCK_SHARED, HEED_LOCK_EXCLUSIVE } heed__file_lock;

/* Locks the file or folder that the descriptor is open on, or unlocks it, without waiting. The lock belongs to the open
 * file description: it is shared by all copies of the descriptor and ends when the last of them is closed, at the
 * latest when the process ends. Returns 0, or -1 with errno: EWOULDBLOCK if another process holds the lock, EINTR, or
 * others, such as ENOSYS if the system has no such locks. */
int heed__lock_file(int fd, heed__file_lock how);

/* -- Errors -------------------------------------------------------------------------------------------------------- */

/* Returns the text of an errno, which may be stored in `buffer`. */
const char *heed__error_text(int cause, char *buffer, size_t size);

#endif
