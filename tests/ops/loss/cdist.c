/* tests/ops/loss/cdist.c - cases of heed_cdist: a row (rows.h).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "losses.h"

/* Points without equal coordinates, for derivatives of p < 2 and p = inf. */
static const double apart_a[] = {0.3, -1.2, 0.8, 1.1, -0.4, 2.0, -0.9, 1.6, 0.1},
                    apart_b[] = {-0.3, 0.5, -1.3, 1.9, 1.2, 0.6};

#define DISTANCES(name_, a, b, number)                                                                                 \
    {                                                                                                                  \
        .name = name_, .n_inputs = 2, .in = {{.shape = a}, {.shape = b}}, .p = { number }                              \
    }
#define APART(name_, number)                                                                                           \
    {                                                                                                                  \
        .name = name_, .n_inputs = 2,                                                                                  \
        .in = {{.shape = DIMS(1, 3, 3), .values = apart_a}, {.shape = DIMS(2, 3), .values = apart_b}}, .p = {          \
            number                                                                                                     \
        }                                                                                                              \
    }

/* Two rows that are equal, and one at a distance of (3, 4). */
#define EQUAL_ROWS GIVEN(HEED_F64, DIMS(2, 2), 1, 2, 4, 6), GIVEN(HEED_F64, DIMS(1, 2), 1, 2)
#define POINTS(dtype) GIVEN(dtype, DIMS(2, 2), 0, 0, 3, 4), GIVEN(dtype, DIMS(1, 2), 3, 4)
/* Rows whose squares overflow and underflow in f64. */
#define EXTREMES GIVEN(HEED_F64, DIMS(2, 2), 3e200, 4e200, 3e-200, 4e-200), GIVEN(HEED_F64, DIMS(1, 2), 0, 0)
#define SPECIAL GIVEN(HEED_F64, DIMS(3, 2), INFINITY, 1, NAN, 1, 0, 1), GIVEN(HEED_F64, DIMS(1, 2), 0, 1)

/* More rows and more terms than a tile has. */
static heed_tensor *many(double p)
{
    heed_tensor *a = heed_sin(counting(HEED_F64, HEED_SHAPE(2, 37, 130)));
    heed_tensor *b = heed_cos(counting(HEED_F64, HEED_SHAPE(2, 35, 130)));
    heed_tensor *d = heed_sub(heed_unsqueeze(a, 2), heed_unsqueeze(b, 1));
    return heed_max(heed_abs(heed_sub(heed_cdist(a, b, p), heed_norm(d, p, HEED_AXES(3), false))));
}

GIVES(many_0, many(0))
GIVES(many_1, many(1))
GIVES(many_2, many(2))
GIVES(many_3, many(3))
GIVES(many_infinity, many((double)INFINITY))

/* Points 1e-6 apart and 1 from the origin, in f32: |a|^2 + |b|^2 - 2 a b would be 0 or wrong in its first digit. */
GIVES(near_points, heed_cdist(HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 2), 1.0, 1.0),
                              HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 2), 1.0 + 0x1p-20, 1.0), 2))

/* The gradient of a gradient at equal rows is finite. */
static heed_tensor *second_at_equal_rows(double p)
{
    heed_tensor *a = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), true), *dx = NULL, *d2x = NULL;
    heed_tensor *y = heed_sum(heed_cdist(a, heed_ones(HEED_F64, HEED_SHAPE(1, 3)), p));
    if (!y || heed_grad(&y, 1, &a, 1, &dx, &(heed_grad_options){.create_graph = true}) != HEED_OK)
        return NULL;
    heed_tensor *sum = heed_sum(heed_mul(dx, dx));
    return heed_grad(&sum, 1, &a, 1, &d2x, NULL) == HEED_OK ? d2x : NULL;
}

GIVES(second_2, second_at_equal_rows(2))
GIVES(second_1_5, second_at_equal_rows(1.5))
GIVES(second_3, second_at_equal_rows(3))

