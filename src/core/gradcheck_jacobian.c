/* core/gradcheck_jacobian.c - the two sides of gradcheck: derivatives by backward, and by five-point differences. */

#include <math.h>
#include <string.h>

#include <heed/ops.h>

#include "core/gradcheck.h"
#include "core/tensor.h"

/* f' = sum of weight (f(x + step h) - f(x - step h)) / 12 h: in pairs, so that what does not move cancels exactly. */
static const struct {
    double step, weight;
} pairs[] = {{1, 8}, {2, -1}};
enum { PAIRS = 2 };

/* -- By backward --------------------------------------------------------------------------------------------------- */

bool heed__check_pull(heed_check *c, heed_check_rule rule, int output, heed_tensor *g, double *row)
{
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return false;
    for (int i = 0; i < c->n_points; i++)
        c->gradients[i] = NULL;
    heed_tensor **y = &c->outputs[output];
    heed_grad_options options = {
        .grad_outputs = &g, .retain_graph = true, .create_graph = rule == COMPOSED, .allow_unused = true};
    bool ok = g && (!(*y)->requires_grad || heed_grad(y, 1, c->points, c->n_points, c->gradients, &options) == HEED_OK);
    for (int i = 0; ok && i < c->n_points; i++) {
        int64_t n = c->points[i]->numel;
        const heed_tensor *gradient = c->gradients[i] ? heed_contiguous(c->gradients[i]) : NULL;
        ok = gradient || !c->gradients[i];
        for (int64_t j = 0; ok && j < n; j++)
            row[j] = gradient ? ((const double *)(const void *)gradient->data)[j] : 0;
        row += n;
    }
    (void)heed_scope_end(scope);
    return ok;
}

/* Two passes through the same graph with the same g must agree to the last bit. */
static bool check_repeatable(heed_check *c)
{
    size_t bytes = (size_t)c->columns * sizeof(double);
    double *once = heed_calloc((size_t)c->columns, sizeof *once),
           *again = heed_calloc((size_t)c->columns, sizeof *again);
    bool ok = once && again;
    for (int k = 0; ok && k < RULES * c->n_outputs; k++) {
        heed_check_rule rule = (heed_check_rule)(k % RULES);
        heed_tensor *g = heed__check_random(c, c->places[k / RULES].shape);
        ok = heed__check_pull(c, rule, k / RULES, g, once) && heed__check_pull(c, rule, k / RULES, g, again);
        if (ok && memcmp(once, again, bytes) != 0) {
            (void)heed_fail(HEED_ERR_STATE, c->name, "a second backward pass gave other bits");
            ok = false;
        }
    }
    heed_free(once, bytes);
    heed_free(again, bytes);
    return ok;
}

/* jacobian[row][rule][column], one backward pass of each rule per row. */
static bool fill_jacobian(heed_check *c, double *jacobian)
{
    bool ok = heed__check_evaluate(c, true) && check_repeatable(c);
    for (int k = 0; ok && k < c->n_outputs; k++) {
        int64_t n = heed_shape_numel(c->places[k].shape);
        for (int64_t j = 0; ok && j < n; j++) {
            heed_scope *scope = heed_no_grad_begin();
            heed_tensor *unit = scope ? heed_zeros(HEED_F64, c->places[k].shape) : NULL;
            double *values = unit ? heed_mutable_f64(unit) : NULL;
            if (values)
                values[j] = 1;
            for (int rule = 0; rule < RULES; rule++, jacobian += c->columns)
                ok = ok && values && heed__check_pull(c, (heed_check_rule)rule, k, heed__check_copy(c, unit), jacobian);
            if (scope)
                (void)heed_scope_end(scope);
        }
    }
    return ok;
}

/* -- By differences ------------------------------------------------------------------------------------------------ */

/* The element of a point, of any layout. */
static double *element(const heed_tensor *point, int64_t index)
{
    int64_t offset = 0;
    for (int axis = point->shape.rank - 1; axis >= 0; axis--) {
        offset += index % point->shape.dims[axis] * point->strides[axis];
        index /= point->shape.dims[axis];
    }
    return (double *)(void *)point->data + offset;
}

/* column = d rows / d (point, index). The point belongs to the check; no graph of it is walked any more. */
static bool differentiate(heed_check *c, int point, int64_t index, double *column, double *up, double *down)
{
    double *at = element(c->points[point], index);
    double x = *at, h = c->options.eps * fmax(1, fabs(x));
    memset(column, 0, (size_t)c->rows * sizeof *column);
    for (int k = 0; k < PAIRS; k++) {
        *at = x + pairs[k].step * h;
        if (!heed__check_values(c, up))
            return false;
        *at = x - pairs[k].step * h;
        if (!heed__check_values(c, down))
            return false;
        for (int64_t row = 0; row < c->rows; row++)
            column[row] += pairs[k].weight * (up[row] - down[row]);
    }
    *at = x;
    for (int64_t row = 0; row < c->rows; row++)
        column[row] /= 12 * h;
    return true;
}

