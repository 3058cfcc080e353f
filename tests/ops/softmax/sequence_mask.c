/* tests/ops/softmax/sequence_mask.c - cases of heed_sequence_mask.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "lengths.h"

RUN(run, heed_sequence_mask(in[0], in[1], c->p[0]))

#define MASKED(name_, dims, n, value, ...)                                                                             \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 2, .in = {{.shape = dims}, {.shape = DIMS(n), LENGTHS(__VA_ARGS__)}},   \
        .p = {                                                                                                         \
            value                                                                                                      \
        }                                                                                                              \
    }

/* -- Values -------------------------------------------------------------------------------------------------------- */

GIVES(book, heed_sequence_mask(heed_add_scalar(counting(HEED_F64, HEED_SHAPE(2, 3)), 1), LENS(HEED_SHAPE(2), 1, 2), 0))
GIVES(book_ones, heed_sequence_mask(heed_ones(HEED_F32, HEED_SHAPE(2, 3, 2)), LENS(HEED_SHAPE(2), 1, 2), -1))
GIVES(over_nan, heed_sequence_mask(HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 3), 5, NAN, NAN), LENS(HEED_SHAPE(1), 1), 0))
GIVES(keeps_nan, heed_sequence_mask(HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 3), NAN, -0.0, 2), LENS(HEED_SHAPE(1), 2), 7))
GIVES(with_inf, heed_sequence_mask(heed_ones(HEED_F32, HEED_SHAPE(1, 2)), LENS(HEED_SHAPE(1), 0), -INFINITY))
GIVES(with_huge, heed_sequence_mask(heed_ones(HEED_F32, HEED_SHAPE(1, 2)), LENS(HEED_SHAPE(1), 1), 1e300))
GIVES(flipped_lengths,
      heed_sequence_mask(counting(HEED_F64, HEED_SHAPE(2, 2)), heed_flip(LENS(HEED_SHAPE(2), 0, 2), HEED_AXES(0)), 9))
GIVES(longest,
      heed_sequence_mask(counting(HEED_F64, HEED_SHAPE(2, 3)), LENS(HEED_SHAPE(2, 4), 0, 2, 1, 0, 0, 0, 0, 0), 9))
GIVES(longest_of_none,
      heed_sequence_mask(counting(HEED_F64, HEED_SHAPE(2, 1)), heed_zeros(HEED_I64, HEED_SHAPE(2, 0)), 9))
GIVES(longest_turned, heed_sequence_mask(counting(HEED_F64, HEED_SHAPE(2, 3)),
                                         heed_transpose(LENS(HEED_SHAPE(3, 2), 0, 1, 3, 0, 2, 0), 0, 1), 9))
GIVES(wide, heed_sum_axes(heed_sequence_mask(heed_ones(HEED_F32, HEED_SHAPE(1009, 37, 3)),
                                             heed_full(HEED_I64, HEED_SHAPE(1009), 31), 2),
                          HEED_ALL_AXES, false))

GIVES(no_rows, heed_sequence_mask(heed_zeros(HEED_F32, HEED_SHAPE(0, WIDEST)), heed_zeros(HEED_I64, HEED_SHAPE(0)), 1))

/* x is not changed. */
static heed_tensor *input_of_twice(void)
{
    heed_tensor *x = heed_ones(HEED_F64, HEED_SHAPE(1, 3));
    heed_tensor *y = heed_sequence_mask(x, LENS(HEED_SHAPE(1), 2), 5);
    return y && heed_sequence_mask(x, LENS(HEED_SHAPE(1), 1), 6) ? x : NULL;
}

/* An incoming NaN gradient at a masked element goes no further. */
static heed_tensor *root_of_masked(heed_tensor *x)
{
    return heed_sqrt(heed_sequence_mask(x, LENS(HEED_SHAPE(2), 1, 0), -1));
}

GIVES(slope, gradient(root_of_masked, HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 4, NAN, INFINITY, 1)))

/* -- Errors -------------------------------------------------------------------------------------------------------- */

static heed_tensor *bad(heed_dtype dtype, heed_shape shape, heed_tensor *lens)
{
    return heed_sequence_mask(heed_ones(dtype, shape), lens, 0);
}

GIVES(of_null, heed_sequence_mask(NULL, LENS(HEED_SHAPE(2), 0, 1), 0))
GIVES(null_lens, bad(HEED_F64, HEED_SHAPE(2, 3), NULL))
GIVES(rank_1, bad(HEED_F64, HEED_SHAPE(2), LENS(HEED_SHAPE(2), 0, 1)))
GIVES(scalar, bad(HEED_F64, HEED_SCALAR, LENS(HEED_SCALAR, 0)))
GIVES(other_n, bad(HEED_F64, HEED_SHAPE(2, 3), LENS(HEED_SHAPE(3), 0, 1, 2)))
GIVES(rank_2_lens, bad(HEED_F64, HEED_SHAPE(2, 3), LENS(HEED_SHAPE(1, 2), 0, 1)))
GIVES(rank_3_lens, bad(HEED_F64, HEED_SHAPE(2, 3), LENS(HEED_SHAPE(2, 1, 1), 0, 1)))
GIVES(one_too_long, bad(HEED_F64, HEED_SHAPE(2, 3), LENS(HEED_SHAPE(2, 2), 0, 1, 2, 4)))
GIVES(of_i64, bad(HEED_I64, HEED_SHAPE(2, 3), LENS(HEED_SHAPE(2), 0, 1)))
GIVES(of_bool, bad(HEED_BOOL, HEED_SHAPE(2, 3), LENS(HEED_SHAPE(2), 0, 1)))
GIVES(float_lens, bad(HEED_F64, HEED_SHAPE(2, 3), heed_ones(HEED_F32, HEED_SHAPE(2))))
GIVES(too_long, bad(HEED_F64, HEED_SHAPE(2, 3), LENS(HEED_SHAPE(2), 3, 4)))
GIVES(below_0, bad(HEED_F64, HEED_SHAPE(2, 3, 2), LENS(HEED_SHAPE(2), -1, 3)))
GIVES(of_nothing, bad(HEED_F64, HEED_SHAPE(2, 0), LENS(HEED_SHAPE(2), 0, 1)))

