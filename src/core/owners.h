/* core/owners.h - reference counting. Counts are atomic, but a locked instruction costs more than all other work on a
 * small tensor. Locked instructions are therefore avoided in a process that has never had a second thread, and by a
 * sole owner that releases its reference.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_CORE_OWNERS_H
#define HEED_CORE_OWNERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "system/system.h"

/* 64 bits: too wide to overflow by counting. */
typedef _Atomic int64_t heed__owners;

static inline void heed__add_owner(heed__owners *refs)
{
    if (HEED_SINGLE_THREADED)
        atomic_store_explicit(refs, atomic_load_explicit(refs, memory_order_relaxed) + 1, memory_order_relaxed);
    else
        atomic_fetch_add_explicit(refs, 1, memory_order_relaxed);
}

/* Returns the apparent number of owners. If it is 1, the caller is the owner and no other thread can change it. */
static inline int64_t heed__count_owners(heed__owners *refs)
{
    return atomic_load_explicit(refs, memory_order_acquire);
}

/* Drops one of `owners` references. Returns true if it has become the last one in the meantime. */
static inline bool heed__drop_owner(heed__owners *refs, int64_t owners)
{
    if (!HEED_SINGLE_THREADED)
        return atomic_fetch_sub_explicit(refs, 1, memory_order_acq_rel) == 1;
    atomic_store_explicit(refs, owners - 1, memory_order_relaxed);
    return false;
}

/* Drops a reference. Returns true if it was the last one. */
static inline bool heed__last_owner(heed__owners *refs)
{
    int64_t owners = heed__count_owners(refs);
    return owners == 1 || heed__drop_owner(refs, owners);
}

#endif
