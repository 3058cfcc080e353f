/* tests/ops/index/scatter.c - sums into elements, rows and counts that indices choose: a row per op (rows.h).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "indices.h"

/* -- scatter_sum --------------------------------------------------------------------------------------------------- */

#define SCATTERED(name_, dims, size, axis, result)                                                                     \
    {                                                                                                                  \
        .name = name_, .n_inputs = 2, .in = {{.shape = dims}, {.shape = dims, .kind = OP_INDEX, .high = size}},        \
        .i = {axis}, .shape = result                                                                                   \
    }

#define ZEROS_2_3 GIVEN(HEED_I64, DIMS(2, 3), 0, 0, 0, 0, 0, 0)

/* Two halves of 2^64 add up to 0. */
static heed_tensor *scatter_sum_wrapping(void)
{
    const int64_t x[] = {INT64_MIN, INT64_MIN};
    return heed_scatter_sum(heed_from_array(HEED_I64, HEED_SHAPE(2), x, 2), 0, heed_zeros(HEED_I64, HEED_SHAPE(2)),
                            HEED_SHAPE(1));
}

ROW(scatter_sum, heed_scatter_sum(in[0], (int)c->i[0], in[1], c->shape),
    CASES(SCATTERED("(1) to (1)", DIMS(1), 1, 0, DIMS(1)), SCATTERED("(5) to (3)", DIMS(5), 3, 0, DIMS(3)),
          SCATTERED("(3) to (5)", DIMS(3), 5, 0, DIMS(5)), SCATTERED("(0) to (2)", DIMS(0), 2, 0, DIMS(2)),
          SCATTERED("(2, 3) to (4, 3)", DIMS(2, 3), 4, 0, DIMS(4, 3)),
          SCATTERED("(2, 3) to (2, 2) axis 1", DIMS(2, 3), 2, 1, DIMS(2, 2)),
          SCATTERED("(2, 3) to (3, 4) axis -1", DIMS(2, 3), 4, -1, DIMS(3, 4)),
          SCATTERED("(7, 1) to (2, 1)", DIMS(7, 1), 2, 0, DIMS(2, 1)),
          SCATTERED("(2, 3, 5) to (2, 2, 6) axis 1", DIMS(2, 3, 5), 2, 1, DIMS(2, 2, 6)),
          SCATTERED("(2, 1, 2, 1, 2) to (2, 1, 3, 2, 2) axis 2", DIMS(2, 1, 2, 1, 2), 3, 2, DIMS(2, 1, 3, 2, 2)),
          SCATTERED("(0, 3) to (2, 2) axis 1", DIMS(0, 3), 2, 1, DIMS(2, 2))),
    EXAMPLES({"rows",
              {COUNTING(HEED_F64, DIMS(2, 2)), GIVEN(HEED_I64, DIMS(2, 2), 2, 0, 2, 1)},
              .axes = DIMS(3, 3),
              RESULT(DIMS(3, 3), 0, 0, 1, 0, 0, 3, 0, 2, 0, 0)},
             {"i64",
              {GIVEN(HEED_I64, DIMS(3), 5, 5, 5), GIVEN(HEED_I64, DIMS(3), 1, 1, 0)},
              .axes = DIMS(3),
              RESULT(DIMS(3), 0, 5, 10, 0)},
             {"nothing",
              {GIVEN_ONES(HEED_F32, DIMS(0)), GIVEN_ONES(HEED_I64, DIMS(0))},
              .axes = DIMS(2),
              RESULT(DIMS(2), 0, 0, 0)},
             {"NULL", {{0}, ZEROS_2_3}, .axes = DIMS(2, 3), FAILS(HEED_ERR_ARGUMENT, ":")},
             {"NULL index", {GIVEN_ONES(HEED_F64, DIMS(2, 3)), {0}}, .axes = DIMS(2, 3), FAILS(HEED_ERR_ARGUMENT, ":")},
             {"bool",
              {GIVEN_ONES(HEED_BOOL, DIMS(2, 3)), ZEROS_2_3},
              .axes = DIMS(2, 3),
              FAILS(HEED_ERR_DTYPE, ": the tensor is bool (2, 3): must be f32, f64 or i64")},
             {"f32 index",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3)), GIVEN(HEED_F32, DIMS(2, 3), 0, 0, 0, 0, 0, 0)},
              .axes = DIMS(2, 3),
              FAILS(HEED_ERR_DTYPE, ": the indices are f32")},
             {"index (2, 2)",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3)), GIVEN(HEED_I64, DIMS(2, 2), 0, 0, 0, 0)},
              .axes = DIMS(2, 3),
              FAILS(HEED_ERR_SHAPE, ": indices (2, 2) for (2, 3)")},
             {"to (2, 2)",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3)), ZEROS_2_3},
              .axes = DIMS(2, 2),
              FAILS(HEED_ERR_SHAPE, ": indices (2, 3) do not fit (2, 2)")},
             {"to (6)",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3)), ZEROS_2_3},
              .axes = DIMS(6),
              FAILS(HEED_ERR_SHAPE, ": indices (2, 3) do not fit (6)")},
             {"axis 2",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3)), ZEROS_2_3},
              .axes = DIMS(2, 3),
              .i = {2},
              FAILS(HEED_ERR_SHAPE, ": there is no axis 2")},
             {"axis INT_MIN",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3)), ZEROS_2_3},
              .axes = DIMS(2, 3),
              .i = {INT_MIN},
              FAILS(HEED_ERR_SHAPE, ": there is no axis -2147483648")},
             {"to ()", {GIVEN_ONES(HEED_F64, DIMS(2, 3)), ZEROS_2_3}, FAILS(HEED_ERR_SHAPE, ": there is no axis 0")},
             {"to (-1, 3)",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3)), ZEROS_2_3},
              .axes = DIMS(-1, 3),
              FAILS(HEED_ERR_SHAPE, ": (-1, 3)")},
             {"overflow",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3)), ZEROS_2_3},
              .axes = DIMS(INT64_MAX, 3),
              FAILS(HEED_ERR_SHAPE, ": (9223372036854775807, 3)")},
             {"rank 9", {GIVEN_ONES(HEED_F64, DIMS(2, 3)), ZEROS_2_3}, .axes = {.rank = 9}, FAILS(HEED_ERR_SHAPE, ":")},
             {"index 4",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3)), GIVEN(HEED_I64, DIMS(2, 3), 0, 1, 0, 1, 4, 0)},
              .axes = DIMS(4, 3),
              FAILS(HEED_ERR_INDEX, ": index 4 at (1, 1) is outside")},
             {"index -1",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3)), GIVEN(HEED_I64, DIMS(2, 3), 0, -1, 0, 1, 4, 0)},
              .axes = DIMS(4, 3),
              FAILS(HEED_ERR_INDEX, ": index -1 at (0, 1) is outside an axis of size 4")}),
    VALUES({"i64 wraps around", scatter_sum_wrapping, DIMS(1), 0, (const double[]){0}}))