GIVES(rank_8, heed_sum(heed_cdist(heed_ones(HEED_F64, HEED_SHAPE(1, 2, 1, 1, 1, 2, 3, 2)),
                                  heed_zeros(HEED_F64, HEED_SHAPE(2, 2, 2)), 1)))

ROW(cdist, heed_cdist(in[0], in[1], c->p[0]),
    CASES(DISTANCES("(2, 3) (4, 3) p 2", DIMS(2, 3), DIMS(4, 3), 2),
          DISTANCES("(2, 3, 2) (2, 1, 2) p 2", DIMS(2, 3, 2), DIMS(2, 1, 2), 2),
          DISTANCES("(2, 1, 2, 3) (3, 2, 3) p 2", DIMS(2, 1, 2, 3), DIMS(3, 2, 3), 2),
          DISTANCES("(2, 3) (4, 3) p 3", DIMS(2, 3), DIMS(4, 3), 3),
          DISTANCES("(2, 40) (3, 40) p 2", DIMS(2, 40), DIMS(3, 40), 2),
          DISTANCES("(0, 3) (2, 3)", DIMS(0, 3), DIMS(2, 3), 2), DISTANCES("(2, 3) (0, 3)", DIMS(2, 3), DIMS(0, 3), 2),
          DISTANCES("(2, 0) (3, 0)", DIMS(2, 0), DIMS(3, 0), 2),
          DISTANCES("(0, 2, 3) (2, 3)", DIMS(0, 2, 3), DIMS(2, 3), 1), APART("p 0", 0), APART("p 0.5", 0.5),
          APART("p 1", 1), APART("p 1.5", 1.5), APART("p 4", 4), APART("p inf", (double)INFINITY)),
    EXAMPLES(
        {"p 2", {POINTS(HEED_F32)}, .p = {2}, RESULT(DIMS(2, 1), 0, 5, 0)},
        {"p 1", {POINTS(HEED_F64)}, .p = {1}, RESULT(DIMS(2, 1), 0, 7, 0)},
        {"p inf", {POINTS(HEED_F64)}, .p = {(double)INFINITY}, RESULT(DIMS(2, 1), 0, 4, 0)},
        {"p 0", {POINTS(HEED_F64)}, .p = {0}, RESULT(DIMS(2, 1), 0, 2, 0)},
        {"p 3", {POINTS(HEED_F64)}, .p = {3}, RESULT(DIMS(2, 1), 1e-15, 4.497941445275415, 0)},
        {"gradient, p 2", {EQUAL_ROWS}, .p = {2}, .slope = 1, RESULT(DIMS(2, 2), 1e-15, 0, 0, 0.6, 0.8)},
        {"gradient, p 1", {EQUAL_ROWS}, .p = {1}, .slope = 2, RESULT(DIMS(1, 2), 0, -1, -1)},
        {"gradient, p 1.5",
         {EQUAL_ROWS},
         .p = {1.5},
         .slope = 2,
         RESULT(DIMS(1, 2), 1e-14, -0.7329564758289749, -0.8463452372482761)},
        {"gradient, p 0.5",
         {EQUAL_ROWS},
         .p = {0.5},
         .slope = 2,
         RESULT(DIMS(1, 2), 1e-14, -2.1547005383792515, -1.8660254037844386)},
        {"gradient, p inf", {EQUAL_ROWS}, .p = {(double)INFINITY}, .slope = 2, RESULT(DIMS(1, 2), 0, 0, -1)},
        {"gradient, p 0", {EQUAL_ROWS}, .p = {0}, .slope = 1, RESULT(DIMS(2, 2), 0, 0, 0, 0, 0)},
        {"extremes, p 2", {EXTREMES}, .p = {2}, RESULT(DIMS(2, 1), 1e-15, 5e200, 5e-200)},
        {"extremes, p 3",
         {EXTREMES},
         .p = {3},
         RESULT(DIMS(2, 1), 1e-14, 4.497941445275415e200, 4.497941445275415e-200)},
        {"gradient of extremes", {EXTREMES}, .p = {2}, .slope = 1, RESULT(DIMS(2, 2), 1e-15, 0.6, 0.8, 0.6, 0.8)},
        {"special, p 2", {SPECIAL}, .p = {2}, RESULT(DIMS(3, 1), 0, INFINITY, NAN, 0)},
        {"special, p 3", {SPECIAL}, .p = {3}, RESULT(DIMS(3, 1), 0, INFINITY, NAN, 0)},
        {"special, p inf", {SPECIAL}, .p = {(double)INFINITY}, RESULT(DIMS(3, 1), 0, INFINITY, NAN, 0)},
        {"special, p 0", {SPECIAL}, .p = {0}, RESULT(DIMS(3, 1), 0, 1, NAN, 0)},
        {"NULL", {{0}, TWO(HEED_F64)}, FAILS(HEED_ERR_ARGUMENT, ":")},
        {"b NULL", {TWO(HEED_F64)}, FAILS(HEED_ERR_ARGUMENT, ":")},
        {"f64 and f32", {TWO(HEED_F64), TWO(HEED_F32)}, FAILS(HEED_ERR_DTYPE, ": the tensors are f64")},
        {"i64", {TWO(HEED_I64), TWO(HEED_I64)}, FAILS(HEED_ERR_DTYPE, ": the tensors are i64")},
        {"rank 1",
         {TWO(HEED_F64), TWO(HEED_F64)},
         .p = {2},
         FAILS(HEED_ERR_SHAPE, ": a is (2) and b is (2): must be (..., P, M) and (..., R, M)")},
        {"(2, 3) and (2, 2)",
         {GIVEN_ONES(HEED_F64, DIMS(2, 3)), GIVEN_ONES(HEED_F64, DIMS(2, 2))},
         .p = {2},
         FAILS(HEED_ERR_SHAPE, ": a is (2, 3) and b is (2, 2): must be (..., P, M)")},
        {"batches of 2 and 3",
         {GIVEN_ONES(HEED_F64, DIMS(2, 1, 2)), GIVEN_ONES(HEED_F64, DIMS(3, 1, 2))},
         .p = {2},
         FAILS(HEED_ERR_SHAPE, ": a is (2, 1, 2) and b is (3, 1, 2): must be")},
        {"p -1", {POINTS(HEED_F64)}, .p = {-1}, FAILS(HEED_ERR_ARGUMENT, ": p is -1: must be 0 or more")},
        {"p NaN", {POINTS(HEED_F64)}, .p = {(double)NAN}, FAILS(HEED_ERR_ARGUMENT, ": p is nan: must be 0 or more")}),
    VALUES({"many, p 0", many_0, NO_DIMS, 0, (const double[]){0}},
           {"many, p 1", many_1, NO_DIMS, 1e-12, (const double[]){0}},
           {"many, p 2", many_2, NO_DIMS, 1e-13, (const double[]){0}},
           {"many, p 3", many_3, NO_DIMS, 1e-13, (const double[]){0}},
           {"many, p inf", many_infinity, NO_DIMS, 0, (const double[]){0}},
           {"near points", near_points, DIMS(1, 1), 0, (const double[]){0x1p-20}},
           {"second gradient, p 2", second_2, DIMS(2, 3), 0, (const double[]){0, 0, 0, 0, 0, 0}},
           {"second gradient, p 1.5", second_1_5, DIMS(2, 3), 0, (const double[]){0, 0, 0, 0, 0, 0}},
           {"second gradient, p 3", second_3, DIMS(2, 3), 0, (const double[]){0, 0, 0, 0, 0, 0}},
           {"rank 8", rank_8, NO_DIMS, 0, (const double[]){48}}))
