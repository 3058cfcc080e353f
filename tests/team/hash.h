/* tests/team/hash.h - a number for the bits of tensors. */
#ifndef HASH_H
#define HASH_H

#include <heed/heed.h>

#define HASH_BEGIN UINT64_C(1469598103934665603)

static inline uint64_t hash_tensor(uint64_t hash, heed_tensor *t)
{
    size_t size = (size_t)heed_numel(t) * heed_dtype_size(heed_dtype_of(t));
    t = heed_contiguous(t);
    const unsigned char *bytes = heed_dtype_of(t) == HEED_F32   ? (const unsigned char *)heed_data_f32(t)
                                 : heed_dtype_of(t) == HEED_F64 ? (const unsigned char *)heed_data_f64(t)
                                                                : (const unsigned char *)heed_data_i64(t);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    return hash;
}

#endif
