/* ops/softmax/rows.h - what softmax, log_softmax and logsumexp share: ops along the last axis, on contiguous
 * rows. */
#ifndef HEED_OPS_SOFTMAX_ROWS_H
#define HEED_OPS_SOFTMAX_ROWS_H

#include "core/parallel.h"
#include "ops/support.h"

/* heed_infer_same, for rank 1 at least. */
bool heed__infer_rows(const heed_call *call, heed_meta *out);

/* Runs fn over ranges of the rows, in parallel; each of a row's n elements takes an exp or so. */
void heed__for_rows(int64_t rows, int64_t n, heed__range_fn *fn, void *context);

/* y = kernel(x), row by row, in parallel; both contiguous. */
void heed__rows(heed__rows_kernel *kernel, const heed_tensor *x, heed_tensor *y);

/* For backward_fused: kernel(y, g) in a new tensor like y. NULL after heed_fail. */
heed_tensor *heed__new_rows_grad(const char *where, heed__rows_grad_kernel *kernel, heed_tensor *y, heed_tensor *g);

/* Applies to x, along `axis`, an op that works along the last one. */
heed_tensor *heed__apply_along(const heed_op *op, heed_tensor *x, int axis, const void *params);

#endif
