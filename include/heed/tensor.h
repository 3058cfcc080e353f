/* heed/tensor.h - tensors: making them, looking into them, owning them.
 *
 * A tensor is a view (shape, strides, offset) of a reference-counted storage. Every tensor that a function
 * returns is borrowed from the innermost open scope of the calling thread (heed/scope.h): heed_retain keeps
 * it past the scope, heed_release lets it go. Whatever stores a tensor retains it by itself.
 *
 * Threads: many may read a tensor at once, use it in ops, make views of it, retain and release it. What changes it
 * (writing in place, heed_set_requires_grad, heed_set_grad, hooks, a backward pass that reaches it as a leaf) requires
 * that no other thread use it meanwhile: by a lock of yours, or by their order in time. Scopes, the pending error, the
 * recording mode and cached memory belong to each thread, so retain what another thread is to have before the scope
 * that holds it ends.
 */
#ifndef HEED_TENSOR_H
#define HEED_TENSOR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <heed/error.h>
#include <heed/shape.h>

HEED_BEGIN_DECLS

/* Numbers in a shape. */
typedef struct heed_tensor heed_tensor;

/* HEED_TENSORS(x, y) stands for two arguments, a list of tensors and its length: heed_concat(HEED_TENSORS(x, y),
 * axis), heed_dataset_new(HEED_TENSORS(images, labels)). Each tensor is evaluated once. */
#define HEED_TENSORS(...) HEED_LIST(heed_tensor *, __VA_ARGS__)

/* What the elements are. */
typedef enum heed_dtype {
    HEED_F32 = 0, /* float */
    HEED_F64,     /* double */
    HEED_I64,     /* int64_t: lengths and indices */
    HEED_BOOL,    /* bool: masks */
} heed_dtype;

/* How many dtypes there are. */
#define HEED_DTYPE_COUNT 4

/* Bytes of one element; 0 for a number that is not a dtype.
 * torch: torch.Tensor.element_size   numpy: numpy.dtype.itemsize */
HEED_API size_t heed_dtype_size(heed_dtype dtype);

/* The name of a dtype: "f32", "f64", "i64", "bool"; "unknown" for a number that is not a dtype.
 * numpy: numpy.dtype.name */
HEED_API const char *heed_dtype_name(heed_dtype dtype);

/* Whether it is f32 or f64.
 * torch: torch.dtype.is_floating_point */
static inline bool heed_dtype_is_float(heed_dtype dtype)
{
    return dtype == HEED_F32 || dtype == HEED_F64;
}

/* -- Ownership ----------------------------------------------------------------------------------------- */

/* Adds one owner and returns t (NULL for NULL): t lives on past the scope that it is borrowed from. Each
 * heed_retain needs one heed_release. Both may be called from any thread. */
HEED_API heed_tensor *heed_retain(heed_tensor *t);

/* Takes one owner away; without owners the tensor is freed. NULL is ignored. */
HEED_API void heed_release(heed_tensor *t);

/* -- Making ---------------------------------------------------------------------------------------------
 * All return NULL with HEED_ERR_SHAPE for a shape that is not valid, HEED_ERR_DTYPE for a number that is not a
 * dtype, HEED_ERR_NOMEM. Doubles given for an i64 or bool tensor are converted as heed_set_ does. heed_clone,
 * heed_to_dtype and heed_contiguous are recorded: see heed/ops.h. */

/* A tensor of zeros (of bool: false). NULL with HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
 * torch: torch.zeros   numpy: numpy.zeros */
HEED_API heed_tensor *heed_zeros(heed_dtype dtype, heed_shape shape);

/* A tensor of ones (of bool: true). NULL with HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
 * torch: torch.ones   numpy: numpy.ones */
HEED_API heed_tensor *heed_ones(heed_dtype dtype, heed_shape shape);

/* A tensor with `value` everywhere. NULL with HEED_ERR_ARGUMENT for a value that an i64 does not hold, HEED_ERR_SHAPE,
 * HEED_ERR_DTYPE, HEED_ERR_NOMEM.
 * torch: torch.full   numpy: numpy.full */
HEED_API heed_tensor *heed_full(heed_dtype dtype, heed_shape shape, double value);

/* A tensor that is not initialised: read it only after writing it. NULL with HEED_ERR_SHAPE, HEED_ERR_DTYPE,
 * HEED_ERR_NOMEM.
 * torch: torch.empty   numpy: numpy.empty */
HEED_API heed_tensor *heed_empty(heed_dtype dtype, heed_shape shape);

/* A tensor of zeros of t's dtype and shape, which requires no gradient. NULL with HEED_ERR_ARGUMENT for NULL,
 * HEED_ERR_NOMEM.
 * torch: torch.zeros_like   numpy: numpy.zeros_like */
HEED_API heed_tensor *heed_zeros_like(const heed_tensor *t);

