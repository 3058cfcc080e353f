/* system/files.h - files, accessed by descriptors. Programs that the process starts do not inherit the descriptors.
 * Paths are relative to the folder that a descriptor is open on, or to HEED_WORKING_FOLDER; they must be UTF-8 on
 * systems that do not accept arbitrary bytes. A function that fails returns -1 or false and sets errno; signals never
 * cause a failure. */
#ifndef HEED_SYSTEM_FILES_H
#define HEED_SYSTEM_FILES_H

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

#endif
