/* io/file.h - loads files for the readers to parse. */
#ifndef HEED_IO_FILE_H
#define HEED_IO_FILE_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
