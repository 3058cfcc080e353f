/* kernels/isa/isa.h - selects the instruction set that a translation unit is compiled for. Every instruction set has a
 * file with its special features. The compiler's flags, which src/CMakeLists.txt sets, select the file; HEED_NEON
 * selects NEON, which needs no flag. All other code uses the compiler's vector types and the definitions in this
 * file.
 *
 * A file calls an intrinsic of both element types by a macro: MM(max) is _mm256_max_ps or _mm256_max_pd.
 *
 * A file must define
 *
 *     VECTOR_BYTES              the width of a register, 16, 32 or 64; then it includes kernels/simd/vec_types.h
 *     TILE_ROWS                 rows of a register tile (BLIS's MR), at most 14: two registers per row of C, two of
 *                               B and one of A are in use at once
 *     FOR_EACH_TILE_ROWS(X)     X(TILE_ROWS) ... X(2) X(1)
 *     muladd_vec(a, b, c)       a b + c of registers
 *     muladd_of(a, b, c)        a b + c of numbers, with the same rounding
 *
 * and may define the functions below if the instruction set has an instruction for them, together with the macro in the
 * first column. Otherwise portable code in the file on the right computes the same bits, but without HAVE_FMA the last
 * bits may differ.
 *
 *     HAVE_FMA                  muladd_vec and muladd_of round once                             simd/functions.h
 *     HAVE_REDUCTIONS           T add_lanes(v): halves are added until one element is left      simd/vec.h
 *                               T max_lanes(v), T min_lanes(v): for elements other than NaN
 *     HAVE_MIN_MAX              max_vec(a, b), min_vec(a, b): b if either is NaN                simd/vec.h
 *     HAVE_SQRT                 sqrt_vec(x)                                                     simd/vec.h
 *     HAVE_PARTIAL_MEMORY       load_partial_zero(x, n): n < WIDTH elements, then zeros         simd/vec.h
 *                               store_partial(y, v, n): writes only n elements
 *     HAVE_SCALEF               scale_above(low, x, y, n): y 2^n, but 0 if x < low              simd/exp.h
 *     HAVE_LOOKUP32             lookup32(table, i), only for f32: table[i mod 32]               simd/tanh_table.h
 *     VECTOR_BYTES == 32        load_quads(a, b), required for f32: a[0 .. 3], b[0 .. 3]        simd/tanh_table.h
 *     HAVE_PAIRS                only for f32 and matmul/by_pairs.h: a lane holds two bf16       matmul/tile.h
 *                               round_to_pairs(low, high): the numbers of low, then of high, as bf16
 *                               pair_up(first, second): lane i holds first[i] and second[i], as bf16
 *                               add_dot_of_pairs(a, b, c): in every lane, c plus the dot product of the pairs a and b
 *     HAVE_UNIT                 with HAVE_PAIRS: a matrix unit for pairs, for matmul/by_unit.h  isa/amx.h
 *     HAVE_MULTIPLY_LOW         multiply_low(a, b): 64-bit products of the low 32 bits          elementwise/dropout.h
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ISA_ISA_H
#define HEED_KERNELS_ISA_ISA_H

#if defined(__AVX512F__)
#include "kernels/isa/avx512.h"
#elif defined(__FMA__)
#include "kernels/isa/avx2.h"
#elif defined(HEED_NEON)
#include "kernels/isa/neon.h"
#else
#include "kernels/isa/scalar.h"
#endif

#endif
