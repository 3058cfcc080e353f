/* system/clock.h - wall-clock time and the calling thread's CPU time, in nanoseconds. */
#ifndef HEED_SYSTEM_CLOCK_H
#define HEED_SYSTEM_CLOCK_H

#include <stdint.h>
#include <time.h>

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

#endif