/* -- index_sum ----------------------------------------------------------------------------------------------------- */

/* The last of enough rows that they are processed in several ranges. */
GIVES(index_sum_many_rows,
      heed_slice(heed_index_sum(counting(HEED_F64, HEED_SHAPE(5000, 1)), 1, INDICES(HEED_SHAPE(1), 1), 2), 0, 4998,
                 5000, 1))

/* i: axis, size */
ROW(index_sum, heed_index_sum(in[0], (int)c->i[0], in[1], c->i[1]),
    CASES(INDEXED("(1) to 1", NULL, DIMS(1), DIMS(1), 1, 0, 1), INDEXED("(5) to 3", NULL, DIMS(5), DIMS(5), 3, 0, 3),
          INDEXED("(3) to 7", NULL, DIMS(3), DIMS(3), 7, -1, 7), INDEXED("(0) to 2", NULL, DIMS(0), DIMS(0), 2, 0, 2),
          INDEXED("(4, 3) to 2", NULL, DIMS(4, 3), DIMS(4), 2, 0, 2),
          INDEXED("(2, 3) to 4 axis 1", NULL, DIMS(2, 3), DIMS(3), 4, 1, 4),
          INDEXED("(7, 1) to 2 axis 1", NULL, DIMS(7, 1), DIMS(1), 2, 1, 2),
          INDEXED("(2, 3, 5) to 2 axis 1", NULL, DIMS(2, 3, 5), DIMS(3), 2, 1, 2),
          INDEXED("(2, 1, 3, 2, 2) to 2 axis 2", NULL, DIMS(2, 1, 3, 2, 2), DIMS(3), 2, 2, 2),
          INDEXED("(0, 3) to 2 axis 1", NULL, DIMS(0, 3), DIMS(3), 2, 1, 2)),
    EXAMPLES({"rows",
              {COUNTING(HEED_F64, DIMS(3, 2)), GIVEN(HEED_I64, DIMS(3), 2, 0, 2)},
              .i = {0, 4},
              RESULT(DIMS(4, 2), 0, 2, 3, 0, 0, 4, 6, 0, 0)},
             {"columns, i64",
              {COUNTING(HEED_I64, DIMS(2, 3)), GIVEN(HEED_I64, DIMS(3), 1, 1, 0)},
              .i = {-1, 2},
              RESULT(DIMS(2, 2), 0, 2, 1, 5, 7)},
             {"middle",
              {GIVEN_ONES(HEED_F32, DIMS(2, 2, 2)), GIVEN(HEED_I64, DIMS(2), 1, 1)},
              .i = {1, 2},
              RESULT(DIMS(2, 2, 2), 0, 0, 0, 2, 2, 0, 0, 2, 2)},
             {"none",
              {GIVEN_ONES(HEED_F64, DIMS(2, 0)), GIVEN_ONES(HEED_I64, DIMS(0))},
              .i = {1, 2},
              RESULT(DIMS(2, 2), 0, 0, 0, 0, 0)},
             {"NULL", {{0}, GIVEN(HEED_I64, DIMS(1), 0)}, .i = {0, 1}, FAILS(HEED_ERR_ARGUMENT, ":")},
             {"NULL index", {GIVEN_ONES(HEED_F64, DIMS(2, 3)), {0}}, .i = {0, 2}, FAILS(HEED_ERR_ARGUMENT, ":")},
             {"bool",
              {GIVEN_ONES(HEED_BOOL, DIMS(2)), GIVEN(HEED_I64, DIMS(2), 0, 0)},
              .i = {0, 1},
              FAILS(HEED_ERR_DTYPE, ": the tensor is bool (2): must be f32, f64 or i64")},
             {"f64 index",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3)), GIVEN(HEED_F64, DIMS(2), 0, 0)},
              .i = {0, 2},
              FAILS(HEED_ERR_DTYPE, ": the indices are f64 (2): must be i64")},
             {"index (1, 2)",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3)), GIVEN(HEED_I64, DIMS(1, 2), 0, 0)},
              .i = {0, 2},
              FAILS(HEED_ERR_SHAPE, ": indices (1, 2) for axis 0")},
             {"index (2)",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3)), GIVEN(HEED_I64, DIMS(2), 0, 0)},
              .i = {1, 2},
              FAILS(HEED_ERR_SHAPE, ": indices (2) for axis 1 of (2, 3)")},
             {"axis 2",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3)), GIVEN(HEED_I64, DIMS(2), 0, 0)},
              .i = {2, 2},
              FAILS(HEED_ERR_SHAPE, ": there is no axis 2")},
             {"axis INT_MIN",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3)), GIVEN(HEED_I64, DIMS(2), 0, 0)},
              .i = {INT_MIN, 2},
              FAILS(HEED_ERR_SHAPE, ": there is no axis -2147483648")},
             {"size -1",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3)), GIVEN(HEED_I64, DIMS(2), 0, 0)},
              .i = {0, -1},
              FAILS(HEED_ERR_SHAPE, ": (-1, 3)")},
             {"size INT64_MAX",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3)), GIVEN(HEED_I64, DIMS(2), 0, 0)},
              .i = {0, INT64_MAX},
              FAILS(HEED_ERR_SHAPE, ": (9223372036854775807, 3)")},
             {"index 4",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3)), GIVEN(HEED_I64, DIMS(2), 0, 4)},
              .i = {0, 4},
              FAILS(HEED_ERR_INDEX, ": index 4 at (1) is outside")},
             {"index -1",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3)), GIVEN(HEED_I64, DIMS(2), -1, 4)},
              .i = {0, 4},
              FAILS(HEED_ERR_INDEX, ": index -1 at (0) is outside")}),
    VALUES({"many rows", index_sum_many_rows, DIMS(2, 2), 0, (const double[]){0, 4998, 0, 4999}}))

