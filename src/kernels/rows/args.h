/* kernels/rows/args.h - arguments of the kernels for batch norm; part of kernels.h, which includes it. */
#ifndef HEED_KERNELS_ROWS_ARGS_H
#define HEED_KERNELS_ROWS_ARGS_H

#include <stdint.h>

/* Batch norm of x (outer, channels, inner): y = h weight + bias, with h = (x - mean) / sqrt(variance + eps). The mean
 * and variance of a channel are computed from x, or given. Computes channels begin .. end - 1; the bits do not depend
 * on the division into ranges. The gradient writes dx and, per channel, the sum of g h to dweight and the sum of g to
 * dbias; given statistics are constants. The array of dx must differ from x and g. Channels whose squares overflow or
 * underflow are scaled first: kernels/rows/scale.h. */
typedef struct heed__batch_norm_args {
    int64_t outer, channels, inner;
    double eps;
    const void *weight, *bias, *mean, *variance; /* (channels); NULL: 1, 0, the mean of x, its variance */
    void *statistics;                            /* (2, channels), or NULL: receives mean and variance */
} heed__batch_norm_args;
typedef void heed__batch_norm_kernel(const heed__batch_norm_args *args, int64_t begin, int64_t end, const void *x,
                                     void *y);
typedef void heed__batch_norm_grad_kernel(const heed__batch_norm_args *args, int64_t begin, int64_t end, const void *x,
                                          const void *g, void *dx, void *dweight, void *dbias);

#endif
