/* system/posix/threads.c - threads and forks, by pthread. */

#include "system/threads.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

/* Kernels need little stack, and many stacks of the default size could exhaust a limited address space. */
#define STACK_BYTES (256 * 1024)

/* All signals except those that a thread raises by itself, for which the host program may have handlers. */
static sigset_t asynchronous_signals(void)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    sigset_t set;
    sigfillset(&set);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        sigdelset(&set, own[i]);
    return set;
}

/* Uses a stack of the default size if the system refuses STACK_BYTES, because the host program's thread-local data also
 * lives on the stack. */
bool heed__start_thread(void *(*run)(void *))
{
    pthread_attr_t small;
    if (pthread_attr_init(&small) != 0)
        return false;
    sigset_t blocked = asynchronous_signals(), before;
    pthread_attr_setstacksize(&small, STACK_BYTES);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    pthread_t thread;
    int failed = pthread_create(&thread, &small, run, NULL);
    if (failed == EINVAL)
        failed = pthread_create(&thread, NULL, run, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&small);
    return failed == 0 && pthread_detach(thread) == 0;
}

bool heed__at_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void))
{
    return pthread_atfork(before, in_parent, in_child) == 0;
}

int heed__process_id(void)
{
    return (int)getpid();
}
