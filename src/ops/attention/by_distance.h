/* ops/attention/by_distance.h - what is added to scores for the distance of the key from the query, as options of an
 * attention say it, in a row for each head: its number Q - 1 + j - i is that of query i and key j, so a row has Q + K -
 * 1 of them.
 */
#ifndef HEED_OPS_ATTENTION_BY_DISTANCE_H
#define HEED_OPS_ATTENTION_BY_DISTANCE_H

#include "ops/attention/heads.h"

/* Of queries of dtype `dtype`. False after heed_fail. */
bool heed__by_distance_check(const char *where, const heed_attention_options *options, heed_dtype dtype,
                             const heed__heads *q, int64_t keys);

/* *rows is (H, Q + K - 1), differentiable in what the options have, or (H, 0) where there are no pairs; NULL where
 * nothing is added. False after heed_fail. */
bool heed__by_distance_find(const heed_attention_options *options, const heed__heads *q, int64_t keys,
                            heed_tensor **rows);

/* What two things add to scores together: not -inf unless one of them is. In public ops; NULL for NULL. */
heed_tensor *heed__sum_of_terms(heed_tensor *a, heed_tensor *b);

/* What rows add to each pair, (H, Q, K), or 0 where there are none; and of numbers for the pairs, (N, Q, K), the sums
 * over those of one head and distance, like rows. In public ops; NULL for NULL. */
heed_tensor *heed__by_distance_spread(heed_tensor *rows, const heed__heads *q, int64_t keys);
heed_tensor *heed__by_distance_sum(heed_tensor *pairs, const heed__heads *q);

#endif
