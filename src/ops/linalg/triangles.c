/* ops/linalg/triangles.c - Cholesky factors and triangular systems.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "ops/linalg/matrices.h"

/* -- cholesky ------------------------------------------------------------------------------------------------------ */

/* a = L L^T.    da = (S + S^T) / 2, S = L^-T p(L^T g) L^-1 */

/* Copies the elements on and below the diagonal to y if x is not NULL, and sets the elements above it to 0. */
static void lower_triangle(heed_dtype dtype, int64_t n, const char *x, char *y)
{
    const int64_t size = (int64_t)heed_dtype_size(dtype);
    for (int64_t i = 0; i < n; i++) {
        const int64_t row = i * n * size, lower = (i + 1) * size;
        if (x)
            memcpy(y + row, x + row, (size_t)lower);
        memset(y + row + lower, 0, (size_t)(n * size - lower));
    }
}

static int64_t cholesky_matrix(const heed__matrices *m, heed__matrix_scratch *s, int64_t batch)
{
    char *l = heed__result_matrix(m, batch, m->n * m->n);
    lower_triangle(s->l.dtype, m->n, heed__matrix_of(m->call->inputs[0], m->out[0], batch), l);
    const int64_t failed = heed__failure_of(&s->l, m->n, l, heed__factor_cholesky(&s->l, m->n, l));
    lower_triangle(s->l.dtype, m->n, NULL, l);
    return failed;
}

static bool cholesky_forward(const heed_call *call, heed_tensor *const *out)
{
    heed__matrices m = heed__matrices_of(call, out, cholesky_matrix);
    m.lacking = "not positive definite";
    m.pivot = "not above 0";
    return heed__for_matrices(&m);
}

static bool cholesky_infer(const heed_call *call, heed_meta *out)
{
    return heed__infer_square(call, out, 0);
}

static void cholesky_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *l = call->outputs[0], *s = heed_tril(heed_matmul(heed__transposed(l), g[0]), 0);
    heed_tensor *both = heed_mul_scalar(heed_add(s, heed__transposed(heed_tril(s, -1))), 0.5);
    heed_tensor *left = heed_solve_triangular(l, both, &(heed_triangular_options){.transpose = true});
    dx[0] = heed_solve_triangular(l, left, &(heed_triangular_options){.right = true});
}

static int64_t cholesky_multiply_adds(const heed_call *call)
{
    const heed_shape a = heed_call_shape(call, 0);
    return call->outputs ? 0 : heed__numel(&a) * heed__side(&a, 1) / 6;
}

const heed_op heed_op_cholesky = {
    .name = "cholesky",
    .n_inputs = 1,
    .n_outputs = 1,
    .saved = HEED_SAVE_OUTPUTS,
    .contiguous = true,
    .infer = cholesky_infer,
    .forward = cholesky_forward,
    .backward = cholesky_backward,
    .multiply_adds = cholesky_multiply_adds,
};

heed_tensor *heed_cholesky(heed_tensor *a, bool upper)
{
    HEED_ENTER("cholesky");
    if (!heed__check_tensor("cholesky", a) || !heed__check_square("cholesky", a))
        return NULL;
    return upper ? heed__transposed(heed__apply1(&heed_op_cholesky, heed__transposed(a), NULL))
                 : heed__apply1(&heed_op_cholesky, a, NULL);
}

/* -- solve_triangular ---------------------------------------------------------------------------------------------- */

/* a x = b.    db = a^-T g, da = -db x^T in the triangle, or -x db^T if a is transposed.
 * x a = b.    db = g a^-T, da = -x^T db in the triangle, or -db^T x if a is transposed. */

typedef struct triangular_params {
    bool upper, transpose, right, unit_diagonal;
} triangular_params;

static bool triangular_infer(const heed_call *call, heed_meta *out)
{
    return heed__infer_solution(call, ((const triangular_params *)call->params)->right, out);
}

static bool has_nan(heed_dtype dtype, const char *x, int64_t n)
{
    const float *f32 = (const void *)x;
    const double *f64 = (const void *)x;
    bool found = false;
    for (int64_t i = 0; i < n; i++)
        found |= dtype == HEED_F32 ? isnan(f32[i]) : isnan(f64[i]);
    return found;
}

