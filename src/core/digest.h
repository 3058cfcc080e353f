/* core/digest.h - 64-bit digests of the numbers of a tensor, which tell whether a computation repeats itself. */
#ifndef HEED_CORE_DIGEST_H
#define HEED_CORE_DIGEST_H

#include "core/tensor.h"

/* Returns h with x mixed in. The order of calls matters. */
static inline uint64_t heed__digest_mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ h >> 29;
}

/* Sets *digest to the digest of a floating-point tensor. Every NaN counts as the same number; 0 and -0 differ. Returns
 * false after heed_fail. */
bool heed__digest(const char *where, heed_tensor *x, uint64_t *digest);

#endif
