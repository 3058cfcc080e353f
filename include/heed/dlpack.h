/* heed/dlpack.h - tensors from other libraries, and to them, without a copy: DLPack (https://github.com/dmlc/dlpack),
 * which NumPy, PyTorch, JAX, CuPy, TVM and others speak.
 *
 *     heed_tensor *x = heed_from_dlpack(theirs);             x owns theirs, and returns it with its last use
 *     struct DLManagedTensor *ours = heed_to_dlpack(y);      for whoever takes it; else: ours->deleter(ours)
 *
 * A DLManagedTensor describes memory, and has a function that gives it back, the deleter, which whoever has it last
 * calls once. Python hands them over in capsules called "dltensor". heed needs no header of DLPack's: a program that
 * looks into one includes <dlpack/dlpack.h>.
 *
 * It is the structure without a version, which every library takes and gives; the DLManagedTensorVersioned of DLPack
 * 1.0 (capsules called "dltensor_versioned") is another one, and not to be cast to it. It has no flag for memory that
 * must not be written: NumPy, for one, gives no read-only array in it, and heed takes what it is given as memory to
 * write.
 *
 * Elements are float (32 and 64 bits), int (64), or bool (kDLBool, of 8 bits), in the memory of the CPU (kDLCPU). What
 * is written on one side shows on the other, and is not noticed there: a backward pass that needs the values of before
 * computes with the new ones (heed/tensor.h). Threads: who reads and writes when is for the program to say, as for any
 * memory that is shared. */
#ifndef HEED_DLPACK_H
#define HEED_DLPACK_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

struct DLManagedTensor;

/* A tensor on the memory of another library's, of its shape and strides, borrowed from the innermost scope. It takes
 * `managed` over: its deleter is called once no tensor is on the memory any more, by the thread that has let the last
 * one go. A call that fails leaves it with the caller. Strides may be 0 or negative. The bytes of a bool must be 0 or
 * 1, also later on. NULL with
 *     HEED_ERR_ARGUMENT       NULL; a shape, or data of what has elements, that is NULL; a negative ndim; an address
 *                             that no element can have; strides that lead out of all memory; a bool that is neither 0
 *                             nor 1
 *     HEED_ERR_SHAPE          sizes that are no shape's
 *     HEED_ERR_DTYPE          other elements, uint8 among them, as which some libraries give bools
 *     HEED_ERR_UNSUPPORTED    another device; more than HEED_MAX_RANK dims; bools on axes that overlap
 *     HEED_ERR_NOMEM
 * torch: torch.from_dlpack   numpy: numpy.from_dlpack */
HEED_API heed_tensor *heed_from_dlpack(struct DLManagedTensor *managed);

/* The memory of t, with its shape and strides, for another library. It lives until the deleter has been called,
 * whatever becomes of t; from any thread, and after heed_thread_cleanup. A call too many fails with HEED_ERR_STATE, as
 * long as the memory has not been used again. Zero elements have NULL for data. NULL with HEED_ERR_STATE for a tensor
 * that requires a gradient, as what the other side computes has none: take heed_detach; HEED_ERR_ARGUMENT for NULL;
 * HEED_ERR_NOMEM.
 * torch: torch.utils.dlpack.to_dlpack */
HEED_API HEED_NODISCARD struct DLManagedTensor *heed_to_dlpack(heed_tensor *t);

HEED_END_DECLS

#endif
