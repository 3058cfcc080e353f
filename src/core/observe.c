/* core/observe.c - registers observers and calls them.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/observe.h>

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "core/instrumentation.h"
#include "system/system.h"

/* A slot for an observer. Observers are called without a lock: the caller first increments `inside` and then reads
 * `on`, whereas the remover first clears `on` and then waits until `inside` is 0. */
typedef struct observer_slot {
    atomic_int on;     /* 0 or 1, in an int: RISC-V lacks an instruction that exchanges a byte */
    atomic_int inside; /* threads in the observer's functions */
    int64_t id;        /* 0 if the slot is free. Guarded by the lock, as is `observer` while `on` is 0 */
    heed_observer observer;
} observer_slot;

static struct {
    pthread_mutex_t lock;
    pthread_cond_t left;
    int64_t last_id;
    int count;
    observer_slot slots[HEED_MAX_OBSERVERS];
} all = {.lock = PTHREAD_MUTEX_INITIALIZER, .left = PTHREAD_COND_INITIALIZER};

/* -- Fork: threads that were in an observer do not exist in the child ---------------------------------------------- */

static void observers_in_child(void)
{
    pthread_mutex_init(&all.lock, NULL);
    pthread_cond_init(&all.left, NULL);
    for (int i = 0; i < HEED_MAX_OBSERVERS; i++)
        atomic_store(&all.slots[i].inside, 0);
}

__attribute__((constructor)) static void observers_at_load(void)
{
    (void)heed__at_fork(NULL, NULL, observers_in_child);
}

/* -- Calling observers --------------------------------------------------------------------------------------------- */

static void leave_slot(observer_slot *at)
{
    if (atomic_fetch_sub(&at->inside, 1) != 1 || atomic_load(&at->on))
        return;
    pthread_mutex_lock(&all.lock); /* so that a waiting thread either has yet to check `inside` or gets the broadcast */
    pthread_cond_broadcast(&all.left);
    pthread_mutex_unlock(&all.lock);
}

/* Returns the op's count. The count of a convolution depends on its padding, so ops/conv limits it; all other counts
 * are at most 8 times the product of the sizes of two inputs. INT64_MAX stands for a count that might overflow: only
 * expanded or empty tensors have such sizes. */
static int64_t count_multiply_adds(const heed_call *call)
{
    double largest = 1, second = 1;
    for (int i = 0; i < call->n_inputs; i++) {
        const heed_shape shape = heed_call_shape(call, i);
        double size = 1; /* an empty axis counts as 1, because an op may multiply only the other axes */
        for (int axis = 0; axis < shape.rank; axis++)
            size *= fmax((double)shape.dims[axis], 1);
        second = fmax(second, fmin(largest, size));
        largest = fmax(largest, size);
    }
    return largest * second < 0x1p59 ? call->op->multiply_adds(call) : INT64_MAX;
}

/* Sets the fields that only observers read. `path` has the capacity for the path of the event's module. */
static void complete_event(heed_event *event, char *path, size_t size)
{
    const bool counts = event->call && (event->kind == HEED_EVENT_FORWARD || event->fused);
    event->multiply_adds = counts && event->call->op->multiply_adds ? count_multiply_adds(event->call) : 0;
    if (event->module_path)
        return;
    heed__module_path(event->module, path, size);
    event->module_path = path;
}

/* Calls all observers. Returns false if one of them leaves an error; its message begins with the op's name. */
static bool call_observers(heed__thread_state *self, heed_event *event, bool ended)
{
    HEED_ENTER(event->name);
    const char *const recorded_path = event->module_path;
    char path[HEED_MODULE_PATH_MAX];
    const heed_callback before = heed__callback_begin(self, "an observer");
    const size_t mark = heed__scope_mark();
    self->observing = true;
    self->not_recording = true;
    for (int i = 0; i < HEED_MAX_OBSERVERS; i++) {
        observer_slot *at = &all.slots[i];
        if (!atomic_load_explicit(&at->on, memory_order_relaxed))
            continue;
        atomic_fetch_add(&at->inside, 1);
        if (atomic_load(&at->on)) {
            void (*function)(const heed_event *, void *) = ended ? at->observer.ended : at->observer.began;
            if (function) {
                complete_event(event, path, sizeof path);
                function(event, at->observer.user);
            }
        }
        leave_slot(at);
    }
    event->module_path = recorded_path;
    self->observing = false;
    heed__scope_rewind(mark);
    return heed__callback_end(self, before);
}

static bool op_begins(heed__thread_state *self, heed__observation *o)
{
    o->event.site = self->site;
    o->event.module = self->module;
    o->event.depth = o->depth = self->observed_depth++;
    o->nested = self->nested;
    self->nested = 0;
    o->event.began = heed__nanoseconds();
    return call_observers(self, &o->event, false);
}

static bool op_ends(heed__thread_state *self, heed__observation *o, bool failed)
{
    o->event.ended = heed__nanoseconds();
    o->event.nested = self->nested;
    o->event.failed = failed;
    const bool good = call_observers(self, &o->event, true);
    self->observed_depth = o->depth;
    self->nested = o->nested + o->event.ended - o->event.began;
    return good && !failed;
}

