/* ops/attention/relative_bias.h - the score bias that depends on the distance from query to key, from the options of an
 * attention. It is stored as one row per head: element Q - 1 + j - i belongs to query i and key j, so a row has Q + K -
 * 1 elements. */
#ifndef HEED_OPS_ATTENTION_RELATIVE_BIAS_H
#define HEED_OPS_ATTENTION_RELATIVE_BIAS_H

#include "ops/attention/heads.h"

/* Checks the options for queries of dtype `dtype`. Returns false after heed_fail. */
bool heed__relative_bias_check(const char *where, const heed_attention_options *options, heed_dtype dtype,
                               const heed__heads *q, int64_t keys);

/* Sets *rows to (H, Q + K - 1), differentiable with respect to the options' tensors, or to (H, 0) if there are no
 * pairs; to NULL if the options add no such bias. Returns false after heed_fail. */
bool heed__relative_bias_rows(const heed_attention_options *options, const heed__heads *q, int64_t keys,
                              heed_tensor **rows);

/* Returns the sum of two score biases. The sum is -inf only if one of the biases is -inf. Built from public ops; NULL
 * for NULL. */
heed_tensor *heed__sum_score_biases(heed_tensor *a, heed_tensor *b);

/* heed__relative_bias_expand expands rows to (H, Q, K), one element per pair, or returns 0 without pairs;
 * heed__relative_bias_sum is its transpose: it sums `pairs` (N, Q, K) over the pairs of equal head and distance and
 * returns rows. Built from public ops; NULL for NULL. */
heed_tensor *heed__relative_bias_expand(heed_tensor *rows, const heed__heads *q, int64_t keys);
heed_tensor *heed__relative_bias_sum(heed_tensor *pairs, const heed__heads *q);

#endif
