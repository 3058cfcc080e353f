/* heed/tensor.h - tensors: creating, reading, writing, printing and owning them.
 *
 * A tensor is a view (shape, strides, offset) of a reference-counted storage. Every tensor that a function returns is
 * borrowed from the innermost open scope of the calling thread (heed/scope.h): heed_retain keeps it alive past the
 * scope, and heed_release drops that ownership. Library objects that store a tensor retain it themselves.
 *
 * Threads: any number of threads may read a tensor at once, use it in ops, make views of it, retain and release it.
 * Changing it (writing in place, heed_set_requires_grad, heed_set_grad, hooks, a backward pass that reaches it as a
 * leaf) requires that no other thread use it at that time; your program has to ensure this, for instance with a lock.
 * Scopes, the pending error, the recording mode and cached memory belong to one thread. Before the scope that holds a
 * tensor ends, retain the tensor if a different thread needs it.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TENSOR_H
#define HEED_TENSOR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <heed/error.h>
#include <heed/shape.h>

HEED_BEGIN_DECLS

/* A tensor: numbers of one dtype, arranged in a shape. */
typedef struct heed_tensor heed_tensor;

/* HEED_TENSORS(x, y) expands to two arguments, a list of tensors and its length: heed_concat(HEED_TENSORS(x, y), axis),
 * heed_dataset_new(HEED_TENSORS(images, labels)). Each argument is evaluated once. */
#define HEED_TENSORS(...) HEED_LIST(heed_tensor *, __VA_ARGS__)

/* The type of the elements. */
typedef enum heed_dtype {
    HEED_F32 = 0, /* float */
    HEED_F64,     /* double */
    HEED_I64,     /* int64_t: lengths and indices */
    HEED_BOOL,    /* bool: masks */
} heed_dtype;

/* The number of dtypes. */
#define HEED_DTYPE_COUNT 4

/* -- Creating ---------------------------------------------------------------------------------------------------------
 * These functions return NULL with HEED_ERR_SHAPE for an invalid shape, HEED_ERR_DTYPE for an unknown dtype, or
 * HEED_ERR_NOMEM. `double` values for an i64 or bool tensor are converted as in heed_set_. heed_clone, heed_to_dtype
 * and heed_contiguous are recorded ops, declared in heed/ops.h. */

/* Returns a tensor of zeros (of false for bool).
 * Errors: HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
 * torch: torch.zeros   numpy: numpy.zeros */
HEED_API heed_tensor *heed_zeros(heed_dtype dtype, heed_shape shape);

/* Returns a tensor of ones (of true for bool).
 * Errors: HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
 * torch: torch.ones   numpy: numpy.ones */
HEED_API heed_tensor *heed_ones(heed_dtype dtype, heed_shape shape);

/* Returns a tensor whose elements all equal `value`.
 * Errors: HEED_ERR_ARGUMENT for a value that an i64 cannot hold, HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
 * torch: torch.full   numpy: numpy.full */
HEED_API heed_tensor *heed_full(heed_dtype dtype, heed_shape shape, double value);

/* Returns a tensor with a copy of `count` doubles, converted to `dtype`.
 * Errors: as heed_from_array, and HEED_ERR_ARGUMENT for a value that an i64 cannot hold.
 * torch: torch.tensor   numpy: numpy.array */
HEED_API heed_tensor *heed_from_values(heed_dtype dtype, heed_shape shape, const double *values, int64_t count);

/* A tensor of literals of any dtype: HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 1, 2, 3, 4). It calls heed_from_values. */
#define HEED_TENSOR(dtype, shape, ...) heed_from_values(dtype, shape, HEED_NUMBERS(__VA_ARGS__))

/* Returns a tensor with a copy of `count` elements of `dtype` from `values`, in row-major order.
 * For bool, every byte other than 0 is true.
 * Errors: HEED_ERR_SHAPE if count differs from the shape's number of elements; HEED_ERR_ARGUMENT for NULL values with
 * count > 0; HEED_ERR_DTYPE, HEED_ERR_NOMEM.
 * torch: torch.tensor   numpy: numpy.array */