/* A tensor of ones of t's dtype and shape, which requires no gradient. NULL with HEED_ERR_ARGUMENT for NULL,
 * HEED_ERR_NOMEM.
 * torch: torch.ones_like   numpy: numpy.ones_like */
HEED_API heed_tensor *heed_ones_like(const heed_tensor *t);

/* A tensor of t's dtype and shape with `value` everywhere, which requires no gradient. NULL with HEED_ERR_ARGUMENT for
 * NULL or a value that an i64 does not hold, HEED_ERR_NOMEM.
 * torch: torch.full_like   numpy: numpy.full_like */
HEED_API heed_tensor *heed_full_like(const heed_tensor *t, double value);

/* A tensor of t's dtype and shape that is not initialised: read it only after writing it. NULL with HEED_ERR_ARGUMENT
 * for NULL, HEED_ERR_NOMEM.
 * torch: torch.empty_like   numpy: numpy.empty_like */
HEED_API heed_tensor *heed_empty_like(const heed_tensor *t);

/* start, start + step, ... below stop (above it for a negative step): ceil((stop - start) / step) elements, none when
 * that is negative. NULL with HEED_ERR_ARGUMENT for step 0, a number that is not finite, or one that an i64 does not
 * hold; HEED_ERR_DTYPE, HEED_ERR_NOMEM.
 * torch: torch.arange   numpy: numpy.arange */
HEED_API heed_tensor *heed_arange(heed_dtype dtype, double start, double stop, double step);

/* n numbers from start to stop, both included; n = 1 gives start. NULL with HEED_ERR_ARGUMENT for n < 0, a number that
 * is not finite, or one that an i64 does not hold; HEED_ERR_DTYPE, HEED_ERR_NOMEM.
 * torch: torch.linspace   numpy: numpy.linspace */
HEED_API heed_tensor *heed_linspace(heed_dtype dtype, double start, double stop, int64_t n);

/* A matrix (n, m) with ones on the diagonal, zeros elsewhere. NULL with HEED_ERR_SHAPE for a negative size,
 * HEED_ERR_DTYPE, HEED_ERR_NOMEM.
 * torch: torch.eye   numpy: numpy.eye */
HEED_API heed_tensor *heed_eye(heed_dtype dtype, int64_t n, int64_t m);

/* Copies `count` elements of `dtype` from `values`, in row-major order; of bool, every byte but 0 is true. NULL with
 * HEED_ERR_SHAPE unless count is the shape's number of elements; HEED_ERR_ARGUMENT for NULL values with count > 0;
 * HEED_ERR_DTYPE, HEED_ERR_NOMEM.
 * torch: torch.tensor   numpy: numpy.array */
HEED_API heed_tensor *heed_from_array(heed_dtype dtype, heed_shape shape, const void *values, int64_t count);

/* A tensor on `count` elements of yours in row-major order, which are not copied: what is written on one side shows on
 * the other. They stay where they are until `release`, unless NULL, is called with `user`: once no tensor is on them
 * any more, by the thread that has let the last one go. An error that it leaves is forgotten (heed/scope.h). A call
 * that fails does not call it. f32, f64 and i64. Otherwise as heed_from_array, and HEED_ERR_ARGUMENT for values whose
 * address no element can have. torch: torch.frombuffer   numpy: numpy.frombuffer */
HEED_API heed_tensor *heed_from_buffer(heed_dtype dtype, heed_shape shape, void *values, int64_t count,
                                       void (*release)(void *user), void *user);

/* heed_from_array from doubles, converted to `dtype`; HEED_ERR_ARGUMENT also for one that an i64 does not hold.
 * torch: torch.tensor   numpy: numpy.array */
HEED_API heed_tensor *heed_from_values(heed_dtype dtype, heed_shape shape, const double *values, int64_t count);

/* HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 1, 2, 3, 4): literals, as a tensor of any dtype (heed_from_values). */
#define HEED_TENSOR(dtype, shape, ...) heed_from_values(dtype, shape, HEED_NUMBERS(__VA_ARGS__))

/* -- Looking -------------------------------------------------------------------------------------------- */

/* The dtype of t. HEED_F32 with HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Tensor.dtype   numpy: numpy.ndarray.dtype */
HEED_API heed_dtype heed_dtype_of(const heed_tensor *t);

/* The shape of t. HEED_SCALAR with HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Tensor.shape   numpy: numpy.ndarray.shape */
HEED_API heed_shape heed_shape_of(const heed_tensor *t);

/* The number of axes. 0 with HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Tensor.dim   numpy: numpy.ndarray.ndim */
HEED_API int heed_rank(const heed_tensor *t);

/* The number of elements. 0 with HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Tensor.numel   numpy: numpy.ndarray.size */
HEED_API int64_t heed_numel(const heed_tensor *t);

