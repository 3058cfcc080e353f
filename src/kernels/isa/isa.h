/* kernels/isa/isa.h - the instruction set that a translation unit is compiled for. All that is special about one is in
 * its own file; the compiler's flags, which src/CMakeLists.txt sets, say which, and HEED_NEON does, for NEON is there
 * without a flag. Everything else is written with the compiler's vectors, and with what such a file defines.
 *
 * It must define
 *
 *     VECTOR_BYTES              the width of a register, 16, 32 or 64; then it includes kernels/simd/vec_types.h
 *     TILE_ROWS                 rows of a register tile (BLIS's MR), at most 14: two registers of each row of C, two of
 *                               B and one of A are there at once
 *     FOR_EACH_TILE_ROWS(X)     X(TILE_ROWS) ... X(2) X(1)
 *     FOR_EACH_WIDE_TILE(X)     X(rows, vectors): few rows, of 3 to 8 registers each; rows * vectors + vectors + 1
 *                               are in use at once
 *     muladd_vec(a, b, c)       a b + c of registers
 *     muladd_of(a, b, c)        a b + c of numbers, rounded as often
 *
 * and may define what it has an instruction for. Each comes with a macro that says so. Without it the portable code in
 * the file named on the right does the same, to the last bit; but with HAVE_FMA or HAVE_LOOKUP32 last bits may differ.
 *
 *     HAVE_FMA                  muladd_vec and muladd_of round once                             simd/functions.h
 *     HAVE_REDUCTIONS           T add_lanes(v): halves are added until one element is left      simd/vec.h
 *                               T max_lanes(v), T min_lanes(v): of elements that are not NaN
 *     HAVE_MIN_MAX              max_vec(a, b), min_vec(a, b): b where either is NaN             simd/vec.h
 *     HAVE_SQRT                 sqrt_vec(x)                                                     simd/vec.h
 *     HAVE_PARTIAL_MEMORY       load_partial_zero(x, n): n < WIDTH elements, then zeros         simd/vec.h
 *                               store_partial(y, v, n): nothing else is touched
 *     HAVE_SCALEF               scale_above(low, x, y, n): y 2^n, but 0 where x < low           simd/exp.h
 *     HAVE_LOOKUP32             lookup32(table, i), of f32 only: table[i mod 32]                simd/exp.h
 *     HAVE_PAIRS                of f32, two bf16 in its place, by matmul/by_pairs.h alone:      matmul/tile.h
 *                               round_to_pairs(low, high): their numbers, one after another
 *                               pair_up(first, second): (first[i], second[i]) at i
 *                               add_dot_of_pairs(a, b, c): c + a . b of the pairs of each lane
 *     HAVE_UNIT                 beside HAVE_PAIRS, a matrix unit for them, by matmul/by_unit.h alone: isa/amx.h
 *     HAVE_MULTIPLY_LOW         multiply_low(a, b), of vec_u64: products of the low halves      elementwise/dropout.h
 */
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
