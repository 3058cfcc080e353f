/* system/threads.h - threads of the library's own, forks, and processes: what <pthread.h> has not on every system.
 * Locks, conditions and what is done once are pthread's everywhere. */
#ifndef HEED_SYSTEM_THREADS_H
#define HEED_SYSTEM_THREADS_H

#include <stdbool.h>

/* Starts a thread that calls run(NULL). It is detached, on a small stack where the system lets it, and leaves to the
 * host's threads all signals but those that it brings on itself. False where it could not be started. */
bool heed__start_thread(void *(*run)(void *));

/* What is called around each fork, in the parent and in the child; any may be NULL. False where there is no room. */
bool heed__at_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void));

/* The number of this process. */
int heed__process_number(void);

#endif
