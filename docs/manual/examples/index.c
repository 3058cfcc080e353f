/* index.c - examples of heed/ops/index.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include <heed/heed.h>

static void example_sort(void)
{
    /* [heed_sort] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), 3, 1, 2, NAN, 5, 4);
    heed_tensor *in_order = heed_sort(x);
    heed_print(in_order, stdout);
    /* -> tensor([[1., 2., 3.],
     *            [4., 5., nan]], shape=(2, 3), dtype=f32) */
    /* [] */
}

static void example_sort_axis(void)
{
    /* [heed_sort_axis] */
    heed_tensor *scores = HEED_TENSOR(HEED_F32, HEED_SHAPE(4), 0.1, 0.7, 0.2, 0.5);
    heed_tensor *places;
    heed_tensor *best_first = heed_sort_axis(scores, -1, true, &places);
    heed_print(heed_slice(best_first, 0, 0, 2, 1), stdout); /* the best two */
    /* -> tensor([0.7000, 0.5000], shape=(2), dtype=f32) */
    heed_print(heed_slice(places, 0, 0, 2, 1), stdout); /* and their indices */
    /* -> tensor([1, 3], shape=(2), dtype=i64) */
    /* [] */
}

static void example_gather(void)
{
    /* [heed_gather] */
    heed_tensor *log_probabilities = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), -1, -2, -3, -4, -5, -6);
    heed_tensor *classes = HEED_TENSOR(HEED_I64, HEED_SHAPE(2, 1), 2, 0);
    heed_print(heed_gather(log_probabilities, 1, classes), stdout);
    /* -> tensor([[-3.],
     *            [-4.]], shape=(2, 1), dtype=f32) */
    /* [] */
}

static void example_scatter_sum(void)
{
    /* [heed_scatter_sum] */
    heed_tensor *weights = HEED_TENSOR(HEED_F32, HEED_SHAPE(4), 1, 1, 1, 0.5);
    heed_tensor *bins = HEED_TENSOR(HEED_I64, HEED_SHAPE(4), 0, 2, 2, 1);
    heed_print(heed_scatter_sum(weights, 0, bins, HEED_SHAPE(3)), stdout); /* a histogram */
    /* -> tensor([1.0000, 0.5000, 2.0000], shape=(3), dtype=f32) */
    /* [] */
}

static void example_index_select(void)
{
    /* [heed_index_select] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(3, 2), 1, 2, 3, 4, 5, 6);
    heed_tensor *order = HEED_TENSOR(HEED_I64, HEED_SHAPE(3), 2, 0, 2);
    heed_print(heed_index_select(x, 0, order), stdout);
    /* -> tensor([[5., 6.],
     *            [1., 2.],
     *            [5., 6.]], shape=(3, 2), dtype=f32) */
    /* [] */
}

static void example_index_sum(void)
{
    /* [heed_index_sum] */
    heed_tensor *points = HEED_TENSOR(HEED_F32, HEED_SHAPE(3, 2), 1, 1, 10, 10, 3, 3);
    heed_tensor *cluster = HEED_TENSOR(HEED_I64, HEED_SHAPE(3), 0, 1, 0);
    heed_print(heed_index_sum(points, 0, cluster, 2), stdout);
    /* -> tensor([[ 4.,  4.],
     *            [10., 10.]], shape=(2, 2), dtype=f32) */
    /* [] */
}

static void example_embedding(void)
{
    /* [heed_embedding] */
    heed_tensor *vectors = heed_set_requires_grad(HEED_TENSOR(HEED_F32, HEED_SHAPE(3, 2), 0, 0, 1, 10, 2, 20), true);
    heed_tensor *words = HEED_TENSOR(HEED_I64, HEED_SHAPE(1, 3), 2, 1, 2);
    heed_tensor *sentence = heed_embedding(words, vectors);
    heed_backward(heed_sum(sentence));
    heed_print(sentence, stdout);
    /* -> tensor([[[ 2., 20.],
     *             [ 1., 10.],
     *             [ 2., 20.]]], shape=(1, 3, 2), dtype=f32, requires_grad=True) */
    heed_print(heed_grad_of(vectors), stdout);
    /* -> tensor([[0., 0.],
     *            [1., 1.],
     *            [2., 2.]], shape=(3, 2), dtype=f32) */
    /* [] */
}

static void example_embedding_padded(void)
{
    /* [heed_embedding_padded] */
    heed_tensor *vectors = heed_set_requires_grad(HEED_TENSOR(HEED_F32, HEED_SHAPE(3, 2), 0, 0, 1, 10, 2, 20), true);
    heed_tensor *words = HEED_TENSOR(HEED_I64, HEED_SHAPE(2, 2), 2, 1, 2, 0); /* 0 fills the second sentence */
    heed_backward(heed_sum(heed_embedding_padded(words, vectors, 0)));
    heed_print(heed_grad_of(vectors), stdout);
    /* -> tensor([[0., 0.],
     *            [1., 1.],
     *            [2., 2.]], shape=(3, 2), dtype=f32) */
    /* [] */
}

static void example_one_hot(void)
{
    /* [heed_one_hot] */
    heed_tensor *classes = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 2, 0);
    heed_tensor *rows = heed_one_hot(classes, 3, HEED_F32);
    heed_print(rows, stdout);
    /* -> tensor([[0., 0., 1.],
     *            [1., 0., 0.]], shape=(2, 3), dtype=f32) */
    /* [] */
}

