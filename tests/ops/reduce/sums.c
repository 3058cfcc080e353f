/* tests/ops/reduce/sums.c - sums, means, products and integrals: a row per op (rows.h).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "reductions.h"

#include <limits.h>

/* -- sum and sum_axes ---------------------------------------------------------------------------------------------- */

RUN(sum_of_all, heed_sum(in[0]))

GIVES(flipped, heed_flip(counting(HEED_F64, HEED_SHAPE(2, 3)), HEED_AXES(0, 1)))
GIVES(expanded_half, heed_expand(heed_full(HEED_F64, HEED_SCALAR, 0.5), HEED_SHAPE(1000, 7)))
GIVES(tenths, heed_full(HEED_F32, HEED_SHAPE(1000000), 0.1))
GIVES(one_false, heed_compare_scalar(heed_arange(HEED_F32, 0, 200001, 1), HEED_COMPARE_GE, 1))
GIVES(many_whole, heed_arange(HEED_I64, 0, 200001, 1))

ROW(sum, heed_sum_axes(in[0], c->shape, c->i[0]),
    CASES(REDUCTION_SAMPLES(NULL, .low = -2, .high = 2),
          REDUCTION("(0)", NULL, DIMS(0), NO_DIMS, false, .low = -2, .high = 2),
          REDUCTION("(0, 3) axis 0", NULL, DIMS(0, 3), DIMS(0), false, .low = -2, .high = 2),
          REDUCTION("(3, 0, 2) axis 1 keepdim", NULL, DIMS(3, 0, 2), DIMS(1), true, .low = -2, .high = 2),
          REDUCTION("(5, 7) of 1e8", NULL, DIMS(5, 7), DIMS(1), false, .low = 1e8, .high = 2e8),
          ONE("(2, 3) whole", sum_of_all, DIMS(2, 3), .i = {0})),
    EXAMPLES({"i64 axis 0", {MADE_BY(whole_numbers)}, .axes = DIMS(0), RESULT(DIMS(3), 0, -1, 5, -5)},
             {"i64 axis 1", {MADE_BY(whole_numbers)}, .axes = DIMS(1), RESULT(DIMS(2), 0, -0x1p63, 0x1p63)},
             {"i64 transposed", {MADE_BY(whole_transposed)}, .axes = DIMS(1), RESULT(DIMS(3), 0, -1, 5, -5)},
             {"i64 wrapped",
              {GIVEN(HEED_I64, DIMS(4), 0x1p62, 0x1p62, 0x1p62, 0x1p62)},
              .run = sum_of_all,
              RESULT(NO_DIMS, 0, 0)},
             {"counted", {MADE_BY(one_false)}, .run = sum_of_all, RESULT(NO_DIMS, 0, 200000)},
             {"counted rows",
              {GIVEN(HEED_BOOL, DIMS(2, 3), 1, 0, 1, 0, 0, 1)},
              .axes = DIMS(1),
              .i = {true},
              RESULT(DIMS(2, 1), 0, 2, 1)},
             {"none counted", {GIVEN_ONES(HEED_BOOL, DIMS(0, 2))}, .axes = DIMS(0), RESULT(DIMS(2), 0, 0, 0)},
             {"many i64", {MADE_BY(many_whole)}, .run = sum_of_all, RESULT(NO_DIMS, 0, 20000100000)},
             {"all", {COUNTING(HEED_F64, DIMS(2, 3))}, .run = sum_of_all, RESULT(NO_DIMS, 0, 15)},
             {"axis 0", {COUNTING(HEED_F32, DIMS(2, 3))}, .axes = DIMS(0), RESULT(DIMS(3), 0, 3, 5, 7)},
             {"axis 1 keepdim",
              {COUNTING(HEED_F64, DIMS(2, 3))},
              .axes = DIMS(1),
              .i = {true},
              RESULT(DIMS(2, 1), 0, 3, 12)},
             {"axes 2 0", {COUNTING(HEED_F64, DIMS(2, 3, 2))}, .axes = DIMS(2, 0), RESULT(DIMS(3), 0, 14, 22, 30)},
             {"of nothing", {GIVEN_ONES(HEED_F64, DIMS(0))}, .run = sum_of_all, RESULT(NO_DIMS, 0, 0)},
             {"rows of nothing", {GIVEN_ONES(HEED_F64, DIMS(0, 3))}, .axes = DIMS(0), RESULT(DIMS(3), 0, 0, 0, 0)},
             {"special values",
              {GIVEN(HEED_F64, DIMS(4, 2), NAN, 1, INFINITY, 1, INFINITY, -INFINITY, 1e300, -1e300)},
              .axes = DIMS(1),
              RESULT(DIMS(4), 0, NAN, INFINITY, NAN, 0)},
             {"flipped", {MADE_BY(flipped)}, .axes = DIMS(0), RESULT(DIMS(3), 0, 7, 5, 3)},
             {"expanded", {MADE_BY(expanded_half)}, .run = sum_of_all, RESULT(NO_DIMS, 0, 3500)},
             /* Longer than a chunk of the reduction, along every kind of axis. */
             {"long row", {GIVEN_ONES(HEED_F32, DIMS(200001))}, .run = sum_of_all, RESULT(NO_DIMS, 0, 200001)},
             {"long column", {GIVEN_ONES(HEED_F64, DIMS(70001, 2))}, .axes = DIMS(0), RESULT(DIMS(2), 0, 70001, 70001)},
             {"long middle",
              {GIVEN_ONES(HEED_F64, DIMS(2, 40001, 3))},
              .axes = DIMS(1),
              RESULT(DIMS(2, 3), 0, 40001, 40001, 40001, 40001, 40001, 40001)},
             {"a million tenths", {MADE_BY(tenths)}, .run = sum_of_all, RESULT(NO_DIMS, 1e-6, 100000)}),
    .shared = {{.examples = bad_axes, .name = "sum_axes"}})

