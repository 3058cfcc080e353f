/* system/windows/shared.c - paths in UTF-16, and Windows errors as errno. */

#include "system/windows/shared.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* -- Errors -------------------------------------------------------------------------------------------------------- */

static const struct {
    DWORD error;
    int number;
} meanings[] = {
    {ERROR_FILE_NOT_FOUND, ENOENT},
    {ERROR_PATH_NOT_FOUND, ENOENT},
    {ERROR_INVALID_DRIVE, ENOENT},
    {ERROR_BAD_NETPATH, ENOENT},
    {ERROR_BAD_NET_NAME, ENOENT},
    {ERROR_ACCESS_DENIED, EACCES},
    {ERROR_SHARING_VIOLATION, EACCES},
    {ERROR_LOCK_VIOLATION, EACCES},
    {ERROR_WRITE_PROTECT, EROFS},
    {ERROR_FILE_EXISTS, EEXIST},
    {ERROR_ALREADY_EXISTS, EEXIST},
    {ERROR_DIRECTORY, ENOTDIR},
    {ERROR_INVALID_NAME, EINVAL},
    {ERROR_INVALID_PARAMETER, EINVAL},
    {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
    {ERROR_BUFFER_OVERFLOW, ENAMETOOLONG},
    {ERROR_NO_UNICODE_TRANSLATION, EILSEQ},
    {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
    {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
    {ERROR_OUTOFMEMORY, ENOMEM},
    {ERROR_DISK_FULL, ENOSPC},
    {ERROR_HANDLE_DISK_FULL, ENOSPC},
};

int heed__errno_of(DWORD error)
{
    errno = EIO;
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++)
        if (meanings[i].error == error)
            errno = meanings[i].number;
    return 0;
}

/* -- Paths --------------------------------------------------------------------------------------------------------- */

static bool is_relative(const char *path)
{
    return *path != '/' && *path != '\\' && !(*path && path[1] == ':');
}

/* Returns the length of a folder's path followed by a separator, and writes it if it fits `capacity` units; returns 0
 * with errno on failure. */
static DWORD write_folder(int folder, wchar_t *to, DWORD capacity)
{
    const DWORD n = GetFinalPathNameByHandleW(heed__handle(folder), to, capacity, FILE_NAME_NORMALIZED);
    if (n == 0)
        return (DWORD)heed__errno_of(GetLastError());
    if (n < capacity)
        to[n] = L'\\';
    return n + 1;
}

/* A folder's path begins with \\?\. In such paths only '\' separates, and "." is a name like any other. */
static wchar_t *path_in(int folder, const char *path, int length)
{
    const DWORD before =
        write_folder(folder, NULL, 0) + 1; /* the length includes a NUL only if `capacity` is too small */
    wchar_t *wide = before > 1 ? malloc((before + (DWORD)length) * sizeof *wide) : NULL;
    const DWORD begin = wide ? write_folder(folder, wide, before) : 0;
    if (begin == 0 || begin > before) {
        errno = wide || before == 1 ? errno : ENOMEM;
        free(wide);
        return NULL;
    }
    (void)MultiByteToWideChar(CP_UTF8, 0, path, -1, wide + begin, length);
    for (wchar_t *at = wide + begin; *at; at++)
        if (*at == L'/')
            *at = L'\\';
    if (strcmp(path, ".") == 0)
        wide[begin] = L'\0';
    return wide;
}

wchar_t *heed__wide_path(int folder, const char *path)
{
    const int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, NULL, 0); /* with the NUL */
    if (length == 0) {
        (void)heed__errno_of(GetLastError());
        return NULL;
    }
    if (folder >= 0 && is_relative(path))
        return path_in(folder, path, length);
    wchar_t *wide = malloc((size_t)length * sizeof *wide);
    if (!wide) {
        errno = ENOMEM;
        return NULL;
    }
    (void)MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, length);
    return wide;
}
