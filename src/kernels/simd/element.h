/* kernels/simd/element.h - the element type T of a translation unit, float or double, according to HEED_ELEMENT_BITS,
 * which src/CMakeLists.txt sets.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_SIMD_ELEMENT_H
#define HEED_KERNELS_SIMD_ELEMENT_H

#include <float.h>
#include <math.h>
#include <stdint.h>

/* BITS, SIGNED_BITS: integers of the size of T. MANTISSA_BITS: stored mantissa bits of T. LARGEST: the largest finite
 * T. LIBM(name): libm's function for T. */
#if HEED_ELEMENT_BITS == 32
#define IS_F32 1
#define T float
#define BITS uint32_t
#define SIGNED_BITS int32_t
#define MANTISSA_BITS 23
#define EXPONENT_BIAS 127
#define LARGEST FLT_MAX
#define LIBM(name) name##f
#elif HEED_ELEMENT_BITS == 64
#define IS_F32 0
#define T double
#define BITS uint64_t
#define SIGNED_BITS int64_t
#define MANTISSA_BITS 52
#define EXPONENT_BIAS 1023
#define LARGEST DBL_MAX
#define LIBM(name) name
#else
#error "HEED_ELEMENT_BITS must be 32 or 64"
#endif

#define SIGN_BIT ((BITS)1 << (8 * sizeof(T) - 1))
#define K(number) ((T)(number)) /* a literal or a double as a T */

static inline int64_t min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

#endif