/* -- nansum and nanmean -------------------------------------------------------------------------------------------- */

/* x with NaN at fixed positions. */
static heed_tensor *with_nan(heed_tensor *x)
{
    heed_tensor *hidden = heed_compare_scalar(heed_sin(counting(HEED_F64, heed_shape_of(x))), HEED_COMPARE_GT, 0.5);
    return heed_masked_fill(x, hidden, NAN);
}
RUN(nansum_with_nan, heed_nansum(with_nan(in[0]), c->shape, c->i[0]))
RUN(nanmean_with_nan, heed_nanmean(with_nan(in[0]), c->shape, c->i[0]))

static heed_tensor *nansum_rows(heed_tensor *x)
{
    return heed_nansum(x, HEED_AXES(1), false);
}
static heed_tensor *nanmean_rows(heed_tensor *x)
{
    return heed_nanmean(x, HEED_AXES(1), false);
}
static heed_tensor *half_nan(void)
{
    return HEED_TENSOR(HEED_F64, HEED_SHAPE(3, 2), 1, NAN, NAN, NAN, 3, 5);
}
GIVES(nansum_slope, gradient(nansum_rows, half_nan()))
GIVES(nanmean_slope, gradient(nanmean_rows, half_nan()))

#define NAN_SAMPLES(run)                                                                                               \
    REDUCTION("(5, 7) with NaN", run, DIMS(5, 7), DIMS(0), true, .distinct = true),                                    \
        REDUCTION("(2, 3, 5) with NaN", run, DIMS(2, 3, 5), DIMS(-1, 1), false, .distinct = true)

ROW(nansum, heed_nansum(in[0], c->shape, c->i[0]),
    CASES(REDUCTION_SAMPLES(NULL, .low = -2, .high = 2), NAN_SAMPLES(nansum_with_nan),
          ONE("(2, 3) whole", NULL, DIMS(2, 3), .i = {0})),
    EXAMPLES({"rows", {MADE_BY(half_nan)}, .axes = DIMS(-1), RESULT(DIMS(3), 0, 1, 0, 8)},
             {"all keepdim", {MADE_BY(half_nan)}, .i = {true}, RESULT(DIMS(1, 1), 0, 9)},
             {"infinities",
              {GIVEN(HEED_F32, DIMS(2, 3), INFINITY, NAN, 1, INFINITY, NAN, -INFINITY)},
              .axes = DIMS(1),
              RESULT(DIMS(2), 0, INFINITY, NAN)},
             {"i64", {MADE_BY(whole_numbers)}, .axes = DIMS(0), RESULT(DIMS(3), 0, -1, 5, -5)},
             {"bool", {GIVEN(HEED_BOOL, DIMS(3), 1, 0, 1)}, RESULT(NO_DIMS, 0, 2)},
             {"of nothing", {GIVEN_ONES(HEED_F64, DIMS(0, 2))}, .axes = DIMS(0), RESULT(DIMS(2), 0, 0, 0)}),
    VALUES({"gradient", nansum_slope, DIMS(3, 2), 0, (const double[]){1, 0, 0, 0, 1, 1}}),
    .shared = {{.examples = bad_axes}})

