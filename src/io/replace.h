/* io/replace.h - writes files atomically: a file has either its old content or the complete new one. All writers of
 * heed use it. */
#ifndef HEED_IO_REPLACE_H
#define HEED_IO_REPLACE_H

#include <heed/error.h>

#include "io/file_chunk.h"

/* Writes a temporary file in the same folder, and renames it to the file's name once it is safely on disk. An existing
 * file keeps its permissions, but no set-user-ID, set-group-ID or sticky bit. A symbolic link is followed: its target
 * is replaced or created, and the link stays. Other names (hard links) of the file keep the old content.
 *
 * Errors, on behalf of `where`: HEED_ERR_IO with path and cause, also for a path that ends in '/' or leads to anything
 * other than a regular file; HEED_ERR_ARGUMENT for a NULL path; HEED_ERR_NOMEM. After an error the old file is
 * unchanged and the temporary file is removed.
 *
 * A process killed while writing leaves its temporary file, ".NAME.heed-PID-N.tmp"; the next write to the same file
 * removes it. */
heed_status heed__replace_file(const char *where, const char *path, const heed__file_chunk *chunks, size_t count);

/* heed__replace_by writes a file as heed__replace_file does, but `writer` produces its bytes by calling heed__write. If
 * heed__write returns false, `writer` must return false. If `writer` fails for a different reason, it must set errno
 * and return false. */
typedef struct heed__output heed__output;
typedef bool heed__writer(heed__output *out, void *user);
bool heed__write(heed__output *out, const void *bytes, size_t size);
heed_status heed__replace_by(const char *where, const char *path, heed__writer *writer, void *user);

/* Writes `path`, a file of a series in the series' folder, as heed__replace_file does. The NAME in temporary files is
 * then the file name of the path `series`. Every write to the series removes the temporary files of killed writers of
 * all its files. */
heed_status heed__replace_in_series(const char *where, const char *series, const char *path,
                                    const heed__file_chunk *chunks, size_t count);

#endif
