/* heed/ops/loss.h - losses. The rules in heed/ops.h hold here too.
 *
 * Every loss returns the mean, the sum, or the unreduced elements; HEED_ERR_ARGUMENT for any other reduction. The mean
 * of an empty tensor is NaN. The gradients in these comments hold for the sum; for the mean they are divided by the
 * number of elements averaged.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_LOSS_H
#define HEED_OPS_LOSS_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* How a loss is reduced: to the mean of its elements, to their sum, or not at all. */
typedef enum heed_reduction { HEED_REDUCTION_MEAN = 0, HEED_REDUCTION_SUM, HEED_REDUCTION_NONE } heed_reduction;

/* -- Numbers ----------------------------------------------------------------------------------------------------------
 * input and target have the same shape, without broadcasting (HEED_ERR_SHAPE), and are both f32 or both f64. */

/* Computes the squared error (input - target)^2 of every element, reduced.
 * dinput = 2 g (input - target), dtarget = -dinput.
 * Errors: HEED_ERR_SHAPE unless the shapes are the same; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT.
 * torch: torch.nn.functional.mse_loss */
HEED_API heed_tensor *heed_mse_loss(heed_tensor *input, heed_tensor *target, heed_reduction reduction);

/* Computes the absolute error |input - target| of every element, reduced.
 * dinput = g sign(input - target), dtarget = -dinput.
 * Errors: HEED_ERR_SHAPE unless the shapes are the same; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT.
 * torch: torch.nn.functional.l1_loss */
HEED_API heed_tensor *heed_l1_loss(heed_tensor *input, heed_tensor *target, heed_reduction reduction);

/* Computes the smooth L1 loss of every d = input - target, reduced: d^2 / (2 beta) if |d| < beta, else |d| - beta / 2.
 * With beta 0 it is |d|.
 * dinput = g d / beta if |d| < beta, else g sign d; dtarget = -dinput.
 * Errors: HEED_ERR_SHAPE unless the shapes are the same; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT unless beta is finite and 0
 * or more.
 * torch: torch.nn.functional.smooth_l1_loss */
HEED_API heed_tensor *heed_smooth_l1_loss(heed_tensor *input, heed_tensor *target, double beta,
                                          heed_reduction reduction);

/* Computes the Huber loss of every d = input - target, reduced: d^2 / 2 if |d| < delta, else delta (|d| - delta / 2).
 * It is delta times heed_smooth_l1_loss.
 * dinput = g d if |d| < delta, else g delta sign d; dtarget = -dinput.
 * Errors: HEED_ERR_SHAPE unless the shapes are the same; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT unless delta is finite and
 * above 0.
 * torch: torch.nn.functional.huber_loss */
HEED_API heed_tensor *heed_huber_loss(heed_tensor *input, heed_tensor *target, double delta, heed_reduction reduction);

/* Computes the hinge loss of scores: max(0, 1 - t x) of every input x and target t, which is 1 or -1, reduced.
 * dx = -g t if t x < 1, else 0; dt = -g x if t x < 1, else 0.
 * Errors: HEED_ERR_SHAPE unless the shapes are the same; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT. */
HEED_API heed_tensor *heed_hinge_loss(heed_tensor *input, heed_tensor *target, heed_reduction reduction);

/* Computes the hinge loss of distances, reduced: for every input x and target t it is x if t is 1, max(0, margin - x)
 * if t is -1, and 0 for any other t.
 * dx = g if t is 1; dx = -g if t is -1 and x < margin; else 0. dt = 0.
 * Errors: HEED_ERR_SHAPE unless the shapes are the same; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT unless the margin is finite.
 * torch: torch.nn.functional.hinge_embedding_loss */
HEED_API heed_tensor *heed_hinge_embedding_loss(heed_tensor *input, heed_tensor *target, double margin,
                                                heed_reduction reduction);

/* -- Distributions ----------------------------------------------------------------------------------------------------
 * input and target have the same shape, without broadcasting (HEED_ERR_SHAPE), and are both f32 or both f64, unless a
 * function says otherwise. */

/* Computes the Kullback-Leibler divergence t (ln t - x) of every input x and target t, reduced.  dx = -g t,
 * dt = g (ln t + 1 - x).
 *
 * x is the logarithm of a probability; t is a probability, or with log_target the logarithm of one. If t is the
 * probability 0, the loss and its gradients are 0, whatever x is. The mean is over all elements; the divergence of a
 * batch of B distributions, PyTorch's batchmean, is the sum divided by B.
 *
 * Errors: HEED_ERR_SHAPE unless the shapes are the same; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT.
 * torch: torch.nn.functional.kl_div */
HEED_API heed_tensor *heed_kl_div(heed_tensor *input, heed_tensor *target, bool log_target, heed_reduction reduction);

