/* system/files.h - files, by descriptors, which are not inherited by programs that the process starts. Paths lead on
 * from the folder that a descriptor is open on, or from HEED_HERE; they are UTF-8 where the system does not take any
 * bytes. What fails returns -1 or false, with errno; a signal makes nothing fail. */
#ifndef HEED_SYSTEM_FILES_H
#define HEED_SYSTEM_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HEED_HERE = -2 }; /* the working folder, in place of a descriptor */

typedef enum heed__file_kind {
    HEED_REGULAR,
    HEED_FOLDER,
    HEED_NO_FILE
} heed__file_kind; /* the last: pipes, devices, ... */

typedef struct heed__file_facts {
    heed__file_kind kind;
    unsigned mode; /* permissions, without set-user-ID, set-group-ID and sticky; 0 if the system has no such mode */
    int64_t size;
    int64_t changed, changed_ns; /* when its content did: seconds, nanoseconds */
    uint64_t device, number;     /* which file it is */
    uint64_t names;              /* how many lead to it; 0: it has been removed */
} heed__file_facts;

/* Whether the content is the same, as far as facts tell. */
static inline bool heed__same_content(const heed__file_facts *a, const heed__file_facts *b)
{
    return a->size == b->size && a->changed == b->changed && a->changed_ns == b->changed_ns;
}

/* Of what is open; of what a path leads to, or of the last link there itself. */
bool heed__facts(int fd, heed__file_facts *facts);
bool heed__facts_of_path(int folder, const char *path, heed__file_facts *facts);
bool heed__facts_of_name(int folder, const char *name, heed__file_facts *facts);

/* Opens for reading whatever it is: a pipe does not wait for a writer. heed__open_name does not follow a link. */
int heed__open_path(int folder, const char *path);
int heed__open_name(int folder, const char *name);

/* Makes a file, for writing: EEXIST where there is one. */
int heed__make_file(int folder, const char *name, unsigned mode);

/* The same open file, with its locks, once more. */
int heed__open_again(int fd);

bool heed__close(int fd);

/* Bytes that were read, from where reading had come to or from an offset: 0 at the end. */
int64_t heed__read(int fd, void *to, size_t size);
int64_t heed__read_at(int fd, void *to, size_t size, size_t offset);

bool heed__write_whole(int fd, const void *bytes, size_t size);

/* Sets what of the mode the making of the file has left out. It need not succeed. */
void heed__set_mode(int fd, unsigned mode);

/* Waits until what was written, or the names in a folder, would outlast a power cut. */
bool heed__sync(int fd);

/* Gives a file another name, in one step also where a file has that name already, which has it no more. */
bool heed__rename(int folder, const char *from, const char *to);
bool heed__remove(int folder, const char *name);

/* Where a symbolic link leads, without a NUL: how many bytes. EINVAL: it is none. */
int64_t heed__read_link(int folder, const char *name, char *to, size_t size);

#endif
