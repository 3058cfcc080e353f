/* io/replace.h - writes files atomically: a file has either its old content or the complete new one. All writers of
 * heed use it.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_IO_REPLACE_H
#define HEED_IO_REPLACE_H

#include <heed/tensor.h>

/* -- The chunks of a file ------------------------------------------------------------------------------------------ */

/* A chunk of a file. A file is the concatenation of its chunks, so large data need not be copied together. */
typedef struct heed__file_chunk {
    const void *bytes;
    size_t size;
    size_t reversed; /* element size if the file's byte order is the reverse of memory's, else 0 */
} heed__file_chunk;

/* Makes a chunk of a tensor's elements in row-major order. If they are not in this order in memory, the chunk is a copy
 * that belongs to the innermost scope. Returns false after heed_fail with HEED_ERR_NOMEM, or with HEED_ERR_UNSUPPORTED
 * if the elements of an expanded view would have more bytes than memory can address. */
bool heed__file_chunk_of(const char *where, heed_tensor *t, heed__file_chunk *chunk);

/* Passes a chunk's bytes to `sink` in the file's byte order: in one call, or in small pieces if the byte order must be
 * reversed. Stops and returns false when `sink` returns false. */
typedef bool heed__byte_sink(void *user, const void *bytes, size_t size);
bool heed__file_chunk_emit(const heed__file_chunk *chunk, heed__byte_sink *sink, void *user);

/* -- Writing ------------------------------------------------------------------------------------------------------- */

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
