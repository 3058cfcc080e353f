/* core/thread.h - what the core keeps of each thread and looks at on every op: one call finds all of it. */
#ifndef HEED_CORE_THREAD_H
#define HEED_CORE_THREAD_H

#include <stdint.h>

#include <heed/module.h>
#include <heed/precision.h>
#include <heed/scope.h>

struct heed__node;

typedef struct heed__thread_state {
    heed_tensor **tensors; /* borrowed from the scopes that are open */
    size_t count, capacity;
    heed_scope *innermost;
    const char *guest;             /* whose function heed is calling; NULL while it calls none */
    const heed_scope *floor;       /* the innermost scope at that call: it and those around it stay open */
    const struct heed__node *rule; /* whose backward is running, if that is what `guest` names */
    const char *site;              /* where the program called, "train.c:42"; NULL: it does not say */
    const heed_module *module;     /* the innermost whose forward runs; NULL: none does */
    uint64_t clock;                /* number of the last node that this thread recorded */
    struct heed__draws *draws;     /* of the checkpointed function that runs; NULL: none does */
    heed_status status;            /* of the pending error */
    bool not_recording;
    heed_precision precision; /* of products */
    bool observing;           /* in an observer's function: nothing is told */
    int observed_depth;       /* observed ops and rules that are under way */
    int64_t nested;           /* nanoseconds of those that have ended inside the one under way */
} heed__thread_state;

heed__thread_state *heed__thread(void);

/* Hands an owned tensor to the innermost scope. False when the list is full: heed__borrow makes room. */
static inline bool heed__borrow_here(heed__thread_state *self, heed_tensor *owned)
{
    if (self->count == self->capacity)
        return false;
    self->tensors[self->count++] = owned; /* NOLINT(clang-analyzer-core.NullDereference): without a list both are 0 */
    return true;
}

/* heed_callback_begin and heed_callback_end, for what is done on every op. */
static inline heed_callback heed__callback_begin(heed__thread_state *self, const char *name)
{
    heed_callback before = {self->guest, self->floor, self->status, self->not_recording, self->precision};
    self->guest = name ? name : "a function";
    self->floor = self->innermost;
    return before;
}

static inline bool heed__callback_end(heed__thread_state *self, heed_callback before)
{
    self->guest = before.name;
    self->floor = before.floor;
    self->not_recording = before.not_recording;
    self->precision = before.precision;
    return self->status == HEED_OK || before.status != HEED_OK;
}

/* heed__callback_end for a function that frees memory of the program. Such a function runs in whatever call drops the
 * last owner of a tensor, which has not failed: an error that it leaves is forgotten, and debug mode gives a notice of
 * it. */
void heed__release_end(heed__thread_state *self, heed_callback before);

#endif
