/* system/names.h - the names of files in paths. */
#ifndef HEED_SYSTEM_NAMES_H
#define HEED_SYSTEM_NAMES_H

#include <limits.h>

/* Bytes of a path, with its NUL, and of a file's own name, without. */
enum { HEED_PATH_MAX = PATH_MAX, HEED_NAME_MAX = NAME_MAX };

/* What follows the last separator: a file's own name, or "" where the path can be that of a folder only. */
const char *heed__name_in(const char *path);

#endif
