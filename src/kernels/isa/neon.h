/* kernels/isa/neon.h - NEON, which every AArch64 CPU has. In contrast to scalar.h, it uses fma and has tiles for 32
 * registers. See isa.h.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ISA_NEON_H
#define HEED_KERNELS_ISA_NEON_H

#include <arm_neon.h>

#define VECTOR_BYTES 16
#include "kernels/simd/vec_types.h"

#define TILE_ROWS 14 /* 28 registers of C, 2 of B and 1 of A, of 32 */
#define FOR_EACH_TILE_ROWS(X) X(14) X(13) X(12) X(11) X(10) X(9) X(8) X(7) X(6) X(5) X(4) X(3) X(2) X(1)

#define HAVE_FMA
#define HAVE_SQRT
#define HAVE_MULTIPLY_LOW

#if IS_F32
#define NEON(name) v##name##q_f32
#else
#define NEON(name) v##name##q_f64
#endif

static ALWAYS_INLINE vec muladd_vec(vec a, vec b, vec c)
{
    return NEON(fma)(c, a, b);
}

static ALWAYS_INLINE T muladd_of(T a, T b, T c)
{
    return LIBM(__builtin_fma)(a, b, c);
}

static ALWAYS_INLINE vec sqrt_vec(vec x)
{
    return NEON(sqrt)(x);
}

static ALWAYS_INLINE vec_u64 multiply_low(vec_u64 a, vec_u64 b)
{
    return vmull_u32(vmovn_u64(a), vmovn_u64(b));
}

#endif