static bool compare_columns(heed_check *c, const double *jacobian, double *column, double *up, double *down)
{
    int64_t first = 0;
    for (int k = 0; k < c->n_points; k++) {
        for (int64_t i = 0; i < c->points[k]->numel; i++) {
            if (!differentiate(c, k, i, column, up, down))
                return false;
            for (int64_t row = 0; row < c->rows; row++) {
                const double *at = jacobian + RULES * row * c->columns + first + i;
                heed__check_compare(c, row, k, i, (double[RULES]){at[0], at[c->columns]}, column[row]);
            }
        }
        first += c->points[k]->numel;
    }
    return true;
}

/* -- Everything ---------------------------------------------------------------------------------------------------- */

static bool fill_jacobian_in_scope(heed_check *c, double *jacobian)
{
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return false;
    bool ok = fill_jacobian(c, jacobian);
    (void)heed_scope_end(scope);
    return ok;
}

bool heed__check_jacobian(heed_check *c)
{
    size_t bytes = (size_t)c->rows * sizeof(double), row_bytes = RULES * (size_t)c->columns * sizeof(double);
    double *jacobian = heed_calloc((size_t)c->rows, row_bytes), *column = heed_calloc((size_t)c->rows, sizeof *column);
    double *up = heed_calloc((size_t)c->rows, sizeof *up), *down = heed_calloc((size_t)c->rows, sizeof *down);
    bool ok = jacobian && column && up && down && fill_jacobian_in_scope(c, jacobian) &&
              compare_columns(c, jacobian, column, up, down);
    heed_free(jacobian, (size_t)c->rows * row_bytes);
    heed_free(column, bytes);
    heed_free(up, bytes);
    heed_free(down, bytes);
    return ok;
}

/* -- One projection per point: u^T J v
 * ------------------------------------------------------------------------------ */

/* Steps of a point are eps v, with |v| like max(1, |x|) in each element. */
static heed_tensor *draw_direction(heed_check *c, heed_tensor *point)
{
    heed_tensor *v = heed__check_random(c, point->shape);
    for (int64_t i = 0; v && i < v->numel; i++)
        *element(v, i) *= fmax(1, fabs(*element(point, i)));
    return v;
}

static bool draw_projection(heed_check *c)
{
    for (int k = 0; k < c->n_outputs; k++)
        if (!(c->places[k].weights = heed__check_random(c, c->places[k].shape)))
            return false;
    for (int k = 0; k < c->n_points; k++)
        if (!(c->places[k].direction = draw_direction(c, c->points[k])))
            return false;
    return true;
}

/* u^T rows */
static double weigh(const heed_check *c, const double *rows)
{
    double sum = 0;
    for (int k = 0; k < c->n_outputs; k++)
        for (int64_t i = 0; i < c->places[k].weights->numel; i++)
            sum += *element(c->places[k].weights, i) * *rows++;
    return sum;
}

/* analytic[point][rule] = u^T J v */
static bool project_backward(heed_check *c, double (*analytic)[RULES], double *row)
{
    if (!heed__check_evaluate(c, true) || !check_repeatable(c))
        return false;
    for (int k = 0; k < RULES * c->n_outputs; k++) {
        int rule = k % RULES;
        if (!heed__check_pull(c, (heed_check_rule)rule, k / RULES, c->places[k / RULES].weights, row))
            return false;
        const double *gradient = row;
        for (int p = 0; p < c->n_points; p++)
            for (int64_t i = 0; i < c->points[p]->numel; i++)
                analytic[p][rule] += *gradient++ * *element(c->places[p].direction, i);
    }
    return true;
}

/* point = x + t v, and u^T rows there. */
static bool evaluate_along(heed_check *c, int k, const heed_tensor *x, double t, double *rows, double *sum)
{
    heed_tensor *point = c->points[k], *v = c->places[k].direction;
    for (int64_t i = 0; i < point->numel; i++)
        *element(point, i) = *element(x, i) + t * *element(v, i);
    bool ok = heed__check_values(c, rows);
    *sum = ok ? weigh(c, rows) : 0;
    return ok;
}

/* d u^T rows / dt at t = 0. */
static bool project_differences(heed_check *c, int k, double *rows, double *numeric)
{
    double eps = c->options.eps, up, down, sum = 0;
    heed_tensor *x = heed__check_copy(c, c->points[k]);
    if (!x)
        return false;
    for (int pair = 0; pair < PAIRS; pair++) {
        double t = pairs[pair].step * eps;
        if (!evaluate_along(c, k, x, t, rows, &up) || !evaluate_along(c, k, x, -t, rows, &down))
            return false;
        sum += pairs[pair].weight * (up - down);
    }
    for (int64_t i = 0; i < x->numel; i++)
        *element(c->points[k], i) = *element(x, i);
    *numeric = sum / (12 * eps);
    return true;
}

static bool compare_projections(heed_check *c, double (*analytic)[RULES], double *row, double *rows)
{
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return false;
    bool ok = draw_projection(c) && project_backward(c, analytic, row);
    for (int k = 0; ok && k < c->n_points; k++) {
        double numeric = 0;
        ok = project_differences(c, k, rows, &numeric);
        if (ok)
            heed__check_compare(c, -1, k, -1, analytic[k], numeric);
    }
    (void)heed_scope_end(scope);
    return ok;
}

bool heed__check_projection(heed_check *c)
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
