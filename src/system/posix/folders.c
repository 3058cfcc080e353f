/* system/posix/folders.c - folders, by opendir and related calls. A folder is opened for searching with Linux's O_PATH
 * or with POSIX's O_SEARCH, which few systems have. */

#include "system/posix/more.h"

#include "system/folders.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>

#include "system/posix/at.h"

#if HEED_O_PATH
#define TO_SEARCH O_PATH
#elif defined(O_SEARCH)
#define TO_SEARCH O_SEARCH
#endif

int heed__open_folder(int at, const char *path)
{
    return heed__open_at(at, path, O_RDONLY | O_DIRECTORY, 0);
}

int heed__open_to_search(int at, const char *path)
{
#if defined(TO_SEARCH)
    return heed__open_at(at, path, TO_SEARCH | O_DIRECTORY, 0);
#else
    (void)at;
    (void)path;
    errno = EACCES;
    return -1;
#endif
}

/* A listing is a DIR. */
static DIR *of(heed__listing *list)
{
    return (DIR *)(void *)list;
}

heed__listing *heed__list(int folder)
{
    return (heed__listing *)(void *)fdopendir(folder);
}

int heed__list_folder(heed__listing *list)
{
    return dirfd(of(list));
}

void heed__list_end(heed__listing *list)
{
    (void)closedir(of(list));
}

const char *heed__list_next(heed__listing *list)
{
    errno = 0;
    const struct dirent *entry = readdir(of(list));
    return entry ? entry->d_name : NULL;
}

void heed__list_again(heed__listing *list)
{
    rewinddir(of(list));
}
