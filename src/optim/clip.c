/* optim/clip.c - clipping of gradients, by their norm and by value. */

#include <math.h>

#include <heed/graph.h>
#include <heed/memory.h>
#include <heed/ops.h>
#include <heed/optim.h>

#include "optim/clip.h"
#include "optim/optimizer.h"

/* Element i is added to lane i mod HEED_LANES. */
#define SUM_OF_SQUARES(real, name)                                                                                     \
    static double name(int64_t n, const real *x)                                                                       \
    {                                                                                                                  \
        double lane[HEED_LANES] = {0.0};                                                                               \
        int64_t i = 0;                                                                                                 \
        for (; i <= n - HEED_LANES; i += HEED_LANES)                                                                   \
            for (int k = 0; k < HEED_LANES; k++)                                                                       \
                lane[k] += (double)x[i + k] * (double)x[i + k];                                                        \
        for (int k = 0; i < n; i++, k++)                                                                               \
            lane[k] += (double)x[i] * (double)x[i];                                                                    \
        return heed__sum_lanes(lane);                                                                                  \
    }

SUM_OF_SQUARES(float, sum_of_squares_f32)
SUM_OF_SQUARES(double, sum_of_squares_f64)

double heed__sum_of_squares(const heed_tensor *x, int64_t begin, int64_t end)
{
    return heed_dtype_of(x) == HEED_F32 ? sum_of_squares_f32(end - begin, heed_data_f32(x) + begin)
                                        : sum_of_squares_f64(end - begin, heed_data_f64(x) + begin);
}

double heed__clip_factor(double norm, double max_norm)
{
    return fmin(max_norm / (norm + 1e-6), 1.0);
}

/* The 2-norm of all gradients together. */
static heed_status norm_of(const heed__parameter_list *list, double *norm)
{
    double sum = 0.0;
    for (int i = 0; i < list->n; i++) {
        if (!heed_has_grad(list->items[i]))
            continue;
        heed_tensor *g = heed_contiguous(heed_grad_of(list->items[i]));
        if (!g)
            return heed_error_code();
        sum += heed__sum_of_squares(g, 0, heed_numel(g));
    }
    *norm = sqrt(sum);
    return HEED_OK;
}

static heed_tensor *scaled(heed_tensor *g, double factor)
{
    return heed_mul_scalar(g, factor);
}

static heed_tensor *clamped(heed_tensor *g, double limit)
{
    return heed_clamp(g, -limit, limit);
}

/* Puts change(g, number) in the place of each gradient g, once all are made. Not written in place: a gradient that the
 * user has set may be a view, or belong to two parameters. */
static heed_status replace(const heed__parameter_list *list, heed_tensor *(*change)(heed_tensor *, double),
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

/* -- What a call does, in a scope where nothing is recorded ------------------------------------------------- */

typedef heed_status clip_fn(const char *where, const heed__parameter_list *list, double number, double *total_norm);

static heed_status clip_norm(const char *where, const heed__parameter_list *list, double max_norm, double *total_norm)
{
    double norm = 0.0;
    heed_status status = norm_of(list, &norm);
    if (status != HEED_OK)
        return status;
    if (total_norm)
        *total_norm = norm;
    if (!isfinite(norm))
        return heed_fail(HEED_ERR_STATE, where, "the norm of the gradients is %g", norm);
    double factor = heed__clip_factor(norm, max_norm);
    return factor < 1.0 ? replace(list, scaled, factor) : HEED_OK;
}

static heed_status clip_value(const char *where, const heed__parameter_list *list, double limit, double *unused)
{
    (void)where;
    (void)unused;
    return replace(list, clamped, limit);
}

static heed_status clip(const char *where, const heed__parameter_list *list, clip_fn *fn, double number,
                        double *total_norm)
{
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return HEED_ERR_NOMEM;
    heed_status status = fn(where, list, number, total_norm);
    heed_scope_end(scope);
    return status;
}

static heed_status clip_module(const char *where, heed_module *module, clip_fn *fn, double number, double *total_norm)
{
    HEED_ENTER(where);
    heed__parameter_list list = {0};
    heed_status status = heed__parameters_of_module(&list, where, module, false);
    if (status == HEED_OK)
        status = clip(where, &list, fn, number, total_norm);
    heed__parameters_free(&list);
    return status;
}

static heed_status clip_tensors(const char *where, heed_tensor *const *parameters, int n, clip_fn *fn, double number,
                                double *total_norm)
{
    HEED_ENTER(where);
    heed__parameter_list list = {0};
    heed_status status = heed__parameters_of_tensors(&list, where, parameters, n);
    if (status == HEED_OK)
        status = clip(where, &list, fn, number, total_norm);
    heed__parameters_free(&list);
    return status;
}

/* -- Public ------------------------------------------------------------------------------------------------- */

heed_status heed_optim_clip_grad_norm_(heed_module *module, double max_norm, double *total_norm)
{
    static const char where[] = "optim_clip_grad_norm_";
    if (!heed__optim_check_positive(where, "max_norm", max_norm))
        return HEED_ERR_ARGUMENT;
    return clip_module(where, module, clip_norm, max_norm, total_norm);
}

heed_status heed_optim_clip_grad_norm_tensors_(heed_tensor *const *parameters, int n, double max_norm,
                                               double *total_norm)
{
    static const char where[] = "optim_clip_grad_norm_tensors_";
    if (!heed__optim_check_positive(where, "max_norm", max_norm))
        return HEED_ERR_ARGUMENT;
    return clip_tensors(where, parameters, n, clip_norm, max_norm, total_norm);
}

heed_status heed_optim_clip_grad_value_(heed_module *module, double limit)
{
    static const char where[] = "optim_clip_grad_value_";
    if (!heed__optim_check_positive(where, "limit", limit))
        return HEED_ERR_ARGUMENT;
    return clip_module(where, module, clip_value, limit, NULL);
}

heed_status heed_optim_clip_grad_value_tensors_(heed_tensor *const *parameters, int n, double limit)
{
    static const char where[] = "optim_clip_grad_value_tensors_";
    if (!heed__optim_check_positive(where, "limit", limit))
        return HEED_ERR_ARGUMENT;
    return clip_tensors(where, parameters, n, clip_value, limit, NULL);
}
