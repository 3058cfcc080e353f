/* loss.c - examples of heed/ops/loss.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include <heed/heed.h>

static void example_mse_loss(void)
{
    /* [heed_mse_loss] */
    heed_tensor *output = heed_set_requires_grad(HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 1, 5), true);
    heed_tensor *target = HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 2, 3);
    heed_tensor *loss = heed_mse_loss(output, target, HEED_REDUCTION_MEAN);
    heed_backward(loss);
    printf("%g\n", heed_item(loss));          /* -> 2.5 */
    heed_print(heed_grad_of(output), stdout); /* -> tensor([-1.,  2.], shape=(2), dtype=f32) */
    /* [] */
}

static void example_l1_loss(void)
{
    /* [heed_l1_loss] */
    heed_tensor *output = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 1, 5, 2);
    heed_tensor *target = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 2, 3, 2);
    heed_print(heed_l1_loss(output, target, HEED_REDUCTION_NONE), stdout);
    /* -> tensor([1., 2., 0.], shape=(3), dtype=f32) */
    printf("%g\n", heed_item(heed_l1_loss(output, target, HEED_REDUCTION_MEAN))); /* -> 1 */
    /* [] */
}

static void example_smooth_l1_loss(void)
{
    /* [heed_smooth_l1_loss] */
    heed_tensor *output = heed_set_requires_grad(HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 0, 0.5, 10), true);
    heed_tensor *target = heed_zeros(HEED_F64, HEED_SHAPE(3));
    heed_tensor *losses = heed_smooth_l1_loss(output, target, 1, HEED_REDUCTION_NONE);
    heed_backward(heed_sum(losses));
    heed_print(losses, stdout); /* -> tensor([0.0000, 0.1250, 9.5000], shape=(3), dtype=f64, requires_grad=True) */
    heed_print(heed_grad_of(output), stdout); /* an outlier has a gradient of at most 1 */
    /* -> tensor([0.0000, 0.5000, 1.0000], shape=(3), dtype=f64) */
    /* [] */
}

static void example_binary_cross_entropy_with_logits(void)
{
    /* [heed_binary_cross_entropy_with_logits] */
    heed_tensor *logits = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 0, 100, -100);
    heed_tensor *target = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 1, 1, 1);
    heed_binary_cross_entropy_options each = {.reduction = HEED_REDUCTION_NONE};
    heed_print(heed_binary_cross_entropy_with_logits(logits, target, &each), stdout);
    /* -> tensor([6.9315e-01, 3.7835e-44, 1.0000e+02], shape=(3), dtype=f32) */
    each.pos_weight = heed_full(HEED_F32, HEED_SCALAR, 3); /* positive targets count three times */
    heed_print(heed_binary_cross_entropy_with_logits(heed_zeros(HEED_F32, HEED_SHAPE(2)),
                                                     HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 1, 0), &each),
               stdout);
    /* -> tensor([2.0794, 0.6931], shape=(2), dtype=f32) */
    /* [] */
}

static void example_binary_cross_entropy(void)
{
    /* [heed_binary_cross_entropy] */
    heed_tensor *probabilities = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 0.5, 0.9, 0);
    heed_tensor *target = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 1, 1, 1);
    heed_binary_cross_entropy_options each = {.reduction = HEED_REDUCTION_NONE};
    heed_print(heed_binary_cross_entropy(probabilities, target, &each), stdout);
    /* -> tensor([  0.6931,   0.1054, 100.0000], shape=(3), dtype=f32) */
    /* [] */
}

static void example_nll_loss(void)
{
    /* [heed_nll_loss] */
    heed_tensor *logits = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), 1, 2, 3, 1, 1, 1);
    heed_tensor *classes = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 2, 0);
    heed_tensor *log_probabilities = heed_log_softmax(logits, -1);
    heed_class_loss_options each = {.reduction = HEED_REDUCTION_NONE};
    heed_print(heed_nll_loss(log_probabilities, classes, &each), stdout);
    /* -> tensor([0.4076, 1.0986], shape=(2), dtype=f32) */
    each.weight = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 1, 1, 10); /* class 2 is rare */
    heed_print(heed_nll_loss(log_probabilities, classes, &each), stdout);
    /* -> tensor([4.0761, 1.0986], shape=(2), dtype=f32) */
    /* [] */
}