/* Options of heed_poisson_nll_loss; NULL: the mean, an input of logarithms, without the constant. */
typedef struct heed_poisson_nll_loss_options {
    heed_reduction reduction;
    bool no_log_input; /* the input is the rate itself, not its logarithm */
    bool full;         /* includes the constant ln t!, by Stirling's approximation for t > 1 */
    double eps;        /* added to the rate before its logarithm is taken; only with no_log_input; 0: 1e-8 */
    HEED_RESERVED;
} heed_poisson_nll_loss_options;

/* Computes the negative log-likelihood of counts under Poisson distributions: e^x - t x of every input x and target t,
 * reduced.
 * dx = g (e^x - t), dt = -g x.
 *
 * x is the logarithm of a rate and t a count. The constant ln t! is left out unless `full` is set.
 *
 * Errors: HEED_ERR_SHAPE unless the shapes are the same; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT for a negative, non-finite
 * or unused eps.
 * torch: torch.nn.functional.poisson_nll_loss */
HEED_API heed_tensor *heed_poisson_nll_loss(heed_tensor *input, heed_tensor *target,
                                            const heed_poisson_nll_loss_options *options);

/* Options of heed_gaussian_nll_loss; NULL: the mean, without the constant. */
typedef struct heed_gaussian_nll_loss_options {
    heed_reduction reduction;
    bool full;  /* includes the constant ln(2 pi) / 2 */
    double eps; /* the smallest variance; 0: 1e-6 */
    HEED_RESERVED;
} heed_gaussian_nll_loss_options;

/* Computes the negative log-likelihood of targets under normal distributions: (ln v + (x - t)^2 / v) / 2, reduced.
 * dx = g (x - t) / v, dt = -dx, dvar = g (1 - (x - t)^2 / v) / (2 v), or 0 if var is below eps (PyTorch uses the
 * gradient at eps).
 *
 * x is the input, a mean, t the target, and v = max(var, eps). var holds the variances. For an input (..., d), a var of
 * shape (...) is one variance per row, as in PyTorch; a var of any other shape broadcasts to the input.
 *
 * Errors: HEED_ERR_SHAPE unless the shapes fit; HEED_ERR_DTYPE unless all are f32 or all f64; HEED_ERR_ARGUMENT for a
 * negative variance or eps.
 * torch: torch.nn.functional.gaussian_nll_loss */
HEED_API heed_tensor *heed_gaussian_nll_loss(heed_tensor *input, heed_tensor *target, heed_tensor *var,
                                             const heed_gaussian_nll_loss_options *options);

/* -- Vectors: rows are on the last axis ---------------------------------------------------------------------------- */

/* Computes the cosine of the angle between a and b along `axis`, without that axis in the result; a and b broadcast.
 * da = g (b / |b| - y a / |a|) / |a|, where y is the result; db is the same with a and b exchanged.
 *
 * The cosine is the dot product divided by the lengths, which are at least 1e-8. The result and gradients are right
 * even if squares overflow.
 *
 * Errors: HEED_ERR_SHAPE unless a and b broadcast, and if they lack the axis; HEED_ERR_DTYPE unless both are f32 or
 * both f64.
 * torch: torch.nn.functional.cosine_similarity */
HEED_API heed_tensor *heed_cosine_similarity(heed_tensor *a, heed_tensor *b, int axis);

/* Computes the distances between all rows of a (..., P, M) and b (..., R, M): y (..., P, R), where leading axes
 * broadcast.
 *
 *     y[i, j] = (sum over m of |a[i, m] - b[j, m]|^p)^(1/p)
 *
 * For p = inf it is the largest difference, for p = 0 the number of differences other than 0.
 * da = the sum over j of g sign(d) (|d| / y)^(p - 1), where d is the difference; db likewise. Differences of 0 and
 * equal rows have gradient 0; for p = inf every difference of the largest size has the whole gradient.
 *
 * The sums are over differences, not over products as in PyTorch for p = 2 and many rows, so the distances of near
 * points are as exact as others. They are computed in f64, and are right even if powers overflow or underflow. The
 * gradient of a gradient needs memory for the differences, (..., P, R, M); y and its gradients do not.
 *
 * Errors: HEED_ERR_SHAPE unless the shapes fit; HEED_ERR_DTYPE unless both are f32 or both f64; HEED_ERR_ARGUMENT
 * unless p is 0 or more.
 * torch: torch.cdist */
HEED_API heed_tensor *heed_cdist(heed_tensor *a, heed_tensor *b, double p);

/* Computes a loss of the cosine similarity c of the rows of a and b (..., d), with targets (...), reduced: 1 - c if the
 * target is 1, max(0, c - margin) if it is -1, and 0 for any other target. da and db follow from
 * heed_cosine_similarity.
 * Errors: HEED_ERR_SHAPE; HEED_ERR_DTYPE unless all are f32 or all f64; HEED_ERR_ARGUMENT unless the margin is finite.
 * torch: torch.nn.functional.cosine_embedding_loss */
