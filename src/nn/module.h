/* nn/module.h - declarations shared by the source files of the module base: the tree of modules.
 *
 * A module has a list of members. A child member holds a module, which points back to the member. The tree can
 * therefore be walked without a stack, at any depth.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NN_MODULE_H
#define HEED_NN_MODULE_H

#include <heed/nn.h>

typedef struct heed_module_member heed_module_member;

struct heed_module_member {
    heed_module_member *next;          /* in the owner's list */
    heed_module_member *next_in_index; /* in the owner's index */
    heed_module *owner;
    heed_tensor *tensor; /* a parameter or buffer, retained; NULL for a child */
    heed_module *child;
    bool is_buffer;
    size_t size; /* bytes of the whole struct */
    char name[];
};

/* Checks that m is neither NULL nor freed. Returns false after heed_fail. */
bool heed__module_check(const char *where, const heed_module *m);

/* Walks over all members in the tree below `root`, parents before children. Returns the member after `member`, or the
 * first one if `member` is NULL. Returns NULL at the end. */
heed_module_member *heed__module_next(const heed_module *root, const heed_module_member *member);

/* Returns the member of m whose name is the `length` characters at `name`, or NULL. */
heed_module_member *heed__module_member(const heed_module *m, const char *name, size_t length);

/* Removes a member from its owner's list and index. The caller then owns the member. */
void heed__module_unlink(heed_module_member *member);

/* Appends a complete member to its owner's list and index. Its entry in the index must be reserved, as it is for an
 * unlinked member. */
void heed__module_append(heed_module_member *member);

/* Frees an unlinked member of a tensor, and releases the tensor. */
void heed__module_free_member(heed_module_member *member);

/* Removes a child from its parent and frees it. */
heed_status heed__module_free_child(heed_module *child);

/* Walks along a path such as "0.weight". Returns the module that should own the last name, and sets *name to it; or
 * NULL after heed_fail. */
heed_module *heed__module_owner(const char *where, heed_module *m, const char *path, const char **name);

/* Fails because `owner`, a module in the tree of m, lacks a tensor with the last name of the path. */
void heed__module_fail_path(const char *where, const heed_module *m, const char *path, const heed_module *owner);

/* -- Parametrizations: nn/parametrizations.c ----------------------------------------------------------------------- */

/* Returns the computed tensor of m with that name, or NULL without a parametrization of it. */
heed_tensor *heed__module_computed(const heed_module *m, const char *name);

static inline bool heed__module_is_parameter(const heed_module_member *member)
{
    return member->tensor && !member->is_buffer;
}

#endif
