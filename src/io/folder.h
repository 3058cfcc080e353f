/* io/folder.h - opens and locks the folder that contains a file. Functions that take an open folder need only the
 * file's own name, without the path. */
#ifndef HEED_IO_FOLDER_H
#define HEED_IO_FOLDER_H

#include "system/files.h"

/* Opens the folder of a path relative to the folder `at`, or to HEED_WORKING_FOLDER. `buffer` receives
 * the folder's path and has min(strlen(path) + 1, HEED_PATH_MAX) bytes. Returns a descriptor, or -1 with errno. */
int heed__folder_open(int at, const char *path, char *buffer);

/* Opens the folder as heed__folder_open does, but if the process may not list it, opens it only for searching. That is
 * enough to access files by name. */
int heed__folder_open_any(int at, const char *path, char *buffer);

/* Locks the folder, with HEED_LOCK_SHARED to list it and with HEED_LOCK_EXCLUSIVE to change it, so that a listing shows
 * its content at one moment. The lock is not guaranteed: the function returns without it if the file system lacks
 * locks, or if a different process holds a lock for longer than 0.2 s (because it is stopped, or locks folders for a
 * different purpose). */
void heed__folder_lock(int folder, heed__file_lock mode);
void heed__folder_unlock(int folder);

/* Sleeps a millisecond to let another process finish. */
void heed__folder_wait(void);

#endif
