/* tests/ops/loss/sequence_loss.c - cases of heed_sequence_loss.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "lengths.h"

RUN(run, heed_sequence_loss(in[0], in[1], (heed_reduction)c->i[0]))

#define LOSS(name_, dims, n, reduction, ...)                                                                           \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 2, .in = {{.shape = dims}, {.shape = DIMS(n), LENGTHS(__VA_ARGS__)}},   \
        .i = {                                                                                                         \
            reduction                                                                                                  \
        }                                                                                                              \
    }

/* -- Values -------------------------------------------------------------------------------------------------------- */

/* 1 2 3 / 4 5 6, of which 1 and 4 5 count. */
static heed_tensor *loss(heed_dtype dtype, heed_reduction reduction)
{
    return heed_sequence_loss(HEED_TENSOR(dtype, HEED_SHAPE(2, 3), 1, 2, NAN, 4, 5, INFINITY),
                              LENS(HEED_SHAPE(2), 1, 2), reduction);
}

GIVES(mean, loss(HEED_F64, HEED_REDUCTION_MEAN))
GIVES(mean_f32, loss(HEED_F32, HEED_REDUCTION_MEAN))
GIVES(sum, loss(HEED_F32, HEED_REDUCTION_SUM))
GIVES(none, loss(HEED_F64, HEED_REDUCTION_NONE))

/* The book checks its masked loss of three equal sequences with lengths 4 2 0. */
static heed_tensor *book(heed_reduction reduction)
{
    return heed_sequence_loss(heed_full(HEED_F64, HEED_SHAPE(3, 4), 2.302585092994046), LENS(HEED_SHAPE(3), 4, 2, 0),
                              reduction);
}

GIVES(book_none, book(HEED_REDUCTION_NONE))
GIVES(book_mean, book(HEED_REDUCTION_MEAN))
GIVES(nothing_counts, heed_sequence_loss(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), heed_zeros(HEED_I64, HEED_SHAPE(2)),
                                         HEED_REDUCTION_MEAN))
GIVES(sum_of_nothing, heed_sequence_loss(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), heed_zeros(HEED_I64, HEED_SHAPE(2)),
                                         HEED_REDUCTION_SUM))
GIVES(no_steps, heed_sequence_loss(heed_ones(HEED_F64, HEED_SHAPE(2, 0)), heed_zeros(HEED_I64, HEED_SHAPE(2)),
                                   HEED_REDUCTION_NONE))

static heed_tensor *root_loss(heed_tensor *x)
{
    return heed_sequence_loss(heed_sqrt(x), LENS(HEED_SHAPE(2), 1, 0), HEED_REDUCTION_MEAN);
}

GIVES(slope, gradient(root_loss, HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 4, 9, 16, 25)))

/* -- Errors -------------------------------------------------------------------------------------------------------- */

static heed_tensor *bad(heed_dtype dtype, heed_shape shape, heed_tensor *lens, int reduction)
{
    return heed_sequence_loss(heed_ones(dtype, shape), lens, (heed_reduction)reduction);
}

GIVES(of_null, heed_sequence_loss(NULL, LENS(HEED_SHAPE(2), 0, 1), HEED_REDUCTION_SUM))
GIVES(null_lens, bad(HEED_F64, HEED_SHAPE(2, 3), NULL, HEED_REDUCTION_SUM))
GIVES(rank_1, bad(HEED_F64, HEED_SHAPE(2), LENS(HEED_SHAPE(2), 0, 1), HEED_REDUCTION_SUM))
GIVES(rank_3, bad(HEED_F64, HEED_SHAPE(2, 3, 1), LENS(HEED_SHAPE(2), 0, 1), HEED_REDUCTION_SUM))
GIVES(other_n, bad(HEED_F64, HEED_SHAPE(2, 3), LENS(HEED_SHAPE(1), 0), HEED_REDUCTION_SUM))
GIVES(of_i64, bad(HEED_I64, HEED_SHAPE(2, 3), LENS(HEED_SHAPE(2), 0, 1), HEED_REDUCTION_SUM))
GIVES(float_lens, bad(HEED_F64, HEED_SHAPE(2, 3), heed_ones(HEED_F64, HEED_SHAPE(2)), HEED_REDUCTION_SUM))
GIVES(too_long, bad(HEED_F64, HEED_SHAPE(2, 3), LENS(HEED_SHAPE(2), 0, 4), HEED_REDUCTION_MEAN))
GIVES(below_0, bad(HEED_F64, HEED_SHAPE(2, 3), LENS(HEED_SHAPE(2), -1, 3), HEED_REDUCTION_NONE))
GIVES(no_reduction, bad(HEED_F64, HEED_SHAPE(2, 3), LENS(HEED_SHAPE(2), 0, 1), 3))
GIVES(reduction_below, bad(HEED_F64, HEED_SHAPE(2, 3), LENS(HEED_SHAPE(2), 0, 1), -1))

