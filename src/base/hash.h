/* base/hash.h - hashes of texts, by FNV-1a. */
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

/* Returns the slot of a hash in a table of `slots` slots, a power of two. */
static inline size_t heed__hash_slot(uint64_t hash, size_t slots)
{
    return (size_t)(hash ^ hash >> 32) & (slots - 1);
}

#endif
