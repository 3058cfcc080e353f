/* system/windows/here.h - what the files of this folder share: handles, paths in UTF-16, errors as errnos. */
#ifndef HEED_SYSTEM_WINDOWS_HERE_H
#define HEED_SYSTEM_WINDOWS_HERE_H

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

/* What a descriptor of the C library stands for. */
static inline HANDLE heed__handle(int fd)
{
    return (HANDLE)_get_osfhandle(fd);
}

/* A descriptor for a handle, which is closed where there is none. -1 with errno, also for INVALID_HANDLE_VALUE. */
int heed__descriptor(HANDLE handle);

/* The path from a folder, to be freed with free(). NULL with errno. */
wchar_t *heed__wide_path(int folder, const char *path);

/* CreateFileW of what is there, for everybody else to do with as they like; folders are opened, too. -1 with errno. */
int heed__open_as(int folder, const char *path, DWORD access, DWORD flags);

/* Sets errno to what a Windows error means. Always false. */
int heed__errno_of(DWORD error);

#endif
