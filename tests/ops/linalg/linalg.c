/* tests/ops/linalg/linalg.c - cases of Cholesky factors, linear systems, inverses and determinants.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "rows.h"

/* -- Matrices ------------------------------------------------------------------------------------------------------ */

static heed_tensor *turned(heed_tensor *x)
{
    return heed_transpose(x, -2, -1);
}

/* x + c times the identity. */
static heed_tensor *shifted(heed_tensor *x, double c)
{
    if (!x) /* without memory */
        return NULL;
    const heed_shape shape = heed_shape_of(x);
    return heed_add(
        x, heed_mul_scalar(heed_eye(heed_dtype_of(x), shape.dims[shape.rank - 1], shape.dims[shape.rank - 1]), c));
}

/* A symmetric positive definite matrix for every matrix x (n, m). */
static heed_tensor *definite(heed_tensor *x)
{
    return shifted(heed_matmul(x, turned(x)), 2);
}

/* Numbers in -1 .. 1 without a pattern. */
static heed_tensor *noise(heed_shape shape)
{
    return heed_sin(
        heed_mul_scalar(heed_square(heed_add_scalar(heed_mul_scalar(counting(HEED_F64, shape), 0.37), 1)), 1.3));
}

/* The largest magnitude of a - b. */
static heed_tensor *distance(heed_tensor *a, heed_tensor *b)
{
    return heed_max(heed_abs(heed_sub(a, b)));
}

static heed_tensor *same_with_threads(heed_tensor *(*f)(void))
{
    const int before = heed_num_threads();
    (void)heed_set_num_threads(1);
    heed_tensor *one = f();
    (void)heed_set_num_threads(3);
    heed_tensor *three = f();
    (void)heed_set_num_threads(before);
    return heed_all(heed_compare(one, HEED_COMPARE_EQ, three), HEED_ALL_AXES, false);
}

#define SQUARE_ERRORS                                                                                                  \
    {"NULL", {{0}}, FAILS(HEED_ERR_ARGUMENT, ":")},                                                                    \
        {"(3)", {GIVEN_ONES(HEED_F64, DIMS(3))}, FAILS(HEED_ERR_SHAPE, ": a is (3): must be square matrices")},        \
        {"(2, 3)", {GIVEN_ONES(HEED_F64, DIMS(2, 3))}, FAILS(HEED_ERR_SHAPE, ": a is (2, 3): must be square")},        \
    {                                                                                                                  \
        "i64", {GIVEN_ONES(HEED_I64, DIMS(2, 2))}, FAILS(HEED_ERR_DTYPE, ":")                                          \
    }

/* Sizes below, at and above a block, and a panel, of src/ops/linalg/blocks.c. */
static const int64_t sizes[] = {1, 15, 16, 17, 33, 95, 96, 97, 113, 208};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

/* The largest error of a function of a size. */
static heed_tensor *worst(heed_tensor *(*error)(int64_t n))
{
    heed_tensor *most = error(sizes[0]);
    for (int i = 1; i < SIZES; i++)
        most = heed_maximum(most, error(sizes[i]));
    return most;
}

/* -- cholesky ------------------------------------------------------------------------------------------------------ */

RUN(definite_run, heed_cholesky(definite(in[0]), c->i[0]))

static heed_tensor *factor_error(int64_t n)
{
    heed_tensor *a = definite(noise(HEED_SHAPE(2, n, n))), *l = heed_cholesky(a, false);
    heed_tensor *u = heed_cholesky(a, true);
    return heed_maximum(distance(heed_matmul(l, turned(l)), a), distance(heed_matmul(turned(u), u), a));
}

GIVES(factors_of_all_sizes, worst(factor_error))
GIVES(large_factor, heed_cholesky(definite(noise(HEED_SHAPE(300, 300))), false))
GIVES(factor_with_threads, same_with_threads(large_factor))

