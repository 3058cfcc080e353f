/* ops/linalg/systems.c - linear systems, inverses and determinants by LU factors.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "ops/linalg/matrices.h"

/* -- solve --------------------------------------------------------------------------------------------------------- */

/* a x = b, or a^T x = b.    db = a^-T g, da = -db x^T, or -x db^T.
 * The gradient solves with the same LU factors, so that it succeeds for every matrix that had a solution. */

/* Factors matrix `batch` of a. Returns HEED_FACTORED, HEED_NOT_FACTORED or a failure. */
static int64_t factor_lu(const heed__matrices *m, heed__matrix_scratch *s, const char *a)
{
    memcpy(s->lu, a, (size_t)(m->n * m->n) * heed_dtype_size(s->l.dtype));
    return heed__failure_of(&s->l, m->n, s->lu, heed__factor_lu(&s->l, m->n, s->lu, s->pivots));
}

/* Solves with the factors: P a = L U, so a x = b is L U x = P b, and a^T x = b is U^T L^T P x = b. */
static bool solve_factored(const heed__matrices *m, heed__matrix_scratch *s, bool transpose, char *x)
{
    const int64_t n = m->n, row = transpose ? 1 : n, column = transpose ? n : 1;
    const heed__triangle lower = {s->lu, n, row, column, .upper = transpose, .unit = true},
                         upper = {s->lu, n, row, column, .upper = !transpose};
    const heed__right_sides b = {x, m->count, m->count, 1};
    if (!transpose)
        heed__permute_rows(&s->l, n, s->pivots, false, x, m->count);
    if (!heed__solve_triangle(&s->l, transpose ? &upper : &lower, &b) ||
        !heed__solve_triangle(&s->l, transpose ? &lower : &upper, &b))
        return false;
    if (transpose)
        heed__permute_rows(&s->l, n, s->pivots, true, x, m->count);
    return true;
}

static int64_t solve_matrix(const heed__matrices *m, heed__matrix_scratch *s, int64_t batch)
{
    char *x = heed__result_matrix(m, batch, m->n * m->count);
    const int64_t failed = factor_lu(m, s, heed__matrix_of(m->call->inputs[0], m->out[0], batch));
    if (failed != HEED_FACTORED)
        return failed;
    memcpy(x, heed__matrix_of(m->call->inputs[1], m->out[0], batch),
           (size_t)(m->n * m->count) * heed_dtype_size(s->l.dtype));
    return solve_factored(m, s, *(const bool *)m->call->params, x) ? HEED_FACTORED : HEED_NOT_FACTORED;
}

static bool solve_infer(const heed_call *call, heed_meta *out)
{
    return heed__infer_solution(call, false, out);
}

static bool solve_forward(const heed_call *call, heed_tensor *const *out)
{
    heed__matrices m = heed__solutions_of(call, out, false, solve_matrix);
    m.with_lu = true;
    return heed__for_matrices(&m);
}

static void solve_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const bool transpose = *(const bool *)call->params, turned = !transpose;
    heed_tensor *x = call->outputs[0], *db = heed__apply2(&heed_op_solve, call->inputs[0], g[0], &turned);
    if (heed_call_needs(call, 0))
        dx[0] = heed_neg(transpose ? heed_matmul(x, heed__transposed(db)) : heed_matmul(db, heed__transposed(x)));
    if (heed_call_needs(call, 1))
        dx[1] = db;
}

static int64_t solve_multiply_adds(const heed_call *call)
{
    const heed_shape a = heed_call_shape(call, 0);
    const int64_t n = heed__side(&a, 1);
    return heed__solution_multiply_adds(call, n, n * n * n / 3);
}

