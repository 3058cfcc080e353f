/* heed/ops/softmax.h - softmax, and softmax of a part. What heed/ops.h says of all ops holds here.
 *
 * Along one axis, with the maximum subtracted, so nothing overflows. NaN or +inf in a row makes that row NaN; -inf
 * gives weight 0, and a row of only -inf gives NaN.
 */
#ifndef HEED_OPS_SOFTMAX_H
#define HEED_OPS_SOFTMAX_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* -- Softmax ------------------------------------------------------------------------------------------------------- */

/* y = exp(x - max) / sum exp(x - max) along `axis`: weights that sum to 1.  dx = y (g - sum(g y)).
 * x is f32 or f64 (HEED_ERR_DTYPE), of any shape but a scalar's. NaN or +inf makes its row NaN; -inf has weight 0.
 * HEED_ERR_SHAPE for an axis that is not there.
 * torch: torch.nn.functional.softmax */
HEED_API heed_tensor *heed_softmax(heed_tensor *x, int axis);

/* y = x - logsumexp(x) along `axis`, the logarithm of heed_softmax, exact where that is 0.  dx = g - exp(y) sum(g).
 * x is f32 or f64 (HEED_ERR_DTYPE). HEED_ERR_SHAPE for a scalar or an axis that is not there.
 * torch: torch.nn.functional.log_softmax */
HEED_API heed_tensor *heed_log_softmax(heed_tensor *x, int axis);

/* y = ln sum exp(x) along `axis`, which keepdim leaves as size 1.  dx = g softmax(x).
 * Of nothing, or of only -inf, it is -inf, whose gradient is NaN; +inf gives +inf. x is f32 or f64 (HEED_ERR_DTYPE).
 * HEED_ERR_SHAPE for a scalar or an axis that is not there.
 * torch: torch.logsumexp */
HEED_API heed_tensor *heed_logsumexp(heed_tensor *x, int axis, bool keepdim);

/* -- Masks --------------------------------------------------------------------------------------------------------- */

/* heed_softmax along the last axis of x, over what is seen of each row only.  dx = y (g - sum(g y)).
 * By lengths, i64, each row of x (B, Q, K) sees its first entries: `seen` is (B), one length for all rows of a batch
 * element, or (B, Q), one for each row. By a mask, bool, rows of x of any rank see where it is true; it broadcasts to
 * x, as attention's do: (Q, K) is one for all of (B, H, Q, K). Its dtype tells which, so both are the same call. NULL:
 * all of x (B, Q, K).
 * What is not seen is not read: weight and gradient are exactly 0, and NaN there harms nothing, where adding -1e9 or
 * multiplying by 0 would let it through. A row that sees nothing is zeros. HEED_ERR_SHAPE unless `seen` fits x, which
 * has rank 3 but with a mask; HEED_ERR_DTYPE; HEED_ERR_INDEX for a length outside 0 .. K. The book's masked_softmax. */
HEED_API heed_tensor *heed_masked_softmax(heed_tensor *x, heed_tensor *seen);

/* x (n, T, ...), f32 or f64, with `value` at t >= valid_lens[i] of row i; valid_lens, i64, is (n), or (n, Q), of which
 * the longest counts.  dx = g, 0 where masked. A new tensor: the book's sequence_mask writes to x. HEED_ERR_SHAPE below
 * rank 2 or unless valid_lens fits; HEED_ERR_INDEX for a length outside 0 .. T; HEED_ERR_DTYPE. */
HEED_API heed_tensor *heed_sequence_mask(heed_tensor *x, heed_tensor *valid_lens, double value);

HEED_END_DECLS

#endif