/* The 3rd matrix has -1 at the index 20 of its diagonal. */
static heed_tensor *indefinite(void)
{
    heed_tensor *a = heed_clone(heed_expand(heed_eye(HEED_F64, 40, 40), HEED_SHAPE(2, 2, 40, 40)));
    return heed_cholesky(heed_set_(a, HEED_INDEX(1, 0, 20, 20), -1) == HEED_OK ? a : NULL, false);
}

ROW(cholesky, heed_cholesky(in[0], c->i[0]),
    CASES(ONE("(1, 1)", definite_run, DIMS(1, 1), .i = {0}), ONE("(2, 2)", definite_run, DIMS(2, 2), .i = {0}),
          ONE("(3, 3)", definite_run, DIMS(3, 3), .i = {0}), ONE("(3, 2) upper", definite_run, DIMS(3, 2), .i = {1}),
          ONE("(2, 3, 3)", definite_run, DIMS(2, 3, 3), .i = {0}),
          ONE("(2, 1, 2, 2) upper", definite_run, DIMS(2, 1, 2, 2), .i = {1}),
          ONE("(18, 2)", definite_run, DIMS(18, 2), .i = {0}), ONE("(0, 0)", definite_run, DIMS(0, 0), .i = {0}),
          ONE("(0, 2, 2)", definite_run, DIMS(0, 2, 2), .i = {0}),
          ONE("(2, 0, 0) upper", definite_run, DIMS(2, 0, 0), .i = {1})),
    EXAMPLES({"lower",
              {GIVEN(HEED_F64, DIMS(3, 3), 4, NAN, NAN, 2, 10, NAN, 6, 9, 14)},
              RESULT(DIMS(3, 3), 0, 2, 0, 0, 1, 3, 0, 3, 2, 1)},
             {"upper",
              {GIVEN(HEED_F32, DIMS(3, 3), 4, 2, 6, NAN, 10, 9, NAN, NAN, 14)},
              .i = {1},
              RESULT(DIMS(3, 3), 0, 2, 1, 3, 0, 3, 2, 0, 0, 1)},
             {"not definite",
              {GIVEN(HEED_F64, DIMS(2, 2, 2), 1, 0, 0, 1, 1, 2, 2, 1)},
              FAILS(HEED_ERR_ARGUMENT, ": matrix 1 of a (2, 2, 2) is not positive definite: pivot 1 is not above 0")},
             {"zeros",
              {GIVEN(HEED_F64, DIMS(1, 1), 0)},
              FAILS(HEED_ERR_ARGUMENT, ": matrix 0 of a (1, 1) is not positive definite: pivot 0 is not above 0")},
             {"NaN",
              {GIVEN(HEED_F64, DIMS(2, 2), 1, 0, NAN, 1)},
              FAILS(HEED_ERR_ARGUMENT, ": matrix 0 of a (2, 2): NaN in row 1: the matrix contains NaN or infinity")},
             SQUARE_ERRORS),
    VALUES({"all sizes", factors_of_all_sizes, NO_DIMS, 1e-12, (const double[]){0}},
           {"threads", factor_with_threads, NO_DIMS, 0, (const double[]){1}}),
    ERRORS({"not definite, large", indefinite, HEED_ERR_ARGUMENT,
            "cholesky: matrix 2 of a (2, 2, 40, 40) is not positive definite: pivot 20 is not above 0"}))

/* -- solve_triangular ---------------------------------------------------------------------------------------------- */

/* i: upper, transpose, right, unit diagonal */
static heed_tensor *triangular(heed_tensor *a, heed_tensor *b, const int64_t *i)
{
    return heed_solve_triangular(
        a, b, &(heed_triangular_options){.upper = i[0], .transpose = i[1], .right = i[2], .unit_diagonal = i[3]});
}

RUN(triangular_run, triangular(shifted(in[0], 5), in[1], c->i))

#define TRIANGULAR(name_, a, b, ...)                                                                                   \
    {                                                                                                                  \
        .name = name_, .run = triangular_run, .n_inputs = 2, .in = {{.shape = a}, {.shape = b}}, .i = { __VA_ARGS__ }  \
    }

