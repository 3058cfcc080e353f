/* optim/clip.c - clips gradients by norm and by value.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <float.h>
#include <math.h>

#include <heed/graph.h>
#include <heed/memory.h>
#include <heed/ops.h>
#include <heed/optim.h>

#include "optim/clip.h"
#include "optim/optimizer.h"

/* -- Sums of squares ---------------------------------------------------------------------------------------- */

/* A square that underflows has an error of at most 2^-1075. For sums above the bound, the errors of all `terms` squares
 * together are at most a quarter of a unit in the last place of the sum. */
bool heed__squares_fit(double sum, int64_t terms)
{
    return sum >= 0x1p-1020 * (double)terms && sum <= DBL_MAX;
}

double heed__largest_magnitude(const heed_tensor *x, double largest)
{
    const bool is_f32 = heed_dtype_of(x) == HEED_F32;
    const float *f32 = is_f32 ? heed_data_f32(x) : NULL;
    const double *f64 = is_f32 ? NULL : heed_data_f64(x);
    for (int64_t i = 0, n = heed_numel(x); i < n; i++) {
        const double size = fabs(is_f32 ? (double)f32[i] : f64[i]);
        largest = size > largest || isnan(size) ? size : largest;
    }
    return largest;
}

double heed__scale_for(double largest)
{
    int exponent;
    if (!(largest > 0.0 && largest <= DBL_MAX))
        return 1.0;
    (void)frexp(largest, &exponent);
    return ldexp(1.0, exponent < -1020 ? 1020 : -exponent);
}

double heed__norm_of(const heed_tensor *x)
{
    const int64_t n = heed_numel(x);
    const double sum = heed__sum_of_squares(x, 0, n);
    if (heed__squares_fit(sum, n))
        return sqrt(sum);
    const double scale = heed__scale_for(heed__largest_magnitude(x, 0.0));
    return sqrt(heed__sum_of_scaled_squares(x, 0, n, scale)) / scale;
}

/* -- Factors ------------------------------------------------------------------------------------------------ */

double heed__clip_factor(double norm, double max_norm)
{
    return fmin(max_norm / (norm + 1e-6), 1.0);
}

/* Multiplies in two steps if the factor is subnormal in x's dtype, because rounding such a factor to the dtype would
 * lose digits. */
heed_tensor *heed__scaled(heed_tensor *x, double factor)
{
    if (factor >= (heed_dtype_of(x) == HEED_F32 ? (double)FLT_MIN : DBL_MIN))
        return heed_mul_scalar(x, factor);
    return heed_mul_scalar(heed_mul_scalar(x, 0x1p-64), factor * 0x1p64);
}

/* -- Joint norm of all gradients ----------------------------------------------------------------------------- */

/* Returns the total number of elements of all gradients. */
static int64_t count_terms(const heed__parameter_list *list)
{
    int64_t terms = 0;
    for (int i = 0; i < list->n; i++)
        terms += heed_has_grad(list->items[i]) ? heed_numel(list->items[i]) : 0;
    return terms;
}

/* Returns `sum` combined with the elements of a contiguous gradient. `scale` is a power of two by which a function may
 * multiply the elements first. */
typedef double add_fn(const heed_tensor *g, double sum, double scale);

static double add_gradient_squares(const heed_tensor *g, double sum, double scale)
{
    (void)scale;
    return sum + heed__sum_of_squares(g, 0, heed_numel(g));
}

static double add_scaled_squares(const heed_tensor *g, double sum, double scale)
{
    return sum + heed__sum_of_scaled_squares(g, 0, heed_numel(g), scale);
}

static double find_largest(const heed_tensor *g, double largest, double scale)
{
    (void)scale;
    return heed__largest_magnitude(g, largest);
}

static heed_status over_gradients(const heed__parameter_list *list, add_fn *add, double scale, double *sum)
{
    *sum = 0.0;
    for (int i = 0; i < list->n; i++) {
        if (!heed_has_grad(list->items[i]))
            continue;
        heed_tensor *g = heed_contiguous(heed_grad_of(list->items[i]));
        if (!g)
            return heed_error_code();
        *sum = add(g, *sum, scale);
    }
    return HEED_OK;
}

/* Computes *norm, the 2-norm of all gradients together. */
static heed_status find_joint_norm(const heed__parameter_list *list, double *norm)
{
    double sum, largest;
    heed_status status = over_gradients(list, add_gradient_squares, 1.0, &sum);
    *norm = sqrt(sum);
    if (status != HEED_OK || heed__squares_fit(sum, count_terms(list)))
        return status;
    status = over_gradients(list, find_largest, 1.0, &largest);
    if (status != HEED_OK)
        return status;
    const double scale = heed__scale_for(largest);
    status = over_gradients(list, add_scaled_squares, scale, &sum);
    *norm = sqrt(sum) / scale;
    return status;
}

static heed_tensor *clamped(heed_tensor *g, double limit)
{
    return heed_clamp(g, -limit, limit);
}

