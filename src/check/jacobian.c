/* check/jacobian.c - compares derivatives by backward and by five-point differences: every derivative or, for models
 * too large for that, one projection u^T J v of the Jacobian per point.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check/gradcheck.h"

#include <math.h>
#include <string.h>

#include <heed/ops.h>

/* -- By backward --------------------------------------------------------------------------------------------------- */

bool heed__gradcheck_vjp(heed__gradcheck *c, heed__gradcheck_rule rule, int output, heed_tensor *g, double *row)
{
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return false;
    for (int i = 0; i < c->n_points; i++)
        c->gradients[i] = NULL;
    heed_tensor **y = &c->outputs[output];
    heed_grad_options options = {
        .grad_outputs = &g, .retain_graph = true, .create_graph = rule == COMPOSED, .allow_unused = true};
    bool ok =
        g && (!heed_requires_grad(*y) || heed_grad(y, 1, c->points, c->n_points, c->gradients, &options) == HEED_OK);
    for (int i = 0; ok && i < c->n_points; i++) {
        int64_t n = heed_numel(c->points[i]);
        const double *gradient = c->gradients[i] ? heed_data_f64(heed_contiguous(c->gradients[i])) : NULL;
        ok = gradient || !c->gradients[i];
        for (int64_t j = 0; ok && j < n; j++)
            row[j] = gradient ? gradient[j] : 0;
        row += n;
    }
    (void)heed_scope_end(scope);
    return ok;
}

/* Checks that two backward passes through the same graph with the same output gradient agree to the last bit. */
static bool is_repeatable(heed__gradcheck *c)
{
    double *rows = heed__gradcheck_numbers(2, c->columns);
    bool ok = rows != NULL;
    for (int k = 0; ok && k < RULES * c->n_outputs; k++) {
        heed__gradcheck_rule rule = (heed__gradcheck_rule)(k % RULES);
        heed_tensor *g = heed__gradcheck_random(c, c->entries[k / RULES].shape);
        ok = heed__gradcheck_vjp(c, rule, k / RULES, g, rows) &&
             heed__gradcheck_vjp(c, rule, k / RULES, g, rows + c->columns);
        if (ok && memcmp(rows, rows + c->columns, (size_t)c->columns * sizeof *rows) != 0)
            ok = heed_fail_false(HEED_ERR_STATE, c->name,
                                 "backward is not deterministic: a second pass gave different bits");
    }
    return ok;
}

/* Computes jacobian[row][rule][column] with one backward pass per row and rule. */
static bool compute_jacobian(heed__gradcheck *c, double *jacobian)
{
    bool ok = heed__gradcheck_evaluate(c, true) && is_repeatable(c) && heed__gradcheck_layouts(c);
    for (int k = 0; ok && k < c->n_outputs; k++) {
        int64_t n = heed_shape_numel(c->entries[k].shape);
        for (int64_t j = 0; ok && j < n; j++) {
            heed_scope *scope = heed_no_grad_begin();
            heed_tensor *unit = scope ? heed_zeros(HEED_F64, c->entries[k].shape) : NULL;
            double *values = heed_mutable_f64(unit);
            if (values)
                values[j] = 1;
            for (int rule = 0; rule < RULES; rule++, jacobian += c->columns)
                ok = ok && values &&
                     heed__gradcheck_vjp(c, (heed__gradcheck_rule)rule, k, heed__gradcheck_copy(c, unit), jacobian);
            if (scope)
                (void)heed_scope_end(scope);
        }
    }
    return ok;
}

/* -- By differences ------------------------------------------------------------------------------------------------ */

/* f'(x) = (sum of weight (f(x + step h) - f(x - step h))) / (12 h). In rows that do not depend on x, every pair cancels
 * exactly. */
enum { DIFFERENCES = 2 };
static const struct {
    double step, weight;
} differences[DIFFERENCES] = {{1, 8}, {2, -1}};