/* The error of a x = b or x a = b for all 16 options. */
static heed_tensor *triangular_error(int64_t n)
{
    heed_tensor *a = shifted(heed_mul_scalar(noise(HEED_SHAPE(n, n)), 2.0 / (double)n), 1);
    heed_tensor *b = noise(HEED_SHAPE(n, 37)), *most = heed_zeros(HEED_F64, HEED_SCALAR);
    for (int64_t k = 0; k < 16; k++) {
        const int64_t i[4] = {k & 1, k >> 1 & 1, k >> 2 & 1, k >> 3};
        heed_tensor *t = i[0] ? heed_triu(a, i[3]) : heed_tril(a, -i[3]), *side = i[2] ? turned(b) : b;
        t = i[3] ? shifted(t, 1) : t;
        t = i[1] ? turned(t) : t;
        heed_tensor *x = triangular(a, side, i);
        most = heed_maximum(most, distance(i[2] ? heed_matmul(x, t) : heed_matmul(t, x), side));
    }
    return most;
}

GIVES(triangles_of_all_sizes, worst(triangular_error))
GIVES(large_triangle,
      triangular(shifted(noise(HEED_SHAPE(300, 300)), 30), noise(HEED_SHAPE(300, 200)), (const int64_t[]){1, 0, 0, 0}))
GIVES(triangle_with_threads, same_with_threads(large_triangle))
GIVES(without_options, heed_solve_triangular(HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 2, NAN, 1, 4),
                                             HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 1), 2, 9), NULL))

