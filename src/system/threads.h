/* system/threads.h - threads that the library starts, fork handlers and the process number: the part of <pthread.h> and
 * POSIX that some systems lack. Mutexes, condition variables and pthread_once come from <pthread.h> everywhere. */
#ifndef HEED_SYSTEM_THREADS_H
#define HEED_SYSTEM_THREADS_H

#include <stdbool.h>

/* Starts a detached thread that calls run(NULL), on a small stack if the system permits, with all signals blocked
 * except those that it raises by itself. Returns false if the thread could not be started. */
bool heed__start_thread(void *(*run)(void *));

/* Registers functions to call around every fork, in the parent and in the child; any may be NULL. Returns false if
 * memory runs out. */
bool heed__at_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void));

/* The process ID of this process. */
int heed__process_id(void);

#endif
