/* core/size_class.h - the size classes of blocks: multiples of 64 bytes to 512, then eight classes per power of two,
 * which waste at most an eighth. */
#ifndef HEED_CORE_SIZE_CLASS_H
#define HEED_CORE_SIZE_CLASS_H

#include <stddef.h>
#include <stdint.h>

#define HEED_SMALL_CLASSES 8 /* 64, 128, ... 512 */
#define HEED_CLASS_COUNT (HEED_SMALL_CLASSES + 8 * 38)
#if SIZE_MAX > UINT32_MAX
#define HEED_MAX_SIZE ((size_t)1 << 46)
#else
#define HEED_MAX_SIZE ((size_t)1 << 30)
#endif

static inline size_t heed__class_size(int bin)
{
    if (bin < HEED_SMALL_CLASSES)
        return 64 * ((size_t)bin + 1);
    int exponent = 9 + (bin - HEED_SMALL_CLASSES) / 8;
    size_t eighth = (size_t)((bin - HEED_SMALL_CLASSES) % 8);
    return (9 + eighth) << (exponent - 3);
}

typedef struct heed__size_class {
    int bin; /* HEED_CLASS_COUNT, an invalid class, for sizes above HEED_MAX_SIZE */
    size_t bytes;
} heed__size_class;

static inline heed__size_class heed__class_of(size_t size)
{
    if (size <= 512) {
        size_t bin = (size - (size > 0)) / 64;
        return (heed__size_class){(int)bin, 64 * (bin + 1)};
    }
    if (size > HEED_MAX_SIZE)
        return (heed__size_class){HEED_CLASS_COUNT, size};
    int exponent = 63 - __builtin_clzll((unsigned long long)(size - 1)); /* 2^exponent <= size - 1 < 2^(exponent + 1) */
    int eighth = (int)((size - 1) >> (exponent - 3)) - 8;
    int bin = HEED_SMALL_CLASSES + 8 * (exponent - 9) + eighth;
    return (heed__size_class){bin, heed__class_size(bin)};
}

#endif