/* -- Modules, tasks and spans -------------------------------------------------------------------------------------- */

static heed_event plain_event(const heed__thread_state *self, heed_event_kind kind, const char *name, int64_t began)
{
    return (heed_event){.kind = kind,
                        .name = name,
                        .depth = self->observed_depth,
                        .site = self->site,
                        .module = self->module,
                        .began = began};
}

/* Reports the beginning of a module, task or span. Returns its time. */
static int64_t report_begin(heed__thread_state *self, heed_event_kind kind, const char *name)
{
    const int64_t now = heed__nanoseconds();
    heed_event event = plain_event(self, kind, name, now);
    (void)call_observers(self, &event, false);
    return now;
}

static void module_begins(heed__thread_state *self, heed_entry *entry)
{
    entry->began = report_begin(self, HEED_EVENT_MODULE, self->module->type);
}

static void module_ends(heed__thread_state *self, const heed_entry *entry)
{
    if (!self->module) /* an error was cleared inside the module */
        return;
    heed_event event = plain_event(self, HEED_EVENT_MODULE, self->module->type, entry->began);
    event.ended = heed__nanoseconds();
    event.failed = self->status != HEED_OK;
    event.outputs = entry->result ? &entry->result : NULL;
    event.n_outputs = event.n_returned = entry->result != NULL;
    (void)call_observers(self, &event, true);
}

static int64_t task_begins(const char *name)
{
    const int64_t began = report_begin(heed__thread(), HEED_EVENT_TASK, name);
    heed_error_clear();
    return began;
}

static void task_ends(const char *name, int64_t began)
{
    heed__thread_state *self = heed__thread();
    heed_event event = plain_event(self, HEED_EVENT_TASK, name, began);
    event.ended = heed__nanoseconds();
    (void)call_observers(self, &event, true);
    heed_error_clear();
}

heed_span heed_span_begin(const char *name)
{
    heed__thread_state *self = heed__thread();
    heed_span span = {.name = name};
    if (!name || !heed__observers_of(self))
        return span;
    span.site = self->site;
    span.nested = self->nested;
    self->nested = 0;
    span.began = report_begin(self, HEED_EVENT_SPAN, name);
    return span;
}

void heed_span_end(heed_span *span)
{
    if (!span || !span->began)
        return;
    heed__thread_state *self = heed__thread();
    const int64_t now = heed__nanoseconds();
    if (heed__observers_of(self)) {
        heed_event event = plain_event(self, HEED_EVENT_SPAN, span->name, span->began);
        event.site = span->site;
        event.ended = now;
        event.nested = self->nested;
        (void)call_observers(self, &event, true);
    }
    self->nested = span->nested + now - span->began;
    span->began = 0;
}

/* -- Adding and removing ------------------------------------------------------------------------------------------- */

static const heed__observers hooks = {op_begins, op_ends, module_begins, module_ends, task_begins, task_ends};

static observer_slot *find_observer(int64_t id)
{
    for (int i = 0; i < HEED_MAX_OBSERVERS; i++)
        if (all.slots[i].id == id)
            return &all.slots[i];
    return NULL;
}

static int64_t add_slot(const heed_observer *observer)
{
    pthread_mutex_lock(&all.lock);
    observer_slot *free = find_observer(0);
    int64_t id = 0;
    if (free) {
        free->observer = *observer;
        free->id = id = ++all.last_id;
        all.count++;
        atomic_store(&free->on, 1);
        atomic_store(&heed__registered_observers, &hooks);
    }
    pthread_mutex_unlock(&all.lock);
    return id;
}

int64_t heed_add_observer(const heed_observer *observer)
{
    int64_t id = 0;
    if (!observer || (!observer->began && !observer->ended))
        heed_fail(HEED_ERR_ARGUMENT, "add_observer",
                  observer ? ".began and .ended are NULL: one of them must be set" : "the observer is NULL");
    else if (!(id = add_slot(observer)))
        heed_fail(HEED_ERR_STATE, "add_observer", "the maximum of %d observers is registered already",
                  HEED_MAX_OBSERVERS);
    return id;
}

/* Returns false if the observer does not exist. */
static bool remove_slot(int64_t id)
{
    pthread_mutex_lock(&all.lock);
    observer_slot *slot = id > 0 ? find_observer(id) : NULL;
    const bool found = slot && atomic_exchange(&slot->on, 0);
    if (found) {
        if (--all.count == 0)
            atomic_store(&heed__registered_observers, NULL);
        while (atomic_load(&slot->inside) > 0)
            pthread_cond_wait(&all.left, &all.lock);
        slot->id = 0;
    }
    pthread_mutex_unlock(&all.lock);
    return found;
}

heed_status heed_remove_observer(int64_t id)
{
    if (heed__thread()->observing)
        return heed_fail(HEED_ERR_STATE, "remove_observer", "called from an observer's function");
    if (!remove_slot(id))
        return heed_fail(HEED_ERR_ARGUMENT, "remove_observer", "there is no observer %" PRId64, id);
    return HEED_OK;
}
