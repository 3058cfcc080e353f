/* tests/ops/product/bmm.c - cases of heed_bmm and heed_bmm_t.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "functions.h"

RUN(run, heed_bmm_t(in[0], c->i[0], in[1], c->i[1]))
RUN(plain, heed_bmm(in[0], in[1]))

#define PRODUCT(name_, transpose_a, transpose_b, a, b)                                                                 \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 2, .in = {{.shape = a}, {.shape = b}}, .i = {                           \
            transpose_a,                                                                                               \
            transpose_b                                                                                                \
        }                                                                                                              \
    }

/* m x k x n in all four layouts. */
#define FOUR(batch, m, k, n)                                                                                           \
    PRODUCT(#batch ": " #m " x " #k " x " #n " NN", 0, 0, DIMS(batch, m, k), DIMS(batch, k, n)),                       \
        PRODUCT(#batch ": " #m " x " #k " x " #n " TN", 1, 0, DIMS(batch, k, m), DIMS(batch, k, n)),                   \
        PRODUCT(#batch ": " #m " x " #k " x " #n " NT", 0, 1, DIMS(batch, m, k), DIMS(batch, n, k)),                   \
        PRODUCT(#batch ": " #m " x " #k " x " #n " TT", 1, 1, DIMS(batch, k, m), DIMS(batch, n, k))

/* Like the macro above, for matrices without a batch axis. */
#define FOUR_OF_MATRICES(m, k, n)                                                                                      \
    PRODUCT(#m " x " #k " x " #n " NN", 0, 0, DIMS(m, k), DIMS(k, n)),                                                 \
        PRODUCT(#m " x " #k " x " #n " TN", 1, 0, DIMS(k, m), DIMS(k, n)),                                             \
        PRODUCT(#m " x " #k " x " #n " NT", 0, 1, DIMS(m, k), DIMS(n, k)),                                             \
        PRODUCT(#m " x " #k " x " #n " TT", 1, 1, DIMS(k, m), DIMS(n, k))

/* The book's example: 0.1 times ones, and 0 .. 19. */
GIVES(weighted_means,
      heed_bmm(heed_full(HEED_F64, HEED_SHAPE(2, 1, 10), 0.1), counting(HEED_F64, HEED_SHAPE(2, 10, 1))))
GIVES(of_integers_tt,
      heed_bmm_t(counting(HEED_F32, HEED_SHAPE(2, 3, 2)), true, counting(HEED_F32, HEED_SHAPE(2, 2, 3)), true))
GIVES(no_inner, heed_bmm(heed_ones(HEED_F64, HEED_SHAPE(2, 1, 0)), heed_ones(HEED_F64, HEED_SHAPE(2, 0, 2))))
GIVES(no_rows, heed_bmm(heed_ones(HEED_F64, HEED_SHAPE(2, 0, 3)), heed_ones(HEED_F64, HEED_SHAPE(2, 3, 2))))
GIVES(special, heed_bmm(HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 4, 2), NAN, 0, INFINITY, 1, INFINITY, -INFINITY, 0, 1),
                        heed_ones(HEED_F64, HEED_SHAPE(1, 2, 1))))

/* The two-dimensional sample's scores, queries times keys. */
static heed_tensor *scores(heed_dtype dtype)
{
    heed_tensor *queries = HEED_TENSOR(dtype, HEED_SHAPE(1, 2, 2), 57, 83, 55, 76);
    heed_tensor *keys = HEED_TENSOR(dtype, HEED_SHAPE(1, 3, 2), 51, 70, 56, 82, 56, 82);
    return heed_bmm_t(queries, false, keys, true);
}

static heed_tensor *attention(heed_dtype dtype)
{
    heed_tensor *values = HEED_TENSOR(dtype, HEED_SHAPE(1, 3, 2), 40, 155, 43, 159, 48, 162);
    return heed_bmm(heed_softmax(heed_mul_scalar(scores(dtype), 1 / sqrt(2)), -1), values);
}

GIVES(sample_scores, scores(HEED_F64))
GIVES(sample_f64, attention(HEED_F64))
GIVES(sample_f32, attention(HEED_F32))

/* The number of elements of a and b that differ in value: exact agreement is promised. */
static heed_tensor *differing(heed_tensor *a, heed_tensor *b)
{
    return heed_sum(heed_to_dtype(heed_compare(a, HEED_COMPARE_NE, b), HEED_F64));
}

static heed_tensor *noise(heed_shape shape)
{
    return heed_sin(heed_mul_scalar(counting(HEED_F32, shape), 0.7));
}

/* b passed transposed, and a contiguous copy. */
static heed_tensor *layouts_agree(void)
{
    heed_tensor *a = noise(HEED_SHAPE(3, 37, 41)), *b = noise(HEED_SHAPE(3, 43, 41));
    return differing(heed_bmm(a, heed_clone(heed_transpose(b, 1, 2))), heed_bmm_t(a, false, b, true));
}

/* The rows of both sides are not contiguous: every second column, and an expanded row. */
static heed_tensor *awkward_views_agree(void)
{
    heed_tensor *a = heed_slice(noise(HEED_SHAPE(2, 19, 46)), 2, 1, HEED_END, 2);
    heed_tensor *b = heed_expand(noise(HEED_SHAPE(1, 23, 1)), HEED_SHAPE(2, 23, 40));
    return differing(heed_bmm(a, b), heed_bmm(heed_clone(a), heed_clone(b)));
}

static heed_tensor *threads_agree(void)
{
    heed_tensor *a = noise(HEED_SHAPE(2, 131, 67)), *b = noise(HEED_SHAPE(2, 67, 71));
    int before = heed_num_threads();
    (void)heed_set_num_threads(1);
    heed_tensor *one = heed_bmm(a, b);
    (void)heed_set_num_threads(5);
    heed_tensor *five = heed_bmm(a, b);
    (void)heed_set_num_threads(before);
    return differing(one, five);
}

#define ONES(dtype, ...) heed_ones(dtype, HEED_SHAPE(__VA_ARGS__))

GIVES(of_null, heed_bmm(NULL, ONES(HEED_F64, 1, 2, 3)))
GIVES(by_null, heed_bmm(ONES(HEED_F64, 1, 2, 3), NULL))
GIVES(inner, heed_bmm(ONES(HEED_F64, 2, 5, 3), ONES(HEED_F64, 2, 4, 6)))
GIVES(inner_transposed, heed_bmm_t(ONES(HEED_F64, 2, 5, 3), true, ONES(HEED_F64, 2, 5, 6), true))
GIVES(batches, heed_bmm(ONES(HEED_F64, 2, 5, 3), ONES(HEED_F64, 1, 3, 6)))
GIVES(rank_2, heed_bmm(ONES(HEED_F64, 5, 3), ONES(HEED_F64, 1, 3, 6)))
GIVES(rank_1, heed_bmm(ONES(HEED_F64, 3), ONES(HEED_F64, 3)))
GIVES(inner_of_matrices, heed_bmm_t(ONES(HEED_F64, 5, 3), true, ONES(HEED_F64, 5, 6), true))
GIVES(rank_4, heed_bmm(ONES(HEED_F64, 1, 5, 3), ONES(HEED_F64, 1, 1, 3, 6)))
GIVES(mixed, heed_bmm(ONES(HEED_F64, 1, 5, 3), ONES(HEED_F32, 1, 3, 6)))
GIVES(of_i64, heed_bmm(ONES(HEED_I64, 1, 5, 3), ONES(HEED_I64, 1, 3, 6)))

const op_cases heed_cases_bmm = {
    .cases = (const op_case[]){{.name = "2: 2 x 3 x 1",
                                .run = plain,
                                .n_inputs = 2,
                                .in = {{.shape = DIMS(2, 2, 3)}, {.shape = DIMS(2, 3, 1)}}},
                               FOUR(1, 1, 1, 1),
                               FOUR(2, 3, 5, 7),
                               FOUR(3, 1, 4, 1),
                               FOUR(1, 7, 1, 5),
                               FOUR(2, 1, 3, 5),
                               FOUR(1, 5, 3, 1),
                               FOUR(0, 2, 3, 4),
                               FOUR(2, 0, 3, 2),
                               FOUR(2, 3, 0, 2),
                               FOUR(2, 3, 2, 0),
                               FOUR(1, 2, 37, 2),
                               FOUR(1, 11, 3, 17),
                               FOUR_OF_MATRICES(3, 5, 7),
                               FOUR_OF_MATRICES(0, 3, 2),
                               FOUR_OF_MATRICES(2, 0, 3),
                               {0}},
    .values =
        (const op_value[]){
            {"weighted means", weighted_means, DIMS(2, 1, 1), 1e-15, (const double[]){4.5, 14.5}},
            {"integers TT", of_integers_tt, DIMS(2, 2, 2), 0, (const double[]){10, 28, 13, 40, 172, 244, 193, 274}},
            {"inner size 0", no_inner, DIMS(2, 1, 2), 0, (const double[]){0, 0, 0, 0}},
            {"no rows", no_rows, DIMS(2, 0, 2), 0, (const double[]){0}},
            {"special values", special, DIMS(1, 4, 1), 0, (const double[]){NAN, INFINITY, NAN, 1}},
            {"2-D sample, scores", sample_scores, DIMS(1, 2, 3), 0,
             (const double[]){8717, 9998, 9998, 8125, 9312, 9312}},
            {"2-D sample, f64", sample_f64, DIMS(1, 2, 2), 1e-13, (const double[]){45.5, 160.5, 45.5, 160.5}},
            {"2-D sample, f32", sample_f32, DIMS(1, 2, 2), 1e-6, (const double[]){45.5, 160.5, 45.5, 160.5}},
            {"layouts agree", layouts_agree, NO_DIMS, 0, (const double[]){0}},
            {"awkward views agree", awkward_views_agree, NO_DIMS, 0, (const double[]){0}},
            {"threads agree", threads_agree, NO_DIMS, 0, (const double[]){0}},
            {0}},
    .errors =
        (const op_error[]){
            {"NULL", of_null, HEED_ERR_ARGUMENT, "bmm:"},
            {"by NULL", by_null, HEED_ERR_ARGUMENT, "bmm:"},
            {"inner sizes", inner, HEED_ERR_SHAPE, "bmm: inner sizes 3 and 4 differ: (2, 5, 3) x (2, 4, 6)"},
            {"inner sizes TT", inner_transposed, HEED_ERR_SHAPE, "bmm: inner sizes 5 and 6 differ"},
            {"batch sizes", batches, HEED_ERR_SHAPE, "bmm: batch sizes 2 and 1 differ"},
            {"rank 2 by 3", rank_2, HEED_ERR_SHAPE,
             "bmm: a (5, 3) and b (1, 3, 6): must both be of rank 3, or of rank 2"},
            {"rank 1", rank_1, HEED_ERR_SHAPE, "bmm: a (3) and b (3)"},
            {"matrices, TT", inner_of_matrices, HEED_ERR_SHAPE, "bmm: inner sizes 5 and 6 differ: (5, 3) x (5, 6)"},
            {"rank 4", rank_4, HEED_ERR_SHAPE, "bmm: a "},
            {"f64 by f32", mixed, HEED_ERR_DTYPE, "bmm: the tensors are "},
            {"i64", of_i64, HEED_ERR_DTYPE, "are i64 (1, 5, 3) and i64 (1, 3, 6)"},
            {0}},
};
