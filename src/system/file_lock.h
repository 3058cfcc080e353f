/* system/file_lock.h - locks on open files and folders, which other processes keep to that ask for them. */
#ifndef HEED_SYSTEM_FILE_LOCK_H
#define HEED_SYSTEM_FILE_LOCK_H

typedef enum heed__file_lock { HEED_UNLOCK, HEED_LOCK_SHARED, HEED_LOCK_ALONE } heed__file_lock;

/* Locks what the descriptor is open on, or lets it go, without waiting. The lock belongs to the opened file, with all
 * copies of its descriptor, and goes with the last of them, at the latest when the process ends. 0, or -1 with errno:
 * EWOULDBLOCK where another has it, EINTR, and others, such as ENOSYS, where there are no locks. */
int heed__lock_file(int fd, heed__file_lock how);

#endif
