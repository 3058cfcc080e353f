/* heed/ops/logic.h - questions about elements, and what is made of the answers: bool tensors, none of which has a
 * gradient. What heed/ops.h says of all ops holds here. heed_compare is in heed/ops/elementwise.h. */
#ifndef HEED_OPS_LOGIC_H
#define HEED_OPS_LOGIC_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* -- Questions about numbers --------------------------------------------------------------------------------------- */

/* Where x, of any dtype and shape, is NaN: a bool tensor of its shape. No gradient.
 * torch: torch.isnan   numpy: numpy.isnan */
HEED_API heed_tensor *heed_isnan(heed_tensor *x);

/* Where x, of any dtype and shape, is infinite, of either sign: a bool tensor of its shape. No gradient.
 * torch: torch.isinf   numpy: numpy.isinf */
HEED_API heed_tensor *heed_isinf(heed_tensor *x);

/* Where x, of any dtype and shape, is neither NaN nor infinite: a bool tensor of its shape. No gradient.
 * torch: torch.isfinite   numpy: numpy.isfinite */
HEED_API heed_tensor *heed_isfinite(heed_tensor *x);

/* Where a and b are close, elementwise with broadcasting: |a - b| <= atol + rtol |b|, computed in their dtype, or both
 * the same infinity, or, with equal_nan, both NaN. No gradient. PyTorch's rtol is 1e-5 by default, its atol 1e-8.
 * HEED_ERR_ARGUMENT unless rtol and atol are at least 0; HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE
 * unless both are f32 or both f64.
 * torch: torch.isclose   numpy: numpy.isclose */
HEED_API heed_tensor *heed_isclose(heed_tensor *a, heed_tensor *b, double rtol, double atol, bool equal_nan);

/* Whether all elements of a and b are close, as heed_isclose has it; so of nothing. No gradient. False on failure, too,
 * with the errors of heed_isclose, and HEED_ERR_NOMEM.
 * torch: torch.allclose   numpy: numpy.allclose */
HEED_API bool heed_allclose(heed_tensor *a, heed_tensor *b, double rtol, double atol, bool equal_nan);

/* -- Logic of bools ---------------------------------------------------------------------------------------------------
 * Of bool tensors only (HEED_ERR_DTYPE): heed_compare_scalar(x, HEED_COMPARE_NE, 0) makes one. */

/* Where a and b are both true, elementwise with broadcasting. No gradient. HEED_ERR_DTYPE unless both are bool;
 * HEED_ERR_SHAPE unless the shapes broadcast.
 * torch: torch.logical_and   numpy: numpy.logical_and */
HEED_API heed_tensor *heed_logical_and(heed_tensor *a, heed_tensor *b);

/* Where a or b or both are true, elementwise with broadcasting. No gradient. HEED_ERR_DTYPE unless both are bool;
 * HEED_ERR_SHAPE unless the shapes broadcast.
 * torch: torch.logical_or   numpy: numpy.logical_or */
HEED_API heed_tensor *heed_logical_or(heed_tensor *a, heed_tensor *b);

/* Where one of a and b is true and the other is not, elementwise with broadcasting. No gradient. HEED_ERR_DTYPE unless
 * both are bool; HEED_ERR_SHAPE unless the shapes broadcast.
 * torch: torch.logical_xor   numpy: numpy.logical_xor */
HEED_API heed_tensor *heed_logical_xor(heed_tensor *a, heed_tensor *b);

/* Where x is false, elementwise. No gradient. HEED_ERR_DTYPE unless x is bool.
 * torch: torch.logical_not   numpy: numpy.logical_not */
HEED_API heed_tensor *heed_logical_not(heed_tensor *x);

/* -- Over axes -----------------------------------------------------------------------------------------------------
 * As in heed/ops/reduce.h. How many are true: heed_sum. */

/* Whether an element of x, bool, is true: a bool scalar; of nothing false. No gradient. HEED_ERR_DTYPE unless x is
 * bool.
 * torch: torch.any   numpy: numpy.any */
HEED_API heed_tensor *heed_any(heed_tensor *x);

/* Whether an element over some axes of x, bool, is true; keepdim leaves these axes as size 1. Of nothing false. No
 * gradient. HEED_ERR_SHAPE for an axis that is not there or is given twice; HEED_ERR_DTYPE.
 * torch: torch.any   numpy: numpy.any */
HEED_API heed_tensor *heed_any_axes(heed_tensor *x, heed_shape axes, bool keepdim);

/* Whether all elements of x, bool, are true: a bool scalar; of nothing true. No gradient. HEED_ERR_DTYPE unless x is
 * bool.
 * torch: torch.all   numpy: numpy.all */
HEED_API heed_tensor *heed_all(heed_tensor *x);

/* Whether all elements over some axes of x, bool, are true; keepdim leaves these axes as size 1. Of nothing true. No
 * gradient. HEED_ERR_SHAPE for an axis that is not there or is given twice; HEED_ERR_DTYPE.
 * torch: torch.all   numpy: numpy.all */
HEED_API heed_tensor *heed_all_axes(heed_tensor *x, heed_shape axes, bool keepdim);

HEED_END_DECLS

#endif