/* -- bincount ------------------------------------------------------------------------------------------------------ */

#define BINS(name_, dims, size, least)                                                                                 \
    {                                                                                                                  \
        .name = name_, .n_inputs = 2, .in = {{.shape = dims, .kind = OP_INDEX, .high = size}, {.shape = dims}}, .i = { \
            least                                                                                                      \
        }                                                                                                              \
    }

RUN(bincount_alone, heed_bincount(in[0], NULL, c->i[0]))

ROW(bincount, heed_bincount(in[0], in[1], c->i[0]),
    CASES(BINS("(1)", DIMS(1), 1, 0), BINS("(5)", DIMS(5), 3, 0), BINS("(7) 9", DIMS(7), 4, 9),
          BINS("(0) 2", DIMS(0), 1, 2),
          {.name = "(5) alone",
           .run = bincount_alone,
           .n_inputs = 1,
           .in = {{.shape = DIMS(5), .kind = OP_INDEX, .high = 3}},
           .max_order = -1}),
    EXAMPLES(
        {"counts", {GIVEN(HEED_I64, DIMS(5), 2, 0, 2, 5, 0), {0}}, RESULT(DIMS(6), 0, 2, 0, 2, 0, 0, 1)},
        {"at least 8",
         {GIVEN(HEED_I64, DIMS(5), 2, 0, 2, 5, 0), {0}},
         .i = {8},
         RESULT(DIMS(8), 0, 2, 0, 2, 0, 0, 1, 0, 0)},
        {"at least 3", {GIVEN(HEED_I64, DIMS(5), 2, 0, 2, 5, 0), {0}}, .i = {3}, RESULT(DIMS(6), 0, 2, 0, 2, 0, 0, 1)},
        {"weighted",
         {GIVEN(HEED_I64, DIMS(5), 2, 0, 2, 5, 0), COUNTING(HEED_F32, DIMS(5))},
         RESULT(DIMS(6), 0, 5, 0, 2, 0, 0, 3)},
        {"nothing", {GIVEN_ONES(HEED_I64, DIMS(0)), {0}}, .i = {2}, RESULT(DIMS(2), 0, 0, 0)},
        {"nothing at all", {GIVEN_ONES(HEED_I64, DIMS(0)), {0}}, RESULT(DIMS(0), 0, 0)},
        {"NULL", {{0}, {0}}, FAILS(HEED_ERR_ARGUMENT, ":")},
        {"f64", {GIVEN_ONES(HEED_F64, DIMS(2)), {0}}, FAILS(HEED_ERR_DTYPE, ": the indices are f64 (2): must be i64")},
        {"(2, 1)", {GIVEN_ONES(HEED_I64, DIMS(2, 1)), {0}}, FAILS(HEED_ERR_SHAPE, ": x (2, 1), weights (2, 1)")},
        {"weights (4)",
         {GIVEN(HEED_I64, DIMS(5), 2, 0, 2, 5, 0), GIVEN_ONES(HEED_F64, DIMS(4))},
         FAILS(HEED_ERR_SHAPE, ": x (5), weights (4)")},
        {"bool weights",
         {GIVEN(HEED_I64, DIMS(5), 2, 0, 2, 5, 0), GIVEN_ONES(HEED_BOOL, DIMS(5))},
         FAILS(HEED_ERR_DTYPE, ": index_sum: the tensor is bool")},
        {"-1", {GIVEN(HEED_I64, DIMS(2), 3, -1), {0}}, FAILS(HEED_ERR_INDEX, ": index_sum: index -1 at (1)")},
        {"2^62", {GIVEN(HEED_I64, DIMS(1), 0x1p62), {0}}, FAILS(HEED_ERR_SHAPE, ": index_sum: (4611686018427387905)")},
        {"min_length -1",
         {GIVEN(HEED_I64, DIMS(5), 2, 0, 2, 5, 0), {0}},
         .i = {-1},
         FAILS(HEED_ERR_ARGUMENT, ": min_length is -1")}))

