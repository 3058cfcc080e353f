/* check/projection.c - compares one projection u^T J v of the Jacobian per point, for models too large for all of J. */

#include "check/gradcheck.h"

#include <heed/memory.h>
#include <heed/ops.h>

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
    if (!heed__gradcheck_evaluate(c, true) || !heed__gradcheck_repeatable(c) || !heed__gradcheck_layouts(c))
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
    for (int i = 0; i < HEED__DIFFERENCES; i++) {
        double t = heed__differences[i].step * eps;
        if (!evaluate_along(c, k, x, t, rows, &up) || !evaluate_along(c, k, x, -t, rows, &down))
            return false;
        sum += heed__differences[i].weight * (up - down);
    }
    *numeric = sum / (12 * eps);
    bool was_enabled = heed_set_grad_enabled(false);
    bool restored = heed_copy_(c->points[k], x) == HEED_OK;
    (void)heed_set_grad_enabled(was_enabled);
    return restored;
}

static bool compare_projections(heed__gradcheck *c, double (*analytic)[RULES], double *row, double *rows)
{
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return false;
    bool ok = draw_projection(c) && project_backward(c, analytic, row);
    for (int k = 0; ok && k < c->n_points; k++) {
        double numeric = 0;
        ok = project_differences(c, k, rows, &numeric);
        if (ok)
            heed__gradcheck_compare(c, -1, k, -1, analytic[k], numeric);
    }
    (void)heed_scope_end(scope);
    return ok;
}

bool heed__gradcheck_projection(heed__gradcheck *c)
{
    size_t points = (size_t)c->n_points, columns = (size_t)c->columns, rows = (size_t)c->rows;
    double(*analytic)[RULES] = heed_calloc(points, sizeof *analytic);
    double *gradient = heed_calloc(columns, sizeof *gradient), *values = heed_calloc(rows, sizeof *values);
    bool ok = analytic && gradient && values && compare_projections(c, analytic, gradient, values);
    heed_free(analytic, points * sizeof *analytic);
    heed_free(gradient, columns * sizeof *gradient);
    heed_free(values, rows * sizeof *values);
    return ok;
}
