/* optim/adam.c - Adam and AdamW; heed/optim.h states the rules.
 *
 * One update serves both. Weight decay is added to the gradient in Adam and shrinks the parameter in AdamW. Operations
 * are in PyTorch's order, so that results agree. */

#include <float.h>
#include <math.h>
#include <string.h>

#include "optim/optimizer.h"

/* Coefficients of one update. */
typedef struct adam_rule {
    double beta1, one_minus_beta1;
    double beta2, one_minus_beta2;
    double decay;  /* the gradient becomes g + decay p */
    double shrink; /* the parameter becomes shrink p before the update */
    double rate;   /* lr / (1 - beta1^t) */
    double root;   /* sqrt(1 - beta2^t) */
    double eps;
    bool maximize;
} adam_rule;

/* One pass over a parameter p with gradient grad, its averages m and v and, with amsgrad, the largest v so far, `top`.
 * A NaN in v remains there, and therefore in top. `amsgrad` is constant where the loop is inlined, so that the loop
 * vectorises. A positive eps is raised to at least `least`, the smallest normal number, so that eps does not round to
 * 0: 0 / 0 would be NaN. */
#define ADAM_UPDATE(real, least, square_root, data, mutable_data, loop, update)                                        \
    static inline void loop(const adam_rule *r, int64_t n, real *restrict p, const real *restrict grad,                \
                            real *restrict m, real *restrict v, real *restrict top, const bool amsgrad)                \
    {                                                                                                                  \
        const real beta1 = (real)r->beta1, one_minus_beta1 = (real)r->one_minus_beta1, beta2 = (real)r->beta2,         \
                   one_minus_beta2 = (real)r->one_minus_beta2;                                                         \
        const real decay = (real)r->decay, shrink = (real)r->shrink, sign = r->maximize ? -1 : 1;                      \
        const real rate = (real)r->rate, root = (real)r->root;                                                         \
        const real eps = r->eps > 0 && r->eps < (double)(least) ? (least) : (real)r->eps;                              \
        for (int64_t i = 0; i < n; i++) {                                                                              \
            real g = decay != 0 ? sign * grad[i] + decay * p[i] : sign * grad[i];                                      \
            real mean = beta1 * m[i] + one_minus_beta1 * g, square = beta2 * v[i] + one_minus_beta2 * g * g;           \
            m[i] = mean;                                                                                               \
            v[i] = square;                                                                                             \
            if (amsgrad)                                                                                               \
                top[i] = square = square <= top[i] ? top[i] : square;                                                  \
            p[i] = shrink * p[i] - rate * mean / (square_root(square) / root + eps);                                   \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    static void update(const adam_rule *rule, heed__slot *slot)                                                        \
    {                                                                                                                  \
        int64_t n = heed_numel(slot->target);                                                                          \
        const real *g = data(slot->grad);                                                                              \
        real *p = mutable_data(slot->target), *m = mutable_data(slot->buffer[0]), *v = mutable_data(slot->buffer[1]);  \
        if (slot->buffer[2])                                                                                           \
            loop(rule, n, p, g, m, v, mutable_data(slot->buffer[2]), true);                                            \
        else                                                                                                           \
            loop(rule, n, p, g, m, v, NULL, false);                                                                    \
    }

ADAM_UPDATE(float, FLT_MIN, sqrtf, heed_data_f32, heed_mutable_f32, loop_f32, update_f32)
ADAM_UPDATE(double, DBL_MIN, sqrt, heed_data_f64, heed_mutable_f64, loop_f64, update_f64)

static void update_by(const adam_rule *rule, heed__slot *slot)
{
    if (heed_dtype_of(slot->target) == HEED_F32)
        update_f32(rule, slot);
    else
        update_f64(rule, slot);
}

static adam_rule rule_of(const heed__group *group, const heed__slot *slot)
{
    const heed_optim_adam_options *o = &group->settings.options.adam;
    double t = (double)slot->updates;
    return (adam_rule){.beta1 = o->beta1,
                       .one_minus_beta1 = 1.0 - o->beta1,
                       .beta2 = o->beta2,
                       .one_minus_beta2 = 1.0 - o->beta2,
                       .shrink = 1.0,
                       .rate = group->lr / (1.0 - pow(o->beta1, t)),
                       .root = sqrt(1.0 - pow(o->beta2, t)),
                       .eps = o->eps,
                       .maximize = o->maximize};
}

static void update_adam(const heed__group *group, heed__slot *slot)
{
    adam_rule rule = rule_of(group, slot);
    rule.decay = group->settings.options.adam.weight_decay;
    update_by(&rule, slot);
}

static void update_adamw(const heed__group *group, heed__slot *slot)
{
    adam_rule rule = rule_of(group, slot);
    rule.shrink = 1.0 - group->lr * group->settings.options.adam.weight_decay;
    update_by(&rule, slot);
}

static void numbers(const heed__group_settings *settings, double *to)
{
    const heed_optim_adam_options *o = &settings->options.adam;
    const double options[] = {o->beta1, o->beta2, o->eps, o->weight_decay, o->amsgrad, o->maximize};
    memcpy(to, options, sizeof options);
}

static bool read_options(const char *where, const void *options, heed__group_settings *settings)
{
    heed_optim_adam_options o = options ? *(const heed_optim_adam_options *)options : (heed_optim_adam_options){0};
    if (!heed__optim_check(where, "lr", o.lr) || !heed__optim_check_weight(where, "beta1", o.beta1) ||
        !heed__optim_check_weight(where, "beta2", o.beta2) || !heed__optim_check(where, "eps", o.eps) ||
        !heed__optim_check(where, "weight_decay", o.weight_decay))
        return false;
    if (o.no_momentum && o.beta1 != 0.0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "beta1 is %g: must be 0 with no_momentum", o.beta1);
    o.lr = o.lr != 0.0 ? o.lr : 1e-3;
    o.beta1 = o.no_momentum || o.beta1 != 0.0 ? o.beta1 : 0.9;
    o.beta2 = o.beta2 != 0.0 ? o.beta2 : 0.999;
    o.eps = o.eps != 0.0 ? o.eps : 1e-8;
    *settings = (heed__group_settings){.lr = o.lr, .buffers = o.amsgrad ? 7 : 3, .options.adam = o};
    return true;
}

#define ADAM_BUFFERS                                                                                                   \
    {                                                                                                                  \
        "exp_avg", "exp_avg_sq", "max_exp_avg_sq"                                                                      \
    }

static const heed__optimizer_kind adam_kind = {
    .name = "optim_adam",
    .tensors_name = "optim_adam_tensors",
    .add_name = "optim_adam_add_group",
    .state_name = "adam",
    .buffer_name = ADAM_BUFFERS,
    .read = read_options,
    .numbers = numbers,
    .update = update_adam,
};

static const heed__optimizer_kind adamw_kind = {
    .name = "optim_adamw",
    .tensors_name = "optim_adamw_tensors",
    .add_name = "optim_adamw_add_group",
    .state_name = "adamw",
    .buffer_name = ADAM_BUFFERS,
    .read = read_options,
    .numbers = numbers,
    .update = update_adamw,
};

/* -- Public functions --------------------------------------------------------------------------------------- */

heed_optimizer *heed_optim_adam(heed_module *module, const heed_optim_adam_options *options)
{
    return heed__optimizer_of_module(&adam_kind, module, options);
}

heed_optimizer *heed_optim_adam_tensors(heed_tensor *const *parameters, int n, const heed_optim_adam_options *options)
{
    return heed__optimizer_of_tensors(&adam_kind, parameters, n, options);
}

heed_status heed_optim_adam_add_group(heed_optimizer *optimizer, heed_tensor *const *parameters, int n,
                                      const heed_optim_adam_options *options)
{
    return heed__optimizer_add_group(optimizer, &adam_kind, parameters, n, options);
}

heed_optimizer *heed_optim_adamw(heed_module *module, const heed_optim_adam_options *options)
{
    return heed__optimizer_of_module(&adamw_kind, module, options);
}

heed_optimizer *heed_optim_adamw_tensors(heed_tensor *const *parameters, int n, const heed_optim_adam_options *options)
{
    return heed__optimizer_of_tensors(&adamw_kind, parameters, n, options);
}

heed_status heed_optim_adamw_add_group(heed_optimizer *optimizer, heed_tensor *const *parameters, int n,
                                       const heed_optim_adam_options *options)
{
    return heed__optimizer_add_group(optimizer, &adamw_kind, parameters, n, options);
}
