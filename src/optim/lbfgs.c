/* optim/lbfgs.c - L-BFGS; heed/optim/rules.h states the rule. Follows torch.optim.LBFGS, so that iterates agree.
 *
 * A step works on a copy of the optimizer's state, and on the parameters themselves after copying them. If the closure
 * or an allocation fails, the copy of the parameters is written back, which needs no memory.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>
#include <string.h>

#include <heed/graph.h>
#include <heed/ops.h>
#include <heed/scope.h>

#include "optim/clip.h"
#include "optim/lbfgs.h"

#define MAX_COUNT 1000000000 /* maximum number of iterations and evaluations per step */
#define MAX_PAIRS 10000

static const char where[] = "optimizer_step_closure";

/* The state of a running step. Tensors that outlive an iteration are retained. */
typedef struct lbfgs_step {
    heed_optimizer *o;
    const heed_optim_lbfgs_options *options;
    heed_closure closure;
    void *user;
    heed__lbfgs *state;
    heed_tensor *x;    /* the parameters at the beginning of the iteration */
    heed_tensor *grad; /* the gradient at x; after the iteration, the gradient at the new parameters */
    double loss;       /* the loss at the parameters to which `grad` belongs */
    int64_t evals;     /* evaluations of the closure in this step */
} lbfgs_step;

/* -- Vectors of f64 ------------------------------------------------------------------------------------------------ */

double heed__dot(const heed_tensor *a, const heed_tensor *b)
{
    const double *x = heed_data_f64(a), *y = heed_data_f64(b);
    const int64_t n = heed_numel(a);
    double lane[HEED_LANES] = {0.0};
    int64_t i = 0;
    for (; i <= n - HEED_LANES; i += HEED_LANES)
        for (int k = 0; k < HEED_LANES; k++)
            lane[k] += x[i + k] * y[i + k];
    for (int k = 0; i < n; i++, k++)
        lane[k] += x[i] * y[i];
    return heed__sum_lanes(lane);
}

/* Returns the largest |a_i|. */
static double abs_max(const heed_tensor *a)
{
    const double *x = heed_data_f64(a);
    double maximum = 0.0;
    for (int64_t i = 0, n = heed_numel(a); i < n; i++)
        maximum = fmax(maximum, fabs(x[i]));
    return maximum;
}

/* Returns the sum of all |a_i|. */
static double abs_sum(const heed_tensor *a)
{
    const double *x = heed_data_f64(a);
    double sum = 0.0;
    for (int64_t i = 0, n = heed_numel(a); i < n; i++)
        sum += fabs(x[i]);
    return sum;
}

/* Returns a x + b y as a new vector, or NULL after heed_fail. */
static heed_tensor *linear_combination(double a, const heed_tensor *x, double b, const heed_tensor *y)
{
    heed_tensor *z = heed_empty(HEED_F64, heed_shape_of(x));
    if (!z)
        return NULL;
    const double *from = heed_data_f64(x), *and = heed_data_f64(y);
    double *to = heed_mutable_f64(z);
    for (int64_t i = 0, n = heed_numel(x); i < n; i++)
        to[i] = a * from[i] + b * and[i];
    return z;
}

/* Adds a x to y in place. */
static void add_scaled_(heed_tensor *y, double a, const heed_tensor *x)
{
    const double *from = heed_data_f64(x);
    double *to = heed_mutable_f64(y);
    for (int64_t i = 0, n = heed_numel(y); i < n; i++)
        to[i] += a * from[i];
}

/* -- Parameters as one vector -------------------------------------------------------------------------------------- */

/* Writes the n elements of a contiguous tensor to `to`. Writes zeros if t is NULL, like the gradient of a parameter
 * that does not affect the loss. */
static void copy_to_f64(const heed_tensor *t, int64_t n, double *to)
{
    if (!t)
        memset(to, 0, (size_t)n * sizeof *to);
    else if (heed_dtype_of(t) == HEED_F64)
        memcpy(to, heed_data_f64(t), (size_t)n * sizeof *to);
    else
        for (int64_t i = 0; i < n; i++)
            to[i] = (double)heed_data_f32(t)[i];
}

