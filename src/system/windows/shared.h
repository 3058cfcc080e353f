/* system/windows/shared.h - handles, paths in UTF-16, and Windows errors as errno. */
#ifndef HEED_SYSTEM_WINDOWS_SHARED_H
#define HEED_SYSTEM_WINDOWS_SHARED_H

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>
#undef near
#undef far

#include <stdint.h>
#include <sys/types.h>

#define NO_OLDNAMES /* such as tell */
#include <io.h>
#undef NO_OLDNAMES

/* The Windows handle of a descriptor of the C library. */
static inline HANDLE heed__handle(int fd)
{
    return (HANDLE)_get_osfhandle(fd);
}

/* Returns the path from a folder, to be freed with free(), or NULL with errno. */
wchar_t *heed__wide_path(int folder, const char *path);

/* Sets errno to the equivalent of a Windows error. Always returns 0, for false. */
int heed__errno_of(DWORD error);

#endif