const heed_op heed_op_solve = {
    .name = "solve",
    .n_inputs = 2,
    .n_outputs = 1,
    .params_size = sizeof(bool),
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(bool, "transpose")),
    .saved = HEED_SAVE_INPUT(0) | HEED_SAVE_OUTPUTS,
    .contiguous = true,
    .infer = solve_infer,
    .forward = solve_forward,
    .backward = solve_backward,
    .multiply_adds = solve_multiply_adds,
};

/* PyTorch's rule: b is a vector per matrix if its shape is (n), or the shape of a without the last axis. */
static bool has_vectors(const heed_tensor *a, const heed_tensor *b)
{
    heed_shape vectors = a->shape;
    vectors.rank--;
    return b->shape.rank == 1 || heed__same_shape(&vectors, &b->shape);
}

heed_tensor *heed_solve(heed_tensor *a, heed_tensor *b)
{
    HEED_ENTER("solve");
    if (!heed__check_tensor("solve", a) || !heed__check_tensor("solve", b) || !heed__check_square("solve", a))
        return NULL;
    const bool vectors = has_vectors(a, b);
    heed_tensor *x = heed__apply2(&heed_op_solve, a, vectors ? heed_unsqueeze(b, -1) : b, &(bool){false});
    return vectors ? heed_squeeze(x, -1) : x;
}

/* -- inverse ------------------------------------------------------------------------------------------------------- */

/* x = a^-1.    da = -x^T g x^T. With the parameter `lenient`, the inverse of a singular matrix is NaN. */

/* The identity, or NaN if the inverse is unknown. */
static void fill_identity(heed_dtype dtype, int64_t n, bool known, char *x)
{
    const int64_t size = (int64_t)heed_dtype_size(dtype);
    for (int64_t i = 0; i < n * n; i++)
        (void)heed__store("inverse", dtype, x + i * size, known ? i % (n + 1) == 0 : (double)NAN);
}

static int64_t inverse_matrix(const heed__matrices *m, heed__matrix_scratch *s, int64_t batch)
{
    char *x = heed__result_matrix(m, batch, m->n * m->n);
    const int64_t failed = factor_lu(m, s, heed__matrix_of(m->call->inputs[0], m->out[0], batch));
    const bool lenient = *(const bool *)m->call->params;
    if (failed == HEED_NOT_FACTORED || (failed != HEED_FACTORED && !lenient))
        return failed;
    fill_identity(s->l.dtype, m->n, failed == HEED_FACTORED, x);
    return failed != HEED_FACTORED || solve_factored(m, s, false, x) ? HEED_FACTORED : HEED_NOT_FACTORED;
}

static bool inverse_infer(const heed_call *call, heed_meta *out)
{
    return heed__infer_square(call, out, 0);
}

static bool inverse_forward(const heed_call *call, heed_tensor *const *out)
{
    heed__matrices m = heed__matrices_of(call, out, inverse_matrix);
    m.with_lu = true;
    return heed__for_matrices(&m);
}

static void inverse_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *turned = heed__transposed(call->outputs[0]);
    dx[0] = heed_neg(heed_matmul(heed_matmul(turned, g[0]), turned));
}

static int64_t inverse_multiply_adds(const heed_call *call)
{
    const heed_shape a = heed_call_shape(call, 0);
    return heed__numel(&a) * heed__side(&a, 1) * (call->outputs ? 2 : 1);
}

const heed_op heed_op_inverse = {
    .name = "inverse",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(bool),
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(bool, "lenient")),
    .saved = HEED_SAVE_OUTPUTS,
    .contiguous = true,
    .infer = inverse_infer,
    .forward = inverse_forward,
    .backward = inverse_backward,
    .multiply_adds = inverse_multiply_adds,
};

heed_tensor *heed_inverse(heed_tensor *a)
{
    return heed__apply1(&heed_op_inverse, a, &(bool){false});
}

/* -- slogdet and logdet -------------------------------------------------------------------------------------------- */

/* y = ln |det a|, and the sign of det a.    da = g a^-T */

enum { LOGARITHM, SIGN };

