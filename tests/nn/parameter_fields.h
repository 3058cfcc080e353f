/* tests/nn/parameter_fields.h - finds the fields of modules that hold parameters, which gradient checks replace.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_NN_PARAMETER_FIELDS_H
#define HEED_TESTS_NN_PARAMETER_FIELDS_H

#include <heed/heed.h>

/* Returns the field of the owning module that holds the visited tensor, or NULL for a buffer. */
static inline heed_tensor **parameter_field(const heed_module_visit *visit)
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
