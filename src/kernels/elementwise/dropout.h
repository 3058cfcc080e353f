/* kernels/elementwise/dropout.h - dropout, with a random word per element from Philox4x32-10.
 *
 * In a call of dropout with seed s at position q, element i (row-major) has word i mod 4 of the block with the key (s
 * mod 2^32, s / 2^32) and the counter (q mod 2^32, q / 2^32, b mod 2^32, b / 2^32), where b = 1 + i / 4. Because b is
 * never 0, the words differ from the generator's own stream at any position (core/random.c) and from the words of other
 * calls.
 *
 * A register holds one counter word of several blocks.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ELEMENTWISE_DROPOUT_H
#define HEED_KERNELS_ELEMENTWISE_DROPOUT_H

#include <stdint.h>
#include <string.h>

#include "kernels/kernels.h"
#include "kernels/philox.h"
#include "kernels/simd/vec.h"

/* Philox works on 32-bit words, which are the low halves of the elements here. The high halves are irrelevant:
 * multiply_low uses only the low ones. */
#if !defined(HAVE_MULTIPLY_LOW)
static ALWAYS_INLINE vec_u64 multiply_low(vec_u64 a, vec_u64 b)
{
    return (a & UINT32_MAX) * (b & UINT32_MAX);
}
#endif

/* Returns a register that has the words a and b of every element one after the other in memory. */
static ALWAYS_INLINE vec_u64 side_by_side(vec_u64 a, vec_u64 b)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return (a & UINT32_MAX) | b << 32;
#else
    return a << 32 | (b & UINT32_MAX);
#endif
}

static const uint64_t one_to_eight[] = {1, 2, 3, 4, 5, 6, 7, 8};

enum {
    COUNTERS = VECTOR_BYTES / 8, /* blocks per register, which holds one of their four counter words */
    PHILOX_VECTORS = 2,          /* registers per counter word: a single one would wait for its own products */
    DROPOUT_WORDS = 256,         /* words computed at a time: a multiple of 4 * PHILOX_VECTORS * COUNTERS */
};

/* Writes the words of PHILOX_VECTORS * COUNTERS blocks. The first word belongs to element 4 * block. */
static void dropout_blocks(const heed__dropout_numbers *args, uint64_t block, uint32_t *words)
{
    vec_u64 c0[PHILOX_VECTORS], c1[PHILOX_VECTORS], c2[PHILOX_VECTORS], c3[PHILOX_VECTORS];
    const vec_u64 zero = {0};
    vec_u64 first;
    memcpy(&first, one_to_eight, sizeof first);
    UNROLL
    for (int v = 0; v < PHILOX_VECTORS; v++) {
        c2[v] = first + (block + (uint64_t)(v * COUNTERS));
        c3[v] = c2[v] >> 32;
        c0[v] = zero + args->position;
        c1[v] = c0[v] >> 32;
    }
    const vec_u64 multiplier_0 = zero + HEED_PHILOX_MULTIPLIER_0, multiplier_1 = zero + HEED_PHILOX_MULTIPLIER_1;
    uint32_t k0 = (uint32_t)args->seed, k1 = (uint32_t)(args->seed >> 32);
    for (int round = 0; round < HEED_PHILOX_ROUNDS; round++) {
        UNROLL
        for (int v = 0; v < PHILOX_VECTORS; v++) {
            vec_u64 a = multiply_low(c0[v], multiplier_0), b = multiply_low(c2[v], multiplier_1);
            c0[v] = (b >> 32) ^ c1[v] ^ k0;
            c1[v] = b;
            c2[v] = (a >> 32) ^ c3[v] ^ k1;
            c3[v] = a;
        }
        k0 += HEED_PHILOX_STEP_0;
        k1 += HEED_PHILOX_STEP_1;
    }
    UNROLL
    for (int v = 0; v < PHILOX_VECTORS; v++) {
        uint64_t front[COUNTERS], back[COUNTERS];
        vec_u64 words_0_1 = side_by_side(c0[v], c1[v]), words_2_3 = side_by_side(c2[v], c3[v]);
        memcpy(front, &words_0_1, sizeof front);
        memcpy(back, &words_2_3, sizeof back);
        for (int l = 0; l < COUNTERS; l++, words += 4) {
            memcpy(words, &front[l], 8);
            memcpy(words + 2, &back[l], 8);
        }
    }
}

/* Writes the words of the elements 4 * block, 4 * block + 1, ...: at least 4 * blocks words, at most DROPOUT_WORDS. */
static void dropout_words(const heed__dropout_numbers *args, int64_t block, int64_t blocks, uint32_t *words)
{
    for (int64_t b = 0; b < blocks; b += PHILOX_VECTORS * COUNTERS)
        dropout_blocks(args, (uint64_t)(block + b), words + 4 * b);
}

/* Dropout of elements first .. first + n - 1 of a tensor. Dropped elements are set to 0 explicitly, even if x is NaN.
 * Words are compared as 32 bits, so a threshold of 2^32, which is above all words, is a separate case. */
static void dropout_kernel(const heed__dropout_numbers *args, int64_t first, int64_t n, const void *x_, void *y_)
{
    const T *x = x_;
    T *y = y_;
    const T factor = (T)args->factor;
    const uint32_t threshold = (uint32_t)args->threshold;
    if (args->threshold > UINT32_MAX) {
        memset(y, 0, (size_t)n * sizeof(T));
        return;
    }
    for (int64_t done = 0, count; done < n; done += count) {
        uint32_t words[DROPOUT_WORDS];
        int64_t skip = (first + done) % 4;
        count = n - done < DROPOUT_WORDS - skip ? n - done : DROPOUT_WORDS - skip;
        dropout_words(args, (first + done) / 4, (skip + count + 3) / 4, words);
        const uint32_t *word = words + skip;
        INDEPENDENT
        for (int64_t i = 0; i < count; i++) {
            const T kept = x[done + i] * factor;
            y[done + i] = word[i] < threshold ? 0 : kept;
        }
    }
}

#endif
