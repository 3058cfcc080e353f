/* tests/ops/shape/diagonals.c - diagonals and triangles of matrices: a row per op (rows.h).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "rows.h"

#include <limits.h>

/* -- diagonal ------------------------------------------------------------------------------------------------------ */

/* Writing to the view writes to the matrix. */
static heed_tensor *diagonal_written(void)
{
    heed_tensor *x = heed_zeros(HEED_F32, HEED_SHAPE(2, 2)), *y = heed_diagonal(x, 0, 0, 1);
    return y && heed_fill_(y, 5) == HEED_OK ? x : NULL;
}

ROW(diagonal, heed_diagonal(in[0], c->i[0], (int)c->i[1], (int)c->i[2]),
    CASES(ONE("(1, 1)", NULL, DIMS(1, 1), .i = {0, 0, 1}), ONE("(3, 3)", NULL, DIMS(3, 3), .i = {0, 0, 1}),
          ONE("(2, 5) 2", NULL, DIMS(2, 5), .i = {2, 0, 1}), ONE("(5, 2) -3", NULL, DIMS(5, 2), .i = {-3, 0, 1}),
          ONE("(5, 2) 1, turned", NULL, DIMS(5, 2), .i = {1, 1, 0}),
          ONE("(2, 3, 4) axes 0, 2", NULL, DIMS(2, 3, 4), .i = {1, 0, 2}),
          ONE("(2, 3, 1, 2) axes -2, 1", NULL, DIMS(2, 3, 1, 2), .i = {0, -2, 1}),
          ONE("(2, 3) outside", NULL, DIMS(2, 3), .i = {-7, 0, 1}), ONE("(0, 3)", NULL, DIMS(0, 3), .i = {1, 0, 1})),
    EXAMPLES(
        {"main diagonal", {COUNTING(HEED_F64, DIMS(2, 3))}, .i = {0, 0, 1}, RESULT(DIMS(2), 0, 0, 4)},
        {"above", {COUNTING(HEED_F64, DIMS(2, 3))}, .i = {2, 0, 1}, RESULT(DIMS(1), 0, 2)},
        {"below", {COUNTING(HEED_F64, DIMS(2, 3))}, .i = {-1, 0, 1}, RESULT(DIMS(1), 0, 3)},
        {"turned", {COUNTING(HEED_F64, DIMS(2, 3))}, .i = {1, 1}, RESULT(DIMS(1), 0, 3)},
        {"outside", {COUNTING(HEED_F64, DIMS(2, 3))}, .i = {3, 0, 1}, RESULT(DIMS(0), 0, 0)},
        {"INT64_MAX", {COUNTING(HEED_F64, DIMS(2, 3))}, .i = {INT64_MAX, 0, 1}, RESULT(DIMS(0), 0, 0)},
        {"INT64_MIN", {COUNTING(HEED_F64, DIMS(2, 3))}, .i = {INT64_MIN, 0, 1}, RESULT(DIMS(0), 0, 0)},
        {"batch", {COUNTING(HEED_I64, DIMS(2, 2, 2))}, .i = {0, 0, -1}, RESULT(DIMS(2, 2), 0, 0, 5, 2, 7)},
        {"NULL", {{0}}, .i = {0, 0, 1}, FAILS(HEED_ERR_ARGUMENT, ":")},
        {"(3)", {GIVEN_ONES(HEED_F64, DIMS(3))}, .i = {0, 0, 1}, FAILS(HEED_ERR_SHAPE, ": there is no axis 1")},
        {"axes 1, -1",
         {COUNTING(HEED_F64, DIMS(2, 3))},
         .i = {0, 1, -1},
         FAILS(HEED_ERR_SHAPE, ": axis 1 of (2, 3) is given twice")},
        {"axis 2", {COUNTING(HEED_F64, DIMS(2, 3))}, .i = {0, 0, 2}, FAILS(HEED_ERR_SHAPE, ": there is no axis 2")},
        {"axis INT_MIN",
         {COUNTING(HEED_F64, DIMS(2, 3))},
         .i = {0, INT_MIN},
         FAILS(HEED_ERR_SHAPE, ": there is no axis -2147483648")}),
    VALUES({"a view", diagonal_written, DIMS(2, 2), 0, (const double[]){5, 0, 0, 5}}))

/* -- diag ---------------------------------------------------------------------------------------------------------- */

