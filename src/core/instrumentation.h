/* core/instrumentation.h - global switches of debug mode and observers. When they are on, ops, nodes and blocks record
 * additional data. When they are off, every check costs one predictable branch. */
#ifndef HEED_CORE_INSTRUMENTATION_H
#define HEED_CORE_INSTRUMENTATION_H

#include <stdatomic.h>
#include <stdbool.h>

enum {
    HEED_INSTRUMENT_DEBUG = 1 << 0,   /* debug mode */
    HEED_INSTRUMENT_OBSERVE = 1 << 1, /* an observer of ops is registered */
    HEED_INSTRUMENT_ANY = HEED_INSTRUMENT_DEBUG | HEED_INSTRUMENT_OBSERVE,
};

extern atomic_uint heed__instrumentation; /* for all threads */

static inline bool heed__is_instrumented(unsigned what)
{
#if defined(__GNUC__)
    return __builtin_expect((atomic_load_explicit(&heed__instrumentation, memory_order_relaxed) & what) != 0, 0);
#else
    return (atomic_load_explicit(&heed__instrumentation, memory_order_relaxed) & what) != 0;
#endif
}

static inline void heed__set_instrumentation(unsigned what, bool on)
{
    if (on)
        atomic_fetch_or(&heed__instrumentation, what);
    else
        atomic_fetch_and(&heed__instrumentation, ~what);
}

#endif
