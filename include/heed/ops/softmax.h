/* heed/ops/softmax.h - softmax, and masks by length. What heed/ops.h says of all ops holds here.
 *
 * Along one axis, with the maximum subtracted. NaN or +inf in a row makes that row NaN; -inf gives weight 0, and a row
 * of only -inf gives NaN.
 */
#ifndef HEED_OPS_SOFTMAX_H
#define HEED_OPS_SOFTMAX_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* y = exp(x - max) / sum       dx = y (g - sum(g y)) */
HEED_API heed_tensor *heed_softmax(heed_tensor *x, int axis);

/* y = x - logsumexp(x)         dx = g - exp(y) sum(g) */
HEED_API heed_tensor *heed_log_softmax(heed_tensor *x, int axis);

/* y = ln sum exp(x)            dx = g exp(x - y).  Of nothing, or of only -inf: -inf, whose
 * gradient is NaN. +inf gives +inf. */
HEED_API heed_tensor *heed_logsumexp(heed_tensor *x, int axis, bool keepdim);

/* Softmax along the last axis of x (B, Q, K) over the first entries of each row only: valid_lens is i64 (B), one length
 * for all rows of a batch element, or (B, Q), one per row; NULL is all of K. What lies past the length is not read: its
 * weight is exactly 0, its gradient exactly 0, and NaN there harms nothing. A row of length 0 is zeros. Otherwise as
 * heed_softmax.
 * HEED_ERR_SHAPE unless x has rank 3 and valid_lens fits; HEED_ERR_DTYPE; HEED_ERR_INDEX for a length outside 0 .. K.
 *     dx = y (g - sum(g y)) */
HEED_API heed_tensor *heed_masked_softmax(heed_tensor *x, heed_tensor *valid_lens);

/* x (n, T, ...) with `value` at t >= valid_lens[i] of row i; valid_lens i64 (n), or (n, Q), of which the longest counts.
 * A new tensor: the book's function writes to x. HEED_ERR_SHAPE below rank 2 or unless valid_lens fits; HEED_ERR_INDEX
 * for a length outside 0 .. T;
 * HEED_ERR_DTYPE unless x is f32 or f64.  dx = g, 0 where masked */
HEED_API heed_tensor *heed_sequence_mask(heed_tensor *x, heed_tensor *valid_lens, double value);

HEED_END_DECLS

#endif
