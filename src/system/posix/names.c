/* system/posix/names.c - file names in paths; the separator is '/'. */

#include "system/posix/more.h"

#include "system/names.h"

#include <string.h>

const char *heed__name_in(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
