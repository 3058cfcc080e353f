/* optim/muon.c - Muon; heed/optim/rules.h states the rule.
 *
 * The orthogonalised momentum needs matrix products, which allocate memory. It is therefore computed from a copy of the
 * momentum before anything changes. The update is then one pass over the parameter and its buffer. */

#include <math.h>
#include <string.h>

#include <heed/ops.h>
#include <heed/scope.h>

#include "optim/clip.h"
#include "optim/optimizer.h"

/* Returns a X + b A X + c A A X with A = X X^T. This maps every singular value s of X to a s + b s^3 + c s^5, which is
 * closer to 1. */
static heed_tensor *towards_orthogonal(heed_tensor *x)
{
    static const double a = 3.4445, b = -4.7750, c = 2.0315;
    heed_tensor *gram = heed_matmul(x, heed_transpose(x, 0, 1));
    heed_tensor *mix = heed_add(heed_mul_scalar(gram, b), heed_mul_scalar(heed_matmul(gram, gram), c));
    return heed_add(heed_mul_scalar(x, a), heed_matmul(mix, x));
}

/* Moves the singular values of x towards 1 in `steps` iterations. First divides x by its norm, so that no singular
 * value exceeds 1. Transposes a tall x, so that the iterations use the smaller one of the two Gram matrices. */
static heed_tensor *orthogonalised(heed_tensor *x, int64_t steps)
{
    const bool tall = heed_dim(x, 0) > heed_dim(x, 1);
    const double norm = heed__norm_of(x);
    x = heed__scaled(tall ? heed_transpose(x, 0, 1) : x, 1.0 / (norm + 1e-7));
    for (int64_t i = 0; x && i < steps; i++)
        x = towards_orthogonal(x);
    return heed_contiguous(tall ? heed_transpose(x, 0, 1) : x);
}

/* Returns from + weight (to - from). */
static heed_tensor *between(heed_tensor *from, heed_tensor *to, double weight)
{
    return heed_add(from, heed_mul_scalar(heed_sub(to, from), weight));
}

static heed_tensor *direct(const heed__group *group, const heed__slot *slot)
{
    const heed_optim_muon_options *o = &group->settings.options.muon;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *g = o->maximize ? heed_mul_scalar(slot->grad, -1.0) : slot->grad;
    heed_tensor *x = between(slot->buffer[0], g, 1.0 - o->momentum);
    if (!o->no_nesterov)
        x = between(g, x, o->momentum);
    return heed_scope_return(scope, x ? orthogonalised(x, o->steps) : NULL);
}

/* Coefficients of one update. */
typedef struct muon_rule {
    double rate, shrink, take; /* rate = lr sqrt(max(1, rows / columns)), shrink = 1 - lr weight_decay */
    bool maximize;
} muon_rule;

/* One pass over a parameter p with gradient g, the momentum buffer b and the direction d. */
#define MUON_LOOP(real, loop)                                                                                          \
    static void loop(const muon_rule *r, int64_t n, real *restrict p, const real *restrict g, real *restrict b,        \
                     const real *restrict d)                                                                           \
    {                                                                                                                  \
        const real rate = (real)r->rate, shrink = (real)r->shrink, take = (real)r->take, sign = r->maximize ? -1 : 1;  \
        for (int64_t i = 0; i < n; i++) {                                                                              \
            b[i] += take * (sign * g[i] - b[i]);                                                                       \
            p[i] = shrink * p[i] - rate * d[i];                                                                        \
        }                                                                                                              \
    }

MUON_LOOP(float, loop_f32)
MUON_LOOP(double, loop_f64)

static void update(const heed__group *group, heed__slot *slot)
{
    const heed_optim_muon_options *o = &group->settings.options.muon;
    heed_tensor *p = slot->target, *g = slot->grad, *b = slot->buffer[0], *d = slot->direction;
    const double ratio = (double)heed_dim(p, 0) / (double)heed_dim(p, 1);
    const muon_rule rule = {.rate = group->lr * sqrt(fmax(1.0, ratio)),
                            .shrink = 1.0 - group->lr * o->weight_decay,
                            .take = 1.0 - o->momentum,
                            .maximize = o->maximize};
    if (heed_dtype_of(p) == HEED_F32)
        loop_f32(&rule, heed_numel(p), heed_mutable_f32(p), heed_data_f32(g), heed_mutable_f32(b), heed_data_f32(d));
    else
        loop_f64(&rule, heed_numel(p), heed_mutable_f64(p), heed_data_f64(g), heed_mutable_f64(b), heed_data_f64(d));
}

static void numbers(const heed__group_settings *settings, double *to)
{
    const heed_optim_muon_options *o = &settings->options.muon;
    const double options[] = {o->momentum, o->weight_decay, (double)o->steps, o->no_nesterov, o->maximize};
    memcpy(to, options, sizeof options);
}

static bool read_options(const char *where, const void *options, heed__group_settings *settings)
{
    heed_optim_muon_options o = {0};
    if (options)
        o = *(const heed_optim_muon_options *)options;
    if (!heed__optim_check(where, "lr", o.lr) || !heed__optim_check_weight(where, "momentum", o.momentum) ||
        !heed__optim_check(where, "weight_decay", o.weight_decay))
        return false;
    if (o.steps < 0 || o.steps > 100)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "steps is %d: must be 0 to 100", o.steps);
    o.lr = o.lr != 0.0 ? o.lr : 0.02;
    o.momentum = o.momentum != 0.0 ? o.momentum : 0.95;
    o.steps = o.steps != 0 ? o.steps : 5;
    *settings = (heed__group_settings){.lr = o.lr, .buffers = 1U, .options.muon = o};
    return true;
}

static bool accepts(const char *where, int i, const heed_tensor *t)
{
    const int rank = heed_rank(t);
    return rank == 2 || heed_fail_false(HEED_ERR_SHAPE, where,
                                        "parameter %d is %s: must be a matrix; use a second optimizer for biases and "
                                        "other vectors, such as heed_optim_adamw_tensors",
                                        i, heed_shape_text(heed_shape_of(t)).s);
}

static const heed__optimizer_kind muon_kind = {
    .name = "optim_muon",
    .tensors_name = "optim_muon_tensors",
    .add_name = "optim_muon_add_group",
    .state_name = "muon",
    .buffer_name = {"momentum_buffer"},
    .whole = true,
    .read = read_options,
    .accepts = accepts,
    .numbers = numbers,
    .direct = direct,
    .update = update,
};

heed_optimizer *heed_optim_muon(heed_module *module, const heed_optim_muon_options *options)
{
    return heed__optimizer_of_module(&muon_kind, module, options);
}

heed_optimizer *heed_optim_muon_tensors(heed_tensor *const *parameters, int n, const heed_optim_muon_options *options)
{
    return heed__optimizer_of_tensors(&muon_kind, parameters, n, options);
}

heed_status heed_optim_muon_add_group(heed_optimizer *optimizer, heed_tensor *const *parameters, int n,
                                      const heed_optim_muon_options *options)
{
    return heed__optimizer_add_group(optimizer, &muon_kind, parameters, n, options);
}