ROW(nanmean, heed_nanmean(in[0], c->shape, c->i[0]),
    CASES(REDUCTION_SAMPLES(NULL, .low = -2, .high = 2), NAN_SAMPLES(nanmean_with_nan),
          ONE("(2, 3) whole", NULL, DIMS(2, 3), .i = {0})),
    EXAMPLES({"rows", {MADE_BY(half_nan)}, .axes = DIMS(-1), RESULT(DIMS(3), 0, 1, NAN, 4)},
             {"all keepdim", {MADE_BY(half_nan)}, .i = {true}, RESULT(DIMS(1, 1), 0, 3)},
             {"of nothing", {GIVEN_ONES(HEED_F64, DIMS(0, 2))}, .axes = DIMS(0), RESULT(DIMS(2), 0, NAN, NAN)},
             {"49 ones", {GIVEN_ONES(HEED_F64, DIMS(49))}, RESULT(NO_DIMS, 0, 1)}),
    VALUES({"gradient", nanmean_slope, DIMS(3, 2), 0, (const double[]){1, 0, 0, 0, 0.5, 0.5}}),
    .shared = {{.examples = bad_axes}, {.examples = bad_dtypes}})

/* -- mean and prod ------------------------------------------------------------------------------------------------- */

RUN(mean_of_all, heed_mean(in[0]))

ROW(mean, heed_mean_axes(in[0], c->shape, c->i[0]),
    CASES(REDUCTION_SAMPLES(NULL, .low = -2, .high = 2),
          REDUCTION("(5, 7) of 1e-8", NULL, DIMS(5, 7), DIMS(1), false, .low = -1e-8, .high = 1e-8),
          ONE("(2, 3) whole", mean_of_all, DIMS(2, 3), .i = {0})),
    EXAMPLES({"all", {COUNTING(HEED_F64, DIMS(2, 3))}, .run = mean_of_all, RESULT(NO_DIMS, 0, 2.5)},
             {"axis 0", {COUNTING(HEED_F32, DIMS(2, 3))}, .axes = DIMS(0), RESULT(DIMS(3), 0, 1.5, 2.5, 3.5)},
             {"axes 0 2 keepdim",
              {COUNTING(HEED_F64, DIMS(2, 3, 2))},
              .axes = DIMS(0, 2),
              .i = {true},
              RESULT(DIMS(1, 3, 1), 0, 3.5, 5.5, 7.5)},
             {"of nothing", {GIVEN_ONES(HEED_F64, DIMS(0))}, .run = mean_of_all, RESULT(NO_DIMS, 0, NAN)},
             {"empty columns", {GIVEN_ONES(HEED_F64, DIMS(0, 2))}, .axes = DIMS(0), RESULT(DIMS(2), 0, NAN, NAN)},
             {"49 ones", {GIVEN_ONES(HEED_F64, DIMS(49))}, .run = mean_of_all, RESULT(NO_DIMS, 0, 1)}),
    .shared = {{.examples = bad_axes, .name = "mean_axes"}, {.examples = bad_dtypes, .run = mean_of_all}})

/* (3, 4) with no, one and two zeros in a row: differences there also measure the product of the other elements. */
#define ZEROS                                                                                                          \
    {                                                                                                                  \
        .name = "(3, 4) with zeros", .n_inputs = 1, .shape = DIMS(1), .in = {                                          \
            {.shape = DIMS(3, 4), .values = (const double[]){0.5, 2, -1.5, 3, 0.5, 0, -1.5, 3, 0, 2, 0, -1}}           \
        }                                                                                                              \
    }

static heed_tensor *product(heed_tensor *x)
{
    return heed_prod(x, HEED_ALL_AXES, false);
}

