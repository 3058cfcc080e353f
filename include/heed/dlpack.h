/* heed/dlpack.h - exchanges tensors with other libraries without copying, through DLPack
 * (https://github.com/dmlc/dlpack), which NumPy, PyTorch, JAX, CuPy, TVM and others support.
 *
 *     heed_tensor *x = heed_from_dlpack(theirs);             x owns theirs, and releases it after its last use
 *     struct DLManagedTensor *ours = heed_to_dlpack(y);      pass it on, or call ours->deleter(ours)
 *
 * A DLManagedTensor describes memory and has a function that releases it, the deleter, which its last owner calls once.
 * Python passes them in capsules called "dltensor". heed does not need DLPack's header; a program that reads the
 * struct's fields includes <dlpack/dlpack.h>.
 *
 * This is the struct without a version, which every library supports. The DLManagedTensorVersioned of DLPack 1.0
 * (capsules called "dltensor_versioned") is a different struct and must not be cast to it. The struct lacks a flag for
 * read-only memory: NumPy, for instance, does not export read-only arrays with it, and heed treats all memory as
 * writable.
 *
 * Elements are float (32 and 64 bits), int (64), or bool (kDLBool, of 8 bits), in the memory of the CPU (kDLCPU).
 * Writes by one library are visible to the other but not detected: a backward pass that needs the old values computes
 * with the new ones (heed/tensor.h). Threads: the program must synchronise reads and writes, as for any shared
 * memory.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_DLPACK_H
#define HEED_DLPACK_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

struct DLManagedTensor;

/* Returns a tensor on the memory of a different library, with its shape and strides, borrowed from the innermost scope.
 * The tensor takes ownership of `managed`: the deleter is called when the last tensor that uses the memory is freed, in
 * the thread that frees it. If the call fails, the caller keeps ownership. Strides may be 0 or negative. The bytes of
 * bool elements must be 0 or 1, also after later writes.
 * Errors: NULL with
 *     HEED_ERR_ARGUMENT       NULL; a NULL shape, or NULL data with elements; a negative ndim; a misaligned address;
 *                             strides that leave the address space; a bool other than 0 and 1
 *     HEED_ERR_SHAPE          sizes that do not form a valid shape
 *     HEED_ERR_DTYPE          other elements, including uint8, which some libraries use for bools
 *     HEED_ERR_UNSUPPORTED    a different device; more than HEED_MAX_RANK dims; a bool tensor whose elements overlap
 *     HEED_ERR_NOMEM
 * torch: torch.from_dlpack   numpy: numpy.from_dlpack */
HEED_API heed_tensor *heed_from_dlpack(struct DLManagedTensor *managed);

/* Exports the memory of t, with its shape and strides, to a different library.
 * The memory stays valid until the deleter is called, whatever happens to t. The deleter may be called from any thread,
 * and after heed_thread_cleanup; a second call fails with HEED_ERR_STATE unless the memory has been reused. A tensor
 * without elements has NULL data.
 * Errors: NULL with HEED_ERR_STATE for a tensor that requires a gradient, because the other library's results would
 * lack one: call heed_detach first; HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM.
 * torch: torch.utils.dlpack.to_dlpack */
HEED_API HEED_NODISCARD struct DLManagedTensor *heed_to_dlpack(heed_tensor *t);

HEED_END_DECLS

#endif
