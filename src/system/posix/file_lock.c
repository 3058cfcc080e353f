/* system/posix/file_lock.c - locks by flock. POSIX's record locks belong to the process: a thread that closes a file
 * would release the lock of a different thread. */

#include "system/posix/more.h"

#include "system/file_lock.h"

#include <errno.h>
#if HEED_FLOCK
#include <sys/file.h>
#endif

int heed__lock_file(int fd, heed__file_lock how)
{
#if HEED_FLOCK
    static const int operations[] = {LOCK_UN, LOCK_SH | LOCK_NB, LOCK_EX | LOCK_NB};
    return flock(fd, operations[how]);
#else
    (void)fd;
    (void)how;
    errno = ENOSYS;
    return -1;
#endif
}