ROW(solve_triangular, triangular(in[0], in[1], c->i),
    CASES(TRIANGULAR("(1, 1) (1, 1)", DIMS(1, 1), DIMS(1, 1), 0), TRIANGULAR("lower", DIMS(3, 3), DIMS(3, 2), 0),
          TRIANGULAR("upper", DIMS(3, 3), DIMS(3, 2), 1), TRIANGULAR("lower^T", DIMS(3, 3), DIMS(3, 2), 0, 1),
          TRIANGULAR("upper^T", DIMS(3, 3), DIMS(3, 2), 1, 1), TRIANGULAR("right", DIMS(3, 3), DIMS(2, 3), 0, 0, 1),
          TRIANGULAR("upper right", DIMS(3, 3), DIMS(2, 3), 1, 0, 1),
          TRIANGULAR("right^T", DIMS(3, 3), DIMS(2, 3), 0, 1, 1),
          TRIANGULAR("upper right^T", DIMS(3, 3), DIMS(2, 3), 1, 1, 1),
          TRIANGULAR("unit", DIMS(3, 3), DIMS(3, 2), 0, 0, 0, 1),
          TRIANGULAR("upper unit right^T", DIMS(3, 3), DIMS(2, 3), 1, 1, 1, 1),
          TRIANGULAR("broadcast", DIMS(2, 1, 2, 2), DIMS(3, 2, 1), 0),
          TRIANGULAR("one triangle", DIMS(2, 2), DIMS(3, 2, 2), 1),
          TRIANGULAR("one side", DIMS(2, 2, 2), DIMS(1, 2), 0, 0, 1),
          TRIANGULAR("(18, 18) (18, 1)", DIMS(18, 18), DIMS(18, 1), 1, 1),
          TRIANGULAR("(0, 0) (0, 2)", DIMS(0, 0), DIMS(0, 2), 0),
          TRIANGULAR("(2, 2) (2, 0)", DIMS(2, 2), DIMS(2, 0), 0),
          TRIANGULAR("(0, 2, 2) (2, 1)", DIMS(0, 2, 2), DIMS(2, 1), 0)),
    EXAMPLES({"unit",
              {GIVEN(HEED_F32, DIMS(2, 2), NAN, 3, NAN, NAN), GIVEN(HEED_F32, DIMS(2, 1), 7, 2)},
              .i = {1, 0, 0, 1},
              RESULT(DIMS(2, 1), 0, 1, 2)},
             {"right",
              {GIVEN(HEED_F64, DIMS(2, 2), 2, 0, 1, 4), GIVEN(HEED_F64, DIMS(1, 2), 4, 8)},
              .i = {0, 0, 1},
              RESULT(DIMS(1, 2), 0, 1, 2)},
             {"0 on the diagonal",
              {GIVEN(HEED_F64, DIMS(2, 2, 2), 1, 0, 0, 1, 1, 0, 0, 0), GIVEN_ONES(HEED_F64, DIMS(2, 1))},
              FAILS(HEED_ERR_ARGUMENT, ": matrix 1 of a (2, 2, 2) is singular: pivot 1 is 0")},
             {"NaN",
              {GIVEN(HEED_F32, DIMS(2, 2), 1, 0, NAN, 1), GIVEN_ONES(HEED_F32, DIMS(2, 1))},
              FAILS(HEED_ERR_ARGUMENT, ": matrix 0 of a (2, 2): NaN in row 1")},
             {"f32 and f64",
              {GIVEN_ONES(HEED_F32, DIMS(2, 2)), GIVEN_ONES(HEED_F64, DIMS(2, 1))},
              FAILS(HEED_ERR_DTYPE, ":")},
             {"vector",
              {GIVEN_ONES(HEED_F32, DIMS(2, 2)), GIVEN_ONES(HEED_F32, DIMS(2))},
              FAILS(HEED_ERR_SHAPE, ": a (2, 2) does not fit b (2): b must be (..., n, k)")},
             {"rows",
              {GIVEN_ONES(HEED_F32, DIMS(2, 2)), GIVEN_ONES(HEED_F32, DIMS(2, 3))},
              .i = {0, 0, 1},
              FAILS(HEED_ERR_SHAPE, ": a (2, 2) does not fit b (2, 3): b must be (..., k, n)")},
             {"batch axes",
              {GIVEN_ONES(HEED_F32, DIMS(2, 2, 2)), GIVEN_ONES(HEED_F32, DIMS(3, 2, 1))},
              FAILS(HEED_ERR_SHAPE, ": the batch axes of a (2, 2, 2) and b (3, 2, 1) do not broadcast")},
             {"(2, 3)",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3)), GIVEN_ONES(HEED_F64, DIMS(2, 1))},
              FAILS(HEED_ERR_SHAPE, ": a is (2, 3): must be square")},
             {"i64", {GIVEN_ONES(HEED_I64, DIMS(2, 2)), GIVEN_ONES(HEED_I64, DIMS(2, 1))}, FAILS(HEED_ERR_DTYPE, ":")},
             {"no b", {GIVEN_ONES(HEED_F64, DIMS(2, 2)), {0}}, FAILS(HEED_ERR_ARGUMENT, ":")}),
    VALUES({"without options", without_options, DIMS(2, 1), 0, (const double[]){1, 2}},
           {"all sizes and options", triangles_of_all_sizes, NO_DIMS, 1e-12, (const double[]){0}},
           {"threads", triangle_with_threads, NO_DIMS, 0, (const double[]){1}}))

/* -- solve --------------------------------------------------------------------------------------------------------- */

/* Diagonally dominant, also if all rows are equal. */
RUN(solve_run, heed_solve(shifted(in[0], 9), in[1]))

static heed_tensor *solve_error(int64_t n)
{
    heed_tensor *a = noise(HEED_SHAPE(2, n, n)), *b = noise(HEED_SHAPE(n, 5));
    return distance(heed_matmul(a, heed_solve(a, b)), b);
}

/* The gradient by b of sum(b * a^-1 b) is a^-1 b + a^-T b. */
static heed_tensor *transposed_solve_error(int64_t n)
{
    heed_tensor *a = noise(HEED_SHAPE(n, n)), *b = heed_set_requires_grad(noise(HEED_SHAPE(n, 1)), true), *db = NULL;
    heed_tensor *x = heed_solve(a, b), *y = heed_sum(heed_mul(b, x));
    if (heed_grad(&y, 1, &b, 1, &db, NULL) != HEED_OK)
        return NULL;
    return distance(heed_matmul(turned(a), heed_sub(db, heed_detach(x))), heed_detach(b));
}

