/* system/file_lock.h - advisory locks on open files and folders. */
#ifndef HEED_SYSTEM_FILE_LOCK_H
#define HEED_SYSTEM_FILE_LOCK_H

typedef enum heed__file_lock { HEED_UNLOCK, HEED_LOCK_SHARED, HEED_LOCK_EXCLUSIVE } heed__file_lock;

/* Locks the file or folder that the descriptor is open on, or unlocks it, without waiting. The lock belongs to the open
 * file description: it is shared by all copies of the descriptor and ends when the last of them is closed, at the
 * latest when the process ends. Returns 0, or -1 with errno: EWOULDBLOCK if another process holds the lock, EINTR, or
 * others, such as ENOSYS if the system lacks such locks. */
int heed__lock_file(int fd, heed__file_lock how);

#endif
