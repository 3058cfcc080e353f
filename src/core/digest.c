/* core/digest.c - 64-bit digests of the numbers of a tensor. See core/digest.h.
 *
 * Every lane rotates, xors and adds, which is a bijection of the lane: a change of one number always changes the digest
 * of its lane. Lanes are independent, so compilers can vectorise them. */

#include "core/digest.h"

#include <string.h>

#include "core/lifetime.h"
#include "core/loop.h"

enum { LANES = 16 };

#define DIGEST(name, T, bits_type, bits, nan_bits)                                                                     \
    static uint64_t name(const void *x_, int64_t n)                                                                    \
    {                                                                                                                  \
        const T *x = x_;                                                                                               \
        bits_type lane[LANES] = {0};                                                                                   \
        for (int64_t i = 0; i < n; i += LANES)                                                                         \
            for (int k = 0; k < (n - i < LANES ? (int)(n - i) : LANES); k++) {                                         \
                bits_type number;                                                                                      \
                memcpy(&number, &x[i + k], sizeof number);                                                             \
                number = x[i + k] == x[i + k] ? number : (nan_bits);                                                   \
                lane[k] = ((lane[k] << 5 | lane[k] >> ((bits)-5)) ^ number) + 0x9E3779B9U;                             \
            }                                                                                                          \
        uint64_t digest = (uint64_t)n;                                                                                 \
        for (int k = 0; k < LANES; k++)                                                                                \
            digest = heed__digest_mix(digest, lane[k]);                                                                \
        return digest;                                                                                                 \
    }
DIGEST(digest_f32, float, uint32_t, 32, 0x7fc00000U)
DIGEST(digest_f64, double, uint64_t, 64, UINT64_C(0x7ff8000000000000))

bool heed__digest(const char *where, heed_tensor *x, uint64_t *digest)
{
    heed_tensor *dense = heed__dense(where, x);
    if (!dense)
        return false;
    *digest = (x->dtype == HEED_F32 ? digest_f32 : digest_f64)(dense->data, dense->numel);
    heed_release(dense);
    return true;
}