/* -- scatter and index_copy ---------------------------------------------------------------------------------------- */

/* Inputs x, src, index; i: axis. The cases have repeated indices. */
#define WRITTEN(name_, dims, src_dims, index_dims, size, axis)                                                         \
    {                                                                                                                  \
        .name = name_, .n_inputs = 3,                                                                                  \
        .in = {{.shape = dims}, {.shape = src_dims}, {.shape = index_dims, .kind = OP_INDEX, .high = size}}, .i = {    \
            axis                                                                                                       \
        }                                                                                                              \
    }
#define OF_ELEMENTS(name_, dims, index_dims, size, axis)                                                               \
    {                                                                                                                  \
        .name = name_, .n_inputs = 3,                                                                                  \
        .in = {{.shape = dims}, {.shape = index_dims}, {.shape = index_dims, .kind = OP_INDEX, .high = size}}, .i = {  \
            axis                                                                                                       \
        }                                                                                                              \
    }

static heed_tensor *written_twice(heed_tensor *src)
{
    return heed_scatter(heed_zeros(HEED_F64, HEED_SHAPE(3)), 0, INDICES(HEED_SHAPE(4), 2, 0, 2, 2), src);
}
GIVES(scatter_slope, gradient(written_twice, counting(HEED_F64, HEED_SHAPE(4))))

