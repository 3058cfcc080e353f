/* nn/module.c - the module base: creating modules, registering and finding members, freeing.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include <heed/debug.h>
#include <heed/graph.h>
#include <heed/memory.h>

#include "base/hash.h"
#include "base/mark.h"
#include "nn/module.h"

static atomic_uint_fast64_t modules_created;

void *heed_module_new(const char *type, size_t size)
{
    HEED_ENTER("module_new");
    if (!type)
        return heed_fail_null(HEED_ERR_ARGUMENT, "module_new", "type is NULL");
    if (size < sizeof(heed_module))
        return heed_fail_null(HEED_ERR_ARGUMENT, "module_new", "size of a %s is %zu: must be at least %zu", type, size,
                              sizeof(heed_module));
    heed_module *m = heed_calloc(1, size);
    if (!m)
        return NULL;
    m->type = type;
    m->training = true;
    m->size = size;
    m->serial = HEED_MARK(HEED_MODULE, atomic_fetch_add_explicit(&modules_created, 1, memory_order_relaxed) + 1);
    return m;
}

heed_tensor *heed_module_forward(heed_module *m, heed_tensor *x)
{
    HEED_ENTER_FORWARD("module_forward", m);
    if (!heed__module_check("module_forward", m))
        return NULL;
    if (!m->forward)
        return heed_fail_null(HEED_ERR_UNSUPPORTED, "module_forward",
                              "a %s takes more than one tensor: call its own forward function", m->type);
    heed_callback call = heed_callback_begin(m->type);
    heed_tensor *y = m->forward(m, x);
    if (!heed_callback_end(&call))
        return NULL;
    if (!y) /* even if the forward did not call heed_fail */
        heed_fail(HEED_ERR_STATE, "module_forward", "the forward of %s returned NULL", m->type);
    return heed_entered.result = y;
}

/* -- Finding members by name, by linear search if there are few, else in a hash table ------------------------------ */

#define MAX_UNINDEXED 16

typedef struct heed_module_index {
    size_t n_slots;              /* a power of two, at least the number of members */
    heed_module_member *slots[]; /* for every hash, the head of a list linked by `next_in_index` */
} heed_module_index;

static size_t index_size(size_t n_slots)
{
    return sizeof(heed_module_index) + n_slots * sizeof(heed_module_member *);
}

static heed_module_member **index_slot(heed_module_index *index, const char *name, size_t length)
{
    return &index->slots[heed__hash_slot(heed__hash(HEED_HASH_OF_NOTHING, name, length), index->n_slots)];
}

static void index_insert(heed_module_index *index, heed_module_member *member)
{
    heed_module_member **slot = index_slot(index, member->name, strlen(member->name));
    member->next_in_index = *slot;
    *slot = member;
}

heed_module_member *heed__module_member(const heed_module *m, const char *name, size_t length)
{
    heed_module_member *it = m->index ? *index_slot(m->index, name, length) : m->first;
    while (it && !(strncmp(it->name, name, length) == 0 && it->name[length] == '\0'))
        it = m->index ? it->next_in_index : it->next;
    return it;
}

static void free_index(heed_module *m)
{
    if (m->index)
        heed_free(m->index, index_size(m->index->n_slots));
    m->index = NULL;
}

/* Reserves capacity for one more member in the index. Returns false after heed_fail. */
static bool reserve_member(heed_module *m)
{
    size_t capacity = m->index ? m->index->n_slots : MAX_UNINDEXED;
    if (m->n_members < capacity)
        return true;
    heed_module_index *index = heed_calloc(1, index_size(2 * capacity));
    if (!index)
        return false;
    index->n_slots = 2 * capacity;
    for (heed_module_member *it = m->first; it; it = it->next)
        index_insert(index, it);
    free_index(m);
    m->index = index;
    return true;
}

void heed__module_append(heed_module_member *member)
{
    heed_module *m = member->owner;
    *(m->last ? &m->last->next : &m->first) = member;
    m->last = member;
    m->n_members++;
    m->n_children += member->child != NULL;
    if (m->index)
        index_insert(m->index, member);
}

void heed__module_unlink(heed_module_member *member)
{
    heed_module *m = member->owner;
    heed_module_member **at = &m->first, *before = NULL;
    if (m->index) {
        heed_module_member **slot = index_slot(m->index, member->name, strlen(member->name));
        while (*slot != member)
            slot = &(*slot)->next_in_index;
        *slot = member->next_in_index;
    }
    while (*at != member) {
        before = *at;
        at = &before->next;
    }
    *at = member->next;
    if (m->last == member)
        m->last = before;
    member->next = member->next_in_index = NULL;
    m->n_members--;
    m->n_children -= member->child != NULL;
}