HEED_API heed_tensor *heed_cosine_embedding_loss(heed_tensor *a, heed_tensor *b, heed_tensor *target, double margin,
                                                 heed_reduction reduction);

/* Computes the triplet loss max(0, |a - p| - |a - n| + margin) of the rows of anchor, positive and negative (..., d),
 * reduced.
 * da = g (u - w), dp = -g u, dn = g w, where u and w are the directions from p and n to a.
 *
 * With `swap` the smaller of |a - n| and |p - n| is used. Every length is the norm of the difference, to which 1e-6 is
 * added in every component, and is right even if its square overflows.
 *
 * Errors: HEED_ERR_SHAPE unless the shapes are the same, and for scalars; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT unless the
 * margin is finite.
 * torch: torch.nn.functional.triplet_margin_loss */
HEED_API heed_tensor *heed_triplet_margin_loss(heed_tensor *anchor, heed_tensor *positive, heed_tensor *negative,
                                               double margin, bool swap, heed_reduction reduction);

/* -- Two classes ------------------------------------------------------------------------------------------------------
 * input and target have the same shape (HEED_ERR_SHAPE), and are both f32 or both f64. Targets are in 0 .. 1. */

/* Options of heed_binary_cross_entropy_with_logits and heed_binary_cross_entropy; NULL: the mean, without weights. */
typedef struct heed_binary_cross_entropy_options {
    heed_reduction reduction;
    heed_tensor *weight; /* a factor of every loss, of the input's dtype; broadcasts to the input; the mean is divided
                                by the number of elements even so; NULL: 1 */
    heed_tensor
        *pos_weight; /* heed_binary_cross_entropy_with_logits only: a factor of the target, such as negatives per
                                positive; broadcasts to the input; NULL: 1 */
    HEED_RESERVED;
} heed_binary_cross_entropy_options;

/* Computes the binary cross entropy of logits x and targets t, reduced:
 * w (p t ln(1 + e^-x) + (1 - t) ln(1 + e^x)), where w and p are weight and pos_weight.
 * dx = g w ((1 - t) sigmoid(x) - p t sigmoid(-x)), dt = g w (p ln(1 + e^-x) - ln(1 + e^x)).
 *
 * This is -w ln of the probability of t under sigmoid(x), without overflow. Weights may require gradients.
 *
 * Errors: HEED_ERR_SHAPE unless the shapes fit; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT.
 * torch: torch.nn.functional.binary_cross_entropy_with_logits */
HEED_API heed_tensor *heed_binary_cross_entropy_with_logits(heed_tensor *input, heed_tensor *target,
                                                            const heed_binary_cross_entropy_options *options);

/* Computes the binary cross entropy of probabilities x and targets t, reduced: -w (t ln x + (1 - t) ln(1 - x)), where w
 * is the weight.
 * dx = g w (x - t) / (x (1 - x)), dt = g w (ln(1 - x) - ln x).
 *
 * Logarithms are at least -100, as in PyTorch, and a logarithm below it has the gradient 0 (PyTorch: up to 1e12). If x
 * is a sigmoid, heed_binary_cross_entropy_with_logits is more accurate.
 *
 * Errors: HEED_ERR_ARGUMENT for an input outside 0 .. 1, and for a pos_weight; HEED_ERR_SHAPE; HEED_ERR_DTYPE.
 * torch: torch.nn.functional.binary_cross_entropy */
HEED_API heed_tensor *heed_binary_cross_entropy(heed_tensor *input, heed_tensor *target,
                                                const heed_binary_cross_entropy_options *options);

/* -- Classes ----------------------------------------------------------------------------------------------------------
 * Classes are on the last axis, where heed_linear puts them (PyTorch: on axis 1): input (..., C), targets i64 (...). */

/* Options of heed_nll_loss and heed_cross_entropy; NULL: the mean over all targets, without smoothing and weights. */
typedef struct heed_class_loss_options {
    heed_reduction reduction; /* HEED_REDUCTION_NONE returns (...) */
    bool has_ignore_index;    /* targets equal to ignore_index have loss 0 and gradient 0, whatever the input contains,
                                 and do not count in the mean */
    int64_t ignore_index;     /* any number, such as -100; HEED_ERR_ARGUMENT if it is not 0 although has_ignore_index is
                                 false */
    double label_smoothing;   /* heed_cross_entropy only: the share of the target's probability that is spread over all
                                 classes; 0 to 1 */
    heed_tensor *weight; /* (C), of the input's dtype: a factor of the loss per class, which may require a gradient;
                                 the mean is divided by the sum of the targets' weights; NULL: 1 */
    HEED_RESERVED;
} heed_class_loss_options;

