/* system/windows/folders.c - folders, by FindFirstFileW and related calls. */

#include "system/windows/shared.h"

#include "system/folders.h"

#include <errno.h>
#include <stdlib.h>

#include "system/files.h"
#include "system/names.h"

struct heed__listing {
    int folder;
    HANDLE find; /* INVALID_HANDLE_VALUE before the first name */
    WIN32_FIND_DATAW found;
    char name[HEED_NAME_MAX + 1];
};

static int open_folder(int at, const char *path, DWORD access)
{
    heed__file_facts facts;
    const int fd = heed__open_as(at, path, access, 0);
    if (fd < 0 || (heed__facts(fd, &facts) && facts.kind == HEED_FOLDER))
        return fd;
    (void)heed__close(fd);
    errno = ENOTDIR;
    return -1;
}

int heed__open_folder(int at, const char *path)
{
    return open_folder(at, path, FILE_LIST_DIRECTORY | FILE_READ_ATTRIBUTES);
}

int heed__open_to_search(int at, const char *path)
{
    return open_folder(at, path, FILE_READ_ATTRIBUTES);
}

heed__listing *heed__list(int folder)
{
    heed__listing *list = malloc(sizeof *list);
    if (list) {
        list->folder = folder;
        list->find = INVALID_HANDLE_VALUE;
    } else {
        errno = ENOMEM;
    }
    return list;
}

int heed__list_folder(heed__listing *list)
{
    return list->folder;
}

void heed__list_again(heed__listing *list)
{
    if (list->find != INVALID_HANDLE_VALUE)
        FindClose(list->find);
    list->find = INVALID_HANDLE_VALUE;
}

void heed__list_end(heed__listing *list)
{
    heed__list_again(list);
    (void)heed__close(list->folder);
    free(list);
}

/* Returns 0 and sets a Windows error after the last name. */
static BOOL find(heed__listing *list)
{
    if (list->find != INVALID_HANDLE_VALUE)
        return FindNextFileW(list->find, &list->found);
    wchar_t *all = heed__wide_path(list->folder, "*");
    list->find = all ? FindFirstFileW(all, &list->found) : INVALID_HANDLE_VALUE;
    const DWORD error = all ? GetLastError() : ERROR_NOT_ENOUGH_MEMORY;
    free(all);
    SetLastError(error);
    return list->find != INVALID_HANDLE_VALUE;
}

const char *heed__list_next(heed__listing *list)
{
    errno = 0;
    if (find(list)) {
        (void)WideCharToMultiByte(CP_UTF8, 0, list->found.cFileName, -1, list->name, sizeof list->name, NULL, NULL);
        return list->name;
    }
    const DWORD error = GetLastError();
    if (error != ERROR_NO_MORE_FILES && error != ERROR_FILE_NOT_FOUND)
        (void)heed__errno_of(error);
    return NULL;
}