/* Returns the parameters, or their gradients, as one vector. */
static heed_tensor *gather_vector(const heed_optimizer *o, bool gradients)
{
    heed_tensor *flat = heed__lbfgs_vector(o);
    double *to = flat ? heed_mutable_f64(flat) : NULL;
    for (int i = 0; i < o->parameters.n && to; i++) {
        heed_tensor *p = o->parameters.items[i], *from = gradients ? NULL : p;
        if (gradients && heed_has_grad(p) && !(from = heed_contiguous(heed_grad_of(p))))
            return NULL;
        if (heed_numel(p) > 0)
            copy_to_f64(from, heed_numel(p), to);
        to += heed_numel(p);
    }
    return flat;
}

/* Sets t[k] = x[k] + step d[k], or t[k] = x[k] if d is NULL. t may be f32 or f64. */
static void set_elements(heed_tensor *t, const double *x, double step, const double *d)
{
    const int64_t n = heed_numel(t);
    if (heed_dtype_of(t) == HEED_F32) {
        float *to = heed_mutable_f32(t);
        for (int64_t k = 0; k < n; k++)
            to[k] = (float)(d ? x[k] + step * d[k] : x[k]);
    } else {
        double *to = heed_mutable_f64(t);
        for (int64_t k = 0; k < n; k++)
            to[k] = d ? x[k] + step * d[k] : x[k];
    }
}

/* Sets the parameters to x + t d, or to x if d is NULL. Allocates no memory. */
static void set_parameters(const heed_optimizer *o, const heed_tensor *x, double t, const heed_tensor *d)
{
    const bool recording = heed_set_grad_enabled(false);
    const double *from = heed_data_f64(x), *along = d ? heed_data_f64(d) : NULL;
    int64_t at = 0;
    for (int i = 0; i < o->parameters.n; i++) {
        heed_tensor *p = o->parameters.items[i];
        set_elements(p, from + at, t, along ? along + at : NULL);
        at += heed_numel(p);
    }
    (void)heed_set_grad_enabled(recording);
}

/* -- Evaluation ---------------------------------------------------------------------------------------------------- */

/* Computes the loss and its gradient at the current parameters. *grad is a flat f64 vector. Returns false after
 * heed_fail. */
static bool evaluate_loss(lbfgs_step *r, double *loss, heed_tensor **grad)
{
    *grad = NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return false;
    r->evals++;
    heed_tensor *flat = NULL;
    if (heed__optimizer_evaluate(r->o, r->closure, r->user, loss))
        flat = gather_vector(r->o, true);
    *grad = heed_scope_return(scope, flat);
    return *grad != NULL;
}

static bool evaluate_on_line(void *user, heed__line_point *point)
{
    lbfgs_step *r = user;
    set_parameters(r->o, r->x, point->t, r->state->d);
    if (!evaluate_loss(r, &point->value, &point->grad))
        return false;
    point->slope = heed__dot(point->grad, r->state->d);
    return true;
}

/* -- An iteration -------------------------------------------------------------------------------------------------- */

/* Adds the changes of gradient and parameters in the last iteration to the pairs, unless their product y . s is about 0
 * or less. Returns false after heed_fail. */
static bool add_pair(lbfgs_step *r)
{
    heed__lbfgs *l = r->state;
    heed_tensor *y = linear_combination(1.0, r->grad, -1.0, l->grad),
                *s = y ? linear_combination(l->t, l->d, 0.0, l->d) : NULL;
    if (s && heed__dot(y, s) > 1e-10)
        heed__lbfgs_push(l, y, s);
    return s != NULL;
}

/* Returns (y . s) / (y . y), even if y . y overflows or underflows. */
static double first_scale(const heed__lbfgs_pair *pair)
{
    const double ys = heed__dot(pair->y, pair->s), yy = heed__dot(pair->y, pair->y);
    const int64_t n = heed_numel(pair->y);
    if (heed__squares_fit(yy, n))
        return ys / yy;
    const double factor = heed__scale_for(abs_max(pair->y));
    return ys * factor / heed__sum_of_scaled_squares(pair->y, 0, n, factor) * factor;
}