/* Sets one element of a point to x and evaluates the rows. */
static bool values_at(heed__gradcheck *c, heed_tensor *point, heed_shape index, double x, double *rows)
{
    return heed_set_(point, index, x) == HEED_OK && heed__gradcheck_values(c, rows);
}

/* Computes column = d rows / d (element i of the point); the values on both sides follow the column. May change the
 * point in place, because it belongs to the check and no later pass uses its graph. */
static bool find_column(heed__gradcheck *c, heed_tensor *point, int64_t i, double *column)
{
    heed_shape index = heed__gradcheck_index(heed_shape_of(point), i);
    double x = heed_get(point, index), h = c->options.eps * fmax(1, fabs(x));
    double *up = column + c->rows, *down = up + c->rows;
    memset(column, 0, (size_t)c->rows * sizeof *column);
    for (int k = 0; k < DIFFERENCES; k++) {
        const double step = differences[k].step * h;
        if (!values_at(c, point, index, x + step, up) || !values_at(c, point, index, x - step, down))
            return false;
        for (int64_t row = 0; row < c->rows; row++)
            column[row] += differences[k].weight * (up[row] - down[row]);
    }
    for (int64_t row = 0; row < c->rows; row++)
        column[row] /= 12 * h;
    return heed_set_(point, index, x) == HEED_OK;
}

static bool compare_columns(heed__gradcheck *c, const double *jacobian, double *column)
{
    int64_t first = 0;
    for (int k = 0; k < c->n_points; k++) {
        int64_t n = heed_numel(c->points[k]);
        for (int64_t i = 0; i < n; i++) {
            if (!find_column(c, c->points[k], i, column))
                return false;
            for (int64_t row = 0; row < c->rows; row++) {
                const double *at = jacobian + RULES * row * c->columns + first + i;
                heed__gradcheck_compare(c, row, k, i, (double[RULES]){at[0], at[c->columns]}, column[row]);
            }
        }
        first += n;
    }
    return true;
}

bool heed__gradcheck_jacobian(heed__gradcheck *c)
{
    double *jacobian = heed__gradcheck_numbers(c->rows, RULES * c->columns);
    double *column = heed__gradcheck_numbers(3, c->rows);
    heed_scope *scope = jacobian && column ? heed_scope_begin() : NULL;
    bool ok = scope && compute_jacobian(c, jacobian);
    if (scope)
        (void)heed_scope_end(scope);
    scope = ok ? heed_no_grad_begin() : NULL;
    ok = scope && compare_columns(c, jacobian, column);
    if (scope)
        (void)heed_scope_end(scope);
    return ok;
}

/* -- Projections --------------------------------------------------------------------------------------------------- */

/* Draws the direction v for a point x. Every |v_i| is between max(1, |x_i|) / 2 and max(1, |x_i|), so eps v is a
 * suitable step for differences. */
static heed_tensor *draw_direction(heed__gradcheck *c, heed_tensor *point)
{
    heed_tensor *v = heed__gradcheck_random(c, heed_shape_of(point));
    heed_scope *scope = v ? heed_no_grad_begin() : NULL;
    if (!scope)
        return NULL;
    heed_tensor *size = heed_abs(point), *one = heed_ones(HEED_F64, HEED_SCALAR);
    heed_tensor *magnitude = heed_where(heed_compare(size, HEED_COMPARE_GT, one), size, one); /* 1 if x is NaN */
    bool ok = heed_copy_(v, heed_mul(v, magnitude)) == HEED_OK;
    return heed_scope_return(scope, ok ? v : NULL);
}

static bool draw_projection(heed__gradcheck *c)
{
    for (int k = 0; k < c->n_outputs; k++)
        if (!(c->entries[k].weights = heed__gradcheck_random(c, c->entries[k].shape)))
            return false;
    for (int k = 0; k < c->n_points; k++)
        if (!(c->entries[k].direction = draw_direction(c, c->points[k])))
            return false;
    return true;
}

static const double *values_of(heed_tensor *t)
{
    return heed_data_f64(heed_contiguous(t));
}

