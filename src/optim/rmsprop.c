/* optim/rmsprop.c - RMSprop: plain, centered and with momentum; heed/optim/rules.h states the rule. Operations are in
 * PyTorch's order, so that results agree. */

#include <math.h>
#include <string.h>

#include "optim/optimizer.h"

enum { SQUARES, MOMENTUM, MEANS };

/* Coefficients of one update. */
typedef struct rmsprop_rule {
    double lr, alpha, eps, decay, momentum;
    bool maximize;
} rmsprop_rule;

/* One pass over a parameter p with gradient grad, the average v of squared gradients, the momentum buffer b and the
 * average a of gradients. The flags are constant where the loop is inlined, so that the loop vectorises. Rounding alone
 * can make v - a^2 negative, and the loop then replaces it by 0; a NaN stays NaN. */
#define RMSPROP_UPDATE(real, square_root, data, mutable_data, loop, update)                                            \
    static inline void loop(const rmsprop_rule *r, int64_t n, real *restrict p, const real *restrict grad,             \
                            real *restrict v, real *restrict b, real *restrict a, const bool moving,                   \
                            const bool centered)                                                                       \
    {                                                                                                                  \
        const real lr = (real)r->lr, alpha = (real)r->alpha, take = (real)(1.0 - r->alpha), eps = (real)r->eps;        \
        const real decay = (real)r->decay, momentum = (real)r->momentum, sign = r->maximize ? -1 : 1;                  \
        for (int64_t i = 0; i < n; i++) {                                                                              \
            real g = decay != 0 ? sign * grad[i] + decay * p[i] : sign * grad[i];                                      \
            real spread = v[i] = alpha * v[i] + take * g * g;                                                          \
            if (centered) {                                                                                            \
                real mean = a[i] = alpha * a[i] + take * g;                                                            \
                spread -= mean * mean;                                                                                 \
                spread = spread < 0 ? 0 : spread;                                                                      \
            }                                                                                                          \
            real root = square_root(spread) + eps;                                                                     \
            if (moving) {                                                                                              \
                b[i] = momentum * b[i] + g / root;                                                                     \
                p[i] -= lr * b[i];                                                                                     \
            } else {                                                                                                   \
                p[i] -= lr * g / root;                                                                                 \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    static void update(const rmsprop_rule *rule, heed__slot *slot)                                                     \
    {                                                                                                                  \
        int64_t n = heed_numel(slot->target);                                                                          \
        const real *g = data(slot->grad);                                                                              \
        real *p = mutable_data(slot->target), *v = mutable_data(slot->buffer[SQUARES]);                                \
        real *b = slot->buffer[MOMENTUM] ? mutable_data(slot->buffer[MOMENTUM]) : NULL;                                \
        real *a = slot->buffer[MEANS] ? mutable_data(slot->buffer[MEANS]) : NULL;                                      \
        if (b && a)                                                                                                    \
            loop(rule, n, p, g, v, b, a, true, true);                                                                  \
        else if (b)                                                                                                    \
            loop(rule, n, p, g, v, b, NULL, true, false);                                                              \
        else if (a)                                                                                                    \
            loop(rule, n, p, g, v, NULL, a, false, true);                                                              \
        else                                                                                                           \
            loop(rule, n, p, g, v, NULL, NULL, false, false);                                                          \
    }

RMSPROP_UPDATE(float, sqrtf, heed_data_f32, heed_mutable_f32, loop_f32, update_f32)
RMSPROP_UPDATE(double, sqrt, heed_data_f64, heed_mutable_f64, loop_f64, update_f64)

static void update(const heed__group *group, heed__slot *slot)
{
    const heed_optim_rmsprop_options *o = &group->settings.options.rmsprop;
    const rmsprop_rule rule = {group->lr, o->alpha, o->eps, o->weight_decay, o->momentum, o->maximize};
    if (heed_dtype_of(slot->target) == HEED_F32)
        update_f32(&rule, slot);
    else
        update_f64(&rule, slot);
}

static void numbers(const heed__group_settings *settings, double *to)
{
    const heed_optim_rmsprop_options *o = &settings->options.rmsprop;
    const double options[] = {o->alpha, o->eps, o->weight_decay, o->momentum, o->centered, o->maximize};
    memcpy(to, options, sizeof options);
}

static bool read_options(const char *where, const void *options, heed__group_settings *settings)
{
    heed_optim_rmsprop_options o = {0};
    if (options)
        o = *(const heed_optim_rmsprop_options *)options;
    if (!heed__optim_check(where, "lr", o.lr) || !heed__optim_check_weight(where, "alpha", o.alpha) ||
        !heed__optim_check(where, "eps", o.eps) || !heed__optim_check(where, "weight_decay", o.weight_decay) ||
        !heed__optim_check(where, "momentum", o.momentum))
        return false;
    o.lr = o.lr != 0.0 ? o.lr : 1e-2;
    o.alpha = o.alpha != 0.0 ? o.alpha : 0.99;
    o.eps = o.eps != 0.0 ? o.eps : 1e-8;
    unsigned buffers = 1U << SQUARES;
    buffers |= (o.momentum != 0.0 ? 1U << MOMENTUM : 0U) | (o.centered ? 1U << MEANS : 0U);
    *settings = (heed__group_settings){.lr = o.lr, .buffers = buffers, .options.rmsprop = o};
    return true;
}

static const heed__optimizer_kind rmsprop_kind = {
    .name = "optim_rmsprop",
    .tensors_name = "optim_rmsprop_tensors",
    .add_name = "optim_rmsprop_add_group",
    .state_name = "rmsprop",
    .buffer_name = {[SQUARES] = "square_avg", [MOMENTUM] = "momentum_buffer", [MEANS] = "grad_avg"},
    .read = read_options,
    .numbers = numbers,
    .update = update,
};

heed_optimizer *heed_optim_rmsprop(heed_module *module, const heed_optim_rmsprop_options *options)
{
    return heed__optimizer_of_module(&rmsprop_kind, module, options);
}

heed_optimizer *heed_optim_rmsprop_tensors(heed_tensor *const *parameters, int n,
                                           const heed_optim_rmsprop_options *options)
{
    return heed__optimizer_of_tensors(&rmsprop_kind, parameters, n, options);
}

heed_status heed_optim_rmsprop_add_group(heed_optimizer *optimizer, heed_tensor *const *parameters, int n,
                                         const heed_optim_rmsprop_options *options)
{
    return heed__optimizer_add_group(optimizer, &rmsprop_kind, parameters, n, options);
}