static void example_cross_entropy(void)
{
    /* [heed_cross_entropy] */
    heed_tensor *logits = heed_set_requires_grad(heed_zeros(HEED_F32, HEED_SHAPE(3, 4)), true);
    heed_tensor *classes = HEED_TENSOR(HEED_I64, HEED_SHAPE(3), 2, 0, -100);
    heed_class_loss_options options = {.has_ignore_index = true, .ignore_index = -100};
    heed_tensor *loss = heed_cross_entropy(logits, classes, &options);
    heed_backward(loss);
    printf("%.4f\n", heed_item(loss)); /* ln 4 */
    /* -> 1.3863 */
    heed_print(heed_grad_of(logits), stdout);
    /* -> tensor([[ 0.1250,  0.1250, -0.3750,  0.1250],
     *            [-0.3750,  0.1250,  0.1250,  0.1250],
     *            [ 0.0000,  0.0000,  0.0000,  0.0000]], shape=(3, 4), dtype=f32) */
    heed_tensor *mixed = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 0.7, 0.3, 0); /* probabilities instead of a class */
    printf("%.4f\n", heed_item(heed_cross_entropy(HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 1, 0, -1), mixed, NULL)));
    /* -> 0.7076 */
    /* [] */
}

static void example_sequence_loss(void)
{
    /* [heed_sequence_loss] */
    heed_tensor *losses = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), 1, 2, NAN, 6, 6, 6);
    heed_tensor *lengths = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 2, 3);
    printf("%g\n", heed_item(heed_sequence_loss(losses, lengths, HEED_REDUCTION_MEAN))); /* 21 / 5 */
    /* -> 4.2 */
    heed_print(heed_sequence_loss(losses, lengths, HEED_REDUCTION_NONE), stdout);
    /* -> tensor([1., 6.], shape=(2), dtype=f32) */
    /* [] */
}

static void example_huber_loss(void)
{
    /* [heed_huber_loss] */
    heed_tensor *output = heed_set_requires_grad(HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 0, 1, 10), true);
    heed_tensor *losses = heed_huber_loss(output, heed_zeros_like(output), 2, HEED_REDUCTION_NONE);
    heed_backward(heed_sum(losses));
    heed_print(heed_detach(losses), stdout);  /* -> tensor([ 0.0000,  0.5000, 18.0000], shape=(3), dtype=f64) */
    heed_print(heed_grad_of(output), stdout); /* an outlier has a gradient of at most delta */
    /* -> tensor([0., 1., 2.], shape=(3), dtype=f64) */
    /* [] */
}

static void example_hinge_loss(void)
{
    /* [heed_hinge_loss] */
    heed_tensor *scores = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 2, 0.5, 0.5);
    heed_tensor *sides = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 1, 1, -1);
    heed_print(heed_hinge_loss(scores, sides, HEED_REDUCTION_NONE), stdout); /* right, right within the margin, wrong */
    /* -> tensor([0.0000, 0.5000, 1.5000], shape=(3), dtype=f32) */
    /* [] */
}

static void example_hinge_embedding_loss(void)
{
    /* [heed_hinge_embedding_loss] */
    heed_tensor *distances = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 0.5, 0.25, 3);
    heed_tensor *same = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 1, -1, -1);
    heed_print(heed_hinge_embedding_loss(distances, same, 1, HEED_REDUCTION_NONE), stdout);
    /* -> tensor([0.5000, 0.7500, 0.0000], shape=(3), dtype=f32) */
    /* [] */
}

static void example_kl_div(void)
{
    /* [heed_kl_div] */
    heed_tensor *logits = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 0, 0, 1, 0);
    heed_tensor *target = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 0.5, 0.5, 0, 1);
    heed_tensor *sum = heed_kl_div(heed_log_softmax(logits, -1), target, false, HEED_REDUCTION_SUM);
    printf("%.4f\n", heed_item(sum) / 2); /* the mean of the distributions */
    /* -> 0.6566 */
    /* [] */
}

static void example_poisson_nll_loss(void)
{
    /* [heed_poisson_nll_loss] */
    heed_tensor *log_rates = heed_zeros(HEED_F32, HEED_SHAPE(3));
    heed_tensor *counts = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 0, 1, 4);
    heed_print(heed_poisson_nll_loss(
                   log_rates, counts,
                   HEED_OPTIONS(heed_poisson_nll_loss_options, .reduction = HEED_REDUCTION_NONE, .full = true)),
               stdout);
    /* -> tensor([1.0000, 1.0000, 4.1573], shape=(3), dtype=f32) */
    /* [] */
}

