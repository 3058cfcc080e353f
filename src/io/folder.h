/* io/folder.h - the folder that a path's file is in, opened: what is done there needs no more than the file's own
 * name. */
#ifndef HEED_IO_FOLDER_H
#define HEED_IO_FOLDER_H

#include "system/file_lock.h"

/* Opens the folder of a path that leads on from the folder `at`, or HEED_WORKING_FOLDER. `room` holds the folder's own
 * path: min(strlen(path) + 1, HEED_PATH_MAX) bytes. A descriptor, or -1 with errno. */
int heed__folder_open(int at, const char *path, char *room);

/* For those who only name files there, a folder that may not be read will do: it is opened only to search it. */
int heed__folder_open_any(int at, const char *path, char *room);

/* Locks the folder, with HEED_LOCK_SHARED to list it and with HEED_LOCK_EXCLUSIVE to change it, so that a list has what
 * is there at one moment. It makes no promise: where a file system has no locks, or a process holds one for longer than
 * 0.2 s (it is stopped, or a program that locks folders for reasons of its own), the caller goes on without it. */
void heed__folder_lock(int folder, heed__file_lock how);
void heed__folder_unlock(int folder);

/* Sleeps a millisecond, for another process to finish what it is doing. */
void heed__folder_wait(void);

#endif
