/* tests/ops/softmax/masked_softmax.c - cases of heed_masked_softmax.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "along.h"
#include "lengths.h"

RUN(run, heed_masked_softmax(in[0], in[1]))
RUN(in_one_number, heed_sum(heed_square(heed_masked_softmax(in[0], in[1]))))
RUN(unmasked, heed_masked_softmax(in[0], NULL))

#define MASKED(name_, dims, lens_dims, ...)                                                                            \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 2, .in = {                                                              \
            {.shape = dims},                                                                                           \
            {.shape = lens_dims, LENGTHS(__VA_ARGS__)}                                                                 \
        }                                                                                                              \
    }

#define WITH_MASK(name_, dims, mask_dims, ...)                                                                         \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 2, .in = {                                                              \
            {.shape = dims},                                                                                           \
            {.shape = mask_dims, .kind = OP_MASK, __VA_ARGS__}                                                         \
        }                                                                                                              \
    }

/* -- Values -------------------------------------------------------------------------------------------------------- */

/* Tenths, as in the book. */
static heed_tensor *tenths(heed_tensor *lens)
{
    return heed_masked_softmax(heed_mul_scalar(counting(HEED_F64, HEED_SHAPE(2, 2, 4)), 0.1), lens);
}

GIVES(book, tenths(LENS(HEED_SHAPE(2), 2, 3)))
GIVES(book_by_row, tenths(LENS(HEED_SHAPE(2, 2), 1, 3, 0, 4)))
GIVES(book_unmasked, tenths(NULL))

/* 1/6 1/3 1/2 for the valid elements, next to elements that must not be read. */
static heed_tensor *beside(heed_dtype dtype, double masked)
{
    heed_tensor *x = HEED_TENSOR(dtype, HEED_SHAPE(1, 2, 4), LOG_1_2_3, masked, LOG_1_2_3, masked);
    return heed_masked_softmax(x, LENS(HEED_SHAPE(1, 2), 3, 2));
}

GIVES(beside_nan, beside(HEED_F64, NAN))
GIVES(beside_inf_f32, beside(HEED_F32, INFINITY))
GIVES(of_lengths_in_strides, heed_masked_softmax(heed_zeros(HEED_F32, HEED_SHAPE(2, 2, 2)),
                                                 heed_transpose(LENS(HEED_SHAPE(2, 2), 1, 2, 0, 1), 0, 1)))
GIVES(of_expanded_lengths, heed_masked_softmax(heed_zeros(HEED_F32, HEED_SHAPE(2, 1, 2)),
                                               heed_expand(LENS(HEED_SHAPE(1), 1), HEED_SHAPE(2))))
GIVES(long_row, heed_sum_axes(heed_masked_softmax(heed_sin(counting(HEED_F32, HEED_SHAPE(1, 2, 10007))),
                                                  LENS(HEED_SHAPE(1, 2), 10001, 5003)),
                              HEED_AXES(2), false))
GIVES(hard, heed_masked_softmax(heed_reshape(hard_rows(HEED_F32), HEED_SHAPE(1, 7, 3)), LENS(HEED_SHAPE(1), 3)))

/* The largest width. */
GIVES(no_rows, heed_masked_softmax(heed_zeros(HEED_F32, HEED_SHAPE(0, 1, WIDEST)), heed_zeros(HEED_I64, HEED_SHAPE(0))))

/* The sum of squares; NaN in row 1 and after the length of row 0, whose gradient is 0 because its scores are equal. */
static heed_tensor *of_squares(heed_tensor *x)
{
    return heed_square(heed_masked_softmax(x, LENS(HEED_SHAPE(1, 3), 2, 2, 0)));
}

GIVES(slope, gradient(of_squares, HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 3, 3), 1, 1, NAN, NAN, 1, 1, NAN, INFINITY, 0)))

/* -- By a mask ----------------------------------------------------------------------------------------------------- */

#define MASK(shape, ...) HEED_TENSOR(HEED_BOOL, shape, __VA_ARGS__)

