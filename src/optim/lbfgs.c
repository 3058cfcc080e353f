/* optim/lbfgs.c - L-BFGS; heed/optim/rules.h states the rule. Follows torch.optim.LBFGS, so that iterates agree.
 *
 * A step works on a copy of the optimizer's state, and on the parameters themselves after copying them. If the closure
 * or an allocation fails, the copy of the parameters is written back, which needs no memory. */

#include <math.h>
#include <string.h>

#include <heed/graph.h>
#include <heed/ops.h>
#include <heed/scope.h>

#include "optim/clip.h"
#include "optim/closure.h"
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
    heed__lbfgs state;
    heed_tensor *x;    /* the parameters at the beginning of the iteration */
    heed_tensor *grad; /* the gradient at x; after the iteration, the gradient at the new parameters */
    double loss;       /* the loss at the parameters to which `grad` belongs */
    int64_t evals;     /* evaluations of the closure in this step */
} lbfgs_step;

/* -- Parameters as one vector -------------------------------------------------------------------------------------- */

static int64_t numel(const heed_optimizer *o)
{
    int64_t n = 0;
    for (int i = 0; i < o->parameters.n; i++)
        n += heed_numel(o->parameters.items[i]);
    return n;
}

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

static heed_tensor *gather(const heed_optimizer *o, bool gradients)
{
    heed_tensor *flat = heed_empty(HEED_F64, HEED_SHAPE(numel(o)));
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
static bool evaluate(lbfgs_step *r, double *loss, heed_tensor **grad)
{
    *grad = NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return false;
    r->evals++;
    heed_tensor *flat = NULL;
    if (heed__optimizer_evaluate(r->o, r->closure, r->user, loss))
        flat = gather(r->o, true);
    *grad = heed_scope_return(scope, flat);
    return *grad != NULL;
}

static bool evaluate_on_line(void *user, heed__line_point *point)
{
    lbfgs_step *r = user;
    set_parameters(r->o, r->x, point->t, r->state.d);
    if (!evaluate(r, &point->value, &point->grad))
        return false;
    point->slope = heed__dot(point->grad, r->state.d);
    return true;
}

/* -- An iteration -------------------------------------------------------------------------------------------------- */

/* Adds the changes of gradient and parameters in the last iteration to the pairs, unless their product y . s is about 0
 * or less. Returns false after heed_fail. */
static bool add_pair(lbfgs_step *r)
{
    heed__lbfgs *l = &r->state;
    heed_tensor *y = heed__linear_combination(1.0, r->grad, -1.0, l->grad),
                *s = y ? heed__linear_combination(l->t, l->d, 0.0, l->d) : NULL;
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
    const double factor = heed__scale_for(heed__abs_max(pair->y));
    return ys * factor / heed__sum_of_scaled_squares(pair->y, 0, n, factor) * factor;
}

/* Returns d = -H g, with the gradient g and an approximation H of the inverse Hessian. Uses the two-loop recursion over
 * the pairs. */
static heed_tensor *direction(lbfgs_step *r)
{
    heed__lbfgs *l = &r->state;
    const heed__lbfgs_pair *last = l->n > 0 ? &l->pairs[l->n - 1] : NULL;
    heed_tensor *q = heed__linear_combination(-1.0, r->grad, 0.0, r->grad);
    heed_tensor *weights = q ? heed_empty(HEED_F64, HEED_SHAPE(l->n)) : NULL;
    if (!weights)
        return NULL;
    double *weight = heed_mutable_f64(weights);
    for (int i = l->n - 1; i >= 0; i--) {
        weight[i] = heed__dot(l->pairs[i].s, q) * l->pairs[i].ro;
        heed__add_scaled_(q, -weight[i], l->pairs[i].y);
    }
    const double scale = last ? first_scale(last) : 1.0;
    heed_tensor *d = heed__linear_combination(scale, q, 0.0, q);
    for (int i = 0; i < l->n && d; i++)
        heed__add_scaled_(d, weight[i] - heed__dot(l->pairs[i].y, d) * l->pairs[i].ro, l->pairs[i].s);
    return d;
}

/* Moves the parameters to x + t d, where a line search finds t, and stores the loss and gradient there in r. Without a
 * line search t is given, and the parameters after the last iteration of a step are not evaluated. */
static bool move(lbfgs_step *r, double slope, bool last)
{
    heed__lbfgs *l = &r->state;
    const heed__line_point start = {.value = r->loss, .slope = slope, .grad = r->grad};
    heed__line_point end = start;
    if (!r->options->no_line_search) {
        const heed__line line = {evaluate_on_line, r, heed__abs_max(l->d), r->options->tolerance_change};
        if (!heed__strong_wolfe(&line, &start, l->t, &end))
            return false;
        l->t = end.t;
    }
    set_parameters(r->o, r->x, l->t, l->d);
    if (r->options->no_line_search && !last && !evaluate(r, &end.value, &end.grad))
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
    heed__lbfgs *l = &r->state;
    *more = false;
    if (l->n_iter++ > 0 && !add_pair(r))
        return false;
    heed__lbfgs_replace(&l->d, direction(r));
    heed__lbfgs_replace(&r->x, l->d ? gather(r->o, false) : NULL);
    if (!r->x)
        return false;
    heed__lbfgs_replace(&l->grad, r->grad);
    const double before = r->loss, lr = r->o->groups[0]->lr, slope = heed__dot(r->grad, l->d);
    l->t = l->n_iter == 1 ? fmin(1.0, 1.0 / heed__abs_sum(r->grad)) * lr : lr;
    if (slope > -r->options->tolerance_change)
        return true;
    if (!move(r, slope, last))
        return false;
    *more = !last && r->evals < r->options->max_eval && heed__abs_max(r->grad) > r->options->tolerance_grad &&
            heed__abs_max(l->d) * fabs(l->t) > r->options->tolerance_change &&
            fabs(r->loss - before) >= r->options->tolerance_change;
    return true;
}

static bool iterate_in_scope(lbfgs_step *r, bool last, bool *more)
{
    heed_scope *scope = heed_scope_begin();
    const bool ok = scope && iterate(r, last, more);
    return (!scope || heed_scope_end(scope) == HEED_OK) && ok;
}

/* -- A step -------------------------------------------------------------------------------------------------------- */

static bool run_step(lbfgs_step *r, double *loss)
{
    heed_tensor *grad;
    if (!evaluate(r, &r->loss, &grad))
        return false;
    heed__lbfgs_replace(&r->grad, grad);
    *loss = r->loss;
    if (!isfinite(r->loss) || !isfinite(heed__abs_sum(grad)))
        return heed_fail_false(HEED_ERR_STATE, where,
                               "the loss is %g and the sum of its gradient's magnitudes %g: both must be finite",
                               r->loss, heed__abs_sum(grad));
    bool more = heed__abs_max(grad) > r->options->tolerance_grad;
    for (int i = 1; more; i++)
        if (!iterate_in_scope(r, i == r->options->max_iter, &more))
            return false;
    r->state.func_evals += r->evals;
    return true;
}

heed_status heed__lbfgs_step(heed_optimizer *o, heed_closure closure, void *user, double *loss)
{
    heed__lbfgs *kind_state = o->kind_state;
    lbfgs_step r = {.o = o, .options = &o->groups[0]->settings.options.lbfgs, .closure = closure, .user = user};
    heed_scope *scope = heed_scope_begin();
    heed_tensor *before = scope ? gather(o, false) : NULL;
    bool done = before && heed__lbfgs_init(&r.state, kind_state->capacity);
    if (done) {
        heed__lbfgs_copy(&r.state, kind_state);
        done = run_step(&r, loss);
        if (!done)
            set_parameters(o, before, 0.0, NULL);
    }
    if (done) {
        const heed__lbfgs old = *kind_state;
        *kind_state = r.state;
        r.state = old;
    }
    heed__lbfgs_release(&r.state);
    heed_release(r.x);
    heed_release(r.grad);
    if (scope)
        heed_scope_end(scope);
    return done ? HEED_OK : heed_error_code();
}

/* -- Options ------------------------------------------------------------------------------------------------------- */

static void numbers(const heed__group_settings *settings, double *to)
{
    const heed_optim_lbfgs_options *o = &settings->options.lbfgs;
    const double options[] = {o->max_iter,         o->max_eval,     o->tolerance_grad,
                              o->tolerance_change, o->history_size, o->no_line_search};
    memcpy(to, options, sizeof options);
}

static bool check_count(const char *constructor, const char *name, int count, int maximum)
{
    return (count >= 0 && count <= maximum) ||
           heed_fail_false(HEED_ERR_ARGUMENT, constructor, "%s is %d: must be 0 to %d", name, count, maximum);
}

static bool read_options(const char *constructor, const void *options, heed__group_settings *settings)
{
    heed_optim_lbfgs_options o = {0};
    if (options)
        o = *(const heed_optim_lbfgs_options *)options;
    if (!heed__optim_check(constructor, "lr", o.lr) || !check_count(constructor, "max_iter", o.max_iter, MAX_COUNT) ||
        !check_count(constructor, "max_eval", o.max_eval, MAX_COUNT) ||
        !heed__optim_check(constructor, "tolerance_grad", o.tolerance_grad) ||
        !heed__optim_check(constructor, "tolerance_change", o.tolerance_change) ||
        !check_count(constructor, "history_size", o.history_size, MAX_PAIRS))
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
    .tensors_name = "optim_lbfgs_tensors",
    .state_name = "lbfgs",
    .whole = true,
    .read = read_options,
    .numbers = numbers,
    .begin = heed__lbfgs_begin,
    .end = heed__lbfgs_end,
    .put = heed__lbfgs_put,
    .check = heed__lbfgs_check,
    .install = heed__lbfgs_install,
    .step = heed__lbfgs_step,
};

heed_optimizer *heed_optim_lbfgs(heed_module *module, const heed_optim_lbfgs_options *options)
{
    return heed__optimizer_of_module(&lbfgs_kind, module, options);
}

heed_optimizer *heed_optim_lbfgs_tensors(heed_tensor *const *parameters, int n, const heed_optim_lbfgs_options *options)
{
    return heed__optimizer_of_tensors(&lbfgs_kind, parameters, n, options);
}
