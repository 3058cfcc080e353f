/* kernels/isa/avx2.h - AVX2, FMA and the other extensions of -march=x86-64-v3. See isa.h.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ISA_AVX2_H
#define HEED_KERNELS_ISA_AVX2_H

#include <immintrin.h>

#define VECTOR_BYTES 32
#include "kernels/simd/vec_types.h"

#define TILE_ROWS 6 /* 12 registers of C, 2 of B and 1 of A, of 16 */
#define FOR_EACH_TILE_ROWS(X) X(6) X(5) X(4) X(3) X(2) X(1)

#define HAVE_FMA
#define HAVE_MIN_MAX
#define HAVE_SQRT
#define HAVE_PARTIAL_MEMORY
#define HAVE_MULTIPLY_LOW

#if IS_F32
#define MM(name) _mm256_##name##_ps
#else
#define MM(name) _mm256_##name##_pd
#endif

static ALWAYS_INLINE vec muladd_vec(vec a, vec b, vec c)
{
    return MM(fmadd)(a, b, c);
}

static ALWAYS_INLINE T muladd_of(T a, T b, T c)
{
    return LIBM(__builtin_fma)(a, b, c);
}

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

static ALWAYS_INLINE vec load_partial_zero(const T *x, int64_t n)
{
    return MM(maskload)(x, (__m256i)first_lanes(n));
}

static ALWAYS_INLINE void store_partial(T *y, vec v, int64_t n)
{
    MM(maskstore)(y, (__m256i)first_lanes(n), v);
}

#if IS_F32
static ALWAYS_INLINE vec load_quads(const T *a, const T *b)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(a)), _mm_loadu_ps(b), 1);
}
#endif

static ALWAYS_INLINE vec_u64 multiply_low(vec_u64 a, vec_u64 b)
{
    return (vec_u64)_mm256_mul_epu32((__m256i)a, (__m256i)b);
}

#endif
