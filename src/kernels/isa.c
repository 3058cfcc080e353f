/* kernels/isa.c - all kernels for one instruction set: HEED_ISA is scalar, avx2 or avx512, and the compiler's flags say
 * what may be used. The .inc files are templates of the element type T; what they define is static and named FN(name),
 * which is name_f32 or name_f64.
 *
 * Elementwise kernels of plain arithmetic, and sums, give the same bits on every instruction set: no fma, fixed lanes.
 * exp, tanh and their like, what is made of them, and matmul use fma where there is one, which takes a third off their
 * time, and rows have as many partial sums as fit registers: their last bits may differ between instruction sets, never
 * with the number of threads or with an element's place.
 */

#include "kernels/kernels.h"

#include <float.h>
#include <math.h>
#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "kernels/map.h"
#include "kernels/philox.h"
#include "kernels/polynomial.h"
#include "kernels/total.h"

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)

/* Iterations of the next loop are independent, also when an input is the output. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define INDEPENDENT _Pragma("GCC ivdep")
#else
#define INDEPENDENT
#endif

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* Does nothing, but a compiler does not know what x is behind it: so multiples of x that addresses are made of are not
 * computed once and held in registers, of which there are too few, but where they cost nothing, in the address. */
#define FORGET(x) __asm__("" : "+r"(x))

/* AT_ONCE: registers full of numbers that a function is taken of at a time. clang needs much stack for more than one. */
#if defined(__clang__) || !defined(__GNUC__)
#define AT_ONCE 1
#define UNROLL
#define UNROLL16 _Pragma("clang loop unroll(full)")
#define UNROLL32 UNROLL16
#else
#define AT_ONCE 4
#define UNROLL _Pragma("GCC unroll 8")
#define UNROLL16 _Pragma("GCC unroll 16")
#define UNROLL32 _Pragma("GCC unroll 32")
#endif

/* VECTOR_BYTES: the width of a register. TILE_ROWS: of a tile of C, such that two registers of each row, and what is
 * multiplied, are held in registers; TILE_SIZES: a TILE(rows) for each number of rows up to it. MULADD(a, b, c) = a b + c,
 * in one rounding where the CPU has it. ADD_LANES(v), if defined: the sum of v's elements, half of them added to the
 * other half until one is left; MAX_LANES(v) and MIN_LANES(v), with it: the largest and the smallest of them.
 * LOAD_FIRST(x, n) and STORE_FIRST(y, v, n), if defined: the first n elements only, n below the width; loaded ones are
 * followed by zeros. MULTIPLY_LOW(a, b), if defined: the products of the low halves of 64-bit elements. LARGER(a, b)
 * and SMALLER(a, b), if defined: of each two, b where either is NaN. SCALE_ABOVE(low, x, y, n), if defined: y 2^n, but
 * 0 where x < low. LOOKUP32(table, i), if defined: table[i mod 32]. */
#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#define TILE_ROWS 14
#define TILE_SIZES                                                                                                     \
    TILE(14)                                                                                                           \
    TILE(13) TILE(12) TILE(11) TILE(10) TILE(9) TILE(8) TILE(7) TILE(6) TILE(5) TILE(4) TILE(3) TILE(2) TILE(1)
#define ADD_LANES_f32 _mm512_reduce_add_ps
#define ADD_LANES_f64 _mm512_reduce_add_pd
#define MAX_LANES_f32 _mm512_reduce_max_ps
#define MAX_LANES_f64 _mm512_reduce_max_pd
#define MIN_LANES_f32 _mm512_reduce_min_ps
#define MIN_LANES_f64 _mm512_reduce_min_pd
#define HAVE_LANES
#define MULADD_f32 _mm512_fmadd_ps
#define MULADD_f64 _mm512_fmadd_pd
#define MULTIPLY_LOW(a, b) ((counters)_mm512_mul_epu32((__m512i)(a), (__m512i)(b)))
#define HAVE_FIRST
#define LOAD_FIRST_f32(x, n) _mm512_maskz_loadu_ps((__mmask16)((1u << (n)) - 1), x)
#define LOAD_FIRST_f64(x, n) _mm512_maskz_loadu_pd((__mmask8)((1u << (n)) - 1), x)
#define STORE_FIRST_f32(y, v, n) _mm512_mask_storeu_ps(y, (__mmask16)((1u << (n)) - 1), v)
#define STORE_FIRST_f64(y, v, n) _mm512_mask_storeu_pd(y, (__mmask8)((1u << (n)) - 1), v)
#define HAVE_LIMITS
#define LARGER_f32 _mm512_max_ps
#define LARGER_f64 _mm512_max_pd
#define SMALLER_f32 _mm512_min_ps
#define SMALLER_f64 _mm512_min_pd
#define HAVE_SCALE
#define SCALE_ABOVE_f32(low, x, y, n) _mm512_maskz_scalef_ps(_mm512_cmp_ps_mask(x, low, _CMP_NLT_UQ), y, n)
#define SCALE_ABOVE_f64(low, x, y, n) _mm512_maskz_scalef_pd(_mm512_cmp_pd_mask(x, low, _CMP_NLT_UQ), y, n)
#define HAVE_LOOKUP32
#define LOOKUP32_f32(table, i)                                                                                         \
    (_mm512_permutex2var_ps(_mm512_loadu_ps(table), (__m512i)(i), _mm512_loadu_ps((table) + 16)))
