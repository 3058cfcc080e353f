/* ops/attention/masked_bmm.h - the products of attention, in which a row i sees only some of the keys j.
 *
 *     scores   y_ij = q_i . k_j if row i sees key j, else 0            (N, Q, d), (N, K, d) -> (N, Q, K)
 *     pool     y_i  = sum of w_ij v_j over the keys that row i sees     (N, Q, K), (N, K, e) -> (N, Q, e)
 *     spread   y_j  = sum of w_ij x_i over the rows that see key j      (N, Q, K), (N, Q, d) -> (N, K, d)
 *
 * Weights w and incoming gradients of scores must be 0 for hidden pairs; heed__masked_softmax ensures both. For finite
 * numbers, plain products would give the same results. Here masked elements are skipped, not multiplied by 0, so that
 * NaN and infinity in them do not reach the result. The gradients of these products are again these products, so that
 * this also holds for gradients of any order. */
#ifndef HEED_OPS_ATTENTION_MASKED_BMM_H
#define HEED_OPS_ATTENTION_MASKED_BMM_H

#include "ops/valid_lens.h"

/* lens must be checked, or bool (N, Q, K). If it is NULL and not causal, every row sees all keys. */
heed_tensor *heed__masked_scores(heed_tensor *q, heed_tensor *k, heed_tensor *lens, bool causal);
heed_tensor *heed__masked_pool(heed_tensor *w, heed_tensor *v, heed_tensor *lens, bool causal);
heed_tensor *heed__masked_spread(heed_tensor *w, heed_tensor *x, heed_tensor *lens, bool causal);

/* Returns true if n floating-point numbers are all finite. */
bool heed__all_finite(heed_dtype dtype, int64_t n, const void *values);

#endif
