/* core/observe.h - telling observers (heed/observe.h); for what they are told of. To be called where
 * heed__is_observed. */
#ifndef HEED_CORE_OBSERVE_H
#define HEED_CORE_OBSERVE_H

#include <heed/observe.h>

#include "core/hint.h"
#include "core/thread.h"
#include "core/watch.h"

/* Whether there is an observer, and this thread is not in one. */
static inline bool heed__is_observed(const heed__thread_state *self)
{
    return heed__is_watched(HEED_WATCH_OBSERVE) && !self->observing;
}

/* An op or a rule that is observed. */
typedef struct heed__observation {
    heed_event event;
    int64_t nested; /* what was nested around it so far */
    int depth;
} heed__observation;

/* Fills in where and when, and tells that it begins. False where an observer fails it. */
HEED_RARE bool heed__observe_begin(heed__thread_state *self, heed__observation *o);

/* Tells that it has ended; false where it has `failed`, or an observer fails it. */
HEED_RARE bool heed__observe_end(heed__thread_state *self, heed__observation *o, bool failed);

/* The same for the thread's module, which entry->began is set for. */
HEED_RARE void heed__observe_enter(heed__thread_state *self, heed_module_entry *entry);
HEED_RARE void heed__observe_leave(heed__thread_state *self, const heed_module_entry *entry);

/* The same for a worker's share, of the op or span of that name. */
HEED_RARE int64_t heed__observe_share_begin(const char *name);
HEED_RARE void heed__observe_share_end(const char *name, int64_t began);

#endif
