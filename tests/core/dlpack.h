/* tests/core/dlpack.h - a DLManagedTensor from a foreign library, for the tests of heed/dlpack.h.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef TEST_DLPACK_H
#define TEST_DLPACK_H

#include "check_heed.h"
#include "core/dlpack_abi.h"

typedef struct DLManagedTensor managed;

static int deletions;
static managed *deleted;

static inline void count_deletion(managed *self)
{
    deletions++;
    deleted = self;
}

/* Returns a row-major f64 tensor; a test may change any field. */
static inline managed theirs(void *data, int32_t ndim, int64_t *shape)
{
    deletions = 0;
    deleted = NULL;
    return (managed){.tensor = {.data = data,
                                .device = HEED_DL_CPU,
                                .ndim = ndim,
                                .code = HEED_DL_FLOAT,
                                .bits = 64,
                                .lanes = 1,
                                .shape = shape},
                     .deleter = count_deletion};
}

#endif
