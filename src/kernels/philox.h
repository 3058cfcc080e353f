/* kernels/philox.h - one block of Philox4x32-10, inline for loops that need many blocks.
 *
 * J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw: Parallel Random Numbers: As Easy as 1, 2, 3 (SC 2011). The four
 * constants are from the paper: two multipliers, and the increments of the key from round to round.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_PHILOX_H
#define HEED_KERNELS_PHILOX_H

#include <stdint.h>

#define HEED_PHILOX_ROUNDS 10
#define HEED_PHILOX_MULTIPLIER_0 UINT32_C(0xD2511F53)
#define HEED_PHILOX_MULTIPLIER_1 UINT32_C(0xCD9E8D57)
#define HEED_PHILOX_STEP_0 UINT32_C(0x9E3779B9)
#define HEED_PHILOX_STEP_1 UINT32_C(0xBB67AE85)

static inline void heed__philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < HEED_PHILOX_ROUNDS; round++) {
        uint64_t a = (uint64_t)HEED_PHILOX_MULTIPLIER_0 * c0;
        uint64_t b = (uint64_t)HEED_PHILOX_MULTIPLIER_1 * c2;
        c0 = (uint32_t)(b >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)b;
        c2 = (uint32_t)(a >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)a;
        k0 += HEED_PHILOX_STEP_0;
        k1 += HEED_PHILOX_STEP_1;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

#endif