static heed_tensor *copied_twice(heed_tensor *src)
{
    return heed_index_copy(heed_zeros(HEED_F64, HEED_SHAPE(2, 3)), 1, INDICES(HEED_SHAPE(3), 2, 2, 0), src);
}
GIVES(index_copy_slope, gradient(copied_twice, counting(HEED_F64, HEED_SHAPE(2, 3))))

/* x with elements replaced by NaN, and NaN replaced, have gradients of 0 there. */
static heed_tensor *over_nan(heed_tensor *x)
{
    return heed_scatter(heed_square(x), 0, INDICES(HEED_SHAPE(1), 1), heed_zeros(HEED_F64, HEED_SHAPE(1)));
}
GIVES(replaced_slope, gradient(over_nan, HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 3, 5)))

/* x itself is unchanged. */
static heed_tensor *scatter_leaves_x(void)
{
    heed_tensor *x = heed_zeros(HEED_F64, HEED_SHAPE(2)), *one = heed_ones(HEED_F64, HEED_SHAPE(1));
    return heed_scatter(x, 0, INDICES(HEED_SHAPE(1), 1), one) ? x : NULL;
}

static const op_example bad_written[] = {
    {"x NULL", {{0}, GIVEN_ONES(HEED_F64, DIMS(2)), GIVEN_ONES(HEED_I64, DIMS(2))}, FAILS(HEED_ERR_ARGUMENT, ":")},
    {"src NULL", {GIVEN_ONES(HEED_F64, DIMS(2)), {0}, GIVEN_ONES(HEED_I64, DIMS(2))}, FAILS(HEED_ERR_ARGUMENT, ":")},
    {"index NULL", {GIVEN_ONES(HEED_F64, DIMS(2)), GIVEN_ONES(HEED_F64, DIMS(2)), {0}}, FAILS(HEED_ERR_ARGUMENT, ":")},
    {"f64 index",
     {GIVEN_ONES(HEED_F64, DIMS(2)), GIVEN_ONES(HEED_F64, DIMS(2)), GIVEN_ONES(HEED_F64, DIMS(2))},
     FAILS(HEED_ERR_DTYPE, ": the indices are f64 (2): must be i64")},
    {"f32 src",
     {GIVEN_ONES(HEED_F64, DIMS(2)), GIVEN_ONES(HEED_F32, DIMS(2)), GIVEN_ONES(HEED_I64, DIMS(2))},
     FAILS(HEED_ERR_DTYPE, ": x is f64, src is f32: must have the same dtype")},
    {"axis 1",
     {GIVEN_ONES(HEED_F64, DIMS(2)), GIVEN_ONES(HEED_F64, DIMS(2)), GIVEN_ONES(HEED_I64, DIMS(2))},
     .i = {1},
     FAILS(HEED_ERR_SHAPE, ": there is no axis 1")},
    {"axis INT_MIN",
     {GIVEN_ONES(HEED_F64, DIMS(2)), GIVEN_ONES(HEED_F64, DIMS(2)), GIVEN_ONES(HEED_I64, DIMS(2))},
     .i = {INT_MIN},
     FAILS(HEED_ERR_SHAPE, ": there is no axis -2147483648")},
    {"of ()",
     {GIVEN_ONES(HEED_F64, NO_DIMS), GIVEN_ONES(HEED_F64, NO_DIMS), GIVEN_ONES(HEED_I64, NO_DIMS)},
     FAILS(HEED_ERR_SHAPE, ": there is no axis 0")},
    {"index 2",
     {GIVEN_ONES(HEED_F64, DIMS(2)), GIVEN_ONES(HEED_F64, DIMS(2)), GIVEN(HEED_I64, DIMS(2), 0, 2)},
     FAILS(HEED_ERR_INDEX, ": index 2 at (1) is outside an axis of size 2")},
    {"index -1",
     {GIVEN_ONES(HEED_F64, DIMS(2)), GIVEN_ONES(HEED_F64, DIMS(2)), GIVEN(HEED_I64, DIMS(2), -1, 0)},
     FAILS(HEED_ERR_INDEX, ": index -1 at (0) is outside an axis of size 2")},
    {"of nothing",
     {GIVEN_ONES(HEED_F64, DIMS(0)), GIVEN_ONES(HEED_F64, DIMS(1)), GIVEN(HEED_I64, DIMS(1), 0)},
     FAILS(HEED_ERR_INDEX, ": index 0 at (0)")},
    {0}};

