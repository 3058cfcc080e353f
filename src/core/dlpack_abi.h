/* core/dlpack_abi.h - DLPack's DLManagedTensor, whose layout is the same in every version of DLPack
 * (https://github.com/dmlc/dlpack). tests/core/test_dlpack_abi.c compares it with DLPack's own header.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_CORE_DLPACK_ABI_H
#define HEED_CORE_DLPACK_ABI_H

#include <stdint.h>

typedef struct heed__dl_tensor {
    void *data;
    int32_t device, device_number;
    int32_t ndim;
    uint8_t code, bits; /* of an element's type */
    uint16_t lanes;     /* elements of a vector */
    int64_t *shape;
    int64_t *strides; /* in elements; NULL means row-major */
    uint64_t byte_offset;
} heed__dl_tensor;

struct DLManagedTensor {
    heed__dl_tensor tensor;
    void *manager;
    void (*deleter)(struct DLManagedTensor *self); /* may be NULL */
};

enum { HEED_DL_CPU = 1 };
enum { HEED_DL_INT = 0, HEED_DL_FLOAT = 2, HEED_DL_BOOL = 6 };

#endif
