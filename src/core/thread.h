/* core/thread.h - the per-thread state of the core. It is one structure, so that every op finds it with a single
 * call.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_CORE_THREAD_H
#define HEED_CORE_THREAD_H

#include <stdint.h>

#include <heed/functional.h>
#include <heed/module.h>
#include <heed/precision.h>
#include <heed/random.h>
#include <heed/scope.h>

#include "core/generator.h"

struct heed__node;

typedef struct heed__thread_state {
    heed_tensor **tensors; /* borrowed from the open scopes */
    size_t count, capacity;
    heed_scope *innermost;
    const char *callback;          /* name of the running callback; NULL if none is running */
    const heed_scope *floor;       /* innermost scope when the callback began: it and its outer scopes must stay open */
    const struct heed__node *rule; /* node whose backward rule is running, if `callback` names one */
    const char *site;              /* the program's line, "train.c:42"; NULL if unknown */
    const heed_module *module;     /* innermost module whose forward is running; NULL if none is running */
    uint64_t clock;                /* number of the last node that this thread recorded */
    heed__generator_choice generator; /* that the thread draws from */
    struct heed__draws *draws;        /* draws of the running checkpointed function; NULL if none is running */
    heed_status status;               /* of the pending error */
    bool not_recording;
    heed_precision precision;              /* of products */
    struct heed__own_buffers *own_buffers; /* of the running call of heed_parallel_for; NULL if none is running */
    bool observing;                        /* an observer is running: events are not reported */
    int observed_depth;                    /* number of active observed ops and rules */
    int computing;                         /* number of computed tensors whose functions are running */
    int64_t nested; /* nanoseconds of observed ops and rules that have ended inside the active one */
} heed__thread_state;

heed__thread_state *heed__thread(void);

/* Returns the name of the outermost active function that used HEED_ENTER, or NULL. */
const char *heed__entered(void);

/* A thread's pending error, its handler and the name that begins its messages. */
typedef struct heed__errors {
    heed_status status;
    const char *entered;
    heed_error_handler handler;
    void *user;
    char message[HEED_ERROR_MESSAGE_MAX]; /* set if status is not HEED_OK */
} heed__errors;

/* heed__errors_begin saves the calling thread's errors in *outer. The thread then has no pending error and no handler,
 * and its messages begin with `entered`. heed__errors_end writes the error that is pending now to *inner unless that is
 * NULL, and restores *outer. */
void heed__errors_begin(heed__errors *outer, const char *entered);
void heed__errors_end(const heed__errors *outer, heed__errors *inner);

/* Fails with the error of a different thread: its code and its message, unchanged. */
void heed__fail_with(const heed__errors *errors);

/* Writes the path of m, which begins with the type of the module at the top of its tree:
 * "transformer.encoder.3.linear1". A path of a deeper tree begins with "...", as in "...linear1". Writes "" for NULL.
 * Truncates the text to `size`. */
void heed__module_path(const heed_module *m, char *text, size_t size);

/* -- Scopes: core/scope.c ------------------------------------------------------------------------------------------ */

/* Marks are scopes without an object, for loops inside the library. heed__scope_mark returns the number of tensors in
 * this thread's scopes; heed__scope_rewind releases all tensors after such a mark. */
size_t heed__scope_mark(void);
void heed__scope_rewind(size_t mark);

/* heed__scope_of returns the scope that holds this thread's borrowed tensor i; NULL for the root scope.
 * heed__scope_site returns the line that began a scope; NULL if unknown. */
const heed_scope *heed__scope_of(size_t i);
const char *heed__scope_site(const heed_scope *scope);

/* Moves an owned tensor to the innermost scope. Returns false if the list is full; heed__borrow then enlarges it. */
static inline bool heed__borrow_here(heed__thread_state *self, heed_tensor *owned)
{
    if (self->count == self->capacity)
        return false;
    self->tensors[self->count++] = owned; /* NOLINT(clang-analyzer-core.NullDereference): without a list both are 0 */
    return true;
}

/* -- Callbacks ----------------------------------------------------------------------------------------------------- */

/* Inline versions of heed_callback_begin and heed_callback_end for every op. */
static inline heed_callback heed__callback_begin(heed__thread_state *self, const char *name)
{
    heed_callback before = {self->callback, self->floor, self->status, self->not_recording, self->precision};
    self->callback = name ? name : "a function";
    self->floor = self->innermost;
    return before;
}

static inline bool heed__callback_end(heed__thread_state *self, heed_callback before)
{
    self->callback = before.name;
    self->floor = before.floor;
    self->not_recording = before.not_recording;
    self->precision = before.precision;
    return self->status == HEED_OK || before.status != HEED_OK;
}

/* Like heed__callback_end, for a function that frees the program's memory. That function may run in any call that drops
 * the last reference to a tensor, and the call itself has not failed. An error in it is therefore discarded, and debug
 * mode gives a notice. */
void heed__release_end(heed__thread_state *self, heed_callback before);

/* Calls the program's function as a callback. Returns NULL after heed_fail, also if fn returned NULL or a freed
 * tensor. */
heed_tensor *heed__call_function(const char *where, heed_function fn, heed_tensor *const *inputs, void *user);

#endif