ROW(diag, heed_diag(in[0], c->i[0]),
    CASES(ONE("(1)", NULL, DIMS(1), .i = {0}), ONE("(3)", NULL, DIMS(3), .i = {0}),
          ONE("(3) 2", NULL, DIMS(3), .i = {2}), ONE("(2) -1", NULL, DIMS(2), .i = {-1}),
          ONE("(0)", NULL, DIMS(0), .i = {0}), ONE("(0) 2", NULL, DIMS(0), .i = {2}),
          ONE("(2, 3) 1", NULL, DIMS(2, 3), .i = {1}), ONE("(5, 2) -3", NULL, DIMS(5, 2), .i = {-3})),
    EXAMPLES({"matrix", {GIVEN(HEED_F32, DIMS(2), 1, 2)}, RESULT(DIMS(2, 2), 0, 1, 0, 0, 2)},
             {"above", {GIVEN(HEED_F32, DIMS(2), 1, 2)}, .i = {1}, RESULT(DIMS(3, 3), 0, 0, 1, 0, 0, 0, 2, 0, 0, 0)},
             {"below", {GIVEN(HEED_F32, DIMS(2), 1, 2)}, .i = {-1}, RESULT(DIMS(3, 3), 0, 0, 0, 0, 1, 0, 0, 0, 2, 0)},
             {"of a matrix", {COUNTING(HEED_I64, DIMS(2, 3))}, .i = {1}, RESULT(DIMS(2), 0, 1, 5)},
             {"bool", {GIVEN_ONES(HEED_BOOL, DIMS(2))}, RESULT(DIMS(2, 2), 0, 1, 0, 0, 1)},
             {"of nothing", {GIVEN_ONES(HEED_F64, DIMS(0))}, .i = {-2}, RESULT(DIMS(2, 2), 0, 0, 0, 0, 0)},
             {"NULL", {{0}}, FAILS(HEED_ERR_ARGUMENT, ":")},
             {"()", {GIVEN_ONES(HEED_F64, NO_DIMS)}, FAILS(HEED_ERR_SHAPE, ": () is neither a vector nor a matrix")},
             {"(1, 1, 1)", {GIVEN_ONES(HEED_F64, DIMS(1, 1, 1))}, FAILS(HEED_ERR_SHAPE, ": (1, 1, 1) is neither")},
             {"INT64_MIN",
              {GIVEN(HEED_F32, DIMS(2), 1, 2)},
              .i = {INT64_MIN},
              FAILS(HEED_ERR_SHAPE, ": offset is -9223372036854775808: the matrix would be too large")},
             {"INT64_MAX",
              {GIVEN(HEED_F32, DIMS(2), 1, 2)},
              .i = {INT64_MAX},
              FAILS(HEED_ERR_SHAPE, ": offset is 9223372036854775807: the matrix would be too large")},
             {"2^40",
              {GIVEN(HEED_F32, DIMS(2), 1, 2)},
              .i = {INT64_C(1) << 40},
              FAILS(HEED_ERR_SHAPE, ": (1099511627778, 1099511627778)")}))

/* -- tril ---------------------------------------------------------------------------------------------------------- */

ROW(tril, heed_tril(in[0], c->i[0]),
    CASES(ONE("(1, 1)", NULL, DIMS(1, 1), .i = {0}), ONE("(2, 3)", NULL, DIMS(2, 3), .i = {0}),
          ONE("(3, 2) 1", NULL, DIMS(3, 2), .i = {1}), ONE("(5, 7) -2", NULL, DIMS(5, 7), .i = {-2}),
          ONE("(2, 3, 5) 2", NULL, DIMS(2, 3, 5), .i = {2}), ONE("(2, 1, 2, 3) 0", NULL, DIMS(2, 1, 2, 3), .i = {0}),
          ONE("(0, 3) 0", NULL, DIMS(0, 3), .i = {0}), ONE("(3, 0) 0", NULL, DIMS(3, 0), .i = {0})),
    EXAMPLES(
        {"main diagonal", {GIVEN(HEED_F64, DIMS(2, 3), 1, 2, 3, 4, 5, 6)}, RESULT(DIMS(2, 3), 0, 1, 0, 0, 4, 5, 0)},
        {"above", {GIVEN(HEED_F64, DIMS(2, 3), 1, 2, 3, 4, 5, 6)}, .i = {1}, RESULT(DIMS(2, 3), 0, 1, 2, 0, 4, 5, 6)},
        {"below", {GIVEN(HEED_F64, DIMS(2, 3), 1, 2, 3, 4, 5, 6)}, .i = {-1}, RESULT(DIMS(2, 3), 0, 0, 0, 0, 4, 0, 0)},
        {"INT64_MAX",
         {GIVEN(HEED_F64, DIMS(2, 3), 1, 2, 3, 4, 5, 6)},
         .i = {INT64_MAX},
         RESULT(DIMS(2, 3), 0, 1, 2, 3, 4, 5, 6)},
        {"INT64_MIN",
         {GIVEN(HEED_F64, DIMS(2, 3), 1, 2, 3, 4, 5, 6)},
         .i = {INT64_MIN},
         RESULT(DIMS(2, 3), 0, 0, 0, 0, 0, 0, 0)},
        {"bool", {GIVEN_ONES(HEED_BOOL, DIMS(2, 2))}, RESULT(DIMS(2, 2), 0, 1, 0, 1, 1)},
        {"i64", {COUNTING(HEED_I64, DIMS(2, 1, 2))}, RESULT(DIMS(2, 1, 2), 0, 0, 0, 2, 0)},
        /* The elements that become 0 are not read. */
        {"NaN outside", {GIVEN(HEED_F32, DIMS(1, 3), NAN, NAN, NAN)}, .i = {-1}, RESULT(DIMS(1, 3), 0, 0, 0, 0)},
        {"NULL", {{0}}, FAILS(HEED_ERR_ARGUMENT, ":")},
        {"(3)", {GIVEN_ONES(HEED_F64, DIMS(3))}, FAILS(HEED_ERR_SHAPE, ": x is (3): must have at least 2 axes")}))

