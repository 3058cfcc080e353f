/* system/folders.h - folders that may not be listed. */
#ifndef HEED_SYSTEM_FOLDERS_H
#define HEED_SYSTEM_FOLDERS_H

/* Opens a folder, from the folder `at`, for no more than naming files in it: that it may be searched is enough. -1 with
 * errno: EACCES, too, where the system has no such way. */
int heed__open_to_search(int at, const char *path);

#endif