/* Rows 0, 2 and 3 of equal layout; the row between is not read. */
static heed_tensor *odd_ones(heed_dtype dtype, double masked)
{
    heed_tensor *x = HEED_TENSOR(dtype, HEED_SHAPE(2, 1, 2, 4), log(1), masked, log(2), log(3), 0, masked, 0, 0, 5, NAN,
                                 5, 5, NAN, masked, 7, NAN);
    return heed_masked_softmax(x, MASK(HEED_SHAPE(2, 1, 2, 4), 1, 0, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0));
}

GIVES(between_nan, odd_ones(HEED_F64, NAN))
GIVES(between_inf_f32, odd_ones(HEED_F32, INFINITY))
GIVES(of_one_row, heed_masked_softmax(HEED_TENSOR(HEED_F64, HEED_SHAPE(4), log(1), NAN, log(2), log(3)),
                                      MASK(HEED_SHAPE(4), 1, 0, 1, 1)))
GIVES(mask_in_strides, heed_masked_softmax(heed_zeros(HEED_F32, HEED_SHAPE(2, 2)),
                                           heed_transpose(MASK(HEED_SHAPE(2, 2), 1, 1, 0, 1), 0, 1)))
GIVES(mask_of_a_number, heed_masked_softmax(heed_zeros(HEED_F32, HEED_SHAPE(1, 2)), MASK(HEED_SCALAR, 1)))
GIVES(mask_of_rows,
      heed_masked_softmax(HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 0, 0, NAN, NAN), MASK(HEED_SHAPE(2, 1), 1, 0)))

/* A mask of the first elements equals lengths, to the last bit. */
static heed_tensor *off_lengths(void)
{
    heed_tensor *x = heed_sin(counting(HEED_F32, HEED_SHAPE(2, 3, 37)));
    heed_tensor *lens = LENS(HEED_SHAPE(2, 3), 0, 37, 1, 19, 36, 8);
    heed_tensor *mask = heed_compare(heed_arange(HEED_F64, 0, 37, 1), HEED_COMPARE_LT,
                                     heed_to_dtype(heed_unsqueeze(lens, 2), HEED_F64));
    return heed_max(heed_abs(heed_sub(heed_masked_softmax(x, mask), heed_masked_softmax(x, lens))));
}

GIVES(as_lengths, off_lengths())

/* Like of_squares, with hidden elements before the visible ones. */
static heed_tensor *of_masked_squares(heed_tensor *x)
{
    return heed_square(heed_masked_softmax(x, MASK(HEED_SHAPE(3, 3), 0, 1, 1, 0, 1, 1, 0, 0, 0)));
}

GIVES(mask_slope, gradient(of_masked_squares, HEED_TENSOR(HEED_F64, HEED_SHAPE(3, 3), NAN, 1, 1, 1, NAN, 1, NAN, 0, 0)))

/* -- Errors -------------------------------------------------------------------------------------------------------- */

static heed_tensor *bad(heed_dtype dtype, heed_shape shape, heed_tensor *lens)
{
    return heed_masked_softmax(heed_ones(dtype, shape), lens);
}

GIVES(of_null, heed_masked_softmax(NULL, LENS(HEED_SHAPE(2), 0, 1)))
GIVES(of_nulls, heed_masked_softmax(NULL, NULL))
GIVES(rank_2, bad(HEED_F64, HEED_SHAPE(2, 3), LENS(HEED_SHAPE(2), 0, 1)))
GIVES(rank_2_unmasked, bad(HEED_F64, HEED_SHAPE(2, 3), NULL))
GIVES(rank_4, bad(HEED_F32, HEED_SHAPE(2, 1, 2, 3), LENS(HEED_SHAPE(2), 0, 1)))
GIVES(scalar_lens, bad(HEED_F64, HEED_SHAPE(2, 2, 3), LENS(HEED_SCALAR, 1)))
GIVES(one_length, bad(HEED_F64, HEED_SHAPE(2, 2, 3), LENS(HEED_SHAPE(1), 1)))
GIVES(other_rows, bad(HEED_F64, HEED_SHAPE(2, 2, 3), LENS(HEED_SHAPE(2, 1), 1, 1)))
GIVES(rank_3_lens, bad(HEED_F64, HEED_SHAPE(1, 2, 3), LENS(HEED_SHAPE(1, 2, 1), 1, 1)))
GIVES(of_i64, bad(HEED_I64, HEED_SHAPE(1, 2, 3), LENS(HEED_SHAPE(1), 1)))
GIVES(of_bool_unmasked, bad(HEED_BOOL, HEED_SHAPE(1, 2, 3), NULL))
GIVES(float_lens, bad(HEED_F64, HEED_SHAPE(1, 2, 3), heed_ones(HEED_F64, HEED_SHAPE(1))))
GIVES(too_long, bad(HEED_F64, HEED_SHAPE(2, 2, 3), LENS(HEED_SHAPE(2, 2), 0, 3, 2, 4)))
GIVES(below_0, bad(HEED_F32, HEED_SHAPE(2, 2, 3), LENS(HEED_SHAPE(2), 3, -1)))
GIVES(least, bad(HEED_F32, HEED_SHAPE(1, 2, 3), LENS(HEED_SHAPE(1), -0x1p63)))
GIVES(of_no_rows, bad(HEED_F32, HEED_SHAPE(1, 0, 3), LENS(HEED_SHAPE(1), 4)))

