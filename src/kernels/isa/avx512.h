/* kernels/isa/avx512.h - AVX-512 F, BW, CD, DQ and VL, as in -march=x86-64-v4. See isa.h.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ISA_AVX512_H
#define HEED_KERNELS_ISA_AVX512_H

#include <immintrin.h>

#define VECTOR_BYTES 64
#include "kernels/simd/vec_types.h"

#define TILE_ROWS 14 /* 28 registers of C, 2 of B and 1 of A, of 32 */
#define FOR_EACH_TILE_ROWS(X) X(14) X(13) X(12) X(11) X(10) X(9) X(8) X(7) X(6) X(5) X(4) X(3) X(2) X(1)

#define HAVE_FMA
#define HAVE_REDUCTIONS
#define HAVE_MIN_MAX
#define HAVE_SQRT
#define HAVE_PARTIAL_MEMORY
#define HAVE_SCALEF
#define HAVE_MULTIPLY_LOW

#if IS_F32
#define MM(name) _mm512_##name##_ps
#define MM_COMPARE _mm512_cmp_ps_mask
#define MM_MASK __mmask16
#else
#define MM(name) _mm512_##name##_pd
#define MM_COMPARE _mm512_cmp_pd_mask
#define MM_MASK __mmask8
#endif

static ALWAYS_INLINE vec muladd_vec(vec a, vec b, vec c)
{
    return MM(fmadd)(a, b, c);
}

static ALWAYS_INLINE T muladd_of(T a, T b, T c)
{
    return LIBM(__builtin_fma)(a, b, c);
}

static ALWAYS_INLINE T add_lanes(vec v)
{
    return MM(reduce_add)(v);
}

static ALWAYS_INLINE T max_lanes(vec v)
{
    return MM(reduce_max)(v);
}

static ALWAYS_INLINE T min_lanes(vec v)
{
    return MM(reduce_min)(v);
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
    return MM(maskz_loadu)((MM_MASK)((1u << n) - 1), x);
}

static ALWAYS_INLINE void store_partial(T *y, vec v, int64_t n)
{
    MM(mask_storeu)(y, (MM_MASK)((1u << n) - 1), v);
}

static ALWAYS_INLINE vec scale_above(vec low, vec x, vec y, vec n)
{
    return MM(maskz_scalef)(MM_COMPARE(x, low, _CMP_NLT_UQ), y, n);
}

#if IS_F32
#if defined(__AVX512BF16__)
#define HAVE_PAIRS

static ALWAYS_INLINE vec round_to_pairs(vec low, vec high)
{
    return (vec)_mm512_cvtne2ps_pbh(high, low);
}

static ALWAYS_INLINE vec pair_up(vec first, vec second)
{
    static const uint16_t order[32] = {0, 16, 1, 17, 2,  18, 3,  19, 4,  20, 5,  21, 6,  22, 7,  23,
                                       8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31};
    return (vec)_mm512_permutexvar_epi16(_mm512_loadu_si512(order), (__m512i)_mm512_cvtne2ps_pbh(second, first));
}

static ALWAYS_INLINE vec add_dot_of_pairs(vec a, vec b, vec c)
{
    return _mm512_dpbf16_ps(c, (__m512bh)a, (__m512bh)b);
}
#endif

#define HAVE_LOOKUP32
static ALWAYS_INLINE vec lookup32(const T *table, vec i)
{
    return _mm512_permutex2var_ps(_mm512_loadu_ps(table), (__m512i)i, _mm512_loadu_ps(table + 16));
}
#endif

static ALWAYS_INLINE vec_u64 multiply_low(vec_u64 a, vec_u64 b)
{
    return (vec_u64)_mm512_mul_epu32((__m512i)a, (__m512i)b);
}

#endif
