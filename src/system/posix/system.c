/* system/posix/system.c - threads, processors, memory, terminals and locales, by POSIX and Linux.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "system/posix/more.h"

#include "system/system.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#if HEED_AFFINITY
#include <sched.h>
#endif
#include <signal.h>
#include <string.h>
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
bool heed__start_thread(void *(*run)(void *), void *context, bool small_stack)
{
    pthread_attr_t small;
    if (pthread_attr_init(&small) != 0)
        return false;
    sigset_t blocked = asynchronous_signals(), before;
    pthread_attr_setstacksize(&small, STACK_BYTES);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    pthread_t thread;
    int failed = small_stack ? pthread_create(&thread, &small, run, context) : EINVAL;
    if (failed == EINVAL)
        failed = pthread_create(&thread, NULL, run, context);
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

/* -- Processors ---------------------------------------------------------------------------------------------------- */

/* The number of processors is limited by the affinity mask and by the CPU quota of control groups, version 1 (the
 * folder "cpu") and version 2. */

enum { PATH_BYTES = 768 };

static int allowed_by_affinity(void)
{
#if HEED_AFFINITY
    cpu_set_t set[8]; /* for 8,192 processors */
    if (sched_getaffinity(0, sizeof set, set) == 0)
        return CPU_COUNT_S(sizeof set, set);
#endif
    const long online = sysconf(_SC_NPROCESSORS_ONLN); /* not in POSIX, but in all systems that implement it */
    return online < 1 ? 1 : online > INT_MAX ? INT_MAX : (int)online;
}

/* Reads up to two numbers from the beginning of the file; returns how many were read. */
static int read_quota(const char *folder, const char *name, long long numbers[2])
{
    char path[PATH_BYTES];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return 0;
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    const int count = fscanf(file, "%lld %lld", &numbers[0], &numbers[1]);
    fclose(file);
    return count < 0 ? 0 : count;
}

/* The number of processors that `quota` microseconds per `period` correspond to, rounded up. Without a limit the quota
 * is "max" or -1. */
static int limit_of_folder(const char *folder)
{
    long long quota[2], period[2];
    if (read_quota(folder, "cpu.max", quota) == 2)
        period[0] = quota[1];
    else if (read_quota(folder, "cpu.cfs_quota_us", quota) < 1 || read_quota(folder, "cpu.cfs_period_us", period) < 1)
        return INT_MAX;
    if (quota[0] <= 0 || period[0] <= 0)
        return INT_MAX;
    const long long processors = (quota[0] - 1) / period[0] + 1;
    return processors > INT_MAX ? INT_MAX : (int)processors;
}

/* The smallest limit of a group and all its ancestors. A container may see its own group as the mount, under which the
 * path does not exist. */
static int limit_of_group(const char *mount, char *path)
{
    char folder[PATH_BYTES];
    for (int least = INT_MAX;;) {
        if (snprintf(folder, sizeof folder, "%s%s", mount, path) < (int)sizeof folder) {
            const int limit = limit_of_folder(folder);
            least = limit < least ? limit : least;
        }
        char *last = strrchr(path, '/');
        if (!last)
            return least;
        *last = '\0';
    }
}

/* True if "cpu" is in a list such as "cpu,cpuacct". */
static bool names_cpu(const char *controllers)
{
    for (const char *at = controllers; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, "cpu", 3) == 0 && (at[3] == ',' || at[3] == '\0'))
            return true;
    }
    return false;
}

/* Lines have the form ID:CONTROLLERS:PATH; CONTROLLERS is empty in version 2. */
int heed__processors_of_groups(const char *groups, const char *mount)
{
    char line[PATH_BYTES], folder[PATH_BYTES];
    int least = INT_MAX;
    FILE *file = fopen(groups, "re");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *path = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!path)
            continue;
        *path++ = '\0';
        const bool first_version = names_cpu(controllers + 1);
        if (!first_version && controllers[1] != '\0')
            continue;
        if (snprintf(folder, sizeof folder, "%s%s", mount, first_version ? "/cpu" : "") >= (int)sizeof folder)
            continue;
        const int limit = limit_of_group(folder, path);
        least = limit < least ? limit : least;
    }
    if (file)
        fclose(file);
    return least;
}

int heed__processors(void)
{
    const int affinity = allowed_by_affinity(),
              quota = heed__processors_of_groups("/proc/self/cgroup", "/sys/fs/cgroup");
    return affinity < quota ? affinity : quota;
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
