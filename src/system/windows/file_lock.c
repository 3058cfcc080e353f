/* system/windows/file_lock.c - locks by LockFileEx, on one byte far after the end of any file, because other processes
 * cannot read locked bytes. Folders cannot be locked. */

#include "system/windows/shared.h"

#include "system/file_lock.h"

#include <errno.h>

int heed__lock_file(int fd, heed__file_lock how)
{
    const DWORD exclusive = how == HEED_LOCK_EXCLUSIVE ? LOCKFILE_EXCLUSIVE_LOCK : 0;
    OVERLAPPED at = {.OffsetHigh = 0x7fffffff};
    if (how == HEED_UNLOCK ? UnlockFileEx(heed__handle(fd), 0, 1, 0, &at)
                           : LockFileEx(heed__handle(fd), LOCKFILE_FAIL_IMMEDIATELY | exclusive, 0, 1, 0, &at))
        return 0;
    const DWORD error = GetLastError();
    errno = error == ERROR_LOCK_VIOLATION || error == ERROR_IO_PENDING ? EWOULDBLOCK : ENOSYS;
    return -1;
}