GIVES(systems_of_all_sizes, worst(solve_error))
GIVES(transposed_systems, worst(transposed_solve_error))
GIVES(large_system, heed_solve(noise(HEED_SHAPE(300, 300)), noise(HEED_SHAPE(300, 70))))
GIVES(system_with_threads, same_with_threads(large_system))

/* The last row of the 2nd matrix is the first one. */
static heed_tensor *large_singular(void)
{
    heed_tensor *a = heed_clone(heed_expand(heed_eye(HEED_F64, 40, 40), HEED_SHAPE(2, 40, 40)));
    (void)heed_set_(a, HEED_INDEX(1, 39, 39), 0);
    (void)heed_set_(a, HEED_INDEX(1, 39, 0), 1);
    return heed_solve(a, heed_ones(HEED_F64, HEED_SHAPE(40, 1)));
}

#define SYSTEM(name_, a, b)                                                                                            \
    {                                                                                                                  \
        .name = name_, .run = solve_run, .n_inputs = 2, .in = { {.shape = a}, {.shape = b} }                           \
    }

ROW(solve, heed_solve(in[0], in[1]),
    CASES(SYSTEM("(1, 1) (1, 1)", DIMS(1, 1), DIMS(1, 1)), SYSTEM("(3, 3) (3, 2)", DIMS(3, 3), DIMS(3, 2)),
          SYSTEM("(3, 3) (3)", DIMS(3, 3), DIMS(3)), SYSTEM("(2, 3, 3) (2, 3)", DIMS(2, 3, 3), DIMS(2, 3)),
          SYSTEM("(2, 2, 2) (2)", DIMS(2, 2, 2), DIMS(2)), SYSTEM("broadcast", DIMS(2, 1, 2, 2), DIMS(3, 2, 1)),
          SYSTEM("(0, 0) (0, 2)", DIMS(0, 0), DIMS(0, 2)), SYSTEM("(2, 2) (2, 0)", DIMS(2, 2), DIMS(2, 0)),
          SYSTEM("(0, 2, 2) (2, 1)", DIMS(0, 2, 2), DIMS(2, 1))),
    EXAMPLES({"pivots",
              {GIVEN(HEED_F32, DIMS(3, 3), 0, 2, 0, 0, 0, 4, 1, 0, 0), GIVEN(HEED_F32, DIMS(3), 2, 8, 3)},
              RESULT(DIMS(3), 0, 3, 1, 2)},
             {"singular",
              {GIVEN(HEED_F64, DIMS(2, 2, 2), 1, 0, 0, 1, 1, 2, 2, 4), GIVEN_ONES(HEED_F64, DIMS(2, 1))},
              FAILS(HEED_ERR_ARGUMENT, ": matrix 1 of a (2, 2, 2) is singular: pivot 1 is 0")},
             {"NaN",
              {GIVEN(HEED_F64, DIMS(2, 2), 1, NAN, 0, 1), GIVEN_ONES(HEED_F64, DIMS(2))},
              FAILS(HEED_ERR_ARGUMENT, ": matrix 0 of a (2, 2): NaN in row 1")},
             {"rows",
              {GIVEN_ONES(HEED_F32, DIMS(2, 2)), GIVEN_ONES(HEED_F32, DIMS(3, 2))},
              FAILS(HEED_ERR_SHAPE, ": a (2, 2) does not fit b (3, 2): b must be (..., n, k)")},
             {"batch axes",
              {GIVEN_ONES(HEED_F32, DIMS(2, 2, 2)), GIVEN_ONES(HEED_F32, DIMS(3, 2, 1))},
              FAILS(HEED_ERR_SHAPE, ": the batch axes of a (2, 2, 2) and b (3, 2, 1) do not broadcast")},
             {"no b", {GIVEN_ONES(HEED_F32, DIMS(2, 2)), {0}}, FAILS(HEED_ERR_ARGUMENT, ":")},
             {"(2, 3)",
              {GIVEN_ONES(HEED_F32, DIMS(2, 3)), GIVEN_ONES(HEED_F32, DIMS(2))},
              FAILS(HEED_ERR_SHAPE, ": a is (2, 3): must be square")}),
    VALUES({"all sizes", systems_of_all_sizes, NO_DIMS, 1e-9, (const double[]){0}},
           {"transposed", transposed_systems, NO_DIMS, 1e-9, (const double[]){0}},
           {"threads", system_with_threads, NO_DIMS, 0, (const double[]){1}}),
    ERRORS({"singular, large", large_singular, HEED_ERR_ARGUMENT,
            "solve: matrix 1 of a (2, 40, 40) is singular: pivot 39 is 0"}))