static void example_argsort(void)
{
    /* [heed_argsort] */
    heed_tensor *names = HEED_TENSOR(HEED_I64, HEED_SHAPE(3), 101, 102, 103);
    heed_tensor *ages = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 41, 7, 35);
    heed_tensor *order = heed_argsort(ages, 0, false);
    heed_print(heed_index_select(names, 0, order), stdout); /* the youngest first */
    /* -> tensor([102, 103, 101], shape=(3), dtype=i64) */
    /* [] */
}

static void example_topk(void)
{
    /* [heed_topk] */
    heed_tensor *scores = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 4), 0.1, 0.7, 0.2, 0.5, 3, 1, 4, 1), *classes;
    heed_print(heed_topk(scores, -1, 2, true, &classes), stdout);
    /* -> tensor([[0.7000, 0.5000],
     *            [4.0000, 3.0000]], shape=(2, 2), dtype=f32) */
    heed_print(classes, stdout);
    /* -> tensor([[1, 3],
     *            [2, 0]], shape=(2, 2), dtype=i64) */
    /* [] */
}

static void example_unique(void)
{
    /* [heed_unique] */
    heed_tensor *words = HEED_TENSOR(HEED_I64, HEED_SHAPE(6), 7, 3, 7, 7, 9, 3), *places, *counts;
    heed_print(heed_unique(words, &places, &counts), stdout); /* -> tensor([3, 7, 9], shape=(3), dtype=i64) */
    heed_print(places, stdout);                               /* -> tensor([1, 0, 1, 1, 2, 0], shape=(6), dtype=i64) */
    heed_print(counts, stdout);                               /* -> tensor([2, 3, 1], shape=(3), dtype=i64) */
    /* [] */
}

static void example_searchsorted(void)
{
    /* [heed_searchsorted] */
    heed_tensor *edges = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 0, 10, 20);
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(4), -5, 10, 15, 99);
    heed_print(heed_searchsorted(edges, x, false), stdout); /* -> tensor([0, 1, 2, 3], shape=(4), dtype=i64) */
    heed_print(heed_searchsorted(edges, x, true), stdout);  /* -> tensor([0, 2, 2, 3], shape=(4), dtype=i64) */
    /* [] */
}

static void example_bincount(void)
{
    /* [heed_bincount] */
    heed_tensor *labels = HEED_TENSOR(HEED_I64, HEED_SHAPE(5), 1, 0, 3, 1, 1);
    heed_print(heed_bincount(labels, NULL, 6), stdout); /* -> tensor([1, 3, 0, 1, 0, 0], shape=(6), dtype=i64) */
    heed_tensor *weights = HEED_TENSOR(HEED_F32, HEED_SHAPE(5), 0.5, 1, 2, 0.5, 1);
    heed_print(heed_bincount(labels, weights, 0), stdout); /* -> tensor([1., 2., 0., 2.], shape=(4), dtype=f32) */
    /* [] */
}

static void example_masked_fill(void)
{
    /* [heed_masked_fill] */
    heed_tensor *scores = heed_zeros(HEED_F32, HEED_SHAPE(3, 3));
    heed_tensor *future = heed_triu(heed_ones(HEED_BOOL, HEED_SHAPE(3, 3)), 1);
    heed_print(heed_softmax(heed_masked_fill(scores, future, -INFINITY), -1), stdout);
    /* -> tensor([[1.0000, 0.0000, 0.0000],
     *            [0.5000, 0.5000, 0.0000],
     *            [0.3333, 0.3333, 0.3333]], shape=(3, 3), dtype=f32) */
    /* [] */
}

static void example_nonzero(void)
{
    /* [heed_nonzero] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), 0, 7, 0, 5, 0, 9);
    heed_tensor *positions = heed_nonzero(x); /* a row and a column per element */
    heed_print(positions, stdout);
    /* -> tensor([[0, 1],
     *            [1, 0],
     *            [1, 2]], shape=(3, 2), dtype=i64) */
    /* [] */
}

static void example_masked_select(void)
{
    /* [heed_masked_select] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), 0.5, -1, 2, -3, 4, 1);
    heed_tensor *large = heed_compare_scalar(x, HEED_COMPARE_GE, 1);
    heed_print(heed_masked_select(x, large), stdout);
    /* -> tensor([2., 4., 1.], shape=(3), dtype=f32) */
    /* [] */
}

static void example_scatter(void)
{
    /* [heed_scatter] */
    heed_tensor *board = heed_zeros(HEED_F32, HEED_SHAPE(2, 3));
    heed_tensor *columns = HEED_TENSOR(HEED_I64, HEED_SHAPE(2, 2), 0, 2, 1, 1); /* row 1 writes column 1 twice */
    heed_tensor *values = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 1, 2, 3, 4);
    heed_print(heed_scatter(board, 1, columns, values), stdout);
    /* -> tensor([[1., 0., 2.],
     *            [0., 4., 0.]], shape=(2, 3), dtype=f32) */
    /* [] */
}

static void example_index_copy(void)
{
    /* [heed_index_copy] */
    heed_tensor *table = heed_zeros(HEED_F32, HEED_SHAPE(3, 2));
    heed_tensor *rows = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 1, 2, 3, 4);
    heed_print(heed_index_copy(table, 0, HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 2, 0), rows), stdout);
    /* -> tensor([[3., 4.],
     *            [0., 0.],
     *            [1., 2.]], shape=(3, 2), dtype=f32) */
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_sort();
    example_sort_axis();
    example_gather();
    example_scatter_sum();
    example_index_select();
    example_index_sum();
    example_embedding();
    example_embedding_padded();
    example_one_hot();
    example_argsort();
    example_topk();
    example_unique();
    example_searchsorted();
    example_bincount();
    example_masked_fill();
    example_nonzero();
    example_masked_select();
    example_scatter();
    example_index_copy();
    return 0;
}
