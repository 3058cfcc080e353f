/* kernels/isa/scalar.h - the baseline of the architecture: SSE2 on x86-64; elsewhere the compiler lowers vectors of 16
 * bytes to available instructions. See isa.h.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ISA_SCALAR_H
#define HEED_KERNELS_ISA_SCALAR_H

#if defined(__i386__) && !defined(__SSE2_MATH__)
#error "compile with -msse2 -mfpmath=sse: x87 rounds a sum twice"
#endif
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#define VECTOR_BYTES 16
#include "kernels/simd/vec_types.h"

#define TILE_ROWS 4
#define FOR_EACH_TILE_ROWS(X) X(4) X(3) X(2) X(1)

static ALWAYS_INLINE vec muladd_vec(vec a, vec b, vec c)
{
    return a * b + c;
}

static ALWAYS_INLINE T muladd_of(T a, T b, T c)
{
    return a * b + c;
}

#if defined(__SSE2__)

#define HAVE_MIN_MAX
#define HAVE_SQRT
#define HAVE_MULTIPLY_LOW

#if IS_F32
#define MM(name) _mm_##name##_ps
#else
#define MM(name) _mm_##name##_pd
#endif

static ALWAYS_INLINE vec max_vec(vec a, vec b)
{
    return MM(max)(a, b);
}

static ALWAYS_INLINE vec min_vec(vec a, vec b)
{
    return MM(min)(a, b);
}

static ALWAYS_INLINE vec sqrt_vec(vec x)
{
    return MM(sqrt)(x);
}

static ALWAYS_INLINE vec_u64 multiply_low(vec_u64 a, vec_u64 b)
{
    return (vec_u64)_mm_mul_epu32((__m128i)a, (__m128i)b);
}

#endif

#endif