/* The size of an axis; a negative one counts from the end. 0 with HEED_ERR_SHAPE for an axis that does not exist,
 * HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Tensor.size   numpy: numpy.size */
HEED_API int64_t heed_dim(const heed_tensor *t, int axis);

/* How many elements lie between neighbours on an axis; a negative one counts from the end. 0 with HEED_ERR_SHAPE for
 * an axis that does not exist, HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Tensor.stride   numpy: numpy.ndarray.strides */
HEED_API int64_t heed_stride(const heed_tensor *t, int axis);

/* True when the elements lie in row-major order without gaps. False with HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Tensor.is_contiguous */
HEED_API bool heed_is_contiguous(const heed_tensor *t);

/* True when a and b are views of the same storage. False with HEED_ERR_ARGUMENT for NULL. */
HEED_API bool heed_shares_storage(const heed_tensor *a, const heed_tensor *b);

/* The one element of a tensor with one element (bool: 0 or 1). NaN with HEED_ERR_SHAPE when there are more or none,
 * HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Tensor.item   numpy: numpy.ndarray.item */
HEED_API double heed_item(const heed_tensor *t);

/* The one element of an i64 or bool tensor with one element, with all 64 bits. 0 with HEED_ERR_SHAPE when there are
 * more or none, HEED_ERR_DTYPE for floats, HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Tensor.item   numpy: numpy.ndarray.item */
HEED_API int64_t heed_item_i64(const heed_tensor *t);

/* One element: heed_get(t, HEED_INDEX(1, -1)); negative indices count from the end. NaN with HEED_ERR_SHAPE when the
 * rank differs, HEED_ERR_INDEX when an index is outside, HEED_ERR_ARGUMENT for NULL.
 * numpy: numpy.ndarray.item */
HEED_API double heed_get(const heed_tensor *t, heed_shape index);

/* One element of an i64 or bool tensor, with all 64 bits; negative indices count from the end. 0 with HEED_ERR_SHAPE
 * when the rank differs, HEED_ERR_INDEX when an index is outside, HEED_ERR_DTYPE for floats, HEED_ERR_ARGUMENT for
 * NULL.
 * numpy: numpy.ndarray.item */
HEED_API int64_t heed_get_i64(const heed_tensor *t, heed_shape index);

/* The elements of a contiguous f32 tensor, in row-major order, for reading. NULL with HEED_ERR_DTYPE for another
 * dtype, HEED_ERR_UNSUPPORTED for a view that is not contiguous (take heed_contiguous first), HEED_ERR_ARGUMENT for
 * NULL. The pointer lives as long as the tensor; an empty tensor gives a pointer that must not be read.
 * torch: torch.Tensor.data_ptr   numpy: numpy.ndarray.data */
HEED_API const float *heed_data_f32(const heed_tensor *t);

/* The elements of a contiguous f64 tensor, in row-major order, for reading. NULL with HEED_ERR_DTYPE for another
 * dtype, HEED_ERR_UNSUPPORTED for a view that is not contiguous (take heed_contiguous first), HEED_ERR_ARGUMENT for
 * NULL. The pointer lives as long as the tensor; an empty tensor gives a pointer that must not be read.
 * torch: torch.Tensor.data_ptr   numpy: numpy.ndarray.data */
HEED_API const double *heed_data_f64(const heed_tensor *t);

/* The elements of a contiguous i64 tensor, in row-major order, for reading. NULL with HEED_ERR_DTYPE for another
 * dtype, HEED_ERR_UNSUPPORTED for a view that is not contiguous (take heed_contiguous first), HEED_ERR_ARGUMENT for
 * NULL. The pointer lives as long as the tensor; an empty tensor gives a pointer that must not be read.
 * torch: torch.Tensor.data_ptr   numpy: numpy.ndarray.data */
HEED_API const int64_t *heed_data_i64(const heed_tensor *t);

/* The elements of a contiguous bool tensor, in row-major order, for reading. NULL with HEED_ERR_DTYPE for another
 * dtype, HEED_ERR_UNSUPPORTED for a view that is not contiguous (take heed_contiguous first), HEED_ERR_ARGUMENT for
 * NULL. The pointer lives as long as the tensor; an empty tensor gives a pointer that must not be read.
 * torch: torch.Tensor.data_ptr   numpy: numpy.ndarray.data */
HEED_API const bool *heed_data_bool(const heed_tensor *t);

/* The elements of a contiguous tensor of any dtype, in row-major order, heed_numel(t) * heed_dtype_size(dtype) bytes,
 * for reading: to hash, to send, to compare. NULL with HEED_ERR_UNSUPPORTED for a view that is not contiguous,
 * HEED_ERR_ARGUMENT for NULL. The pointer lives as long as the tensor; an empty tensor gives a pointer that must not be
 * read.
 * torch: torch.Tensor.data_ptr   numpy: numpy.ndarray.data */
