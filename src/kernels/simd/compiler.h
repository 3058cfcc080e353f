/* kernels/simd/compiler.h - compiler attributes and pragmas, which do not change results.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_SIMD_COMPILER_H
#define HEED_KERNELS_SIMD_COMPILER_H

#define ALWAYS_INLINE inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline))

/* Before a loop: its iterations are independent, even if an input is also the output. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define INDEPENDENT _Pragma("GCC ivdep")
#else
#define INDEPENDENT
#endif

/* Before a loop of constant length, at most 8, 16 or 32: unrolls it, so that arrays of registers stay in registers.
 * INTERLEAVE: the number of registers for which a function is computed side by side, so that none waits for its own
 * results; with clang more than one would need much stack. */
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
#if __has_builtin(__builtin_shuffle) /* gcc has it */
#define HAVE_SHUFFLE
#endif
#endif

/* Does nothing, but hides the value of x from the compiler. The compiler then does not keep multiples of x in scarce
 * registers if the address of an instruction can contain the multiplication. */
#define OPTIMIZER_HIDE_VAR(x) __asm__("" : "+r"(x))

#endif
