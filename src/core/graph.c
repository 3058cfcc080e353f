/* core/graph.c - leaves, the recording mode, hooks. */

#include <heed/graph.h>

#include "core/memory.h"
#include "core/node.h"
#include "core/thread.h"

bool heed_set_grad_enabled(bool enabled)
{
    heed_thread *self = heed__thread();
    bool old = !self->not_recording;
    self->not_recording = !enabled;
    return old;
}

bool heed_grad_enabled(void)
{
    return !heed__thread()->not_recording;
}

heed_tensor *heed_set_requires_grad(heed_tensor *t, bool requires_grad)
{
    if (!heed__check_tensor("set_requires_grad", t))
        return NULL;
    if (t->producer) {
        heed_fail(HEED_ERR_STATE, "set_requires_grad", "the tensor is a result of %s: take heed_detach first",
                  t->producer->op->name);
        return NULL;
    }
    if (requires_grad && !heed__is_float(t->dtype)) {
        heed_fail(HEED_ERR_DTYPE, "set_requires_grad", "a tensor of dtype %s has no gradient",
                  heed_dtype_name(t->dtype));
        return NULL;
    }
    t->requires_grad = requires_grad;
    return t;
}

bool heed_requires_grad(const heed_tensor *t)
{
    return heed__check_tensor("requires_grad", t) && t->requires_grad;
}

bool heed_is_leaf(const heed_tensor *t)
{
    return heed__check_tensor("is_leaf", t) && !t->producer;
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
    if (!heed__check_tensor("set_grad", t))
        return HEED_ERR_ARGUMENT;
    if (t->producer)
        return heed_fail(HEED_ERR_STATE, "set_grad", "the tensor is a result of %s, not a leaf", t->producer->op->name);
    if (grad && !heed_shape_equal(grad->shape, t->shape))
        return heed_fail(HEED_ERR_SHAPE, "set_grad", "a gradient of shape %s for a tensor of shape %s",
                         heed__text(&grad->shape).s, heed__text(&t->shape).s);
    if (grad && grad->dtype != t->dtype)
        return heed_fail(HEED_ERR_DTYPE, "set_grad", "a gradient of dtype %s for a tensor of dtype %s",
                         heed_dtype_name(grad->dtype), heed_dtype_name(t->dtype));
    if (grad == t)
        return heed_fail(HEED_ERR_ARGUMENT, "set_grad", "a tensor of shape %s is given as its own gradient",
                         heed__text(&t->shape).s);
    heed_tensor *old = t->grad;
    t->grad = heed_retain(grad);
    heed_release(old);
    return HEED_OK;
}

heed_tensor *heed_detach(heed_tensor *t)
{
    if (!heed__check_tensor("detach", t))
        return NULL;
    heed_layout layout = {.shape = t->shape};
    for (int i = 0; i < t->shape.rank; i++)
        layout.strides[i] = t->strides[i];
    return heed__borrow("detach", heed__tensor_view("detach", t, &layout));
}

/* -- Hooks -- */

/* Where t's hooks are kept: its own list for a leaf, its node's otherwise. */
static heed_hook_entry **hook_list(heed_tensor *t)
{
    return t->producer ? &t->producer->hooks : &t->hooks;
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
    heed_hook_entry *entry = heed__alloc("add_hook", sizeof *entry);
    if (!entry)
        return 0;
    static _Atomic int64_t last_id; /* of the process: an id that was removed never comes again */
    int64_t id = ++last_id;
    heed_hook_entry **end = hook_list(t);
    while (*end)
        end = &(*end)->next;
    *entry = (heed_hook_entry){.id = id, .output_index = t->output_index, .hook = hook, .user = user};
    *end = entry;
    return id;
}

heed_status heed_remove_hook(heed_tensor *t, int64_t id)
{
    if (!heed__check_tensor("remove_hook", t))
        return HEED_ERR_ARGUMENT;
    for (heed_hook_entry **at = hook_list(t); *at; at = &(*at)->next) {
        heed_hook_entry *entry = *at;
        if (entry->id != id || entry->output_index != t->output_index)
            continue;
        *at = entry->next;
        heed_free(entry, sizeof *entry);
        return HEED_OK;
    }
    return heed_fail(HEED_ERR_ARGUMENT, "remove_hook", "the tensor has no hook %lld", (long long)id);
}

/* The first hook of that output with an id in after + 1 .. last. */
static const heed_hook_entry *next_hook(const heed_hook_entry *entry, int output_index, int64_t after, int64_t last)
{
    while (entry && (entry->id <= after || entry->id > last || entry->output_index != output_index))
        entry = entry->next;
    return entry;
}

/* What a hook gave back must be like the gradient it got, and that must be as it was: other tensors may share it. */
static bool check_hook(const heed_tensor *changed, const heed_tensor *grad, unsigned version)
{
    if (!changed) {
        heed_fail(HEED_ERR_STATE, "backward", "a hook returned NULL");
    } else if (atomic_load_explicit(&grad->storage->version, memory_order_relaxed) != version) {
        heed_fail(HEED_ERR_STATE, "backward", "a hook wrote to the gradient of shape %s in place",
                  heed__text(&grad->shape).s);
    } else if (!heed__same_shape(&changed->shape, &grad->shape) || changed->dtype != grad->dtype) {
        heed_fail(HEED_ERR_SHAPE, "backward", "a hook returned a gradient of shape %s and dtype %s for %s, %s",
                  heed__text(&changed->shape).s, heed_dtype_name(changed->dtype), heed__text(&grad->shape).s,
                  heed_dtype_name(grad->dtype));
    } else {
        return true;
    }
    return false;
}

/* A hook may remove any hook and add new ones, which wait for the next pass. */
heed_tensor *heed__run_hooks(heed_hook_entry *const *list, int output_index, heed_tensor *grad)
{
    int64_t done = 0, last = 0;
    for (const heed_hook_entry *entry = *list; entry; entry = entry->next)
        last = entry->id;
    const heed_hook_entry *entry;
    while (grad && (entry = next_hook(*list, output_index, done, last))) {
        done = entry->id;
        unsigned version = atomic_load_explicit(&grad->storage->version, memory_order_relaxed);
        heed_callback call = heed_callback_begin("a hook");
        heed_tensor *changed = entry->hook(grad, entry->user);
        bool ok = heed_callback_end(&call) && check_hook(changed, grad, version);
        heed_tensor *old = grad;
        grad = ok ? heed_retain(changed) : NULL;
        heed_release(old);
    }
    return grad;
}
