/* tests/windows.h - POSIX functions that tests use and the C library of mingw-w64 lacks. CMake includes it in every
 * test, only on Windows.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_WINDOWS_H
#define TESTS_WINDOWS_H

#include <io.h>
#include <stdlib.h>

static inline char *mkdtemp(char *name)
{
    return _mktemp(name) && mkdir(name) == 0 ? name : NULL;
}

static inline int setenv(const char *name, const char *value, int overwrite)
{
    return !overwrite && getenv(name) ? 0 : _putenv_s(name, value);
}

static inline int unsetenv(const char *name)
{
    return _putenv_s(name, "");
}

#endif
