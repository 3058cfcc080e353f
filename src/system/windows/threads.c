/* system/windows/threads.c - threads, by winpthreads. Windows lacks signals and forks. */

#include "system/windows/shared.h"

#include "system/threads.h"

#include <pthread.h>

/* Pins the library that contains the thread's function, so that it stays loaded. */
bool heed__start_thread(void *(*run)(void *))
{
    HMODULE library;
    pthread_t thread;
    (void)GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_PIN | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
                             (LPCWSTR)(uintptr_t)run, &library);
    return pthread_create(&thread, NULL, run, NULL) == 0 && pthread_detach(thread) == 0;
}

bool heed__at_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void))
{
    (void)before;
    (void)in_parent;
    (void)in_child;
    return true;
}

int heed__process_id(void)
{
    return (int)GetCurrentProcessId();
}