/* Sets *sum = u^T rows; u consists of the weights of all outputs. */
static bool weighted_sum(const heed__gradcheck *c, const double *rows, double *sum)
{
    *sum = 0;
    for (int k = 0; k < c->n_outputs; k++) {
        const double *weights = values_of(c->entries[k].weights);
        int64_t n = heed_numel(c->entries[k].weights);
        for (int64_t i = 0; weights && i < n; i++)
            *sum += weights[i] * *rows++;
        if (!weights)
            return false;
    }
    return true;
}

/* Adds the product of gradient and direction to sums[p][rule] for every point p. `gradient` contains the gradients of
 * all points, one after the other. */
static bool add_projections(const heed__gradcheck *c, const double *gradient, heed__gradcheck_rule rule,
                            double (*sums)[RULES])
{
    for (int p = 0; p < c->n_points; p++) {
        const double *direction = values_of(c->entries[p].direction);
        int64_t n = heed_numel(c->points[p]);
        for (int64_t i = 0; direction && i < n; i++)
            sums[p][rule] += *gradient++ * direction[i];
        if (!direction)
            return false;
    }
    return true;
}

/* Computes analytic[p][rule] = u^T J v for every point p; v is the direction of p. */
static bool project_backward(heed__gradcheck *c, double (*analytic)[RULES], double *row)
{
    if (!heed__gradcheck_evaluate(c, true) || !is_repeatable(c) || !heed__gradcheck_layouts(c))
        return false;
    for (int k = 0; k < RULES * c->n_outputs; k++) {
        heed__gradcheck_rule rule = (heed__gradcheck_rule)(k % RULES);
        if (!heed__gradcheck_vjp(c, rule, k / RULES, c->entries[k / RULES].weights, row) ||
            !add_projections(c, row, rule, analytic))
            return false;
    }
    return true;
}

/* Sets point k to x + t v and computes *sum = u^T rows there. */
static bool evaluate_along(heed__gradcheck *c, int k, heed_tensor *x, double t, double *rows, double *sum)
{
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return false;
    heed_tensor *shifted = heed_add(x, heed_mul_scalar(c->entries[k].direction, t));
    bool ok =
        heed_copy_(c->points[k], shifted) == HEED_OK && heed__gradcheck_values(c, rows) && weighted_sum(c, rows, sum);
    (void)heed_scope_end(scope);
    return ok;
}

/* Computes *numeric = d (u^T rows) / dt at t = 0, with point k at x + t v. Restores the point. */
static bool project_differences(heed__gradcheck *c, int k, double *rows, double *numeric)
{
    double eps = c->options.eps, up, down, sum = 0;
    heed_tensor *x = heed__gradcheck_copy(c, c->points[k]);
    if (!x)
        return false;
    for (int i = 0; i < DIFFERENCES; i++) {
        double t = differences[i].step * eps;
        if (!evaluate_along(c, k, x, t, rows, &up) || !evaluate_along(c, k, x, -t, rows, &down))
            return false;
        sum += differences[i].weight * (up - down);
    }
    *numeric = sum / (12 * eps);
    bool was_enabled = heed_set_grad_enabled(false);
    bool restored = heed_copy_(c->points[k], x) == HEED_OK;
    (void)heed_set_grad_enabled(was_enabled);
    return restored;
}

bool heed__gradcheck_projection(heed__gradcheck *c)
{
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return false;
    double(*analytic)[RULES] = (void *)heed__gradcheck_numbers(c->n_points, RULES);
    double *gradient = heed__gradcheck_numbers(1, c->columns), *rows = heed__gradcheck_numbers(1, c->rows);
    bool ok = analytic && gradient && rows && draw_projection(c) && project_backward(c, analytic, gradient);
    for (int k = 0; ok && k < c->n_points; k++) {
        double numeric = 0;
        ok = project_differences(c, k, rows, &numeric);
        if (ok)
            heed__gradcheck_compare(c, -1, k, -1, analytic[k], numeric);
    }
    (void)heed_scope_end(scope);
    return ok;
}
