/* system/folders.h - folders. As for files (system/files.h), paths lead on from a folder, and errno says what has
 * failed. */
#ifndef HEED_SYSTEM_FOLDERS_H
#define HEED_SYSTEM_FOLDERS_H

/* Opens a folder, to list it and to name files in it. */
int heed__open_folder(int at, const char *path);

/* Opens one for no more than naming files in it: that it may be searched is enough. EACCES, too, where the system has
 * no such way. */
int heed__open_to_search(int at, const char *path);

/* A folder that is being gone through. heed__list takes over the descriptor, which heed__list_end closes; NULL: it does
 * not. */
typedef struct heed__listing heed__listing;
heed__listing *heed__list(int folder);
int heed__list_folder(heed__listing *list);
void heed__list_end(heed__listing *list);

/* The next name, which is there until the next call; NULL after the last, with errno, which is 0 unless something
 * failed. */
const char *heed__list_next(heed__listing *list);
void heed__list_again(heed__listing *list);

#endif