HEED_API const void *heed_data_bytes(const heed_tensor *t);

/* -- Writing in place ------------------------------------------------------------------------------------
 * Writes are not recorded. They fail with HEED_ERR_STATE on a tensor that requires a gradient while
 * recording is on: write inside heed_no_grad_begin(), as optimizers do. Each write raises the version of the
 * storage, so that a backward pass that still needs the old values fails with HEED_ERR_STATE instead of using
 * the new ones. HEED_ERR_UNSUPPORTED where elements overlap (an expanded view). */

/* The elements of a contiguous f32 tensor for writing; the version is raised once, by this call. Otherwise as
 * heed_data_f32, and HEED_ERR_STATE for a tensor that requires a gradient while recording is on.
 * torch: torch.Tensor.data_ptr   numpy: numpy.ndarray.data */
HEED_API float *heed_mutable_f32(heed_tensor *t);

/* The elements of a contiguous f64 tensor for writing; the version is raised once, by this call. Otherwise as
 * heed_data_f64, and HEED_ERR_STATE for a tensor that requires a gradient while recording is on.
 * torch: torch.Tensor.data_ptr   numpy: numpy.ndarray.data */
HEED_API double *heed_mutable_f64(heed_tensor *t);

/* The elements of a contiguous i64 tensor for writing; the version is raised once, by this call. Otherwise as
 * heed_data_i64, and HEED_ERR_STATE for a tensor that requires a gradient while recording is on.
 * torch: torch.Tensor.data_ptr   numpy: numpy.ndarray.data */
HEED_API int64_t *heed_mutable_i64(heed_tensor *t);

/* The elements of a contiguous bool tensor for writing; the version is raised once, by this call. Otherwise as
 * heed_data_bool, and HEED_ERR_STATE for a tensor that requires a gradient while recording is on.
 * torch: torch.Tensor.data_ptr   numpy: numpy.ndarray.data */
HEED_API bool *heed_mutable_bool(heed_tensor *t);

/* The elements of a contiguous tensor of any dtype for writing; the version is raised once, by this call. Otherwise as
 * heed_data_bytes, and HEED_ERR_STATE for a tensor that requires a gradient while recording is on. A byte of a bool is
 * 0 or 1.
 * torch: torch.Tensor.data_ptr   numpy: numpy.ndarray.data */
HEED_API void *heed_mutable_bytes(heed_tensor *t);

/* Writes one element: heed_set_(t, HEED_INDEX(1, -1), 0.5). An i64 takes whole numbers from -2^63 to below 2^63, else
 * HEED_ERR_ARGUMENT; a bool is value != 0. HEED_ERR_SHAPE when the rank differs, HEED_ERR_INDEX when an index is
 * outside, HEED_ERR_STATE and HEED_ERR_UNSUPPORTED as above, HEED_ERR_ARGUMENT for NULL. */
HEED_API heed_status heed_set_(heed_tensor *t, heed_shape index, double value);

/* Writes value to every element, converted as heed_set_ does. HEED_ERR_ARGUMENT for NULL, and for a value that an i64
 * does not hold; HEED_ERR_STATE and HEED_ERR_UNSUPPORTED as above.
 * torch: torch.Tensor.fill_   numpy: numpy.ndarray.fill */
HEED_API heed_status heed_fill_(heed_tensor *t, double value);

/* dst = src, broadcast to dst's shape and converted to dst's dtype. Overlapping views of one storage are copied as if
 * through a buffer. HEED_ERR_SHAPE when src does not broadcast, HEED_ERR_ARGUMENT for NULL, HEED_ERR_STATE and
 * HEED_ERR_UNSUPPORTED as above, HEED_ERR_NOMEM.
 * torch: torch.Tensor.copy_   numpy: numpy.copyto */
HEED_API heed_status heed_copy_(heed_tensor *dst, heed_tensor *src);

/* -- Printing ------------------------------------------------------------------------------------------- */

/* Writes t as PyTorch prints it: columns aligned, 4 digits, more than 1000 elements elided to 3 at each edge, shape
 * and dtype at the end. From 6 axes on they may be elided to 2 or 1 at each edge, so that at most 10000 are shown,
 * whatever the tensor, and no text reaches 500 KB. As snprintf: at most `size` bytes with the NUL (text may be NULL
 * when size is 0), and returns the length of the whole text. NULL prints "heed_tensor(NULL)". */
HEED_API size_t heed_format(const heed_tensor *t, char *text, size_t size);

/* Writes the text of heed_format and a newline to `file`, and flushes it. HEED_ERR_IO when writing fails,
 * HEED_ERR_ARGUMENT for a NULL file. */
HEED_API heed_status heed_print(const heed_tensor *t, FILE *file);

HEED_END_DECLS

#endif
