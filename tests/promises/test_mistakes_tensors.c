/* tests/promises/test_mistakes_tensors.c - common mistakes with shapes, axes, dtypes and elements, and their
 * messages.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "mistakes.h"

#define NUMBERS "must both be f32, both f64 or both i64 (heed_to_dtype converts)"
#define FLOATS "must both be f32 or both f64 (heed_to_dtype converts)"
#define CLASSES                                                                                                        \
    "must be i64, one class per row (heed_cross_entropy also takes probabilities, "                                    \
    "of the shape of its input)"

START_TEST(shapes_that_do_not_go_together)
{
    heed_tensor *a = F32(2, 3), *b = F32(2, 4), *pair[] = {a, b};
    MISTAKE(": linear: x (2, 8) has 8 features, w (4, 9) takes 9", heed_linear(F32(2, 8), F32(4, 9), NULL));
    MISTAKE(": linear: the bias has shape (5): must be (out) for w (4, 8)", heed_linear(F32(2, 8), F32(4, 8), F32(5)));
    MISTAKE(": matmul: inner sizes differ: (2, 3) x (4, 5)", heed_matmul(a, F32(4, 5)));
    MISTAKE(": matmul: leading axes do not broadcast: (2, 3, 4) x (3, 4, 5)", heed_matmul(F32(2, 3, 4), F32(3, 4, 5)));
    MISTAKE(": bmm: inner sizes 3 and 2 differ: (2, 3) x (2, 4)", heed_bmm(a, b));
    MISTAKE(": add: shapes (2, 3) and (2, 4) do not broadcast", heed_add(a, b));
    MISTAKE(": reshape: the 6 elements of (2, 3) do not fit (4)", heed_reshape(a, HEED_SHAPE(4)));
    MISTAKE(": reshape: -1 is not a valid size for axis 1 of (-1, -1)", heed_reshape(a, HEED_SHAPE(-1, -1)));
    MISTAKE(": expand: (2, 3) does not broadcast to (4, 3)", heed_expand(a, HEED_SHAPE(4, 3)));
    MISTAKE(": squeeze: axis 0 of (2, 3) has size 2: must be 1", heed_squeeze(a, 0));
    MISTAKE(": concat: tensor 0 (2, 3) and tensor 1 (2, 4) cannot be joined on axis 0", heed_concat(pair, 2, 0));
    MISTAKE(": stack: tensor 0 (2, 3) and tensor 1 (2, 4) differ", heed_stack(pair, 2, 0));
    MISTAKE(": mse_loss: input (8, 1) and target (8) differ", heed_mse_loss(F32(8, 1), F32(8), HEED_REDUCTION_MEAN));
    MISTAKE(": layer_norm: x (2, 3) does not end in the axes (4)", heed_layer_norm(a, HEED_SHAPE(4), NULL, NULL, 1e-5));
    MISTAKE(": masked_softmax: x is (2, 3): must be (B, Q, K)", heed_masked_softmax(a, NULL));
    MISTAKE(": gather: indices (2) do not fit (2, 3) along axis 1", heed_gather(a, 1, I64(3, 2)));
    MISTAKE(": cross_entropy: targets (4): must be one per row of input (2, 3)",
            heed_cross_entropy(a, I64(3, 4), NULL));
    MISTAKE(": zeros: (-2) is not a valid shape", heed_zeros(HEED_F32, HEED_SHAPE(-2)));
    MISTAKE(": zeros: cannot allocate 400000000000256 bytes", heed_zeros(HEED_F32, HEED_SHAPE(1000000, 1000000, 100)));
}
END_TEST

START_TEST(missing_axes)
{
    heed_tensor *x = F32(2, 3);
    MISTAKE(": transpose: there is no axis 2 in a tensor of rank 2", heed_transpose(x, 1, 2));
    MISTAKE(": softmax: there is no axis 2 in a tensor of rank 2", heed_softmax(x, 2));
    MISTAKE(": argmax: there is no axis 3 in a tensor of rank 2", heed_argmax(x, 3, false));
    MISTAKE(": sum_axes: axis 0 is given twice in (0, 0)", heed_sum_axes(x, HEED_SHAPE(0, 0), false));
    MISTAKE(": permute: axis 0 is given twice in (0, 0)", heed_permute(x, HEED_SHAPE(0, 0)));
}
END_TEST

START_TEST(dtypes_that_do_not_go_together)
{
    heed_tensor *x = F32(2), *i = I64(3, 2), *b = heed_zeros(HEED_BOOL, HEED_SHAPE(2));
    MISTAKE(": add: argument 1 is f32 of shape (2) and argument 2 is i64 of shape (2): " NUMBERS, heed_add(x, i));
    MISTAKE(": mul: argument 1 is i64 of shape (2) and argument 2 is f32 of shape (2): " NUMBERS, heed_mul(i, x));
    MISTAKE(": sub: argument 1 is f32 of shape (2) and argument 2 is f64 of shape (2): " NUMBERS, heed_sub(x, F64(2)));
    MISTAKE(": add: argument 1 is bool of shape (2) and argument 2 is bool of shape (2): " NUMBERS, heed_add(b, b));
    MISTAKE(": maximum: argument 1 is bool of shape (2) and argument 2 is i64 of shape (2): " NUMBERS,
            heed_maximum(b, i));
    MISTAKE(": div: argument 1 is i64 of shape (2) and argument 2 is i64 of shape (2): " FLOATS, heed_div(i, i));
    MISTAKE(": atan2: argument 1 is f32 of shape (2) and argument 2 is i64 of shape (2): " FLOATS, heed_atan2(x, i));
    MISTAKE(": exp: argument 1 is i64 of shape (2), not f32 or f64", heed_exp(i));
    MISTAKE(": mean: the tensor is i64 (2): must be f32 or f64", heed_mean(i));
    MISTAKE(": matmul: the tensors are f32 (1, 2) and f64 (2, 1): must both be f32, or both f64",
            heed_matmul(F32(1, 2), F64(2, 1)));
    MISTAKE(": compare: a is f32, b is i64: must have the same dtype", heed_compare(x, HEED_COMPARE_EQ, i));
    MISTAKE(": where: the condition is f32: must be bool", heed_where(x, x, x));
    MISTAKE(": cross_entropy: the targets are f32 (2): " CLASSES, heed_cross_entropy(F32(2, 3), x, NULL));
    MISTAKE(": cross_entropy: the targets are f32 (2, 4): " CLASSES, heed_cross_entropy(F32(2, 3), F32(2, 4), NULL));
    MISTAKE(": nll_loss: the targets are f32 (2, 3): " CLASSES, heed_nll_loss(F32(2, 3), F32(2, 3), NULL));
    MISTAKE(": binary_cross_entropy_with_logits: the tensors are f32 (2) and i64 (2): must both be f32, or both f64",
            heed_binary_cross_entropy_with_logits(x, i, NULL));
    MISTAKE(": embedding: the indices are f32 (2): must be i64", heed_embedding(x, F32(10, 4)));
    MISTAKE(": set_requires_grad: a tensor of dtype i64 has no gradient", heed_set_requires_grad(i, true));
    MISTAKE(": data_f64: the tensor is f32, not f64", heed_data_f64(x));
}
END_TEST

START_TEST(missing_elements)
{
    heed_tensor *x = F32(5), *seven = heed_full(HEED_I64, HEED_SHAPE(1), 7);
    MISTAKE(": select: index 5 is outside axis 0 of (5)", heed_select(x, 0, 5));
    MISTAKE(": index_select: index 7 at (0) is outside an axis of size 5", heed_index_select(x, 0, seven));
    MISTAKE(": embedding: index 7 at (0) is outside an axis of size 5", heed_embedding(seven, F32(5, 4)));
    MISTAKE(": one_hot: index 7 at (0) is outside an axis of size 3", heed_one_hot(seven, 3, HEED_F32));
    MISTAKE(": cross_entropy: target 7, element 0 of (1), is outside the 3 classes",
            heed_cross_entropy(F32(1, 3), seven, NULL));
    MISTAKE(": item: a tensor of shape (5) has 5 elements, not one", heed_item(x));
    MISTAKE(": get: index 5 is outside axis 0 of shape (5)", heed_get(x, HEED_SHAPE(5)));
    MISTAKE(": get: the index has rank 2, but the tensor has shape (5)", heed_get(x, HEED_SHAPE(0, 0)));
    MISTAKE(": from_values: 3 values do not fill the shape (2, 2)",
            heed_from_values(HEED_F32, HEED_SHAPE(2, 2), (double[]){1, 2, 3}, 3));
    MISTAKE(": data_f32: a view of shape (3, 2) is not contiguous: call heed_contiguous first",
            heed_data_f32(heed_transpose(F32(2, 3), 0, 1)));
}
END_TEST

START_TEST(numbers_out_of_their_range)
{
    MISTAKE(": randint: low is 3: must be less than high, 3", heed_randint(3, 3, HEED_SHAPE(2)));
    MISTAKE(": bernoulli: p is 1.5: must be in [0, 1]", heed_bernoulli(1.5, HEED_SHAPE(2)));
    MISTAKE(": clamp: low is 1: must be at most high, 0", heed_clamp(F32(2), 1.0, 0.0));
    MISTAKE(": dropout: p is 50: must be in [0, 1]", heed_dropout(F32(2), 50.0, true));
    MISTAKE(": set_num_threads: n is 0: must be 1 to 256", heed_set_num_threads(0));
}
END_TEST

START_TEST(the_cause_is_named_and_not_its_consequences)
{
    heed_tensor *x = F32(2, 3), *wrong = F32(4);
    MISTAKE(": add: shapes (2, 3) and (4) do not broadcast", heed_mean(heed_exp(heed_mul(heed_add(x, wrong), x))));
    MISTAKE(": exp: argument 1 is NULL", heed_add(heed_exp(NULL), x));
}
END_TEST

HEED_TEST_MAIN("mistakes with tensors", shapes_that_do_not_go_together, missing_axes, dtypes_that_do_not_go_together,
               missing_elements, numbers_out_of_their_range, the_cause_is_named_and_not_its_consequences)