HEED_API heed_tensor *heed_from_array(heed_dtype dtype, heed_shape shape, const void *values, int64_t count);

/* Returns the numbers start, start + step, ... below stop (above stop for a negative step), as a vector.
 * It has ceil((stop - start) / step) elements, or 0 if the quotient is negative.
 * Errors: HEED_ERR_ARGUMENT for step 0, a non-finite number, or one that an i64 cannot hold; HEED_ERR_DTYPE,
 * HEED_ERR_NOMEM.
 * torch: torch.arange   numpy: numpy.arange */
HEED_API heed_tensor *heed_arange(heed_dtype dtype, double start, double stop, double step);

/* Returns n evenly spaced numbers from start to stop, both included; n = 1 gives start.
 * Errors: HEED_ERR_ARGUMENT for n < 0, a non-finite number, or one that an i64 cannot hold; HEED_ERR_DTYPE,
 * HEED_ERR_NOMEM.
 * torch: torch.linspace   numpy: numpy.linspace */
HEED_API heed_tensor *heed_linspace(heed_dtype dtype, double start, double stop, int64_t n);

/* Returns a matrix (n, m) with ones on the diagonal and zeros elsewhere.
 * Errors: HEED_ERR_SHAPE for a negative size, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
 * torch: torch.eye   numpy: numpy.eye */
HEED_API heed_tensor *heed_eye(heed_dtype dtype, int64_t n, int64_t m);

/* Returns a tensor of zeros with t's dtype and shape, which requires no gradient.
 * For a different value, write heed_full(heed_dtype_of(t), heed_shape_of(t), value).
 * Errors: HEED_ERR_ARGUMENT for NULL, HEED_ERR_NOMEM.
 * torch: torch.zeros_like   numpy: numpy.zeros_like */
HEED_API heed_tensor *heed_zeros_like(const heed_tensor *t);

/* Returns an uninitialised tensor: write every element before you read it.
 * Errors: HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
 * torch: torch.empty   numpy: numpy.empty */
HEED_API heed_tensor *heed_empty(heed_dtype dtype, heed_shape shape);

/* -- Properties and elements --------------------------------------------------------------------------------------- */

/* Returns the shape of t, or HEED_SCALAR on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Tensor.shape   numpy: numpy.ndarray.shape */
HEED_API heed_shape heed_shape_of(const heed_tensor *t);

/* Returns the size of an axis, or 0 on failure. A negative axis counts from the end.
 * Errors: HEED_ERR_SHAPE for an axis that does not exist, HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Tensor.size   numpy: numpy.size */
HEED_API int64_t heed_dim(const heed_tensor *t, int axis);

/* Returns the number of axes, or 0 on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Tensor.dim   numpy: numpy.ndarray.ndim */
HEED_API int heed_rank(const heed_tensor *t);

/* Returns the number of elements, or 0 on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Tensor.numel   numpy: numpy.ndarray.size */
HEED_API int64_t heed_numel(const heed_tensor *t);

/* Returns the dtype of t, or HEED_F32 on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Tensor.dtype   numpy: numpy.ndarray.dtype */
HEED_API heed_dtype heed_dtype_of(const heed_tensor *t);

/* Returns the element of a tensor that has exactly one element (0 or 1 for bool), or NaN on failure.
 * Errors: HEED_ERR_SHAPE for any other number of elements, HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Tensor.item   numpy: numpy.ndarray.item */
HEED_API double heed_item(const heed_tensor *t);

/* Returns the element of an i64 or bool tensor that has exactly one element, with all 64 bits, or 0 on failure.
 * Errors: HEED_ERR_SHAPE for any other number of elements, HEED_ERR_DTYPE for floats, HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Tensor.item   numpy: numpy.ndarray.item */
