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

/* d^2 / 2 where |d| < delta, delta (|d| - delta / 2) elsewhere, of each d = input - target, reduced: delta times
 * heed_smooth_l1_loss.  dinput = g d, and g delta sign d elsewhere; dtarget = -dinput. HEED_ERR_SHAPE unless the shapes
 * are the same; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT unless delta is finite and above 0.
 * torch: torch.nn.functional.huber_loss */
HEED_API heed_tensor *heed_huber_loss(heed_tensor *input, heed_tensor *target, double delta, heed_reduction reduction);

/* max(0, 1 - t x) of each input x and target t, which is 1 or -1, reduced: a margin for scores.  dx = -g t where t x <
 * 1, else 0; dt likewise. HEED_ERR_SHAPE unless the shapes are the same; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT. */
HEED_API heed_tensor *heed_hinge_loss(heed_tensor *input, heed_tensor *target, heed_reduction reduction);

/* x where t is 1, max(0, margin - x) where t is -1, 0 elsewhere, of each input x, a distance, and target t, reduced.
 * dx = g, or -g where x < margin; dt = 0. HEED_ERR_SHAPE unless the shapes are the same; HEED_ERR_DTYPE;
 * HEED_ERR_ARGUMENT unless the margin is finite.
 * torch: torch.nn.functional.hinge_embedding_loss */
HEED_API heed_tensor *heed_hinge_embedding_loss(heed_tensor *input, heed_tensor *target, double margin,
                                                heed_reduction reduction);

/* -- Of distributions -------------------------------------------------------------------------------------------------
 * input and target are as above. */

/* t (ln t - x) of each input x, the logarithm of a probability, and target t, a probability or with log_target its
 * logarithm, reduced; 0 with gradients 0 where t is the probability 0, whatever x is. The divergence of a batch of B
 * distributions, PyTorch's batchmean, is the sum divided by B; the mean is over all elements.  dx = -g t,
 * dt = g (ln t + 1 - x). HEED_ERR_SHAPE unless the shapes are the same; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT.
 * torch: torch.nn.functional.kl_div */
HEED_API heed_tensor *heed_kl_div(heed_tensor *input, heed_tensor *target, bool log_target, heed_reduction reduction);

/* Options of heed_poisson_nll_loss; NULL is the mean, of logarithms, without the constant. */
typedef struct heed_poisson_nll_loss_options {
    heed_reduction reduction;
    bool no_log_input; /* the input is the rate itself, and not its logarithm */
    bool full;         /* with ln t!, by Stirling's approximation for t > 1 */
    double eps;        /* added to the rate in its logarithm; 0: 1e-8. Only with no_log_input */
    HEED_RESERVED;
} heed_poisson_nll_loss_options;

/* e^x - t x of each input x, the logarithm of a rate, and target t, a count, reduced: -ln of the probability that a
 * Poisson distribution gives to t, but for ln t!.  dx = g (e^x - t), dt = -g x. HEED_ERR_SHAPE unless the shapes are
 * the same; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT for an eps that is negative, not finite, or not used.
 * torch: torch.nn.functional.poisson_nll_loss */
HEED_API heed_tensor *heed_poisson_nll_loss(heed_tensor *input, heed_tensor *target,
                                            const heed_poisson_nll_loss_options *options);

/* Options of heed_gaussian_nll_loss; NULL is the mean, without the constant. */
typedef struct heed_gaussian_nll_loss_options {
    heed_reduction reduction;
    bool full;  /* with ln(2 pi) / 2 */
    double eps; /* the smallest variance; 0: 1e-6 */
    HEED_RESERVED;
} heed_gaussian_nll_loss_options;

/* (ln v + (x - t)^2 / v) / 2 of each input x, a mean, and target t, with v = max(var, eps), reduced. var holds
 * the variances: var (...) of an input (..., d) is one per row, as in PyTorch; any other var broadcasts to the input. 
 * dx = g (x - t) / v, dt = -dx, dvar = g (1 - (x - t)^2 / v) / (2 v), 0 below eps (PyTorch: the gradient at eps).
 * HEED_ERR_SHAPE unless the shapes fit; HEED_ERR_DTYPE unless all are f32 or all f64; HEED_ERR_ARGUMENT for a negative
 * variance or eps.
 * torch: torch.nn.functional.gaussian_nll_loss */
