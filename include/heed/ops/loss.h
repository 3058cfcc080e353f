/* heed/ops/loss.h - losses. What heed/ops.h says of all ops holds here.
 *
 * All are averaged, summed, or as they are: HEED_ERR_ARGUMENT for another reduction. The mean of nothing is NaN.
 */
#ifndef HEED_OPS_LOSS_H
#define HEED_OPS_LOSS_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

typedef enum heed_reduction { HEED_REDUCTION_MEAN = 0, HEED_REDUCTION_SUM, HEED_REDUCTION_NONE } heed_reduction;

/* Elementwise, of two tensors of one shape (HEED_ERR_SHAPE), d = input - target. */
HEED_API heed_tensor *heed_mse_loss(heed_tensor *input, heed_tensor *target, heed_reduction reduction); /* d^2 */
HEED_API heed_tensor *heed_l1_loss(heed_tensor *input, heed_tensor *target, heed_reduction reduction);  /* |d| */

/* d^2 / (2 beta) where |d| < beta, |d| - beta / 2 elsewhere; beta 0 is |d|. HEED_ERR_ARGUMENT unless beta is finite and
 * not negative. */
HEED_API heed_tensor *heed_smooth_l1_loss(heed_tensor *input, heed_tensor *target, double beta,
                                          heed_reduction reduction);

/* max(x, 0) - x t + ln(1 + e^-|x|): -ln of the probability that sigmoid(x) gives to a target t in 0 .. 1.
 * dx = g (sigmoid(x) - t), dt = -g x */
HEED_API heed_tensor *heed_binary_cross_entropy_with_logits(heed_tensor *input, heed_tensor *target,
                                                            heed_reduction reduction);

/* Classes along the last axis: input (..., C), targets i64 (...), HEED_REDUCTION_NONE gives (...). (PyTorch: on axis 1.) */
typedef struct heed_class_loss_options {
    heed_reduction reduction;
    bool has_ignore_index;  /* targets equal to ignore_index give 0 and gradient 0, whatever their rows hold, and do not
                               count in the mean */
    int64_t ignore_index;   /* any number, -100 or 0 */
    double label_smoothing; /* cross_entropy only: this much of the target is spread over all classes; 0 to 1 */
    HEED_RESERVED;
} heed_class_loss_options;

/* -input[target]; what is not a target's is not read. HEED_ERR_INDEX for a target outside 0 .. C - 1 that counts;
 * HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT for a label smoothing. */
HEED_API heed_tensor *heed_nll_loss(heed_tensor *input, heed_tensor *targets, const heed_class_loss_options *options);

/* nll_loss of log_softmax, in one op: logsumexp(x) - sum_c t_c x_c, with t = (1 - s) onehot(target) + s / C.
 * dx = g (softmax(x) - t).  HEED_ERR_ARGUMENT for a smoothing outside 0 .. 1; else as heed_nll_loss. */
HEED_API heed_tensor *heed_cross_entropy(heed_tensor *input, heed_tensor *targets,
                                         const heed_class_loss_options *options);

/* Losses (B, T) of sequences of different length, i64 (B): what lies past a length does not count, whatever is there.
 * HEED_REDUCTION_SUM: the sum; HEED_REDUCTION_MEAN: the sum per valid step, NaN when there is none; HEED_REDUCTION_NONE: (B), each sequence's sum
 * divided by T, the book's masked loss. HEED_ERR_SHAPE; HEED_ERR_INDEX for a length outside 0 .. T. */
HEED_API heed_tensor *heed_sequence_loss(heed_tensor *losses, heed_tensor *valid_lens, heed_reduction reduction);

HEED_END_DECLS

#endif
