/* system/system.h - services of the operating system apart from files (system/files.h): time, threads, processors,
 * memory, terminals and locales.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_SYSTEM_SYSTEM_H
#define HEED_SYSTEM_SYSTEM_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#if defined(_WIN32)
#include <malloc.h>
#endif

/* -- Time, in nanoseconds ------------------------------------------------------------------------------------------ */

static inline int64_t heed__nanoseconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline int64_t heed__nanoseconds(void)
{
    return heed__nanoseconds_of(CLOCK_MONOTONIC);
}

/* CPU time of the calling thread. Windows counts it in steps of 15 ms, too coarse for our measurements, so there this
 * is wall-clock time. */
static inline int64_t heed__thread_nanoseconds(void)
{
#ifdef _WIN32
    return heed__nanoseconds();
#else
    return heed__nanoseconds_of(CLOCK_THREAD_CPUTIME_ID);
#endif
}

/* -- Threads ------------------------------------------------------------------------------------------------------- */

/* The part of <pthread.h> and POSIX that some systems lack. Mutexes, condition variables and pthread_once come from
 * <pthread.h> everywhere. */

/* Starts a detached thread that calls run(context), with all signals blocked except those that it raises by itself.
 * `small_stack` requests a small stack if the system permits. Returns false if the thread could not be started. */
bool heed__start_thread(void *(*run)(void *), void *context, bool small_stack);

/* Registers functions to call around every fork, in the parent and in the child; any may be NULL. Returns false if
 * memory runs out. */
bool heed__at_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void));

/* The process ID of this process. */
int heed__process_id(void);

/* HEED_SINGLE_THREADED: true if this process certainly never had a second thread. */
#if defined(__has_include) && !defined(HEED_POSIX_ONLY)
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define HEED_SINGLE_THREADED (__libc_single_threaded != 0)
#endif
#endif
#ifndef HEED_SINGLE_THREADED
#define HEED_SINGLE_THREADED 0
#endif

/* -- Processors ---------------------------------------------------------------------------------------------------- */

/* The number of processors that the calling thread may run on, limited by the CPU quota of the process's control
 * groups; at least 1. */
int heed__processors(void);

/* The CPU quota in processors, rounded up, that the control group files under `mount` set for the groups listed in the
 * file `groups`, which has the format of /proc/self/cgroup; INT_MAX if they set no limit. */
int heed__processors_of_groups(const char *groups, const char *mount);

/* Requests the matrix unit's registers, AMX's tiles. Returns whether all threads of the process may use them from now
 * on. Linux refuses if a thread has an alternate signal stack that is too small for them; after it has agreed, it
 * refuses such stacks. */
bool heed__request_matrix_unit(void);

/* -- Memory -------------------------------------------------------------------------------------------------------- */

/* Allocates from the C library a block whose address is divisible by `alignment`, a power of two. */
#if defined(_WIN32)
static inline void *heed__aligned(size_t alignment, size_t size)
{
    return _aligned_malloc(size, alignment);
}

static inline void heed__aligned_free(void *block)
{
    _aligned_free(block);
}
#else
static inline void *heed__aligned(size_t alignment, size_t size)
{
    return aligned_alloc(alignment, size);
}

static inline void heed__aligned_free(void *block)
{
    free(block);
}
#endif

/* Huge pages pay from two of them on: fewer page faults at the first write, and fewer TLB misses whenever a kernel
 * walks through the block. */
#define HEED_HUGE_PAGE ((size_t)2 << 20)

/* Asks for huge pages for an allocated block whose address is divisible by HEED_HUGE_PAGE. The block works without them
 * as well. */
void heed__advise_huge_pages(void *block, size_t size);

/* -- Terminals ----------------------------------------------------------------------------------------------------- */

bool heed__is_terminal(FILE *file);

/* Gets the rows and columns of a terminal; false if they are unknown, for example because the file is not a
 * terminal. */
bool heed__terminal_size(FILE *file, int *rows, int *columns);

/* Writes to standard error directly, bypassing the C library's streams and locks, so that it may be called at any
 * point. Errors are ignored, as they could not be reported. */
void heed__write_stderr(const char *text, size_t size);

/* -- Locales ------------------------------------------------------------------------------------------------------- */

typedef struct heed__c_locale {
#if defined(_WIN32)
    int per_thread;   /* the previous setting of _configthreadlocale */
    char before[128]; /* the thread's previous LC_NUMERIC locale */
#else
    locale_t c, before;
#endif
} heed__c_locale;

/* Until heed__c_locale_end, the calling thread, and only this thread, reads and writes numbers with '.' as the decimal
 * point. Returns false if memory runs out. */
bool heed__c_locale_begin(heed__c_locale *locale);
void heed__c_locale_end(heed__c_locale *locale);

#endif
