/* core/hooks.h - the hooks of a leaf or of a node's outputs. */
#ifndef HEED_CORE_HOOKS_H
#define HEED_CORE_HOOKS_H

#include "core/tensor.h"

typedef struct heed__hook_entry {
    int64_t id;
    int output_index; /* for a node's hook: the output */
    heed_hook hook;   /* NULL when removed */
    void *user;
} heed__hook_entry;

struct heed__hooks {
    int64_t count, removed, capacity; /* entries including removed ones, removed entries, and capacity */
    heed__hook_entry entries[];       /* sorted by id */
};

void heed__hooks_free(heed__hooks *hooks);

/* Runs the hooks in `list` for that output, oldest first. Takes over the caller's reference to `grad`. Returns the
 * resulting gradient, owned by the caller, or NULL after heed_fail. */
heed_tensor *heed__run_hooks(heed__hooks *const *list, int output_index, heed_tensor *grad);

#endif
