/* system/clock.h - time in nanoseconds: what passes, and what of it the calling thread has had a processor. */
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

static inline int64_t heed__thread_nanoseconds(void)
{
    return heed__nanoseconds_of(CLOCK_THREAD_CPUTIME_ID);
}

#endif