GIVES(slopes, gradient(product, HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 2, 0, 3, 5)))
GIVES(two_zeros, gradient(product, HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 2, 0, 0, 5)))

ROW(prod, heed_prod(in[0], c->shape, c->i[0]),
    CASES(REDUCTION("()", NULL, NO_DIMS, NO_DIMS, false, .low = 0.5, .high = 1.5),
          REDUCTION("(1)", NULL, DIMS(1), NO_DIMS, false, .low = 0.5, .high = 1.5),
          REDUCTION("(5) axis 0", NULL, DIMS(5), DIMS(0), true, .low = -1.5, .high = 1.5),
          REDUCTION("(5, 7) axis 0", NULL, DIMS(5, 7), DIMS(0), true, .low = -1.5, .high = 1.5),
          REDUCTION("(5, 7) axes 1 0", NULL, DIMS(5, 7), DIMS(1, 0), false, .low = 0.8, .high = 1.2),
          REDUCTION("(2, 3, 5) axis 1", NULL, DIMS(2, 3, 5), DIMS(1), false, .low = -2, .high = 2),
          REDUCTION("(2, 3, 5) axes 0 2", NULL, DIMS(2, 3, 5), DIMS(0, 2), true, .low = 0.8, .high = 1.2),
          REDUCTION("(0, 3) axis 1", NULL, DIMS(0, 3), DIMS(1), false, .low = -2, .high = 2),
          REDUCTION("(3, 0, 2) axis 1", NULL, DIMS(3, 0, 2), DIMS(1), true, .low = -2, .high = 2), ZEROS,
          ONE("(7) whole", NULL, DIMS(7), .i = {0}), ONE("(2, 3) whole", NULL, DIMS(2, 3), .i = {0})),
    EXAMPLES(
        {"all", {GIVEN(HEED_F64, DIMS(2, 3), 1, 2, 3, 4, 5, 6)}, RESULT(NO_DIMS, 0, 720)},
        {"axis 0", {GIVEN(HEED_F32, DIMS(2, 3), 1, 2, 3, 4, 5, 6)}, .axes = DIMS(0), RESULT(DIMS(3), 0, 4, 10, 18)},
        {"axes 2 0 keepdim",
         {GIVEN(HEED_F64, DIMS(2, 3, 2), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)},
         .axes = DIMS(2, 0),
         .i = {true},
         RESULT(DIMS(1, 3, 1), 0, 112, 1080, 3960)},
        {"of nothing", {GIVEN_ONES(HEED_F64, DIMS(0))}, RESULT(NO_DIMS, 0, 1)},
        {"i64", {GIVEN(HEED_I64, DIMS(2, 2), 3, -4, 5, 6)}, .axes = DIMS(0), RESULT(DIMS(2), 0, 15, -24)},
        {"i64 wrapped", {GIVEN(HEED_I64, DIMS(3), 0x1p32, 0x1p32, 0x1p32)}, RESULT(NO_DIMS, 0, 0)},
        {"i64 of nothing", {GIVEN_ONES(HEED_I64, DIMS(0))}, RESULT(NO_DIMS, 0, 1)},
        {"special values",
         {GIVEN(HEED_F64, DIMS(3, 2), NAN, 1, INFINITY, 0, INFINITY, -2)},
         .axes = DIMS(1),
         RESULT(DIMS(3), 0, NAN, NAN, -INFINITY)}),
    VALUES({"slopes with a 0", slopes, DIMS(4), 0, (const double[]){0, 30, 0, 0}},
           {"slopes with two", two_zeros, DIMS(4), 0, (const double[]){0, 0, 0, 0}}),
    .shared = {{.examples = bad_axes}, {.examples = bad_bool}})

/* -- sum_to -------------------------------------------------------------------------------------------------------- */

/* For bad dtypes. */
RUN(sum_to_itself, heed_sum_to(in[0], HEED_SHAPE(2, 3)))

