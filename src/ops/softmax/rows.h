/* ops/softmax/rows.h - shared by softmax, log_softmax and logsumexp: ops along the last axis, on contiguous rows. */
#ifndef HEED_OPS_SOFTMAX_ROWS_H
#define HEED_OPS_SOFTMAX_ROWS_H

#include "core/parallel.h"
#include "ops/support.h"

/* Like heed_infer_same, but fails with HEED_ERR_SHAPE if x is a scalar. */
bool heed__infer_rows(const heed_call *call, heed_meta *out);

/* Runs fn over ranges of the rows, in parallel. A row has n elements, which cost about one exp each. */
void heed__for_rows(int64_t rows, int64_t n, heed__range_fn *fn, void *context);

/* y = kernel(x), row by row, in parallel; x and y must be contiguous. */
void heed__rows(heed__rows_kernel *kernel, const heed_tensor *x, heed_tensor *y);

/* For backward_fused: returns kernel(y, g) in a new tensor like y. NULL after heed_fail. */
heed_tensor *heed__new_rows_grad(const char *where, heed__rows_grad_kernel *kernel, heed_tensor *y, heed_tensor *g);

/* Applies `op`, which works along the last axis, to x along `axis` instead. */
heed_tensor *heed__apply_along(const heed_op *op, heed_tensor *x, int axis, const void *params);

#endif
