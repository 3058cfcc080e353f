/* heed/ops/softmax.h - softmax, also with masks. The rules in heed/ops.h hold here too.
 *
 * The functions work along one axis and subtract the maximum, so nothing overflows. NaN or +inf in a row makes the row
 * NaN; -inf has weight 0, and a row of only -inf gives NaN.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_SOFTMAX_H
#define HEED_OPS_SOFTMAX_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* -- Softmax ------------------------------------------------------------------------------------------------------- */

/* Computes the softmax along `axis`: y = exp(x - max) / sum exp(x - max), weights that sum to 1.
 * dx = y (g - sum(g y)). x is f32 or f64 (HEED_ERR_DTYPE), of rank 1 or more. NaN or +inf makes its row NaN; -inf has
 * weight 0.
 * Errors: HEED_ERR_SHAPE if x lacks the axis.
 * torch: torch.nn.functional.softmax */
HEED_API heed_tensor *heed_softmax(heed_tensor *x, int axis);

/* Computes the logarithm of heed_softmax along `axis`: y = x - logsumexp(x), exact even if the softmax is 0.
 * dx = g - exp(y) sum(g).
 * x is f32 or f64 (HEED_ERR_DTYPE).
 * Errors: HEED_ERR_SHAPE for a scalar or if x lacks the axis.
 * torch: torch.nn.functional.log_softmax */
HEED_API heed_tensor *heed_log_softmax(heed_tensor *x, int axis);

/* Computes y = ln sum exp(x) along `axis`; keepdim keeps the axis with size 1.  dx = g softmax(x).
 * x is f32 or f64 (HEED_ERR_DTYPE). An empty row, or a row of only -inf, gives -inf with gradient NaN; +inf gives +inf.
 * Errors: HEED_ERR_SHAPE for a scalar or if x lacks the axis.
 * torch: torch.logsumexp */
HEED_API heed_tensor *heed_logsumexp(heed_tensor *x, int axis, bool keepdim);

/* -- Masks --------------------------------------------------------------------------------------------------------- */

/* Computes heed_softmax along the last axis of x over the visible entries of every row.  dx = y (g - sum(g y)).
 *
 * The dtype of valid_lens selects its meaning. i64 numbers are lengths: that number of first entries of a row of x (B,
 * Q, K) is visible. (B) has a length per batch element, (B, Q) a length per row. A bool tensor is a mask, true for
 * visible entries; x may then have any rank, and the mask broadcasts to x: a mask (Q, K) applies to all of x (B, H, Q,
 * K). If valid_lens is NULL all of x (B, Q, K) is visible.
 *
 * Hidden entries are not read: their weight and gradient are exactly 0, and NaN in them has no effect, whereas NaN
 * would remain if -1e9 were added to hidden entries or if they were multiplied by 0. A row without visible entries is
 * zeros. This is masked_softmax of the book Dive into Deep Learning.
 *
 * Errors: HEED_ERR_SHAPE unless valid_lens fits x, and unless x has rank 3 or valid_lens is a mask; HEED_ERR_DTYPE;
 * HEED_ERR_INDEX for a length outside 0 .. K. */
HEED_API heed_tensor *heed_masked_softmax(heed_tensor *x, heed_tensor *valid_lens);

/* Replaces the elements of x (n, T, ...) past the valid lengths by `value`: in row i, the elements at t >=
 * valid_lens[i].
 * dx = g, 0 for replaced elements.
 *
 * x is f32 or f64. valid_lens is i64 (n), or (n, Q), of which the longest length of every row is used. The result is a
 * new tensor; sequence_mask of the book Dive into Deep Learning changes x in place.
 *
 * Errors: HEED_ERR_SHAPE if the rank of x is below 2, or if valid_lens does not fit; HEED_ERR_INDEX for a length
 * outside 0 .. T; HEED_ERR_DTYPE. */
HEED_API heed_tensor *heed_sequence_mask(heed_tensor *x, heed_tensor *valid_lens, double value);

HEED_END_DECLS

#endif