ROW(scatter, heed_scatter(in[0], (int)c->i[0], in[2], in[1]),
    CASES(OF_ELEMENTS("(1) (1)", DIMS(1), DIMS(1), 1, 0), OF_ELEMENTS("(5) (3)", DIMS(5), DIMS(3), 5, 0),
          OF_ELEMENTS("(2) (7)", DIMS(2), DIMS(7), 2, 0), OF_ELEMENTS("(5) (0)", DIMS(5), DIMS(0), 5, 0),
          OF_ELEMENTS("(3, 4) (5, 2) axis 0", DIMS(3, 4), DIMS(5, 2), 3, 0),
          OF_ELEMENTS("(3, 4) (2, 3) axis -1", DIMS(3, 4), DIMS(2, 3), 4, -1),
          OF_ELEMENTS("(2, 3, 5) (2, 4, 3) axis 1", DIMS(2, 3, 5), DIMS(2, 4, 3), 3, 1),
          OF_ELEMENTS("(0, 3) (0, 2) axis 1", DIMS(0, 3), DIMS(0, 2), 3, 1)),
    EXAMPLES({"rows",
              {GIVEN_ONES(HEED_F32, DIMS(3, 2)), GIVEN(HEED_F32, DIMS(2, 2), 5, 6, 7, 8),
               GIVEN(HEED_I64, DIMS(2, 2), 2, 0, 0, 1)},
              RESULT(DIMS(3, 2), 0, 7, 6, 1, 8, 5, 1)},
             {"the last wins",
              {GIVEN_ONES(HEED_I64, DIMS(2)), COUNTING(HEED_I64, DIMS(5)), GIVEN(HEED_I64, DIMS(5), 1, 1, 0, 1, 0)},
              RESULT(DIMS(2), 0, 4, 3)},
             {"bool, columns",
              {GIVEN(HEED_BOOL, DIMS(2, 2), 0, 0, 1, 1), GIVEN(HEED_BOOL, DIMS(2, 1), 1, 0),
               GIVEN(HEED_I64, DIMS(2, 1), 1, 0)},
              .i = {-1},
              RESULT(DIMS(2, 2), 0, 0, 1, 0, 1)},
             {"src (3)",
              {GIVEN_ONES(HEED_F64, DIMS(3)), GIVEN_ONES(HEED_F64, DIMS(3)), GIVEN_ONES(HEED_I64, DIMS(2))},
              FAILS(HEED_ERR_SHAPE, ": indices (2) for src (3): must have the same shape")},
             {"index (2, 4)",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3)), GIVEN_ONES(HEED_F64, DIMS(2, 4)), GIVEN_ONES(HEED_I64, DIMS(2, 4))},
              FAILS(HEED_ERR_SHAPE, ": indices (2, 4) do not fit (2, 3) along axis 0")}),
    VALUES({"gradient of src", scatter_slope, DIMS(4), 0, (const double[]){0, 1, 0, 1}},
           {"gradient of replaced elements", replaced_slope, DIMS(2), 0, (const double[]){6, 0}},
           {"a copy", scatter_leaves_x, DIMS(2), 0, (const double[]){0, 0}}),
    .shared = {{.examples = bad_written}})