void heed__module_free_member(heed_module_member *member)
{
    heed_debug_set_owner(member->tensor, member->owner, NULL);
    heed_release(member->tensor);
    heed_free(member, member->size);
}

heed_status heed__module_free_child(heed_module *child)
{
    heed_module_member *member = child->parent;
    heed__module_unlink(member);
    child->parent = NULL;
    child->above = NULL;
    child->name = NULL;
    heed_free(member, member->size);
    return heed_module_free(child);
}

/* -- Registering -------------------------------------------------------------------------------------------- */

static bool check_member_name(const char *where, const heed_module *m, const char *name)
{
    if (!heed__module_check(where, m))
        return false;
    if (!name)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the name is NULL");
    if (!*name || strchr(name, '.'))
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "name is \"%s\": must not be empty or contain '.'", name);
    if (heed__module_member(m, name, strlen(name)) || heed__module_computed(m, name))
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the %s already has a member \"%s\"", m->type, name);
    return true;
}

/* Creates a member that is not yet in the owner's list, and reserves its index entry. Returns NULL after heed_fail. */
static heed_module_member *member_new(heed_module *owner, const char *name)
{
    size_t length = strlen(name) + 1, size;
    if (__builtin_add_overflow(sizeof(heed_module_member), length, &size))
        return heed_fail_null(HEED_ERR_NOMEM, "module", "not enough memory for a name of %zu bytes", length);
    heed_module_member *member = reserve_member(owner) ? heed_calloc(1, size) : NULL;
    if (!member)
        return NULL;
    member->owner = owner;
    member->size = size;
    memcpy(member->name, name, length);
    return member;
}

static bool check_new_parameter(const char *where, const char *name, const heed_tensor *t)
{
    heed_dtype dtype = heed_dtype_of(t);
    if (!heed_dtype_is_float(dtype))
        heed_fail(HEED_ERR_DTYPE, where, "\"%s\" is %s: must be f32 or f64", name, heed_dtype_name(dtype));
    else if (!heed_is_contiguous(t))
        heed_fail(HEED_ERR_UNSUPPORTED, where, "\"%s\" must be contiguous", name);
    else if (!heed_is_leaf(t))
        heed_fail(HEED_ERR_STATE, where, "\"%s\" is the result of a recorded op: detach it", name);
    else
        return true;
    return false;
}

heed_tensor *heed_module_parameter(heed_module *m, const char *name, heed_tensor *t)
{
    HEED_ENTER("module_parameter");
    if (!t)
        return heed_fail_null(HEED_ERR_ARGUMENT, "module_parameter", "the tensor is NULL");
    if (!check_member_name("module_parameter", m, name) || !check_new_parameter("module_parameter", name, t))
        return NULL;
    heed_module_member *member = member_new(m, name);
    if (!member)
        return NULL;
    if (!heed_set_requires_grad(t, true)) {
        heed_free(member, member->size);
        return NULL;
    }
    member->tensor = heed_retain(t);
    heed_debug_set_owner(t, m, member->name);
    heed__module_append(member);
    return t;
}

heed_tensor *heed_module_buffer(heed_module *m, const char *name, heed_tensor *t)
{
    HEED_ENTER("module_buffer");
    if (!t)
        return heed_fail_null(HEED_ERR_ARGUMENT, "module_buffer", "the tensor is NULL");
    if (!check_member_name("module_buffer", m, name))
        return NULL;
    heed_module_member *member = member_new(m, name);
    if (!member)
        return NULL;
    member->tensor = heed_retain(t);
    if (!member->tensor) { /* t was already freed */
        heed_free(member, member->size);
        return NULL;
    }
    heed_debug_set_owner(t, m, member->name);
    member->is_buffer = true;
    heed__module_append(member);
    return t;
}

/* Returns true if m is `child` or below `child`. `child` lacks a parent, so m is below `child` only if `child` is the
 * root of m's tree. Walking up to the root is slow in a deep tree. The walk is skipped for a child without children, so
 * that building a tree from the root downwards takes linear time, too. */
static bool is_root_of(const heed_module *child, const heed_module *m)
{
    if (child == m)
        return true;
    if (child->n_children == 0)
        return false;
    while (m->parent)
        m = m->parent->owner;
    return child == m;
}

