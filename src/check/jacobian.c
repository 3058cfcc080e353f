/* check/jacobian.c - compares every derivative by backward and by five-point differences. */

#include "check/gradcheck.h"

#include <math.h>
#include <string.h>

#include <heed/memory.h>
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

bool heed__gradcheck_repeatable(heed__gradcheck *c)
{
    size_t bytes = (size_t)c->columns * sizeof(double);
    double *first_row = heed_calloc((size_t)c->columns, sizeof *first_row),
           *second_row = heed_calloc((size_t)c->columns, sizeof *second_row);
    bool ok = first_row && second_row;
    for (int k = 0; ok && k < RULES * c->n_outputs; k++) {
        heed__gradcheck_rule rule = (heed__gradcheck_rule)(k % RULES);
        heed_tensor *g = heed__gradcheck_random(c, c->entries[k / RULES].shape);
        ok = heed__gradcheck_vjp(c, rule, k / RULES, g, first_row) &&
             heed__gradcheck_vjp(c, rule, k / RULES, g, second_row);
        if (ok && memcmp(first_row, second_row, bytes) != 0)
            ok = heed_fail_false(HEED_ERR_STATE, c->name,
                                 "backward is not deterministic: a second pass gave different bits");
    }
    heed_free(first_row, bytes);
    heed_free(second_row, bytes);
    return ok;
}

/* Computes jacobian[row][rule][column] with one backward pass per row and rule. */
static bool compute_jacobian(heed__gradcheck *c, double *jacobian)
{
    bool ok = heed__gradcheck_evaluate(c, true) && heed__gradcheck_repeatable(c) && heed__gradcheck_layouts(c);
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

/* Converts i, the number of an element in row-major order, to its index. */
static heed_shape index_of(const heed_tensor *point, int64_t i)
{
    heed_shape index = heed_shape_of(point);
    for (int axis = index.rank - 1; axis >= 0; axis--) {
        int64_t size = index.dims[axis];
        index.dims[axis] = i % size;
        i /= size;
    }
    return index;
}

/* Sets one element of a point to x and evaluates the rows. */
static bool values_at(heed__gradcheck *c, heed_tensor *point, heed_shape index, double x, double *rows)
{
    return heed_set_(point, index, x) == HEED_OK && heed__gradcheck_values(c, rows);
}

/* Computes column = d rows / d (element i of the point). May change the point in place, because it belongs to the check
 * and no later pass uses its graph. */
static bool differentiate(heed__gradcheck *c, heed_tensor *point, int64_t i, double *column, double *up, double *down)
{
    heed_shape index = index_of(point, i);
    double x = heed_get(point, index), h = c->options.eps * fmax(1, fabs(x));
    memset(column, 0, (size_t)c->rows * sizeof *column);
    for (int k = 0; k < HEED__DIFFERENCES; k++) {
        const heed__difference *d = &heed__differences[k];
        if (!values_at(c, point, index, x + d->step * h, up) || !values_at(c, point, index, x - d->step * h, down))
            return false;
        for (int64_t row = 0; row < c->rows; row++)
            column[row] += d->weight * (up[row] - down[row]);
    }
    for (int64_t row = 0; row < c->rows; row++)
        column[row] /= 12 * h;
    return heed_set_(point, index, x) == HEED_OK;
}

static bool compare_columns(heed__gradcheck *c, const double *jacobian, double *column, double *up, double *down)
{
    int64_t first = 0;
    for (int k = 0; k < c->n_points; k++) {
        int64_t n = heed_numel(c->points[k]);
        for (int64_t i = 0; i < n; i++) {
            if (!differentiate(c, c->points[k], i, column, up, down))
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

/* -- Comparison ---------------------------------------------------------------------------------------------------- */

static bool compare(heed__gradcheck *c, double *jacobian, double *column, double *up, double *down)
{
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return false;
    bool ok = compute_jacobian(c, jacobian);
    (void)heed_scope_end(scope);
    scope = ok ? heed_no_grad_begin() : NULL;
    ok = scope && compare_columns(c, jacobian, column, up, down);
    if (scope)
        (void)heed_scope_end(scope);
    return ok;
}

bool heed__gradcheck_jacobian(heed__gradcheck *c)
{
    size_t bytes = (size_t)c->rows * sizeof(double), row_bytes = RULES * (size_t)c->columns * sizeof(double);
    double *jacobian = heed_calloc((size_t)c->rows, row_bytes), *column = heed_calloc((size_t)c->rows, sizeof *column);
    double *up = heed_calloc((size_t)c->rows, sizeof *up), *down = heed_calloc((size_t)c->rows, sizeof *down);
    bool ok = jacobian && column && up && down && compare(c, jacobian, column, up, down);
    heed_free(jacobian, (size_t)c->rows * row_bytes);
    heed_free(column, bytes);
    heed_free(up, bytes);
    heed_free(down, bytes);
    return ok;
}
