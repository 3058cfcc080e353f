/* ops/attention/additive_scores.h - the scores of additive attention for projected queries and keys:
 *
 *     y_ij = sum over h of w_h tanh(a_ih + b_jh) if row i sees key j, else 0
 *     (N, Q, h), (N, K, h), (h) -> (N, Q, K)
 *
 * The features tanh(a + b), (N, Q, K, h), are never stored, unless a gradient is to be differentiated again. Hidden
 * keys affect neither the result nor a gradient of any order. */
#ifndef HEED_OPS_ATTENTION_ADDITIVE_SCORES_H
#define HEED_OPS_ATTENTION_ADDITIVE_SCORES_H

#include "ops/valid_lens.h"

/* w is (h) or (1, h); lens must be checked, or NULL. */
heed_tensor *heed__additive_scores(heed_tensor *a, heed_tensor *b, heed_tensor *w, heed_tensor *lens, bool causal);

#endif
