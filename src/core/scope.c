/* core/scope.c - scopes: a stack of borrowed tensors per thread, and marks in it.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/scope.h>

#include "core/instrumentation.h"
#include "core/memory.h"
#include "core/tensor.h"

struct heed_scope {
    size_t mark;        /* number of borrowed tensors when it began */
    const char *site;   /* the line that began it; NULL if unknown */
    bool not_recording; /* the mode and the precision before the scope, which its end restores */
    heed_precision precision;
    heed_scope *outer;
};

const heed_scope *heed__scope_of(size_t i)
{
    const heed_scope *scope = heed__thread()->innermost;
    while (scope && scope->mark > i)
        scope = scope->outer;
    return scope;
}

const char *heed__scope_site(const heed_scope *scope)
{
    return scope->site;
}

/* heed__borrow for a full list. */
HEED_COLD static heed_tensor *borrow_and_grow(heed__thread_state *self, const char *where, heed_tensor *owned)
{
    const heed__debugger *debugger = heed__debugger_if_on();
    size_t count = self->count; /* tensors in the root scope, which lie below the outermost mark */
    for (const heed_scope *scope = self->innermost; scope; scope = scope->outer)
        count = scope->mark;
    if (debugger)
        debugger->root_grows(self->tensors, count);
    heed_tensor **tensors = heed__array_grow(where, self->tensors, &self->capacity, self->count, sizeof *tensors);
    if (!tensors) {
        heed_release(owned);
        return NULL;
    }
    self->tensors = tensors;
    (void)heed__borrow_here(self, owned);
    return owned;
}

heed_tensor *heed__borrow(const char *where, heed_tensor *owned)
{
    heed__thread_state *self = heed__thread();
    return !owned || heed__borrow_here(self, owned) ? owned : borrow_and_grow(self, where, owned);
}

size_t heed__scope_mark(void)
{
    return heed__thread()->count;
}

void heed__scope_rewind(size_t mark)
{
    heed__thread_state *self = heed__thread();
    while (self->count > mark)
        heed__release_borrowed(self->tensors[--self->count]);
}

heed_scope *heed_scope_begin(void)
{
    heed__thread_state *self = heed__thread();
    heed_scope *scope = heed__alloc("scope_begin", sizeof *scope);
    if (!scope)
        return NULL;
    *scope = (heed_scope){.mark = self->count,
                          .site = self->site,
                          .not_recording = self->not_recording,
                          .precision = self->precision,
                          .outer = self->innermost};
    self->innermost = scope;
    return scope;
}

heed_scope *heed_no_grad_begin(void)
{
    HEED_ENTER("no_grad_begin");
    heed_scope *scope = heed_scope_begin();
    if (scope)
        heed__thread()->not_recording = true;
    return scope;
}

static void close_innermost(heed__thread_state *self)
{
    heed_scope *scope = self->innermost;
    self->innermost = scope->outer;
    const heed__debugger *debugger = heed__debugger_if_on();
    if (debugger)
        debugger->scope_ends(self->tensors + scope->mark, self->count > scope->mark ? self->count - scope->mark : 0,
                             scope->site); /* a rule may have left its scope open after its tensors were released */
    heed__scope_rewind(scope->mark);
    self->not_recording = scope->not_recording;
    self->precision = scope->precision;
    heed_free(scope, sizeof *scope);
}

/* Checks that the scope is open and was begun inside the running callback, if there is one. */
static bool check_open(const heed__thread_state *self, const char *where, const heed_scope *scope)
{
    const heed_scope *open = self->innermost;
    bool before = false;
    for (; open && open != scope; open = open->outer)
        before = before || (self->callback && open == self->floor);
    if (!open)
        heed_fail(HEED_ERR_STATE, where, "the scope is not open in this thread");
    else if (before || (self->callback && open == self->floor))
        heed_fail(HEED_ERR_STATE, where, "%s closes a scope that was open when it was called", self->callback);
    else
        return true;
    return false;
}

static void free_stack(heed__thread_state *self)
{
    heed_free(self->tensors, self->capacity * sizeof(heed_tensor *));
    self->tensors = NULL;
    self->capacity = 0;
}

/* Frees the stack of a thread that holds no tensors: the thread may be ending without a further call to clean up. */
static bool end_scope(const char *where, heed_scope *scope)
{
    heed__thread_state *self = heed__thread();
    if (!scope)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the scope is NULL");
    if (!check_open(self, where, scope))
        return false;
    const heed_status before = self->status;
    while (self->innermost != scope)
        close_innermost(self);
    close_innermost(self);
    if (!self->innermost && self->count == 0)
        free_stack(self);
    return before != HEED_OK || self->status == HEED_OK; /* one of the scope's tensors may have been freed before */
}

heed_status heed_scope_end(heed_scope *scope)
{
    return end_scope("scope_end", scope) ? HEED_OK : scope ? HEED_ERR_STATE : HEED_ERR_ARGUMENT;
}

heed_tensor *heed_scope_return(heed_scope *scope, heed_tensor *t)
{
    heed_tensor *kept = t && heed__check_tensor("scope_return", t) ? heed_retain(t) : NULL;
    if (!end_scope("scope_return", scope)) {
        heed_release(kept);
        return NULL;
    }
    return heed__borrow("scope_return", kept);
}

/* -- Callbacks -- */

heed_callback heed_callback_begin(const char *name)
{
    return heed__callback_begin(heed__thread(), name);
}

bool heed_callback_end(const heed_callback *callback)
{
    if (callback)
        return heed__callback_end(heed__thread(), *callback);
    return heed_fail_false(HEED_ERR_ARGUMENT, "callback_end", "the callback is NULL");
}

heed_tensor *heed__call_function(const char *where, heed_function fn, heed_tensor *const *inputs, void *user)
{
    heed__thread_state *self = heed__thread();
    const heed_callback before = heed__callback_begin(self, "fn");
    heed_tensor *y = fn(inputs, user);
    if (!heed__callback_end(self, before))
        return NULL;
    if (!y)
        return heed_fail_null(HEED_ERR_STATE, where, "fn returned NULL");
    return heed__check_tensor(where, y) ? y : NULL;
}

/* -- The end of a thread -- */

static void end_all_scopes(heed__thread_state *self)
{
    while (self->innermost)
        close_innermost(self);
    heed__scope_rewind(0);
    free_stack(self);
    self->not_recording = false;
    self->precision = HEED_PRECISION_HIGHEST;
    heed__memory_trim();
}

/* Also runs if a callback ends the thread or the process. */
static void at_thread_end(void)
{
    heed__thread_state *self = heed__thread();
    self->callback = NULL;
    end_all_scopes(self);
}

__attribute__((constructor)) static void scopes_at_load(void)
{
    heed__at_thread_end(at_thread_end);
}

void heed_thread_cleanup(void)
{
    heed__thread_state *self = heed__thread();
    if (self->callback)
        heed_fail(HEED_ERR_STATE, "thread_cleanup", "%s must not clean up the thread that called it", self->callback);
    else
        end_all_scopes(self);
}
