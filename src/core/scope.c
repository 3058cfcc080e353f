/* core/scope.c - scopes: a stack of borrowed tensors per thread, and marks in it. */

#include "core/scope.h"

#include <string.h>

#include "core/hint.h"
#include "core/memory.h"
#include "core/tensor.h"

struct heed_scope {
    size_t mark;       /* tensors held before it */
    bool grad_enabled; /* recording before it */
    heed_scope *outer;
};

static _Thread_local struct {
    heed_tensor **tensors;
    size_t count, capacity;
    heed_scope *innermost;
} held;

HEED_RARE static bool grow(const char *where)
{
    size_t capacity = held.capacity ? 2 * held.capacity : 64;
    heed_tensor **tensors = heed__alloc(where, capacity * sizeof(heed_tensor *));
    if (!tensors)
        return false;
    if (held.count > 0)
        memcpy(tensors, held.tensors, held.count * sizeof(heed_tensor *));
    heed_free(held.tensors, held.capacity * sizeof(heed_tensor *));
    held.tensors = tensors;
    held.capacity = capacity;
    return true;
}

heed_tensor *heed__borrow(const char *where, heed_tensor *owned)
{
    if (!owned)
        return NULL;
    if (held.count == held.capacity && !grow(where)) {
        heed_release(owned);
        return NULL;
    }
    held.tensors[held.count++] = owned;
    return owned;
}

size_t heed__scope_mark(void)
{
    return held.count;
}

void heed__scope_rewind(size_t mark)
{
    while (held.count > mark)
        heed_release(held.tensors[--held.count]);
}

heed_scope *heed_scope_begin(void)
{
    heed_scope *scope = heed__alloc("scope_begin", sizeof *scope);
    if (!scope)
        return NULL;
    *scope = (heed_scope){.mark = held.count, .grad_enabled = heed_grad_enabled(), .outer = held.innermost};
    held.innermost = scope;
    return scope;
}

heed_scope *heed_no_grad_begin(void)
{
    HEED_ENTER("no_grad_begin");
    heed_scope *scope = heed_scope_begin();
    if (scope)
        (void)heed_set_grad_enabled(false);
    return scope;
}

static void close_innermost(void)
{
    heed_scope *scope = held.innermost;
    held.innermost = scope->outer;
    heed__scope_rewind(scope->mark);
    (void)heed_set_grad_enabled(scope->grad_enabled);
    heed_free(scope, sizeof *scope);
}

static bool is_open(const heed_scope *scope)
{
    const heed_scope *open = held.innermost;
    while (open && open != scope)
        open = open->outer;
    return open != NULL;
}

static bool end(const char *where, heed_scope *scope)
{
    if (!scope) {
        heed_fail(HEED_ERR_ARGUMENT, where, "the scope is NULL");
        return false;
    }
    if (!is_open(scope)) {
        heed_fail(HEED_ERR_STATE, where, "the scope is not open in this thread");
        return false;
    }
    while (held.innermost != scope)
        close_innermost();
    close_innermost();
    return true;
}

heed_status heed_scope_end(heed_scope *scope)
{
    return end("scope_end", scope) ? HEED_OK : scope ? HEED_ERR_STATE : HEED_ERR_ARGUMENT;
}

heed_tensor *heed_scope_return(heed_scope *scope, heed_tensor *t)
{
    heed_retain(t);
    if (!end("scope_return", scope)) {
        heed_release(t);
        return NULL;
    }
    return heed__borrow("scope_return", t);
}

__attribute__((constructor)) static void at_load(void)
{
    heed__at_thread_end(heed_thread_cleanup);
}

void heed_thread_cleanup(void)
{
    while (held.innermost)
        close_innermost();
    heed__scope_rewind(0);
    heed_free(held.tensors, held.capacity * sizeof(heed_tensor *));
    held.tensors = NULL;
    held.capacity = 0;
    (void)heed_set_grad_enabled(true);
    heed_memory_trim();
}