ROW(sum_to, heed_sum_to(in[0], c->shape),
    CASES(ONE("() to ()", NULL, NO_DIMS, .shape = NO_DIMS), ONE("(1) to ()", NULL, DIMS(1), .shape = NO_DIMS),
          ONE("(5) to (1)", NULL, DIMS(5), .shape = DIMS(1)), ONE("(2, 3) to ()", NULL, DIMS(2, 3), .shape = NO_DIMS),
          ONE("(2, 3) to (3)", NULL, DIMS(2, 3), .shape = DIMS(3)),
          ONE("(2, 3) to (1, 3)", NULL, DIMS(2, 3), .shape = DIMS(1, 3)),
          ONE("(2, 3) to (2, 1)", NULL, DIMS(2, 3), .shape = DIMS(2, 1)),
          ONE("(2, 3) to itself", NULL, DIMS(2, 3), .shape = DIMS(2, 3)),
          ONE("(2, 3, 5) to (3, 1)", NULL, DIMS(2, 3, 5), .shape = DIMS(3, 1)),
          ONE("(2, 3, 5) to (2, 1, 5)", NULL, DIMS(2, 3, 5), .shape = DIMS(2, 1, 5)),
          ONE("(2, 1, 3, 1, 2) to (3, 1, 1)", NULL, DIMS(2, 1, 3, 1, 2), .shape = DIMS(3, 1, 1)),
          ONE("(1, 257, 1) to (1)", NULL, DIMS(1, 257, 1), .shape = DIMS(1)),
          ONE("(0, 3) to (3)", NULL, DIMS(0, 3), .shape = DIMS(3)),
          ONE("(0, 3) to (0, 1)", NULL, DIMS(0, 3), .shape = DIMS(0, 1)),
          ONE("(3, 0, 2) to (1, 1)", NULL, DIMS(3, 0, 2), .shape = DIMS(1, 1))),
    EXAMPLES(
        {"to (3)", {COUNTING(HEED_F64, DIMS(2, 3))}, .axes = DIMS(3), RESULT(DIMS(3), 0, 3, 5, 7)},
        {"to (2, 1)", {COUNTING(HEED_F32, DIMS(2, 3))}, .axes = DIMS(2, 1), RESULT(DIMS(2, 1), 0, 3, 12)},
        {"to (3, 1)", {COUNTING(HEED_F64, DIMS(2, 3, 2))}, .axes = DIMS(3, 1), RESULT(DIMS(3, 1), 0, 14, 22, 30)},
        {"of nothing", {GIVEN_ONES(HEED_F64, DIMS(0, 3))}, .axes = DIMS(1, 3), RESULT(DIMS(1, 3), 0, 0, 0, 0)},
        {"NULL", {{0}}, FAILS(HEED_ERR_ARGUMENT, ":")},
        {"to (2, 2, 3)",
         {SIX_ONES(HEED_F64)},
         .axes = DIMS(2, 2, 3),
         FAILS(HEED_ERR_SHAPE, ": (2, 2, 3) does not broadcast to (2, 3)")},
        {"to (2)", {SIX_ONES(HEED_F64)}, .axes = DIMS(2), FAILS(HEED_ERR_SHAPE, ": (2) does not broadcast to (2, 3)")},
        {"(2, 1) to (2, 3)", {GIVEN_ONES(HEED_F64, DIMS(2, 1))}, .axes = DIMS(2, 3), FAILS(HEED_ERR_SHAPE, ":")},
        {"to (0, 3)", {SIX_ONES(HEED_F64)}, .axes = DIMS(0, 3), FAILS(HEED_ERR_SHAPE, ":")},
        {"to (-1)", {SIX_ONES(HEED_F64)}, .axes = DIMS(-1), FAILS(HEED_ERR_SHAPE, ": (-1)")},
        {"to rank 9", {SIX_ONES(HEED_F64)}, .axes = {.rank = 9}, FAILS(HEED_ERR_SHAPE, ":")}),
    .shared = {{.examples = bad_dtypes, .run = sum_to_itself}})

/* -- cumsum -------------------------------------------------------------------------------------------------------- */

/* The last of many sums, which an accumulator in f32 would not reach. */
RUN(last_sum, heed_select(heed_cumsum(in[0], (int)c->i[0]), (int)c->i[0], -1))
RUN(sum_of_last_sums, heed_sum_axes(last_sum(in, c), HEED_AXES(1), false))

GIVES(rows_of_tenths, heed_full(HEED_F32, HEED_SHAPE(300000, 3), 0.1))
GIVES(transposed_count, heed_transpose(counting(HEED_F64, HEED_SHAPE(2, 3)), 0, 1))

