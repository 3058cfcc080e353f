/* system/names.h - the names of files in paths. */
#ifndef HEED_SYSTEM_NAMES_H
#define HEED_SYSTEM_NAMES_H

#if !defined(_WIN32)
#include <limits.h>
#endif

/* Bytes of a path, with its NUL, and of a file's own name, without. */
#if defined(_WIN32)
enum { HEED_PATH_MAX = 4096, HEED_NAME_MAX = 765 }; /* 255 units of UTF-16, of three bytes each */
#else
enum { HEED_PATH_MAX = PATH_MAX, HEED_NAME_MAX = NAME_MAX };
#endif

/* What follows the last separator: a file's own name, or "" where the path can be that of a folder only. */
const char *heed__name_in(const char *path);

#endif