/* Returns d = -H g, with the gradient g and an approximation H of the inverse Hessian. Uses the two-loop recursion over
 * the pairs. */
static heed_tensor *direction(lbfgs_step *r)
{
    heed__lbfgs *l = r->state;
    const heed__lbfgs_pair *last = l->n > 0 ? &l->pairs[l->n - 1] : NULL;
    heed_tensor *q = linear_combination(-1.0, r->grad, 0.0, r->grad);
    heed_tensor *weights = q ? heed_empty(HEED_F64, HEED_SHAPE(l->n)) : NULL;
    if (!weights)
        return NULL;
    double *weight = heed_mutable_f64(weights);
    for (int i = l->n - 1; i >= 0; i--) {
        weight[i] = heed__dot(l->pairs[i].s, q) * l->pairs[i].ro;
        add_scaled_(q, -weight[i], l->pairs[i].y);
    }
    const double scale = last ? first_scale(last) : 1.0;
    heed_tensor *d = linear_combination(scale, q, 0.0, q);
    for (int i = 0; i < l->n && d; i++)
        add_scaled_(d, weight[i] - heed__dot(l->pairs[i].y, d) * l->pairs[i].ro, l->pairs[i].s);
    return d;
}

/* Moves the parameters to x + t d, where a line search finds t, and stores the loss and gradient there in r. Without a
 * line search t is given, and the parameters after the last iteration of a step are not evaluated. */
static bool move_parameters(lbfgs_step *r, double slope, bool last)
{
    heed__lbfgs *l = r->state;
    const heed__line_point start = {.value = r->loss, .slope = slope, .grad = r->grad};
    heed__line_point end = start;
    if (!r->options->no_line_search) {
        const heed__line line = {evaluate_on_line, r, abs_max(l->d), r->options->tolerance_change};
        if (!heed__strong_wolfe(&line, &start, l->t, &end))
            return false;
        l->t = end.t;
    }
    set_parameters(r->o, r->x, l->t, l->d);
    if (r->options->no_line_search && !last && !evaluate_loss(r, &end.value, &end.grad))
        return false;
    if (!isfinite(end.value) || !isfinite(l->t))
        return heed_fail_false(HEED_ERR_STATE, where,
                               "the loss is %g after a step of %g along the direction: both must be finite", end.value,
                               l->t);
    r->loss = end.value;
    heed__lbfgs_replace(&r->grad, end.grad);
    return true;
}

/* Runs an iteration. Sets *more to true if another iteration should follow. Returns false after heed_fail. */
static bool iterate(lbfgs_step *r, bool last, bool *more)
{
    heed__lbfgs *l = r->state;
    *more = false;
    if (l->n_iter++ > 0 && !add_pair(r))
        return false;
    heed__lbfgs_replace(&l->d, direction(r));
    heed__lbfgs_replace(&r->x, l->d ? gather_vector(r->o, false) : NULL);
    if (!r->x)
        return false;
    heed__lbfgs_replace(&l->grad, r->grad);
    const double before = r->loss, lr = r->o->groups[0]->lr, slope = heed__dot(r->grad, l->d);
    l->t = l->n_iter == 1 ? fmin(1.0, 1.0 / abs_sum(r->grad)) * lr : lr;
    if (slope > -r->options->tolerance_change)
        return true;
    if (!move_parameters(r, slope, last))
        return false;
    *more = !last && r->evals < r->options->max_eval && abs_max(r->grad) > r->options->tolerance_grad &&
            abs_max(l->d) * fabs(l->t) > r->options->tolerance_change &&
            fabs(r->loss - before) >= r->options->tolerance_change;
    return true;
}

/* -- A step -------------------------------------------------------------------------------------------------------- */

