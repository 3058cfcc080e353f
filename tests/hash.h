/* tests/hash.h - a number for the bits of tensors: FNV-1a.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HASH_H
#define HASH_H

#include <heed/heed.h>

#define HASH_BEGIN UINT64_C(14695981039346656037)

static inline uint64_t hash_tensor(uint64_t hash, heed_tensor *t)
{
    size_t size = (size_t)heed_numel(t) * heed_dtype_size(heed_dtype_of(t));
    t = heed_contiguous(t);
    const unsigned char *bytes = heed_data_bytes(t);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    return hash;
}

#endif
