/* system/posix/folders.c - O_PATH of Linux, or O_SEARCH of POSIX, which few systems have. */

#include "system/posix/more.h"

#include "system/folders.h"

#include <errno.h>
#include <fcntl.h>

#if HEED_O_PATH
#define TO_SEARCH O_PATH
#elif defined(O_SEARCH)
#define TO_SEARCH O_SEARCH
#endif

int heed__open_to_search(int at, const char *path)
{
#if defined(TO_SEARCH)
    int fd;
    do
        fd = openat(at, path, TO_SEARCH | O_DIRECTORY | O_CLOEXEC);
    while (fd < 0 && errno == EINTR);
    return fd;
#else
    (void)at;
    (void)path;
    errno = EACCES;
    return -1;
#endif
}
