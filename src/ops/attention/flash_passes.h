/* ops/attention/flash_passes.h - forward and backward of flash_attention.c over all batch elements: cuts, scratch, threads.
 *
 * Forward is cut into blocks of queries. Backward is cut into batch elements and, where these are few, each into chunks
 * of keys, by sizes alone: a chunk has its own rows of dk and dv, and dq is the sum of what the chunks give, in their
 * order. Besides what it is given, forward needs scratch of a fixed size per thread, and backward also the dq of the
 * chunks but one.
 */
#ifndef HEED_OPS_ATTENTION_FLASH_PASSES_H
#define HEED_OPS_ATTENTION_FLASH_PASSES_H

#include "ops/attention/flash_attention.h"

/* q, k, v with contiguous rows -> y, not empty, and statistics (N, 2, queries). False after heed_fail. */
bool heed__flash_forward(const heed_flash_params *params, heed_tensor *const in[3], const heed_tensor *lens,
                         const heed_tensor *y, const heed_tensor *statistics);

/* And g with contiguous rows -> dq, dk, dv, contiguous; NULL for those that are not wanted. */
bool heed__flash_backward(const heed_flash_params *params, heed_tensor *const in[3], const heed_tensor *lens,
                          const heed_tensor *y, const heed_tensor *statistics, const heed_tensor *g,
                          heed_tensor *const dx[3]);

#endif
