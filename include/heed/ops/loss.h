/* heed/ops/loss.h - losses. What heed/ops.h says of all ops holds here.
 *
 * All are averaged, summed, or left as they are: HEED_ERR_ARGUMENT for another reduction. The mean of nothing is NaN.
 */
#ifndef HEED_OPS_LOSS_H
#define HEED_OPS_LOSS_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* What becomes of a loss's elements: their mean, their sum, or a tensor of them. */
typedef enum heed_reduction { HEED_REDUCTION_MEAN = 0, HEED_REDUCTION_SUM, HEED_REDUCTION_NONE } heed_reduction;

/* -- Of numbers -------------------------------------------------------------------------------------------------------
 * input and target have one shape, without broadcasting (HEED_ERR_SHAPE), and are both f32 or both f64. */

/* (input - target)^2 of each element, reduced.  dinput = 2 g (input - target), dtarget = -dinput; of the mean divided
 * by the number of elements. HEED_ERR_SHAPE unless the shapes are the same; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT.
 * torch: torch.nn.functional.mse_loss */
HEED_API heed_tensor *heed_mse_loss(heed_tensor *input, heed_tensor *target, heed_reduction reduction);

/* |input - target| of each element, reduced.  dinput = g sign(input - target), dtarget = -dinput; of the mean divided
 * by the number of elements. HEED_ERR_SHAPE unless the shapes are the same; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT.
 * torch: torch.nn.functional.l1_loss */
HEED_API heed_tensor *heed_l1_loss(heed_tensor *input, heed_tensor *target, heed_reduction reduction);

/* d^2 / (2 beta) where |d| < beta, |d| - beta / 2 elsewhere, of each d = input - target, reduced; beta 0 is |d|.
 * dinput = g d / beta, and g sign d elsewhere; dtarget = -dinput. HEED_ERR_SHAPE unless the shapes are the same;
 * HEED_ERR_DTYPE; HEED_ERR_ARGUMENT unless beta is finite and not negative.
 * torch: torch.nn.functional.smooth_l1_loss */
HEED_API heed_tensor *heed_smooth_l1_loss(heed_tensor *input, heed_tensor *target, double beta,
                                          heed_reduction reduction);

/* max(x, 0) - x t + ln(1 + e^-|x|) of each input x and target t in 0 .. 1, reduced: -ln of the probability that
 * sigmoid(x) gives to t, without overflow.  dx = g (sigmoid(x) - t), dt = -g x. HEED_ERR_SHAPE unless the shapes are
 * the same; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT.
 * torch: torch.nn.functional.binary_cross_entropy_with_logits */
HEED_API heed_tensor *heed_binary_cross_entropy_with_logits(heed_tensor *input, heed_tensor *target,
                                                            heed_reduction reduction);

/* -- Of classes -------------------------------------------------------------------------------------------------------
 * Classes are on the last axis, where heed_linear puts them (PyTorch: on axis 1): input (..., C), targets i64 (...). */

/* Options of heed_nll_loss and heed_cross_entropy; NULL is the mean of all, without smoothing. */
typedef struct heed_class_loss_options {
    heed_reduction reduction; /* HEED_REDUCTION_NONE gives (...) */
    bool has_ignore_index;  /* targets equal to ignore_index give 0 and gradient 0, whatever their rows hold, and do not
                                 count in the mean */
    int64_t ignore_index;   /* any number, -100 or 0 */
    double label_smoothing; /* cross_entropy only: this much of the target is spread over all classes; 0 to 1 */
    HEED_RESERVED;
} heed_class_loss_options;

/* -input[target] of each row of input (..., C), targets i64 (...), reduced: of logarithms of probabilities. What is not
 * a target's is not read.  dinput = -g at the target, 0 elsewhere. HEED_ERR_INDEX for a target outside 0 .. C - 1 that
 * counts; HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT for a label smoothing.
 * torch: torch.nn.functional.nll_loss */
HEED_API heed_tensor *heed_nll_loss(heed_tensor *input, heed_tensor *targets, const heed_class_loss_options *options);

/* logsumexp(x) - sum_c t_c x_c of each row x of input (..., C), targets i64 (...), reduced, with
 * t = (1 - s) onehot(target) + s / C and s the smoothing: nll_loss of log_softmax, in one op.  dx = g (softmax(x) - t).
 * HEED_ERR_INDEX for a target outside 0 .. C - 1 that counts; HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT for a
 * smoothing outside 0 .. 1.
 * torch: torch.nn.functional.cross_entropy */
HEED_API heed_tensor *heed_cross_entropy(heed_tensor *input, heed_tensor *targets,
                                         const heed_class_loss_options *options);

/* -- Of sequences -------------------------------------------------------------------------------------------------- */

/* Losses (B, T) of sequences of the lengths valid_lens (B), i64: what lies past a length does not count, whatever is
 * there.  HEED_REDUCTION_SUM: the sum; HEED_REDUCTION_MEAN: the sum divided by the number of valid steps, NaN when
 * there is none; HEED_REDUCTION_NONE: (B), each sequence's sum divided by T, the book's masked loss.  dlosses = g times
 * the same factor, 0 past a length. HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_INDEX for a length outside 0 .. T. */
HEED_API heed_tensor *heed_sequence_loss(heed_tensor *losses, heed_tensor *valid_lens, heed_reduction reduction);

HEED_END_DECLS

#endif
