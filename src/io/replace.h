/* plot/replace.h - a file is either the old one or the whole new one. */
#ifndef HEED_PLOT_REPLACE_H
#define HEED_PLOT_REPLACE_H

#include <stddef.h>

#include <heed/error.h>

/* Writes a temporary file beside `path`, and renames it to `path` once it is safe on the disk. A file that was there
 * keeps its mode; a symbolic link is replaced, not followed. HEED_ERR_IO, on behalf of `where`, with path and cause:
 * then the old file is as it was and the temporary one is gone. What is there and is not a regular file is refused. */
heed_status heed__replace_file(const char *where, const char *path, const void *bytes, size_t size);

#endif