static bool slogdet_infer(const heed_call *call, heed_meta *out)
{
    return heed__infer_square(call, out, 2);
}

/* Replaces the first row of the factors by the magnitudes of the diagonal. Returns the sign of the determinant. */
static double take_diagonal(const heed__matrices *m, heed__matrix_scratch *s)
{
    const int64_t n = m->n, size = (int64_t)heed_dtype_size(s->l.dtype);
    double sign = 1;
    for (int64_t i = 0; i < n; i++) {
        const double pivot = heed__load(s->l.dtype, s->lu + i * (n + 1) * size);
        sign *= (pivot < 0) != (s->pivots[i] != i) ? -1 : 1;
        (void)heed__store("slogdet", s->l.dtype, s->lu + i * size, fabs(pivot));
    }
    return sign;
}

static int64_t slogdet_matrix(const heed__matrices *m, heed__matrix_scratch *s, int64_t batch)
{
    const heed_tensor *a = m->call->inputs[0];
    const int64_t n = m->n, size = (int64_t)heed_dtype_size(s->l.dtype);
    char *y = m->out[LOGARITHM]->data + batch * size, *sign = m->out[SIGN]->data + batch * size;
    const int64_t failed = factor_lu(m, s, a->data + batch * n * n * size);
    if (failed == HEED_FACTORED) {
        (void)heed__store("slogdet", s->l.dtype, sign, take_diagonal(m, s));
        HEED__RUN(log, s->l.dtype, n, s->lu, 1, s->lu, NULL);
        HEED__RUN(sum, s->l.dtype, 1, n, 1, s->lu, y);
        return HEED_FACTORED;
    }
    if (failed < 0 || failed % 2)
        return failed;
    (void)heed__store("slogdet", s->l.dtype, sign, 0);
    (void)heed__store("slogdet", s->l.dtype, y, -(double)INFINITY);
    return HEED_FACTORED;
}

static bool slogdet_forward(const heed_call *call, heed_tensor *const *out)
{
    heed__matrices m = heed__matrices_of(call, out, slogdet_matrix);
    m.with_lu = true;
    m.batches = out[SIGN]->numel;
    return heed__for_matrices(&m);
}

static void slogdet_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *a = call->inputs[0];
    if (!g[LOGARITHM]) {
        dx[0] = heed_zeros(a->dtype, a->shape);
        return;
    }
    heed_tensor *inverse = heed__apply1(&heed_op_inverse, a, &(bool){true});
    dx[0] = heed_mul(heed_unsqueeze(heed_unsqueeze(g[LOGARITHM], -1), -1), heed__transposed(inverse));
}

static int64_t slogdet_multiply_adds(const heed_call *call)
{
    const heed_shape a = heed_call_shape(call, 0);
    return call->outputs ? 0 : heed__numel(&a) * heed__side(&a, 1) / 3;
}

const heed_op heed_op_slogdet = {
    .name = "slogdet",
    .n_inputs = 1,
    .n_outputs = 2,
    .saved = HEED_SAVE_INPUT(0),
    .contiguous = true,
    .infer = slogdet_infer,
    .forward = slogdet_forward,
    .backward = slogdet_backward,
    .multiply_adds = slogdet_multiply_adds,
};

heed_tensor *heed_slogdet(heed_tensor *a, heed_tensor **sign)
{
    heed_tensor *outputs[2];
    if (sign)
        *sign = NULL;
    if (!heed_apply_all(&heed_op_slogdet, &a, 1, NULL, outputs))
        return NULL;
    if (sign)
        *sign = outputs[SIGN];
    return outputs[LOGARITHM];
}

heed_tensor *heed_logdet(heed_tensor *a)
{
    HEED_ENTER("logdet");
    heed_tensor *sign, *y = heed_slogdet(a, &sign);
    return heed_masked_fill(y, heed_compare_scalar(sign, HEED_COMPARE_LT, 0), (double)NAN);
}
