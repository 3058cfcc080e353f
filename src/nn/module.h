/* nn/module.h - declarations shared by the source files of the module base: the tree of modules.
 *
 * A module has a list of members. A child member holds a module, which points back to the member. The tree can
 * therefore be walked without a stack, at any depth. */
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

static inline bool heed__module_is_parameter(const heed_module_member *member)
{
    return member->tensor && !member->is_buffer;
}

#endif
