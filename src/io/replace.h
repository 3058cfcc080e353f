/* io/replace.h - the one writer: a file is either the old one or the whole new one. */
#ifndef HEED_IO_REPLACE_H
#define HEED_IO_REPLACE_H

#include <heed/error.h>

#include "io/part.h"

/* Writes a temporary file beside the file, and gives it the file's name once it is safe on the disk. A file that was
 * there keeps its permissions, but no set-user-ID, set-group-ID or sticky bit. A symbolic link is followed: the file
 * that it leads to is replaced, or made, and the link stays. The other names (hard links) of a file keep the old
 * content. HEED_ERR_IO, on behalf of `where`, with path and cause: then the old file is as it was and the temporary one
 * is gone. A path that ends in '/', or leads to what is not a regular file, is refused. HEED_ERR_ARGUMENT for a NULL
 * path, HEED_ERR_NOMEM.
 *
 * A process that is killed while it writes leaves its temporary file, ".NAME.heed-PID-N.tmp"; the next write to the
 * same file removes it. */
heed_status heed__replace_file(const char *where, const char *path, const heed__part *parts, size_t count);

/* The same for bytes that a function gives one after another: heed__write takes them, and false after it has failed
 * goes back to the caller. A writer that fails otherwise sets errno. */
typedef struct heed__output heed__output;
typedef bool heed__writer(heed__output *out, void *user);
bool heed__write(heed__output *out, const void *bytes, size_t size);
heed_status heed__replace_by(const char *where, const char *path, heed__writer *writer, void *user);

/* heed__replace_file for a file that is one of a series in its folder: NAME is that of the path `series`, and writing
 * any of them removes what killed writers of the others left. */
heed_status heed__replace_one_of(const char *where, const char *series, const char *path, const heed__part *parts,
                                 size_t count);

#endif
