/* system/names.h - file names in paths. */
#ifndef HEED_SYSTEM_NAMES_H
#define HEED_SYSTEM_NAMES_H

#if !defined(_WIN32)
#include <limits.h>
#endif

/* Maximal bytes of a path, with its NUL, and of a file name, without. */
#if defined(_WIN32)
enum { HEED_PATH_MAX = 4096, HEED_NAME_MAX = 765 }; /* 255 units of UTF-16, of three bytes each */
#else
enum { HEED_PATH_MAX = PATH_MAX, HEED_NAME_MAX = NAME_MAX };
#endif

/* Returns the text after the last separator: the file name, or "" if the path can only name a folder. */
const char *heed__name_in(const char *path);

#endif
