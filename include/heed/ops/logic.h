/* heed/ops/logic.h - tests of elements and logic on the results: bool tensors without a gradient. The rules in
 * heed/ops.h hold here too. heed_compare is in heed/ops/elementwise.h.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_LOGIC_H
#define HEED_OPS_LOGIC_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* -- Tests of numbers ---------------------------------------------------------------------------------------------- */

/* Tests which elements of x, of any dtype and shape, are NaN; the result is a bool tensor of the same shape. No
 * gradient.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM.
 * torch: torch.isnan   numpy: numpy.isnan */
HEED_API heed_tensor *heed_isnan(heed_tensor *x);

/* Tests which elements of x, of any dtype and shape, are infinite, of either sign; the result is a bool tensor of the
 * same shape. No gradient.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM.
 * torch: torch.isinf   numpy: numpy.isinf */
HEED_API heed_tensor *heed_isinf(heed_tensor *x);

/* Tests which elements of x, of any dtype and shape, are neither NaN nor infinite; the result is a bool tensor of the
 * same shape. No gradient.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM.
 * torch: torch.isfinite   numpy: numpy.isfinite */
HEED_API heed_tensor *heed_isfinite(heed_tensor *x);

/* Tests which elements of a and b are close, elementwise with broadcasting: |a - b| <= atol + rtol |b|, computed in
 * their dtype. No gradient. Two equal infinities are close; with equal_nan, two NaN are close, too. PyTorch's default
 * rtol is 1e-5, its default atol 1e-8.
 * Errors: HEED_ERR_ARGUMENT unless rtol and atol are at least 0; HEED_ERR_SHAPE unless the shapes broadcast;
 * HEED_ERR_DTYPE unless both are f32 or both f64.
 * torch: torch.isclose   numpy: numpy.isclose */
HEED_API heed_tensor *heed_isclose(heed_tensor *a, heed_tensor *b, double rtol, double atol, bool equal_nan);

/* Returns true if all elements of a and b are close, as in heed_isclose, and for empty tensors. No gradient. Returns
 * false on failure too.
 * Errors: as heed_isclose, and HEED_ERR_NOMEM.
 * torch: torch.allclose   numpy: numpy.allclose */
HEED_API bool heed_allclose(heed_tensor *a, heed_tensor *b, double rtol, double atol, bool equal_nan);

/* -- Logic of bools ---------------------------------------------------------------------------------------------------
 * These functions accept only bool tensors (HEED_ERR_DTYPE); heed_compare_scalar(x, HEED_COMPARE_NE, 0) makes one from
 * numbers. */

/* Returns true where a and b are both true, elementwise with broadcasting. No gradient.
 * Errors: HEED_ERR_DTYPE unless both are bool; HEED_ERR_SHAPE unless the shapes broadcast.
 * torch: torch.logical_and   numpy: numpy.logical_and */
HEED_API heed_tensor *heed_logical_and(heed_tensor *a, heed_tensor *b);

/* Returns true where a or b or both are true, elementwise with broadcasting. No gradient.
 * Errors: HEED_ERR_DTYPE unless both are bool; HEED_ERR_SHAPE unless the shapes broadcast.
 * torch: torch.logical_or   numpy: numpy.logical_or */
HEED_API heed_tensor *heed_logical_or(heed_tensor *a, heed_tensor *b);

/* Returns true where exactly one of a and b is true, elementwise with broadcasting. No gradient.
 * Errors: HEED_ERR_DTYPE unless both are bool; HEED_ERR_SHAPE unless the shapes broadcast.
 * torch: torch.logical_xor   numpy: numpy.logical_xor */
HEED_API heed_tensor *heed_logical_xor(heed_tensor *a, heed_tensor *b);

/* Returns true where x is false, elementwise. No gradient.
 * Errors: HEED_ERR_DTYPE unless x is bool.
 * torch: torch.logical_not   numpy: numpy.logical_not */
HEED_API heed_tensor *heed_logical_not(heed_tensor *x);

/* -- Over axes --------------------------------------------------------------------------------------------------------
 * The rules in heed/ops/reduce.h hold here too. heed_sum counts the true elements. */

/* Returns true where any element over some axes of x, bool, is true; keepdim keeps these axes with size 1. With
 * HEED_ALL_AXES the result is a bool scalar. An empty axis gives false. No gradient.
 * Errors: HEED_ERR_SHAPE if x lacks an axis or an axis is given twice; HEED_ERR_DTYPE.
 * torch: torch.any   numpy: numpy.any */
HEED_API heed_tensor *heed_any(heed_tensor *x, heed_shape axes, bool keepdim);

/* Returns true where all elements over some axes of x, bool, are true; keepdim keeps these axes with size 1. With
 * HEED_ALL_AXES the result is a bool scalar. An empty axis gives true. No gradient.
 * Errors: HEED_ERR_SHAPE if x lacks an axis or an axis is given twice; HEED_ERR_DTYPE.
 * torch: torch.all   numpy: numpy.all */
HEED_API heed_tensor *heed_all(heed_tensor *x, heed_shape axes, bool keepdim);

HEED_END_DECLS

#endif