/* Computes the negative log-likelihood -w[target] input[target] of every row of input (..., C), targets i64 (...),
 * reduced.
 * dinput = -g w[target] at the target, 0 elsewhere; dw[target] = -g input[target].
 *
 * input holds logarithms of probabilities, and w the weights of the classes, if given. Only the entries at the targets
 * are read.
 *
 * Errors: HEED_ERR_INDEX for a target outside 0 .. C - 1 unless it is ignored; HEED_ERR_SHAPE; HEED_ERR_DTYPE;
 * HEED_ERR_ARGUMENT for a label smoothing.
 * torch: torch.nn.functional.nll_loss */
HEED_API heed_tensor *heed_nll_loss(heed_tensor *input, heed_tensor *targets, const heed_class_loss_options *options);

/* Computes the cross entropy of every row x of logits, input (..., C), and its target, reduced.
 *
 *     y = -sum_c w_c t_c ln softmax(x)_c     dx = g (softmax(x) sum_c w_c t_c - w t),   dt = -g w ln softmax(x)
 *
 * The targets are classes, i64 (...), and t = (1 - s) onehot(target) + s / C, where s is the label smoothing. Or the
 * targets are probabilities, (..., C) and of the input's dtype, and t = (1 - s) target + s / C. w is the weights, or 1.
 *
 * The mean is divided by the sum of the targets' weights w[target] if the targets are classes, and by the number of
 * rows if they are probabilities. Without weights, cross entropy of classes is heed_nll_loss of heed_log_softmax, in
 * one op. A class with weight or probability 0 may have the logit -inf.
 *
 * Errors: HEED_ERR_INDEX for a target outside 0 .. C - 1 unless it is ignored; HEED_ERR_SHAPE; HEED_ERR_DTYPE;
 * HEED_ERR_ARGUMENT for a smoothing outside 0 .. 1, and for an ignore_index if the targets are probabilities.
 * torch: torch.nn.functional.cross_entropy */
HEED_API heed_tensor *heed_cross_entropy(heed_tensor *input, heed_tensor *targets,
                                         const heed_class_loss_options *options);

/* -- Sequences ----------------------------------------------------------------------------------------------------- */

/* Reduces losses (B, T) of sequences of unequal lengths; steps past a sequence's length do not count, even if they are
 * NaN.
 *
 * valid_lens, i64 (B), are the lengths. HEED_REDUCTION_SUM returns the sum; HEED_REDUCTION_MEAN the sum divided by the
 * number of valid steps, NaN if their number is 0; HEED_REDUCTION_NONE returns (B), for every sequence the sum divided
 * by T, as the masked loss of the book Dive into Deep Learning does.  dlosses = g times the divisor's inverse, and 0
 * past a length.
 *
 * Errors: HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_INDEX for a length outside 0 .. T. */
HEED_API heed_tensor *heed_sequence_loss(heed_tensor *losses, heed_tensor *valid_lens, heed_reduction reduction);

/* Options of heed_ctc_loss; NULL: the mean, and class 0 is the blank. */
typedef struct heed_ctc_loss_options {
    heed_reduction reduction; /* HEED_REDUCTION_MEAN first divides every loss by the length of its target, or by 1 for
                                 length 0 */
    int64_t blank;            /* the class that stands for no label */
    bool zero_infinity;       /* a target that no path yields has loss 0 instead of infinity */
    HEED_RESERVED;
} heed_ctc_loss_options;

/* Computes the loss of connectionist temporal classification (CTC), reduced: -ln of the probability of the labels,
 * given log_probs.
 *
 * log_probs (T, B, C) are results of heed_log_softmax, one distribution per step. A path through the steps yields the
 * labels targets (B, S), i64, after repeated classes are merged and blanks are removed. input_lens, i64 (B), is the
 * number of steps of every sequence, and target_lens, i64 (B), the number of labels; NULL means all. Steps and labels
 * past the lengths are not read.
 *
 * dlog_probs = -g times the probability that step t is used for class c, and 0 if no path yields the target (PyTorch:
 * NaN). PyTorch returns the gradient of the logits instead, which is right only if log_probs is a result of
 * log_softmax.
 *
 * Errors: HEED_ERR_INDEX for a length out of range, and for a label that counts but is the blank or no class;
 * HEED_ERR_ARGUMENT for a blank outside 0 .. C - 1; HEED_ERR_SHAPE; HEED_ERR_DTYPE.
 * torch: torch.nn.functional.ctc_loss */
HEED_API heed_tensor *heed_ctc_loss(heed_tensor *log_probs, heed_tensor *targets, heed_tensor *input_lens,
                                    heed_tensor *target_lens, const heed_ctc_loss_options *options);

HEED_END_DECLS

#endif
