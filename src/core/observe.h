/* core/observe.h - calls to observers (see heed/observe.h for the events). Call these functions only if
 * heed__is_observed. */
#ifndef HEED_CORE_OBSERVE_H
#define HEED_CORE_OBSERVE_H

#include <heed/observe.h>

#include "core/attributes.h"
#include "core/instrumentation.h"
#include "core/thread.h"

/* Returns true if an observer is registered and this thread is not running one. */
static inline bool heed__is_observed(const heed__thread_state *self)
{
    return heed__is_instrumented(HEED_INSTRUMENT_OBSERVE) && !self->observing;
}

/* An observed op or rule. */
typedef struct heed__observation {
    heed_event event;
    int64_t nested; /* nested time of the enclosing event until now */
    int depth;
} heed__observation;

/* Sets the source line, module and time, and reports the beginning. Returns false if an observer fails. */
HEED_COLD bool heed__observe_begin(heed__thread_state *self, heed__observation *o);

/* Reports the end. Returns false if `failed`, or if an observer fails. */
HEED_COLD bool heed__observe_end(heed__thread_state *self, heed__observation *o, bool failed);

/* Report the beginning and end of the thread's module; entry->began is set by the first and read by the second. */
HEED_COLD void heed__observe_enter(heed__thread_state *self, heed_module_entry *entry);
HEED_COLD void heed__observe_leave(heed__thread_state *self, const heed_module_entry *entry);

/* Report the beginning and end of a worker's task: its part of the named op's or span's work. */
HEED_COLD int64_t heed__observe_task_begin(const char *name);
HEED_COLD void heed__observe_task_end(const char *name, int64_t began);

#endif
