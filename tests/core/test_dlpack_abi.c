/* tests/core/test_dlpack_abi.c - tests that heed's DLManagedTensor equals DLPack's, field by field.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#define DLManagedTensor heed__managed_tensor
#include "core/dlpack_abi.h"
#undef DLManagedTensor

#include "check_heed.h"

#if __has_include(<dlpack/dlpack.h>)
#include <dlpack/dlpack.h>

#define SAME(ours, our_field, theirs, their_field)                                                                     \
    do {                                                                                                               \
        ck_assert_uint_eq(offsetof(ours, our_field), offsetof(theirs, their_field));                                   \
        ck_assert_uint_eq(sizeof((ours){0}.our_field), sizeof((theirs){0}.their_field));                               \
    } while (0)

START_TEST(tensors)
{
    ck_assert_uint_eq(sizeof(heed__dl_tensor), sizeof(DLTensor));
    SAME(heed__dl_tensor, data, DLTensor, data);
    SAME(heed__dl_tensor, device, DLTensor, device.device_type);
    SAME(heed__dl_tensor, device_number, DLTensor, device.device_id);
    SAME(heed__dl_tensor, ndim, DLTensor, ndim);
    SAME(heed__dl_tensor, code, DLTensor, dtype.code);
    SAME(heed__dl_tensor, bits, DLTensor, dtype.bits);
    SAME(heed__dl_tensor, lanes, DLTensor, dtype.lanes);
    SAME(heed__dl_tensor, shape, DLTensor, shape);
    SAME(heed__dl_tensor, strides, DLTensor, strides);
    SAME(heed__dl_tensor, byte_offset, DLTensor, byte_offset);
}
END_TEST

START_TEST(managed_tensors)
{
    ck_assert_uint_eq(sizeof(struct heed__managed_tensor), sizeof(DLManagedTensor));
    SAME(struct heed__managed_tensor, tensor, DLManagedTensor, dl_tensor);
    SAME(struct heed__managed_tensor, manager, DLManagedTensor, manager_ctx);
    SAME(struct heed__managed_tensor, deleter, DLManagedTensor, deleter);
}
END_TEST

START_TEST(numbers)
{
    ck_assert_int_eq(HEED_DL_CPU, kDLCPU);
    ck_assert_int_eq(HEED_DL_INT, kDLInt);
    ck_assert_int_eq(HEED_DL_FLOAT, kDLFloat);
#if defined(DLPACK_MAJOR_VERSION) || DLPACK_VERSION >= 80
    ck_assert_int_eq(HEED_DL_BOOL, kDLBool);
#else
    ck_assert_int_eq(HEED_DL_BOOL, kDLComplex + 1); /* newer headers define it, with the next number */
#endif
}
END_TEST

HEED_TEST_MAIN("dlpack_abi", tensors, managed_tensors, numbers)

#else

int main(void)
{
    (void)puts("test_dlpack_abi: skipped: there is no <dlpack/dlpack.h> (libdlpack-dev)");
    return 77;
}

#endif
