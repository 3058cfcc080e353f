/* system/posix/system.c - time, threads, memory, terminals and locales, by POSIX and Linux. */

#include "system/posix/more.h"

#include "system/system.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#if HEED_TERMINAL_SIZE
#include <sys/ioctl.h>
#endif
#if HEED_HUGE_PAGES
#include <sys/mman.h>
#endif
#if HEED_MATRIX_UNIT
#include <sys/syscall.h>
#endif
#include <unistd.h>

/* -- Threads ------------------------------------------------------------------------------------------------------- */

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

/* Tries a stack of STACK_BYTES. The system refuses it if the host program has too much thread-local data, which also
 * lives on the stack; the thread then gets a stack of the default size. */
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

/* -- The matrix unit ----------------------------------------------------------------------------------------------- */

bool heed__request_matrix_unit(void)
{
#if HEED_MATRIX_UNIT
    enum { REQUEST_PERMISSION = 0x1023, TILE_DATA = 18 }; /* ARCH_REQ_XCOMP_PERM of asm/prctl.h, since Linux 5.16 */
    return syscall(SYS_arch_prctl, REQUEST_PERMISSION, TILE_DATA) == 0;
#else
    return false;
#endif
}

/* -- Huge pages ---------------------------------------------------------------------------------------------------- */

void heed__advise_huge_pages(void *block, size_t size)
{
#if HEED_HUGE_PAGES
    (void)madvise(block, size, MADV_HUGEPAGE);
#else
    (void)block;
    (void)size;
#endif
}

/* -- Terminals ----------------------------------------------------------------------------------------------------- */

bool heed__is_terminal(FILE *file)
{
    return isatty(fileno(file));
}

bool heed__terminal_size(FILE *file, int *rows, int *columns)
{
#if HEED_TERMINAL_SIZE
    struct winsize size = {.ws_row = 0};
    if (ioctl(fileno(file), TIOCGWINSZ, &size) == 0) {
        *rows = size.ws_row;
        *columns = size.ws_col;
        return true;
    }
#endif
    (void)file;
    *rows = *columns = 0;
    return false;
}

void heed__write_stderr(const char *text, size_t size)
{
    ssize_t written = write(STDERR_FILENO, text, size);
    (void)written;
}

/* -- Locales ------------------------------------------------------------------------------------------------------- */

/* uselocale affects only the calling thread. (strtod_l would not need a change of locale, but is not in POSIX;
 * setlocale would affect every thread.) */
bool heed__c_locale_begin(heed__c_locale *locale)
{
    locale->c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (locale->c == (locale_t)0)
        return false;
    locale->before = uselocale(locale->c);
    return true;
}

void heed__c_locale_end(heed__c_locale *locale)
{
    (void)uselocale(locale->before);
    freelocale(locale->c);
}