HEED_API int64_t heed_item_i64(const heed_tensor *t);

/* Returns the element at an index, heed_get(t, HEED_INDEX(1, -1)), or NaN on failure. Negative indices count from the
 * end.
 * Errors: HEED_ERR_SHAPE if the rank differs, HEED_ERR_INDEX if an index is out of range, HEED_ERR_ARGUMENT for NULL.
 * numpy: numpy.ndarray.item */
HEED_API double heed_get(const heed_tensor *t, heed_shape index);

/* Returns the element of an i64 or bool tensor at an index, with all 64 bits, or 0 on failure. Negative indices count
 * from the end.
 * Errors: HEED_ERR_SHAPE if the rank differs, HEED_ERR_INDEX if an index is out of range, HEED_ERR_DTYPE for floats,
 * HEED_ERR_ARGUMENT for NULL.
 * numpy: numpy.ndarray.item */
HEED_API int64_t heed_get_i64(const heed_tensor *t, heed_shape index);

/* -- Printing ------------------------------------------------------------------------------------------- */

/* Writes the text of heed_format and a newline to `file`, and flushes it.
 * Errors: HEED_ERR_IO if writing fails, HEED_ERR_ARGUMENT for a NULL file. */
HEED_API heed_status heed_print(const heed_tensor *t, FILE *file);

/* Writes t to `text` as PyTorch prints it: aligned columns, 4 digits, shape and dtype at the end.
 * If a tensor has more than 1000 elements, only 3 elements per axis are shown at each edge. With 6 or more axes this
 * may be 2 or 1, so that at most 10000 elements are shown and no text reaches 500 KB. NULL prints "heed_tensor(NULL)".
 * Like snprintf, it writes at most `size` bytes including the NUL; `text` may be NULL if `size` is 0.
 * Returns the length of the whole text. */
HEED_API size_t heed_format(const heed_tensor *t, char *text, size_t size);

/* -- Ownership ----------------------------------------------------------------------------------------- */

/* Adds an owner to t and returns t (NULL for NULL), so that t outlives the scope that it is borrowed from. Every
 * heed_retain needs one heed_release. Both may be called from any thread, and cannot fail. */
HEED_API heed_tensor *heed_retain(heed_tensor *t);

/* Removes an owner from t; a tensor without owners is freed. NULL is ignored. */
HEED_API void heed_release(heed_tensor *t);

/* -- Reading elements through a pointer ---------------------------------------------------------------------------- */

/* Returns the elements of a contiguous f32 tensor, in row-major order, for reading; NULL on failure.
 * The pointer is valid while the tensor exists. For an empty tensor it is not NULL, but must not be read.
 * Errors: HEED_ERR_DTYPE for a different dtype, HEED_ERR_UNSUPPORTED for a non-contiguous view (call heed_contiguous
 * first), HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Tensor.data_ptr   numpy: numpy.ndarray.data */
HEED_API const float *heed_data_f32(const heed_tensor *t);

/* Returns the elements of a contiguous f64 tensor, in row-major order, for reading; NULL on failure.
 * The pointer is valid while the tensor exists. For an empty tensor it is not NULL, but must not be read.
 * Errors: HEED_ERR_DTYPE for a different dtype, HEED_ERR_UNSUPPORTED for a non-contiguous view (call heed_contiguous
 * first), HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Tensor.data_ptr   numpy: numpy.ndarray.data */
HEED_API const double *heed_data_f64(const heed_tensor *t);

/* Returns the elements of a contiguous i64 tensor, in row-major order, for reading; NULL on failure.
 * The pointer is valid while the tensor exists. For an empty tensor it is not NULL, but must not be read.
 * Errors: HEED_ERR_DTYPE for a different dtype, HEED_ERR_UNSUPPORTED for a non-contiguous view (call heed_contiguous
 * first), HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Tensor.data_ptr   numpy: numpy.ndarray.data */
