/* core/instrumentation.h - hooks of debug mode (core/debug.c) and of observers (core/observe.c), which lie above all
 * files that call them. The hooks are registered only while debug mode is on or the program has an observer. Otherwise
 * every check costs one predictable branch.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_CORE_INSTRUMENTATION_H
#define HEED_CORE_INSTRUMENTATION_H

#include <stdatomic.h>

#include <heed/observe.h>

#include "core/thread.h"

/* Attributes that keep rarely executed code, such as calls of hooks, out of fast paths. */
#if defined(__GNUC__)
#define HEED_COLD __attribute__((cold, noinline))
/* For a function whose call is often skipped: its caller stays short and needs no stack frame. */
#define HEED_NOINLINE __attribute__((noinline))
#define HEED_RARELY(condition) __builtin_expect(!!(condition), 0)
#else
#define HEED_COLD
#define HEED_NOINLINE
#define HEED_RARELY(condition) (condition)
#endif

/* The type of a block, for debug mode. */
typedef enum heed__block_kind { HEED_BLOCK_PLAIN, HEED_BLOCK_TENSOR, HEED_BLOCK_NODE } heed__block_kind;

#define HEED_DESCRIPTION_MAX 384 /* bytes of the description of a block */

typedef struct heed__debugger {
    /* Records a newly allocated block. */
    void (*allocated)(void *block, size_t bytes, heed__block_kind kind, const char *where);

    /* Returns whether the block may be freed; false after heed_fail. */
    bool (*may_free)(void *block, size_t bytes);

    /* Quarantines a freed block. Its memory returns to the allocator when newer freed blocks push it out. */
    void (*quarantine)(void *block, size_t bytes);
    void (*empty_quarantine)(void);

    /* Records that a tensor is freed while its block stays allocated for the elements. */
    void (*tensor_freed)(heed_tensor *t);

    /* Writes the description of a freed block or tensor; "" if it is unknown. */
    void (*describe_freed)(const void *address, char *text, size_t size);

    /* Records that the scope begun at that line ends while it holds these tensors. */
    void (*scope_ends)(heed_tensor *const *tensors, size_t n, const char *begun);

    /* Reports once if the root scope holds many tensors, and where most of them come from. */
    void (*root_grows)(heed_tensor *const *tensors, size_t n);

    /* Empties the quarantine and reports all blocks still in use. */
    void (*process_ends)(void);
} heed__debugger;

/* An observed op or rule. */
typedef struct heed__observation {
    heed_event event;
    int64_t nested; /* nested time of the enclosing event until now */
    int depth;
} heed__observation;

typedef struct heed__observers {
    /* Sets the source line, module and time of an op or rule, and reports its beginning. Returns false if an observer
     * fails. */
    bool (*op_begins)(heed__thread_state *self, heed__observation *o);

    /* Reports the end. Returns false if `failed`, or if an observer fails. */
    bool (*op_ends)(heed__thread_state *self, heed__observation *o, bool failed);

    /* Report the beginning and end of the thread's module; entry->began is set by the first and read by the second. */
    void (*module_begins)(heed__thread_state *self, heed_entry *entry);
    void (*module_ends)(heed__thread_state *self, const heed_entry *entry);

    /* Report the beginning and end of a task: a worker's part of the named op's or span's work. */
    int64_t (*task_begins)(const char *name);
    void (*task_ends)(const char *name, int64_t began);
} heed__observers;

/* For all threads; NULL if debug mode is off or without observers. Their hooks are constants and stay valid. */
extern _Atomic(const heed__debugger *) heed__registered_debugger;
extern _Atomic(const heed__observers *) heed__registered_observers;

static inline const heed__debugger *heed__debugger_if_on(void)
{
    const heed__debugger *debugger = atomic_load_explicit(&heed__registered_debugger, memory_order_relaxed);
    return HEED_RARELY(debugger) ? debugger : NULL;
}

static inline const heed__observers *heed__observers_if_any(void)
{
    const heed__observers *observers = atomic_load_explicit(&heed__registered_observers, memory_order_relaxed);
    return HEED_RARELY(observers) ? observers : NULL;
}

/* Returns NULL also while this thread runs an observer, whose ops are not reported. */
static inline const heed__observers *heed__observers_of(const heed__thread_state *self)
{
    const heed__observers *observers = heed__observers_if_any();
    return observers && !self->observing ? observers : NULL;
}

/* Guards debug mode's tables and the handler of notices. A fork waits for it. */
void heed__instrumentation_lock(void);
void heed__instrumentation_unlock(void);

/* Begins debug mode if HEED_DEBUG asks for it. Only the first call has an effect; it must precede the first allocation.
 * In core/debug.c: the only function that is above its callers. */
void heed__debug_first_use(void);

/* Gives a notice to the program's handler or, if HEED_DEBUG asked for debug mode, to standard error. Returns false if
 * it was discarded. */
bool heed__notice(const char *format, ...) HEED_PRINTF(1, 2);
void heed__notices_to_stderr(void);

#endif