#elif defined(__FMA__)
#define VECTOR_BYTES 32
#define TILE_ROWS 6
#define TILE_SIZES TILE(6) TILE(5) TILE(4) TILE(3) TILE(2) TILE(1)
#define MULADD_f32 _mm256_fmadd_ps
#define MULADD_f64 _mm256_fmadd_pd
#define MULTIPLY_LOW(a, b) ((counters)_mm256_mul_epu32((__m256i)(a), (__m256i)(b)))
#define HAVE_FIRST
#define LOAD_FIRST_f32(x, n) _mm256_maskload_ps(x, (__m256i)first_f32(n))
#define LOAD_FIRST_f64(x, n) _mm256_maskload_pd(x, (__m256i)first_f64(n))
#define STORE_FIRST_f32(y, v, n) _mm256_maskstore_ps(y, (__m256i)first_f32(n), v)
#define STORE_FIRST_f64(y, v, n) _mm256_maskstore_pd(y, (__m256i)first_f64(n), v)
#define HAVE_LIMITS
#define LARGER_f32 _mm256_max_ps
#define LARGER_f64 _mm256_max_pd
#define SMALLER_f32 _mm256_min_ps
#define SMALLER_f64 _mm256_min_pd
#else
#define VECTOR_BYTES 16
#define TILE_ROWS 4
#define TILE_SIZES TILE(4) TILE(3) TILE(2) TILE(1)
#define MULADD_f32(a, b, c) ((a) * (b) + (c))
#define MULADD_f64(a, b, c) ((a) * (b) + (c))
#if defined(__SSE2__)
#define MULTIPLY_LOW(a, b) ((counters)_mm_mul_epu32((__m128i)(a), (__m128i)(b)))
#define HAVE_LIMITS
#define LARGER_f32 _mm_max_ps
#define LARGER_f64 _mm_max_pd
#define SMALLER_f32 _mm_min_ps
#define SMALLER_f64 _mm_min_pd
#endif
#endif
#if defined(__FMA__)
#define MULADD_ONE_f32 __builtin_fmaf
#define MULADD_ONE_f64 __builtin_fma
#else
#define MULADD_ONE_f32(a, b, c) ((a) * (b) + (c))
#define MULADD_ONE_f64(a, b, c) ((a) * (b) + (c))
#endif

#if defined(HAVE_LOOKUP32)
#include "kernels/tanh_table.h"
#endif

enum {
    BLOCK = 256,      /* terms that are summed in T before they join a sum in double */
    EXP_BLOCK = 1024, /* of exponentials, for which there are more partial sums */
    ABREAST = 4,      /* registers full of partial sums or maxima */
    STRIP = 64,       /* columns summed side by side, */
    STRIP_ROWS = 32,  /* and so many rows of them in T */
    LANES_f32 = 64 / sizeof(float),
    LANES_f64 = 64 / sizeof(double),
    NEAR_BYTES = 16384,  /* of a matrix that stays in the first-level cache while it is multiplied */
    FAR_BYTES = 1 << 19, /* times panels: of an A that is packed because its rows are not contiguous */
    PAGE_BYTES = 4096,   /* rows so far apart fall on the same places of that cache */
    FAR_AHEAD = 64,      /* inner indices that a tile sums while its part of C is fetched */
    STRIPS = 4,          /* of rows of A that are packed or fetched at a time */
    PACK_COLUMNS = 16,
    LINE_BYTES = 64, /* of memory */
    PLACES = 8,      /* tiles of a small product */
    FEW = 8,         /* rows or columns for which products are made of dots, */
    DOTS_LEAST = 64, /* of so many terms at least */
};

#include "kernels/dropout.h"

#define FN(name) CAT(name, SUFFIX)
#define K(number) ((T)(number)) /* a literal as a T */

#define T float
#define BITS uint32_t
#define SIGNED_BITS int32_t
#define SUFFIX _f32
#define LIBM(name) name##f
#define IS_F32 1
#include "kernels/template.inc"

#define T double
#define BITS uint64_t
#define SIGNED_BITS int64_t
#define SUFFIX _f64
#define LIBM(name) name
#define IS_F32 0
#include "kernels/template.inc"

const heed_kernels CAT(heed__kernels_, HEED_ISA)[2] = {
    {
#define KERNEL(type, name) .name = CAT(name, _f32),
#include "kernels/kernels.def"
    },
    {
#define KERNEL(type, name) .name = CAT(name, _f64),
#include "kernels/kernels.def"
    },
};
