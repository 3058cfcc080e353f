/* core/lifetime.h - counting owners. Counts are atomic, but a locked instruction costs more than all else that is done
 * to a small tensor: none is used in a process that has never had a second thread, nor by a sole owner who gives up.
 */
#ifndef HEED_CORE_LIFETIME_H
#define HEED_CORE_LIFETIME_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "system/alone.h"

/* Too wide to be counted through. */
typedef _Atomic int64_t heed__owners;

static inline void heed__add_owner(heed__owners *refs)
{
    if (HEED_ALONE)
        atomic_store_explicit(refs, atomic_load_explicit(refs, memory_order_relaxed) + 1, memory_order_relaxed);
    else
        atomic_fetch_add_explicit(refs, 1, memory_order_relaxed);
}

/* How many owners there seem to be. With one left, nobody else can change that. */
static inline int64_t heed__count_owners(heed__owners *refs)
{
    return atomic_load_explicit(refs, memory_order_acquire);
}

/* Gives back one of so many; true when it has become the last meanwhile. */
static inline bool heed__drop_owner(heed__owners *refs, int64_t owners)
{
    if (!HEED_ALONE)
        return atomic_fetch_sub_explicit(refs, 1, memory_order_acq_rel) == 1;
    atomic_store_explicit(refs, owners - 1, memory_order_relaxed);
    return false;
}

/* Gives one count back; true when it was the last. */
static inline bool heed__last_owner(heed__owners *refs)
{
    int64_t owners = heed__count_owners(refs);
    return owners == 1 || heed__drop_owner(refs, owners);
}

#endif
