/* ops/attention/additive_scores.h - the scores of additive attention of queries and keys that are mapped already:
 *
 *     y_ij = sum over h of w_h tanh(a_ih + b_jh) where row i sees key j, else 0
 *     (N, Q, h), (N, K, h), (h) -> (N, Q, K)
 *
 * The features tanh(a + b), (N, Q, K, h), are in memory at no time, unless a gradient is to be differentiated again.
 * What a row does not see reaches nothing: not the result, and no gradient of any order.
 */
#ifndef HEED_OPS_ATTENTION_ADDITIVE_SCORES_H
#define HEED_OPS_ATTENTION_ADDITIVE_SCORES_H

#include "ops/valid_lens.h"

/* w (h) or (1, h); lengths that are checked, or NULL. */
heed_tensor *heed__additive_scores(heed_tensor *a, heed_tensor *b, heed_tensor *w, heed_tensor *lens, bool causal);

#endif