#define BAD_MASK(name, x, ...) GIVES(name, heed_masked_softmax(x, heed_ones(HEED_BOOL, HEED_SHAPE(__VA_ARGS__))))

BAD_MASK(mask_too_wide, heed_zeros(HEED_F64, HEED_SHAPE(2, 3)), 2, 4)
BAD_MASK(mask_of_more_rows, heed_zeros(HEED_F64, HEED_SHAPE(1, 3)), 2, 3)
BAD_MASK(mask_of_rank_3, heed_zeros(HEED_F64, HEED_SHAPE(2, 3)), 1, 2, 3)
BAD_MASK(masked_scalar, heed_zeros(HEED_F64, HEED_SCALAR), 1)
BAD_MASK(masked_i64, heed_zeros(HEED_I64, HEED_SHAPE(1, 2, 3)), 3)

#define ODD 1. / 6, 0, 1. / 3, 0.5, 0.5, 0, 0.5, 0, 0, 0, 0, 0, 0, 0, 1, 0
#define HARD NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0.5, 0, 0.5, 1. / 3, 1. / 3, 1. / 3, 0.5, 0, 0.5, 0, 0.5, 0.5

const op_cases heed_cases_masked_softmax = {
    .cases = (const op_case[]){MASKED("(1, 1, 1) 1", DIMS(1, 1, 1), DIMS(1), 1),
                               MASKED("(1, 1, 1) 0", DIMS(1, 1, 1), DIMS(1), 0),
                               MASKED("(2, 2, 4) 2 3", DIMS(2, 2, 4), DIMS(2), 2, 3),
                               MASKED("(2, 3, 5) 5 0", DIMS(2, 3, 5), DIMS(2), 5, 0),
                               MASKED("(2, 3, 5) by row", DIMS(2, 3, 5), DIMS(2, 3), 0, 1, 5, 4, 3, 2),
                               MASKED("(3, 1, 7)", DIMS(3, 1, 7), DIMS(3), 7, 1, 6),
                               MASKED("(1, 5, 3) by row", DIMS(1, 5, 3), DIMS(1, 5), 3, 0, 2, 1, 3),
                               MASKED("(2, 3, 1)", DIMS(2, 3, 1), DIMS(2, 3), 1, 0, 1, 1, 1, 0),
                               MASKED("(1, 2, 37) by row", DIMS(1, 2, 37), DIMS(1, 2), 31, 17),
                               MASKED("(0, 2, 3)", DIMS(0, 2, 3), DIMS(0), 0),
                               MASKED("(0, 2, 3) by row", DIMS(0, 2, 3), DIMS(0, 2), 0),
                               MASKED("(2, 0, 3)", DIMS(2, 0, 3), DIMS(2), 3, 1),
                               MASKED("(2, 0, 3) by row", DIMS(2, 0, 3), DIMS(2, 0), 0),
                               MASKED("(2, 3, 0)", DIMS(2, 3, 0), DIMS(2), 0, 0),
                               WITH_MASK("(1, 1), seen", DIMS(1, 1), DIMS(1), .values = (const double[]){1}),
                               WITH_MASK("(2, 3, 5), mask", DIMS(2, 3, 5), DIMS(2, 3, 5), .low = 0),
                               WITH_MASK("(2, 2, 2, 3), mask of keys", DIMS(2, 2, 2, 3), DIMS(2, 1, 1, 3), .low = 0),
                               WITH_MASK("(2, 2, 2, 3), mask of pairs", DIMS(2, 2, 2, 3), DIMS(2, 3), .low = 0),
                               WITH_MASK("(3, 4), mask of rows", DIMS(3, 4), DIMS(3, 1),
                                         .values = (const double[]){1, 0, 1}),
                               WITH_MASK("(5), mask", DIMS(5), DIMS(5), .values = (const double[]){0, 1, 0, 1, 1}),
                               WITH_MASK("(2, 4), nothing", DIMS(2, 4), DIMS(1), .values = (const double[]){0}),
                               WITH_MASK("(2, 0, 3), mask", DIMS(2, 0, 3), DIMS(3), .low = 0),
                               WITH_MASK("(2, 3, 0), mask", DIMS(2, 3, 0), DIMS(2, 3, 0), .low = 0),
                               ONE("(2, 3, 5), no lengths", unmasked, DIMS(2, 3, 5), .max_order = 0),
                               ONE("(2, 3, 0), no lengths", unmasked, DIMS(2, 3, 0), .max_order = 0),
                               {.name = "(1, 1, 1009) 1003, in one number",
                                .run = in_one_number,
                                .n_inputs = 2,
                                .in = {{.shape = DIMS(1, 1, 1009)}, {.shape = DIMS(1), LENGTHS(1003)}},
                                .max_order = 1},
                               {0}},
    .values =
        (const op_value[]){
            {"the book's, 2 and 3", book, DIMS(2, 2, 4), 1e-6,
             (const double[]){0.475021, 0.524979, 0, 0, 0.475021, 0.524979, 0, 0, 0.300610, 0.332225, 0.367165, 0,
                              0.300610, 0.332225, 0.367165, 0}},
            {"the book's, by row", book_by_row, DIMS(2, 2, 4), 1e-6,
             (const double[]){1, 0, 0, 0, 0.300610, 0.332225, 0.367165, 0, 0, 0, 0, 0, 0.213838, 0.236328, 0.261183,
                              0.288651}},
            {"the book's, unmasked", book_unmasked, DIMS(2, 2, 4), 1e-6,
             (const double[]){0.213838, 0.236328, 0.261183, 0.288651, 0.213838, 0.236328, 0.261183, 0.288651, 0.213838,
                              0.236328, 0.261183, 0.288651, 0.213838, 0.236328, 0.261183, 0.288651}},
            {"beside NaN", beside_nan, DIMS(1, 2, 4), 1e-15,
             (const double[]){1. / 6, 1. / 3, 0.5, 0, 1. / 3, 2. / 3, 0, 0}},
            {"beside infinity, f32", beside_inf_f32, DIMS(1, 2, 4), 1e-7,
             (const double[]){1. / 6, 1. / 3, 0.5, 0, 1. / 3, 2. / 3, 0, 0}},
            {"transposed lengths", of_lengths_in_strides, DIMS(2, 2, 2), 0,
             (const double[]){1, 0, 0, 0, 0.5, 0.5, 1, 0}},
            {"expanded lengths", of_expanded_lengths, DIMS(2, 1, 2), 0, (const double[]){1, 0, 1, 0}},
            {"long rows sum to 1", long_row, DIMS(1, 2), 1e-6, (const double[]){1, 1}},
            {"hard rows", hard, DIMS(1, 7, 3), 1e-7, (const double[]){HARD}},
            {"no rows", no_rows, DIMS(0, 1, WIDEST), 0, (const double[]){0}},
            {"between NaN", between_nan, DIMS(2, 1, 2, 4), 1e-15, (const double[]){ODD}},
            {"between infinities, f32", between_inf_f32, DIMS(2, 1, 2, 4), 1e-7, (const double[]){ODD}},
            {"one row", of_one_row, DIMS(4), 1e-15, (const double[]){1. / 6, 0, 1. / 3, 0.5}},
            {"transposed mask", mask_in_strides, DIMS(2, 2), 0, (const double[]){1, 0, 0.5, 0.5}},
            {"mask of a number", mask_of_a_number, DIMS(1, 2), 0, (const double[]){0.5, 0.5}},
            {"mask of rows", mask_of_rows, DIMS(2, 2), 0, (const double[]){0.5, 0.5, 0, 0}},
            {"mask as lengths", as_lengths, {0}, 0, (const double[]){0}},
            {"gradient by a mask", mask_slope, DIMS(3, 3), 0, (const double[]){0, 0, 0, 0, NAN, NAN, 0, 0, 0}},
            {"gradient", slope, DIMS(1, 3, 3), 0, (const double[]){0, 0, 0, NAN, NAN, 0, 0, 0, 0}},
            {0}},
    .errors =
        (const op_error[]){
            {"NULL", of_null, HEED_ERR_ARGUMENT, "masked_softmax: the tensor is NULL"},
            {"NULL, no lengths", of_nulls, HEED_ERR_ARGUMENT, "masked_softmax:"},
            {"rank 2", rank_2, HEED_ERR_SHAPE, "masked_softmax: x is (2, 3): must be (B, Q, K)"},
            {"rank 2, no lengths", rank_2_unmasked, HEED_ERR_SHAPE, "masked_softmax: x is (2, 3): must be (B, Q, K)"},
            {"rank 4", rank_4, HEED_ERR_SHAPE, "masked_softmax: x is (2, 1, 2, 3): must be (B, Q, K)"},
            {"scalar lengths", scalar_lens, HEED_ERR_SHAPE, "masked_softmax: valid_lens is (): must be (2) or (2, 2)"},
            {"one length for two", one_length, HEED_ERR_SHAPE, "valid_lens is (1): must be (2) or (2, 2)"},
            {"lengths (2, 1)", other_rows, HEED_ERR_SHAPE, "valid_lens is (2, 1): must be (2) or (2, 2)"},
            {"lengths of rank 3", rank_3_lens, HEED_ERR_SHAPE, "valid_lens is (1, 2, 1): must be (1) or (1, 2)"},
            {"i64", of_i64, HEED_ERR_DTYPE, "masked_softmax: the tensor is i64 (1, 2, 3): must be f32 or f64"},
            {"bool, no lengths", of_bool_unmasked, HEED_ERR_DTYPE, "masked_softmax: the tensor is bool"},
            {"f64 lengths", float_lens, HEED_ERR_DTYPE, "masked_softmax: valid_lens is f64 (1): must be i64"},
            {"length 4 of 3", too_long, HEED_ERR_INDEX, "masked_softmax: valid length 4 at (1, 1) is outside 0 .. 3"},
            {"length -1", below_0, HEED_ERR_INDEX, "masked_softmax: valid length -1 at (1) is outside 0 .. 3"},
            {"length -2^63", least, HEED_ERR_INDEX, "valid length -9223372036854775808 at (0) is outside 0 .. 3"},
            {"mask of 4 for 3", mask_too_wide, HEED_ERR_SHAPE,
             "masked_softmax: the mask is (2, 4): must broadcast to (2, 3), the shape of x"},
            {"mask of more rows", mask_of_more_rows, HEED_ERR_SHAPE,
             "the mask is (2, 3): must broadcast to (1, 3), the shape of x"},
            {"mask of rank 3", mask_of_rank_3, HEED_ERR_SHAPE,
             "the mask is (1, 2, 3): must broadcast to (2, 3), the shape of x"},
            {"masked scalar", masked_scalar, HEED_ERR_SHAPE,
             "masked_softmax: x is a scalar: must have at least one axis"},
            {"masked i64", masked_i64, HEED_ERR_DTYPE,
             "masked_softmax: the tensor is i64 (1, 2, 3): must be f32 or f64"},
            {"length 4 of no row", of_no_rows, HEED_ERR_INDEX, "valid length 4 at (0) is outside 0 .. 3"},
            {0}},
};
