/* bench/limits_isa.c - the loops of bench_limits for one instruction set, HEED_ISA. Unlike in the library, the
 * compiler may contract a * b + c into one instruction here.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "limits.h"

#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#elif defined(__AVX2__)
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif

#define NAME_(isa) #isa
#define NAME(isa) NAME_(isa)
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)

typedef float vector __attribute__((vector_size(VECTOR_BYTES)));
enum { LANES = VECTOR_BYTES / sizeof(float), READERS = 8 };

static float total(const vector *parts, int n)
{
    float sum = 0.0f;
    for (int i = 0; i < n; i++)
        for (int lane = 0; lane < LANES; lane++)
            sum += parts[i][lane];
    return sum;
}

/* The chains do not wait for each other; every chain tends to 1. */
static float multiply_add(int64_t rounds)
{
    vector chains[LIMITS_CHAINS], half = (vector){0} + 0.5f;
    for (int i = 0; i < LIMITS_CHAINS; i++)
        chains[i] = half * (float)i;
    for (int64_t round = 0; round < rounds; round++)
        for (int i = 0; i < LIMITS_CHAINS; i++)
            chains[i] = chains[i] * half + half;
    return total(chains, LIMITS_CHAINS);
}

static float read(const float *x, int64_t n)
{
    vector sums[READERS] = {{0}};
    for (int64_t i = 0; i < n; i += READERS * LANES)
        for (int j = 0; j < READERS; j++)
            sums[j] += *(const vector *)(const void *)(x + i + j * LANES);
    return total(sums, READERS);
}

const limits_isa CAT(limits_, HEED_ISA) = {NAME(HEED_ISA), LANES, multiply_add, read};