static bool run_lbfgs_step(lbfgs_step *r, double *loss)
{
    heed_tensor *grad;
    if (!evaluate_loss(r, &r->loss, &grad))
        return false;
    heed__lbfgs_replace(&r->grad, grad);
    *loss = r->loss;
    if (!isfinite(r->loss) || !isfinite(abs_sum(grad)))
        return heed_fail_false(HEED_ERR_STATE, where,
                               "the loss is %g and the sum of its gradient's magnitudes %g: both must be finite",
                               r->loss, abs_sum(grad));
    bool more = abs_max(grad) > r->options->tolerance_grad;
    for (int i = 1; more; i++) {
        heed_scope *scope = heed_scope_begin();
        const bool ok = scope && iterate(r, i == r->options->max_iter, &more);
        if ((scope && heed_scope_end(scope) != HEED_OK) || !ok)
            return false;
    }
    r->state->func_evals += r->evals;
    return true;
}

heed_status heed__lbfgs_step(heed_optimizer *o, heed_closure closure, void *user, double *loss)
{
    lbfgs_step r = {.o = o, .options = &o->groups[0]->settings.options.lbfgs, .closure = closure, .user = user};
    heed_scope *scope = heed_scope_begin();
    heed_tensor *before = scope ? gather_vector(o, false) : NULL;
    r.state = before ? heed__lbfgs_copy(o->lbfgs) : NULL;
    const bool done = r.state && run_lbfgs_step(&r, loss);
    if (done) {
        heed__lbfgs *old = o->lbfgs;
        o->lbfgs = r.state;
        r.state = old;
    } else if (r.state)
        set_parameters(o, before, 0.0, NULL);
    heed__lbfgs_free(r.state);
    heed_release(r.x);
    heed_release(r.grad);
    if (scope)
        heed_scope_end(scope);
    return done ? HEED_OK : heed_error_code();
}

/* -- Options ------------------------------------------------------------------------------------------------------- */

static bool check_lbfgs_count(const char *constructor, const char *name, int count, int maximum)
{
    return (count >= 0 && count <= maximum) ||
           heed_fail_false(HEED_ERR_ARGUMENT, constructor, "%s is %d: must be 0 to %d", name, count, maximum);
}

static bool read_lbfgs_options(const char *constructor, const void *options, heed__group_settings *settings)
{
    heed_optim_lbfgs_options o = {0};
    if (options)
        o = *(const heed_optim_lbfgs_options *)options;
    if (!heed__optim_check(constructor, "lr", o.lr) ||
        !check_lbfgs_count(constructor, "max_iter", o.max_iter, MAX_COUNT) ||
        !check_lbfgs_count(constructor, "max_eval", o.max_eval, MAX_COUNT) ||
        !heed__optim_check(constructor, "tolerance_grad", o.tolerance_grad) ||
        !heed__optim_check(constructor, "tolerance_change", o.tolerance_change) ||
        !check_lbfgs_count(constructor, "history_size", o.history_size, MAX_PAIRS))
        return false;
    o.lr = o.lr != 0.0 ? o.lr : 1.0;
    o.max_iter = o.max_iter != 0 ? o.max_iter : 20;
    o.max_eval = o.max_eval != 0 ? o.max_eval : o.max_iter + o.max_iter / 4;
    o.tolerance_grad = o.tolerance_grad != 0.0 ? o.tolerance_grad : 1e-7;
    o.tolerance_change = o.tolerance_change != 0.0 ? o.tolerance_change : 1e-9;
    o.history_size = o.history_size != 0 ? o.history_size : 100;
    *settings = (heed__group_settings){.lr = o.lr, .options.lbfgs = o};
    return true;
}

static const heed__optimizer_kind lbfgs_kind = {
    .name = "optim_lbfgs",
    .state_name = "lbfgs",
    .read = read_lbfgs_options,
};

heed_optimizer *heed_optim_lbfgs(heed_module *module, const heed_optim_lbfgs_options *options)
{
    HEED_ENTER(lbfgs_kind.name);
    heed_optimizer *o = heed__optimizer_new(&lbfgs_kind, module, options);
    if (!o)
        return NULL;
    o->lbfgs = heed__lbfgs_new(o->groups[0]->settings.options.lbfgs.history_size);
    if (o->lbfgs)
        return o;
    heed_optimizer_free(o);
    return NULL;
}
