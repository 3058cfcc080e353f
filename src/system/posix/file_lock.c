/* system/posix/file_lock.c - flock. POSIX's own locks would be the process's: one thread that closes a file lets go of
 * what another one has locked. */

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
