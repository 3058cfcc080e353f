/* core/watch.h - global switches of debug mode and observers. When they are on, ops, nodes and blocks record additional
 * data. When they are off, every check costs one predictable branch. */
#ifndef HEED_CORE_WATCH_H
#define HEED_CORE_WATCH_H

#include <stdatomic.h>
#include <stdbool.h>

enum {
    HEED_WATCH_DEBUG = 1 << 0,   /* debug mode */
    HEED_WATCH_OBSERVE = 1 << 1, /* an observer of ops is registered */
    HEED_WATCH_ANY = HEED_WATCH_DEBUG | HEED_WATCH_OBSERVE,
};

extern atomic_uint heed__watched; /* for all threads */

static inline bool heed__is_watched(unsigned what)
{
#if defined(__GNUC__)
    return __builtin_expect((atomic_load_explicit(&heed__watched, memory_order_relaxed) & what) != 0, 0);
#else
    return (atomic_load_explicit(&heed__watched, memory_order_relaxed) & what) != 0;
#endif
}

static inline void heed__watch(unsigned what, bool on)
{
    if (on)
        atomic_fetch_or(&heed__watched, what);
    else
        atomic_fetch_and(&heed__watched, ~what);
}

#endif
