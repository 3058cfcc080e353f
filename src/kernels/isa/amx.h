/* kernels/isa/amx.h - a matrix unit for by_unit.h: AMX with bf16, in Intel's Xeons since Sapphire Rapids. Between
 * unit_begin() and unit_end() a thread has eight tiles, 0 to 7, of 16 rows of 64 bytes. unit_end() discards their
 * contents.
 *
 *     UNIT_ZERO(t)                 sets tile t to zeros
 *     UNIT_LOAD(t, from, row)      loads 16 rows of 16 f32 or pairs; rows begin `row` elements apart
 *     UNIT_STORE(t, to, row)       stores such rows
 *     UNIT_ADD_PRODUCT(c, a, b)    c[i][j] += sum over k of a[i][k] . b[k][j], dot products of pairs of bf16, in f32
 *
 * Uses assembly directly, because gcc's own macros do not tell the compiler that they read memory. HEED_NO_AMX is for
 * assemblers without AMX (before binutils 2.36): the macros are then empty, and dispatch.c reports no matrix unit.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ISA_AMX_H
#define HEED_KERNELS_ISA_AMX_H

#if !defined(HAVE_UNIT)
#define HAVE_UNIT

#include <stdint.h>

#include "kernels/simd/compiler.h"

#if !defined(HEED_NO_AMX)

/* The operand of LDTILECFG. */
typedef struct unit_shape {
    uint8_t palette, start_row, reserved[14];
    uint16_t row_bytes[16];
    uint8_t rows[16];
} unit_shape;

static ALWAYS_INLINE void unit_begin(void)
{
    static const unit_shape eight = {
        .palette = 1, .row_bytes = {64, 64, 64, 64, 64, 64, 64, 64}, .rows = {16, 16, 16, 16, 16, 16, 16, 16}};
    __asm__ volatile("ldtilecfg %0" : : "m"(eight));
}

static ALWAYS_INLINE void unit_end(void)
{
    __asm__ volatile("tilerelease" : : : "memory");
}

#define UNIT_ZERO(t) __asm__ volatile("tilezero %%tmm" #t : : : "memory")
#define UNIT_LOAD(t, from, row)                                                                                        \
    __asm__ volatile("tileloadd (%0,%1,1), %%tmm" #t : : "r"(from), "r"((row) * (int64_t)sizeof(T)) : "memory")
#define UNIT_STORE(t, to, row)                                                                                         \
    __asm__ volatile("tilestored %%tmm" #t ", (%0,%1,1)" : : "r"(to), "r"((row) * (int64_t)sizeof(T)) : "memory")
#define UNIT_ADD_PRODUCT(c, a, b) __asm__ volatile("tdpbf16ps %%tmm" #b ", %%tmm" #a ", %%tmm" #c : : : "memory")

#else
#define unit_begin() ((void)0)
#define unit_end() ((void)0)
#define UNIT_ZERO(t) ((void)0)
#define UNIT_LOAD(t, from, row) ((void)(from))
#define UNIT_STORE(t, to, row) ((void)(to))
#define UNIT_ADD_PRODUCT(c, a, b) ((void)0)
#endif

#endif
#endif