static heed_tensor *largest_first(void)
{
    const int64_t x[] = {INT64_MAX, 1, 5, -7};
    return heed_from_array(HEED_I64, HEED_SHAPE(4), x, 4);
}

ROW(cumsum, heed_cumsum(in[0], (int)c->i[0]),
    CASES(ONE("(1)", NULL, DIMS(1), .i = {0}), ONE("(5)", NULL, DIMS(5), .i = {0}),
          ONE("(2, 3)", NULL, DIMS(2, 3), .i = {-1}), ONE("(37)", NULL, DIMS(37), .i = {0}),
          ONE("(5, 7) axis 0", NULL, DIMS(5, 7), .i = {0}), ONE("(5, 7) axis 1", NULL, DIMS(5, 7), .i = {-1}),
          ONE("(2, 3, 5) axis 1", NULL, DIMS(2, 3, 5), .i = {1}), ONE("(2, 66) axis 0", NULL, DIMS(2, 66), .i = {0}),
          ONE("(0, 3) axis 0", NULL, DIMS(0, 3), .i = {0}), ONE("(3, 0, 2) axis 2", NULL, DIMS(3, 0, 2), .i = {2})),
    EXAMPLES(
        {"axis 0", {COUNTING(HEED_F32, DIMS(2, 3))}, RESULT(DIMS(2, 3), 0, 0, 1, 2, 3, 5, 7)},
        {"axis 1", {COUNTING(HEED_F64, DIMS(2, 3))}, .i = {-1}, RESULT(DIMS(2, 3), 0, 0, 1, 3, 3, 7, 12)},
        {"transposed", {MADE_BY(transposed_count)}, .i = {1}, RESULT(DIMS(3, 2), 0, 0, 3, 1, 5, 2, 7)},
        {"a million tenths", {MADE_BY(tenths)}, .run = last_sum, RESULT(NO_DIMS, 1e-7, 100000)},
        {"columns of tenths", {MADE_BY(rows_of_tenths)}, .run = last_sum, RESULT(DIMS(3), 1e-7, 30000, 30000, 30000)},
        {"i64 wraps around", {MADE_BY(largest_first)}, RESULT(DIMS(4), 0, 0x1p63, -0x1p63, -0x1p63 + 5, 0x1p63)},
        {"wide",
         {GIVEN_ONES(HEED_F64, DIMS(2, 300, 130))},
         .i = {1},
         .run = sum_of_last_sums,
         RESULT(DIMS(2), 0, 39000, 39000)},
        {"special values",
         {GIVEN(HEED_F64, DIMS(4), INFINITY, 1, -INFINITY, 1)},
         RESULT(DIMS(4), 0, INFINITY, INFINITY, NAN, NAN)},
        {"NULL", {{0}}, FAILS(HEED_ERR_ARGUMENT, ":")},
        {"axis 2", {SIX_ONES(HEED_F64)}, .i = {2}, FAILS(HEED_ERR_SHAPE, ": there is no axis 2")},
        {"axis INT_MIN", {SIX_ONES(HEED_F64)}, .i = {INT_MIN}, FAILS(HEED_ERR_SHAPE, ": there is no axis -2147483648")},
        {"axis of ()", {GIVEN_ONES(HEED_F64, NO_DIMS)}, FAILS(HEED_ERR_SHAPE, ":")}),
    .shared = {{.examples = bad_bool}})

/* -- cumprod ------------------------------------------------------------------------------------------------------- */

static heed_tensor *cumprod_0(heed_tensor *x)
{
    return heed_cumprod(x, 0);
}
static const double zeros_between[] = {2, 0, 3, 0, -1.5}, zero_first[] = {0, 2, -3};

GIVES(slope_of_zeros, gradient(cumprod_0, HEED_TENSOR(HEED_F64, HEED_SHAPE(5), 2, 0, 3, 0, -1.5)))
GIVES(slope_of_underflow, gradient(cumprod_0, HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 1e-200, 1e-200, 2)))

