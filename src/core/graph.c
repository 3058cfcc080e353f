/* core/graph.c - leaves, their gradients, and hooks: user functions that receive gradients during a backward pass.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/graph.h>

#include <inttypes.h>
#include <string.h>

#include "core/memory.h"
#include "core/node.h"
#include "core/thread.h"

heed_tensor *heed_set_requires_grad(heed_tensor *t, bool requires_grad)
{
    if (!heed__check_tensor("set_requires_grad", t))
        return NULL;
    if (t->producer)
        return heed_fail_null(HEED_ERR_STATE, "set_requires_grad",
                              "the tensor is a result of %s: call heed_detach first", t->producer->op->name);
    if (t->computed)
        return heed__check_elements("set_requires_grad", t) ? t : NULL;
    if (requires_grad && !heed_dtype_is_float(t->dtype))
        return heed_fail_null(HEED_ERR_DTYPE, "set_requires_grad", "a tensor of dtype %s has no gradient",
                              heed_dtype_name(t->dtype));
    t->requires_grad = requires_grad;
    return t;
}

bool heed_requires_grad(const heed_tensor *t)
{
    return heed__check_tensor("requires_grad", t) && t->requires_grad;
}

bool heed_is_leaf(const heed_tensor *t)
{
    return heed__check_tensor("is_leaf", t) && !t->producer && !t->computed;
}

heed_tensor *heed_grad_of(const heed_tensor *t)
{
    if (!heed__check_tensor("grad_of", t))
        return NULL;
    return heed__borrow("grad_of", heed_retain(t->grad));
}

bool heed_has_grad(const heed_tensor *t)
{
    return heed__check_tensor("has_grad", t) && t->grad;
}

heed_status heed_set_grad(heed_tensor *t, heed_tensor *grad)
{
    if (!heed__check_tensor("set_grad", t) || (grad && !heed__check_tensor("set_grad", grad)))
        return heed_error_code();
    if (t->producer)
        return heed_fail(HEED_ERR_STATE, "set_grad", "the tensor is a result of %s, not a leaf", t->producer->op->name);
    if (grad && !heed_shape_equal(grad->shape, t->shape))
        return heed_fail(HEED_ERR_SHAPE, "set_grad", "the gradient has shape %s, but the tensor has shape %s",
                         heed_shape_text(grad->shape).s, heed_shape_text(t->shape).s);
    if (grad && grad->dtype != t->dtype)
        return heed_fail(HEED_ERR_DTYPE, "set_grad", "the gradient has dtype %s, but the tensor has dtype %s",
                         heed_dtype_name(grad->dtype), heed_dtype_name(t->dtype));
    if (grad == t)
        return heed_fail(HEED_ERR_ARGUMENT, "set_grad", "a tensor of shape %s is given as its own gradient",
                         heed_shape_text(t->shape).s);
    heed_tensor *old = t->grad;
    t->grad = heed_retain(grad);
    heed_release(old);
    return HEED_OK;
}

heed_tensor *heed_detach(heed_tensor *t)
{
    if (!heed__check_tensor("detach", t))
        return NULL;
    if (t->computed)
        return heed_detach(heed__borrow("detach", heed__computed_value("detach", t)));
    heed_layout layout = {.shape = t->shape};
    for (int i = 0; i < t->shape.rank; i++)
        layout.strides[i] = t->strides[i];
    return heed__borrow("detach", heed__tensor_view("detach", t, &layout));
}

/* -- Hooks --------------------------------------------------------------------------------------------------------- */

#define FIRST_HOOKS 4

/* Returns where t's hooks are stored: in the tensor for a leaf, else in its node. */
static heed__hooks **hook_list(heed_tensor *t)
{
    return t->producer ? &t->producer->hooks : &t->hooks;
}

static size_t hooks_size(int64_t capacity)
{
    return sizeof(heed__hooks) + (size_t)capacity * sizeof(heed__hook_entry);
}

/* Frees the user of a hook that nobody calls any more. */
static void free_user(const heed__hook_entry *entry)
{
    if (!entry->hook || !entry->free)
        return;
    heed__thread_state *self = heed__thread();
    const heed_callback call = heed__callback_begin(self, "the free function of a hook");
    entry->free(entry->user);
    heed__release_end(self, call);
}

void heed__hooks_free(heed__hooks *hooks)
{
    for (int64_t i = 0; hooks && i < hooks->count; i++)
        free_user(&hooks->entries[i]);
    if (hooks)
        heed_free(hooks, hooks_size(hooks->capacity));
}

/* Reserves capacity for one more hook. */
static bool reserve_hook(heed__hooks **list)
{
    heed__hooks *old = *list;
    if (old && old->count < old->capacity)
        return true;
    int64_t capacity = old ? 2 * old->capacity : FIRST_HOOKS;
    heed__hooks *larger = heed__alloc("add_hook", hooks_size(capacity));
    if (!larger)
        return false;
    *larger = (heed__hooks){.count = 0};
    if (old)
        memcpy(larger, old, hooks_size(old->count));
    larger->capacity = capacity;
    if (old)
        heed_free(old, hooks_size(old->capacity));
    *list = larger;
    return true;
}

