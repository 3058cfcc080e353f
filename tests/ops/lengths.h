/* tests/ops/lengths.h - cases of ops that take a tensor and the valid lengths of its rows.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_OPS_LENGTHS_H
#define HEED_TESTS_OPS_LENGTHS_H

#include "functions.h"

/* The fields of an input with exactly these lengths: {.shape = DIMS(2), LENGTHS(3, 1)} */
#define LENGTHS(...)                                                                                                   \
    .kind = OP_INDEX, .values = (const double[])                                                                       \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

#define LENS(shape, ...) HEED_TENSOR(HEED_I64, shape, __VA_ARGS__)

#endif