HEED_API const int64_t *heed_data_i64(const heed_tensor *t);

/* Returns the elements of a contiguous bool tensor, in row-major order, for reading; NULL on failure.
 * The pointer is valid while the tensor exists. For an empty tensor it is not NULL, but must not be read.
 * Errors: HEED_ERR_DTYPE for a different dtype, HEED_ERR_UNSUPPORTED for a non-contiguous view (call heed_contiguous
 * first), HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Tensor.data_ptr   numpy: numpy.ndarray.data */
HEED_API const bool *heed_data_bool(const heed_tensor *t);

/* Returns the bytes of a contiguous tensor of any dtype, in row-major order, for reading: to hash, send or compare
 * them.
 * There are heed_numel(t) * heed_dtype_size(dtype) bytes. The pointer is valid while the tensor exists. For an empty
 * tensor it is not NULL, but must not be read.
 * Returns NULL on failure.
 * Errors: HEED_ERR_UNSUPPORTED for a non-contiguous view, HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Tensor.data_ptr   numpy: numpy.ndarray.data */
HEED_API const void *heed_data_bytes(const heed_tensor *t);

/* -- Writing in place -------------------------------------------------------------------------------------------------
 * Writes are not recorded. They fail with HEED_ERR_STATE on a tensor that requires a gradient while recording is on:
 * write inside heed_no_grad_begin(), as optimizers do. Each write raises the version of the storage, so that a backward
 * pass that still needs the old values fails with HEED_ERR_STATE instead of using the new ones. Writes fail with
 * HEED_ERR_UNSUPPORTED if elements of the tensor overlap, as in an expanded view. */

/* Writes one element: heed_set_(t, HEED_INDEX(1, -1), 0.5).
 * An i64 accepts whole numbers from -2^63 to below 2^63; a bool becomes value != 0.
 * Errors: HEED_ERR_SHAPE if the rank differs, HEED_ERR_INDEX if an index is out of range, HEED_ERR_STATE for a
 * tensor that requires a gradient while recording is on, HEED_ERR_UNSUPPORTED if elements overlap, HEED_ERR_ARGUMENT
 * for NULL or a value that an i64 cannot hold. */
HEED_API heed_status heed_set_(heed_tensor *t, heed_shape index, double value);

/* Writes `value` to every element, converted as in heed_set_.
 * Errors: HEED_ERR_ARGUMENT for NULL or a value that an i64 cannot hold; HEED_ERR_STATE and HEED_ERR_UNSUPPORTED as
 * heed_set_.
 * torch: torch.Tensor.fill_   numpy: numpy.ndarray.fill */
HEED_API heed_status heed_fill_(heed_tensor *t, double value);

/* Copies src to dst, broadcast to dst's shape and converted to dst's dtype.
 * Overlapping views of one storage are copied as if through a buffer.
 * Errors: HEED_ERR_SHAPE if src does not broadcast, HEED_ERR_ARGUMENT for NULL, HEED_ERR_STATE and HEED_ERR_UNSUPPORTED
 * as heed_set_, HEED_ERR_NOMEM.
 * torch: torch.Tensor.copy_   numpy: numpy.copyto */
HEED_API heed_status heed_copy_(heed_tensor *dst, heed_tensor *src);

/* Returns the elements of a contiguous f32 tensor for writing, as heed_data_f32 does for reading; NULL on failure.
 * The call raises the version of the storage once.
 * Errors: as heed_data_f32, and HEED_ERR_STATE for a tensor that requires a gradient while recording is on.
 * torch: torch.Tensor.data_ptr   numpy: numpy.ndarray.data */
HEED_API float *heed_mutable_f32(heed_tensor *t);

/* Returns the elements of a contiguous f64 tensor for writing, as heed_data_f64 does for reading; NULL on failure.
 * The call raises the version of the storage once.
 * Errors: as heed_data_f64, and HEED_ERR_STATE for a tensor that requires a gradient while recording is on.
 * torch: torch.Tensor.data_ptr   numpy: numpy.ndarray.data */
