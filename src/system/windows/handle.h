/* system/windows/handle.h - the headers of Windows, and the handles of descriptors.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_SYSTEM_WINDOWS_HANDLE_H
#define HEED_SYSTEM_WINDOWS_HANDLE_H

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

#endif
