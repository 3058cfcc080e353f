/* ops/support.h - shared by all ops: short forms of heed_apply, checks, layouts, reductions along axes, indices.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_SUPPORT_H
#define HEED_OPS_SUPPORT_H

#include <heed/ops.h>

#include "core/loop.h"
#include "core/parallel.h"
#include "core/tensor.h"
#include "kernels/kernels.h"

/* heed_apply with one, two and three inputs. */
heed_tensor *heed__apply1(const heed_op *op, heed_tensor *x, const void *params);
heed_tensor *heed__apply2(const heed_op *op, heed_tensor *a, heed_tensor *b, const void *params);
heed_tensor *heed__apply3(const heed_op *op, heed_tensor *a, heed_tensor *b, heed_tensor *c, const void *params);

/* -- Checks: they return false after heed_fail --------------------------------------------------------------------- */

bool heed__check_float(const char *where, const heed_tensor *x);
bool heed__check_i64(const char *where, const char *name, const heed_tensor *t);

/* Checks that x's dtype can hold the number c, called `name` in the message. For i64, c must be an integer in its
 * range; for bool, 0 or 1. Floating-point dtypes accept any c and round it. */
bool heed__check_number(const char *where, const char *name, const heed_tensor *x, double c);

/* Checks that two tensors have the same floating-point dtype, for ops that do not broadcast. */
bool heed__check_pair(const char *where, const heed_tensor *a, const heed_tensor *b);

/* Checks that x is f32, f64 or i64. */
bool heed__check_number_dtype(const char *where, const heed_tensor *x);

/* Checks that the shapes broadcast, and stores the shape to which they do. */
bool heed__check_broadcast(const char *where, const heed_tensor *a, const heed_tensor *b, heed_shape *shape);

/* Checks a list of tensors, as for concat: n must be at least 1, and no element may be NULL. */
bool heed__check_list(const char *where, heed_tensor *const *tensors, int n);

/* -- New tensors --------------------------------------------------------------------------------------------------- */

/* Like heed__tensor_new, but fills the tensor with zeros. */
heed_tensor *heed__new_zeros(const char *where, heed_dtype dtype, const heed_shape *shape);

/* -- Layouts ------------------------------------------------------------------------------------------------------- */

/* heed__layout_of returns t's own layout. heed__slice_layout returns the layout of `size` elements on one axis: start,
 * start + step, ...; these elements must exist. */
heed_layout heed__layout_of(const heed_tensor *t);
heed_layout heed__slice_layout(const heed_tensor *t, int axis, int64_t start, int64_t step, int64_t size);

/* Copies x into the elements of t that `layout` describes. Returns false after heed_fail. */
bool heed__copy_into(const char *where, const heed_tensor *x, const heed_tensor *t, const heed_layout *layout);

/* A row-major shape seen as (outer, size, inner): `size` is the size of one axis, `outer` the product of the sizes
 * before this axis, and `inner` the product of the sizes after it. */
typedef struct heed__axis_split {
    int64_t outer, size, inner;
} heed__axis_split;
heed__axis_split heed__split_at(const heed_shape *shape, int axis);

/* -- Reductions ---------------------------------------------------------------------------------------------------- */

/* Sets *mask to the axes of a reduction, one bit per axis; HEED_ALL_AXES sets all bits. Returns false after
 * heed_fail. */
bool heed__axis_mask(const char *where, heed_shape axes, int rank, unsigned *mask);

/* Like heed__axis_mask for the axes of x; also checks that x has a floating-point dtype. */
bool heed__check_reduced(const char *where, const heed_tensor *x, heed_shape axes, unsigned *mask);

/* Returns the shape that remains after reducing the axes in `mask`; with keepdim, these axes remain with size 1. */
heed_shape heed__reduced_shape(const heed_shape *shape, unsigned mask, bool keepdim);

/* Reduces x, of any layout, along the axes in `mask` with `kernel`; out must be new and contiguous. Returns false after
 * heed_fail. */
bool heed__reduce(const char *where, heed__reduce_kernel *kernel, const heed_tensor *x, unsigned mask,
                  heed_tensor *out);

/* Returns c x for a floating-point x. Unlike heed_mul_scalar, it does not round c to f32, so that factors outside f32's
 * range, such as 1e40 or 1e-42, still give the products that f32 can represent. */
heed_tensor *heed__scale(heed_tensor *x, double c);

/* -- Rows ---------------------------------------------------------------------------------------------------------- */

/* Runs fn over ranges of the rows, in parallel. A row has n elements, which cost about one exp each. */
void heed__for_rows(int64_t rows, int64_t n, heed__range_fn *fn, void *context);

/* -- Indices ------------------------------------------------------------------------------------------------------- */

/* Checks that every element of index (i64, contiguous) is in 0 .. size - 1. Otherwise fails with HEED_ERR_INDEX; the
 * message gives the element and its position. */
bool heed__check_indices(const char *where, const heed_tensor *index, int64_t size);

/* For gather and scatter_sum. Checks that `index` has the rank of `shape` and that no axis except `axis` is larger in
 * `index` than in `shape`. */
bool heed__check_index_shape(const char *where, const heed_shape *index, const heed_shape *shape, int axis);

/* Iterates over the positions of `shape` in row-major order. `at` is the current position, an index per axis. `offset`
 * is the offset of the element at this position in the tensor `into`, of the same rank, but with index 0 on `axis`. */
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
