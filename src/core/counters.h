/* core/counters.h - one thread's counters of blocks and bytes in use. */
#ifndef HEED_CORE_COUNTERS_H
#define HEED_CORE_COUNTERS_H

#include <stdatomic.h>
#include <stdint.h>

/* Counters are written by their own thread (a peak also by heed_memory_reset_peak) and read by any thread. They are
 * relaxed atomics without a locked instruction. One thread may free a block that a different thread allocated, so one
 * thread's counters can be negative; the sums over all threads are right. */
typedef struct heed__counters {
    _Atomic int64_t objects, bytes, peak_objects, peak_bytes, system_calls;
} heed__counters;

static inline int64_t heed__counter_load(_Atomic int64_t *value)
{
    return atomic_load_explicit(value, memory_order_relaxed);
}

static inline void heed__counter_bump(_Atomic int64_t *value, int64_t change)
{
    atomic_store_explicit(value, heed__counter_load(value) + change, memory_order_relaxed);
}

static inline void heed__counter_raise(_Atomic int64_t *peak, int64_t value)
{
    if (value > heed__counter_load(peak))
        atomic_store_explicit(peak, value, memory_order_relaxed);
}

static inline void heed__counters_add(heed__counters *sum, heed__counters *part)
{
    heed__counter_bump(&sum->objects, heed__counter_load(&part->objects));
    heed__counter_bump(&sum->bytes, heed__counter_load(&part->bytes));
    heed__counter_bump(&sum->peak_objects, heed__counter_load(&part->peak_objects));
    heed__counter_bump(&sum->peak_bytes, heed__counter_load(&part->peak_bytes));
    heed__counter_bump(&sum->system_calls, heed__counter_load(&part->system_calls));
}

static inline void heed__counters_restart(heed__counters *count)
{
    atomic_store_explicit(&count->peak_objects, heed__counter_load(&count->objects), memory_order_relaxed);
    atomic_store_explicit(&count->peak_bytes, heed__counter_load(&count->bytes), memory_order_relaxed);
}

static inline void heed__count_block(heed__counters *count, size_t bytes)
{
    int64_t objects = heed__counter_load(&count->objects) + 1,
            total = heed__counter_load(&count->bytes) + (int64_t)bytes;
    atomic_store_explicit(&count->objects, objects, memory_order_relaxed);
    atomic_store_explicit(&count->bytes, total, memory_order_relaxed);
    heed__counter_raise(&count->peak_objects, objects);
    heed__counter_raise(&count->peak_bytes, total);
}

static inline void heed__uncount_block(heed__counters *count, size_t bytes)
{
    heed__counter_bump(&count->objects, -1);
    heed__counter_bump(&count->bytes, -(int64_t)bytes);
}

#endif