/* -- inverse ------------------------------------------------------------------------------------------------------- */

RUN(inverse_run, heed_inverse(shifted(in[0], 9)))

static heed_tensor *inverse_error(int64_t n)
{
    heed_tensor *a = noise(HEED_SHAPE(n, n));
    return distance(heed_matmul(heed_inverse(a), a), heed_eye(HEED_F64, n, n));
}

GIVES(inverses_of_all_sizes, worst(inverse_error))

ROW(inverse, heed_inverse(in[0]),
    CASES(ONE("(1, 1)", inverse_run, DIMS(1, 1), .i = {0}), ONE("(3, 3)", inverse_run, DIMS(3, 3), .i = {0}),
          ONE("(2, 1, 2, 2)", inverse_run, DIMS(2, 1, 2, 2), .i = {0}),
          ONE("(0, 0)", inverse_run, DIMS(0, 0), .i = {0}), ONE("(0, 2, 2)", inverse_run, DIMS(0, 2, 2), .i = {0})),
    EXAMPLES(
        {"pivots", {GIVEN(HEED_F32, DIMS(2, 2), 0, 2, 4, 0)}, RESULT(DIMS(2, 2), 0, 0, 0.25, 0.5, 0)},
        {"singular",
         {GIVEN(HEED_F64, DIMS(2, 2), 1, 2, 2, 4)},
         FAILS(HEED_ERR_ARGUMENT, ": matrix 0 of a (2, 2) is singular: pivot 1 is 0")},
        {"NaN", {GIVEN(HEED_F64, DIMS(1, 1), NAN)}, FAILS(HEED_ERR_ARGUMENT, ": matrix 0 of a (1, 1): NaN in row 0")},
        SQUARE_ERRORS),
    VALUES({"all sizes", inverses_of_all_sizes, NO_DIMS, 1e-9, (const double[]){0}}))

/* -- slogdet and logdet -------------------------------------------------------------------------------------------- */

RUN(slogdet_run, heed_slogdet(shifted(in[0], c->p[0]), NULL))

static heed_tensor *sign_of(heed_tensor *a)
{
    heed_tensor *sign = NULL;
    return heed_slogdet(a, &sign) ? sign : NULL;
}

RUN(slogdet_sign, sign_of(in[0]))

/* The signs do not depend on a. */
GIVES(gradient_of_signs, gradient(sign_of, HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 1, 2, 3, 4)))

static heed_tensor *sign_after_failure(void)
{
    heed_tensor *a = heed_ones(HEED_F64, HEED_SHAPE(2, 3)), *sign = a;
    (void)heed_slogdet(a, &sign);
    return sign;
}

/* The determinant of a triangle is the product of its diagonal. */
static heed_tensor *slogdet_error(int64_t n)
{
    heed_tensor *x = heed_mul_scalar(noise(HEED_SHAPE(n, n)), 1.0 / (double)n);
    heed_tensor *l = shifted(heed_tril(x, -1), 1.5), *u = heed_triu(x, 1);
    return distance(heed_slogdet(heed_flip(heed_matmul(l, shifted(u, -1.25)), HEED_AXES(0)), NULL),
                    heed_full(HEED_F64, HEED_SCALAR, (double)n * log(1.5 * 1.25)));
}

GIVES(determinants_of_all_sizes, worst(slogdet_error))

