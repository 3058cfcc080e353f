/* tests/nn/lent.h - a module whose parameters are lent to it, for checks of gradients. */
#ifndef HEED_TESTS_NN_LENT_H
#define HEED_TESTS_NN_LENT_H

#include <heed/heed.h>

/* The field of the module that owns it where the visited tensor is; NULL for a buffer. */
static inline heed_tensor **lent_field(const heed_module_visit *visit)
{
    char *bytes = (char *)visit->owner;
    for (size_t at = sizeof *visit->owner; at + sizeof(heed_tensor *) <= visit->owner->size; at += sizeof(void *)) {
        heed_tensor **field = (heed_tensor **)(void *)(bytes + at);
        if (*field == visit->tensor && !visit->is_buffer)
            return field;
    }
    return NULL;
}

#endif