HEED_API heed_tensor *heed_gaussian_nll_loss(heed_tensor *input, heed_tensor *target, heed_tensor *var,
                                             const heed_gaussian_nll_loss_options *options);

/* -- Of vectors: rows are on the last axis ------------------------------------------------------------------------- */

/* The cosine of the angle between a and b along the axis, which is left out: their product divided by their lengths,
 * which count as 1e-8 at least. a and b broadcast.  da = g (b / |b| - cos a / |a|) / |a|, db likewise; all are right
 * also if squares overflow. HEED_ERR_SHAPE unless they
 * broadcast, or for an axis that is not there; HEED_ERR_DTYPE unless both are f32 or both f64.
 * torch: torch.nn.functional.cosine_similarity */
HEED_API heed_tensor *heed_cosine_similarity(heed_tensor *a, heed_tensor *b, int axis);

/* 1 - c where the target is 1, max(0, c - margin) where it is -1, 0 elsewhere, with c the cosine similarity of the rows
 * of a and b (..., d), reduced; targets (...).  da, db: as heed_cosine_similarity's. HEED_ERR_SHAPE; HEED_ERR_DTYPE
 * unless all are f32 or all f64; HEED_ERR_ARGUMENT unless the margin is finite.
 * torch: torch.nn.functional.cosine_embedding_loss */
HEED_API heed_tensor *heed_cosine_embedding_loss(heed_tensor *a, heed_tensor *b, heed_tensor *target, double margin,
                                                 heed_reduction reduction);

/* max(0, |a - p| - |a - n| + margin) of the rows of anchor, positive and negative (..., d), reduced; with `swap` the
 * smaller of |a - n| and |p - n|. Each length is the norm of a difference plus 1e-6 in each place, also if its square
 * overflows. da = g (u - w), dp = -g u, dn = g w, with u and w the directions from p and n to a. HEED_ERR_SHAPE unless
 * the shapes are the same, and for scalars; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT unless the margin is finite.
 * torch: torch.nn.functional.triplet_margin_loss */
HEED_API heed_tensor *heed_triplet_margin_loss(heed_tensor *anchor, heed_tensor *positive, heed_tensor *negative,
                                               double margin, bool swap, heed_reduction reduction);

/* -- Of logits ----------------------------------------------------------------------------------------------------- */

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
    int64_t ignore_index;   /* any number, -100 or 0; HEED_ERR_ARGUMENT if it is not 0 and has_ignore_index is false */
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

/* Options of heed_ctc_loss; NULL is the mean, and class 0 the blank. */
typedef struct heed_ctc_loss_options {
    heed_reduction reduction; /* HEED_REDUCTION_MEAN: each loss is divided by the target's length, 1 at least, first */
    int64_t blank;            /* the class of no label */
    bool zero_infinity;       /* targets that no path can give count as 0, instead of infinity */
    HEED_RESERVED;
} heed_ctc_loss_options;

/* Connectionist temporal classification: -ln of the probability that log_probs (T, B, C), as heed_log_softmax gives
 * them, read step by step, make the labels targets (B, S), i64, when repeated classes are made one and blanks left out;
 * reduced. The lengths input_lens and target_lens, i64 (B), say how many steps and labels count, NULL that all do: what
 * is behind is not looked at.  dlog_probs = -g times the probability that step t is used for class c, 0 where no path
 * can give the target (PyTorch: NaN; and its gradient is that of the logits, to be used behind log_softmax only).
 * HEED_ERR_INDEX for a length that is not there, or a label that counts and is the blank or no class; HEED_ERR_ARGUMENT
 * for a blank that is no class; HEED_ERR_SHAPE; HEED_ERR_DTYPE.
 * torch: torch.nn.functional.ctc_loss */
HEED_API heed_tensor *heed_ctc_loss(heed_tensor *log_probs, heed_tensor *targets, heed_tensor *input_lens,
                                    heed_tensor *target_lens, const heed_ctc_loss_options *options);

HEED_END_DECLS

#endif