/* -- triu ---------------------------------------------------------------------------------------------------------- */

ROW(triu, heed_triu(in[0], c->i[0]),
    CASES(ONE("(1, 1)", NULL, DIMS(1, 1), .i = {0}), ONE("(2, 3)", NULL, DIMS(2, 3), .i = {0}),
          ONE("(3, 2) 1", NULL, DIMS(3, 2), .i = {1}), ONE("(5, 7) -2", NULL, DIMS(5, 7), .i = {-2}),
          ONE("(2, 3, 5) 2", NULL, DIMS(2, 3, 5), .i = {2}), ONE("(2, 1, 2, 3) 0", NULL, DIMS(2, 1, 2, 3), .i = {0}),
          ONE("(0, 3) 0", NULL, DIMS(0, 3), .i = {0}), ONE("(3, 0) 0", NULL, DIMS(3, 0), .i = {0})),
    EXAMPLES(
        {"main diagonal", {GIVEN(HEED_F64, DIMS(2, 3), 1, 2, 3, 4, 5, 6)}, RESULT(DIMS(2, 3), 0, 1, 2, 3, 0, 5, 6)},
        {"above", {GIVEN(HEED_F64, DIMS(2, 3), 1, 2, 3, 4, 5, 6)}, .i = {1}, RESULT(DIMS(2, 3), 0, 0, 2, 3, 0, 0, 6)},
        {"below", {GIVEN(HEED_F64, DIMS(2, 3), 1, 2, 3, 4, 5, 6)}, .i = {-1}, RESULT(DIMS(2, 3), 0, 1, 2, 3, 4, 5, 6)},
        {"INT64_MAX",
         {GIVEN(HEED_F64, DIMS(2, 3), 1, 2, 3, 4, 5, 6)},
         .i = {INT64_MAX},
         RESULT(DIMS(2, 3), 0, 0, 0, 0, 0, 0, 0)},
        {"INT64_MIN",
         {GIVEN(HEED_F64, DIMS(2, 3), 1, 2, 3, 4, 5, 6)},
         .i = {INT64_MIN},
         RESULT(DIMS(2, 3), 0, 1, 2, 3, 4, 5, 6)},
        {"bool", {GIVEN_ONES(HEED_BOOL, DIMS(2, 2))}, RESULT(DIMS(2, 2), 0, 1, 1, 0, 1)},
        {"i64", {COUNTING(HEED_I64, DIMS(2, 1, 2))}, RESULT(DIMS(2, 1, 2), 0, 0, 1, 2, 3)},
        /* Elements outside are not read. */
        {"NaN outside", {GIVEN(HEED_F32, DIMS(1, 3), NAN, NAN, NAN)}, .i = {3}, RESULT(DIMS(1, 3), 0, 0, 0, 0)},
        {"NULL", {{0}}, FAILS(HEED_ERR_ARGUMENT, ":")},
        {"(3)", {GIVEN_ONES(HEED_F64, DIMS(3))}, FAILS(HEED_ERR_SHAPE, ": x is (3): must have at least 2 axes")}))
