/* nn/module.h - what a module's tree is made of; for the files of the module base.
 *
 * A module has a list of members; a member that is a child holds another module, which points back to the member. So
 * a tree is walked without a stack, however deep it is.
 */
#ifndef HEED_NN_MODULE_H
#define HEED_NN_MODULE_H

#include <heed/nn.h>

typedef struct heed_module_member heed_module_member;
typedef struct heed_module_index heed_module_index;

struct heed_module_member {
    heed_module_member *next;  /* in the owner's list */
    heed_module_member *alike; /* in the owner's index */
    heed_module *owner;
    heed_tensor *tensor; /* a parameter or buffer, retained; NULL when this is a child */
    heed_module *child;
    bool is_buffer;
    size_t size; /* bytes of the whole struct */
    char name[];
};

/* m is a module: neither NULL nor freed. False after heed_fail. */
bool heed__module_check(const char *where, const heed_module *m);

/* The member after `member` in the tree below `root`, parents before children; from NULL the first. NULL at the end. */
heed_module_member *heed__module_next(const heed_module *root, const heed_module_member *member);

/* The member of m with the name of `length` characters at `name`; NULL when there is none. */
heed_module_member *heed__module_member(const heed_module *m, const char *name, size_t length);

/* Room in the index for one member more. False after heed_fail. */
bool heed__module_reserve(heed_module *m);

/* Puts a member that is ready, and has room, behind its owner's others. */
void heed__module_append(heed_module_member *member);

void heed__module_index_free(heed_module *m);

static inline bool heed__module_is_parameter(const heed_module_member *member)
{
    return member->tensor && !member->is_buffer;
}

#endif