/* Returns the position of the first hook with an id above `id`. */
static int64_t first_above(const heed__hooks *hooks, int64_t id)
{
    int64_t low = 0, high = hooks ? hooks->count : 0;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (hooks->entries[middle].id > id)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

int64_t heed_add_hook(heed_tensor *t, heed_hook hook, void *user)
{
    if (!heed__check_tensor("add_hook", t))
        return 0;
    if (!hook || !t->requires_grad) {
        heed_fail(hook ? HEED_ERR_STATE : HEED_ERR_ARGUMENT, "add_hook",
                  hook ? "the tensor requires no gradient" : "the hook is NULL");
        return 0;
    }
    heed__hooks **list = hook_list(t);
    if (!reserve_hook(list))
        return 0;
    static _Atomic int64_t last_id; /* counts for the whole process: a removed id is never used again */
    int64_t id = ++last_id;
    (*list)->entries[(*list)->count++] =
        (heed__hook_entry){.id = id, .output_index = t->output_index, .hook = hook, .user = user};
    return id;
}

/* Removes the gaps when at least half of the entries are gaps. */
static void close_gaps(heed__hooks *hooks)
{
    if (2 * hooks->removed < hooks->count)
        return;
    int64_t kept = 0;
    for (int64_t i = 0; i < hooks->count; i++)
        if (hooks->entries[i].hook)
            hooks->entries[kept++] = hooks->entries[i];
    hooks->count = kept;
    hooks->removed = 0;
}

/* Returns t's hook with that id, or NULL after heed_fail. */
static heed__hook_entry *find_hook(const char *function, heed_tensor *t, int64_t id)
{
    if (!heed__check_tensor(function, t))
        return NULL;
    heed__hooks *hooks = *hook_list(t);
    int64_t above = first_above(hooks, id);
    heed__hook_entry *entry = above > 0 ? &hooks->entries[above - 1] : NULL;
    if (entry && entry->id == id && entry->hook && entry->output_index == t->output_index)
        return entry;
    heed_fail(HEED_ERR_ARGUMENT, function, "the tensor has no hook %" PRId64, id);
    return NULL;
}

heed_status heed_set_hook_free(heed_tensor *t, int64_t id, void (*free)(void *user))
{
    heed__hook_entry *entry = find_hook("set_hook_free", t, id);
    if (!entry)
        return heed_error_code();
    entry->free = free;
    return HEED_OK;
}

heed_status heed_remove_hook(heed_tensor *t, int64_t id)
{
    heed__hook_entry *entry = find_hook("remove_hook", t, id);
    if (!entry)
        return heed_error_code();
    const heed__hook_entry removed = *entry;
    heed__hooks *hooks = *hook_list(t);
    entry->hook = NULL;
    hooks->removed++;
    close_gaps(hooks);
    free_user(&removed);
    return HEED_OK;
}

/* Returns the first hook of that output with an id in after + 1 .. last. */
static const heed__hook_entry *next_hook(const heed__hooks *hooks, int output_index, int64_t after, int64_t last)
{
    for (int64_t i = first_above(hooks, after); hooks && i < hooks->count && hooks->entries[i].id <= last; i++)
        if (hooks->entries[i].hook && hooks->entries[i].output_index == output_index)
            return &hooks->entries[i];
    return NULL;
}

/* Checks that a hook's result has the shape and dtype of the gradient, and that the gradient itself is unchanged,
 * because other tensors may share it. */
static bool check_hook(const heed_tensor *changed, const heed_tensor *grad, unsigned version)
{
    if (!changed) {
        heed_fail(HEED_ERR_STATE, "backward", "a hook returned NULL");
    } else if (heed__version(grad->storage) != version) {
        heed_fail(HEED_ERR_STATE, "backward", "a hook wrote to the gradient of shape %s in place",
                  heed_shape_text(grad->shape).s);
    } else if (!heed__same_shape(&changed->shape, &grad->shape) || changed->dtype != grad->dtype) {
        heed_fail(HEED_ERR_SHAPE, "backward",
                  "a hook returned a gradient of shape %s and dtype %s: must have shape %s and dtype %s",
                  heed_shape_text(changed->shape).s, heed_dtype_name(changed->dtype), heed_shape_text(grad->shape).s,
                  heed_dtype_name(grad->dtype));
    } else {
        return true;
    }
    return false;
}

/* A hook may remove any hook and add new ones, which run from the next pass on. */
heed_tensor *heed__run_hooks(heed__hooks *const *list, int output_index, heed_tensor *grad)
{
    int64_t done = 0, last = (*list)->count > 0 ? (*list)->entries[(*list)->count - 1].id : 0;
    const heed__hook_entry *entry;
    while (grad && (entry = next_hook(*list, output_index, done, last))) {
        done = entry->id;
        unsigned version = heed__version(grad->storage);
        heed_callback call = heed_callback_begin("a hook");
        heed_tensor *changed = entry->hook(grad, entry->user);
        bool ok = heed_callback_end(&call) && check_hook(changed, grad, version);
        heed_tensor *old = grad;
        grad = ok ? heed_retain(changed) : NULL;
        heed_release(old);
    }
    return grad;
}
