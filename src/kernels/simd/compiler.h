/* kernels/simd/compiler.h - what the kernels tell the compiler. None of it changes a result. */
#ifndef HEED_KERNELS_SIMD_COMPILER_H
#define HEED_KERNELS_SIMD_COMPILER_H

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* Before a loop: its iterations are independent, also when an input is the output. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define INDEPENDENT _Pragma("GCC ivdep")
#else
#define INDEPENDENT
#endif

/* Before a loop of constant length, at most 8, 16 or 32: it is unrolled, so that arrays of registers become registers.
 * INTERLEAVE: for how many registers a function is computed side by side, so that none waits for its own results; clang
 * would need much stack for more than one. */
#if defined(__clang__) || !defined(__GNUC__)
#define UNROLL
#define UNROLL16 _Pragma("clang loop unroll(full)")
#define UNROLL32 UNROLL16
#define INTERLEAVE 1
#else
#define UNROLL _Pragma("GCC unroll 8")
#define UNROLL16 _Pragma("GCC unroll 16")
#define UNROLL32 _Pragma("GCC unroll 32")
#define INTERLEAVE 4
#endif

#if defined(__has_builtin)
#if __has_builtin(__builtin_shuffle) /* gcc's */
#define HAVE_SHUFFLE
#endif
#endif

/* Does nothing, but from here on the compiler does not know the value of x: so it does not compute multiples of x ahead
 * and keep them in registers, of which there are too few, where an address can contain the multiplication. */
#define OPTIMIZER_HIDE_VAR(x) __asm__("" : "+r"(x))

#endif