static void example_gaussian_nll_loss(void)
{
    /* [heed_gaussian_nll_loss] */
    heed_tensor *mean = heed_zeros(HEED_F32, HEED_SHAPE(2)),
                *target = heed_full(heed_dtype_of(mean), heed_shape_of(mean), 2);
    heed_tensor *var = HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 1, 4); /* the second prediction is less certain */
    heed_print(heed_gaussian_nll_loss(mean, target, var,
                                      HEED_OPTIONS(heed_gaussian_nll_loss_options, .reduction = HEED_REDUCTION_NONE)),
               stdout);
    /* -> tensor([2.0000, 1.1931], shape=(2), dtype=f32) */
    /* [] */
}

static void example_cdist(void)
{
    /* [heed_cdist] */
    heed_tensor *a = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 0, 0, 3, 4);
    heed_tensor *b = HEED_TENSOR(HEED_F32, HEED_SHAPE(3, 2), 3, 4, 0, 1, 0, 0);
    heed_print(heed_cdist(a, b, 2), stdout);
    /* -> tensor([[5.0000, 1.0000, 0.0000],
     *            [0.0000, 4.2426, 5.0000]], shape=(2, 3), dtype=f32) */
    heed_print(heed_cdist(a, b, (double)INFINITY), stdout); /* the largest difference */
    /* -> tensor([[4., 1., 0.],
     *            [0., 3., 4.]], shape=(2, 3), dtype=f32) */
    /* [] */
}

static void example_cosine_similarity(void)
{
    /* [heed_cosine_similarity] */
    heed_tensor *words = HEED_TENSOR(HEED_F32, HEED_SHAPE(3, 2), 3, 0, 1, 1, -2, 0);
    heed_tensor *query = HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 5, 0);
    heed_print(heed_cosine_similarity(words, query, -1), stdout);
    /* -> tensor([ 1.0000,  0.7071, -1.0000], shape=(3), dtype=f32) */
    /* [] */
}

static void example_cosine_embedding_loss(void)
{
    /* [heed_cosine_embedding_loss] */
    heed_tensor *a = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 1, 0, 1, 0);
    heed_tensor *b = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 0, 2, 3, 0);
    heed_tensor *same = HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 1, -1);
    heed_print(heed_cosine_embedding_loss(a, b, same, 0.5, HEED_REDUCTION_NONE), stdout);
    /* -> tensor([1.0000, 0.5000], shape=(2), dtype=f32) */
    /* [] */
}

static void example_triplet_margin_loss(void)
{
    /* [heed_triplet_margin_loss] */
    heed_tensor *anchor = heed_zeros(HEED_F64, HEED_SHAPE(2, 2));
    heed_tensor *positive = HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 1, 0, 1, 0);
    heed_tensor *negative = HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 0, 1.5, 0, 9);
    heed_print(heed_triplet_margin_loss(anchor, positive, negative, 1, false, HEED_REDUCTION_NONE), stdout);
    /* -> tensor([0.5000, 0.0000], shape=(2), dtype=f64) */
    /* [] */
}

static void example_ctc_loss(void)
{
    /* [heed_ctc_loss] */
    heed_tensor *logits = heed_set_requires_grad(heed_zeros(HEED_F64, HEED_SHAPE(3, 1, 3)), true); /* T = 3, V = 3 */
    heed_tensor *word = HEED_TENSOR(HEED_I64, HEED_SHAPE(1, 2), 1, 2);
    heed_tensor *loss = heed_ctc_loss(heed_log_softmax(logits, -1), word, NULL, NULL,
                                      HEED_OPTIONS(heed_ctc_loss_options, .reduction = HEED_REDUCTION_SUM));
    printf("%.4f\n", exp(-heed_item(loss)) * 27); /* 5 of 27 paths spell the word: -12 1-2 12- 112 122 */
    /* -> 5.0000 */
    heed_backward(loss);
    heed_print(heed_select(heed_grad_of(logits), 0, 0), stdout);
    /* -> tensor([[ 0.1333, -0.4667,  0.3333]], shape=(1, 3), dtype=f64) */
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_mse_loss();
    example_l1_loss();
    example_smooth_l1_loss();
    example_binary_cross_entropy_with_logits();
    example_binary_cross_entropy();
    example_nll_loss();
    example_cross_entropy();
    example_sequence_loss();
    example_huber_loss();
    example_hinge_loss();
    example_hinge_embedding_loss();
    example_kl_div();
    example_poisson_nll_loss();
    example_gaussian_nll_loss();
    example_cdist();
    example_cosine_similarity();
    example_cosine_embedding_loss();
    example_triplet_margin_loss();
    example_ctc_loss();
    return 0;
}