ROW(cumprod, heed_cumprod(in[0], (int)c->i[0]),
    CASES(ONE("(1)", NULL, DIMS(1), .i = {0}), ONE("(2)", NULL, DIMS(2), .i = {0}), ONE("(5)", NULL, DIMS(5), .i = {0}),
          ONE("(8)", NULL, DIMS(8), .i = {0}), ONE("(2, 3)", NULL, DIMS(2, 3), .i = {-1}),
          ONE("(5, 7) axis 0", NULL, DIMS(5, 7), .i = {0}), ONE("(5, 7) axis 1", NULL, DIMS(5, 7), .i = {-1}),
          ONE("(2, 3, 5) axis 1", NULL, DIMS(2, 3, 5), .i = {1}), ONE("(2, 66) axis 0", NULL, DIMS(2, 66), .i = {0}),
          ONE("(0, 3) axis 0", NULL, DIMS(0, 3), .i = {0}), ONE("(3, 0, 2) axis 2", NULL, DIMS(3, 0, 2), .i = {2}),
          {.name = "two zeros", .n_inputs = 1, .in = {{.shape = DIMS(5), .values = zeros_between}}},
          {.name = "zero first", .n_inputs = 1, .in = {{.shape = DIMS(3), .values = zero_first}}}),
    EXAMPLES(
        {"axis 0", {GIVEN(HEED_F32, DIMS(2, 3), 1, 2, 3, 4, 5, 6)}, RESULT(DIMS(2, 3), 0, 1, 2, 3, 4, 10, 18)},
        {"axis 1",
         {GIVEN(HEED_F64, DIMS(2, 3), 1, 2, 3, 4, 5, 6)},
         .i = {-1},
         RESULT(DIMS(2, 3), 0, 1, 2, 6, 4, 20, 120)},
        {"transposed", {MADE_BY(transposed_count)}, .i = {1}, RESULT(DIMS(3, 2), 0, 0, 0, 1, 4, 2, 10)},
        {"f32 in f64", {GIVEN(HEED_F32, DIMS(3), 1e30, 1e30, 1e-30)}, RESULT(DIMS(3), 1e-6, 1e30, INFINITY, 1e30)},
        {"i64 wraps around", {GIVEN(HEED_I64, DIMS(3), 0x1p62, 2, 3)}, RESULT(DIMS(3), 0, 0x1p62, -0x1p63, -0x1p63)},
        {"special values", {GIVEN(HEED_F64, DIMS(4), -1, 0, INFINITY, 1)}, RESULT(DIMS(4), 0, -1, -0.0, NAN, NAN)},
        {"NULL", {{0}}, FAILS(HEED_ERR_ARGUMENT, ":")},
        {"axis 2", {SIX_ONES(HEED_F64)}, .i = {2}, FAILS(HEED_ERR_SHAPE, ": there is no axis 2")},
        {"axis INT_MIN", {SIX_ONES(HEED_F64)}, .i = {INT_MIN}, FAILS(HEED_ERR_SHAPE, ": there is no axis -2147483648")},
        {"axis of ()", {GIVEN_ONES(HEED_F64, NO_DIMS)}, FAILS(HEED_ERR_SHAPE, ":")}),
    /* 2 0 3 0 -1.5: y = 2 0 0 0 0, and dy[j] / dx[1] = 2 6 0 0 from j = 1 on */
    VALUES({"gradient at zeros", slope_of_zeros, DIMS(5), 0, (const double[]){1, 8, 0, 0, 0}},
           {"gradient of underflow", slope_of_underflow, DIMS(3), 0, (const double[]){1, 3e-200, 0}}),
    .shared = {{.examples = bad_bool}})

/* -- trapezoid ----------------------------------------------------------------------------------------------------- */

#define POINTS_AT(name_, y, x, axis)                                                                                   \
    {                                                                                                                  \
        .name = name_, .n_inputs = 2, .in = {{.shape = y}, {.shape = x}}, .i = { axis }                                \
    }

GIVES(grid, heed_linspace(HEED_F64, 0, 1, 1001))
GIVES(squares, heed_square(heed_linspace(HEED_F64, 0, 1, 1001)))

