/* system/windows/names.c - file names in paths; the separators are '\', '/' and the ':' of a drive. */

#include "system/windows/shared.h"

#include "system/names.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const char *heed__name_in(const char *path)
{
    const char *name = path;
    for (const char *at = path; *at; at++)
        if (*at == '/' || *at == '\\' || (*at == ':' && at == path + 1))
            name = at + 1;
    return name;
}

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
