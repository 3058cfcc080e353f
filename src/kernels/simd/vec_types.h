/* kernels/simd/vec_types.h - the types of a register full of T. Included by the files of kernels/isa after they set
 * VECTOR_BYTES, the width of a register; all other files include kernels/simd/vec.h.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_SIMD_VEC_TYPES_H
#define HEED_KERNELS_SIMD_VEC_TYPES_H

#include <string.h>

#include "kernels/simd/compiler.h"
#include "kernels/simd/element.h"

typedef T vec __attribute__((vector_size(VECTOR_BYTES)));
typedef T vec_unaligned /* anywhere in an array */
    __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(T)), may_alias));
typedef SIGNED_BITS vec_mask __attribute__((vector_size(VECTOR_BYTES))); /* an element has all bits set, or all clear */
typedef BITS vec_bits __attribute__((vector_size(VECTOR_BYTES)));
typedef uint64_t vec_u64 __attribute__((vector_size(VECTOR_BYTES))); /* independent of T */

enum { WIDTH = VECTOR_BYTES / sizeof(T) };

/* A mask with the first n elements set, for n <= WIDTH. */
static ALWAYS_INLINE vec_mask first_lanes(int64_t n)
{
    static const SIGNED_BITS window[32] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    vec_mask mask;
    memcpy(&mask, window + 16 - n, sizeof mask);
    return mask;
}

#endif
