/* base/hash.h - hashes of texts, by FNV-1a, and of numbers.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_BASE_HASH_H
#define HEED_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HEED_HASH_OF_NOTHING UINT64_C(0xcbf29ce484222325)

/* Returns the hash of a text that continues a text with the hash `before`. */
static inline uint64_t heed__hash(uint64_t before, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        before = (before ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return before;
}

/* Mixes the bits of x bijectively (the finalizer of SplitMix64: G. Steele, D. Lea, C. Flood, OOPSLA 2014). */
static inline uint64_t heed__mix_bits(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

/* Returns the slot of a hash in a table of `slots` slots, a power of two. */
static inline size_t heed__hash_slot(uint64_t hash, size_t slots)
{
    return (size_t)(hash ^ hash >> 32) & (slots - 1);
}

#endif
