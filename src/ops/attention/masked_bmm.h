/* ops/attention/masked_bmm.h - the products of attention over rows i that see some of the keys only.
 *
 *     scores   y_ij = q_i . k_j where row i sees key j, else 0     (N, Q, d), (N, K, d) -> (N, Q, K)
 *     pool     y_i  = sum of w_ij v_j over the keys that row i sees     (N, Q, K), (N, K, e) -> (N, Q, e)
 *     spread   y_j  = sum of w_ij x_i over the rows that see key j      (N, Q, K), (N, Q, d) -> (N, K, d)
 *
 * Weights w, and the gradients that arrive at scores, are 0 where a row does not see: heed__masked_softmax sees to
 * both. A plain product would do for finite numbers; here what is masked is skipped, not multiplied by 0, so that NaN
 * and infinity there reach nothing: not the result and, since the three are each other's gradients, no gradient of any
 * order.
 */
#ifndef HEED_OPS_ATTENTION_MASKED_BMM_H
#define HEED_OPS_ATTENTION_MASKED_BMM_H

#include "ops/valid_lens.h"

/* Of lengths that are checked, or bool (N, Q, K); NULL and not causal: every row sees all keys. */
heed_tensor *heed__masked_scores(heed_tensor *q, heed_tensor *k, heed_tensor *lens, bool causal);
heed_tensor *heed__masked_pool(heed_tensor *w, heed_tensor *v, heed_tensor *lens, bool causal);
heed_tensor *heed__masked_spread(heed_tensor *w, heed_tensor *x, heed_tensor *lens, bool causal);

/* Whether n floating-point numbers are all finite. */
bool heed__all_finite(heed_dtype dtype, int64_t n, const void *values);

#endif