const op_cases heed_cases_sequence_mask = {
    .cases = (const op_case[]){MASKED("(1, 1) 1", DIMS(1, 1), 1, 0, 1),
                               MASKED("(1, 1) 0", DIMS(1, 1), 1, 0, 0),
                               MASKED("(2, 3)", DIMS(2, 3), 2, 0, 1, 2),
                               MASKED("(3, 5) with 0 and 5", DIMS(3, 5), 3, 0, 0, 5, 3),
                               MASKED("(2, 3) with -1e6", DIMS(2, 3), 2, -1e6, 1, 2),
                               MASKED("(7, 1)", DIMS(7, 1), 7, 0.5, 0, 1, 1, 0, 1, 0, 1),
                               MASKED("(2, 3, 5)", DIMS(2, 3, 5), 2, 0, 2, 1),
                               MASKED("(2, 1, 2, 3)", DIMS(2, 1, 2, 3), 2, 0, 0, 1),
                               MASKED("(1, 37)", DIMS(1, 37), 1, 0, 31),
                               MASKED("(0, 3)", DIMS(0, 3), 0, 0, 0),
                               MASKED("(2, 0)", DIMS(2, 0), 2, 0, 0, 0),
                               MASKED("(2, 3, 0)", DIMS(2, 3, 0), 2, 0, 3, 1),
                               {0}},
    .values =
        (const op_value[]){{"the book's", book, DIMS(2, 3), 0, (const double[]){1, 0, 0, 4, 5, 0}},
                           {"the book's of ones", book_ones, DIMS(2, 3, 2), 0,
                            (const double[]){1, 1, -1, -1, -1, -1, 1, 1, 1, 1, -1, -1}},
                           {"over NaN", over_nan, DIMS(1, 3), 0, (const double[]){5, 0, 0}},
                           {"NaN that is valid", keeps_nan, DIMS(1, 3), 0, (const double[]){NAN, -0.0, 7}},
                           {"with -inf", with_inf, DIMS(1, 2), 0, (const double[]){-INFINITY, -INFINITY}},
                           {"with 1e300 in f32", with_huge, DIMS(1, 2), 0, (const double[]){1, INFINITY}},
                           {"flipped lengths", flipped_lengths, DIMS(2, 2), 0, (const double[]){0, 1, 9, 9}},
                           {"the longest of a row", longest, DIMS(2, 3), 0, (const double[]){0, 1, 9, 9, 9, 9}},
                           {"of no lengths", longest_of_none, DIMS(2, 1), 0, (const double[]){9, 9}},
                           {"of transposed lengths", longest_turned, DIMS(2, 3), 0, (const double[]){0, 1, 2, 3, 9, 9}},
                           {"many rows", wide, NO_DIMS, 0, (const double[]){1009 * 3 * (31 + 6 * 2)}},
                           {"input", input_of_twice, DIMS(1, 3), 0, (const double[]){1, 1, 1}},
                           {"no rows", no_rows, DIMS(0, WIDEST), 0, (const double[]){0}},
                           {"gradient", slope, DIMS(2, 2), 0, (const double[]){0.25, 0, 0, 0}},
                           {0}},
    .errors =
        (const op_error[]){
            {"NULL", of_null, HEED_ERR_ARGUMENT, "sequence_mask: argument 1 is NULL"},
            {"NULL lengths", null_lens, HEED_ERR_ARGUMENT, "sequence_mask: argument 2 is NULL"},
            {"rank 1", rank_1, HEED_ERR_SHAPE, "sequence_mask: x is (2): must be (n, T, ...)"},
            {"scalar", scalar, HEED_ERR_SHAPE, "sequence_mask:"},
            {"3 lengths for 2", other_n, HEED_ERR_SHAPE, "valid_lens is (3): must be (2) or (2, any)"},
            {"lengths (1, 2)", rank_2_lens, HEED_ERR_SHAPE, "valid_lens is (1, 2): must be (2) or (2, any)"},
            {"lengths of rank 3", rank_3_lens, HEED_ERR_SHAPE, "valid_lens is (2, 1, 1)"},
            {"length 4 of a query", one_too_long, HEED_ERR_INDEX, "valid length 4 at (1, 1) is outside 0 .. 3"},
            {"i64", of_i64, HEED_ERR_DTYPE, "sequence_mask: argument 1 is i64"},
            {"bool", of_bool, HEED_ERR_DTYPE, "sequence_mask: argument 1 is bool"},
            {"f32 lengths", float_lens, HEED_ERR_DTYPE, "sequence_mask: valid_lens is f32 (2): must be i64"},
            {"length 4 of 3", too_long, HEED_ERR_INDEX, "sequence_mask: valid length 4 at (1) is outside 0 .. 3"},
            {"length -1", below_0, HEED_ERR_INDEX, "sequence_mask: valid length -1 at (0) is outside 0 .. 3"},
            {"length 1 of 0", of_nothing, HEED_ERR_INDEX, "sequence_mask: valid length 1 at (1) is outside 0 .. 0"},
            {0}},
};