ROW(index_copy, heed_index_copy(in[0], (int)c->i[0], in[2], in[1]),
    CASES(WRITTEN("(1) (1)", DIMS(1), DIMS(1), DIMS(1), 1, 0), WRITTEN("(5) (3)", DIMS(5), DIMS(3), DIMS(3), 5, 0),
          WRITTEN("(2) (7)", DIMS(2), DIMS(7), DIMS(7), 2, 0), WRITTEN("(5) (0)", DIMS(5), DIMS(0), DIMS(0), 5, 0),
          WRITTEN("(3, 4) axis 0", DIMS(3, 4), DIMS(2, 4), DIMS(2), 3, 0),
          WRITTEN("(3, 4) axis -1", DIMS(3, 4), DIMS(3, 5), DIMS(5), 4, -1),
          WRITTEN("(2, 3, 5) axis 1", DIMS(2, 3, 5), DIMS(2, 4, 5), DIMS(4), 3, 1),
          WRITTEN("(0, 3) axis 1", DIMS(0, 3), DIMS(0, 2), DIMS(2), 3, 1)),
    EXAMPLES(
        {"rows",
         {GIVEN_ONES(HEED_F32, DIMS(3, 2)), GIVEN(HEED_F32, DIMS(2, 2), 5, 6, 7, 8), GIVEN(HEED_I64, DIMS(2), 2, 0)},
         RESULT(DIMS(3, 2), 0, 7, 8, 1, 1, 5, 6)},
        {"the last wins",
         {GIVEN_ONES(HEED_I64, DIMS(2)), COUNTING(HEED_I64, DIMS(5)), GIVEN(HEED_I64, DIMS(5), 1, 1, 0, 1, 0)},
         RESULT(DIMS(2), 0, 4, 3)},
        {"bool, columns",
         {GIVEN(HEED_BOOL, DIMS(2, 2), 0, 0, 1, 1), GIVEN(HEED_BOOL, DIMS(2, 1), 1, 0), GIVEN(HEED_I64, DIMS(1), 1)},
         .i = {-1},
         RESULT(DIMS(2, 2), 0, 0, 1, 1, 0)},
        {"src (3)",
         {GIVEN_ONES(HEED_F64, DIMS(3)), GIVEN_ONES(HEED_F64, DIMS(3)), GIVEN_ONES(HEED_I64, DIMS(2))},
         FAILS(HEED_ERR_SHAPE, ": indices (2) and src (3) do not fit axis 0 of (3)")},
        {"index (1, 2)",
         {GIVEN_ONES(HEED_F64, DIMS(3)), GIVEN_ONES(HEED_F64, DIMS(2)), GIVEN_ONES(HEED_I64, DIMS(1, 2))},
         FAILS(HEED_ERR_SHAPE, ": indices (1, 2) and src (2) do not fit axis 0 of (3)")}),
    VALUES({"gradient of src", index_copy_slope, DIMS(2, 3), 0, (const double[]){0, 1, 1, 0, 1, 1}}),
    .shared = {{.examples = bad_written}})