ROW(trapezoid, heed_trapezoid(in[0], c->n_inputs == 1 ? NULL : in[1], c->p[0], (int)c->i[0]),
    CASES(POINTS_AT("(5) (5)", DIMS(5), DIMS(5), 0), POINTS_AT("(5, 7) (7)", DIMS(5, 7), DIMS(7), 1),
          POINTS_AT("(5, 7) (5)", DIMS(5, 7), DIMS(5), 0), POINTS_AT("(2, 3, 5) (3)", DIMS(2, 3, 5), DIMS(3), 1),
          POINTS_AT("(2, 3) (2, 3)", DIMS(2, 3), DIMS(2, 3), -1),
          POINTS_AT("(2, 3) (1, 3)", DIMS(2, 3), DIMS(1, 3), -1), POINTS_AT("(0, 3) (3)", DIMS(0, 3), DIMS(3), 1),
          ONE("(5, 7) even", NULL, DIMS(5, 7), .i = {0}, .p = {0.25}),
          ONE("(2, 3, 5) even", NULL, DIMS(2, 3, 5), .i = {-1}, .p = {-2})),
    /* The area below x^2 from 0 to 1, and of a line, which is exact. */
    EXAMPLES(
        {"x^2", {MADE_BY(squares), MADE_BY(grid)}, RESULT(NO_DIMS, 1e-15, 1.0 / 3 + 1e-6 / 6)},
        {"line", {GIVEN(HEED_F64, DIMS(3), 1, 3, 9), GIVEN(HEED_F64, DIMS(3), 0, 1, 4)}, RESULT(NO_DIMS, 0, 20)},
        {"columns",
         {GIVEN(HEED_F64, DIMS(3, 2), 0, 1, 2, 3, 4, 5), GIVEN(HEED_F64, DIMS(3), 0, 1, 3)},
         RESULT(DIMS(2), 0, 7, 10)},
        {"even", {GIVEN(HEED_F32, DIMS(2, 3), 1, 2, 3, 4, 5, 6)}, .i = {-1}, .p = {0.5}, RESULT(DIMS(2), 0, 2, 5)},
        {"one point", {GIVEN_ONES(HEED_F64, DIMS(2, 1))}, .i = {1}, .p = {0.5}, RESULT(DIMS(2), 0, 0, 0)},
        {"no point",
         {GIVEN_ONES(HEED_F64, DIMS(2, 0)), GIVEN_ONES(HEED_F64, DIMS(0))},
         .i = {1},
         RESULT(DIMS(2), 0, 0, 0)},
        {"y NULL", {{0}, SIX_ONES(HEED_F64)}, FAILS(HEED_ERR_ARGUMENT, ":")},
        {"x NULL",
         {SIX_ONES(HEED_F64)},
         FAILS(HEED_ERR_ARGUMENT, ": x is NULL, dx is 0: give either x or a dx other than 0")},
        {"x and dx",
         {SIX_ONES(HEED_F64), SIX_ONES(HEED_F64)},
         .p = {0.5},
         FAILS(HEED_ERR_ARGUMENT, ": x is a tensor, dx is 0.5: give either x or")},
        {"even NULL", {{0}}, .p = {1}, FAILS(HEED_ERR_ARGUMENT, ":")},
        {"f64 and f32",
         {SIX_ONES(HEED_F64), GIVEN_ONES(HEED_F32, DIMS(3))},
         .i = {1},
         FAILS(HEED_ERR_DTYPE, ": the tensors are f64 (2, 3) and f32 (3)")},
        {"i64", {GIVEN_ONES(HEED_I64, DIMS(3))}, .p = {1}, FAILS(HEED_ERR_DTYPE, ": the tensor is i64")},
        {"other size",
         {SIX_ONES(HEED_F64), GIVEN_ONES(HEED_F64, DIMS(2))},
         .i = {1},
         FAILS(HEED_ERR_SHAPE, ": x (2) does not fit y (2, 3) along axis 1")},
        {"other rank",
         {SIX_ONES(HEED_F64), GIVEN_ONES(HEED_F64, DIMS(1, 2, 3))},
         .i = {1},
         FAILS(HEED_ERR_SHAPE, ": x (1, 2, 3) does not fit y (2, 3)")},
        {"axis 2", {SIX_ONES(HEED_F64), SIX_ONES(HEED_F64)}, .i = {2}, FAILS(HEED_ERR_SHAPE, ": there is no axis 2")},
        {"axis INT_MIN", {SIX_ONES(HEED_F64)}, .i = {INT_MIN}, .p = {1}, FAILS(HEED_ERR_SHAPE, ": there is no axis")}))