const op_cases heed_cases_sequence_loss = {
    .cases = (const op_case[]){LOSS("(1, 1) mean", DIMS(1, 1), 1, HEED_REDUCTION_MEAN, 1),
                               LOSS("(2, 3) mean", DIMS(2, 3), 2, HEED_REDUCTION_MEAN, 1, 3),
                               LOSS("(2, 3) sum", DIMS(2, 3), 2, HEED_REDUCTION_SUM, 1, 3),
                               LOSS("(2, 3) none", DIMS(2, 3), 2, HEED_REDUCTION_NONE, 1, 3),
                               LOSS("(3, 7) mean", DIMS(3, 7), 3, HEED_REDUCTION_MEAN, 5, 0, 7),
                               LOSS("(3, 7) none", DIMS(3, 7), 3, HEED_REDUCTION_NONE, 0, 7, 5),
                               LOSS("(0, 3) sum", DIMS(0, 3), 0, HEED_REDUCTION_SUM, 0),
                               LOSS("(0, 3) none", DIMS(0, 3), 0, HEED_REDUCTION_NONE, 0),
                               LOSS("(2, 0) sum", DIMS(2, 0), 2, HEED_REDUCTION_SUM, 0, 0),
                               LOSS("(1, 37) mean", DIMS(1, 37), 1, HEED_REDUCTION_MEAN, 31),
                               {0}},
    .values =
        (const op_value[]){
            {"mean", mean, NO_DIMS, 1e-15, (const double[]){10. / 3}},
            {"mean, f32", mean_f32, NO_DIMS, 1e-7, (const double[]){10. / 3}},
            {"sum", sum, NO_DIMS, 0, (const double[]){10}},
            {"none", none, DIMS(2), 1e-15, (const double[]){1. / 3, 3}},
            {"the book's", book_none, DIMS(3), 1e-15, (const double[]){2.302585092994046, 1.151292546497023, 0}},
            {"the book's per step", book_mean, NO_DIMS, 1e-15, (const double[]){2.302585092994046}},
            {"no step counts", nothing_counts, NO_DIMS, 0, (const double[]){NAN}},
            {"no step counts, sum", sum_of_nothing, NO_DIMS, 0, (const double[]){0}},
            {"no steps", no_steps, DIMS(2), 0, (const double[]){NAN, NAN}},
            {"gradient", slope, DIMS(2, 2), 0, (const double[]){0.25, 0, 0, 0}},
            {0}},
    .errors =
        (const op_error[]){
            {"NULL", of_null, HEED_ERR_ARGUMENT, "sequence_loss:"},
            {"NULL lengths", null_lens, HEED_ERR_ARGUMENT, "sequence_loss:"},
            {"rank 1", rank_1, HEED_ERR_SHAPE, "sequence_loss: losses (2) and valid_lens (2): must be (B, T) and (B)"},
            {"rank 3", rank_3, HEED_ERR_SHAPE, "losses (2, 3, 1) and valid_lens (2): must"},
            {"1 length for 2", other_n, HEED_ERR_SHAPE, "losses (2, 3) and valid_lens (1): must"},
            {"i64", of_i64, HEED_ERR_DTYPE, "sequence_loss: the tensor is i64 (2, 3): must be f32 or f64"},
            {"f64 lengths", float_lens, HEED_ERR_DTYPE, "sequence_loss: valid_lens is f64"},
            {"length 4 of 3", too_long, HEED_ERR_INDEX, "sequence_loss: valid length 4 at (1) is outside 0 .. 3"},
            {"length -1", below_0, HEED_ERR_INDEX, "sequence_loss: valid length -1 at (0)"},
            {"reduction 3", no_reduction, HEED_ERR_ARGUMENT, "sequence_loss: reduction is 3:"},
            {"reduction -1", reduction_below, HEED_ERR_ARGUMENT, "sequence_loss: reduction is -1:"},
            {0}},
};