/* Replaces every gradient g by change(g, number). Computes all new gradients before it replaces the first one. Does not
 * write in place, because a gradient that the user has set may be a view or belong to two parameters. */
static heed_status replace_gradients(const heed__parameter_list *list, heed_tensor *(*change)(heed_tensor *, double),
                                     double number)
{
    heed_tensor **changed = heed_calloc((size_t)list->n, sizeof *changed);
    heed_status status = changed ? HEED_OK : HEED_ERR_NOMEM;
    for (int i = 0; status == HEED_OK && i < list->n; i++)
        if (heed_has_grad(list->items[i])) {
            changed[i] = change(heed_grad_of(list->items[i]), number);
            status = changed[i] ? HEED_OK : heed_error_code();
        }
    for (int i = 0; status == HEED_OK && i < list->n; i++)
        if (changed[i])
            status = heed_set_grad(list->items[i], changed[i]);
    heed_free(changed, (size_t)list->n * sizeof *changed);
    return status;
}

/* -- The work of a call, in a scope without recording ------------------------------------------------------- */

/* The arguments of a call, and the module's parameters. */
typedef struct request {
    const char *where;
    heed_module *module;
    double number; /* max_norm or limit */
    heed__parameter_list list;
} request;

/* Returns the first infinite or NaN element of t's gradient, or 0 if all are finite. */
static double first_not_finite(heed_tensor *t)
{
    heed_tensor *g = heed_has_grad(t) ? heed_contiguous(heed_grad_of(t)) : NULL;
    const heed_dtype dtype = g ? heed_dtype_of(g) : HEED_F64;
    for (int64_t i = 0; g && i < heed_numel(g); i++) {
        const double value = dtype == HEED_F32 ? (double)heed_data_f32(g)[i] : heed_data_f64(g)[i];
        if (!isfinite(value))
            return value;
    }
    return 0.0;
}

static heed_status report_parameter(const heed_module_visit *visit, void *user)
{
    const request *r = user;
    const double value = visit->is_buffer ? 0.0 : first_not_finite(visit->tensor);
    if (value == 0.0)
        return HEED_OK;
    return heed_fail(HEED_ERR_STATE, r->where, "the gradient of \"%s\" has %g; %s", visit->name, value,
                     "heed_set_anomaly(true) finds the op that made it");
}

static heed_status find_norm(request *r, double *norm)
{
    return find_joint_norm(&r->list, norm);
}

static heed_status clip_norm(request *r, double *total_norm)
{
    double norm = 0.0;
    heed_status status = find_joint_norm(&r->list, &norm);
    if (status != HEED_OK)
        return status;
    if (total_norm)
        *total_norm = norm;
    if (!isfinite(norm)) { /* the error names the first parameter with a non-finite gradient, if there is one */
        status = heed_module_walk(r->module, report_parameter, r);
        return status != HEED_OK ? status
                                 : heed_fail(HEED_ERR_STATE, r->where,
                                             "the norm of the gradients is %g, although all of them are finite", norm);
    }
    double factor = heed__clip_factor(norm, r->number);
    return factor < 1.0 ? replace_gradients(&r->list, heed__scaled, factor) : HEED_OK;
}

static heed_status clip_value(request *r, double *unused)
{
    (void)unused;
    return replace_gradients(&r->list, clamped, r->number);
}

typedef heed_status clip_fn(request *r, double *total_norm);

static heed_status clip_in_scope(request *r, clip_fn *clip, double *total_norm)
{
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return HEED_ERR_NOMEM;
    heed_status status = clip(r, total_norm);
    heed_scope_end(scope);
    return status;
}

static heed_status clip_module(request *r, clip_fn *clip, double *total_norm)
{
    HEED_ENTER(r->where);
    heed_status status = heed__parameters_of_module(&r->list, r->where, r->module, false);
    if (status == HEED_OK)
        status = clip_in_scope(r, clip, total_norm);
    heed__parameters_free(&r->list);
    return status;
}

/* -- Public functions --------------------------------------------------------------------------------------- */

heed_status heed_optim_clip_grad_norm_(heed_module *module, double max_norm, double *total_norm)
{
    request r = {.where = "optim_clip_grad_norm_", .module = module, .number = max_norm};
    if (!heed__optim_check_positive(r.where, "max_norm", max_norm))
        return HEED_ERR_ARGUMENT;
    return clip_module(&r, clip_norm, total_norm);
}

double heed_optim_grad_norm(heed_module *module)
{
    request r = {.where = "optim_grad_norm", .module = module};
    double norm = (double)NAN;
    return clip_module(&r, find_norm, &norm) == HEED_OK ? norm : (double)NAN;
}

heed_status heed_optim_clip_grad_value_(heed_module *module, double limit)
{
    request r = {.where = "optim_clip_grad_value_", .module = module, .number = limit};
    if (!heed__optim_check_positive(r.where, "limit", limit))
        return HEED_ERR_ARGUMENT;
    return clip_module(&r, clip_value, NULL);
}