ROW(slogdet, heed_slogdet(in[0], NULL),
    CASES(ONE("(1, 1)", slogdet_run, DIMS(1, 1), .p = {9}), ONE("(3, 3)", slogdet_run, DIMS(3, 3), .p = {9}),
          ONE("(3, 3) below 0", slogdet_run, DIMS(3, 3), .p = {-9}),
          ONE("(2, 1, 2, 2)", slogdet_run, DIMS(2, 1, 2, 2), .p = {9}),
          ONE("(0, 0)", slogdet_run, DIMS(0, 0), .p = {9}), ONE("(0, 2, 2)", slogdet_run, DIMS(0, 2, 2), .p = {9}),
          ONE("(2, 0, 0)", slogdet_run, DIMS(2, 0, 0), .p = {9})),
    EXAMPLES(
        {"exchanged rows", {GIVEN(HEED_F32, DIMS(2, 2), 0, 2, 4, 0)}, RESULT(NO_DIMS, 1e-6, 2.0794415416798359)},
        {"signs",
         {GIVEN(HEED_F64, DIMS(4, 2, 2), 0, 2, 4, 0, 1, 2, 2, 4, 0, 2, -4, 0, -1, 0, 0, -1)},
         .run = slogdet_sign,
         RESULT(DIMS(4), 0, -1, 0, 1, 1)},
        {"singular", {GIVEN(HEED_F64, DIMS(2, 2), 1, 2, 2, 4)}, RESULT(NO_DIMS, 0, -INFINITY)},
        {"gradient if singular",
         {GIVEN(HEED_F64, DIMS(2, 2), 1, 2, 2, 4)},
         .slope = 1,
         RESULT(DIMS(2, 2), 0, NAN, NAN, NAN, NAN)},
        {"empty", {GIVEN_ONES(HEED_F64, DIMS(2, 0, 0))}, .run = slogdet_sign, RESULT(DIMS(2), 0, 1, 1)},
        {"NaN", {GIVEN(HEED_F64, DIMS(1, 1), NAN)}, FAILS(HEED_ERR_ARGUMENT, ": matrix 0 of a (1, 1): NaN in row 0")},
        SQUARE_ERRORS),
    VALUES({"all sizes", determinants_of_all_sizes, NO_DIMS, 1e-9, (const double[]){0}},
           {"gradient of the signs", gradient_of_signs, DIMS(2, 2), 0, (const double[]){0, 0, 0, 0}}),
    ERRORS({"no sign", sign_after_failure, HEED_ERR_SHAPE, "slogdet:"}))

RUN(logdet_run, heed_logdet(shifted(in[0], 9)))

ROW(logdet, heed_logdet(in[0]),
    CASES(ONE("(1, 1)", logdet_run, DIMS(1, 1), .i = {0}), ONE("(3, 3)", logdet_run, DIMS(3, 3), .i = {0}),
          ONE("(2, 1, 2, 2)", logdet_run, DIMS(2, 1, 2, 2), .i = {0}), ONE("(0, 0)", logdet_run, DIMS(0, 0), .i = {0})),
    EXAMPLES(
        {"below and at 0",
         {GIVEN(HEED_F64, DIMS(2, 2, 2), 0, 2, 4, 0, 1, 2, 2, 4)},
         RESULT(DIMS(2), 0, NAN, -INFINITY)},
        {"gradient below 0", {GIVEN(HEED_F64, DIMS(2, 2), 0, 2, 4, 0)}, .slope = 1, RESULT(DIMS(2, 2), 0, 0, 0, 0, 0)},
        {"NaN", {GIVEN(HEED_F64, DIMS(1, 1), NAN)}, FAILS(HEED_ERR_ARGUMENT, ": slogdet: matrix 0 of a (1, 1): NaN")},
        {"NULL", {{0}}, FAILS(HEED_ERR_ARGUMENT, ":")},
        {"(2, 3)", {GIVEN_ONES(HEED_F64, DIMS(2, 3))}, FAILS(HEED_ERR_SHAPE, ": slogdet: a is (2, 3)")}))
