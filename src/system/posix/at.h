/* system/posix/at.h - opening a path relative to a folder. */
#ifndef HEED_SYSTEM_POSIX_AT_H
#define HEED_SYSTEM_POSIX_AT_H

#include <fcntl.h>

#include "system/files.h"

static inline int heed__at(int folder)
{
    return folder == HEED_WORKING_FOLDER ? AT_FDCWD : folder;
}

/* openat with O_CLOEXEC, repeated if a signal interrupts it. */
int heed__open_at(int folder, const char *path, int flags, unsigned mode);

#endif
