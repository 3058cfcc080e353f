/* ops/support.h - shared by all ops: short forms of heed_apply, checks, layouts, reductions along axes, indices. */
#ifndef HEED_OPS_SUPPORT_H
#define HEED_OPS_SUPPORT_H

#include <heed/ops.h>

#include "core/loop.h"
#include "core/tensor.h"
#include "kernels/kernels.h"

/* heed_apply with one, two and three inputs. */
heed_tensor *heed__apply1(const heed_op *op, heed_tensor *x, const void *params);
heed_tensor *heed__apply2(const heed_op *op, heed_tensor *a, heed_tensor *b, const void *params);
heed_tensor *heed__apply3(const heed_op *op, heed_tensor *a, heed_tensor *b, heed_tensor *c, const void *params);

/* -- Checks: they return false after heed_fail --------------------------------------------------------------------- */

bool heed__check_float(const char *where, const heed_tensor *x);
bool heed__check_i64(const char *where, const char *name, const heed_tensor *t);

/* Checks that x's dtype can hold c: an integer for i64, 0 or 1 for bool, any number for floating-point dtypes, which
 * round it. */
bool heed__check_number(const char *where, const char *name, const heed_tensor *x, double c);

/* Checks that two tensors have the same floating-point dtype, for ops that do not broadcast. */
bool heed__check_pair(const char *where, const heed_tensor *a, const heed_tensor *b);

/* Checks the list that concat and stack take: n >= 1 tensors, no NULL. */
bool heed__check_list(const char *where, heed_tensor *const *tensors, int n);

/* -- New tensors --------------------------------------------------------------------------------------------------- */

/* heed__tensor_new, filled with zeros. */
heed_tensor *heed__new_zeros(const char *where, heed_dtype dtype, const heed_shape *shape);

/* -- Layouts ------------------------------------------------------------------------------------------------------- */

/* t's own layout, and the layout of `size` elements of t[start : : step] on one axis. All of them must exist. */
heed_layout heed__layout_of(const heed_tensor *t);
heed_layout heed__slice_layout(const heed_tensor *t, int axis, int64_t start, int64_t step, int64_t size);

/* Copies x into the elements of t that `layout` describes. Returns false after heed_fail. */
bool heed__copy_into(const char *where, const heed_tensor *x, const heed_tensor *t, const heed_layout *layout);

/* A row-major shape split at one axis: (outer, size, inner). */
typedef struct heed__axis_split {
    int64_t outer, size, inner;
} heed__axis_split;
heed__axis_split heed__split_at(const heed_shape *shape, int axis);

/* -- Reductions ---------------------------------------------------------------------------------------------------- */

/* Sets *mask to the axes of a reduction, one bit per axis; HEED_ALL_AXES sets all bits. Returns false after
 * heed_fail. */
bool heed__axis_mask(const char *where, heed_shape axes, int rank, unsigned *mask);

/* heed__axis_mask for x, which must have a floating-point dtype. */
bool heed__check_reduced(const char *where, const heed_tensor *x, heed_shape axes, unsigned *mask);

/* The shape after the axes in `mask` are reduced. */
heed_shape heed__reduced_shape(const heed_shape *shape, unsigned mask, bool keepdim);

/* Reduces x, of any layout, along the axes in `mask` with `kernel`; out must be new and contiguous. Returns false after
 * heed_fail. */
bool heed__reduce(const char *where, heed__reduce_kernel *kernel, const heed_tensor *x, unsigned mask,
                  heed_tensor *out);

/* Parameters of sum, max and min. */
typedef struct heed__reduce_params {
    unsigned mask;
    bool keepdim;
} heed__reduce_params;

heed_tensor *heed__apply_reduction(const char *where, const heed_op *op, heed_tensor *x, heed_shape axes, bool keepdim);

/* max and min: HEED_ERR_SHAPE for an empty axis; dx = g, shared evenly among the elements equal to y. */
bool heed__infer_extremum(const heed_call *call, heed_meta *out);
void heed__extremum_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx);

/* Returns c x for a floating-point x. Unlike heed_mul_scalar, it does not round c to f32, so that factors outside f32's
 * range, such as 1e40 or 1e-42, still give the products that f32 can represent. */
heed_tensor *heed__scale(heed_tensor *x, double c);

/* Returns x^p, but 0 with derivatives 0 for x = 0; used by std and norm. Leaves temporaries in the scope. */
heed_tensor *heed__power_or_0(heed_tensor *x, double p);

/* maximum and minimum: the chosen input gets g, equal inputs get g / 2 each, and an input a for which `a loses b` gets
 * 0. */
void heed__extremum_of_two_backward(const heed_call *call, heed_comparison loses, heed_tensor *g, heed_tensor **dx);

/* -- Indices ------------------------------------------------------------------------------------------------------- */

/* Checks that every element of index (i64, contiguous) is in 0 .. size - 1. HEED_ERR_INDEX names the element and its
 * position. */
bool heed__check_indices(const char *where, const heed_tensor *index, int64_t size);

/* gather and scatter_sum: checks that index has the rank of `shape` and is no larger on the axes other than `axis`. */
bool heed__check_index_shape(const char *where, const heed_shape *index, const heed_shape *shape, int axis);

/* Iterates over the positions of `shape` in row-major order. `offset` is the offset of the element at this position in
 * the tensor `into`, which has the same rank, with the index on `axis` taken as 0. */
typedef struct heed__positions {
    heed_shape shape;
    int64_t at[HEED_MAX_RANK], strides[HEED_MAX_RANK];
    int64_t offset;
} heed__positions;
heed__positions heed__positions_in(const heed_shape *shape, const heed_tensor *into, int axis);
void heed__positions_next(heed__positions *positions);

/* -- Dropout with probability p in (0, 1], at a position of a generator -------------------------------------------- */

heed__dropout_numbers heed__dropout_args(uint64_t seed, uint64_t position, double p);

#define HEED_OP(name) extern const heed_op heed_op_##name;
#define HEED_COMPOSITE(name)
#include "ops/ops.def"
#undef HEED_OP
#undef HEED_COMPOSITE

#endif
