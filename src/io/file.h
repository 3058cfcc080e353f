/* io/file.h - loads files; the readers parse what is loaded. */
#ifndef HEED_IO_FILE_H
#define HEED_IO_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* A file's bytes in a block of size + 1 bytes from heed_alloc: the last one is the caller's, for a NUL. */
typedef struct heed__file {
    char *bytes;
    size_t size;
} heed__file;

/* The size of what is open, a regular file of at most max_bytes. False after heed_fail as below; then it is closed. */
bool heed__file_size(const char *where, const char *path, int fd, size_t max_bytes, size_t *size);

/* Opens a regular file of at most max_bytes for reading. A descriptor, to be closed by the caller, and the size; -1
 * after heed_fail as below. */
int heed__file_open(const char *where, const char *path, size_t max_bytes, size_t *size);

/* heed_fail with HEED_ERR_IO, what could not be done to the file ("read"), and why: an errno. Always false. */
bool heed__file_error(const char *where, const char *what, const char *path, int cause);

/* Loads a regular file of at most max_bytes. Nothing else is read: a pipe, a terminal or a device has no size to
 * check or to allocate by, and may block for ever. False after heed_fail with HEED_ERR_IO (path and cause; also when
 * the size changes meanwhile), HEED_ERR_UNSUPPORTED (larger), HEED_ERR_NOMEM, HEED_ERR_ARGUMENT (a NULL path). */
bool heed__file_load(const char *where, const char *path, size_t max_bytes, heed__file *file);

void heed__file_free(heed__file *file);

#endif