/* Returns HEED_FACTORED or the failure of the first row with NaN, or with 0 on the diagonal. */
static int64_t check_triangle(heed_dtype dtype, int64_t n, const char *a, const triangular_params *p)
{
    const int64_t size = (int64_t)heed_dtype_size(dtype);
    for (int64_t i = 0; i < n; i++) {
        const int64_t begin = p->upper ? i + p->unit_diagonal : 0, end = p->upper ? n : i + !p->unit_diagonal;
        if (has_nan(dtype, a + (i * n + begin) * size, end - begin))
            return heed__failure_at(i, true);
        if (!p->unit_diagonal && heed__load(dtype, a + i * (n + 1) * size) == 0)
            return heed__failure_at(i, false);
    }
    return HEED_FACTORED;
}

static int64_t solve_triangular_matrix(const heed__matrices *m, heed__matrix_scratch *s, int64_t batch)
{
    const triangular_params *p = m->call->params;
    const heed_tensor *b = m->call->inputs[1];
    char *a = heed__matrix_of(m->call->inputs[0], m->out[0], batch),
         *x = heed__result_matrix(m, batch, m->n * m->count);
    const int64_t failed = check_triangle(s->l.dtype, m->n, a, p);
    if (failed != HEED_FACTORED)
        return failed;
    memcpy(x, heed__matrix_of(b, m->out[0], batch), (size_t)(m->n * m->count) * heed_dtype_size(s->l.dtype));
    const bool turned = p->transpose != p->right; /* x a = b is a^T x^T = b^T */
    const heed__triangle t = {.a = a,
                              .n = m->n,
                              .row = turned ? 1 : m->n,
                              .column = turned ? m->n : 1,
                              .upper = p->upper != turned,
                              .unit = p->unit_diagonal};
    const heed__right_sides rows = {x, m->count, m->count, 1}, columns = {x, m->count, 1, m->n};
    return heed__solve_triangle(&s->l, &t, p->right ? &columns : &rows) ? HEED_FACTORED : HEED_NOT_FACTORED;
}

static bool triangular_forward(const heed_call *call, heed_tensor *const *out)
{
    const triangular_params *p = call->params;
    heed__matrices m = heed__solutions_of(call, out, p->right, solve_triangular_matrix);
    return heed__for_matrices(&m);
}

static heed_tensor *apply_triangular(heed_tensor *a, heed_tensor *b, triangular_params p)
{
    return heed__apply2(&heed_op_solve_triangular, a, b, &p);
}

static void triangular_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const triangular_params p = *(const triangular_params *)call->params;
    heed_tensor *x = call->outputs[0];
    triangular_params turned = p;
    turned.transpose = !p.transpose;
    heed_tensor *db = apply_triangular(call->inputs[0], g[0], turned);
    if (heed_call_needs(call, 0)) {
        heed_tensor *first = p.right == p.transpose ? db : x, *second = p.right == p.transpose ? x : db;
        heed_tensor *da =
            p.right ? heed_matmul(heed__transposed(first), second) : heed_matmul(first, heed__transposed(second));
        const int64_t outside = p.unit_diagonal ? 1 : 0;
        dx[0] = heed_neg(p.upper ? heed_triu(da, outside) : heed_tril(da, -outside));
    }
    if (heed_call_needs(call, 1))
        dx[1] = db;
}

static int64_t triangular_multiply_adds(const heed_call *call)
{
    const heed_shape a = heed_call_shape(call, 0);
    return heed__solution_multiply_adds(call, heed__side(&a, 1), 0) / 2;
}

const heed_op heed_op_solve_triangular = {
    .name = "solve_triangular",
    .n_inputs = 2,
    .n_outputs = 1,
    .params_size = sizeof(triangular_params),
    .fields = HEED_FIELDS(HEED_FIELD(triangular_params, upper), HEED_FIELD(triangular_params, transpose),
                          HEED_FIELD(triangular_params, right), HEED_FIELD(triangular_params, unit_diagonal)),
    .saved = HEED_SAVE_INPUT(0) | HEED_SAVE_OUTPUTS,
    .contiguous = true,
    .infer = triangular_infer,
    .forward = triangular_forward,
    .backward = triangular_backward,
    .multiply_adds = triangular_multiply_adds,
};

heed_tensor *heed_solve_triangular(heed_tensor *a, heed_tensor *b, const heed_triangular_options *options)
{
    const heed_triangular_options o = options ? *options : (heed_triangular_options){.upper = false};
    return apply_triangular(a, b, (triangular_params){o.upper, o.transpose, o.right, o.unit_diagonal});
}