HEED_API double *heed_mutable_f64(heed_tensor *t);

/* Returns the elements of a contiguous i64 tensor for writing, as heed_data_i64 does for reading; NULL on failure.
 * The call raises the version of the storage once.
 * Errors: as heed_data_i64, and HEED_ERR_STATE for a tensor that requires a gradient while recording is on.
 * torch: torch.Tensor.data_ptr   numpy: numpy.ndarray.data */
HEED_API int64_t *heed_mutable_i64(heed_tensor *t);

/* Returns the elements of a contiguous bool tensor for writing, as heed_data_bool does for reading; NULL on failure.
 * The call raises the version of the storage once.
 * Errors: as heed_data_bool, and HEED_ERR_STATE for a tensor that requires a gradient while recording is on.
 * torch: torch.Tensor.data_ptr   numpy: numpy.ndarray.data */
HEED_API bool *heed_mutable_bool(heed_tensor *t);

/* Returns the bytes of a contiguous tensor of any dtype for writing, as heed_data_bytes does for reading; NULL on
 * failure.
 * The call raises the version of the storage once. Every byte of a bool must be 0 or 1.
 * Errors: as heed_data_bytes, and HEED_ERR_STATE for a tensor that requires a gradient while recording is on.
 * torch: torch.Tensor.data_ptr   numpy: numpy.ndarray.data */
HEED_API void *heed_mutable_bytes(heed_tensor *t);

/* -- Expert calls: memory and dtypes ------------------------------------------------------------------------------- */

/* Returns a tensor that uses `count` elements at `values`, in row-major order, without copying them.
 * Writes through the tensor change the buffer, and writes to the buffer change the tensor. The dtype is f32, f64 or
 * i64. The buffer must stay valid until `release(user)` is called. This happens when the last tensor that uses the
 * buffer is freed, in the thread that frees it; `release` may be NULL. An error that `release` leaves is forgotten
 * (heed/scope.h). If heed_from_buffer fails, `release` is not called.
 * Errors: as heed_from_array, and HEED_ERR_ARGUMENT if `values` is not aligned for the dtype.
 * torch: torch.frombuffer   numpy: numpy.frombuffer */
HEED_API heed_tensor *heed_from_buffer(heed_dtype dtype, heed_shape shape, void *values, int64_t count,
                                       void (*release)(void *user), void *user);

/* Returns true if the elements lie in row-major order without gaps; false on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Tensor.is_contiguous */
HEED_API bool heed_is_contiguous(const heed_tensor *t);

/* Returns the distance, in elements, between neighbours on an axis, or 0 on failure. A negative axis counts from the
 * end.
 * Errors: HEED_ERR_SHAPE for an axis that does not exist, HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Tensor.stride   numpy: numpy.ndarray.strides */
HEED_API int64_t heed_stride(const heed_tensor *t, int axis);

/* Returns true if a and b are views of the same storage; false on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL. */
HEED_API bool heed_shares_storage(const heed_tensor *a, const heed_tensor *b);

/* Returns the bytes of one element, or 0 for an unknown dtype.
 * torch: torch.Tensor.element_size   numpy: numpy.dtype.itemsize */
HEED_API size_t heed_dtype_size(heed_dtype dtype);

/* Returns the name of a dtype: "f32", "f64", "i64" or "bool", or "unknown" for an unknown dtype. It cannot fail.
 * numpy: numpy.dtype.name */
HEED_API const char *heed_dtype_name(heed_dtype dtype);

/* Returns true if the dtype is f32 or f64.
 * torch: torch.dtype.is_floating_point */
static inline bool heed_dtype_is_float(heed_dtype dtype)
{
    return dtype == HEED_F32 || dtype == HEED_F64;
}

HEED_END_DECLS

#endif