heed_module *heed_module_child(heed_module *m, const char *name, heed_module *child)
{
    HEED_ENTER("module_child");
    if (!child)
        return heed_fail_null(HEED_ERR_ARGUMENT, "module_child", "the child is NULL");
    if (!check_member_name("module_child", m, name) || !heed__module_check("module_child", child))
        return NULL;
    if (child->parent)
        return heed_fail_null(HEED_ERR_ARGUMENT, "module_child", "\"%s\" already belongs to a %s, as \"%s\"", name,
                              child->parent->owner->type, child->parent->name);
    if (is_root_of(child, m))
        return heed_fail_null(HEED_ERR_ARGUMENT, "module_child", "\"%s\": a %s cannot be its own descendant", name,
                              child->type);
    heed_module_member *member = member_new(m, name);
    if (!member)
        return NULL;
    member->child = child;
    child->parent = member;
    child->above = m;
    child->name = member->name;
    heed__module_append(member);
    return child;
}

/* -- Lists of parameters ------------------------------------------------------------------------------------ */

static const char parameter_list[] = "parameter_list";

static bool add_to_list(const char *where, heed_module *list, int i, heed_tensor *t)
{
    char name[12];
    (void)snprintf(name, sizeof name, "%d", i);
    if (!t)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "tensor %d is NULL", i);
    if (!check_new_parameter(where, name, t))
        return false;
    if (!heed_requires_grad(t))
        return heed_fail_false(HEED_ERR_STATE, where,
                               "\"%s\" does not require a gradient: call heed_set_requires_grad(t, true)", name);
    heed_module_member *member = member_new(list, name);
    if (!member)
        return false;
    member->tensor = heed_retain(t);
    heed_debug_set_owner(t, NULL, "a parameter list");
    heed__module_append(member);
    return true;
}

heed_module *heed_nn_parameter_list_new(heed_tensor *const *tensors, int n)
{
    static const char where[] = "nn_parameter_list_new";
    HEED_ENTER(where);
    if (n < 0)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "n is %d: must be 0 or more", n);
    if (n > 0 && !tensors)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "tensors is NULL");
    heed_module *list = heed_module_new(parameter_list, sizeof *list);
    bool ok = list != NULL;
    for (int i = 0; i < n && ok; i++)
        ok = add_to_list(where, list, i, tensors[i]);
    if (ok)
        return list;
    heed_module_free(list);
    return NULL;
}

/* -- Freeing ------------------------------------------------------------------------------------------------ */

/* Clears all gradients, then calls every module's on_free, which releases the module's own fields. With create_graph,
 * gradients refer to the graph and the graph refers to the parameters; clearing the gradients breaks this cycle. A list
 * of parameters keeps the gradients, because its tensors usually belong to a different module, too. */
static heed_status free_contents(heed_module *root)
{
    if (root->type != parameter_list)
        heed_module_zero_grad(root);
    heed_callback call = heed_callback_begin("on_free");
    if (root->on_free)
        root->on_free(root);
    for (heed_module_member *it = heed__module_next(root, NULL); it; it = heed__module_next(root, it))
        if (it->child && it->child->on_free)
            it->child->on_free(it->child);
    return heed_callback_end(&call) ? HEED_OK : heed_error_code();
}

/* Clears the record of the running module, which messages use, if that module is in m's tree. A module is still
 * recorded as running if longjmp left its forward. */
static void clear_running(const heed_module *m)
{
    const heed_module *running = heed_enter(NULL, NULL).outer;
    while (running && running != m)
        running = running->above;
    if (running)
        heed_leave(&(heed_entry){.in_module = true});
}

heed_status heed_module_free(heed_module *m)
{
    HEED_ENTER("module_free");
    if (!m)
        return HEED_OK;
    if (!heed__module_check("module_free", m))
        return heed_error_code();
    if (m->parent)
        return heed_fail(HEED_ERR_STATE, "module_free", "this %s is the child \"%s\" of a %s, which frees it", m->type,
                         m->parent->name, m->parent->owner->type);
    clear_running(m);
    heed_status status = free_contents(m);
    while (m) {
        heed_module_member *member = m->first;
        if (member && member->child) { /* continues with the child; its member is freed later */
            m = member->child;
        } else if (member) {
            m->first = member->next;
            heed__module_free_member(member);
        } else { /* m has no members left: frees it and continues with its parent, whose member is now empty */
            heed_module_member *above = m->parent;
            free_index(m);
            const size_t size = m->size;
            m->serial = 0; /* clears the mark */
            heed_free(m, size);
            m = above ? above->owner : NULL;
            if (above)
                above->child = NULL;
        }
    }
    return status;
}
