/* system/folders.h - folders. As in system/files.h, paths are relative to a folder, and a function that fails sets
 * errno. */
#ifndef HEED_SYSTEM_FOLDERS_H
#define HEED_SYSTEM_FOLDERS_H

/* Opens a folder in order to list it and to name files in it. */
int heed__open_folder(int at, const char *path);

/* Opens a folder only in order to name files in it, for which search permission is enough. Fails with EACCES also if
 * the system lacks such a mode. */
int heed__open_to_search(int at, const char *path);

/* A listing of a folder. heed__list takes over the descriptor, which heed__list_end closes; if it returns NULL, the
 * caller keeps it. */
typedef struct heed__listing heed__listing;
heed__listing *heed__list(int folder);
int heed__list_folder(heed__listing *list);
void heed__list_end(heed__listing *list);

/* Returns the next name, which is valid until the next call, or NULL after the last, with errno: 0 unless an error
 * occurred. */
const char *heed__list_next(heed__listing *list);
void heed__list_again(heed__listing *list);

#endif
