/* nn/sequential.c - sequences of modules, also with a residual connection.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/ops.h>

#include "nn/layer.h"
#include "nn/module.h"

static heed_tensor *forward_sequential(heed_module *m, heed_tensor *x)
{
    return heed_nn_sequential_forward((heed_nn_sequential *)m, x);
}

/* -- Taking ownership of modules ----------------------------------------------------------------------------------- */

/* Frees the modules that have no owner. First makes a linked list of them, whose last module refers to itself, so that
 * a module that occurs twice is freed once. Freeing a module also frees its children, which may occur elsewhere in the
 * array. Therefore no entry of the array is read after the first module is freed. */
static void free_unowned(void *const *modules, int n)
{
    heed_module *unowned = NULL;
    for (int i = 0; i < n; i++) {
        heed_module *m = modules[i];
        if (m && !m->parent && !m->next_to_free) {
            m->next_to_free = unowned ? unowned : m;
            unowned = m;
        }
    }
    while (unowned) {
        heed_module *m = unowned;
        unowned = m->next_to_free != m ? m->next_to_free : NULL;
        heed_module_free(m);
    }
}

static heed_status add_module(const char *where, heed_nn_sequential *net, size_t index, heed_module *m)
{
    char name[24];
    (void)snprintf(name, sizeof name, "%zu", index);
    if (!m)
        return heed_fail(HEED_ERR_ARGUMENT, where, "module %zu is NULL", index);
    if (!heed__module_check(where, m))
        return heed_error_code();
    if (m->parent)
        return heed_fail(HEED_ERR_ARGUMENT, where, "module %zu already belongs to a %s, as \"%s\"", index,
                         m->parent->owner->type, m->parent->name);
    if (!m->forward)
        return heed_fail(HEED_ERR_UNSUPPORTED, where, "module %zu is a %s, which takes more than one tensor", index,
                         m->type);
    return heed_module_child(&net->base, name, m) ? HEED_OK : heed_error_code();
}

heed_nn_sequential *heed_nn_sequential_new(void *const *modules, int n)
{
    static const char where[] = "nn_sequential_new";
    HEED_ENTER(where);
    if (n < 0)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "n is %d: must be 0 or more", n);
    if (n > 0 && !modules)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "modules is NULL");
    heed_nn_sequential *net = heed_module_new("sequential", sizeof *net);
    if (net)
        net->base.forward = forward_sequential;
    bool ok = net != NULL;
    for (int i = 0; ok && i < n; i++)
        ok = add_module(where, net, (size_t)i, modules[i]) == HEED_OK;
    if (!ok)
        free_unowned(modules, n);
    return heed__layer_finish(net, ok);
}

/* Returns true if m is `net` or an ancestor of it. A module without children cannot be an ancestor, so the walk up from
 * `net`, which is long in a deep tree, is skipped for such a module. */
static bool is_ancestor(const heed_module *m, const heed_nn_sequential *net)
{
    const heed_module *it = &net->base;
    while (it != m && m->n_children > 0 && it->parent)
        it = it->parent->owner;
    return it == m;
}

heed_status heed_nn_sequential_add(heed_nn_sequential *net, void *module)
{
    static const char where[] = "nn_sequential_add";
    HEED_ENTER(where);
    heed_status status;
    if (!net)
        status = heed_fail(HEED_ERR_ARGUMENT, where, "the sequential is NULL");
    else if (!heed__module_check(where, &net->base))
        status = heed_error_code();
    else if (module && is_ancestor(module, net))
        return heed_fail(HEED_ERR_ARGUMENT, where, "a %s cannot be its own descendant", ((heed_module *)module)->type);
    else
        status = add_module(where, net, net->base.n_children, module);
    if (status != HEED_OK)
        free_unowned(&module, 1);
    return status;
}

/* -- Forward ------------------------------------------------------------------------------------------------------ */

/* Returns the member after `at`. After the last member of a nested sequential, returns the member after that
 * sequential. Returns NULL at the end of root. */
static const heed_module_member *next_member(const heed_module *root, const heed_module_member *at)
{
    while (at && !at->next)
        at = at->owner == root ? NULL : at->owner->parent;
    return at ? at->next : NULL;
}

/* Returns the member of the next module to run, or NULL at the end. A nested sequential is entered instead of called,
 * so that deep nesting does not need a deep stack. */
static const heed_module_member *next_module(const heed_module *root, const heed_module_member *at)
{
    const heed_module_member *it = at ? next_member(root, at) : root->first;
    while (it && !(it->child && it->child->forward != forward_sequential))
        it = it->child && it->child->first ? it->child->first : next_member(root, it);
    return it;
}

/* Returns y = m(x), owned by the caller, and releases all other tensors that m creates. */
static heed_tensor *call_module(heed_module *m, heed_tensor *x)
{
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *y = heed_retain(heed_module_forward(m, x));
    heed_scope_end(scope);
    return y;
}

heed_tensor *heed_nn_sequential_forward(heed_nn_sequential *net, heed_tensor *x)
{
    HEED_ENTER_FORWARD("nn_sequential_forward", net);
    if (!heed__layer_check_given("nn_sequential_forward", net, "x", x))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    x = heed_retain(x);
    for (const heed_module_member *it = next_module(&net->base, NULL); it && x; it = next_module(&net->base, it)) {
        heed_tensor *y = call_module(it->child, x);
        heed_release(x);
        x = y;
    }
    heed_tensor *result = heed_scope_return(scope, x);
    heed_release(x);
    return result;
}

/* -- With a residual connection ------------------------------------------------------------------------------------ */

static heed_tensor *forward_residual(heed_module *m, heed_tensor *x)
{
    return heed_nn_residual_forward((heed_nn_residual *)m, x);
}

heed_nn_residual *heed_nn_residual_new(void *const *modules, int n)
{
    HEED_ENTER("nn_residual_new");
    heed_nn_sequential *inner = heed_nn_sequential_new(modules, n);
    if (!inner)
        return NULL;
    heed_nn_residual *net = heed_module_new("residual", sizeof *net);
    if (!net) {
        heed_module_free(&inner->base);
        return NULL;
    }
    net->base.forward = forward_residual;
    net->net = heed__layer_child(&net->base, "net", inner);
    return heed__layer_finish(net, net->net != NULL);
}

heed_tensor *heed_nn_residual_forward(heed_nn_residual *net, heed_tensor *x)
{
    static const char where[] = "nn_residual_forward";
    HEED_ENTER_FORWARD(where, net);
    heed_scope *scope = heed__layer_check_given(where, net, "x", x) ? heed_scope_begin() : NULL;
    if (!scope)
        return NULL;
    heed_tensor *y = heed_nn_sequential_forward(net->net, x);
    if (y && !heed_shape_equal(heed_shape_of(x), heed_shape_of(y)))
        y = heed_fail_null(HEED_ERR_SHAPE, where,
                           "x is %s, and the result of the modules is %s: must have the same shape",
                           heed_shape_text(heed_shape_of(x)).s, heed_shape_text(heed_shape_of(y)).s);
    return heed_scope_return(scope, y ? heed_add(x, y) : NULL);
}
