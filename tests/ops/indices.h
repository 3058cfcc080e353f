/* tests/ops/indices.h - cases of ops that take a tensor and indices.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_OPS_INDICES_H
#define HEED_TESTS_OPS_INDICES_H

#include "rows.h"

#include <limits.h>

/* Indices below `size` into a tensor of shape `dims`; `...` is axis, and further arguments of run. */
#define INDEXED(name_, run_, dims, index_dims, size, ...)                                                              \
    {                                                                                                                  \
        .name = name_, .run = run_, .n_inputs = 2,                                                                     \
        .in = {{.shape = dims}, {.shape = index_dims, .kind = OP_INDEX, .high = size}}, .i = {                         \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }

#define INDICES(shape, ...) HEED_TENSOR(HEED_I64, shape, __VA_ARGS__)

#endif
