/* core/hooks.h - the hooks of a leaf, or of a node's outputs. */
#ifndef HEED_CORE_HOOKS_H
#define HEED_CORE_HOOKS_H

#include "core/tensor.h"

typedef struct heed__hook_entry {
    int64_t id;
    int output_index; /* of a node's hook: which output */
    heed_hook hook;   /* NULL once it is removed */
    void *user;
} heed__hook_entry;

struct heed__hooks {
    int64_t count, removed, capacity; /* entries, those of them that are removed, and how many there may be */
    heed__hook_entry entries[];       /* by rising id */
};

void heed__hooks_free(heed__hooks *hooks);

/* Runs the hooks in `list` for that output, oldest first: the gradient to go on with, owned by the caller, who gives
 * `grad` up. NULL after heed_fail. */
heed_tensor *heed__run_hooks(heed__hooks *const *list, int output_index, heed_tensor *grad);

#endif
